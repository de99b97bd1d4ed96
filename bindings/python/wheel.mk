# SPDX-License-Identifier: MIT
# The wheels and their test. Included by the Makefile.

WHEELS ?= $(BUILD)/wheels
STRIPPED := $(OUT)/stripped/$(SONAME)
# Archives have the time of the sources, so that a second build gives the same bytes.
wheel_build = SOURCE_DATE_EPOCH=$(SOURCE_TIME) SWIFTOBSERVER_BUNDLE=$(1) $(PYTHON_TESTS)/bin/python -m build --no-isolation --outdir $(2) $(3) bindings/python

$(STRIPPED): $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(STRIP) --strip-unneeded -o $@ $<

.PHONY: wheel test-wheels
# The tag of the second wheel is the oldest that auditwheel proves.
wheel: $(STRIPPED) $(PYTHON_TESTS)/ready ## builds sdist, pure wheel and a wheel with the library into build/wheels
	$(Q)rm -rf $(WHEELS) && mkdir -p $(WHEELS)
	$(Q)$(call wheel_build,none,$(WHEELS),--sdist --wheel) > $(WHEELS).log 2>&1 || { cat $(WHEELS).log >&2; exit 1; }
	$(Q)$(call wheel_build,"$(CURDIR)/$<",$(WHEELS)/unproven,--wheel) > $(WHEELS).log 2>&1 || { cat $(WHEELS).log >&2; exit 1; }
	$(Q)umask 022; PATH="$(CURDIR)/$(PYTHON_TESTS)/bin:$$PATH" SOURCE_DATE_EPOCH=$(SOURCE_TIME) auditwheel repair --wheel-dir $(WHEELS) $(WHEELS)/unproven/*.whl > $(WHEELS).log 2>&1 \
		|| { cat $(WHEELS).log >&2; exit 1; }
	$(Q)rm -r $(WHEELS)/unproven
	$(Q)ls $(WHEELS)/*

test-wheels: wheel ## installs the wheels in fresh environments, and the checkout itself
	$(Q)$(NEED) file unzip
	$(Q)Tests/Package/wheels.sh $(WHEELS) $(PYTHON_TESTS)

