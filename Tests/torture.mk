# SPDX-License-Identifier: MIT
# Everything that looks for faults, as long as it takes. Included by the Makefile.
#
#   FUZZ_OPERATIONS=1000000 FUZZ_SECONDS=10 TORTURE_SCALE=1 TIMES=4 MUTATION_MINUTES=5 MINUTES=5 MESSAGES=10000000 \
#   EXPLORE_PAIRS=200 EXPLORE_TRIPLES=100    less

TORTURE := $(BUILD)/torture
# How many times the rounds of a test the storms take here.
TORTURE_SCALE ?= 20
TORTURES := soak test-mutants test-fuzz-all test-fuzz-covered test-fuzz-texts test-fuzz-relays test-every-allocation torture-storms torture-relays torture-peers test-relay-broken threaded reading test-c-sanitized test-c-valgrind test-c-races test-relay-races \
	explore-pairs explore-triples explore-faults check-model

.PHONY: torture torture-storms
# As many parts as there are processors run beside each other; their lines in the summary keep this order.
torture: lib explorer need-c-tests ## hours of it: 100 million fuzzed operations, failing allocations, sanitizers, storms, every schedule; a summary
	@rm -rf $(TORTURE) && mkdir -p $(TORTURE)
	$(call build_c_tests,$(MUTATION_TESTS:%=$(OUT)/tests/%) $(OUT)/tests/no_membarrier.so $(OUT)/tests/failing_allocation.so $(FUZZ)/fuzz $(OUT)/benchmarks/cost)
	+$(Q)$(MAKE) --no-print-directory $(BESIDE) $(TORTURES:%=tortured-%)
	$(Q)cat $(TORTURES:%=$(TORTURE)/%.line) | tee $(TORTURE)/summary; Tests/torture.sh $(TORTURE); ! grep -q FAILED $(TORTURE)/summary

tortured-test-c-sanitized: export SWO_TEST_SCALE = 1
tortured-%:
	+$(Q)echo "$* ..."; begun=$$SECONDS; how=passed; \
		$(MAKE) --no-print-directory $* > $(TORTURE)/$*.said 2>&1 || how=FAILED; \
		printf '%-22s %s in %d s: %s\n' $* $$how $$((SECONDS - begun)) \
			"$$(grep -E 'operations|allocations that failed|tests passed|exec/s|runs in|^mutants:|^soak:|^threaded:|^reading:|programs|seeded|^owning follows|^relays under faults:|^peers:|^broken relays:' $(TORTURE)/$*.said | tail -1)" > $(TORTURE)/$*.line; \
		cat $(TORTURE)/$*.line

# What two of them build is built once.
tortured-test-relay-races: | tortured-test-c-races
tortured-test-fuzz-texts: | tortured-test-fuzz-covered
tortured-test-relay-broken: | tortured-torture-relays

STORMS := shape_tests storm_tests executor_storm_tests thread_tests deferring_tests queue_tests unbounded_queue_tests source_tests ids_tests
torture-storms: need-c-tests
	$(call build_c_tests,$(STORMS:%=$(OUT)/tests/%))
	$(call run_c_tests,$(comma) $(TORTURE_SCALE) times as long,$(OUT)/tests,$(STORMS),env SWO_TEST_SCALE=$(TORTURE_SCALE))
