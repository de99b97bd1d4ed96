# SPDX-License-Identifier: MIT
#
# SwiftObserver: the library, its bindings, its packages and its tests. `make help` lists the targets.
#
#   RUNTIME=embedded   Embedded Swift: small, needs libc alone (default)
#   RUNTIME=static     the ordinary Swift runtime, linked in; where a toolchain has no Embedded modules
#   V=1                shows the commands
#   PREFIX, LIBDIR, INCLUDEDIR, DESTDIR, ... as the GNU coding standards have them

.DELETE_ON_ERROR:
.SUFFIXES:
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := all

RUNTIME ?= embedded
OTHER_RUNTIME := $(if $(filter static,$(RUNTIME)),embedded,static)
ifeq ($(filter $(RUNTIME),embedded static),)
$(error RUNTIME is embedded or static, not "$(RUNTIME)")
endif

Q := $(if $(V),,@)
BUILD := build
OUT := $(BUILD)/$(RUNTIME)

SWIFTC ?= swiftc
SWIFT ?= swift
CC ?= cc
CXX ?= c++
CLANG ?= clang
PYTHON ?= python3
# Installs Debian packages that are missing, or says which.
NEED ?= Tests/TestSupport/need.sh
LD ?= ld
OBJCOPY ?= objcopy
STRIP ?= strip

