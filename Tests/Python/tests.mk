# SPDX-License-Identifier: MIT
# The Python tests. Included by the Makefile.
#
#   PYTHONS="python3.12 ..."    the other Pythons to test on; without it all that are found

# A Python of the tests' own, with what they need from PyPI.
PYTHON_TESTS := $(BUILD)/python
$(PYTHON_TESTS)/ready: Tests/Python/requirements.txt Tests/Python/requirements-run.txt Tests/Benchmarks/python/requirements.txt
	$(Q)$(NEED) python3-venv
	$(Q)$(PYTHON) -m venv $(PYTHON_TESTS)
	$(Q)$(PYTHON_TESTS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

pytest = $(WATCHDOG) 45 $(1) -m pytest -q Tests/Python

.PHONY: test-python test-python-plain check-types smoke-python test-python-others test-pypy
test-python: lib $(PYTHON_TESTS)/ready ## the Python tests on the fast way
	$(Q)$(python_here) $(call pytest,$(PYTHON_TESTS)/bin/python) $(WITHOUT_TYPES)

test-python-plain: lib $(PYTHON_TESTS)/ready ## the same on the plain way
	$(Q)SWIFTOBSERVER_WAY=plain $(python_here) $(call pytest,$(PYTHON_TESTS)/bin/python) $(WITHOUT_TYPES)

# The type checkers read, and run nothing.
WITHOUT_TYPES := --ignore=Tests/Python/test_typing.py
check-types: lib $(PYTHON_TESTS)/ready ## mypy and pyright find the types that are meant, and the wrong uses
	$(Q)$(python_here) $(call pytest,$(PYTHON_TESTS)/bin/python)/test_typing.py
	@echo "$@: passed"

# In two processes, for they wait a lot.
smoke-python: lib $(PYTHON_TESTS)/ready
	$(Q)$(python_here) $(call pytest,$(PYTHON_TESTS)/bin/python) --numprocesses 2 $(WITHOUT_TYPES)

# Runs a command on each other Python. $(1): requirements, $(2): the command, for which $$python stands.
on_other_pythons = $(Q)found=$$(PYTHON=$(PYTHON) Tests/TestSupport/pythons.sh $(PYTHONS)); for each in $$found; do \
		folder=$(BUILD)/pythons/$${each\#\#*/}; python=$$folder/bin/python; \
		[ -e $$python ] || $$each -m venv $$folder; \
		$$python -m pip install --quiet --disable-pip-version-check --requirement $(1); \
		$(python_here) $(2); \
	done; echo "$@: done on" $${found:-none, for there is no other Python here}

# Type checkers, and the libraries that the documents compare with, are needed by the main Python alone.
BESIDE_THE_MAIN_PYTHON = $(WITHOUT_TYPES) --ignore=Tests/Python/test_coming_from.py

test-python-others: lib ## the Python tests on each other Python that is found, or on PYTHONS="python3.12 ..."
	$(call on_other_pythons,Tests/Python/requirements-run.txt,$(call pytest,$$python) $(BESIDE_THE_MAIN_PYTHON))

# What cannot be there stands in Tests/Python/not_on_pypy.py.
test-pypy: lib ## the Python tests on PyPy
	$(Q)$(NEED) pypy3 pypy3-venv
	$(Q)[ -e $(BUILD)/pythons/pypy3/bin/python ] || pypy3 -m venv $(BUILD)/pythons/pypy3
	$(Q)$(BUILD)/pythons/pypy3/bin/python -m pip install --quiet --disable-pip-version-check --requirement Tests/Python/requirements-run.txt
	$(Q)$(python_here) $(call pytest,$(BUILD)/pythons/pypy3/bin/python) $(BESIDE_THE_MAIN_PYTHON)

.PHONY: test-peers
test-peers: lib ## the tests of blinker, Flask, Flask-Login and psygnal over signals that are made of this package
	$(Q)$(NEED) python3-venv
	$(Q)[ -e $(BUILD)/peers/bin/python ] || $(PYTHON) -m venv $(BUILD)/peers
	$(Q)$(BUILD)/peers/bin/python -m pip install --quiet --disable-pip-version-check --requirement Tests/Python/peers/requirements.txt
	$(Q)$(python_here) $(WATCHDOG) 45 Tests/Python/peers/run.sh $(BUILD)/peers/bin/python $(BUILD)/peers/sources
