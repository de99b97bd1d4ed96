# SPDX-License-Identifier: MIT
# Everything that looks for faults, as long as it takes. Included by the Makefile.
#
#   FUZZ_OPERATIONS=1000000 FUZZ_SECONDS=10 TORTURE_SCALE=1 TIMES=4 MUTATION_MINUTES=5 MINUTES=5 MESSAGES=10000000 \
#   EXPLORE_PAIRS=200 EXPLORE_TRIPLES=100    less

TORTURE := $(BUILD)/torture
# How many times the rounds of a test the storms take here.
TORTURE_SCALE ?= 20
TORTURES := test-fuzz-all test-fuzz-covered test-fuzz-relays test-every-allocation torture-storms torture-relays test-relay-broken test-mutants soak threaded test-c-sanitized test-c-valgrind test-c-races test-relay-races \
	explore-pairs explore-triples explore-faults

.PHONY: torture torture-storms
torture: lib ## hours of it: 100 million fuzzed operations, failing allocations, sanitizers, storms, every schedule; a summary
	@mkdir -p $(TORTURE)
	@rm -f $(TORTURE)/*.said $(TORTURE)/summary
	$(Q)failed=0; for one in $(TORTURES); do \
		echo "$$one ..."; begun=$$SECONDS; how=passed; \
		$(MAKE) --no-print-directory $$one > $(TORTURE)/$$one.said 2>&1 || { how=FAILED; failed=1; }; \
		printf '%-22s %s in %d s: %s\n' $$one $$how $$((SECONDS - begun)) \
			"$$(grep -E 'operations|allocations that failed|tests passed|exec/s|runs in|^mutants:|^soak:|^threaded:|programs|seeded|^relays under faults:|^broken relays:' $(TORTURE)/$$one.said | tail -1)" >> $(TORTURE)/summary; \
	done; cat $(TORTURE)/summary; Tests/torture.sh $(TORTURE); exit $$failed

STORMS := storm_tests executor_storm_tests thread_tests deferring_tests queue_tests unbounded_queue_tests source_tests
torture-storms: need-c-tests
	$(call build_c_tests,$(STORMS:%=$(OUT)/tests/%))
	$(call run_c_tests,$(comma) $(TORTURE_SCALE) times as long,$(OUT)/tests,$(STORMS),env SWO_TEST_SCALE=$(TORTURE_SCALE))
