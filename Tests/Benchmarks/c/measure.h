/* SPDX-License-Identifier: MIT */
/* How the benchmarks measure: wall time, medians of interleaved repeats, one JSON object a line.
 *
 * BENCH_SLICE is how many microseconds one repeat of one subject takes; it alone says how long a benchmark runs,
 * because each subject does as many units in a repeat as fit into it. */
#ifndef MEASURE_H
#define MEASURE_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define REPEATS 11
#define MOST_SUBJECTS 16

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

static inline double slice(void) {
    const char *microseconds = getenv("BENCH_SLICE");
    double wanted = microseconds ? atof(microseconds) : 0;
    return (wanted > 0 ? wanted : 10000) * 1e3;
}

static inline int by_size(const void *one, const void *other) {
    double first = *(const double *)one, second = *(const double *)other;
    return (first > second) - (first < second);
}

static inline double median(double values[REPEATS]) {
    qsort(values, REPEATS, sizeof *values, by_size);
    return values[REPEATS / 2];
}

static inline double time_of(subject run, void *context, long count) {
    double begin = nanoseconds();
    run(context, count);
    return nanoseconds() - begin;
}

/* The shorter of two times: what happens only once, such as the kernel's preparing of a fence in 16 ms, is in one. */
static inline double least_time_of(subject run, void *context, long count) {
    double first = time_of(run, context, count), second = time_of(run, context, count);
    return first < second ? first : second;
}

/* How many units fill a slice. The work done here warms up, too. */
static inline long units_in_a_slice(subject run, void *context) {
    long count = 1;
    double time = least_time_of(run, context, count), wanted = slice();
    while (time < wanted / 4 && count < 1L << 40) time = least_time_of(run, context, count *= 2);
    double fitting = (double)count * wanted / (time > 1 ? time : 1);
    return fitting < 1 ? 1 : (long)fitting;
}

/* Nanoseconds a unit. The subjects take turns, so that a drift of the machine's speed meets all of them. */
static inline void measure(int subjects, const subject run[], void *const context[], double result[]) {
    static double times[MOST_SUBJECTS][REPEATS];
    long counts[MOST_SUBJECTS];
    if (subjects > MOST_SUBJECTS) abort();
    for (int one = 0; one < subjects; one++) counts[one] = units_in_a_slice(run[one], context[one]);
    for (int repeat = 0; repeat < REPEATS; repeat++)
        for (int one = 0; one < subjects; one++)
            times[one][repeat] = time_of(run[one], context[one], counts[one]) / (double)counts[one];
    for (int one = 0; one < subjects; one++) result[one] = median(times[one]);
}

static inline void report(const char *measure, const char *subject, long size, double value, const char *unit) {
    printf("{\"measure\": \"%s\", \"subject\": \"%s\", \"size\": %ld, \"value\": %.3f, \"unit\": \"%s\"}\n", measure,
           subject, size, value, unit);
    fflush(stdout);
}

#endif
