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

.PHONY: docs
docs: export DOCC_HTML_DIR = $(CURDIR)/$(RENDER)
docs: ## builds the Swift documentation of all modules, without a warning, into build/docs
	$(Q)rm -rf $(SYMBOLS) $(ARCHIVES) $(RENDER) $(BUILD)/docs $(BUILD)/docs-build && mkdir -p $(SYMBOLS)/all $(ARCHIVES)
	$(Q)cp -r $(TOOLCHAIN)../share/docc/render $(RENDER)
	$(Q)for module in $(DOCUMENTED); do \
		$(SWIFT) build --target $$module --scratch-path $(BUILD)/docs-build \
			-Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$(CURDIR)/$(SYMBOLS)/all"; \
		mkdir $(SYMBOLS)/$$module; \
		find $(SYMBOLS)/all \( -name "$$module.*" -o -name "$$module@*" \) -exec cp -t $(SYMBOLS)/$$module {} +; \
		$(DOCC) convert Sources/$$module/$$module.docc --warnings-as-errors \
			--additional-symbol-graph-dir $(SYMBOLS)/$$module --output-path $(ARCHIVES)/$$module.doccarchive \
			--fallback-display-name $$module --fallback-bundle-identifier $$module; \
	done
	$(Q)$(DOCC) merge $(ARCHIVES)/*.doccarchive --synthesized-landing-page-name SwiftObserver --output-path $(BUILD)/docs
	@echo "$(BUILD)/docs: $(words $(DOCUMENTED)) modules. To read it: python3 -m http.server --bind 127.0.0.1 --directory $(BUILD)/docs"
	@echo "and in a browser http://127.0.0.1:8000/documentation/"

