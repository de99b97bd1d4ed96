/* SPDX-License-Identifier: MIT */
/* Waiting for a latch. */
#define _GNU_SOURCE
#include "CPlatform.h"
#include <errno.h>

#if defined(__linux__)
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static void sleep_while_waiting(platform_latch *latch) {
    int saved = errno;
    syscall(SYS_futex, &latch->waiting, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    errno = saved;
}

static void wake_all(platform_latch *latch) {
    int saved = errno;
    syscall(SYS_futex, &latch->waiting, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    errno = saved;
}

#else

static void sleep_while_waiting(platform_latch *latch) {
    (void)latch;
    platform_yield();
}

static void wake_all(platform_latch *latch) { (void)latch; }

#endif

platform_latch *platform_latch_new(void) {
    /* Alone in its lines of the caches. */
    const size_t lines = 128;
    void *memory;
    if (posix_memalign(&memory, lines, lines) != 0) return NULL;
    platform_latch *latch = memset(memory, 0, sizeof *latch);
    latch->fences = !platform_fences_others();
    return latch;
}

void platform_latch_free(platform_latch *latch) { free(latch); }

static bool spin(platform_latch *latch) {
    for (int one = 0; one < 100; one++) {
        if (__atomic_load_n(&latch->held, __ATOMIC_RELAXED) == 0 && platform_latch_try(latch)) return true;
        platform_pause();
    }
    return false;
}

void platform_latch_wait(platform_latch *latch) {
    while (!spin(latch)) {
        __atomic_store_n(&latch->waiting, 1, __ATOMIC_SEQ_CST);
        /* From here on a thread that leaves sees this, or has left already as far as this thread can see. */
        if (!latch->fences) platform_fence_others();
        if (platform_latch_try(latch)) return;
        sleep_while_waiting(latch);
    }
}

void platform_latch_wake(platform_latch *latch) {
    if (__atomic_exchange_n(&latch->waiting, 0, __ATOMIC_SEQ_CST) != 0) wake_all(latch);
}
