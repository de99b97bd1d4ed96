/* SPDX-License-Identifier: MIT */
/* A kernel without membarrier(2), to be loaded before a program: the engine then fences on both sides. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refused;

/* A program that has not asked has shown nothing. */
__attribute__((destructor)) static void check(void) {
    if (refused > 0) return;
    fputs("membarrier(2) was never asked for\n", stderr);
    _exit(1);
}

long syscall(long number, ...) {
    static long (*next)(long, ...);
    long arguments[6];
    va_list list;
    if (number == SYS_membarrier) {
        refused++;
        errno = ENOSYS;
        return -1;
    }
    if (next == NULL) *(void **)&next = dlsym(RTLD_NEXT, "syscall");
    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    return next(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
