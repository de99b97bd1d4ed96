/* SPDX-License-Identifier: MIT */
/* What a variable costs beside a send to one handler, and what sending costs when two threads share an observable. */
#include "measure.h"
#include <stdatomic.h>
#include <swiftobserver.h>

static void count_up(void *counter, const swo_value *message, const void *author) {
    (void)message, (void)author;
    atomic_fetch_add_explicit((atomic_long *)counter, 1, memory_order_relaxed);
}

static swo_observable *observed_by(swo_observable *observable, long observers) {
    static atomic_long counter;
    for (long one = 0; one < observers; one++)
        if (swo_observe(observable, NULL, count_up, &counter, NULL, NULL) != SWO_OK) abort();
    return observable;
}

static swo_observable *new_variable(long observers) {
    swo_value zero = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&zero, &variable) != SWO_OK) abort();
    return observed_by(variable, observers);
}

static void send(void *messenger, long count) {
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
}

static void set(void *variable, long count) {
    for (long one = 1; one <= count; one++) {
        swo_value value = swo_int64(one);
        swo_variable_set(variable, &value, NULL);
    }
}

static void set_to_the_same(void *variable, long count) {
    swo_value value = swo_int64(count);
    for (long one = 1; one <= count; one++) swo_variable_set(variable, &value, NULL);
}

static void get(void *variable, long count) {
    swo_value value;
    for (long one = 0; one < count; one++)
        if (swo_variable_get(variable, &value) != SWO_OK) abort();
}

static void report_variables(void) {
    swo_observable *messenger = observed_by(swo_messenger_new(), 1);
    swo_observable *alone = new_variable(0), *observed = new_variable(1);
    double result[5];
    measure(5, (subject[]){send, set, set, set_to_the_same, get},
            (void *[]){messenger, alone, observed, observed, observed}, 200000, result);
    report("variable", "a send to one observer", 1, result[0], "ns");
    report("variable", "set, without observers", 1, result[1], "ns");
    report("variable", "set, one observer", 1, result[2], "ns");
    report("variable", "set to the same", 1, result[3], "ns");
    report("variable", "get", 1, result[4], "ns");
    swo_observable_release(messenger);
    swo_observable_release(alone);
    swo_observable_release(observed);
}

struct sender {
    swo_observable *messenger;
    long count;
};

static void *send_on_thread(void *context) {
    struct sender *sender = context;
    send(sender->messenger, sender->count);
    return NULL;
}

static void send_from(void *messenger, long count, int threads) {
    pthread_t others[2];
    struct sender sender = {messenger, count / threads};
    for (int one = 0; one < threads; one++)
        if (pthread_create(&others[one], NULL, send_on_thread, &sender) != 0) abort();
    for (int one = 0; one < threads; one++) pthread_join(others[one], NULL);
}

static void send_from_one(void *messenger, long count) { send_from(messenger, count, 1); }
static void send_from_two(void *messenger, long count) { send_from(messenger, count, 2); }

static void report_threads(long observers) {
    swo_observable *leaning = observed_by(swo_messenger_new(), observers);
    swo_observable *shared = observed_by(swo_messenger_new(), observers);
    swo_observable *unordered = observed_by(swo_messenger_new(), observers);
    swo_observable_set_ordered(unordered, false);
    double result[5];
    measure(5, (subject[]){send_from_one, send_from_one, send_from_two, send_from_one, send_from_two},
            (void *[]){leaning, shared, shared, unordered, unordered}, 200000 / observers, result);
    report("threads on one observable", "one thread alone", observers, result[0], "ns");
    report("threads on one observable", "one thread, after another", observers, result[1], "ns");
    report("threads on one observable", "two threads", observers, result[2], "ns");
    report("threads on one observable", "one thread, unordered", observers, result[3], "ns");
    report("threads on one observable", "two threads, unordered", observers, result[4], "ns");
    swo_observable_release(leaning);
    swo_observable_release(shared);
    swo_observable_release(unordered);
}

int main(void) {
    park_a_thread();
    report_variables();
    for (long observers = 1; observers <= 100; observers *= 10) report_threads(observers);
    return 0;
}
