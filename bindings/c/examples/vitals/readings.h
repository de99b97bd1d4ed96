/* SPDX-License-Identifier: MIT */
/** @file readings.h
 *  What the files under /proc say: text in, numbers out. Nothing here observes.
 *
 *  A parser returns false, and leaves `out` alone, if the text is not what the kernel writes. */
#ifndef VITALS_READINGS_H
#define VITALS_READINGS_H

#include <stdbool.h>
#include <stdint.h>

/** What was read of one source at one moment. Free of padding, so it can be compared byte by byte. */
typedef struct sample {
    uint64_t part;  /**< cpu: busy ticks; memory: used kilobytes; network: bytes received and sent */
    uint64_t whole; /**< cpu: all ticks; memory: all kilobytes */
    double load;    /**< load: processes that run or wait, averaged over the last minute */
} sample;

typedef bool (*parser)(const char *text, sample *out);

bool parse_stat(const char *text, sample *out);    /**< the first line: `cpu` and at least four numbers */
bool parse_meminfo(const char *text, sample *out); /**< the lines MemTotal and MemAvailable */
bool parse_loadavg(const char *text, sample *out); /**< the first word */
bool parse_net_dev(const char *text, sample *out); /**< the sum over all interfaces but `lo` */

/** Reads a whole file. The caller frees the result; NULL means that errno says why not. */
char *read_text(const char *path);

/** Takes digits, or digits, a point and digits, from the front of `*text`, which moves behind them. */
bool take_decimal(const char **text, double *out);

/** Takes digits that a blank, the end of the line or of the text follows from the front of `*text`, which
 *  moves behind them. */
bool take_number(const char **text, uint64_t *out);

#endif
