# SPDX-License-Identifier: MIT
# The Swift documentation. Included by the Makefile.

SYMBOLS := $(BUILD)/symbols
DOCC = $(firstword $(wildcard $(dir $(realpath $(shell command -v $(SWIFTC))))docc) docc)
# The modules that have a catalogue.
DOCUMENTED := $(patsubst Sources/%/,%,$(dir $(wildcard Sources/*/*.docc)))

.PHONY: docs
docs: ## builds the Swift documentation, without a warning, into build/docs, a folder a module
	$(Q)rm -rf $(SYMBOLS) $(BUILD)/docs $(BUILD)/docs-build && mkdir -p $(SYMBOLS)/all $(BUILD)/docs
	$(Q)for module in $(DOCUMENTED); do \
		$(SWIFT) build --target $$module --scratch-path $(BUILD)/docs-build \
			-Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$(CURDIR)/$(SYMBOLS)/all"; \
		mkdir $(SYMBOLS)/$$module; \
		find $(SYMBOLS)/all \( -name "$$module.*" -o -name "$$module@*" \) -exec cp -t $(SYMBOLS)/$$module {} +; \
		$(DOCC) convert Sources/$$module/$$module.docc --warnings-as-errors \
			--additional-symbol-graph-dir $(SYMBOLS)/$$module --output-path $(BUILD)/docs/$$module \
			--fallback-display-name $$module --fallback-bundle-identifier $$module; \
	done
	@echo "$(BUILD)/docs"

