# SPDX-License-Identifier: MIT
# Which lines and branches the suites run. Included by the Makefile.
#
#   SWO_TEST_SCALE=1    all rounds of the storms, not a tenth of them

COVERAGE := $(BUILD)/coverage
SWIFT_COVERAGE := $(BUILD)/swift-coverage

.PHONY: coverage coverage-c coverage-swift coverage-python
coverage: coverage-c coverage-swift coverage-python ## what the suites run of the engine, of the C layer and of the Python package; fails below the floor
	$(Q)$(PYTHON) Tests/Coverage/coverage.py $(COVERAGE)/table $(COVERAGE)/python.json C=$(COVERAGE)/c.json Swift=$(COVERAGE)/swift.json

coverage-c: need-c-tests
	$(Q)Tests/Coverage/c.sh $(COVERAGE) "$(FENCED_C_TESTS)"

coverage-swift:
	$(call swift_test,--enable-code-coverage --scratch-path $(SWIFT_COVERAGE))
	$(Q)mkdir -p $(COVERAGE) && cp "$$($(SWIFT) test --show-codecov-path --scratch-path $(SWIFT_COVERAGE))" $(COVERAGE)/swift.json

# On the fast and on the plain way, with relays; then in programs that tests start. Not in those that are interrupted: an
# interrupt in what traces them may be lost, and then they wait for ever.
measured_python = $(python_here) $(WATCHDOG) 45 $(PYTHON_TESTS)/bin/python -m coverage run -m pytest -q --ignore=Tests/Python/test_typing.py
WITH_PROGRAMS := $(patsubst %,Tests/Python/test_%.py,asynchronous documentation errors exit forking library loader loading relay sub_interpreters testing ways)
coverage-python: export COVERAGE_FILE = $(CURDIR)/$(COVERAGE)/python
coverage-python: export COVERAGE_RCFILE = $(CURDIR)/Tests/Coverage/python.ini
coverage-python: lib relay need-relay $(PYTHON_TESTS)/ready
	$(Q)$(PYTHON_TESTS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement Tests/Coverage/requirements.txt
	$(Q)mkdir -p $(COVERAGE) && rm -f $(COVERAGE_FILE)*
	$(Q)$(measured_python) Tests/Python
	$(Q)SWIFTOBSERVER_WAY=plain $(measured_python) Tests/Python
	$(Q)PATCH="subprocess, _exit" $(measured_python) $(WITH_PROGRAMS) -k "not terminal"
	$(Q)$(PYTHON_TESTS)/bin/python -m coverage combine --quiet && $(PYTHON_TESTS)/bin/python -m coverage report --show-missing --skip-covered
	$(Q)$(PYTHON_TESTS)/bin/python -m coverage json --quiet -o $(COVERAGE)/python.json
