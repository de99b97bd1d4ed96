/* SPDX-License-Identifier: MIT */
/* How much memory observations and observables take, as malloc counts it, and what is kept when they are gone. */
#include "measure.h"
#include <malloc.h>
#include <swiftobserver.h>

static size_t in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void ignore(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void observe(swo_observable *messenger, swo_observer *observer, long count) {
    for (long one = 0; one < count; one++)
        if (swo_observe(messenger, observer, ignore, NULL, NULL, NULL) != SWO_OK) abort();
}

/* Without what the first observation of all takes, and the observable itself. */
static void report_observations(const char *subject, long count, bool is_kept) {
    swo_observable *messenger = swo_messenger_new();
    swo_observer *observer = is_kept ? swo_observer_new() : NULL;
    observe(messenger, observer, 1);
    size_t before = in_use();
    observe(messenger, observer, count);
    report("C, memory of an observation by how many there are", subject, count,
           (double)(in_use() - before) / (double)count, "bytes");
    if (observer) swo_observer_release(observer);
    swo_observable_release(messenger);
}

static void report_observables(const char *subject, long count, long observers) {
    swo_observable **messengers = calloc((size_t)count, sizeof *messengers);
    size_t before = in_use();
    for (long one = 0; one < count; one++) observe(messengers[one] = swo_messenger_new(), NULL, observers);
    report("C, memory of an observable by how many there are", subject, count,
           (double)(in_use() - before) / (double)count, "bytes");
    for (long one = 0; one < count; one++) swo_observable_release(messengers[one]);
    free(messengers);
}

static swo_status add_two(void *two, swo_value *out) {
    swo_observable **sources = two;
    swo_value first, second;
    if (swo_variable_get(sources[0], &first) != SWO_OK || swo_variable_get(sources[1], &second) != SWO_OK) abort();
    *out = swo_int64(first.as.int64 + second.as.int64);
    return SWO_OK;
}

/* Over two variables, read once, and observed. */
static void report_derived(long count) {
    swo_observable **derived = calloc((size_t)count, sizeof *derived), *sources[2];
    swo_value value = swo_int64(0);
    for (int each = 0; each < 2; each++)
        if (swo_variable_new(&value, &sources[each]) != SWO_OK) abort();
    size_t before = in_use();
    for (long one = 0; one < count; one++) {
        if (swo_derived_new(add_two, sources, NULL, &derived[one]) != SWO_OK) abort();
        if (swo_variable_get(derived[one], &value) != SWO_OK) abort();
    }
    size_t read = in_use();
    report("C, memory of a derived variable", "read", count, (double)(read - before) / (double)count, "bytes");
    for (long one = 0; one < count; one++) observe(derived[one], NULL, 1);
    report("C, memory of a derived variable", "observed", count, (double)(in_use() - before) / (double)count, "bytes");
    for (long one = 0; one < count; one++) swo_observable_release(derived[one]);
    for (int each = 0; each < 2; each++) swo_observable_release(sources[each]);
    free(derived);
}

/* What a burst of observations leaves: of an observable that lives on, and when that is gone, too. */
static void report_burst(long count) {
    static swo_observation ids[1000000];
    size_t before = in_use();
    swo_observable *messenger = swo_messenger_new();
    observe(messenger, NULL, 1);
    size_t with_one = in_use();
    for (long one = 0; one < count; one++)
        if (swo_observe(messenger, NULL, ignore, NULL, NULL, &ids[one]) != SWO_OK) abort();
    for (long one = 0; one < count; one++) swo_stop(ids[one]);
    size_t after = in_use();
    report("C, memory kept after a burst", "by the observable that lives on", count, (double)after - (double)with_one,
           "bytes");
    swo_observable_release(messenger);
    report("C, memory kept after a burst", "when the observable is gone", count, (double)in_use() - (double)before,
           "bytes");
}

int main(void) {
    park_a_thread();
    report_burst(1000000);
    report_derived(10000);
    for (long count = 1; count <= 1000000; count *= 10) {
        report_observations("bare", count, false);
        report_observations("kept by an observer", count, true);
        report_observables("nobody observing", count, 0);
        report_observables("one observer", count, 1);
    }
    return 0;
}
