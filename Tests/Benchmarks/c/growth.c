/* SPDX-License-Identifier: MIT */
/* How cost grows: by observers, observables, observations, links of a chain, and parts of a combination. */
#include "measure.h"
#include <swiftobserver.h>

static int64_t received;

static void count_message(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
    received++;
}

static void must(swo_status status) {
    if (status != SWO_OK) abort();
}

static void observe(swo_observable *observable) {
    must(swo_observe(observable, NULL, count_message, NULL, NULL, NULL));
}

static void send(void *messenger, long count) {
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) must(swo_send(messenger, &message, NULL));
}

/* ---- observers of one observable ---- */

struct raw {
    long count;
    struct {
        swo_handler handler;
        void *context;
    } entries[];
};

static void raw_loop(void *context, long count) {
    struct raw *raw = context;
    swo_value message = swo_int64(1);
    for (long sent = 0; sent < count; sent++)
        for (long one = 0; one < raw->count; one++) raw->entries[one].handler(raw->entries[one].context, &message, raw);
}

static void observe_and_stop(void *messenger, long count) {
    for (long one = 0; one < count; one++) {
        swo_observation id;
        must(swo_observe(messenger, NULL, count_message, NULL, NULL, &id));
        must(swo_stop(id));
    }
}

static void report_observers(long observers) {
    swo_observable *messenger = swo_messenger_new();
    struct raw *raw = calloc(1, sizeof *raw + (size_t)observers * sizeof *raw->entries);
    raw->count = observers;
    for (long one = 0; one < observers; one++) {
        observe(messenger);
        raw->entries[one].handler = count_message;
    }
    double result[3];
    measure(3, (subject[]){raw_loop, send, observe_and_stop}, (void *[]){raw, messenger, messenger}, result);
    report("C, delivery by observers", "raw loop", observers, result[0] / (double)observers, "ns");
    report("C, delivery by observers", "swiftobserver", observers, result[1] / (double)observers, "ns");
    report("C, observe + stop by others of the observable", "swiftobserver", observers, result[2], "ns");
    swo_observable_release(messenger);
    free(raw);
}

/* ---- observables ---- */

struct many {
    long count;
    swo_observable **all;
    uint32_t random;
};

/* To one after another in no order that a processor could foresee: with many, each is found in no cache. */
static void send_to_each(void *context, long count) {
    struct many *many = context;
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) {
        many->random = many->random * 1664525 + 1013904223;
        long index = (long)((uint64_t)many->random * (uint64_t)many->count >> 32);
        must(swo_send(many->all[index], &message, NULL));
    }
}

static void observe_and_stop_at_each(void *context, long count) {
    struct many *many = context;
    for (long one = 0; one < count; one++) {
        many->random = many->random * 1664525 + 1013904223;
        observe_and_stop(many->all[(uint64_t)many->random * (uint64_t)many->count >> 32], 1);
    }
}

static void report_observables(long count) {
    struct many many = {count, calloc((size_t)count, sizeof *many.all), 1};
    for (long one = 0; one < count; one++) observe(many.all[one] = swo_messenger_new());
    double result[4];
    measure(4, (subject[]){send, send_to_each, observe_and_stop, observe_and_stop_at_each},
            (void *[]){many.all[count / 2], &many, many.all[count / 2], &many}, result);
    report("C, send among many observables", "to the same one", count, result[0], "ns");
    report("C, send among many observables", "to any (cold caches)", count, result[1], "ns");
    report("C, observe + stop among many observables", "of the same one", count, result[2], "ns");
    report("C, observe + stop among many observables", "of any (cold caches)", count, result[3], "ns");
    for (long one = 0; one < count; one++) swo_observable_release(many.all[one]);
    free(many.all);
}

/* ---- chains ---- */

static swo_status add_one(void *context, const swo_value *message, swo_value *out) {
    (void)context;
    *out = swo_int64(message->as.int64 + 1);
    return SWO_OK;
}

static void report_chain(long links) {
    swo_observable **chain = calloc((size_t)links + 1, sizeof *chain), *alone = swo_messenger_new();
    chain[0] = swo_messenger_new();
    for (long one = 0; one < links; one++) must(swo_map(chain[one], add_one, NULL, NULL, &chain[one + 1]));
    observe(chain[links]);
    observe(alone);
    double result[2];
    measure(2, (subject[]){send, send}, (void *[]){chain[0], alone}, result);
    report("C, a map by the length of its chain", "swiftobserver", links, result[0] / (double)links, "ns");
    report("C, a map by the length of its chain", "a send to one observer", links, result[1], "ns");
    for (long one = links; one >= 0; one--) swo_observable_release(chain[one]);
    swo_observable_release(alone);
    free(chain);
}

/* ---- combinations ---- */

static void count_combined(void *context, const swo_value *messages, size_t count, const void *author) {
    (void)context, (void)messages, (void)count, (void)author;
    received++;
}

static void set(void *variable, long count) {
    static int64_t number;
    for (long one = 0; one < count; one++) {
        swo_value value = swo_int64(++number);
        must(swo_variable_set(variable, &value, NULL));
    }
}

static void report_combination(long parts) {
    swo_observable **variables = calloc((size_t)parts, sizeof *variables);
    swo_value zero = swo_int64(0);
    for (long one = 0; one < parts; one++) must(swo_variable_new(&zero, &variables[one]));
    must(swo_observe_combined(variables, (size_t)parts, NULL, count_combined, NULL, NULL, NULL));
    double result[1];
    measure(1, (subject[]){set}, (void *[]){variables[parts / 2]}, result);
    report("C, a combined message by parts", "swiftobserver, a part", parts, result[0] / (double)parts, "ns");
    for (long one = 0; one < parts; one++) swo_observable_release(variables[one]);
    free(variables);
}

int main(int words, char **word) {
    park_a_thread();
    long most = words > 1 ? atol(word[1]) : 1000000;
    for (long count = 1; count <= most; count *= 10) report_observers(count);
    for (long count = 1; count <= most; count *= 10) report_observables(count);
    for (long links = 1; links <= 1000; links *= 10) report_chain(links);
    static const long parts[] = {2, 5, 10, 20, 50, 100};
    for (size_t one = 0; one < sizeof parts / sizeof *parts; one++) report_combination(parts[one]);
    return 0;
}
