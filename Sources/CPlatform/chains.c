/* SPDX-License-Identifier: MIT */
/* What a thread notes on its way through a long chain. The model is the one that needs nothing of the dynamic linker.
 */
#include "CPlatform.h"
#include <stdlib.h>

static __thread void *trampoline __attribute__((tls_model("initial-exec")));

void **platform_trampoline(void) { return &trampoline; }

static __thread uint32_t nested_bindings __attribute__((tls_model("initial-exec")));

uint32_t *platform_nested_bindings(void) { return &nested_bindings; }

/* Nested so deep, what is to end waits for what is ending. */
#define MOST_ENDINGS 64

struct ending {
    struct ending *next;
    void (*destroy)(void *);
    void *context;
};

static __thread struct {
    const char *outermost; /* the frame of the first that is ending */
    struct ending *first, **last;
    unsigned depth;
} endings __attribute__((tls_model("initial-exec")));

static void end_waiting(void) {
    for (struct ending *next; (next = endings.first) != NULL;) {
        struct ending one = *next;
        endings.first = one.next;
        free(next);
        one.destroy(one.context);
    }
}

void platform_end(void (*destroy)(void *), void *context) {
    const char *here = __builtin_frame_address(0);
    /* A thread that has left the outermost by longjmp() is in none. */
    if (endings.depth > 0 && here >= endings.outermost) endings.depth = 0;
    const unsigned before = endings.depth;
    if (before == MOST_ENDINGS) {
        struct ending *waiting = malloc(sizeof *waiting);
        if (waiting != NULL) {
            *waiting = (struct ending){NULL, destroy, context};
            if (endings.first == NULL) endings.last = &endings.first;
            *endings.last = waiting;
            endings.last = &waiting->next;
            return;
        }
    }
    if (before == 0) endings.outermost = here;
    endings.depth = before == MOST_ENDINGS ? before : before + 1;
    destroy(context);
    if (before == MOST_ENDINGS - 1 || before == 0) end_waiting();
    endings.depth = before;
}

static __thread void *unwinding __attribute__((tls_model("initial-exec")));

void **platform_unwinding(void) { return &unwinding; }
