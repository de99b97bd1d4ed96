# SPDX-License-Identifier: MIT
# The wheels and their test. Included by the Makefile.

WHEELS ?= $(BUILD)/wheels
# The library alone, and with that of relays, which needs a newer system.
STRIPPED := $(OUT)/stripped/$(SONAME)
STRIPPED_RELAYS := $(OUT)/stripped/relays/$(SONAME) $(OUT)/stripped/relays/$(RELAY_SONAME)
# Archives have the time of the sources, so that a second build gives the same bytes.
wheel_build = SOURCE_DATE_EPOCH=$(SOURCE_TIME) SWIFTOBSERVER_BUNDLE=$(1) $(PYTHON_TESTS)/bin/python -m build --no-isolation --outdir $(2) $(3) bindings/python
logged = { $(1); } > $(WHEELS).log 2>&1 || { cat $(WHEELS).log >&2; exit 1; }
proven_wheel = umask 022 && $(call wheel_build,"$(CURDIR)/$(1)",$(WHEELS)/unproven,--wheel) \
	&& PATH="$(CURDIR)/$(PYTHON_TESTS)/bin:$$PATH" SOURCE_DATE_EPOCH=$(SOURCE_TIME) \
		auditwheel repair --exclude $(SONAME) --wheel-dir $(WHEELS) $(WHEELS)/unproven/*.whl \
	&& rm -r $(WHEELS)/unproven

strip_library = @mkdir -p $(@D) && $(STRIP) --strip-unneeded -o $@ $<
$(OUT)/stripped/$(SONAME) $(OUT)/stripped/relays/$(SONAME): $(LIBRARY)
	$(strip_library)
$(OUT)/stripped/relays/$(RELAY_SONAME): $(RELAY_LIBRARY)
	$(strip_library)

.PHONY: wheel wheels-of-platform test-wheels bundled-libraries
# What an installation from the checkout takes along.
bundled-libraries: $(STRIPPED_RELAYS)

# Beside those of this machine, those of others for which there is a compiler: WHEELS_FOR=aarch64.
WHEELS_FOR ?=
tools_for = $(foreach tool,CC=gcc LD=ld OBJCOPY=objcopy AR=ar STRIP=strip,$(subst =,=$(1)-linux-gnu-,$(tool)))
wheel: $(PYTHON_TESTS)/ready ## builds sdist, pure wheel, and wheels with the library, without and with relays, into build/wheels
	$(Q)rm -rf $(WHEELS) && mkdir -p $(WHEELS)
	$(Q)$(call logged,$(call wheel_build,none,$(WHEELS),--sdist --wheel))
	+$(Q)$(MAKE) --no-print-directory wheels-of-platform
	$(Q)$(if $(WHEELS_FOR),$(NEED) $(foreach machine,$(WHEELS_FOR),gcc-$(machine)-linux-gnu libc6-dev-$(patsubst aarch64,arm64,$(machine))-cross))
	+$(Q)$(foreach machine,$(WHEELS_FOR),$(MAKE) --no-print-directory wheels-of-platform $(call tools_for,$(machine)) \
		OUT=$(BUILD)/$(machine)/$(RUNTIME);)
	$(Q)ls $(WHEELS)/*

# Each has the tag of the oldest system that auditwheel proves it to run on; of two that fit, pip takes the one for the newer.
wheels-of-platform: $(STRIPPED) $(STRIPPED_RELAYS)
	$(Q)$(call logged,$(call proven_wheel,$(STRIPPED)))
	$(Q)$(call logged,$(call proven_wheel,$(firstword $(STRIPPED_RELAYS))))

# The other processor's library runs under qemu.
test-wheels: WHEELS_FOR = aarch64
test-wheels: wheel ## installs the wheels in fresh environments, and the checkout itself
	$(Q)$(NEED) file libc6-arm64-cross qemu-user-static unzip
	$(Q)Tests/Package/wheels.sh $(WHEELS) $(PYTHON_TESTS)

