/* SPDX-License-Identifier: MIT */
/* How the engine dies: with a sentence. */
#include "CPlatform.h"
#include <stdio.h>

_Noreturn void platform_fail(const char *sentence) {
    platform_defer_cancellation();
    fprintf(stderr, "SwiftObserver: %s\n", sentence);
    abort();
}

/* Embedded Swift calls this where a precondition fails, with no words of its own. */
_Noreturn void platform_trap(void);
_Noreturn void platform_trap(void) { platform_fail("a precondition failed inside the library; please report this"); }

/* The layer's frames name this function as their personality: the unwinder asks it before it leaves them. What is being
 * delivered would stay as it is, and the observable silent for ever. Nothing has been unwound yet where an exception is
 * only looked after (the first of two phases), so that a debugger still shows who threw it. Threads that end may pass:
 * that is how Python ends those that are left when it exits. */
int platform_unwound(int version, int actions, uint64_t kind, void *exception, void *context);
int platform_unwound(int version, int actions, uint64_t kind, void *exception, void *context) {
    (void)version, (void)kind, (void)exception, (void)context;
    const int forced = 8, go_on = 8; /* _UA_FORCE_UNWIND, _URC_CONTINUE_UNWIND */
    if (actions & forced) return go_on;
    platform_fail("an exception left a handler or another callback, which must catch it itself");
}
