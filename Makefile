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
CLANG ?= clang
PYTHON ?= python3
LD ?= ld
OBJCOPY ?= objcopy

PREFIX ?= /usr/local
EXEC_PREFIX ?= $(PREFIX)
LIBDIR ?= $(EXEC_PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
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

.PHONY: all lib
all: lib $(PKGCONFIG) examples ## builds the library and the examples

lib: $(LIBRARY) $(OUT)/libswiftobserver.so $(if $(filter embedded,$(RUNTIME)),$(ARCHIVE)) ## builds libswiftobserver.so and, in embedded mode, libswiftobserver.a

# ------------------------------------------------------------------------------ compiling

PLATFORM_SOURCES := $(wildcard Sources/CPlatform/*.c)
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
override SWIFTFLAGS += -wmo -parse-as-library -swift-version 6 -module-cache-path $(OUT)/module-cache \
	-file-prefix-map $(CURDIR)=. -Xfrontend -no-clang-module-breadcrumbs -I Sources/CPlatform/include
ifeq ($(RUNTIME),embedded)
# Traps get words (CPlatform/failing.c); dwz does not read LLVM's accelerator tables.
override SWIFTFLAGS += -target $(SWIFT_TARGET) -enable-experimental-feature Embedded \
	-Xfrontend -trap-function -Xfrontend platform_trap -Xllvm -accel-tables=Disable
else
# Exclusive access is checked where the engine is tested as an ordinary module.
override SWIFTFLAGS += -static-stdlib -enforce-exclusivity=unchecked -Xllvm -accel-tables=Disable
endif

$(OUT)/objects/%.o: Sources/CPlatform/%.c $(PLATFORM_HEADERS) Makefile | swift-found
	@mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -I Sources/CPlatform/include -c $< -o $@

$(OUT)/objects/engine.o: $(ENGINE_SOURCES) $(PLATFORM_HEADERS) Makefile | swift-found
	@mkdir -p $(OUT)/modules $(@D)
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -module-name ObserverEngine -emit-module \
		-emit-module-path $(OUT)/modules/ObserverEngine.swiftmodule -c $(ENGINE_SOURCES) -o $@

$(OUT)/objects/layer.o: $(LAYER_SOURCES) $(LAYER_HEADERS) $(OUT)/objects/engine.o
	$(Q)$(SWIFTC) $(SWIFTFLAGS) -module-name SwiftObserverC -I $(OUT)/modules -I Sources/CSwiftObserver \
		-c $(LAYER_SOURCES) -o $@

.PHONY: swift-found
swift-found:
	@command -v $(SWIFTC) >/dev/null || { echo "make: no Swift compiler. Install Swift 6 or later: 'apt-get install swiftlang' (Debian 13 and later), or a toolchain from swift.org in PATH." >&2; exit 1; }

# -------------------------------------------------------------------------------- linking

# Exactly the functions that the header declares.
declared = sed -n 's/^SWO_API .*\<\(swo_[a-z0-9_]*\)(.*/\1/p' $(HEADER) | sort

$(OUT)/exports.map: $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q){ echo 'SWIFTOBSERVER_$(ABI) {'; echo 'global:'; $(declared) | sed 's/.*/    &;/'; echo 'local: *;'; echo '};'; } > $@

override LDFLAGS += -Wl,-soname,$(SONAME) -Wl,--version-script,$(OUT)/exports.map \
	-Wl,-z,defs -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack -Wl,--gc-sections -Wl,--as-needed
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
	$(Q)$(LD) -r $(OBJECTS) -o $(OUT)/objects/all.o
	$(Q)$(declared) > $(OUT)/objects/declared
	$(Q)$(OBJCOPY) --keep-global-symbols=$(OUT)/objects/declared $(OUT)/objects/all.o
	$(Q)rm -f $@ && $(AR) rcsD $@ $(OUT)/objects/all.o

$(PKGCONFIG): pkgconfig/swiftobserver.pc.in $(HEADER) Makefile
	@mkdir -p $(@D)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' $< > $@

# ------------------------------------------------------------------------------- examples

EXAMPLE_NAMES := $(basename $(notdir $(wildcard bindings/c/examples/*.c)))
EXAMPLES := $(EXAMPLE_NAMES:%=$(OUT)/examples/%)
EXAMPLE_FLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -I include
LINK_LIBRARY = -L $(OUT) -lswiftobserver -Wl,-rpath,$(abspath $(OUT))

.PHONY: examples
examples: $(EXAMPLES)

$(OUT)/examples/%: bindings/c/examples/%.c $(wildcard bindings/c/examples/*/*) $(OUT)/libswiftobserver.so
	@mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_FLAGS) $< $(wildcard bindings/c/examples/$*/*.c) $(LINK_LIBRARY) -o $@

python_here = SWIFTOBSERVER_LIBRARY=$(abspath $(LIBRARY)) PYTHONPATH=bindings/python/src PYTHONDONTWRITEBYTECODE=1

.PHONY: demo
demo: $(OUT)/examples/vitals ## observes this machine for three seconds in C, and for three in Python
	@echo "vitals, in C:"; $< --seconds 3
	@echo; echo "vitals, in Python:"; $(python_here) $(PYTHON) bindings/python/examples/vitals.py --seconds 3

# ------------------------------------------------------------------------------- installing

.PHONY: install install-lib install-headers install-pc install-python uninstall
install: install-lib install-headers install-pc install-python ## installs library, header, .pc and Python package

install-lib: lib
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)
	$(INSTALL_DATA) $(LIBRARY) $(DESTDIR)$(LIBDIR)/
	ln -sf $(notdir $(LIBRARY)) $(DESTDIR)$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libswiftobserver.so
	$(if $(filter embedded,$(RUNTIME)),$(INSTALL_DATA) $(ARCHIVE) $(DESTDIR)$(LIBDIR)/)

install-headers:
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL_DATA) $(HEADER) $(DESTDIR)$(INCLUDEDIR)/

install-pc:
	@rm -f $(PKGCONFIG) && $(MAKE) --no-print-directory $(PKGCONFIG)
	$(INSTALL) -d $(DESTDIR)$(PKGCONFIGDIR)
	$(INSTALL_DATA) $(PKGCONFIG) $(DESTDIR)$(PKGCONFIGDIR)/

install-python:
	$(INSTALL) -d $(DESTDIR)$(PYTHONDIR)/swiftobserver
	$(INSTALL_DATA) bindings/python/src/swiftobserver/*.py bindings/python/src/swiftobserver/py.typed $(DESTDIR)$(PYTHONDIR)/swiftobserver/

uninstall: ## removes what install installed
	rm -f $(DESTDIR)$(LIBDIR)/libswiftobserver.so $(DESTDIR)$(LIBDIR)/libswiftobserver.so.$(ABI) \
		$(DESTDIR)$(LIBDIR)/libswiftobserver.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libswiftobserver.a \
		$(DESTDIR)$(INCLUDEDIR)/swiftobserver.h $(DESTDIR)$(PKGCONFIGDIR)/swiftobserver.pc
	rm -rf $(DESTDIR)$(PYTHONDIR)/swiftobserver

.PHONY: clean help
clean: ## removes everything that was built
	rm -rf $(BUILD) .build

help: ## lists the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' $(MAKEFILE_LIST) | sort | expand -t 18
