/* SPDX-License-Identifier: MIT */
/* What a thread notes on its way through a long chain. The model is the one that needs nothing of the dynamic linker.
 */
#include "CPlatform.h"

static __thread void *far_cores __attribute__((tls_model("initial-exec")));

void **platform_far_cores(void) { return &far_cores; }

static __thread void *unwinding __attribute__((tls_model("initial-exec")));

void **platform_unwinding(void) { return &unwinding; }
