/* SPDX-License-Identifier: MIT */
/* The tables of locks and shelves. A lock of the second table may be held while one of the first is taken, and one of
 * the first while one of the third is; never the other way round, and never two of one table. The lock of the
 * graph comes before all. A lock of the first guards the shard of its index. */
#include "CPlatform.h"

#define LOCK                                                                                                           \
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }
#define LOCKS_4 LOCK, LOCK, LOCK, LOCK
#define LOCKS_16 LOCKS_4, LOCKS_4, LOCKS_4, LOCKS_4
#define LOCKS_64 LOCKS_16, LOCKS_16, LOCKS_16, LOCKS_16

platform_lock platform_locks[PLATFORM_LOCKS] = {LOCKS_64};
platform_lock platform_keeper_locks[PLATFORM_LOCKS] = {LOCKS_64};
platform_lock platform_mailbox_locks[PLATFORM_LOCKS] = {LOCKS_64};
platform_lock platform_graph_lock = LOCK;
platform_lock platform_region_locks[PLATFORM_LOCKS] = {LOCKS_64};
platform_lock platform_merge_lock = LOCK, platform_pins_lock = LOCK;
platform_shard platform_shards[PLATFORM_LOCKS];

/* A look at what glibc keeps there, which may be wrong a moment later. pthread_mutex_trylock() would need a glibc
 * of 2.34, or libpthread. */
static bool is_taken(const pthread_mutex_t *mutex) {
#ifdef __GLIBC__
    return __atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED) != 0;
#else
    (void)mutex;
    return false;
#endif
}

void platform_lock_acquire_patiently(uint32_t index) {
    pthread_mutex_t *mutex = &platform_locks[index].mutex;
    for (int one = 0; one < 100 && is_taken(mutex); one++) platform_pause();
    pthread_mutex_lock(mutex);
}

int platform_end_wait(void);

struct wait {
    uint32_t index;
    void (*end)(void *context);
    void *context;
};

static __thread struct wait *waiting __attribute__((tls_model("initial-exec")));

void platform_lock_wait(uint32_t index, void (*end)(void *context), void *context) {
    struct wait wait = {index, end, context};
#if defined(__ELF__) && !defined(__arm__)
    /* What unwinds this frame asks there first: what pthread_cleanup_push() does, which would need a glibc of 2.34, or
     * libpthread. */
    __asm__ volatile(".cfi_personality 0x1b, platform_end_wait");
#else
    wait.end = NULL;
#endif
    int before = 0;
    if (wait.end == NULL)
        before = platform_defer_cancellation();
    else
        waiting = &wait;
    pthread_cond_wait(&platform_locks[index].changed, &platform_locks[index].mutex);
    if (wait.end == NULL) platform_allow_cancellation(before);
    waiting = NULL;
}

/* The frame is still there, and the thread has the lock again. */
int platform_end_wait(void) {
    struct wait *wait = waiting;
    if (wait != NULL) {
        waiting = NULL;
        pthread_mutex_unlock(&platform_locks[wait->index].mutex);
        wait->end(wait->context);
    }
    return 8; /* _URC_CONTINUE_UNWIND */
}

void (*platform_unloading)(void);

/* dlclose() leaves nothing behind. At the end of a process this runs, too, and what is used afterwards begins again. */
__attribute__((destructor)) static void unload(void) {
    if (platform_unloading != NULL) platform_unloading();
}
