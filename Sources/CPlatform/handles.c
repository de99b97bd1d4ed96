/* SPDX-License-Identifier: MIT */
/* The debugging library's book of handles: observables, observers, queues and clocks that a C program has made, those
 * that it has released lately included. Each function of the library looks its arguments up here by their addresses,
 * without following them; what is found to be released, or of another kind, ends the process with a sentence that names
 * the function, the object, and where that was released. The ordinary library has none of this. */
#ifdef CHECKS_HANDLES
#define _GNU_SOURCE
#include "CPlatform.h"
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <execinfo.h>
#else
#define backtrace(frames, most) 0
#define backtrace_symbols_fd(frames, count, descriptor) (void)(frames)
#endif

enum { FRAMES = 24, KEPT_BLOCKS = 1 << 16 };

struct known_handle {
    const void *handle;
    const char *what;
    char *name;
    long owners;
    int32_t kind;
    bool is_dead;
    int depth;
    void *released_at[FRAMES]; /* by its last owner */
};

static const char *const kinds[] = {"observable", "observer", "queue", "clock"};
static const char *const articles[] = {"an", "an", "a"};

/* Guards what follows. Taken after every other lock; see forks.c. */
platform_lock platform_handle_lock = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER};
static void *entries;
static void *kept[KEPT_BLOCKS];
static unsigned oldest;
static int deferred_before;

static int compare(const void *one, const void *other) {
    const char *left = ((const struct known_handle *)one)->handle,
               *right = ((const struct known_handle *)other)->handle;
    return (left > right) - (left < right);
}

static struct known_handle *find(const void *handle) {
    struct known_handle key = {.handle = handle}, **found = tfind(&key, &entries, compare);
    return found != NULL ? *found : NULL;
}

static void forget(struct known_handle *entry) {
    tdelete(entry, &entries, compare);
    free(entry->name);
    free(entry);
}

/* -------------------------------------------------------------------------------- what is said */

static __attribute__((format(printf, 1, 2))) void say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

/* Swift's names of functions have their parameters. */
static void begin_saying(const char *function) {
    say("SwiftObserver: %.*s() was called with ", (int)strcspn(function, "("), function);
}

static _Noreturn void end_saying_where(const struct known_handle *entry, const char *verdict) {
    say("the %s %p", entry->what, entry->handle);
    if (entry->name != NULL) say(" (\"%s\")", entry->name);
    say(", %s", verdict);
    if (entry->depth > 0) {
        say(" here:\n");
        fflush(stderr);
        backtrace_symbols_fd((void *const *)entry->released_at, entry->depth, STDERR_FILENO);
    } else {
        say("\n");
    }
    abort();
}

/* The caller's frames, without the library's own. */
static void note_place(struct known_handle *entry) {
    extern const char __ehdr_start[] __attribute__((visibility("hidden"))), _end[];
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES), own = 0;
    while (own < count && (const char *)frames[own] >= __ehdr_start && (const char *)frames[own] < _end) own++;
    entry->depth = count - own;
    memcpy(entry->released_at, frames + own, sizeof *frames * (size_t)(count - own));
}

/* ------------------------------------------------------------------------------ what is checked */

static struct known_handle *known(const void *handle, int32_t kind, const char *function) {
    struct known_handle *entry = find(handle);
    if (entry == NULL) {
        begin_saying(function);
        say("%p, which is no %s: it never was one, or was released long ago\n", handle, kinds[kind]);
        abort();
    }
    if (entry->kind != kind) {
        begin_saying(function);
        say("the %s %p where it takes %s %s\n", entry->what, handle, articles[kind], kinds[kind]);
        abort();
    }
    return entry;
}

static struct known_handle *living(const void *handle, int32_t kind, const char *function) {
    struct known_handle *entry = known(handle, kind, function);
    if (!entry->is_dead) return entry;
    begin_saying(function);
    end_saying_where(entry, "which was released");
}

/* To look where one is may load a library, and what is said is written. */
static void lock(void) {
    int before = platform_defer_cancellation();
    pthread_mutex_lock(&platform_handle_lock.mutex);
    deferred_before = before;
}

static void unlock(void) {
    int before = deferred_before;
    pthread_mutex_unlock(&platform_handle_lock.mutex);
    platform_allow_cancellation(before);
}

void platform_handle_made(const void *handle, int32_t kind, const char *what) {
    struct known_handle *entry = calloc(1, sizeof *entry);
    if (entry == NULL) platform_fail("out of memory");
    entry->handle = handle;
    entry->kind = kind;
    entry->what = what;
    lock();
    if (tsearch(entry, &entries, compare) == NULL) platform_fail("out of memory");
    unlock();
}

void platform_handle_died(const void *handle, char *name) {
    lock();
    struct known_handle *entry = find(handle);
    entry->is_dead = true;
    entry->name = name;
    unlock();
}

void platform_handle_use(const void *handle, int32_t kind, const char *function) {
    lock();
    living(handle, kind, function);
    unlock();
}

void platform_handle_use_delivering(const void *handle, const char *function) {
    lock();
    known(handle, PLATFORM_OBSERVABLE, function);
    unlock();
}

void platform_handle_retain(const void *handle, int32_t kind, const char *function) {
    lock();
    living(handle, kind, function)->owners++;
    unlock();
}

void platform_handle_release(const void *handle, int32_t kind, const char *function) {
    lock();
    struct known_handle *entry = living(handle, kind, function);
    if (entry->owners == 0) {
        begin_saying(function);
        end_saying_where(entry, "whose last owner released it");
    }
    if (--entry->owners == 0) {
        note_place(entry);
        /* An observable may still have transforms, which keep it, and dies later. */
        entry->is_dead = kind != PLATFORM_OBSERVABLE;
    }
    unlock();
}

/* What was freed remains, and so does its entry. */
void platform_free_later(void *memory) {
    if (memory == NULL) return;
    lock();
    void *freed = kept[oldest];
    kept[oldest] = memory;
    oldest = (oldest + 1) % KEPT_BLOCKS;
    struct known_handle *entry = freed != NULL ? find(freed) : NULL;
    if (entry != NULL) forget(entry);
    unlock();
    free(freed);
}
#endif
