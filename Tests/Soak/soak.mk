# SPDX-License-Identifier: MIT
# A program that does everything at once, for long. Included by the Makefile.
#
#   MINUTES=30             for how long
#   MESSAGES=1000000000    of several threads
#   READS=1000000000       by two threads, and as many by four

SOAK := $(BUILD)/soak
MINUTES ?= 30
MESSAGES ?= 1000000000
READS ?= 1000000000

$(OUT)/soak/%: Tests/Soak/%.c $(HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -g $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -lpthread -o $@

$(SOAK)/python/ready: Tests/Soak/requirements.txt
	$(Q)$(NEED) python3-venv
	$(Q)$(PYTHON) -m venv $(@D)
	$(Q)$(@D)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

.PHONY: soak threaded reading
reading: $(OUT)/soak/reading ## 10^9 reads of derived variables by two threads, and by four: none is a mixture of two moments
	$(Q)$< $(READS) 2
	$(Q)$< $(READS) 4

threaded: $(OUT)/soak/threaded ## 10^9 messages of several threads, which are counted: each arrives once, in the order of its thread
	$(Q)$< $(MESSAGES)

soak: $(OUT)/soak/soak $(SOAK)/python/ready ## a mixed load for half an hour: memory stays flat within one percent; a plot in build/soak
	$(Q)$(SOAK)/python/bin/python -B Tests/Soak/judge_tests.py
	$(Q)$(OUT)/soak/soak $(MINUTES) > $(SOAK)/measured
	$(Q)$(SOAK)/python/bin/python Tests/Soak/judge.py $(SOAK)/measured $(SOAK)/memory.svg
