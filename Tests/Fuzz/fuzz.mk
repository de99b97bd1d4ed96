# SPDX-License-Identifier: MIT
# The library against a reference model of the contract, by random programs. Included by the Makefile.

FUZZ := $(OUT)/fuzz
FUZZ_PARTS := $(wildcard Tests/Fuzz/*.hpp Tests/Fuzz/*.cpp) $(EVERY_OPERATOR) $(HEADERS)
FUZZ_FLAGS := -std=c++17 -g -Wall -Wextra -Werror=switch -I include -I $(BUILD)/declared
# How many operations, that is calls and deliveries, are compared in the full run.
FUZZ_OPERATIONS ?= 100000000
# How many seconds libFuzzer takes.
FUZZ_SECONDS ?= 300

$(FUZZ)/fuzz: $(FUZZ_PARTS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) $(FUZZ_FLAGS) -O2 Tests/Fuzz/fuzz.cpp $(LINK_LIBRARY) -lpthread -o $@

# In a copy of this folder whose sources have the faults.
FUZZ_FAULTY := $(BUILD)/fuzz-faults
$(FUZZ)/faulty: $(FUZZ_PARTS) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(FUZZ_FLAGS) -O2 -DFUZZ_FAULTS -Wl,-z,muldefs Tests/Fuzz/fuzz.cpp $(OBJECTS) -lpthread -lm -o $@

.PHONY: test-fuzz-faults
test-fuzz-faults: ## the random programs find each fault that is put into the library
	@mkdir -p $(FUZZ_FAULTY)
	$(Q)$(PYTHON) Tests/Mutation/faults.py seed Tests/Fuzz/faults.txt $(FUZZ_FAULTY) "fuzz_fault() == {}"
	$(Q)for one in $(filter-out $(BUILD) Sources,$(wildcard *)); do ln -sfn ../../$$one $(FUZZ_FAULTY)/$$one; done
	$(Q)$(MAKE) --no-print-directory -C $(FUZZ_FAULTY) RUNTIME=embedded OUT=$(FUZZ) CPPFLAGS="-ITests/Fuzz/include" \
		SWIFTFLAGS="-O -g -Xcc -ITests/Fuzz/include" $(FUZZ)/fuzz/faulty
	$(Q)$(WATCHDOG) 60 Tests/Fuzz/faults.sh $(FUZZ_FAULTY)/$(FUZZ)/fuzz/faulty

# The library is compiled into it, so that the sanitizer sees its memory, and libFuzzer the ways through it.
COVERED := $(BUILD)/covered
$(COVERED)/fuzz/bytes: $(FUZZ_PARTS) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG)++ $(FUZZ_FLAGS) -O1 -DFUZZ_BYTES -fsanitize=fuzzer,address -fuse-ld=lld -Wl,-z,muldefs Tests/Fuzz/fuzz.cpp $(OBJECTS) -o $@

# What it reads of its program: texts, values, and names, which a graph has to show.
$(COVERED)/fuzz/texts: Tests/Fuzz/texts.cpp $(HEADERS) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG)++ $(FUZZ_FLAGS) -O1 -fsanitize=fuzzer,address,undefined -fuse-ld=lld -Wl,-z,muldefs Tests/Fuzz/texts.cpp $(OBJECTS) -o $@

# What relays read, with the sources of their module, in a copy that can be broken: the fuzzer has to find that first.
RELAY_FUZZ := $(BUILD)/covered-relays
$(RELAY_FUZZ)/fuzz/relays: $(RELAY_OBJECTS) $(OBJECTS) $(RELAY_FUZZ)/objects/fault.o
	@mkdir -p $(@D)
	$(Q)$(CLANG)++ -g -fsanitize=fuzzer,address,undefined -fuse-ld=lld -Wl,-z,muldefs $^ -lpthread -ldl -lm -o $@

$(RELAY_FUZZ)/objects/fault.o: Tests/Fuzz/relays/fault.c
	@mkdir -p $(@D)
	$(Q)$(CLANG) -std=gnu11 -g -O1 $(WARNINGS) -c $< -o $@

.PHONY: test-fuzz-relays
test-fuzz-relays: ## what relays read of the network, of a bus and of their program, with the choices of libFuzzer
	$(Q)$(NEED) $(if $(shell command -v $(CLANG)),,clang)
	$(Q)$(PYTHON) Tests/Fuzz/relays/faults.py seed $(RELAY_FUZZ)/sources
	$(Q)$(MAKE) --no-print-directory RUNTIME=embedded OUT=$(RELAY_FUZZ) CC=$(CLANG) \
		CFLAGS="-O1 -g -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=undefined" \
		SWIFTFLAGS="-O -g -sanitize=address -Xllvm -asan-globals=false -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table" \
		RELAY_SOURCES="$(patsubst %,$(RELAY_FUZZ)/sources/%,$(notdir $(filter Sources/ObserverRelay/%,$(RELAY_SOURCES)))) $(filter-out Sources/ObserverRelay/%,$(RELAY_SOURCES)) Tests/Fuzz/relays/Parsing.swift" $(RELAY_FUZZ)/fuzz/relays
	$(Q)$(PYTHON) Tests/Fuzz/relays/faults.py find $(RELAY_FUZZ)/fuzz/relays Tests/Fuzz/relays/corpus
	@mkdir -p $(RELAY_FUZZ)/corpus
	$(Q)$(RELAY_FUZZ)/fuzz/relays -max_total_time=$(FUZZ_SECONDS) -max_len=300 -timeout=600 -print_final_stats=1 \
		-artifact_prefix=$(RELAY_FUZZ)/ $(RELAY_FUZZ)/corpus Tests/Fuzz/relays/corpus

.PHONY: test-fuzz test-fuzz-more test-fuzz-covered test-fuzz-texts test-fuzz-all
test-fuzz: $(FUZZ)/fuzz ## random programs compared with a reference model of the contract, a short while; also where nothing is on its fast way
	$(Q)$(WATCHDOG) 30 $(FUZZ)/fuzz 1 3000000
	$(Q)SWIFTOBSERVER_WHY=values FUZZ_SLOWLY=1 $(WATCHDOG) 30 $(FUZZ)/fuzz 3000000 1000000

test-fuzz-more: $(FUZZ)/fuzz ## the same, longer, with other seeds, and a minute with libFuzzer, of relays and of texts also
	$(Q)$(WATCHDOG) 60 $(FUZZ)/fuzz 1000000 20000000
	$(Q)$(MAKE) --no-print-directory test-fuzz-faults
	$(Q)$(MAKE) --no-print-directory test-fuzz-covered FUZZ_SECONDS=60
	$(Q)$(MAKE) --no-print-directory test-fuzz-relays FUZZ_SECONDS=60
	$(Q)$(MAKE) --no-print-directory test-fuzz-texts FUZZ_SECONDS=10

# Without the guards of globals, whose names of sections no assembler reads.
covered = RUNTIME=embedded OUT=$(COVERED) CC=$(CLANG) CFLAGS="-O1 -g -fsanitize=address,fuzzer-no-link" \
	SWIFTFLAGS="-O -g -sanitize=address -Xllvm -asan-globals=false -sanitize-coverage=edge,indirect-calls,trace-cmp,inline-8bit-counters,pc-table"

test-fuzz-covered: ## the same with the choices of libFuzzer, under the address sanitizer
	$(Q)$(NEED) $(if $(shell command -v $(CLANG)),,clang)
	$(Q)$(MAKE) --no-print-directory $(covered) $(COVERED)/fuzz/bytes
	@mkdir -p $(COVERED)/fuzz/corpus
	$(Q)$(COVERED)/fuzz/bytes -max_total_time=$(FUZZ_SECONDS) -max_len=4000 -len_control=0 -timeout=600 -print_final_stats=1 \
		-artifact_prefix=$(COVERED)/fuzz/ $(COVERED)/fuzz/corpus

test-fuzz-texts: ## what the library reads of its program, with the choices of libFuzzer: texts, values, names in graphs
	$(Q)$(NEED) $(if $(shell command -v $(CLANG)),,clang)
	$(Q)$(MAKE) --no-print-directory $(covered) $(COVERED)/fuzz/texts
	@mkdir -p $(COVERED)/fuzz/texts-corpus
	$(Q)$(COVERED)/fuzz/texts -max_total_time=$(FUZZ_SECONDS) -max_len=200 -timeout=600 -print_final_stats=1 \
		-artifact_prefix=$(COVERED)/fuzz/ $(COVERED)/fuzz/texts-corpus

test-fuzz-all: $(FUZZ)/fuzz
	$(Q)$(FUZZ)/fuzz 100000000 $(FUZZ_OPERATIONS)
