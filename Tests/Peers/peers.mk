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
