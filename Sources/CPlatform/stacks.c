/* SPDX-License-Identifier: MIT */
/* Further stacks for a thread, for functions that wait for one another in a long row. */
#include "CPlatform.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 1 << 20, GUARD = 1 << 14 };

struct call {
    ucontext_t before, inside;
    void (*function)(void *context);
    void *context;
};

static void run(unsigned high, unsigned low) {
    struct call *call = (struct call *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    call->function(call->context);
}

bool platform_call_on_new_stack(void (*function)(void *context), void *context) {
    char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) return false;
    mprotect(stack, GUARD, PROT_NONE);
    struct call call = {.function = function, .context = context};
    getcontext(&call.inside);
    call.inside.uc_stack.ss_sp = stack;
    call.inside.uc_stack.ss_size = SIZE;
    call.inside.uc_link = &call.before;
    uintptr_t address = (uintptr_t)&call;
    makecontext(&call.inside, (void (*)(void))run, 2, (unsigned)(address >> 16 >> 16), (unsigned)address);
    swapcontext(&call.before, &call.inside);
    munmap(stack, SIZE);
    return true;
}

#else

bool platform_call_on_new_stack(void (*function)(void *context), void *context) {
    (void)function, (void)context;
    return false;
}

#endif
