# SPDX-License-Identifier: MIT
# What other libraries do, as programs find out that ask them. Included by the Makefile.

.PHONY: promises test-promises
ask_peers = $(PYTHON) Tests/Peers/peers.py $(1) README.md $(BUILD)/promises $(OUT)
promises: lib ## asks other observer libraries what they do, and writes the README's table of promises
	$(Q)$(NEED) g++ libboost-dev libglib2.0-dev pkg-config python3-venv qt6-base-dev
	$(Q)$(call ask_peers,write)

test-promises: lib ## the README's table of promises says what the libraries answer
	$(Q)$(NEED) g++ libboost-dev libglib2.0-dev pkg-config python3-venv qt6-base-dev
	$(Q)$(WATCHDOG) 45 $(call ask_peers,check)

.PHONY: test-derived-peers
test-derived-peers: lib ## what threads see of derived values here, and in nervio, reaktiv and signified from PyPI
	$(Q)$(NEED) python3-venv
	$(Q)[ -e $(BUILD)/derived-peers/bin/python ] || $(PYTHON) -m venv $(BUILD)/derived-peers
	$(Q)$(BUILD)/derived-peers/bin/python -m pip install --quiet --disable-pip-version-check nervio==0.2.0 reaktiv==0.24.2 signified==0.2.6
	$(Q)$(python_here) $(WATCHDOG) 15 $(BUILD)/derived-peers/bin/python Tests/Peers/derived.py
