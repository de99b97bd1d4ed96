# SPDX-License-Identifier: MIT
# Which lines and branches the suites run. Included by the Makefile.

COVERAGE := $(BUILD)/coverage
SWIFT_COVERAGE := $(BUILD)/swift-coverage

.PHONY: coverage coverage-c coverage-swift coverage-python
coverage: coverage-c coverage-swift coverage-python ## which lines and branches no suite runs; each of them is known
	$(Q)$(PYTHON) Tests/Coverage/coverage.py $(COVERAGE)/table C=$(COVERAGE)/c.json Swift=$(SWIFT_COVERAGE)/swift.json

coverage-c: need-c-tests
	$(Q)Tests/Coverage/c.sh $(COVERAGE) "$(FENCED_C_TESTS)"

coverage-swift:
	$(call swift_test,--enable-code-coverage --scratch-path $(SWIFT_COVERAGE))
	$(Q)folder=$$(dirname "$$($(SWIFT) test --show-codecov-path --scratch-path $(SWIFT_COVERAGE))") && cp "$$folder"/*.json $(SWIFT_COVERAGE)/swift.json

# What is not run, by file.
coverage-python: lib $(PYTHON_TESTS)/ready
	$(Q)$(PYTHON_TESTS)/bin/python -m pip install --quiet --disable-pip-version-check coverage
	$(Q)cd $(BUILD) && $(subst bindings,../bindings,$(python_here)) true
