# SPDX-License-Identifier: MIT
# The Swift tests. Included by the Makefile.
#
#   MODULE=SteinsKit    whose tests `make smoke` runs

MODULE ?= SwiftObserver

# Crashes end a run at once: many tests crash a process on purpose, and the backtracer takes seconds each time.
swift_test = $(Q)SWIFT_BACKTRACE=enable=no $(WATCHDOG) 45 $(SWIFT) test --disable-xctest --quiet $(1)

.PHONY: test-swift test-articles smoke-swift test-swift-clients test-swift-thread test-swift-address
test-swift: ## the Swift tests
	$(call swift_test)
	$(Q)Tests/Clients/rejected.sh .build/debug/Modules
	$(Q)$(MAKE) --no-print-directory test-articles

test-articles: ## the snippets of each article of DocC, joined, are a program that prints what the article says
	$(Q)$(WATCHDOG) 30 $(PYTHON) Tests/TestSupport/articles.py $(BUILD)/articles $(wildcard Sources/*/*.docc/*.md)
	@echo "$@: passed"

smoke-swift:
	$(call swift_test,--filter '^$(MODULE)Tests\.')

test-swift-clients: ## programs that use the package, in both language modes, debug and release
	$(Q)$(WATCHDOG) 60 Tests/Clients/build.sh $(BUILD)/clients

test-swift-thread: ## the Swift tests under the thread sanitizer
	$(call swift_test,--sanitize=thread --scratch-path $(BUILD)/swift-thread)

# Locals stay on the stack, because a test looks where they are; Foundation's own start-up is no leak of ours.
test-swift-address: export ASAN_OPTIONS = detect_leaks=0:detect_stack_use_after_return=0
test-swift-address: ## the Swift tests under the address sanitizer
	$(call swift_test,--sanitize=address --scratch-path $(BUILD)/swift-address)
