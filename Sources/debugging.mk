# SPDX-License-Identifier: MIT
# The debugging library. Included by the Makefile.

# The same library, which looks each handle up and says where it was released: see Sources/CPlatform/handles.c.
DEBUGGING := $(BUILD)/debugging
for_debugging = RUNTIME=embedded OUT=$(DEBUGGING) VARIANT=-debug \
	$(GIVEN_FLAGS) CPPFLAGS="$(GIVEN_CPPFLAGS) -DCHECKS_HANDLES" SWIFTFLAGS="-O -g -D CHECKS_HANDLES -Xcc -DCHECKS_HANDLES"
DEBUG_LIBRARY := $(DEBUGGING)/libswiftobserver-debug.so.$(VERSION)

.PHONY: debug-lib
debug-lib: ## builds libswiftobserver-debug.so.0, which says where a handle that is used was released
	+$(Q)$(MAKE) --no-print-directory $(for_debugging) $(DEBUGGING)/libswiftobserver.so
	@echo $(DEBUG_LIBRARY)
