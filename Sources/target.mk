# SPDX-License-Identifier: MIT
# For which machine Swift compiles, and whether it can. Included by the Makefile.

# The machine is the C compiler's. Where Swift has no Embedded modules for its Linux, it has them for the bare processor:
# those, with the headers of the machine's C library.
MACHINE := $(shell { $(CC) -dumpmachine; } 2>/dev/null)
PROCESSOR := $(firstword $(subst -, ,$(MACHINE)))
bare_target = $(or $(bare_target_$(PROCESSOR)),$(PROCESSOR)-none-none-elf)
bare_target_riscv64 := riscv64-none-none-eabi
bare_target_arm := armv7-none-none-eabi
bare_target_i686 := i686-unknown-none-elf
bare_flags_riscv64 := -march=rv64gc -mabi=lp64d
bare_flags_arm := -march=armv7-a -mfpu=vfpv3-d16 -mfloat-abi=hard
# For that processor, glibc's headers declare numbers of 128 bits, which clang has on Linux alone: a name is enough.
imported_flags_i686 := '-D__TC__=__XC__' '-D__float128=__typeof__(1.0L)'
# Its bare compiler keeps the stack's guard where no C library has one.
swift_flags_i686 := -Xfrontend -disable-stack-protector
SWIFT_TARGET ?= $(if $(filter x86_64 $(if $(filter static,$(RUNTIME)),%),$(PROCESSOR)),$(PROCESSOR)-unknown-linux-gnu,$(bare_target))
ifneq ($(findstring -none,$(SWIFT_TARGET)),)
bare_flags := -fPIC -D__linux__ -D__unix__ -D__gnu_linux__ -isystem /usr/$(MACHINE)/include -isystem /usr/include/$(MACHINE) -isystem /usr/include \
	$(bare_flags_$(PROCESSOR))
SWIFT_TARGET_FLAGS := $(addprefix -Xcc ,$(bare_flags) $(imported_flags_$(PROCESSOR))) $(swift_flags_$(PROCESSOR))
endif

# Some assemblers take no name that begins with a dollar sign: Sources/Assembly/names.sed.
ifneq ($(filter arm riscv64,$(PROCESSOR)),)
OTHER_NAMES := | sed -f Sources/Assembly/names.sed
SWIFT_NAMES = --redefine-syms=<(grep -oE '_\$$[es][0-9a-zA-Z][0-9a-zA-Z_.$$]*' $(@:.o=.s) | sort -u | sed 's/^_\(.*\)/& \1/')
endif

# Asked once.
$(OUT)/compilers-found:
	@mkdir -p $(@D)
	@command -v $(SWIFTC) >/dev/null || { echo "make: there is no Swift compiler ($(SWIFTC)). Install Swift 6 or later: 'apt-get install swiftlang' (Debian 13 and later), or a toolchain from swift.org in PATH." >&2; exit 1; }
	@command -v $(CC) >/dev/null && command -v $(LD) >/dev/null && command -v $(OBJCOPY) >/dev/null || $(NEED) build-essential
	@command -v $(CC) >/dev/null || { echo "make: there is no C compiler ($(CC)): 'apt-get install build-essential', or CC=a path." >&2; exit 1; }
	@command -v $(LD) >/dev/null && command -v $(OBJCOPY) >/dev/null || { echo "make: there is no linker ($(LD)), or no objcopy ($(OBJCOPY)): 'apt-get install binutils', or LD= and OBJCOPY= their paths." >&2; exit 1; }
	@[ '$(MACHINE)' ] || { machine=$$($(CC) -dumpmachine) && echo "make: the C compiler is there now, which says for which machine to build ($$machine): run make again." >&2; exit 1; }
	@command -v $(ASSEMBLER) >/dev/null || $(NEED) clang
	@# Static probes, for tracers: without the header there are none.
	@echo '#include <sys/sdt.h>' | $(CC) -E - >/dev/null 2>&1 || $(NEED) systemtap-sdt-dev >/dev/null 2>&1 || true
	@echo 'public func swift_is_new_enough() {}' > $@.swift
	@$(SWIFTC) $(SWIFTFLAGS) -typecheck $@.swift > $@.said 2>&1 || { cat $@.said >&2; \
		echo "make: this Swift compiler ($$(command -v $(SWIFTC))) cannot build for RUNTIME=$(RUNTIME), see above. It takes Swift 6 or later$(if $(filter embedded,$(RUNTIME)),; where that has no Embedded Swift: make RUNTIME=static)." >&2; exit 1; }
	@touch $@

# Counting a reference takes less room as a call. Swift's own passes over LLVM's code then lose references: they are off.
COUNTING_IS_A_CALL := $(if $(filter static,$(RUNTIME)),,-Xllvm -force-attribute=swift_retain:noinline -Xfrontend -disable-swift-specific-llvm-optzns)