PREFIX ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
LIBDIR ?= $(EXEC_PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
DATAROOTDIR ?= $(PREFIX)/share
MANDIR ?= $(DATAROOTDIR)/man
# Debian's python3 looks for packages of the system, and of the administrator, in these two places.
PYTHONDIR ?= $(if $(filter /usr,$(PREFIX)),$(PREFIX)/lib/python3/dist-packages,$(PREFIX)/lib/$(notdir $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("stdlib"))'))/dist-packages)
INSTALL ?= install
INSTALL_DATA ?= $(INSTALL) -m 644
INSTALL_PROGRAM ?= $(INSTALL)

# The version stands once, in the header.
HEADER := include/swiftobserver.h
version_part = $(shell sed -n 's/^\#define SWO_VERSION_$(1) \([0-9]*\)$$/\1/p' $(HEADER))
VERSION := $(call version_part,MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
# Goes up when, and only when, something declared in the header is removed or changes its meaning.
ABI := 0
SONAME := libswiftobserver.so.$(ABI)
LIBRARY := $(OUT)/libswiftobserver.so.$(VERSION)
ARCHIVE := $(OUT)/libswiftobserver.a
PKGCONFIG := $(OUT)/swiftobserver.pc
# What C programs get in headers alone.
ADAPTERS := $(wildcard bindings/c/include/swiftobserver/*.h)
INCLUDES := -I include -I bindings/c/include

.PHONY: all lib
all: lib $(PKGCONFIG) examples ## builds the library and the examples

lib: $(LIBRARY) $(OUT)/libswiftobserver.so $(if $(filter embedded,$(RUNTIME)),$(ARCHIVE)) ## builds libswiftobserver.so and, in embedded mode, libswiftobserver.a

# ------------------------------------------------------------------------------ compiling

# Not what only Swift programs use: its thread-local storage would bring in the dynamic linker as a need.
PLATFORM_SOURCES := $(filter-out %/threads.c,$(wildcard Sources/CPlatform/*.c))
PLATFORM_HEADERS := $(wildcard Sources/CPlatform/include/*)
ENGINE_SOURCES := $(sort $(shell find Sources/ObserverEngine -name '*.swift'))
LAYER_SOURCES := $(sort $(shell find Sources/SwiftObserverC -name '*.swift'))
LAYER_HEADERS := $(HEADER) $(wildcard Sources/CSwiftObserver/*)
OBJECTS := $(PLATFORM_SOURCES:Sources/CPlatform/%.c=$(OUT)/objects/%.o) $(OUT)/objects/engine.o $(OUT)/objects/layer.o

CFLAGS ?= -O2 -g
override CFLAGS += -std=gnu11 -fPIC -fvisibility=hidden -fstack-protector-strong -Wall -Wextra
override CPPFLAGS += -ffile-prefix-map=$(CURDIR)=.

SWIFT_TARGET ?= $(shell uname -m)-unknown-linux-gnu
SWIFTFLAGS ?= -O -g
# Functions are not copied for each closure that they are called with, nor loops written out several times: that takes
# room, and makes nothing faster.
override SWIFTFLAGS += -wmo -parse-as-library -swift-version 6 -module-cache-path $(OUT)/module-cache \
	-Xllvm -sil-disable-pass=closure-specialize -Xllvm -unroll-runtime=false \
	-file-prefix-map $(CURDIR)=. -Xfrontend -no-clang-module-breadcrumbs \
	-Xfrontend -disable-incremental-llvm-codegen -Xfrontend -function-sections -I Sources/CPlatform/include
ifeq ($(RUNTIME),embedded)
# Traps get words (CPlatform/failing.c); dwz does not read LLVM's accelerator tables.
override SWIFTFLAGS += -target $(SWIFT_TARGET) -enable-experimental-feature Embedded \
	-Xfrontend -trap-function -Xfrontend platform_trap -Xllvm -accel-tables=Disable
else
# Exclusive access is checked where the engine is tested as an ordinary module.
override SWIFTFLAGS += -static-stdlib -enforce-exclusivity=unchecked -Xllvm -accel-tables=Disable
endif

$(OUT)/objects/%.o: Sources/CPlatform/%.c $(PLATFORM_HEADERS) Makefile | compilers-found
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -I Sources/CPlatform/include -c $< -o $@

$(OUT)/objects/engine.o: $(ENGINE_SOURCES) $(PLATFORM_HEADERS) Makefile | compilers-found
	@mkdir -p $(OUT)/modules $(@D)
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -module-name ObserverEngine -emit-module \
		-emit-module-path $(OUT)/modules/ObserverEngine.swiftmodule -c $(ENGINE_SOURCES) -o $@

# The loop over the handlers begins a cache line: where it comes to lie makes a fifth of its speed.
$(OUT)/objects/layer.o: $(LAYER_SOURCES) $(LAYER_HEADERS) $(OUT)/objects/engine.o
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -module-name SwiftObserverC \
		-I $(OUT)/modules -I Sources/CSwiftObserver -c $(LAYER_SOURCES) -o $@
	$(Q)$(OBJCOPY) --set-section-alignment '.text.*CoreC5offer*=64' $@

.PHONY: compilers-found
compilers-found:
	@command -v $(SWIFTC) >/dev/null || { echo "make: no Swift compiler. Install Swift 6 or later: 'apt-get install swiftlang' (Debian 13 and later), or a toolchain from swift.org in PATH." >&2; exit 1; }
	@command -v $(CC) >/dev/null || $(NEED) build-essential

# -------------------------------------------------------------------------------- linking

# muldefs, because Swift 6.0 puts its Embedded runtime into every object.

# Exactly the functions that the header declares.
declared = sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p' $(HEADER) | sort

$(OUT)/exports.map: $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q){ echo 'SWIFTOBSERVER_$(ABI) {'; echo 'global:'; $(declared) | sed 's/.*/    &;/'; echo 'local: *;'; echo '};'; } > $@

override LDFLAGS += -Wl,-soname,$(SONAME) -Wl,--version-script,$(OUT)/exports.map \
	-Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,muldefs -Wl,--gc-sections -Wl,--as-needed
ifeq ($(RUNTIME),static)
SWIFT_STATIC = $(shell $(SWIFTC) -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')_static/linux
# gold, because bfd leaves a library with Swift's runtime in it without RELRO.
RUNTIME_LIBS = -fuse-ld=gold $(SWIFT_STATIC)/$(shell uname -m)/swiftrt.o -L$(SWIFT_STATIC) \
	-lswiftSynchronization -lswiftCore -lstdc++ -lm -ldl -lpthread
endif

$(LIBRARY): $(OBJECTS) $(OUT)/exports.map
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) $(OBJECTS) $(RUNTIME_LIBS) -o $@

$(OUT)/libswiftobserver.so: $(LIBRARY)
	$(Q)ln -sf $(<F) $(OUT)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

# One object in which only what the header declares can be seen.
$(ARCHIVE): $(OBJECTS)
	$(Q)$(LD) -r -z muldefs $(OBJECTS) -o $(OUT)/objects/all.o
	$(Q)$(declared) > $(OUT)/objects/declared
	$(Q)$(OBJCOPY) --keep-global-symbols=$(OUT)/objects/declared $(OUT)/objects/all.o
	$(Q)rm -f $@ && $(AR) rcsD $@ $(OUT)/objects/all.o

$(PKGCONFIG): pkgconfig/swiftobserver.pc.in $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' $< > $@

# ------------------------------------------------------------------------------- examples

# An example is a file, or a folder of files.
EXAMPLE_FILES := $(wildcard bindings/c/examples/*.c)
EXAMPLE_FOLDERS := $(patsubst bindings/c/examples/%/,%,$(wildcard bindings/c/examples/*/))
# What these need beyond the C library: they are built where that is, by the tests.
GLIB_EXAMPLES := $(OUT)/examples/tally
PYTHON_EXAMPLES := $(OUT)/examples/plugin
EXAMPLES := $(filter-out $(GLIB_EXAMPLES) $(PYTHON_EXAMPLES),$(EXAMPLE_FILES:bindings/c/examples/%.c=$(OUT)/examples/%) $(EXAMPLE_FOLDERS:%=$(OUT)/examples/%))
WARNINGS := -Wall -Wextra -Werror
LINK_LIBRARY = -L $(OUT) -lswiftobserver -Wl,-rpath,$(abspath $(OUT))

.PHONY: examples
examples: $(EXAMPLES)

$(GLIB_EXAMPLES): EXAMPLE_LIBRARIES = $(shell pkg-config --cflags --libs glib-2.0)
$(PYTHON_EXAMPLES): EXAMPLE_LIBRARIES = $(shell pkg-config --cflags --libs python3-embed)

$(OUT)/examples/%: bindings/c/examples/%.c $(HEADER) $(ADAPTERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) -o $@

.SECONDEXPANSION:
$(EXAMPLE_FOLDERS:%=$(OUT)/examples/%): $(OUT)/examples/%: $$(wildcard bindings/c/examples/$$*/*) $(HEADER) $(ADAPTERS) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARNINGS) $(INCLUDES) $(filter %.c,$^) $(LINK_LIBRARY) $(EXAMPLE_LIBRARIES) -lpthread -o $@

python_here = SWIFTOBSERVER_LIBRARY=$(abspath $(LIBRARY)) PYTHONPATH=bindings/python/src PYTHONDONTWRITEBYTECODE=1

.PHONY: demo
demo: $(OUT)/examples/vitals ## observes this machine for three seconds in C, and for three in Python
	@echo "vitals, in C:"; $< --seconds 3
	@echo; echo "vitals, in Python:"; $(python_here) $(PYTHON) bindings/python/examples/vitals.py --seconds 3

# ------------------------------------------------------------------------------ man pages

# Section 3 is what the headers say, section 7 the laws.
MAN := $(BUILD)/man

.PHONY: man
man: $(MAN)/swiftobserver.3 ## writes the man pages into build/man

$(MAN)/swiftobserver.3: $(wildcard bindings/c/man/*) $(HEADER) $(ADAPTERS) Makefile
	@rm -rf $(MAN)
	$(Q)$(PYTHON) bindings/c/man/generate.py $(HEADER) $(VERSION) $(MAN) $(ADAPTERS)
	$(Q)cp bindings/c/man/swiftobserver.7 $(MAN)/

# ------------------------------------------------------------------------------- installing

.PHONY: install install-lib install-headers install-pc install-man install-python uninstall
install: install-lib install-headers install-pc install-man install-python ## installs library, headers, .pc, man pages and Python package

install-lib: lib
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)
	$(INSTALL_DATA) $(LIBRARY) $(DESTDIR)$(LIBDIR)/
	ln -sf $(notdir $(LIBRARY)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libswiftobserver.so
	$(if $(filter embedded,$(RUNTIME)),$(INSTALL_DATA) $(ARCHIVE) $(DESTDIR)$(LIBDIR)/)

install-headers:
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL_DATA) $(HEADER) $(DESTDIR)$(INCLUDEDIR)/
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)/swiftobserver
	$(INSTALL_DATA) $(ADAPTERS) $(DESTDIR)$(INCLUDEDIR)/swiftobserver/

install-pc:
	@rm -f $(PKGCONFIG) && $(MAKE) --no-print-directory $(PKGCONFIG)
	$(INSTALL) -d $(DESTDIR)$(PKGCONFIGDIR)
	$(INSTALL_DATA) $(PKGCONFIG) $(DESTDIR)$(PKGCONFIGDIR)/

install-man: $(MAN)/swiftobserver.3
	$(INSTALL) -d $(DESTDIR)$(MANDIR)/man3 $(DESTDIR)$(MANDIR)/man7
	$(INSTALL_DATA) $(MAN)/*.3 $(DESTDIR)$(MANDIR)/man3/
	$(INSTALL_DATA) $(MAN)/*.7 $(DESTDIR)$(MANDIR)/man7/

install-python:
	$(INSTALL) -d $(DESTDIR)$(PYTHONDIR)/swiftobserver
	$(INSTALL_DATA) bindings/python/src/swiftobserver/*.py bindings/python/src/swiftobserver/py.typed $(DESTDIR)$(PYTHONDIR)/swiftobserver/
	$(INSTALL_DATA) bindings/python/src/pytest_swiftobserver.py $(DESTDIR)$(PYTHONDIR)/

uninstall: ## removes what install installed
	rm -f $(DESTDIR)$(LIBDIR)/libswiftobserver.so $(DESTDIR)$(LIBDIR)/libswiftobserver.so.$(ABI) \
		$(DESTDIR)$(LIBDIR)/libswiftobserver.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libswiftobserver.a \
		$(DESTDIR)$(INCLUDEDIR)/swiftobserver.h $(DESTDIR)$(PKGCONFIGDIR)/swiftobserver.pc
	rm -f $(DESTDIR)$(MANDIR)/man3/swiftobserver*.3 $(DESTDIR)$(MANDIR)/man3/swo_*.3 $(DESTDIR)$(MANDIR)/man3/SWO_*.3 $(DESTDIR)$(MANDIR)/man7/swiftobserver.7
	rm -rf $(DESTDIR)$(INCLUDEDIR)/swiftobserver $(DESTDIR)$(PYTHONDIR)/swiftobserver
	rm -f $(DESTDIR)$(PYTHONDIR)/pytest_swiftobserver.py

# ---------------------------------------------------------------------------------- tests

.PHONY: test test-other-runtime test-swift test-swift-clients test-swift-sanitized test-c test-c-valgrind test-c-sanitized test-c-races test-python test-python-others test-pypy
ifeq ($(RUNTIME),embedded)
test: test-swift test-swift-clients test-swift-sanitized test-c test-c-valgrind test-c-sanitized test-c-races test-python test-python-others test-pypy test-wheels test-other-runtime check test-package ## runs all tests; installs what they lack when root
	@echo "all tests passed"
else
test: test-c test-c-valgrind test-c-sanitized test-python
	@echo "all tests passed on the $(RUNTIME) runtime"
endif

test-other-runtime:
	$(Q)$(MAKE) --no-print-directory RUNTIME=$(OTHER_RUNTIME) test-c test-c-valgrind test-c-sanitized

test-swift: ## the Swift tests
	$(Q)$(SWIFT) test --disable-xctest
	$(Q)Tests/C/vitals_tests.sh .build/debug/vitals

test-swift-clients: ## programs that use the package, in both language modes, debug and release
	$(Q)Tests/Clients/build.sh $(BUILD)/clients

# Locals stay on the stack, for a test looks where they are; Foundation's own start-up is no leak of ours.
test-swift-sanitized: ## the Swift tests under the thread and address sanitizers
	$(Q)$(SWIFT) test --disable-xctest --quiet --sanitize=thread --scratch-path $(BUILD)/swift-thread
	$(Q)ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=0 $(SWIFT) test --disable-xctest --quiet --sanitize=address --scratch-path $(BUILD)/swift-address

C_TESTS := $(patsubst Tests/C/%,%,$(basename $(wildcard $(addprefix Tests/C/,*_tests.c adapters/*_tests.c adapters/*_tests.cpp))))
C_TEST_FLAGS := -std=gnu11 -g -O1 $(WARNINGS) $(INCLUDES)
CPP_TEST_FLAGS := -std=c++17 -g -O1 -pedantic-errors $(WARNINGS) $(INCLUDES)
C_TEST_PARTS := Tests/C/support.c Tests/C/support.h $(wildcard Tests/C/adapters/*.h) $(HEADER) $(ADAPTERS) $(OUT)/libswiftobserver.so
CMOCKA := -lcmocka -lpthread
SANITIZED := -fuse-ld=lld -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

# The adapters meet the real event loops.
$(OUT)/tests/adapters/% $(OUT)/tests-sanitized/adapters/%: EVENT_LOOPS = $(shell pkg-config --cflags --libs glib-2.0 libuv)

$(OUT)/tests/%: Tests/C/%.c $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_TEST_FLAGS) $< Tests/C/support.c $(LINK_LIBRARY) $(CMOCKA) $(EVENT_LOOPS) -o $@

$(OUT)/tests/%: Tests/C/%.cpp $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CXX) $(CPP_TEST_FLAGS) $< $(LINK_LIBRARY) -o $@

$(OUT)/tests-sanitized/%: Tests/C/%.c $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG) $(C_TEST_FLAGS) $(SANITIZED) $< Tests/C/support.c $(LINK_LIBRARY) $(CMOCKA) $(EVENT_LOOPS) -o $@

$(OUT)/tests-sanitized/%: Tests/C/%.cpp $(C_TEST_PARTS)
	@mkdir -p $(@D)
	$(Q)$(CLANG)++ $(CPP_TEST_FLAGS) $(SANITIZED) $< $(LINK_LIBRARY) -o $@

# An embedded Python that meets threads.
$(OUT)/tests/plugin/%: Tests/C/plugin/%.c $(C_TEST_PARTS) $(wildcard bindings/c/examples/plugin/interpreter.*)
	@mkdir -p $(@D)
	$(Q)$(CC) $(C_TEST_FLAGS) -I bindings/c/examples/plugin $(filter %.c,$^) $(LINK_LIBRARY) $(CMOCKA) $(shell pkg-config --cflags --libs python3-embed) -o $@

# Where the kernel has no membarrier(2), threads meet in other ways.
FENCED_C_TESTS := $(addsuffix _tests,beginning executor_storm deferring on_demand queue source stopping unbounded_queue storm thread unordered waiting)
$(OUT)/tests/no_membarrier.so: Tests/C/no_membarrier.c
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O1 -fPIC -shared $(WARNINGS) $< -ldl -o $@

# Runs programs, with a command in front of each; $(1): names, $(2): folder, $(3): the command, $(4): its name.
run_each = $(Q)for name in $(1); do echo "$$name ($(RUNTIME)$(if $(4), under $(4)))"; $(3) $(2)/$$name 2>&1 | grep -vE '^\[ +(RUN|OK) +\]' || { echo "$$name failed" >&2; exit 1; }; done

test-c: need-c-tests ## the C tests
	$(Q)$(MAKE) --no-print-directory $(C_TESTS:%=$(OUT)/tests/%) $(OUT)/tests/no_membarrier.so examples $(GLIB_EXAMPLES) $(PYTHON_EXAMPLES) $(OUT)/tests/plugin/threads_tests
	$(call run_each,$(C_TESTS),$(OUT)/tests,,)
	$(call run_each,$(FENCED_C_TESTS),$(OUT)/tests,LD_PRELOAD=$(CURDIR)/$(OUT)/tests/no_membarrier.so,a kernel without membarrier)
	$(Q)Tests/C/hello_tests.sh $(OUT)/examples/hello
	$(Q)Tests/C/vitals_tests.sh $(OUT)/examples/vitals
	$(Q)Tests/C/vitals_graph_tests.sh $(OUT)/examples/vitals
	$(Q)Tests/C/watch_tests.sh $(OUT)/examples/watch
	$(Q)Tests/C/tally_tests.sh $(OUT)/examples/tally
	$(Q)$(python_here) Tests/C/plugin_tests.sh $(OUT)/examples/plugin
	$(call run_each,plugin/threads_tests,$(OUT)/tests,$(python_here),)

test-c-valgrind: need-c-tests ## the C tests under valgrind: no error, no leak
	$(Q)$(MAKE) --no-print-directory $(C_TESTS:%=$(OUT)/tests/%)
	$(call run_each,$(C_TESTS),$(OUT)/tests,$(VALGRIND),valgrind)

test-c-sanitized: need-c-tests ## the C tests under the address and undefined behaviour sanitizers
	$(Q)$(MAKE) --no-print-directory $(C_TESTS:%=$(OUT)/tests-sanitized/%)
	$(call run_each,$(C_TESTS),$(OUT)/tests-sanitized,,sanitizers)

# The library is compiled into each program, because the sanitizer has to see its atomics. It cannot follow a fork.
RACES := $(BUILD)/races
RACING_C_TESTS := $(filter-out adapters/% forking_tests,$(C_TESTS))
test-c-races: need-c-tests ## the C tests and the library under the thread sanitizer
	$(Q)$(MAKE) --no-print-directory RUNTIME=embedded OUT=$(RACES) CC=$(CLANG) CFLAGS="-O1 -g -fsanitize=thread" \
		SWIFTFLAGS="-O -g -sanitize=thread" $(RACING_C_TESTS:%=$(RACES)/racing/%)
	$(call run_each,$(RACING_C_TESTS),$(RACES)/racing,,the thread sanitizer)

# Linked by the Swift compiler, whose sanitizer needs libraries of its own.
$(OUT)/racing/%: Tests/C/%.c Tests/C/support.c Tests/C/support.h $(HEADER) $(OBJECTS)
	@mkdir -p $(@D)
	$(Q)for source in $< Tests/C/support.c; do $(CC) $(C_TEST_FLAGS) $(CFLAGS) -c $$source -o $@.$$(basename $$source .c).o || exit 1; done
	$(Q)$(SWIFTC) -sanitize=thread -use-ld=lld -Xlinker -z -Xlinker muldefs $@.*.o $(OBJECTS) -lcmocka -ldispatch -lBlocksRuntime -o $@

# Fewer rounds, for everything takes fifty times as long.
VALGRIND = SWO_TEST_SCALE=0.02 valgrind --quiet --suppressions=Tests/C/swift-runtime.supp --leak-check=full --errors-for-leak-kinds=definite,possible --error-exitcode=1

.PHONY: need-c-tests
need-c-tests:
	$(Q)$(NEED) g++ graphviz libcmocka-dev libglib2.0-dev libuv1-dev pkg-config python3-dev valgrind $(if $(shell command -v $(CLANG)),,clang)

# A Python of the tests' own, with what they need from PyPI.
PYTHON_TESTS := $(BUILD)/python
$(PYTHON_TESTS)/ready: Tests/Python/requirements.txt Tests/Python/requirements-run.txt Tests/Benchmarks/python/requirements.txt
	$(Q)$(NEED) python3-venv
	$(Q)$(PYTHON) -m venv $(PYTHON_TESTS)
	$(Q)$(PYTHON_TESTS)/bin/pip install --quiet --requirement $<
	@touch $@

test-python: lib $(PYTHON_TESTS)/ready ## the Python tests
	$(Q)$(python_here) $(PYTHON_TESTS)/bin/python -m pytest Tests/Python
	$(Q)SWIFTOBSERVER_WAY=plain $(python_here) $(PYTHON_TESTS)/bin/python -m pytest -q Tests/Python
	$(Q)$(python_here) Tests/C/vitals_tests.sh $(PYTHON_TESTS)/bin/python bindings/python/examples/vitals.py

# Runs a command on each other Python. $(1): requirements, $(2): the command, for which $$python stands.
on_other_pythons = $(Q)found=$$(PYTHON=$(PYTHON) Tests/TestSupport/pythons.sh $(PYTHONS)); for each in $$found; do \
		folder=$(BUILD)/pythons/$${each\#\#*/}; python=$$folder/bin/python; \
		[ -e $$python ] || $$each -m venv $$folder; \
		$$python -m pip install --quiet --disable-pip-version-check --requirement $(1); \
		$(python_here) $(2); \
	done; echo "$@: done on" $${found:-none, for there is no other Python here}

# Type checkers, and the libraries that the documents compare with, are needed by the main Python alone.
test-python-others: lib ## the Python tests on each other Python that is found, or on PYTHONS="python3.12 ..."
	$(call on_other_pythons,Tests/Python/requirements-run.txt,$$python -m pytest -q Tests/Python $(BESIDE_THE_MAIN_PYTHON:%=--ignore=Tests/Python/%))

# What cannot be there stands in Tests/Python/not_on_pypy.py.
test-pypy: lib ## the Python tests on PyPy
	$(Q)$(NEED) pypy3 pypy3-venv
	$(Q)[ -e $(BUILD)/pythons/pypy3/bin/python ] || pypy3 -m venv $(BUILD)/pythons/pypy3
	$(Q)$(BUILD)/pythons/pypy3/bin/python -m pip install --quiet --disable-pip-version-check --requirement Tests/Python/requirements-run.txt
	$(Q)$(python_here) $(BUILD)/pythons/pypy3/bin/python -m pytest -q Tests/Python $(BESIDE_THE_MAIN_PYTHON:%=--ignore=Tests/Python/%)

BESIDE_THE_MAIN_PYTHON := test_typing.py test_coming_from.py

# --------------------------------------------------------------------------------- checks

.PHONY: check check-header check-layer check-exports check-abi check-version check-readme check-man check-cost
check: check-header check-layer check-exports check-version check-readme check-man check-cost lint ## everything that can drift apart holds together

# POSIX for libuv's own header; swiftobserver/scoped.h is for these two compilers alone.
check-header: ## the headers compile without a warning from C99 to C23 and from C++11 to C++20
	$(Q)$(NEED) gcc g++ libglib2.0-dev libuv1-dev pkg-config $(if $(shell command -v $(CLANG)),,clang)
	$(Q)for header in $(HEADER:include/%=%) $(ADAPTERS:bindings/c/include/%=%); do \
		for compiler in gcc $(CLANG); do \
			for standard in c99 c11 c17 c2x; do \
				echo "#include <$$header>" | $$compiler -x c -std=$$standard -pedantic-errors $(WARNINGS) $(INCLUDES) \
					-D_POSIX_C_SOURCE=200809L $$(pkg-config --cflags glib-2.0 libuv) -fsyntax-only -; \
			done; \
			for standard in c++11 c++14 c++17 c++20; do \
				echo "#include <$$header>" | $$compiler -x c++ -std=$$standard -pedantic-errors $(WARNINGS) $(INCLUDES) \
					$$(pkg-config --cflags glib-2.0 libuv) -fsyntax-only -; \
			done; \
		done; \
	done
	@echo "$@: passed"

# The compiler compares every function of a copy of the layer with its declaration in the header.
check-layer: $(OUT)/objects/engine.o ## the Swift layer implements the header's declarations, type by type
	@rm -rf $(OUT)/layer && mkdir -p $(OUT)/layer
	$(Q)for file in $(LAYER_SOURCES); do sed 's/^@_cdecl(/@implementation @_cdecl(/' $$file > $(OUT)/layer/$${file##*/}; done
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -typecheck -module-name SwiftObserverC -I $(OUT)/modules -I Sources/CSwiftObserver $(OUT)/layer/*.swift
	@echo "$@: passed"

OLDEST_GLIBC := 2.17
check-exports: lib ## the library exports exactly what the header declares, and needs no newer glibc than the wheel may
	$(Q)newest=$$(objdump -T $(LIBRARY) | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -1); \
		[ "$$(printf '%s\n' "$$newest" GLIBC_$(OLDEST_GLIBC) | sort -V | tail -1)" = GLIBC_$(OLDEST_GLIBC) ] \
		|| { echo "$@: the library needs $$newest, the wheel may need GLIBC_$(OLDEST_GLIBC)" >&2; exit 1; }
	$(Q)diff <($(declared)) <(nm -D --defined-only $(LIBRARY) | awk '$$2 != "A" { sub("@.*", "", $$3); print $$3 }' | sort)
	@echo "$@: passed"

# What was accepted stands in debian/abi, by soname.
ABI_SAFEGUARD = $(HEADER) $(SONAME) debian/abi $(CC)

.PHONY: accept-abi
check-abi: ## nothing declared was removed or changed under this soname
	$(Q)$(NEED) abigail-tools
	$(Q)Tests/TestSupport/abi.sh check $(ABI_SAFEGUARD)
	$(Q)Tests/TestSupport/abi_tests.sh $(HEADER) $(CC)
	@echo "$@: passed"

accept-abi: ## accepts what was added to the header
	$(Q)$(NEED) abigail-tools
	$(Q)Tests/TestSupport/abi.sh accept $(ABI_SAFEGUARD)

check-version: lib ## the header's version is the version of everything
	$(Q)Tests/TestSupport/version.sh $(VERSION) $(LIBRARY)
	@echo "$@: passed"

check-readme: lib ## the programs of the README print what it says
	$(Q)$(python_here) $(PYTHON) Tests/TestSupport/readme.py README.md $(OUT)

check-man: lib man ## the man pages name every function, are well formed, and their examples compile
	$(Q)$(NEED) libglib2.0-dev libuv1-dev man-db mandoc pkg-config
	$(Q)Tests/TestSupport/man.sh $(MAN) $(HEADER) bindings/c/include/swiftobserver $(CC) -std=gnu11 $(WARNINGS) -Wno-unused-parameter \
		$(INCLUDES) $$(pkg-config --cflags glib-2.0 libuv) $(LINK_LIBRARY)
	@echo "$@: passed"

check-cost: lib ## no operation takes more instructions than its limit
	$(Q)$(NEED) valgrind
	$(Q)$(MAKE) --no-print-directory $(OUT)/benchmarks/cost
	$(Q)Tests/Benchmarks/cost.sh $(OUT)/benchmarks/cost

SWIFT_FILES = $(shell git ls-files -co --exclude-standard '*.swift')
C_FILES = $(shell git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp')
PYTHON_FILES = bindings/python bindings/c Tests

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
	$(Q)shellcheck $(shell git ls-files -co --exclude-standard '*.sh') .ci/run
	@echo "$@: passed"

# ------------------------------------------------------------------------- documentation

SYMBOLS := $(BUILD)/symbols
DOCC = $(firstword $(wildcard $(dir $(realpath $(shell command -v $(SWIFTC))))docc) docc)
# The modules that have a catalogue.
DOCUMENTED := $(patsubst Sources/%/,%,$(dir $(wildcard Sources/*/*.docc)))

