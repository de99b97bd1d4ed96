# SPDX-License-Identifier: MIT
# What the tests notice of changes to the engine. Included by the Makefile.
#
#   MUTATION_MINUTES=30 MUTATION_SEED=1    for how long mutants are tried, and which come first

MUTATION_MINUTES ?= 30
MUTATION_SEED ?= 1
MUTATION_TESTS := $(notdir $(basename $(wildcard Tests/C/*_tests.c)))

.PHONY: test-mutants
test-mutants: need-c-tests need-explorer $(OUT)/benchmarks/cost ## changes conditions, operators and fences of the engine, one at a time, until a test fails
	$(Q)$(NEED) valgrind
	$(call build_c_tests,$(MUTATION_TESTS:%=$(OUT)/tests/%) $(OUT)/tests/no_membarrier.so $(OUT)/fuzz/fuzz)
	$(Q)$(PYTHON) Tests/Mutation/mutate.py $(OUT)/tests $(BUILD)/mutation --minutes $(MUTATION_MINUTES) --seed $(MUTATION_SEED) --fenced "$(FENCED_C_TESTS)"
