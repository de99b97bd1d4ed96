/* SPDX-License-Identifier: MIT */
/* The asymmetric fence: the thread that stops an observation pays for ordering, so that the thread that
 * delivers does not. Linux offers it as membarrier(2); elsewhere, and where the kernel refuses, the engine
 * fences on both sides. */
#include "CPlatform.h"
#include <errno.h>
#include <time.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

/* Of linux/membarrier.h, which not every libc installs. */
enum {
    QUERY = 0,
    GLOBAL = 1 << 0,
    PRIVATE_EXPEDITED = 1 << 3,
    REGISTER_PRIVATE_EXPEDITED = 1 << 4,
};

static long membarrier(int command) {
#if defined(SYS_membarrier)
    return syscall(SYS_membarrier, command, 0, 0);
#else
    errno = ENOSYS;
    return -1;
#endif
}

static bool supported;

__attribute__((constructor)) static void find_out(void) {
    int saved = errno;
    long commands = membarrier(QUERY);
    supported = commands > 0 && (commands & PRIVATE_EXPEDITED) && (commands & GLOBAL);
    errno = saved;
}

bool platform_fences_others(void) { return supported; }

void platform_fence_others(void) {
    /* Registered late: the kernel may take milliseconds for it, and few programs ever wait. */
    int saved = errno;
    if (membarrier(PRIVATE_EXPEDITED) != 0) {
        membarrier(REGISTER_PRIVATE_EXPEDITED);
        if (membarrier(PRIVATE_EXPEDITED) != 0 && membarrier(GLOBAL) != 0)
            platform_fail("the kernel withdrew membarrier(2) while the program was running");
    }
    errno = saved;
}

#else

bool platform_fences_others(void) { return false; }

void platform_fence_others(void) {}

#endif

/* Not sched_yield(), which lets no thread run that has a lower priority than this one. */
void platform_stand_by(void) {
    int saved = errno;
#if defined(SYS_nanosleep)
    const struct { long seconds, nanoseconds; } moment = {0, 1000};
    syscall(SYS_nanosleep, &moment, NULL);
#else
    const struct timespec moment = {0, 1000};
    int before = platform_defer_cancellation();
    nanosleep(&moment, NULL);
    platform_allow_cancellation(before);
#endif
    errno = saved;
}

void platform_back_off(int pauses) {
    for (int one = 0; one < pauses; one++) platform_pause();
}
