/* SPDX-License-Identifier: MIT */
/* What a thread is computing, and whether it has to look before it goes past a lock. */
#include "CPlatform.h"

#ifndef platform_passing_thread
__thread uintptr_t platform_passing_thread __attribute__((tls_model("initial-exec")));
#endif

uint8_t platform_graphs;

long platform_pinned_views;

__thread void *platform_computing_here __attribute__((tls_model("initial-exec")));

static __thread struct here {
    struct here *previous, *next; /* of those that may pass */
    uintptr_t *passing;
    platform_guest *guest;
    uint32_t looking; /* how often it has been told to look first */
    bool passes;      /* whether something is biased to it */
} here __attribute__((tls_model("initial-exec")));

/* The threads that may pass. Guarded by the lock of the threads. */
static struct here *passers;
static pthread_mutex_t threads = PTHREAD_MUTEX_INITIALIZER;

/* First the word, then the look: a thread that pins has this one pass a fence between its count and its store. */
static void settle(void) {
    if (!here.passes || here.looking != 0) return;
    __atomic_store_n(&platform_passing_thread, platform_thread(), __ATOMIC_RELAXED);
    platform_fence_compiler();
    if (platform_pinned() != 0) __atomic_store_n(&platform_passing_thread, 0, __ATOMIC_RELAXED);
}

void platform_have_all_look(void) {
    if (__atomic_load_n(&passers, __ATOMIC_SEQ_CST) == NULL) return;
    platform_fence_others();
    pthread_mutex_lock(&threads);
    for (struct here *one = passers; one != NULL; one = one->next) __atomic_store_n(one->passing, 0, __ATOMIC_SEQ_CST);
    pthread_mutex_unlock(&threads);
}

static void stop_passing(void) {
    if (!here.passes) return;
    pthread_mutex_lock(&threads);
    if (here.previous != NULL)
        here.previous->next = here.next;
    else
        __atomic_store_n(&passers, here.next, __ATOMIC_SEQ_CST);
    if (here.next != NULL) here.next->previous = here.previous;
    pthread_mutex_unlock(&threads);
    here.passes = false;
    platform_passing_thread = 0;
}

void platform_let_pass(void) {
    if (!here.passes) {
        here.passing = &platform_passing_thread;
        here.previous = NULL;
        pthread_mutex_lock(&threads);
        here.next = passers;
        if (passers != NULL) passers->previous = &here;
        __atomic_store_n(&passers, &here, __ATOMIC_SEQ_CST);
        pthread_mutex_unlock(&threads);
        here.passes = true;
        platform_note_thread();
    }
    settle();
}

void platform_look_first(void) {
    here.looking++;
    __atomic_store_n(&platform_graphs, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&platform_passing_thread, 0, __ATOMIC_RELAXED); /* as other threads do */
}

void platform_look_no_more(void) {
    here.looking--;
    settle();
}

bool platform_looks_first(void) {
    if (here.looking != 0 || platform_pinned() != 0) return true;
    settle();
    return false;
}

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

static void finish(void *unused) {
    (void)unused;
    void *computing = platform_computing_here;
    stop_passing();
    platform_computing_here = NULL;
    void (*call)(void *) = __atomic_load_n(&end, __ATOMIC_RELAXED);
    if (computing != NULL && call != NULL) call(computing);
    platform_trace_end_thread();
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

/* Has this thread finish what it has noted when it ends. */
void platform_note_thread(void) {
    if (has_key) set_specific(key, &here);
}

void platform_end_computing_with(void (*call)(void *computing)) {
    __atomic_store_n(&end, call, __ATOMIC_RELAXED);
    platform_note_thread();
}

/* A bit for each guest that a thread has. */
static uint64_t guests_taken;
static _Alignas(64) platform_guest guests[64];

platform_guest *platform_guest_take(void) {
    uint64_t taken = __atomic_load_n(&guests_taken, __ATOMIC_RELAXED);
    while (~taken != 0) {
        int free = __builtin_ctzll(~taken);
        if (!__atomic_compare_exchange_n(&guests_taken, &taken, taken | (uint64_t)1 << free, false, __ATOMIC_SEQ_CST,
                                         __ATOMIC_RELAXED))
            continue;
        /* Not during a fork, which has it take locks. */
        uintptr_t none = 0;
        __atomic_compare_exchange_n(&guests[free].badge, &none, (uintptr_t)&guests[free], false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
        here.guest = &guests[free];
        return here.guest;
    }
    return NULL;
}

void platform_guest_give_back(platform_guest *guest) {
    here.guest = NULL;
    __atomic_fetch_and(&guests_taken, ~((uint64_t)1 << (guest - guests)), __ATOMIC_RELEASE);
}

/* Every thread takes locks from here on, and none is inside a region without one. The locks of regions are held. */
void platform_hold_guests(void) {
    for (int one = 0; one < 64; one++) __atomic_store_n(&guests[one].badge, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&guests_taken, __ATOMIC_SEQ_CST) == 0 || !platform_fences_others()) return;
    platform_fence_others();
    for (int one = 0; one < 64; one++)
        while (__atomic_load_n(&guests[one].inside, __ATOMIC_ACQUIRE) != 0) platform_stand_by();
}

void platform_let_guests_go(void) {
    for (int one = 0; one < 64; one++) __atomic_store_n(&guests[one].badge, (uintptr_t)&guests[one], __ATOMIC_RELAXED);
}

/* A child process has the thread alone that forked. */
void platform_be_alone(void) {
    pthread_mutex_init(&threads, NULL);
    passers = here.passes ? &here : NULL;
    here.previous = here.next = NULL;
    for (int one = 0; one < 64; one++)
        if (&guests[one] != here.guest) guests_taken &= ~((uint64_t)1 << one);
    platform_trace_be_alone();
}
