/* SPDX-License-Identifier: MIT */
/* How the C benchmarks measure: wall time, medians of interleaved repeats, one JSON object a line. */
#ifndef MEASURE_H
#define MEASURE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 11

/* A subject does `count` units of work, a unit being what is quoted per unit. */
typedef void (*subject)(void *context, long count);

static inline double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *sleep_for_ever(void *unused) {
    for (;;) pause();
    return unused;
}

/* With one thread alone, libc leaves out its atomics, and everything looks faster than it is in a real program. */
static inline void park_a_thread(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_for_ever, NULL) != 0) abort();
}

static inline int by_size(const void *one, const void *other) {
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

static inline double median(double values[REPEATS]) {
    qsort(values, REPEATS, sizeof *values, by_size);
    return values[REPEATS / 2];
}

/* Measures subjects in turn, so that a drift of the machine's speed meets all of them. */
static inline void measure(int subjects, const subject run[], void *const context[], long count, double result[]) {
    double times[8][REPEATS];
    for (int repeat = -1; repeat < REPEATS; repeat++) {
        for (int one = 0; one < subjects; one++) {
            double begin = nanoseconds();
            run[one](context[one], count);
            if (repeat >= 0) times[one][repeat] = (nanoseconds() - begin) / (double)count;
        }
    }
    for (int one = 0; one < subjects; one++) result[one] = median(times[one]);
}

static inline void report(const char *measure, const char *subject, long size, double value, const char *unit) {
    printf("{\"measure\": \"%s\", \"subject\": \"%s\", \"size\": %ld, \"value\": %.3f, \"unit\": \"%s\"}\n", measure,
           subject, size, value, unit);
}

#endif
