/* SPDX-License-Identifier: MIT */
/* What the library with all mutants has besides: the environment says which one is chosen, and mistakes that a test
 * would have to be lucky to notice show at once. */
#include "CPlatform.h"
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = 1 << 14 };
static int32_t chosen = -1;
static bool biases, counts, is_late;
static uint64_t bits_of_ids = 26;
static unsigned char nowhere[MOST], *reached = nowhere;

#if defined(__clang__)
#define UNSEEN __attribute__((no_sanitize("thread"))) /* by the explorer */
#if __has_feature(thread_sanitizer)
#define EXPLORED
#endif
#else
#define UNSEEN
#endif

/* SWO_MUTANT=number, SWO_REACHED=file that notes which mutants are come to, SWO_BIASES=1 where everything is biased at
 * once, SWO_LEAKS=1 where nothing of the engine may be left at the end, SWO_LATE=1 where no time ever runs out,
 * SWO_FEW_IDS=bits for fewer observations at once. */
__attribute__((constructor(101))) UNSEEN static void choose(void) {
    const char *number = getenv("SWO_MUTANT"), *path = getenv("SWO_REACHED");
    const char *few = getenv("SWO_FEW_IDS");
    if (number != NULL) chosen = atoi(number);
    if (few != NULL) bits_of_ids = (uint64_t)atoi(few);
    biases = getenv("SWO_BIASES") != NULL;
    counts = getenv("SWO_LEAKS") != NULL;
    is_late = getenv("SWO_LATE") != NULL;
    int file = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    /* Shared, so that a process that ends in any way has noted what it came to, and its children's. */
    void *memory = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) reached = memory;
}

UNSEEN bool platform_is_mutant(int32_t number) {
    reached[number] = 1;
    return number == chosen;
}

UNSEEN bool platform_biases_at_once(void) { return biases; }
UNSEEN uint64_t platform_bits_of_ids(void) { return bits_of_ids; }

UNSEEN void platform_latch_check(const platform_latch *latch) {
    if (__atomic_load_n(&latch->held, __ATOMIC_RELAXED) == 0) platform_fail("a latch is left that is not held");
}

/* The explorer has locks and memory of its own. */
#if !defined(EXPLORED)

/* ---- locks: the mutexes check, and the linker has users come here ---- */

int __real_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (__real_pthread_mutex_lock(mutex) != 0) platform_fail("a lock is taken that this thread holds");
    return 0;
}
int __real_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex) {
    if (__real_pthread_mutex_unlock(mutex) != 0) platform_fail("a lock is let go of that is not held");
    return 0;
}
int __real_pthread_cond_wait(pthread_cond_t *changed, pthread_mutex_t *mutex);
int __wrap_pthread_cond_wait(pthread_cond_t *changed, pthread_mutex_t *mutex) {
    if (__real_pthread_cond_wait(changed, mutex) != 0) platform_fail("a lock is waited with that is not held");
    return 0;
}

int __real_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *mutex, const struct timespec *until);
int __wrap_pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *mutex, const struct timespec *until) {
    return is_late ? pthread_cond_wait(changed, mutex) : __real_pthread_cond_timedwait(changed, mutex, until);
}

/* ---- memory: what is there when everything has been unloaded was lost ---- */

static long living;

static void *counted(void *memory) {
    if (memory != NULL) __atomic_fetch_add(&living, 1, __ATOMIC_RELAXED);
    return memory;
}
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) { return counted(__real_malloc(size)); }
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size) {
    return memory == NULL ? counted(__real_realloc(memory, size)) : __real_realloc(memory, size);
}
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text) { return counted(__real_strdup(text)); }
int __real_posix_memalign(void **out, size_t alignment, size_t size);
int __wrap_posix_memalign(void **out, size_t alignment, size_t size) {
    int result = __real_posix_memalign(out, alignment, size);
    if (result == 0) counted(*out);
    return result;
}
void __real_free(void *memory);
void __wrap_free(void *memory) {
    if (memory != NULL) __atomic_fetch_sub(&living, 1, __ATOMIC_RELAXED);
    __real_free(memory);
}
/* What is kept to be used again, so many more or fewer pieces. */
void platform_note_spares(int more) { __atomic_fetch_sub(&living, more, __ATOMIC_RELAXED); }
/* After the destructors that have no number. */
__attribute__((destructor(101))) static void look_for_leaks(void) {
    if (!counts || living == 0) return;
    fprintf(stderr, "%ld pieces of memory are lost\n", living);
    _exit(70);
}

#else
void platform_note_spares(int more) { (void)more; }
#endif
