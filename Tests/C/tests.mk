# SPDX-License-Identifier: MIT
# The C tests. Included by the Makefile.
#
#   SWO_TEST_SCALE=0.1    a tenth of the rounds of the storms
#   INSTALLED=yes         with the library and the headers that pkg-config finds, instead of those of the checkout
#   C_TESTS="a_tests ..." these alone
#   EMULATOR=qemu-arm64   runs the programs of another machine

C_TESTS ?= $(patsubst Tests/C/%,%,$(basename $(wildcard $(addprefix Tests/C/,*_tests.c adapters/*_tests.c adapters/*_tests.cpp cxx/*_tests.cpp))))
# The operators that the headers declare.
EVERY_OPERATOR := $(BUILD)/declared/operators.h
$(EVERY_OPERATOR): bindings/c/man/declarations.py $(HEADERS)
	@mkdir -p $(@D)
	$(Q)$(PYTHON) $^ > $@

C_TEST_FLAGS := -std=gnu11 -g -O1 $(WARNINGS) $(INCLUDES) -I $(BUILD)/declared
CPP_TEST_FLAGS := -std=c++17 -g -O1 -pedantic-errors $(WARNINGS) $(INCLUDES)
# Where there is no Qt, or no Asio, its test says so.
%/adapters/qt_tests: CPP_TEST_FLAGS += -fPIC $(subst -I,-isystem ,$(shell pkg-config --cflags Qt6Core 2>/dev/null))
%/adapters/qt_tests: MORE_LIBRARIES = $(shell pkg-config --libs Qt6Core 2>/dev/null)
# Coroutines came with C++20.
%/cxx/awaiting_tests: CPP_TEST_FLAGS := $(subst c++17,c++20,$(CPP_TEST_FLAGS))
%/cxx/without_exceptions_tests: CPP_TEST_FLAGS := $(CPP_TEST_FLAGS) -fno-exceptions -fno-rtti
C_TEST_PARTS := $(EVERY_OPERATOR) Tests/C/support.c Tests/C/support.h $(wildcard Tests/C/adapters/*.h Tests/C/cxx/*.hpp) $(HEADERS) $(ADAPTERS) $(CPP_HEADERS) $(if $(INSTALLED),,$(OUT)/libswiftobserver.so)
CMOCKA := -lcmocka -lpthread
# To compile takes longer than to run.
SANITIZED := -O0 -gline-tables-only -fuse-ld=lld -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# The adapters meet the real event loops.
$(OUT)/tests/adapters/% $(OUT)/tests-sanitized/adapters/%: EVENT_LOOPS = $(shell pkg-config --cflags --libs gobject-2.0 libuv)

$(OUT)/tests/%: Tests/C/%.c $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_TEST_FLAGS) $< Tests/C/support.c $(LINK_LIBRARY) $(CMOCKA) $(EVENT_LOOPS) -o $@

$(OUT)/tests/%: Tests/C/%.cpp $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CPP_TEST_FLAGS) $< $(LINK_LIBRARY) -lpthread $(MORE_LIBRARIES) -o $@

$(OUT)/tests-sanitized/%: Tests/C/%.c $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(C_TEST_FLAGS) $(SANITIZED) $< Tests/C/support.c $(LINK_LIBRARY) $(CMOCKA) $(EVENT_LOOPS) -o $@

$(OUT)/tests-sanitized/%: Tests/C/%.cpp $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG)++ $(CPP_TEST_FLAGS) $(SANITIZED) $< $(LINK_LIBRARY) -lpthread $(MORE_LIBRARIES) -o $@

# What parts_tests loads: it hides everything, or nothing.
PARTS_OF_TESTS := shown hidden
part_flags_hidden := -fvisibility=hidden
part_of_tests = $(Q)mkdir -p $(@D) && $(1) $(CPP_TEST_FLAGS) $(part_flags_$(basename $(@F))) -fPIC -shared $(2) $< $(LINK_LIBRARY) -o $@
$(PARTS_OF_TESTS:%=$(OUT)/tests/cxx/parts/%.so): Tests/C/cxx/parts/library.cpp Tests/C/cxx/parts/part.hpp $(C_TEST_PARTS)
	$(call part_of_tests,$(CXX))
$(PARTS_OF_TESTS:%=$(OUT)/tests-sanitized/cxx/parts/%.so): Tests/C/cxx/parts/library.cpp Tests/C/cxx/parts/part.hpp $(C_TEST_PARTS)
	$(call part_of_tests,$(CLANG)++,$(SANITIZED))
$(OUT)/tests/cxx/parts_tests: $(PARTS_OF_TESTS:%=$(OUT)/tests/cxx/parts/%.so) Tests/C/cxx/parts/part.hpp
$(OUT)/tests-sanitized/cxx/parts_tests: $(PARTS_OF_TESTS:%=$(OUT)/tests-sanitized/cxx/parts/%.so) Tests/C/cxx/parts/part.hpp
%/cxx/parts_tests: CPP_TEST_FLAGS += -ldl

# A Swift program, whose own runtime meets that of the library.
$(OUT)/tests/swift/%: Tests/C/swift/%.swift $(HEADERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(SWIFTC) -swift-version 6 -module-cache-path $(OUT)/module-cache -I Sources/CSwiftObserver $< -L $(OUT) -lswiftobserver \
		-Xlinker -rpath -Xlinker "$(CURDIR)/$(OUT)" -o $@

# An embedded Python that meets threads.
$(OUT)/tests/plugin/%: Tests/C/plugin/%.c $(C_TEST_PARTS) $(wildcard bindings/c/examples/plugin/interpreter.*)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_TEST_FLAGS) -I bindings/c/examples/plugin $(filter %.c,$^) $(LINK_LIBRARY) $(CMOCKA) $(shell pkg-config --cflags --libs python3-embed) -o $@

# Where the kernel has no membarrier(2), threads meet in other ways.
FENCED_C_TESTS := $(filter $(addsuffix _tests,beginning executor_storm deferring on_demand queue source unbounded_queue storm thread unordered waiting),$(C_TESTS))
$(OUT)/tests/no_membarrier.so: Tests/C/no_membarrier.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -fPIC -shared $(WARNINGS) $< -ldl -o $@

# Allocations that fail, inside the library alone.
$(OUT)/tests/failing_allocation.so: Tests/C/failing_allocation.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -fPIC -shared -fno-builtin $(WARNINGS) $< -ldl -o $@

.PHONY: test-every-allocation
# Of derived variables there are no scenarios: their tests stand in.
OF_DERIVED := $(addprefix $(OUT)/tests/,derived_tests effect_tests behaviour_tests)
test-every-allocation: need-c-tests ## every allocation of every scenario fails once, and of the tests of derived variables and effects
	$(call build_c_tests,$(OUT)/tests/scenario_tests $(OF_DERIVED) $(OUT)/tests/failing_allocation.so)
	$(Q)for program in $(OUT)/tests/scenario_tests $(OF_DERIVED); do Tests/C/every_allocation.sh $$program $(OUT)/tests/failing_allocation.so $(JOBS); done

build_c_tests = +$(Q)$(MAKE) --no-print-directory $(if $(V),,--silent) $(BESIDE) $(1)
# Runs programs beside each other. $(1): what they run under, $(2): folder, $(3): names, $(4): a command in front of each
run_c_tests = $(Q)Tests/C/run.sh "C tests, $(RUNTIME) runtime$(1)" $(JOBS) $(2) "$(3)" $(4)

.PHONY: test-c smoke-c test-other-runtime need-c-tests $(addprefix test-c-,sanitized valgrind biased traced debugging races)
test-c: need-c-tests ## the C tests
	$(call build_c_tests,$(C_TESTS:%=$(OUT)/tests/%) $(OUT)/tests/no_membarrier.so $(OUT)/tests/failing_allocation.so examples $(CPP_EXAMPLES) $(GLIB_EXAMPLES) $(PYTHON_EXAMPLES) $(OUT)/tests/plugin/threads_tests $(if $(filter embedded,$(RUNTIME)),$(OUT)/tests/swift/beside_tests))
	$(call run_c_tests,,$(OUT)/tests,$(C_TESTS))
	$(call run_c_tests,$(comma) no membarrier,$(OUT)/tests,$(FENCED_C_TESTS),env "LD_PRELOAD=$(CURDIR)/$(OUT)/tests/no_membarrier.so")
	$(if $(filter embedded,$(RUNTIME)),$(Q)for program in $(OUT)/tests/scenario_tests $(OF_DERIVED); do $(WATCHDOG) 30 Tests/C/every_allocation.sh $$program $(OUT)/tests/failing_allocation.so $(JOBS) 20; done)
	$(call run_c_tests,$(comma) Python inside,$(OUT)/tests,plugin/threads_tests,env $(python_here))
	$(if $(filter embedded,$(RUNTIME)),$(Q)[ "$$($(OUT)/tests/swift/beside_tests)" = "r0=1668330 r1=1661670 r2=1665000" ] && echo "a Swift program uses the library beside its own runtime")
	$(Q)Tests/C/hello_tests.sh $(OUT)/examples/hello
	$(Q)Tests/C/hello_tests.sh $(OUT)/examples/hello-in-cpp
	$(Q)[ "$$($(OUT)/examples/awaiting)" = "$$(printf '3\nthe sum is 7')" ]; echo "awaiting prints what its comments say"
	$(Q)$(OUT)/examples/spreadsheet | diff Tests/TestSupport/spreadsheet.txt - && echo "spreadsheet computes what it has to, and no more"
	$(Q)Tests/C/search_tests.sh $(OUT)/examples/search
	$(Q)Tests/C/vitals_tests.sh $(OUT)/examples/vitals
	$(Q)Tests/C/vitals_graph_tests.sh $(OUT)/examples/vitals
	$(Q)Tests/C/watch_tests.sh $(OUT)/examples/watch
	$(Q)Tests/C/tally_tests.sh $(OUT)/examples/tally
	$(Q)$(python_here) Tests/C/plugin_tests.sh $(OUT)/examples/plugin

smoke-c: need-c-tests
	$(call build_c_tests,$(C_TESTS:%=$(OUT)/tests/%))
	$(call run_c_tests,,$(OUT)/tests,$(C_TESTS),$(EMULATOR))

# The set-ups in which the C tests run, beside plain: the folder of the programs, what is left out and added, how they are
# built, and what they run under.
C_SET_UPS := sanitized valgrind biased traced debugging races
# Storms are a fifth as long; `make torture` has them whole.
folder_sanitized = $(OUT)/tests-sanitized
under_sanitized = env "SWO_TEST_SCALE=$${SWO_TEST_SCALE:-0.2}"
test-c-sanitized: ## the C tests under the address and undefined behaviour sanitizers

# Fewer rounds, for everything takes fifty times as long.
folder_valgrind = $(OUT)/tests
left_out_valgrind = surroundings_tests
under_valgrind = env SWO_TEST_SCALE=0.02 valgrind --quiet --max-stackframe=500000 --suppressions=Tests/C/swift-runtime.supp --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=1
test-c-valgrind: ## the C tests under valgrind: no error, no leak

# As if every observable had been used by one thread for long.
folder_biased = $(BUILD)/biased/tests
built_biased = RUNTIME=embedded OUT=$(BUILD)/biased SWIFTFLAGS="-O -g -D BIASES_AT_ONCE"
test-c-biased: ## the C tests, where every observable is biased to its thread at once

# What is kept of each change takes memory, and some of the stack.
folder_traced = $(OUT)/tests
left_out_traced = memory_tests surroundings_tests
under_traced = env SWIFTOBSERVER_WHY=values "SWO_TEST_SCALE=$${SWO_TEST_SCALE:-0.2}"
test-c-traced: ## the C tests while the library keeps why everything has changed

# A backtrace has the names of what a program exports. Freed memory stays for a while, which three programs would notice.
$(DEBUGGING)/tests/debugging/%: C_TEST_FLAGS += -rdynamic
folder_debugging = $(DEBUGGING)/tests
left_out_debugging = memory_tests surroundings_tests unbounded_queue_tests
added_debugging = debugging/handle_tests
built_debugging = $(for_debugging) CXX=$(CLANG)++
under_debugging = env "SWO_TEST_SCALE=$${SWO_TEST_SCALE:-0.1}"
test-c-debugging: debug-lib ## the C tests with the debugging library, which finds no released handle in them, and those of what it says

# The library is compiled into each program, because the sanitizer has to see its atomics. It cannot follow a fork,
# nor a thread that is cancelled within it. What is C++ is in headers, over the same C functions.
folder_races = $(BUILD)/races/racing
left_out_races = adapters/% cxx/% cancelling_tests chain_tests forking_tests surroundings_tests
built_races = RUNTIME=embedded OUT=$(BUILD)/races CC=$(CLANG) CFLAGS="-O1 -g -fsanitize=thread" SWIFTFLAGS="-O -g -sanitize=thread -D BIASES_AT_ONCE"
test-c-races: ## the C tests and the library under the thread sanitizer

programs_of = $(added_$(1)) $(filter-out $(left_out_$(1)),$(C_TESTS))
$(C_SET_UPS:%=test-c-%): test-c-%: need-c-tests
	$(if $(filter debugging,$*),$(Q)Tests/C/debugging/every_function.sh Tests/C/debugging/handle_tests.c $(HEADERS))
	$(call build_c_tests,$(built_$*) $(patsubst %,$(folder_$*)/%,$(call programs_of,$*)))
	$(call run_c_tests,$(comma) $*,$(folder_$*),$(call programs_of,$*),$(under_$*))

# Linked by the Swift compiler, whose sanitizer needs libraries of its own.
$(OUT)/racing/%: Tests/C/%.c Tests/C/support.c Tests/C/support.h $(EVERY_OPERATOR) $(HEADERS) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)for source in $< Tests/C/support.c; do $(CC) $(C_TEST_FLAGS) $(CFLAGS) -c $$source -o $@.$$(basename $$source .c).o || exit 1; done
	$(Q)$(SWIFTC) -sanitize=thread -use-ld=lld -Xlinker -z -Xlinker muldefs $@.*.o $(OBJECTS) -lcmocka -ldispatch -lBlocksRuntime -o $@

test-other-runtime: ## the C tests on the runtime that RUNTIME is not: plain, sanitized, under valgrind
	$(Q)$(MAKE) --no-print-directory RUNTIME=$(OTHER_RUNTIME) test-c test-c-valgrind test-c-sanitized

need-c-tests:
	$(Q)$(NEED) g++ graphviz libcmocka-dev libglib2.0-dev libuv1-dev pkg-config python3-dev valgrind $(if $(filter 0,$(shell id -u)),libasio-dev qt6-base-dev) $(if $(shell command -v $(CLANG)),,clang) $(if $(shell command -v ld.lld),,lld)
