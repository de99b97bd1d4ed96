# SPDX-License-Identifier: MIT
# The tests of relays. Included by the Makefile, after those of Python.

RELAY_C_TESTS := relay/sharing_tests relay/describing_tests relay/request_tests relay/network_tests relay/mqtt_tests relay/owning_tests relay/peer_tests
RELAY_BUS_TESTS := relay/sharing_tests relay/describing_tests relay/request_tests relay/network_tests relay/dbus_tests relay/policy_tests
# These wait for what takes long to be noticed.
RELAY_FAULT_TESTS := relay/fault_tests relay/cutting_tests relay/plain_client_tests relay/clock_tests relay/secrecy_tests relay/storm_tests
# What else is run many times, and with relays that are broken.
BROKEN_RELAY_TESTS := relay/mqtt_tests relay/network_tests relay/owning_tests relay/peer_tests relay/request_tests
RELAY_TEST_PARTS := Tests/C/relay/relay_support.c Tests/C/relay/proxy.c
LINK_RELAY = $(if $(INSTALLED),$(shell pkg-config --libs swiftobserver-relay),-L $(OUT) -lswiftobserver-relay -Wl,-rpath-link,$(OUT)) $(LINK_LIBRARY)

$(OUT)/tests/relay/%: Tests/C/relay/%.c $(RELAY_TEST_PARTS) $(wildcard Tests/C/relay/*.h) $(RELAY_HEADER) $(C_TEST_PARTS) $(if $(INSTALLED),,$(OUT)/libswiftobserver-relay.so)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_TEST_FLAGS) -D_GNU_SOURCE $< $(RELAY_TEST_PARTS) Tests/C/support.c $(LINK_RELAY) $(CMOCKA) -o $@

# Each of them so many times. They mostly wait for one another.
TIMES ?= 100
FAULTS_OF_RELAYS ?= $(BUILD)/torture/faults-of-relays.md
.PHONY: torture-relays test-relay-broken
torture-relays: need-relay ## each test of relays under faults TIMES=100 times, and a table of them
	$(call build_c_tests,$(RELAY_FAULT_TESTS:%=$(OUT)/tests/%) $(BROKEN_RELAY_TESTS:%=$(OUT)/tests/%))
	@mkdir -p $(dir $(FAULTS_OF_RELAYS))
	$(Q)Tests/C/relay/repeat.sh $(TIMES) $$((4 * $(JOBS))) $(FAULTS_OF_RELAYS) $(OUT)/tests $(RELAY_FAULT_TESTS) $(BROKEN_RELAY_TESTS)

.PHONY: torture-peers
torture-peers: need-relay ## a hundred thousand answers of brokers and other servers, none of which ends the program
	$(call build_c_tests,$(OUT)/tests/relay/peer_tests)
	$(Q)SWO_TEST_SCALE=50 $(WATCHDOG) 60 $(OUT)/tests/relay/peer_tests

# A Python that Home Assistant runs with, which brings its MQTT integration, whose schemas are what is asked.
HOME_ASSISTANT_PYTHON ?= python3.13
HOME_ASSISTANT := $(BUILD)/home-assistant
.PHONY: test-home-assistant
test-home-assistant: lib relay ## what Home Assistant is told of a device, validated by its own MQTT integration from PyPI
	$(Q)[ -e $(HOME_ASSISTANT)/ready ] || { python=$$(Tests/TestSupport/pythons.sh $(HOME_ASSISTANT_PYTHON)) && $$python -m venv $(HOME_ASSISTANT) \
		&& $(HOME_ASSISTANT)/bin/pip install --quiet --disable-pip-version-check homeassistant==2025.1.4 paho-mqtt==1.6.1 && touch $(HOME_ASSISTANT)/ready; }
	$(Q)$(python_here) $(PYTHON) Tests/Python/home_assistant_told.py > $(HOME_ASSISTANT)/told.json
	$(Q)$(HOME_ASSISTANT)/bin/python Tests/Python/home_assistant.py < $(HOME_ASSISTANT)/told.json

# Relays that are broken on purpose, each of which has a test that fails then: Tests/C/relay/broken.txt.
test-relay-broken: need-relay relay ## the tests of relays find each fault that is put into them
	$(call build_c_tests,$(RELAY_FAULT_TESTS:%=$(OUT)/tests/%) $(BROKEN_RELAY_TESTS:%=$(OUT)/tests/%))
	$(Q)$(PYTHON) Tests/C/relay/broken.py $(BUILD)/broken-relays $(OUT) "$(BROKEN)"

# Libraries see their functions.
$(OUT)/tests/relay/clock_tests: C_TEST_FLAGS += -rdynamic

.PHONY: need-relay
need-relay: need-c-tests
	$(Q)$(NEED) libmosquitto1 mosquitto mosquitto-clients openssl libsystemd0 systemd dbus libglib2.0-bin

.PHONY: test-relay test-demo-relay smoke-relay test-relay-faults test-relay-valgrind
test-relay: smoke-relay $(PYTHON_TESTS)/ready ## the tests of relays, in memory, with a real broker and with a bus
	$(call check_relay)
	$(Q)if command -v $(SWIFT) > /dev/null; then SWO_RELAY_ENGINE=mqtt SWIFT_BACKTRACE=enable=no $(WATCHDOG) 45 \
		$(SWIFT) test --disable-xctest --quiet --filter '^SwiftObserverRelayTests\.'; fi
	$(Q)SWO_TEST_RELAYS=1 $(python_here) $(WATCHDOG) 30 $(PYTHON_TESTS)/bin/python -m pytest -q Tests/Python/test_relay.py Tests/Python/test_relay_requests.py Tests/Python/test_relay_homie.py Tests/Python/test_relay_commands.py Tests/Python/test_relay_acl.py Tests/Python/test_documentation.py -k relay
	$(Q)$(MAKE) --no-print-directory test-demo-relay

# It compares what it shows with what it should; without Swift the kitchen's program is in Python.
test-demo-relay: relay $(DEMO_MACHINES)
	$(Q)$(NEED) libmosquitto1 mosquitto
	$(Q)mkdir -p $(OUT)/tests/relay
	$(Q)$(run_demo_relay) > $(OUT)/tests/relay/demo
	$(Q)grep -q '^  attic    in C       ready         load 3.5 ALARM$$' $(OUT)/tests/relay/demo
	$(Q)grep -q '^  cellar   in Python  lost          load 0.5$$' $(OUT)/tests/relay/demo
	$(Q)grep -q '^  kitchen  in $(if $(filter %swift,$(DEMO_MACHINES)),Swift  ,Python ) ready         load 0.75$$' $(OUT)/tests/relay/demo
	@echo "$@: passed"

# Those in C alone: what Debian's packages are tested with.
smoke-relay: need-relay
	$(call build_c_tests,$(sort $(RELAY_C_TESTS:%=$(OUT)/tests/%) $(RELAY_BUS_TESTS:%=$(OUT)/tests/%)))
	$(call run_c_tests,$(comma) relays in memory,$(OUT)/tests,relay/sharing_tests relay/describing_tests relay/request_tests,$(EMULATOR))
	$(call run_c_tests,$(comma) relays over MQTT,$(OUT)/tests,$(RELAY_C_TESTS),env SWO_RELAY_ENGINE=mqtt $(EMULATOR))
	$(call run_c_tests,$(comma) relays over D-Bus,$(OUT)/tests,$(RELAY_BUS_TESTS),env SWO_RELAY_ENGINE=dbus $(EMULATOR))

test-relay-faults: need-relay ## relays under faults: cut connections, killed and stopped programs and brokers, floods, certificates, clocks
	$(call build_c_tests,$(RELAY_FAULT_TESTS:%=$(OUT)/tests/%))
	$(call run_c_tests,$(comma) relays under faults,$(OUT)/tests,$(RELAY_FAULT_TESTS))

# Linked by the Swift compiler, as the others that run under the thread sanitizer; with one library in the other.
$(OUT)/racing/relay/%: Tests/C/relay/%.c $(RELAY_TEST_PARTS) Tests/C/support.c $(HEADERS) $(RELAY_OBJECTS) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)for source in $< $(RELAY_TEST_PARTS) Tests/C/support.c; do $(CC) $(C_TEST_FLAGS) -D_GNU_SOURCE $(CFLAGS) -c $$source -o $@.$$(basename $$source .c).o || exit 1; done
	$(Q)$(SWIFTC) -sanitize=thread -use-ld=lld -Xlinker -z -Xlinker muldefs $@.*.o $(RELAY_OBJECTS) $(OBJECTS) -lcmocka -ldl -lm -ldispatch -lBlocksRuntime -o $@

RACES := $(BUILD)/races
RELAY_RACING_TESTS := relay/sharing_tests relay/describing_tests relay/request_tests
.PHONY: test-relay-races
test-relay-races: need-relay ## the tests of relays in memory and both libraries under the thread sanitizer
	$(call build_c_tests,RUNTIME=embedded OUT=$(RACES) CC=$(CLANG) CFLAGS="-O1 -g -fsanitize=thread" \
		SWIFTFLAGS="-O -g -sanitize=thread -D BIASES_AT_ONCE" $(RELAY_RACING_TESTS:%=$(RACES)/racing/%))
	$(call run_c_tests,$(comma) relays in memory$(comma) thread sanitizer,$(RACES)/racing,$(RELAY_RACING_TESTS))

RELAY_VALGRIND = env SWO_RELAY_ENGINE=mqtt SWO_TEST_SCALE=0.05 valgrind --quiet --suppressions=Tests/C/swift-runtime.supp --leak-check=full --errors-for-leak-kinds=definite$(comma)possible --error-exitcode=1
test-relay-valgrind: need-relay ## the tests of relays under valgrind: no error, no leak
	$(call build_c_tests,$(RELAY_C_TESTS:%=$(OUT)/tests/%) $(RELAY_FAULT_TESTS:%=$(OUT)/tests/%))
	$(call build_c_tests,$(RELAY_BUS_TESTS:%=$(OUT)/tests/%))
	$(call run_c_tests,$(comma) relays over D-Bus$(comma) valgrind,$(OUT)/tests,$(RELAY_BUS_TESTS),$(subst =mqtt,=dbus,$(RELAY_VALGRIND)))
	$(call run_c_tests,$(comma) relays over MQTT$(comma) valgrind,$(OUT)/tests,$(RELAY_C_TESTS) $(RELAY_FAULT_TESTS),$(RELAY_VALGRIND))

# The library exports what its header declares, and takes libswiftobserver and libc alone.
define check_relay
	$(Q)diff <($(declared_by_relay)) <(nm -D --defined-only $(RELAY_LIBRARY) | awk '$$2 != "A" { sub("@.*", "", $$3); print $$3 }' | sort)
	$(if $(filter embedded,$(RUNTIME)),$(Q)[ "$$(objdump -p $(RELAY_LIBRARY) | awk '/NEEDED/ { print $$2 }' | grep -v '^ld-linux' | sort | paste -sd' ')" = "libc.so.6 $(SONAME)" ])
	$(Q){ echo '#include <stdlib.h>'; echo '#include <swiftobserver/relay.h>'; echo 'int main(void) { swo_observable *temperature = NULL;'; \
		sed -n '/^#define/q; s/^ \*      //p' $(RELAY_HEADER); echo 'return 0; }'; } | $(CC) $(C_TEST_FLAGS) -x c -fsyntax-only -
	@echo "the library of relays exports what its header declares, whose example compiles"
endef

# ------------------------------------------------------------------------------ live page

.PHONY: test-inspect test-inspect-page
INSPECTED := $(OUT)/tests/inspect/program
$(INSPECTED): Tests/Inspect/program.c $(HEADERS) $(LIBRARY) | $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -g $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -o $@

# Of the objects that the tests of Swift are built of.
INSPECTED_IN_SWIFT := $(OUT)/tests/inspect/program-in-swift
.PHONY: $(INSPECTED_IN_SWIFT)
$(INSPECTED_IN_SWIFT): Tests/Inspect/program.swift
	@mkdir -p $(@D)
	$(Q)$(SWIFT) build -q --target SwiftObserver
	$(Q)$(SWIFTC) -swift-version 6 -module-cache-path $(OUT)/module-cache -I .build/debug/Modules -I Sources/CPlatform/include $< \
		$$(find .build/debug/SwiftObserver.build .build/debug/ObserverEngine.build .build/debug/CPlatform.build -name '*.o') -o $@

inspecting = $(python_here) PROGRAM="$(CURDIR)/$(INSPECTED)" PROGRAM_IN_SWIFT="$(CURDIR)/$(INSPECTED_IN_SWIFT)" \
	LD_LIBRARY_PATH="$(CURDIR)/$(OUT)" $(WATCHDOG) 5

test-inspect: lib relay $(INSPECTED) $(INSPECTED_IN_SWIFT) $(PYTHON_TESTS)/ready ## a program that is inspected says what it is, to whom it may
	$(Q)$(inspecting) $(PYTHON_TESTS)/bin/python -m pytest -q -p no:cacheprovider Tests/Inspect/test_program.py

test-inspect-page: lib relay $(INSPECTED) $(PYTHON_TESTS)/ready ## the live page shows a program in a headless browser, and sets a variable of it
	$(Q)$(NEED) chromium chromium-driver fonts-dejavu-core graphviz
	$(Q)$(PYTHON_TESTS)/bin/python -c 'import selenium' 2> /dev/null || $(PYTHON_TESTS)/bin/python -m pip install -q 'selenium>=4.20'
	$(Q)PICTURES=$(BUILD)/inspect-pictures $(inspecting) $(PYTHON_TESTS)/bin/python -m pytest -q -p no:cacheprovider Tests/Inspect/test_page.py
