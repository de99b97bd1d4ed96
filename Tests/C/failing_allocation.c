/* SPDX-License-Identifier: MIT */
/* Put in front of the allocator with LD_PRELOAD: of the allocations that the library makes, the one whose number is the
 * environment variable SWO_FAILING fails. With SWO_COUNTING their number is said at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static uintptr_t begin, end;
static long failing = -1, allocations;

static int find(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size, (void)unused;
    if (strstr(object->dlpi_name, "libswiftobserver") == NULL) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        begin = object->dlpi_addr + part->p_vaddr;
        end = begin + part->p_memsz;
    }
    return 1;
}

__attribute__((constructor)) static void prepare(void) {
    const char *number = getenv("SWO_FAILING");
    dl_iterate_phdr(find, NULL);
    failing = number == NULL ? 0 : atol(number);
}

__attribute__((destructor)) static void tell(void) {
    if (getenv("SWO_COUNTING") != NULL) fprintf(stderr, "allocations: %ld\n", allocations);
}

static bool fails(void *caller) {
    return failing >= 0 && (uintptr_t)caller >= begin && (uintptr_t)caller < end && ++allocations == failing;
}

#define CALLER __builtin_return_address(0)
void *malloc(size_t size) { return fails(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(CALLER) ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails(CALLER) ? NULL : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails(CALLER) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    if (fails(CALLER)) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = fails(CALLER) ? NULL : __libc_malloc(size);
    return copy == NULL ? NULL : memcpy(copy, text, size);
}
