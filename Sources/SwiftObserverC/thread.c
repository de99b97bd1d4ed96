/* SPDX-License-Identifier: MIT */
/* What is kept of a thread for the C++ headers. The model is the one that needs nothing of the dynamic linker. */
#include <swiftobserver/runtime.h>

__thread swo_thread swo_this_thread;

/* Not inlined, and not left out: a debugger stops here. */
__attribute__((noinline)) void swo_changed(const swo_observable *observable, const char *name) {
    __asm__ volatile("" : : "r"(observable), "r"(name) : "memory");
}
