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
# Where it is told what is being done: the terminal, if somebody looks.
export PROGRESS ?= $(shell [ -t 2 ] && (: > /dev/tty) 2> /dev/null && echo /dev/tty || echo /dev/null)
tell = @printf '%s\n' "$(1)" > $(PROGRESS)
showing = Tests/TestSupport/showing.sh '$(1)'
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

# Swift's package manager keeps caches at home. Who has none, has it here.
ifneq ($(shell [ -w "$$HOME" ] || echo none),)
export HOME := $(CURDIR)/$(BUILD)/home
endif

PREFIX ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
LIBDIR ?= $(EXEC_PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
DATAROOTDIR ?= $(PREFIX)/share
CMAKEDIR ?= $(LIBDIR)/cmake/swiftobserver
VAPIDIR ?= $(DATAROOTDIR)/vala/vapi
MANDIR ?= $(DATAROOTDIR)/man
# Debian's python3 looks for packages of the system, and of the administrator, in these two places.
PYTHONDIR ?= $(if $(filter /usr,$(PREFIX)),$(PREFIX)/lib/python3/dist-packages,$(PREFIX)/lib/$(notdir $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("stdlib"))'))/dist-packages)
INSTALL ?= install
INSTALL_DATA ?= $(INSTALL) -m 644
INSTALL_PROGRAM ?= $(INSTALL)

# Asked before anything is built.
NEEDS_PYTHON := install install-man install-python man demo demo-relay test-relay wheel smoke test test-more test-all test-demo test-wheels test-peers test-promises promises test-pypy test-swift test-articles \
	test-python% check check-man check-readme check-types bench% test-bench
ifneq ($(filter $(NEEDS_PYTHON),$(MAKECMDGOALS)),)
ifneq ($(shell { $(PYTHON) -c "import sys; print(sys.version_info >= (3, 9))"; } 2>/dev/null),True)
$(error there is no Python 3.9 or later ($(PYTHON)), which 'make $(firstword $(filter $(NEEDS_PYTHON),$(MAKECMDGOALS)))' needs: 'apt-get install python3', or PYTHON=a path. Without it: make install-lib install-headers install-pc)
endif
endif

# What the library exports is declared in these; the version stands once, in the first.
HEADER := include/swiftobserver.h
# What relays to other machines is a library of its own: Sources/relay.mk.
HEADERS := $(HEADER) $(filter-out %/relay.h,$(wildcard include/swiftobserver/*.h))
version_part = $(shell sed -n 's/^\#define SWO_VERSION_$(1) \([0-9]*\)$$/\1/p' $(HEADER))
VERSION := $(call version_part,MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
# Goes up when, and only when, something declared in the headers is removed or changes its meaning.
ABI := 0
SONAME := libswiftobserver$(VARIANT).so.$(ABI)
LIBRARY := $(OUT)/libswiftobserver$(VARIANT).so.$(VERSION)
ARCHIVE := $(OUT)/libswiftobserver.a
PKGCONFIG := $(OUT)/swiftobserver.pc
# What C programs get in headers alone.
ADAPTERS := $(wildcard bindings/c/include/swiftobserver/*.h)
ADAPTERS_OF_CPP := $(wildcard bindings/c/include/swiftobserver/*.hpp)
CPP_HEADERS := bindings/c/include/swiftobserver.hpp $(ADAPTERS_OF_CPP) $(wildcard bindings/c/include/swiftobserver/cpp/*.hpp)
INCLUDES = $(if $(INSTALLED),$(shell pkg-config --cflags swiftobserver),-I include -I bindings/c/include)

.PHONY: all lib
all: lib $(PKGCONFIG) examples ## builds the library and the examples
	@printf '%s\n' $(PKGCONFIG) $(EXAMPLES)
	@echo
	@echo "Next: make demo shows what it does, sudo make install installs it into $(PREFIX) (PREFIX=... elsewhere),"
	@echo "make deb builds Debian packages, make wheel and pip install ./bindings/python are for Python, make help lists the rest."

lib: $(LIBRARY) $(OUT)/libswiftobserver.so $(if $(filter embedded,$(RUNTIME)),$(ARCHIVE)) ## builds libswiftobserver.so and, in embedded mode, libswiftobserver.a
	@$(if $(filter lib all,$(or $(MAKECMDGOALS),all)),printf '%s\n' $^,:)

# ------------------------------------------------------------------------------ compiling

# Not what only Swift programs use: its thread-local storage would bring in the dynamic linker as a need.
PLATFORM_SOURCES := $(filter-out %/threads.c %/saying.c,$(wildcard Sources/CPlatform/*.c))
PLATFORM_HEADERS := $(wildcard Sources/CPlatform/*.h Sources/CPlatform/include/*)
ENGINE_SOURCES := $(sort $(shell find Sources/ObserverEngine -name '*.swift'))
LAYER_SOURCES := $(sort $(shell find Sources/SwiftObserverC -name '*.swift'))
LAYER_HEADERS := $(HEADERS) $(wildcard Sources/CSwiftObserver/*)
OBJECTS := $(PLATFORM_SOURCES:Sources/CPlatform/%.c=$(OUT)/objects/%.o) $(OUT)/objects/engine.o $(OUT)/objects/layer.o $(OUT)/objects/thread.o

CFLAGS ?= -O2 -g
# What the environment has set, for a library that is made beside this one.
GIVEN_FLAGS := CFLAGS="$(CFLAGS)" LDFLAGS="$(LDFLAGS)"
GIVEN_CPPFLAGS := $(CPPFLAGS)
override CFLAGS += -std=gnu11 -fPIC -fvisibility=hidden -fstack-protector-strong -Wall -Wextra
override CPPFLAGS += '-ffile-prefix-map=$(CURDIR)=.'

include Sources/target.mk
SWIFTFLAGS ?= -O -g
# Functions are not copied for each closure that they are called with, loops are not written out several times nor aligned,
# and counting a reference is a call: anything else takes room, and makes nothing faster.
override SWIFTFLAGS += -wmo -parse-as-library -swift-version 6 -module-cache-path $(OUT)/module-cache \
	-Xllvm -sil-disable-pass=closure-specialize -Xllvm -unroll-runtime=false $(COUNTING_IS_A_CALL) \
	$(if $(filter x86_64,$(PROCESSOR)),-Xllvm -x86-experimental-pref-innermost-loop-alignment=0) \
	-file-prefix-map '$(CURDIR)=.' -Xfrontend -no-clang-module-breadcrumbs \
	-Xfrontend -disable-incremental-llvm-codegen -Xfrontend -function-sections -I Sources/CPlatform/include
ifeq ($(RUNTIME),embedded)
# Traps get words (CPlatform/failing.c); dwz does not read LLVM's accelerator tables. Before 6.3, the compiler has to be told
# that unwind tables of the engine are for debuggers alone.
override SWIFTFLAGS += -target $(SWIFT_TARGET) $(SWIFT_TARGET_FLAGS) -enable-experimental-feature Embedded \
	-Xcc -fno-asynchronous-unwind-tables -Xcc -fno-unwind-tables \
	-Xfrontend -trap-function -Xfrontend platform_trap -Xllvm -accel-tables=Disable
else
# Exclusive access is checked where the engine is tested as an ordinary module.
override SWIFTFLAGS += -static-stdlib -enforce-exclusivity=unchecked -Xllvm -accel-tables=Disable
endif

$(OUT)/objects/%.o: Sources/CPlatform/%.c $(PLATFORM_HEADERS) Makefile | $(OUT)/compilers-found
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -I Sources/CPlatform/include -c $< -o $@

$(OUT)/objects/thread.o: Sources/SwiftObserverC/thread.c $(HEADERS) Makefile | $(OUT)/compilers-found
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -I include -c $< -o $@

$(OUT)/objects/engine.o: $(ENGINE_SOURCES) $(PLATFORM_HEADERS) Makefile | $(OUT)/compilers-found
	@mkdir -p $(OUT)/modules $(@D)
	$(Q)$(call showing,compiling the engine) $(SWIFTC) $(SWIFTFLAGS) -module-name ObserverEngine -emit-module \
		-emit-module-path $(OUT)/modules/ObserverEngine.swiftmodule -c $(ENGINE_SOURCES) -o $@
	$(Q)$(OBJCOPY) $(DENSELY) $(OWN_MEMORY) $@

# The engine's own objects come from CPlatform/memory.c, which has a reserve.
OWN_MEMORY := $(if $(filter embedded,$(RUNTIME)),--redefine-sym posix_memalign=platform_memalign --redefine-sym free=platform_dealloc)

# Functions follow each other without gaps; but the loop over the handlers begins a cache line: where it comes to lie makes
# a fifth of its speed.
DENSELY := --set-section-alignment '.text.*=4' --set-section-alignment '.text.*dispatchToMany*=64'

# Assembled in a step of its own: the unwind tables say what is needed of them, and each C function has the line of its source.
# The assembler is the one that comes with Swift: others do not read the names of its symbols.
ASSEMBLER ?= $(or $(wildcard $(dir $(realpath $(shell command -v $(SWIFTC))))clang),$(CLANG))
LINES := Sources/Assembly/lines.awk
UNWINDING := Sources/Assembly/unwinding.awk
$(OUT)/objects/layer.o: $(LAYER_SOURCES) $(LAYER_HEADERS) $(LINES) $(UNWINDING) $(OUT)/objects/engine.o
	$(Q)$(call showing,compiling the C layer) $(SWIFTC) $(SWIFTFLAGS) -module-name SwiftObserverC \
		-I $(OUT)/modules -I Sources/CSwiftObserver -emit-assembly $(LAYER_SOURCES) -o $(@:.o=.compiled)
	$(Q)awk -f $(LINES) $(LAYER_SOURCES) $(@:.o=.compiled) $(@:.o=.compiled) \
		| awk -f $(UNWINDING) $(OTHER_NAMES) > $(@:.o=.s)
	$(Q)$(ASSEMBLER) --target=$(SWIFT_TARGET) $(bare_flags_$(PROCESSOR)) -ffile-compilation-dir=. -c $(@:.o=.s) -o $@
	$(Q)$(OBJCOPY) $(DENSELY) $(OWN_MEMORY) $(SWIFT_NAMES) $@

# -------------------------------------------------------------------------------- linking

# muldefs, because Swift 6.0 puts its Embedded runtime into every object.

# Exactly what the headers declare.
declared = sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p; s/^extern SWO_API .*\<\(swo_[a-z0-9_]*\) __attribute__.*/\1/p' $(HEADERS) | sort

$(OUT)/exports.map: $(HEADERS) Makefile
	@mkdir -p $(@D)
	$(Q){ echo 'SWIFTOBSERVER_$(ABI) {'; echo 'global:'; $(declared) | sed 's/.*/    &;/'; echo 'local: *;'; echo '};'; } > $@

override LDFLAGS += -Wl,-soname,$(SONAME) -Wl,--version-script,$(OUT)/exports.map \
	-Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,-z,muldefs -Wl,--gc-sections -Wl,--as-needed \
	$(if $(filter /usr,$(PREFIX)),,-Wl,-rpath,'$$ORIGIN')
ifeq ($(RUNTIME),static)
SWIFT_STATIC = $(shell $(SWIFTC) -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')_static/linux
# gold, because bfd leaves a library with Swift's runtime in it without RELRO.
RUNTIME_LIBS = -fuse-ld=gold $(SWIFT_STATIC)/$(PROCESSOR)/swiftrt.o -L$(SWIFT_STATIC) \
	-lswiftSynchronization -lswiftCore -lstdc++ -lm -ldl -lpthread
else
# Code and constants share pages: two mappings and a page of zeros less for so small a library. (gold has no such option.)
override LDFLAGS += -Wl,-z,noseparate-code
endif

$(LIBRARY): $(OBJECTS) $(OUT)/exports.map
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) $(OBJECTS) $(RUNTIME_LIBS) -o $@

$(OUT)/libswiftobserver.so: $(LIBRARY)
	$(Q)ln -sf $(<F) $(OUT)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

# One object in which only what the headers declare can be seen.
$(ARCHIVE): $(OBJECTS)
	$(Q)$(LD) -r -z muldefs $(OBJECTS) -o $(OUT)/objects/all.o
	$(Q)$(declared) > $(OUT)/objects/declared
	$(Q)$(OBJCOPY) --keep-global-symbols=$(OUT)/objects/declared $(OUT)/objects/all.o
	$(Q)rm -f $@ && $(AR) rcsD $@ $(OUT)/objects/all.o

$(PKGCONFIG): pkgconfig/swiftobserver.pc.in $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' $< > $@

include Sources/relay.mk Sources/debugging.mk bindings/c/c.mk bindings/demo/demo.mk pkgconfig/install.mk Tests/Package/dist.mk

# ---------------------------------------------------------------------------------- tests

# What runs beside each other. Where make was told -j already, that holds.
JOBS ?= $(shell nproc)
BESIDE = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))
comma := ,
space := $(subst ,, )
# Ends what hangs, with all that it began, after so many minutes.
WATCHDOG := Tests/TestSupport/watchdog.sh

# The Python package of this checkout with the library that was built here.
python_here = SWIFTOBSERVER_LIBRARY="$(CURDIR)/$(LIBRARY)" PYTHONPATH="$(CURDIR)/bindings/python/src" PYTHONDONTWRITEBYTECODE=1

# Makes a target and says how long it took; $(call beside,...): several beside each other.
.PHONY: timed-%
timed-%:
	$(Q)Tests/TestSupport/part.sh $* $(MAKE) --no-print-directory $*
# What two of them build is built once.
timed-test-relay-valgrind: | timed-test-relay-faults
timed-check-model: | timed-explore
in_turn = +$(Q)for suite in $(1); do $(MAKE) --no-print-directory timed-$$suite; done
beside = +$(Q)$(MAKE) --no-print-directory --output-sync=target $(BESIDE) $(addprefix timed-,$(1))
begin_parts = $(Q)Tests/TestSupport/part.sh --begin $(1)

.PHONY: smoke test test-more test-all
smoke: ## within a minute: the library, plain C tests, fast Python tests, the Swift tests of MODULE=SwiftObserver
	$(call begin_parts,4)
	$(call in_turn,lib)
	$(call beside,smoke-python smoke-swift smoke-c)

# What takes longest comes first.
TEST_BESIDE := test-swift test-python test-c test-relay test-fuzz test-inspect test-demo
test: ## all languages, in ten minutes; installs what is missing when root
	$(call begin_parts,$(words lib $(TEST_BESIDE)))
	$(call in_turn,lib)
	$(call beside,$(TEST_BESIDE))
	@echo "all tests passed; make test-more has the checks and the packages, make test-all the rest"

MORE_BESIDE := check test-install test-python-plain test-c-sanitized test-c-debugging test-cost-swift
test-more: ## what must pass with that before a change lands: checks, packages and their suites, plain Python, sanitized and debugged C, costs of Swift
	$(call begin_parts,$(words lib $(MORE_BESIDE)))
	$(call in_turn,lib)
	$(call beside,$(MORE_BESIDE))
	@echo "all checks passed; make test-all has the rest"

# The matrix comes last: its table is in a file that the packages are made of.
REST_FIRST := lib test-swift-thread test-swift-address test-swift-clients
REST_BESIDE := test-inspect-page test-python-others test-peers test-promises test-other-runtime test-c-valgrind test-relay-faults test-relay-valgrind test-c-biased test-c-traced \
	test-c-races test-fuzz-more check-model explore test-pypy test-wheels test-spaces test-building test-consumers \
	test-package test-new-users test-reproducible test-bench test-operator site
test-all: ## the rest, before a release: sanitizers, valgrind, the other runtime, other Pythons, wheels, clean roots
	$(call begin_parts,$(words $(REST_FIRST) $(REST_BESIDE) matrix-here))
	$(call in_turn,$(REST_FIRST))
	$(call beside,$(REST_BESIDE))
	$(call in_turn,matrix-here)
	@echo "all the rest passed"

include Tests/swift.mk Tests/C/tests.mk Tests/Fuzz/fuzz.mk Tests/Soak/soak.mk Tests/Mutation/mutation.mk Tests/Explore/explore.mk Tests/Python/tests.mk Tests/Coverage/coverage.mk Tests/Peers/peers.mk Tests/relay.mk Tests/checks.mk Tests/Benchmarks/benchmarks.mk
include bindings/python/wheel.mk Sources/documentation.mk Tests/torture.mk
# What Debian's packages are made from: not in the tarball that Debian takes as upstream's.
-include debian/package.mk

.PHONY: clean help help-all
clean: ## removes everything that was built
	rm -rf $(BUILD) .build

FOR_USERS := demo test bench install deb
described = @sed -n 's/^\([a-z][a-z-]*\):.*\#\# \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort | expand -t 22
help: ## lists the targets that most people want
	$(described) | grep -wE '^($(subst $(space),|,$(FOR_USERS))) '
	@echo "make help-all lists all of them; CONTRIBUTING.md says which ones change what."

help-all: ## lists all targets
	$(described)