.PHONY: docs
docs: ## builds the Swift documentation, without a warning, into build/docs, a folder a module
	$(Q)rm -rf $(SYMBOLS) $(BUILD)/docs $(BUILD)/docs-build && mkdir -p $(SYMBOLS)/all $(BUILD)/docs
	$(Q)for module in $(DOCUMENTED); do \
		$(SWIFT) build --target $$module --scratch-path $(BUILD)/docs-build \
			-Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc $(abspath $(SYMBOLS))/all; \
		mkdir $(SYMBOLS)/$$module; \
		find $(SYMBOLS)/all \( -name "$$module.*" -o -name "$$module@*" \) -exec cp -t $(SYMBOLS)/$$module {} +; \
		$(DOCC) convert Sources/$$module/$$module.docc --warnings-as-errors \
			--additional-symbol-graph-dir $(SYMBOLS)/$$module --output-path $(BUILD)/docs/$$module \
			--fallback-display-name $$module --fallback-bundle-identifier $$module; \
	done
	@echo "$(BUILD)/docs"

# ----------------------------------------------------------------------------- benchmarks

BENCHMARKS := $(patsubst Tests/Benchmarks/c/%.c,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/c/*.c)) \
	$(patsubst Tests/Benchmarks/cxx/%.cpp,$(OUT)/benchmarks/%,$(wildcard Tests/Benchmarks/cxx/*.cpp))

$(addprefix $(OUT)/benchmarks/,gobject handover): PEERS = $(shell pkg-config --cflags --libs gobject-2.0)

$(OUT)/benchmarks/%: Tests/Benchmarks/c/%.c Tests/Benchmarks/c/measure.h $(HEADER) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 -O2 -falign-functions=64 -falign-loops=32 $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) $(PEERS) -lpthread -ldl -o $@

$(OUT)/benchmarks/%: Tests/Benchmarks/cxx/%.cpp Tests/Benchmarks/c/measure.h $(HEADER) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CXX) -std=c++17 -O2 -fPIC -falign-functions=64 -falign-loops=32 $(WARNINGS) $(INCLUDES) $< $(LINK_LIBRARY) $(shell pkg-config --cflags --libs sigc++-3.0 Qt6Core) -lpthread -o $@

GOBJECT = $(shell ldconfig -p | sed -n 's/.*libgobject-2.0.so.0 .*=> //p' | head -n 1)

.PHONY: bench bench-c bench-swift bench-python bench-python-others
bench: bench-c bench-swift bench-python ## measures, as ratios against a baseline or a peer in the same run; JSON in build/bench

bench-c:
	$(Q)$(NEED) g++ libboost-dev libglib2.0-dev libsigc++-3.0-dev pkg-config python3 qt6-base-dev
	$(Q)$(MAKE) --no-print-directory $(BENCHMARKS)
	$(Q)strip -o $(OUT)/benchmarks/stripped.so $(LIBRARY)
	$(Q)for process in 1 2 3 4 5 6 7; do $(OUT)/benchmarks/delivery; $(OUT)/benchmarks/observing; \
		$(OUT)/benchmarks/gobject; $(OUT)/benchmarks/handover; $(OUT)/benchmarks/peers; \
		$(OUT)/benchmarks/loading $(GOBJECT) libgobject $(OUT)/benchmarks/stripped.so swiftobserver; done \
		| $(PYTHON) Tests/Benchmarks/table.py "C, $(RUNTIME) runtime" $(BUILD)/bench/c-$(RUNTIME).json
	$(Q)$(PYTHON) Tests/Benchmarks/bars.py $(BUILD)/bench/c-$(RUNTIME).json

SWIFT_BENCHMARKS := $(BUILD)/swift-benchmarks

bench-swift:
	$(Q)$(SWIFT) build -c release --package-path Tests/Benchmarks/swift --scratch-path $(SWIFT_BENCHMARKS)
	$(Q){ $(SWIFT_BENCHMARKS)/release/bench; $(SWIFT_BENCHMARKS)/release/allocations; } \
		| $(PYTHON) Tests/Benchmarks/table.py "Swift" $(BUILD)/bench/swift.json

bench-python: lib $(PYTHON_TESTS)/ready
	$(Q)$(python_here) $(PYTHON_TESTS)/bin/python Tests/Benchmarks/python/bench.py --json $(BUILD)/bench/python.json

bench-python-others: lib ## the Python benchmark on each other Python that is found, or on PYTHONS="python3.12 ..."
	$(call on_other_pythons,Tests/Benchmarks/python/requirements.txt,$$python Tests/Benchmarks/python/bench.py --json $(BUILD)/bench/$${each##*/}.json)

