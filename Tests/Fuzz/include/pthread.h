/* SPDX-License-Identifier: MIT */
/* Found before the system's, where faults are put into the library: which of them is switched on, if any. */
#include_next <pthread.h>

int fuzz_fault(void);
