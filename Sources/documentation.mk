# SPDX-License-Identifier: MIT
# The Swift documentation. Included by the Makefile.

SYMBOLS := $(BUILD)/symbols
ARCHIVES := $(BUILD)/archives
TOOLCHAIN = $(dir $(realpath $(shell command -v $(SWIFTC))))
DOCC = $(firstword $(wildcard $(TOOLCHAIN)docc) docc)
# docc takes the owner along of what it copies, which only root may: its pages come from a copy of one's own.
RENDER := $(BUILD)/docc-render
# The modules that have a catalogue: all that a program can import.
DOCUMENTED := $(patsubst Sources/%/,%,$(dir $(wildcard Sources/*/*.docc)))

# The modules as the tests build them: what they declare is read from what the compiler wrote.
.PHONY: docs
docs: export DOCC_HTML_DIR = $(CURDIR)/$(RENDER)
docs: ## builds the Swift documentation of all modules, without a warning, into build/docs
	$(Q)rm -rf $(SYMBOLS) $(ARCHIVES) $(RENDER) $(BUILD)/docs && mkdir -p $(SYMBOLS) $(ARCHIVES)
	$(Q)command -v $(DOCC) > /dev/null || { echo "docs: there is no docc, which comes with Swift's toolchains of swift.org" >&2; exit 1; }
	$(Q)cp -r $(TOOLCHAIN)../share/docc/render $(RENDER)
	$(Q)$(SWIFT) build --quiet
	$(Q)for module in $(DOCUMENTED); do \
		mkdir $(SYMBOLS)/$$module; \
		$(TOOLCHAIN)swift-symbolgraph-extract -module-name $$module -output-dir $(SYMBOLS)/$$module \
			-minimum-access-level public -experimental-allowed-reexported-modules=ObserverEngine \
			-target $$($(SWIFTC) -print-target-info | sed -n 's/^ *"unversionedTriple": "\(.*\)",$$/\1/p') \
			-I .build/debug/Modules $(addprefix -Xcc -fmodule-map-file=,$(wildcard Sources/*/include/module.modulemap)); \
		$(DOCC) convert Sources/$$module/$$module.docc --warnings-as-errors \
			--additional-symbol-graph-dir $(SYMBOLS)/$$module --output-path $(ARCHIVES)/$$module.doccarchive \
			--fallback-display-name $$module --fallback-bundle-identifier $$module; \
	done
	$(Q)$(DOCC) merge $(ARCHIVES)/*.doccarchive --synthesized-landing-page-name SwiftObserver --output-path $(BUILD)/docs
	@echo "$(BUILD)/docs: $(words $(DOCUMENTED)) modules. To read it: python3 -m http.server --bind 127.0.0.1 --directory $(BUILD)/docs"
	@echo "and in a browser http://127.0.0.1:8000/documentation/"

# One tree of files, which any server shows: all documents, and the references of Swift, C, C++ and Python.
#
#   SITE_BASE=/path    where the site stands on its server
SITE := $(BUILD)/site
SITE_SOURCE := $(BUILD)/site-source
SITE_TOOLS := $(BUILD)/site-tools
SITE_BASE :=
$(SITE_TOOLS)/ready: Sources/Site/requirements.txt
	$(Q)$(NEED) python3-venv
	$(Q)$(PYTHON) -m venv $(SITE_TOOLS)
	$(Q)$(SITE_TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.PHONY: site site-pages test-site
site: docs site-pages test-site ## builds the site of all documents and references into build/site, and looks at it

site-pages: lib relay $(SITE_TOOLS)/ready
	$(Q)$(NEED) doxygen
	$(Q)rm -rf $(SITE) $(SITE_SOURCE) && mkdir -p $(SITE_SOURCE)/extra
	$(Q)$(PYTHON) Sources/Site/site.py $(SITE_SOURCE)
	$(Q)VERSION=$(VERSION) DOXYGEN_OUTPUT=$(SITE_SOURCE)/extra $(call showing,the reference of C and C++) doxygen Sources/Site/Doxyfile
	$(Q)$(python_here) $(call showing,the pages and the reference of Python) $(SITE_TOOLS)/bin/python -m sphinx -q -W --keep-going -b html $(SITE_SOURCE) $(SITE)
	$(Q)[ ! -e $(BUILD)/docs ] || $(DOCC) process-archive transform-for-static-hosting $(BUILD)/docs --output-path $(SITE)/swift \
		--hosting-base-path '$(SITE_BASE)/swift'

test-site: ## the links of the site that was built hold, no page needs the network, and a browser shows it at two widths
	$(Q)$(NEED) chromium fonts-dejavu-core
	$(Q)$(PYTHON) Sources/Site/look.py $(SITE) $(BUILD)/site-pictures
	@echo "$(SITE): to read it: python3 -m http.server --bind 127.0.0.1 --directory $(SITE)"
