# SPDX-License-Identifier: MIT
# What holds header, layer, library, versions and documents together. Included by the Makefile.

.PHONY: check check-compilers check-header check-cpp check-layer check-exports check-imports check-debugger check-probes check-abi check-version check-readme check-man check-architecture check-cost
check: check-compilers check-header check-cpp check-layer check-exports check-imports check-debugger check-probes check-abi check-version check-readme check-man check-architecture check-cost check-goals check-showing check-faults check-types docs lint ## everything that can drift apart holds together

check-compilers: ## the library's Swift has nothing that the compilers of Debian crash on
	$(Q)Tests/TestSupport/compilers.sh $(ENGINE_SOURCES) $(LAYER_SOURCES) $(RELAY_SOURCES)
	@echo "$@: passed"

# With everything that the compilers can warn of.
STRICT := Tests/TestSupport/strict.sh
AS_OF_THE_SYSTEM = $(subst -I,-isystem ,$(shell pkg-config --cflags glib-2.0 libuv))

# POSIX for libuv's own header; swiftobserver/scoped.h is for these two compilers alone.
check-header: ## the headers compile without a warning from C99 to C23 and from C++11 to C++20, also where a compiler warns of all that it can
	$(Q)$(NEED) gcc g++ libglib2.0-dev libuv1-dev pkg-config $(if $(shell command -v $(CLANG)),,clang)
	$(Q)for header in $(HEADERS:include/%=%) $(RELAY_HEADER:include/%=%) $(ADAPTERS:bindings/c/include/%=%); do \
		for compiler in gcc $(CLANG); do \
			for standard in c99 c11 c17 c2x; do \
				echo "#include <$$header>" | $$compiler -x c -std=$$standard -pedantic-errors $(WARNINGS) $(INCLUDES) \
					-D_POSIX_C_SOURCE=200809L $$(pkg-config --cflags glib-2.0 libuv) -fsyntax-only -; \
			done; \
			for standard in c++11 c++14 c++17 c++20; do \
				echo "#include <$$header>" | $$compiler -x c++ -std=$$standard -pedantic-errors $(WARNINGS) $(INCLUDES) \
					$$(pkg-config --cflags glib-2.0 libuv) -fsyntax-only -; \
			done; \
			echo "#include <$$header>" | $(STRICT) c - $$compiler -std=c11 -D_POSIX_C_SOURCE=200809L $(AS_OF_THE_SYSTEM) $(INCLUDES); \
			echo "#include <$$header>" | $(STRICT) c++ - $$compiler -std=c++17 $(AS_OF_THE_SYSTEM) $(INCLUDES); \
		done; \
	done
	@echo "$@: passed"

# As many compilers beside each other as there are processors.
check-cpp: ## the C++ header compiles without a warning from C++17 to C++23, also without exceptions, and where a compiler warns of all that it can; wrong uses are told why
	$(Q)$(NEED) g++ $(if $(shell command -v $(CLANG)),,clang)
	$(Q)for compiler in g++ $(CLANG)++; do for standard in c++17 c++20 c++2b; do \
		printf '%s\n' "$$compiler -std=$$standard" "$$compiler -std=$$standard -fno-exceptions -fno-rtti"; done; done \
		| xargs -P $(JOBS) -I '{}' sh -c '{} -Wall -Wextra -Wshadow -Werror -pedantic -D_POSIX_C_SOURCE=200809L $(INCLUDES) -fsyntax-only Tests/C/cxx/without_exceptions_tests.cpp'
	$(Q)for compiler in g++ $(CLANG)++; do for test in without_exceptions message awaiting; do \
		printf '%s\n' "Tests/C/cxx/$${test}_tests.cpp $$compiler"; done; done \
		| xargs -P $(JOBS) -I '{}' sh -c '$(STRICT) c++ {} -std=c++20 $(INCLUDES)'
	$(Q)for compiler in g++ $(CLANG)++; do \
		[ "$$(echo '#include <swiftobserver.hpp>' | $$compiler -x c++ -std=c++14 $(INCLUDES) -fsyntax-only - 2>&1 | grep 'error:' | grep -c 'needs C++17')" = \
			"$$(echo '#include <swiftobserver.hpp>' | $$compiler -x c++ -std=c++14 $(INCLUDES) -fsyntax-only - 2>&1 | grep -c 'error:')" ] \
			|| { echo "$@: $$compiler says more of C++14 than that it is too old" >&2; exit 1; }; done
	$(Q)printf '%s\n' g++ $(CLANG)++ | xargs -P $(JOBS) -I '{}' Tests/C/cxx/wrong_uses.sh '{}' -std=c++17 $(WARNINGS) $(INCLUDES)
	@echo "$@: passed"

