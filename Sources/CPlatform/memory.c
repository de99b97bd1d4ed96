/* SPDX-License-Identifier: MIT */
/* Memory of the engine's own objects in the library for C. What has begun is brought to its end, so where there is no
 * memory left, there is a reserve; and what would begin then is refused, by a status. Where the reserve is not enough,
 * the process ends with a sentence. The Makefile has the objects of the engine and of the layer call these. */
#include "CPlatform.h"
#include <errno.h>

enum { RESERVE = 64 * 1024 };

static char reserve[RESERVE] __attribute__((aligned(64)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static size_t taken;
long platform_reserve_pieces;

/* Not a part of the function below, which would then save registers for it each time. */
static int take_from_reserve(void **out, size_t alignment, size_t size);

int platform_memalign(void **out, size_t alignment, size_t size) {
    if (alignment > _Alignof(max_align_t)) {
        if (posix_memalign(out, alignment, size) == 0) return 0;
    } else if ((*out = malloc(size)) != NULL) {
        return 0;
    }
    return take_from_reserve(out, alignment, size);
}

static __attribute__((noinline, cold)) int take_from_reserve(void **out, size_t alignment, size_t size) {
    pthread_mutex_lock(&mutex);
    size_t begin = (taken + alignment - 1) & ~(alignment - 1);
    if (alignment > 64 || size > RESERVE || begin > RESERVE - size) platform_fail("out of memory");
    taken = begin + size;
    __atomic_store_n(&platform_reserve_pieces, platform_reserve_pieces + 1, __ATOMIC_RELAXED);
    *out = reserve + begin;
    pthread_mutex_unlock(&mutex);
    return 0;
}

void platform_dealloc(void *memory) {
    uintptr_t offset = (uintptr_t)memory - (uintptr_t)reserve;
    if (offset >= RESERVE) {
#ifdef CHECKS_HANDLES
        platform_free_later(memory);
#else
        free(memory);
#endif
        return;
    }
    pthread_mutex_lock(&mutex);
    __atomic_store_n(&platform_reserve_pieces, platform_reserve_pieces - 1, __ATOMIC_RELAXED);
    if (platform_reserve_pieces == 0) taken = 0;
    pthread_mutex_unlock(&mutex);
}

bool platform_has_no_memory(void) {
    void *probe = malloc(4096);
    free(probe);
    return probe == NULL;
}
