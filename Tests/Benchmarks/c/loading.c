/* SPDX-License-Identifier: MIT */
/* How long a library takes to load: dlopen() in a process of its own, each library in turn.
 * Usage: loading LIBRARY NAME ... */
#include "measure.h"
#include <dlfcn.h>
#include <sys/wait.h>

static double load_once(const char *library) {
    int ends[2];
    if (pipe(ends) != 0) abort();
    pid_t child = fork();
    if (child == 0) {
        double begin = nanoseconds();
        void *loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
        double time = nanoseconds() - begin;
        if (loaded == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            _exit(1);
        }
        if (write(ends[1], &time, sizeof time) != sizeof time) _exit(1);
        _exit(0);
    }
    double time;
    int status;
    if (read(ends[0], &time, sizeof time) != sizeof time || waitpid(child, &status, 0) != child || status != 0) exit(1);
    close(ends[0]);
    close(ends[1]);
    return time;
}

int main(int count, char **words) {
    double times[8][REPEATS];
    int libraries = (count - 1) / 2;
    if (libraries < 1 || libraries > 8) return 2;
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        for (int one = 0; one < libraries; one++) {
            double time = load_once(words[1 + 2 * one]);
            if (repeat >= 0) times[one][repeat] = time / 1000;
        }
    }
    for (int one = 0; one < libraries; one++)
        report("C, loading the library", words[2 + 2 * one], 1, median(times[one]), "us");
    return 0;
}
