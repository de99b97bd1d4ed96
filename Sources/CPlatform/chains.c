/* SPDX-License-Identifier: MIT */
/* What a thread notes on its way through a long chain. The model is the one that needs nothing of the dynamic linker.
 */
#include "CPlatform.h"

static __thread void *trampoline __attribute__((tls_model("initial-exec")));

void **platform_trampoline(void) { return &trampoline; }

static __thread uint32_t nested_bindings __attribute__((tls_model("initial-exec")));

uint32_t *platform_nested_bindings(void) { return &nested_bindings; }

static __thread void *unwinding __attribute__((tls_model("initial-exec")));

void **platform_unwinding(void) { return &unwinding; }
