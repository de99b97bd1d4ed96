# SPDX-License-Identifier: MIT
# The demo. Included by the Makefile.

DEMO := $(OUT)/demo
# What stands in the headers' places is looked for each time; what is not there is left out.
DEMO_PEERS = $(shell for peer in gobject-2.0 sigc++-3.0; do pkg-config --cflags --libs $$peer 2>/dev/null; done)
DEMO_PARTS := $(DEMO)/in_c.so $(DEMO)/in_swift.so $(DEMO)/costs
run_demo = $(python_here) $(PYTHON) bindings/demo/demo.py $(DEMO)

.PHONY: demo test-demo tell-of-demo $(DEMO)/costs
tell-of-demo:
	$(if $(wildcard $(DEMO)/in_c.so),,$(call tell,Building the library and the demo in three steps: about a minute. The demo itself takes ten seconds.))
demo: tell-of-demo $(DEMO_PARTS) ## shows in ten seconds, live, what the library does, and what it costs
	$(Q)$(run_demo)

.PHONY: demo-picture
demo-picture: $(DEMO_PARTS) ## records the demo in a terminal of its own: the picture of the README
	$(Q)$(python_here) $(PYTHON) bindings/demo/recorded.py bindings/demo/demo.svg 'make demo' $(PYTHON) bindings/demo/demo.py $(DEMO)

# It compares what it shows with what it should.
test-demo: $(DEMO_PARTS) ## the demo runs without a terminal, in an old encoding, and without what need not be there
	$(Q)rm -f $(DEMO)/graph.*
	$(Q)PYTHONIOENCODING=latin-1 $(run_demo) > $(DEMO)/shown
	$(Q)grep -q ' 0 lost, 0 out of' $(DEMO)/shown && grep -q 'Swift hears 6' $(DEMO)/shown && test -s $(DEMO)/graph.dot
	$(Q)rm -rf $(DEMO)/less && mkdir -p $(DEMO)/less && cp $(DEMO)/in_c.so $(DEMO)/less/
	$(Q)$(python_here) $(PYTHON) bindings/demo/demo.py $(DEMO)/less > $(DEMO)/shown && grep -q 'Python hears 6' $(DEMO)/shown
	$(Q)$(python_here) $(PYTHON) bindings/demo/recorded.py $(DEMO)/shown.svg 'make demo' $(PYTHON) bindings/demo/demo.py $(DEMO)/less
	$(Q)$(PYTHON) bindings/demo/recorded_tests.py $(DEMO)/shown.svg
	@echo "$@: passed"

$(DEMO)/in_c.so: bindings/demo/in_c.c $(HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g -fPIC -shared $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -lpthread -o $@

# With Swift's runtime in it, for that lies beside the compiler. Where a toolchain has none to link in, C and Python remain.
$(DEMO)/in_swift.so: bindings/demo/in_swift.swift $(LAYER_HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(call showing,compiling the demo) $(SWIFTC) -O -swift-version 6 -parse-as-library -module-name InSwift -emit-library -static-stdlib -I Sources/CSwiftObserver \
		-module-cache-path $(OUT)/module-cache $< -L $(OUT) -lswiftobserver -o $@ > $@.said 2>&1 || rm -f $@

$(DEMO)/costs: $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -falign-functions=64 $(INCLUDES) bindings/demo/costs.cpp $(LINK_LIBRARY) $(DEMO_PEERS) -lpthread -o $@ > $@.said 2>&1 || rm -f $@

# Machines that publish their load; the one in Python is built already. Without Swift there is none in Swift.
DEMO_MACHINES = $(DEMO)/machine-in-c $(if $(shell command -v $(SWIFT)),$(DEMO)/machine-in-swift)
run_demo_relay = $(python_here) $(WATCHDOG) 10 $(PYTHON) bindings/demo/relays.py $(DEMO_MACHINES)

.PHONY: demo-relay $(DEMO)/machine-in-swift
demo-relay: relay $(DEMO_MACHINES) ## shows machines in three languages that an overview mirrors over a broker which dies
	$(Q)$(NEED) libmosquitto1 mosquitto
	$(Q)$(run_demo_relay)

$(DEMO)/machine-in-c: bindings/demo/machine/machine.c $(HEADERS) $(RELAY_HEADER) $(OUT)/libswiftobserver-relay.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARNINGS) $(INCLUDES) $< -L $(OUT) -lswiftobserver-relay -Wl,-rpath-link,$(OUT) $(LINK_LIBRARY) -o $@

$(DEMO)/machine-in-swift:
	@mkdir -p $(@D)
	$(Q)$(SWIFT) build --quiet --product machine
	$(Q)ln -sf $(CURDIR)/.build/debug/machine $@

.PHONY: demo-inspect
demo-inspect: lib relay ## opens a live page of a program that waters a garden, until Ctrl-C
	@mkdir -p $(DEMO)
	$(Q)$(python_here) SWIFTOBSERVER_INSPECT=unix:$(DEMO)/garden SWIFTOBSERVER_INSPECT_ALLOW=values,set $(PYTHON) bindings/demo/inspected.py & \
		garden=$$!; trap 'kill $$garden' EXIT; \
		until [ -S $(DEMO)/garden ]; do kill -0 $$garden || exit 1; sleep 0.1; done; \
		$(python_here) $(PYTHON) -m swiftobserver.inspect --open unix:$(DEMO)/garden
