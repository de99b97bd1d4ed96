/* SPDX-License-Identifier: MIT */
/* The measuring that is the same in C and in Swift. */
#include "../../../c/measure.h"
#include "CMeasure.h"
#include <malloc.h>

void measure_park_a_thread(void) { park_a_thread(); }

double measure_nanoseconds(void) { return nanoseconds(); }

double measure_slice(void) { return slice(); }

size_t measure_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void measure_report(const char *measure, const char *subject, long size, double value, const char *unit) {
    report(measure, subject, size, value, unit);
    fflush(stdout);
}
