/* SPDX-License-Identifier: MIT */
/* Further stacks for a thread, for functions that wait for one another in a long row. */
#include "CPlatform.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

/* The thread sanitizer has a stack of its own beside each. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FIBERS
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void *fiber);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
#endif
#endif

enum { SIZE = 1 << 20, GUARD = 1 << 14 };

struct call {
    ucontext_t before, inside;
    void (*function)(void *context);
    void *context;
    void *fiber;
};

static void run(unsigned high, unsigned low) {
    struct call *call = (struct call *)(((uintptr_t)high << 16 << 16) | (uintptr_t)low);
    call->function(call->context);
#ifdef FIBERS
    __tsan_switch_to_fiber(call->fiber, 0);
#endif
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
#ifdef FIBERS
    call.fiber = __tsan_get_current_fiber();
    void *fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(fiber, 0);
#endif
    swapcontext(&call.before, &call.inside);
#ifdef FIBERS
    __tsan_destroy_fiber(fiber);
#endif
    munmap(stack, SIZE);
    return true;
}

#else

bool platform_call_on_new_stack(void (*function)(void *context), void *context) {
    (void)function, (void)context;
    return false;
}

#endif