# The compiler compares every function of a copy of the layer with its declaration in the headers.
check-layer: $(OUT)/objects/engine.o ## the Swift layer implements the headers' declarations, type by type, and returns what their documents name
	@rm -rf $(OUT)/layer && mkdir -p $(OUT)/layer
	$(Q)for file in $(LAYER_SOURCES); do sed 's/^@_cdecl(/@implementation @_cdecl(/' $$file > $(OUT)/layer/$${file##*/}; done
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -typecheck -module-name SwiftObserverC -I $(OUT)/modules -I Sources/CSwiftObserver $(OUT)/layer/*.swift
	$(Q)Tests/C/assembly_tests.sh
	$(Q)$(PYTHON) Tests/C/returns.py $(HEADERS) $(RELAY_HEADER) -- $(LAYER_SOURCES) $(RELAY_SOURCES)
	@echo "$@: passed"

OLDEST_GLIBC := 2.17
check-exports: lib ## the library exports exactly what the headers declare, needs no newer glibc than the wheel may, and does not know where it was built
	$(Q)newest=$$(objdump -T $(LIBRARY) | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1); \
		[ "$$(printf '%s\n' "$$newest" GLIBC_$(OLDEST_GLIBC) | sort -V | tail -1)" = GLIBC_$(OLDEST_GLIBC) ] \
		|| { echo "$@: the library needs $$newest, the wheel may need GLIBC_$(OLDEST_GLIBC)" >&2; exit 1; }
	$(Q)! grep -qF '$(CURDIR)' $(LIBRARY) || { echo "$@: the library names $(CURDIR)" >&2; exit 1; }
	$(Q)diff <($(declared)) <(nm -D --defined-only $(LIBRARY) | awk '$$2 != "A" { sub("@.*", "", $$3); print $$3 }' | sort)
	@echo "$@: passed"

# The other runtime brings in what Swift's does.
# Nor has it cancellation points, but for the two that it waits with (Sources/CPlatform).
# It may have dlopen(), weakly, for what serves a live page.
check-imports: lib ## the library reads no environment (but secure_getenv(), whether a trace or a page is asked for), opens no files and connections, starts no threads and programs
	$(Q)$(if $(filter embedded,$(RUNTIME)),! nm -D --undefined-only $(LIBRARY) | awk '$$1 != "w" || $$2 !~ /^dl(open|sym)@/ { sub("@.*", "", $$2); print $$2 }' | grep -vx secure_getenv | grep -xE '.*getenv|f?open(at)?(64)?|creat|socket|connect|accept4?|bind|(f|v)?exec.*|system|popen|posix_spawnp?|v?fork|clone|pthread_create|dlopen|dlsym|signal|sigaction|(p|f)?(read|write)v?(64)?|eventfd_(read|write)|close|p?poll|p?select|epoll_p?wait|(u|nano|clock_nano)?sleep|(f|fdata)sync|sem_(timed|clock)?wait|sig(timed)?wait(info)?|recv(from|msg)?|send(to|msg)?|pthread_(join|testcancel|cond_clockwait)')
	@echo "$@: passed"

check-debugger: lib ## gdb stops in each function where its source is
	$(Q)$(NEED) gdb
	$(Q)$(MAKE) --no-print-directory $(OUT)/examples/hello
	$(Q)Tests/C/debugger_tests.sh $(LIBRARY) $(OUT)/examples/hello

check-probes: lib ## the probes fire with the right arguments, and the scripts for tracers know them
	$(Q)$(NEED) gdb
	@mkdir -p $(OUT)/tests/probes
	$(Q)$(CC) -std=gnu11 -g -O0 -I include Tests/C/probes/program.c $(LINK_LIBRARY) -o $(OUT)/tests/probes/program
	$(Q)Tests/C/probes_tests.sh $(LIBRARY) $(OUT)/tests/probes/program

# What was accepted stands in Tests/abi, by soname.
ABI_SAFEGUARD = include $(SONAME) Tests/abi $(CC)
SYMBOLS_FILE := debian/libswiftobserver0.symbols
RELAY_SYMBOLS_FILE := debian/libswiftobserver-relay0.symbols

.PHONY: accept-abi
check-abi: ## nothing declared was removed or changed under this soname, and Debian's symbols file has all of it
	$(Q)$(NEED) abigail-tools
	$(Q)Tests/TestSupport/abi.sh check $(ABI_SAFEGUARD)
	$(Q)Tests/TestSupport/abi.sh check $(subst $(SONAME),$(RELAY_SONAME),$(ABI_SAFEGUARD))
	$(Q)[ ! -e $(SYMBOLS_FILE) ] || diff <($(declared)) <(sed -n 's/^ \(swo_[a-z0-9_]*\)@.*/\1/p' $(SYMBOLS_FILE) | sort)
	$(Q)[ ! -e $(RELAY_SYMBOLS_FILE) ] || diff <($(declared_by_relay)) <(sed -n 's/^ \(swo_[a-z0-9_]*\)@.*/\1/p' $(RELAY_SYMBOLS_FILE) | sort)
	$(Q)Tests/TestSupport/abi_tests.sh include $(CC)
	@echo "$@: passed"

accept-abi: ## accepts what was added to the headers, and enters it into Debian's symbols files
	$(Q)$(NEED) abigail-tools
	$(Q)Tests/TestSupport/abi.sh accept $(ABI_SAFEGUARD)
	$(Q)Tests/TestSupport/abi.sh accept $(subst $(SONAME),$(RELAY_SONAME),$(ABI_SAFEGUARD))
	$(Q)[ ! -e $(SYMBOLS_FILE) ] || $(declared) | Tests/TestSupport/symbols.sh $(SYMBOLS_FILE) $(VERSION)
	$(Q)[ ! -e $(RELAY_SYMBOLS_FILE) ] || $(declared_by_relay) | Tests/TestSupport/symbols.sh $(RELAY_SYMBOLS_FILE) $(VERSION)

check-version: lib ## the header's version is the version of everything
	$(Q)Tests/TestSupport/version.sh $(VERSION) $(LIBRARY)
	@echo "$@: passed"

check-readme: lib relay ## the programs of the README print what it says
	$(Q)$(NEED) libglib2.0-dev pkg-config
	$(Q)$(python_here) $(PYTHON) -W error Tests/TestSupport/relay_lines.py bindings/relays.md bindings/python/README.md
	$(Q)$(PYTHON) Tests/TestSupport/names.py bindings/README.md
	$(Q)$(PYTHON) Tests/TestSupport/names.py bindings/operators.md
	$(Q)$(PYTHON) Tests/TestSupport/marbles.py
	$(Q)$(python_here) $(PYTHON) Tests/TestSupport/readme.py README.md $(OUT)
	$(Q)$(python_here) $(PYTHON) Tests/TestSupport/readme.py bindings/c/README.md $(OUT)
	$(Q)$(python_here) $(PYTHON) Tests/TestSupport/readme.py bindings/c/coming-from.md $(OUT)

check-man: lib man ## the man pages name every function, are well formed, and their examples compile
	$(Q)$(NEED) libglib2.0-dev libuv1-dev man-db mandoc pkg-config
	$(Q)Tests/TestSupport/man.sh $(MAN) include bindings/c/include/swiftobserver $(CC) -std=gnu11 $(WARNINGS) -Wno-unused-parameter \
		$(INCLUDES) $$(pkg-config --cflags glib-2.0 libuv) $(LINK_LIBRARY)
	@echo "$@: passed"

check-architecture: ## the picture of the architecture shows the sources, the laws have the same words everywhere, and only Python's stores ask which one they are
	$(Q)$(NEED) graphviz
	$(Q)Tests/TestSupport/architecture.sh
	$(Q)Tests/TestSupport/stores.sh
	$(Q)SWIFTC=$(SWIFTC) $(PYTHON) Tests/TestSupport/house.py
	$(Q)$(PYTHON) Tests/TestSupport/laws.py
	$(Q)$(PYTHON) Tests/C/behaviours.py
	$(Q)Tests/C/debugging/every_function.sh Tests/C/debugging/handle_tests.c $(HEADERS)
	$(Q)! grep -rnE '\bstate\.(word|raise|lower)\b' Sources/ObserverEngine | grep -v '/State/State.swift:' | grep . \
		|| { echo "$@: only State/State.swift changes the state word" >&2; exit 1; }
	@echo "$@: passed"

.PHONY: architecture
architecture: ## draws the picture of the architecture
	$(Q)$(NEED) graphviz
	$(Q)SWIFTC=$(SWIFTC) $(PYTHON) Tests/TestSupport/rooms.py draw
	$(Q)dot -Tsvg Sources/architecture.dot > Sources/architecture.svg

check-cost: lib ## no operation takes more instructions or allocations than its limit, in C++ no more than 1.1 times those of C, and none more where there is more
	$(Q)$(NEED) valgrind
	$(Q)$(MAKE) --no-print-directory $(OUT)/benchmarks/cost
	$(Q)Tests/Benchmarks/cost.sh $(OUT)/benchmarks/cost Tests/Benchmarks/cost-limits
	$(Q)$(NEED) g++
	$(Q)$(MAKE) --no-print-directory $(OUT)/benchmarks/beside_c
	$(Q)Tests/Benchmarks/cost-beside-c.sh $(OUT)/benchmarks/beside_c
	$(Q)$(MAKE) --no-print-directory $(OUT)/benchmarks/growing
	$(Q)$(PYTHON) Tests/Benchmarks/growing.py $(OUT)/benchmarks/growing Tests/Benchmarks/growth-documented $(OUT)/benchmarks/growth.md $(HEADERS)

SWIFT_FILES = $(shell git ls-files -co --exclude-standard '*.swift')
C_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp')
PYTHON_FILES = bindings/python bindings/c bindings/demo Sources/Site Tests

.PHONY: format lint
format: $(PYTHON_TESTS)/ready ## formats everything
	$(Q)$(NEED) clang-format
	$(Q)$(SWIFT) format --in-place $(SWIFT_FILES)
	$(Q)clang-format -i $(C_FILES)
	$(Q)$(PYTHON_TESTS)/bin/ruff format --no-cache --quiet $(PYTHON_FILES)

lint: $(PYTHON_TESTS)/ready ## the formatters and linters have nothing to say
	$(Q)$(NEED) clang-format shellcheck
	$(Q)$(SWIFT) format lint --strict $(SWIFT_FILES)
	$(Q)clang-format --dry-run -Werror $(C_FILES)
	$(Q)$(PYTHON_TESTS)/bin/ruff format --no-cache --quiet --check $(PYTHON_FILES)
	$(Q)$(PYTHON_TESTS)/bin/ruff check --no-cache --quiet $(PYTHON_FILES)
	$(Q)shellcheck $$(git ls-files -co --exclude-standard '*.sh') .ci/run
	@echo "$@: passed"

.PHONY: check-goals check-showing check-faults
check-faults: ## each seeded fault finds its place in the sources
	$(Q)for list in $$(git ls-files | grep -E '/(faults|broken)\.txt$$'); do $(PYTHON) Tests/Mutation/faults.py seed $$list $(BUILD)/seeded; done
	@rm -r $(BUILD)/seeded; echo "$@: passed"

check-showing: ## long runs say what they do on a terminal, and are silent elsewhere
	$(Q)Tests/TestSupport/showing_tests.sh
	@echo "$@: passed"

check-goals: ## no goal of the house that was reached is lost
	$(Q)$(PYTHON) Tests/TestSupport/goals.py

# What an operator comes by, without a word about it.
BY_AN_OPERATOR := check-layer check-exports check-abi $(addprefix $(OUT)/tests/,every_function_tests no_memory_tests scenario_tests cxx/transform_tests) \
	$(FUZZ)/fuzz $(OUT)/benchmarks/growing
WITH_OPERATOR := $(BUILD)/operator
.PHONY: test-operator
test-operator: need-c-tests $(PYTHON_TESTS)/ready ## an operator that is added to a copy by the list in CONTRIBUTING.md is there, and passes
	$(Q)$(NEED) abigail-tools
	$(Q)$(PYTHON) Tests/TestSupport/add_operator.py $(WITH_OPERATOR)
	$(Q)$(MAKE) --no-print-directory -C $(WITH_OPERATOR) $(BESIDE) $(BY_AN_OPERATOR)
	$(Q)cd $(WITH_OPERATOR) && for test in every_function no_memory scenario; do $(OUT)/tests/$${test}_tests > $(BUILD)/said || { cat $(BUILD)/said; exit 1; }; done
	$(Q)cd $(WITH_OPERATOR) && $(FUZZ)/fuzz 1 1000000
	$(Q)cd $(WITH_OPERATOR) && $(PYTHON) Tests/Benchmarks/growing.py $(OUT)/benchmarks/growing Tests/Benchmarks/growth-documented $(OUT)/benchmarks/growth.md $(HEADERS)
	$(Q)cd $(WITH_OPERATOR) && SWIFTOBSERVER_LIBRARY="$$PWD/$(LIBRARY)" PYTHONPATH=bindings/python/src $(abspath $(PYTHON_TESTS))/bin/python -m pytest -q -p no:cacheprovider Tests/Python/test_scenarios.py Tests/Python/test_library.py
	+$(Q)$(MAKE) --no-print-directory -C $(WITH_OPERATOR) test-c-debugging C_TESTS=
	$(Q)cd $(WITH_OPERATOR) && $(SWIFT) test --disable-xctest --quiet --filter '^SwiftObserverTests.ScenarioTests'
	@echo "$@: passed"

.PHONY: check-model
check-model: explorer ## the protocol between threads, searched for errors through all its states, and held against what the library does
	$(Q)$(NEED) gcc spin
	$(Q)PYTHON=$(PYTHON) Tests/Models/check.sh $(BUILD)/models $(EXPLORE)/explorer
	@echo "$@: passed"
