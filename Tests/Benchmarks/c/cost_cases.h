/* SPDX-License-Identifier: MIT */
/* For cost.c: what is counted for itself. */
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <swiftobserver/runtime.h>

static void ignore(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void send_back(void *context, const swo_value *message, const void *author) {
    (void)author;
    swo_value next = swo_int64(message->as.int64 - 1);
    if (next.as.int64 > 0) swo_send(context, &next, NULL);
}

static swo_status negate(void *context, const swo_value *message, swo_value *out) {
    (void)context;
    *out = swo_int64(-message->as.int64);
    return SWO_OK;
}

static void observe_by(swo_observable *observable, long observers) {
    for (long one = 0; one < observers; one++)
        if (swo_observe(observable, NULL, ignore, NULL, NULL, NULL) != SWO_OK) abort();
}

static void send_to(long observers, bool ordered, long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observable_set_ordered(messenger, ordered);
    observe_by(messenger, observers);
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
    swo_observable_release(messenger);
}

static void send_to_0(long count) { send_to(0, true, count); }
static void send_to_1(long count) { send_to(1, true, count); }
static void send_to_100(long count) { send_to(100, true, count); }
static void send_unordered_to_1(long count) { send_to(1, false, count); }
static void send_unordered_to_100(long count) { send_to(100, false, count); }

static void send_from_a_handler(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observe(messenger, NULL, send_back, messenger, NULL, NULL);
    swo_value message = swo_int64(count);
    swo_send(messenger, &message, NULL);
    swo_observable_release(messenger);
}

static void send_through_map(long count) {
    swo_observable *messenger = swo_messenger_new(), *mapped;
    if (swo_map(messenger, negate, NULL, NULL, &mapped) != SWO_OK) abort();
    observe_by(mapped, 1);
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
    swo_observable_release(mapped);
    swo_observable_release(messenger);
}

static swo_status add_up_numbers(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    (void)context;
    *out = swo_int64(value->as.int64 + message->as.int64);
    return SWO_OK;
}

static void send_through_scan(long count) {
    swo_observable *messenger = swo_messenger_new(), *sum;
    swo_value message = swo_int64(1), zero = swo_int64(0);
    if (swo_scan(messenger, &zero, add_up_numbers, NULL, NULL, &sum) != SWO_OK) abort();
    observe_by(sum, 1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
    swo_observable_release(sum);
    swo_observable_release(messenger);
}

/* Of two messengers, which have both sent. */
static void send_through_combine(long count) {
    swo_observable *sources[] = {swo_messenger_new(), swo_messenger_new()}, *both;
    swo_value message = swo_int64(1);
    if (swo_combine(sources, 2, &both) != SWO_OK) abort();
    observe_by(both, 1);
    swo_send(sources[1], &message, NULL);
    for (long one = 0; one < count; one++) swo_send(sources[0], &message, NULL);
    swo_observable_release(both);
    swo_observable_release(sources[0]);
    swo_observable_release(sources[1]);
}

/* Of the new values of two variables. */
static void set_through_combine(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variables[2], *sources[2], *both;
    for (int each = 0; each < 2; each++) {
        if (swo_variable_new(&value, &variables[each]) != SWO_OK) abort();
        if (swo_new_values(variables[each], &sources[each]) != SWO_OK) abort();
    }
    if (swo_combine(sources, 2, &both) != SWO_OK) abort();
    observe_by(both, 1);
    for (long one = 1; one <= count; one++) {
        value = swo_int64(one);
        swo_variable_set(variables[0], &value, NULL);
    }
    swo_observable_release(both);
    for (int each = 0; each < 2; each++) {
        swo_observable_release(sources[each]);
        swo_observable_release(variables[each]);
    }
}

static void observe_and_stop(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_by(messenger, 100);
    for (long one = 0; one < count; one++) {
        swo_observation id;
        swo_observe(messenger, NULL, ignore, NULL, NULL, &id);
        swo_stop(id);
    }
    swo_observable_release(messenger);
}

static void observe_kept_and_stop(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observer *observer = swo_observer_new();
    for (long one = 0; one < count; one++) {
        swo_observation id;
        swo_observe(messenger, observer, ignore, NULL, NULL, &id);
        swo_stop(id);
    }
    swo_observer_release(observer);
    swo_observable_release(messenger);
}

static void set_a_variable(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&value, &variable) != SWO_OK) abort();
    observe_by(variable, 1);
    for (long one = 1; one <= count; one++) {
        value.as.int64 = one;
        swo_variable_set(variable, &value, NULL);
    }
    swo_observable_release(variable);
}

static void get_a_variable(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&value, &variable) != SWO_OK) abort();
    for (long one = 1; one <= count; one++) swo_variable_get(variable, &value);
    swo_observable_release(variable);
}

static void make_a_messenger(long count) {
    for (long one = 0; one < count; one++) swo_observable_release(swo_messenger_new());
}

/* What one thread alone has used for a while, and then another one, is used by the first again. */
static void *set_to_0(void *variable) {
    swo_value value = swo_int64(0);
    swo_variable_set(variable, &value, NULL);
    return NULL;
}

static void set_after_another_thread(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable;
    pthread_t other;
    if (swo_variable_new(&value, &variable) != SWO_OK) abort();
    observe_by(variable, 1);
    for (long one = 1; one <= 100 + count; one++) {
        if (one == 100 && (pthread_create(&other, NULL, set_to_0, variable) != 0 || pthread_join(other, NULL) != 0))
            abort();
        value.as.int64 = one;
        swo_variable_set(variable, &value, NULL);
    }
    swo_observable_release(variable);
}
