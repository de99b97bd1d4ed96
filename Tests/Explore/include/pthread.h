/* SPDX-License-Identifier: MIT */
/* Found before the system's: which thread this is says the explorer. Everything else that threads share is calls, which
 * explore.mk redirects in the library's objects. */
#include_next <pthread.h>
#include <stdint.h>
uintptr_t explore_thread(void);
#define __builtin_thread_pointer() explore_thread()
uintptr_t *explore_passing_thread(void);
#define platform_passing_thread (*explore_passing_thread())

/* Which of the seeded faults is switched on, if any. */
int explore_fault(void);
