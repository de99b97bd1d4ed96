/* SPDX-License-Identifier: MIT */
/* Which thread this is, for as long as the process lasts. */
#include "CPlatform.h"

uint64_t platform_thread_identity(void) {
    static uint64_t last;
    static __thread uint64_t identity __attribute__((tls_model("initial-exec")));
    if (identity == 0) identity = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
    return identity;
}
