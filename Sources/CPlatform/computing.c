/* SPDX-License-Identifier: MIT */
/* What a thread is computing, and whether it has to look before it goes past a lock. */
#include "CPlatform.h"

__thread uintptr_t platform_passing_thread __attribute__((tls_model("initial-exec")));

uint8_t platform_graphs;

static __thread struct {
    void *computing;
    uint32_t looking; /* how often it has been told to look first */
    bool passes;      /* whether something has leaned to it */
} here __attribute__((tls_model("initial-exec")));

static void settle(void) { platform_passing_thread = here.passes && here.looking == 0 ? platform_thread() : 0; }

void platform_let_pass(void) {
    here.passes = true;
    settle();
}

void platform_look_first(void) {
    here.looking++;
    __atomic_store_n(&platform_graphs, 1, __ATOMIC_RELAXED);
    platform_passing_thread = 0;
}

void platform_look_no_more(void) {
    here.looking--;
    settle();
}

bool platform_looks_first(void) { return here.looking != 0; }

/* By the versions that these have had in each glibc: with the present one they would need a glibc of 2.34. Before that
 * they are in libpthread, without which a process has no thread whose end matters. */
#if defined(__GLIBC__)
#if defined(__x86_64__)
#define OLD "GLIBC_2.2.5"
#elif defined(__i386__)
#define OLD "GLIBC_2.0"
#elif defined(__aarch64__)
#define OLD "GLIBC_2.17"
#elif defined(__arm__)
#define OLD "GLIBC_2.4"
#elif defined(__riscv)
#define OLD "GLIBC_2.27"
#endif
#endif
#ifdef OLD
int key_create(pthread_key_t *key, void (*end)(void *)) __attribute__((weak));
int key_delete(pthread_key_t key) __attribute__((weak));
int set_specific(pthread_key_t key, const void *value) __attribute__((weak));
__asm__(".symver key_create, pthread_key_create@" OLD);
__asm__(".symver key_delete, pthread_key_delete@" OLD);
__asm__(".symver set_specific, pthread_setspecific@" OLD);
#else
#define key_create pthread_key_create
#define key_delete pthread_key_delete
#define set_specific pthread_setspecific
#endif

static pthread_key_t key;
static bool has_key;
static void (*end)(void *computing);

static void finish(void *computing) {
    here.computing = NULL;
    if (end != NULL) end(computing);
}

__attribute__((constructor)) static void begin(void) {
#ifdef OLD
    if (key_create == NULL || key_delete == NULL || set_specific == NULL) return;
#endif
    has_key = key_create(&key, finish) == 0;
}

__attribute__((destructor)) static void leave(void) {
    if (has_key) key_delete(key);
}

void platform_end_computing_with(void (*call)(void *computing)) {
    __atomic_store_n(&end, call, __ATOMIC_RELAXED);
    if (has_key) set_specific(key, here.computing);
}

void **platform_computing(void) { return &here.computing; }
