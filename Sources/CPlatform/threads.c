/* SPDX-License-Identifier: MIT */
/* Which thread is the main one. */
#include "CPlatform.h"

uintptr_t platform_main_thread;

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

bool platform_is_main_thread(void) {
    /* Asked for with each message perhaps, so the kernel is asked once for each thread. */
    static __thread signed char answer;
    if (answer == 0) {
        answer = syscall(SYS_gettid) == getpid() ? 1 : -1;
        if (answer > 0) __atomic_store_n(&platform_main_thread, platform_thread(), __ATOMIC_RELAXED);
    }
    return answer > 0;
}

#else

bool platform_is_main_thread(void) { return pthread_main_np() != 0; }

#endif
