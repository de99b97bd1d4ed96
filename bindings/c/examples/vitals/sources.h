/* SPDX-License-Identifier: MIT */
/** @file sources.h
 *  What is watched: where it stands under /proc, and how it is shown. */
#ifndef VITALS_SOURCES_H
#define VITALS_SOURCES_H

#include "readings.h"

#include <stddef.h>

/** Room for the longest text: any double with two decimals. */
enum { TEXT_SIZE = 320, SOURCE_COUNT = 4 };

typedef struct source {
    const char *name;
    const char *file;     /**< below /proc */
    const char *expected; /**< what a malformed file lacks */
    bool (*parse)(const char *text, sample *out);
    /** Writes what is shown for `now`. `before` is the sample before it, NULL for the first; `interval` is in
     *  milliseconds. */
    void (*show)(char text[TEXT_SIZE], const sample *now, const sample *before, double interval);
} source;

/** In the order in which they are read. */
extern const source sources[SOURCE_COUNT];

#endif
