# SPDX-License-Identifier: MIT
# What is measured. Included by the Makefile.

BENCHMARKS := $(patsubst Tests/Benchmarks/c/%.c,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/c/*.c)) \
	$(patsubst Tests/Benchmarks/cxx/%.cpp,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/cxx/*.cpp))

# Each peer that pkg-config knows; the programs take part those whose headers they find.
PEERS = -Wl,--as-needed $(foreach peer,gobject-2.0 sigc++-3.0 Qt6Core,$(shell pkg-config --cflags --libs $(peer) 2>/dev/null))
# Where loops begin makes a fifth of a raw one's speed.
MEASURED = -O2 -falign-functions=64 -falign-loops=32 $(WARNINGS) $(INCLUDES)

$(OUT)/benchmarks/%: Tests/Benchmarks/c/%.c $(wildcard Tests/Benchmarks/c/*.h) $(HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(MEASURED) $< $(LINK_LIBRARY) $(PEERS) -lpthread -ldl -o $@

# Beside the client library that relays load.
$(OUT)/benchmarks/relay: Tests/Benchmarks/c/relay.c Tests/Benchmarks/c/measure.h $(HEADERS) $(RELAY_HEADER) $(OUT)/libswiftobserver-relay.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -D_GNU_SOURCE $(MEASURED) $< -L $(OUT) -lswiftobserver-relay $(LINK_LIBRARY) -lmosquitto -lpthread -o $@

$(OUT)/benchmarks/%: Tests/Benchmarks/cxx/%.cpp Tests/Benchmarks/c/measure.h $(wildcard Tests/Benchmarks/cxx/*.hpp) $(EVERY_OPERATOR) $(HEADERS) $(CPP_HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -fPIC $(MEASURED) -I $(BUILD)/declared $< $(filter %.so,$^) -Wl,-rpath,$(CURDIR)/$(@D) $(LINK_LIBRARY) $(PEERS) -lpthread -o $@

RAW_LOOP := $(OUT)/benchmarks/libraw_loop.so
$(OUT)/benchmarks/delivery: $(RAW_LOOP) $(wildcard Tests/Benchmarks/cxx/library/*)
$(RAW_LOOP): $(wildcard Tests/Benchmarks/cxx/library/*)
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -fPIC -shared $(MEASURED) $(filter %.cpp,$^) -o $@

# The same objects in another order, which the number of the folder decides: where functions come to lie makes a part of
# their speed.
$(OUT)/link-orders/%/libswiftobserver.so.0: $(OBJECTS) $(OUT)/exports.map
	@mkdir -p $(@D)
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) $$(printf '%s\n' $(OBJECTS) | shuf --random-source=<(yes $*)) $(RUNTIME_LIBS) -o $@
	$(Q)ln -sf $(@F) $(@D)/libswiftobserver.so

measure = $(Q)$(python_here) MAKEFLAGS= $(PYTHON) Tests/Benchmarks/bench.py --runtime $(RUNTIME) $(1)

# BENCH="--only delivery --rounds 3" and the like: see Tests/Benchmarks/bench.py.
.PHONY: bench bench-relay bench-quick bench-readme bench-python-others test-bench test-cost-swift
bench: lib ## measures beside all peers, as ratios within one run: table, plots and JSON in build/bench, in twelve minutes
	$(call measure,$(BENCH))

bench-quick: lib ## the same in two minutes, one process each, without what takes minutes to build
	$(call measure,--quick --output $(BUILD)/bench/quick $(BENCH))

bench-relay: lib relay ## relays beside the bare client library, over a broker that it starts: latency, bursts, 10,000 mirrors, memory
	$(Q)$(NEED) libmosquitto-dev mosquitto
	$(call measure,--only relay --as-is --output $(BUILD)/bench/relay $(BENCH))

bench-readme: ## puts the figures of the last `make bench` into the README, its table, plot and raw rows beside the benchmarks
	$(Q)$(PYTHON) Tests/Benchmarks/readme.py $(BUILD)/bench README.md Tests/Benchmarks/costs.svg Tests/Benchmarks/README.md Tests/Benchmarks/rows.csv

bench-python-others: lib ## the Python benchmark on each other Python that is found, or on PYTHONS="python3.12 ..."
	$(call on_other_pythons,Tests/Benchmarks/python/requirements.txt,$(PYTHON) Tests/Benchmarks/bench.py --runtime $(RUNTIME) --only Python --rounds 3 --python $$python --output $(BUILD)/bench/$${each##*/})

# Of the sources, with the packages of this checkout: what a compiler that sees them makes of generic code.
test-cost-swift: ## no operation of Swift takes more instructions or allocations than its limit
	$(Q)$(NEED) valgrind
	$(Q)cd Tests/Benchmarks/swift && BENCH_WITHOUT_OPENCOMBINE=1 $(SWIFT) build --quiet -c release --product cost \
		--scratch-path $(abspath $(OUT))/swift-cost
	$(Q)strip -g -o $(OUT)/swift-cost/cost $(OUT)/swift-cost/release/cost
	$(Q)Tests/Benchmarks/cost.sh $(OUT)/swift-cost/cost Tests/Benchmarks/cost-limits-swift

test-bench: lib ## the benchmark runs, a peer that fails is a line, and table, plots and JSON come out
	$(Q)$(PYTHON) Tests/Benchmarks/bench_tests.py
