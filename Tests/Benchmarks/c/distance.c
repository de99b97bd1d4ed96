// SPDX-License-Identifier: MIT
// Why a loop in a library is slower than the same one in a program: what a call of a handler takes, by how far from the
// handlers the loop lies. The same code is copied to addresses that differ in one bit; nothing else differs.
//
// On a Zen 4 a call takes 1.3 to 1.5 ns up to 2^36 bytes, and 2.1 to 2.4 from 2^37 on, at 10, 100 and 1,000 handlers
// (the least of 200 repeats; medians tell it on a quiet machine alone). We infer that its branch predictor has no quick
// way where the upper bits of the target are not those of the call: the branches were not counted. Linux puts libraries
// about 2^45 bytes from a program, so that each call out of a library and each return to it is such a branch.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "measure.h"
#include <string.h>
#include <sys/mman.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

#define HANDLERS 100
#define MOVABLE __attribute__((noinline, noclone, section("movable")))

typedef void (*handler)(void *context, const int64_t *message, const void *author);
struct entry {
    handler handler;
    void *context;
};
typedef void (*loop)(const struct entry *entries, size_t count, const int64_t *message, const void *author);

// Neither refers to an address, so that a copy of the section runs anywhere.
MOVABLE static void count_message(void *sum, const int64_t *message, const void *author) {
    (void)author;
    *(int64_t *)sum += *message;
}

MOVABLE static void call_each(const struct entry *entries, size_t count, const int64_t *message, const void *author) {
    for (size_t one = 0; one < count; one++) entries[one].handler(entries[one].context, message, author);
}

extern const char __start_movable[], __stop_movable[];

// Where the copy of a function is, in a copy of the section.
static uintptr_t moved(uintptr_t function, const char *copy) {
    return function - (uintptr_t)__start_movable + (uintptr_t)copy;
}

static char *copy_at(uintptr_t address) {
    size_t size = (size_t)(__stop_movable - __start_movable);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    char *copy = mmap((void *)address, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (copy == MAP_FAILED) return NULL;
    memcpy(copy, __start_movable, size);
    __builtin___clear_cache(copy, copy + size);
    return (uintptr_t)copy == address && mprotect(copy, size, PROT_READ | PROT_EXEC) == 0 ? copy : NULL;
}

static struct entry entries[HANDLERS];
static int64_t sums[HANDLERS];

static void send(void *context, long count) {
    loop each = *(loop *)context;
    for (int64_t message = 1; message <= count; message++) each(entries, HANDLERS, &message, entries);
}

int main(void) {
    static const int bits[] = {24, 28, 32, 34, 36, 37, 38, 40, 42, 44};
    enum { ALL = sizeof bits / sizeof *bits };
    subject runs[ALL];
    loop loops[ALL];
    void *contexts[ALL];
    long distances[ALL];
    double result[ALL];
    int found = 0;
    park_a_thread();
    const uintptr_t base = (uintptr_t)1 << 45;
    const char *handlers = copy_at(base);
    if (!handlers) return 0; // no such addresses, or no code there: nothing is said
    for (int one = 0; one < HANDLERS; one++)
        entries[one] = (struct entry){(handler)moved((uintptr_t)count_message, handlers), &sums[one]};
    for (int one = 0; one < ALL; one++) {
        const char *copy = copy_at(base + ((uintptr_t)1 << bits[one]));
        if (!copy) continue;
        loops[found] = (loop)moved((uintptr_t)call_each, copy);
        runs[found] = send;
        contexts[found] = &loops[found];
        distances[found++] = 1L << bits[one];
    }
    measure(found, runs, contexts, result);
    for (int one = 0; one < found; one++)
        report("C, delivery by the distance of a loop from its handlers", "raw loop", distances[one],
               result[one] / HANDLERS, "ns");
    for (int one = 0; one < HANDLERS; one++)
        if (sums[one] == 0) abort();
}
