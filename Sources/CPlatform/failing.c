/* SPDX-License-Identifier: MIT */
/* How the engine dies: with a sentence. */
#include "CPlatform.h"
#include <stdio.h>

_Noreturn void platform_fail(const char *sentence) {
    fprintf(stderr, "SwiftObserver: %s\n", sentence);
    abort();
}

/* Embedded Swift calls this where a precondition fails, with no words of its own. */
_Noreturn void platform_trap(void);
_Noreturn void platform_trap(void) { platform_fail("a precondition failed inside the library; please report this"); }
