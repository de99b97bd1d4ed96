# SPDX-License-Identifier: MIT
# What is measured. Included by the Makefile.

BENCHMARKS := $(patsubst Tests/Benchmarks/c/%.c,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/c/*.c)) \
	$(patsubst Tests/Benchmarks/cxx/%.cpp,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/cxx/*.cpp))

$(addprefix $(OUT)/benchmarks/,gobject handover): PEERS = $(shell pkg-config --cflags --libs gobject-2.0)

$(OUT)/benchmarks/%: Tests/Benchmarks/c/%.c Tests/Benchmarks/c/measure.h $(HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -falign-functions=64 -falign-loops=32 $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) $(PEERS) -lpthread -ldl -o $@

$(OUT)/benchmarks/peers: PEERS = $(shell pkg-config --cflags --libs sigc++-3.0 Qt6Core)

$(OUT)/benchmarks/%: Tests/Benchmarks/cxx/%.cpp Tests/Benchmarks/c/measure.h $(HEADERS) $(CPP_HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -falign-functions=64 -falign-loops=32 $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) $(PEERS) -lpthread -o $@

GOBJECT = $(shell ldconfig -p | sed -n 's/.*libgobject-2.0.so.0 .*=> //p' | head -n 1)

.PHONY: bench bench-c bench-swift bench-python bench-python-others
bench: bench-c bench-swift bench-python ## measures, as ratios against a baseline or a peer in the same run; JSON in build/bench

bench-c:
	$(Q)$(NEED) g++ libboost-dev libglib2.0-dev libsigc++-3.0-dev pkg-config python3 qt6-base-dev
	$(Q)$(MAKE) --no-print-directory $(BENCHMARKS)
	$(Q)strip -o $(OUT)/benchmarks/stripped.so $(LIBRARY)
	$(Q)for process in 1 2 3 4 5 6 7; do $(OUT)/benchmarks/delivery; $(OUT)/benchmarks/observing; $(OUT)/benchmarks/variables; \
		$(OUT)/benchmarks/gobject; $(OUT)/benchmarks/handover; $(OUT)/benchmarks/peers; $(OUT)/benchmarks/beside_c; \
		$(OUT)/benchmarks/loading $(GOBJECT) libgobject $(OUT)/benchmarks/stripped.so swiftobserver; done \
		| $(PYTHON) Tests/Benchmarks/table.py "C, $(RUNTIME) runtime" $(BUILD)/bench/c-$(RUNTIME).json
	$(Q)$(PYTHON) Tests/Benchmarks/bars.py $(BUILD)/bench/c-$(RUNTIME).json

SWIFT_BENCHMARKS := $(BUILD)/swift-benchmarks

bench-swift:
	$(Q)$(SWIFT) build -c release --package-path Tests/Benchmarks/swift --scratch-path $(SWIFT_BENCHMARKS)
	$(Q){ $(SWIFT_BENCHMARKS)/release/bench; $(SWIFT_BENCHMARKS)/release/allocations; } \
		| $(PYTHON) Tests/Benchmarks/table.py "Swift" $(BUILD)/bench/swift.json

bench-python: lib $(PYTHON_TESTS)/ready
	$(Q)$(python_here) $(PYTHON_TESTS)/bin/python Tests/Benchmarks/python/bench.py --json $(BUILD)/bench/python.json

bench-python-others: lib ## the Python benchmark on each other Python that is found, or on PYTHONS="python3.12 ..."
	$(call on_other_pythons,Tests/Benchmarks/python/requirements.txt,$$python Tests/Benchmarks/python/bench.py --json $(BUILD)/bench/$${each##*/}.json)

