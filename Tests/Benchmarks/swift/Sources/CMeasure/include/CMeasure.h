/* SPDX-License-Identifier: MIT */
/* What Swift cannot do by itself while it measures. */
#ifndef CMEASURE_H
#define CMEASURE_H

#include <stddef.h>

/* With one thread alone, libc leaves out its atomics, and everything looks faster than it is in a real program. */
void measure_park_a_thread(void);

/* Wall time. */
double measure_nanoseconds(void);

/* How many nanoseconds a repeat of a subject is to take. */
double measure_slice(void);

/* What the program has allocated and not freed. */
size_t measure_bytes_in_use(void);

/* One line of output, as the benchmarks in C have it. */
void measure_report(const char *measure, const char *subject, long size, double value, const char *unit);

#endif