# --------------------------------------------------------------------------------- wheels

WHEELS ?= $(BUILD)/wheels
STRIPPED := $(OUT)/stripped/$(SONAME)
# Archives have the time of the changelog, so that a second build gives the same bytes.
changelog_time = $(shell date +%s --date "$$(sed -n 's/^ -- .*>  //p' debian/changelog | head -n 1)")
wheel_build = SOURCE_DATE_EPOCH=$(changelog_time) SWIFTOBSERVER_BUNDLE=$(1) $(PYTHON_TESTS)/bin/python -m build --no-isolation --outdir $(2) $(3) bindings/python

$(STRIPPED): $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(STRIP) --strip-unneeded -o $@ $<

.PHONY: wheel test-wheels
# The tag of the second wheel is the oldest that auditwheel proves.
wheel: $(STRIPPED) $(PYTHON_TESTS)/ready ## builds sdist, pure wheel and a wheel with the library into build/wheels
	$(Q)rm -rf $(WHEELS) && mkdir -p $(WHEELS)
	$(Q)$(call wheel_build,none,$(WHEELS),--sdist --wheel) > $(WHEELS).log 2>&1 || { cat $(WHEELS).log >&2; exit 1; }
	$(Q)$(call wheel_build,$(abspath $<),$(WHEELS)/unproven,--wheel) > $(WHEELS).log 2>&1 || { cat $(WHEELS).log >&2; exit 1; }
	$(Q)umask 022; PATH="$(abspath $(PYTHON_TESTS))/bin:$$PATH" SOURCE_DATE_EPOCH=$(changelog_time) auditwheel repair --wheel-dir $(WHEELS) $(WHEELS)/unproven/*.whl > $(WHEELS).log 2>&1 \
		|| { cat $(WHEELS).log >&2; exit 1; }
	$(Q)rm -r $(WHEELS)/unproven
	$(Q)ls $(WHEELS)/*

test-wheels: wheel ## installs the wheels in fresh environments, and the checkout itself
	$(Q)$(NEED) file unzip
	$(Q)Tests/Package/wheels.sh $(WHEELS) $(PYTHON_TESTS)

# ------------------------------------------------------------------------------- packages

include debian/package.mk

.PHONY: clean help
clean: ## removes everything that was built
	rm -rf $(BUILD) .build

help: ## lists the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort | expand -t 22
