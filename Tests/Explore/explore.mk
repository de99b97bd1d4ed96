# SPDX-License-Identifier: MIT
# The shipped library in every order of its threads' steps: Tests/Explore/README.md. Included by the Makefile.
#
#   EXPLORE_PAIRS=1000000      how many schedules of a pair at most, in the full run; where that is not all of them, it
#                              goes on with those that have no interruption, one, two, ...
#   EXPLORE_TRIPLES=10000      of a triple, where one of EXPLORE_SHARE=20 is explored

EXPLORE := $(BUILD)/explore
EXPLORE_PAIRS ?= 200000
EXPLORE_TRIPLES ?= 10000
EXPLORE_SHARE ?= 20

# Compiled as for the thread sanitizer, whose place the explorer takes, and with the explorer's notion of threads.
explored = RUNTIME=embedded OUT=$(EXPLORE) CC=$(CLANG) CPPFLAGS="-ITests/Explore/include" CFLAGS="-O1 -g -fsanitize=thread" \
	SWIFTFLAGS="-O -g -sanitize=thread -Xcc -ITests/Explore/include -Xllvm -tsan-instrument-func-entry-exit=0 -Xllvm -swiftmergefunc-threshold=0" $(EXPLORE)/explorer

EXPLORER_SOURCES := $(wildcard Tests/Explore/*.cpp Tests/Explore/fixtures/*.cpp)

# The bits of the state word, by their names in the engine: each power of two there is one.
$(OUT)/explored/state_bits.hpp: Sources/ObserverEngine/State/State.swift
	@mkdir -p $(@D)
	$(Q)sed -n 's/.*static let \([A-Za-z]*\): UInt32 = \([0-9]*\)$$/\1 \2/p' $< | awk ' \
		{ for (rest = $$2; rest % 2 == 0;) rest /= 2 } \
		rest == 1 { print "constexpr unsigned state_" $$1 " = " $$2 ";"; rows = rows "    {\"" $$1 "\", " $$2 "},\n" } \
		END { print "constexpr struct { const char *name; unsigned value; } state_bits[] = {\n" rows "};" }' > $@

$(OUT)/explorer: $(EXPLORER_SOURCES) $(wildcard Tests/Explore/*.hpp) $(OUT)/explored/state_bits.hpp Tests/Explore/redirected $(HEADERS) $(OBJECTS)
	@mkdir -p $(OUT)/explored
	$(Q)for object in $(OBJECTS); do \
		$(OBJCOPY) --redefine-syms=Tests/Explore/redirected --rename-section .data=library_data --rename-section .bss=library_bss \
			$$object $(OUT)/explored/$$(basename $$object) || exit 1; done
	$(Q)$(CXX) -std=c++17 -g -O2 -Wall -Wextra -I include -no-pie -I $(OUT)/explored -Wl,-z,muldefs $(EXPLORER_SOURCES) \
		$(OBJECTS:$(OUT)/objects/%=$(OUT)/explored/%) -o $@

.PHONY: explorer explore explore-all explore-pairs explore-triples explore-faults need-explorer
explorer: need-explorer
	$(Q)$(MAKE) --no-print-directory $(explored)

explore: explorer ## the first schedules of every pair of operations, and of some triples, of the shipped library
	$(Q)$(EXPLORE)/explorer litmus
	$(Q)$(EXPLORE)/explorer -q -j $(JOBS) -l 100
	$(Q)$(EXPLORE)/explorer -q -j $(JOBS) -b 1 -l 100 derived
	$(Q)EXPLORE_NO_MEMBARRIER=1 $(EXPLORE)/explorer -q -j $(JOBS) -n 4 -l 60
	$(Q)$(EXPLORE)/explorer -q -j $(JOBS) -3 -b 3 -n 200 -l 60

explore-all: explore-pairs explore-triples explore-faults ## all of them, as far as the limits go; takes hours, goes on where it was ended

# What has been explored with this library stands in a file, and is not explored again: first those with few schedules.
explored_results = $(EXPLORE)/$(1)-$$(sha256sum $(EXPLORE)/explorer | cut -c1-12)
define explore_pairs
for limit in $$(printf '%s\n' 2000 20000 $(EXPLORE_PAIRS) | awk '$$1 <= $(EXPLORE_PAIRS)' | sort -nu); do \
	$(EXPLORE)/explorer -c -j $(JOBS) -l $$limit -r $(call explored_results,$(1)) > $(EXPLORE)/$(1).said || { cat $(EXPLORE)/$(1).said; exit 1; }; \
done; tail -20 $(EXPLORE)/$(1).said
endef
explore-pairs: explorer
	$(Q)RANDOM_PROGRAMS=3000 $(EXPLORE)/explorer litmus
	$(Q)$(call explore_pairs,pairs)
	$(Q)export EXPLORE_NO_MEMBARRIER=1; $(call explore_pairs,pairs-without-membarrier)

explore-triples: explorer
	$(Q)$(EXPLORE)/explorer -j $(JOBS) -3 -b 3 -n $(EXPLORE_SHARE) -l $(EXPLORE_TRIPLES) -r $(call explored_results,triples)

# In a copy of this folder whose sources have the faults.
FAULTY := $(BUILD)/faults
explore-faults: need-explorer ## the explorer finds each fault that is put into the library
	$(Q)mkdir -p $(FAULTY)
	$(Q)$(PYTHON) Tests/Mutation/faults.py seed Tests/Explore/faults.txt $(FAULTY)
	$(Q)for one in $(filter-out $(BUILD) Sources,$(wildcard *)); do ln -sfn ../../$$one $(FAULTY)/$$one; done
	$(Q)$(MAKE) --no-print-directory -C $(FAULTY) $(explored)
	$(Q)$(PYTHON) Tests/Explore/reading.py $(FAULTY)/$(EXPLORE)/explorer
	$(Q)Tests/Explore/faults.sh $(FAULTY)/$(EXPLORE)/explorer

need-explorer:
	$(Q)$(NEED) binutils g++ python3 $(if $(shell command -v $(CLANG)),,clang)
