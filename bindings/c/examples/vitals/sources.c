/* SPDX-License-Identifier: MIT */
/* The four sources. Counters only grow, but start again where a device or a processor comes back: then
 * differences are negative. */
#include "sources.h"

#include <stdio.h>

static double difference(uint64_t now, uint64_t before) {
    return now >= before ? (double)(now - before) : -(double)(before - now);
}

static void show_cpu(char text[TEXT_SIZE], const sample *now, const sample *before, double interval) {
    (void)interval;
    static const sample boot; /* all counters were zero then */
    if (before == NULL) before = &boot;
    double busy = difference(now->part, before->part);
    double all = difference(now->whole, before->whole);
    snprintf(text, TEXT_SIZE, "%.1f %%", all > 0 ? 100.0 * busy / all : 0.0);
}

static void show_memory(char text[TEXT_SIZE], const sample *now, const sample *before, double interval) {
    (void)before, (void)interval;
    snprintf(text, TEXT_SIZE, "%.1f %%", 100.0 * (double)now->part / (double)now->whole);
}

static void show_load(char text[TEXT_SIZE], const sample *now, const sample *before, double interval) {
    (void)before, (void)interval;
    snprintf(text, TEXT_SIZE, "%.2f", now->load);
}

static void show_network(char text[TEXT_SIZE], const sample *now, const sample *before, double interval) {
    double bytes = before == NULL ? 0.0 : difference(now->part, before->part);
    /* Bytes in a millisecond are kilobytes in a second. */
    snprintf(text, TEXT_SIZE, "%.1f kB/s", bytes > 0 ? bytes / interval : 0.0);
}

const source sources[SOURCE_COUNT] = {
    {"cpu", "stat", "\"cpu\" and at least four numbers", parse_stat, show_cpu},
    {"memory", "meminfo", "MemTotal and MemAvailable", parse_meminfo, show_memory},
    {"load", "loadavg", "a load average", parse_loadavg, show_load},
    {"network", "net/dev", "16 numbers after each interface", parse_net_dev, show_network},
};
