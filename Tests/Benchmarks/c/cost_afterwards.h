/* SPDX-License-Identifier: MIT */
/* For cost.c: what has been done with an observable, and is over, makes no later use of it take the long way. */
#pragma once
#include "cost_cases.h"
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <unistd.h>

static void send_some(swo_observable *messenger, long count) {
    swo_value message = swo_int64(0);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
}

static swo_observation observe_one(swo_observable *messenger, swo_observer *observer, swo_handler handler,
                                   void *context) {
    swo_observation id;
    if (swo_observe(messenger, observer, handler, context, NULL, &id) != SWO_OK) abort();
    return id;
}

static void send_after_a_stop(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_by(messenger, 10);
    for (long one = 0; one < count; one++) {
        swo_stop(observe_one(messenger, NULL, ignore, NULL));
        send_some(messenger, 4);
    }
    swo_observable_release(messenger);
}

static void send_after_a_block(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_by(messenger, 10);
    for (long one = 0; one < count; one++) {
        swo_observation id = observe_one(messenger, NULL, ignore, NULL);
        swo_block(id);
        swo_unblock(id);
        swo_block(id);
        swo_stop(id);
        send_some(messenger, 4);
    }
    swo_observable_release(messenger);
}

static void send_beside_a_blocked(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observation id = observe_one(messenger, NULL, ignore, NULL);
    observe_by(messenger, 1);
    send_some(messenger, 100);
    swo_block(id);
    send_some(messenger, count);
    swo_observable_release(messenger);
}

static void set_after_a_replay(long count) {
    swo_value value = swo_int64(0);
    swo_observe_options options = {.size = sizeof options, .replay = 1};
    swo_observable *variable;
    if (swo_variable_new(&value, &variable) != SWO_OK) abort();
    if (swo_observe_with(variable, &options, ignore, NULL, NULL, NULL) != SWO_OK) abort();
    for (long one = 1; one <= count; one++) {
        value.as.int64 = one;
        swo_variable_set(variable, &value, NULL);
    }
    swo_observable_release(variable);
}

/* A thread that waits for the end of a handler raises what the delivery then looks at. */
static void *stop_and_wait(void *id) {
    if (swo_stop_and_wait(*(swo_observation *)id) != SWO_OK) abort();
    return NULL;
}

struct waited_for {
    swo_observation id;
    pthread_t waits;
};

static void let_wait(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    struct waited_for *mine = context;
    if (pthread_create(&mine->waits, NULL, stop_and_wait, &mine->id) != 0) abort();
    while (swo_is_living(mine->id)) poll(NULL, 0, 1);
    for (int times = 0; times < 10; times++) poll(NULL, 0, 1);
}

static void send_after_a_wait(long count) {
    swo_observable *messenger = swo_messenger_new();
    struct waited_for mine;
    mine.id = observe_one(messenger, NULL, let_wait, &mine);
    observe_by(messenger, 10);
    send_some(messenger, 1);
    if (pthread_join(mine.waits, NULL) != 0) abort();
    send_some(messenger, count);
    swo_observable_release(messenger);
}

/* Two threads in turn, each a little more often than biases an observable to one that is alone. */
enum { turn = 33 };

struct turns {
    swo_observable *messenger;
    long count;
    sem_t here, there;
};

static void *send_in_turn(void *context) {
    struct turns *turns = context;
    for (long one = 0; one < turns->count; one++) {
        sem_wait(&turns->there);
        send_some(turns->messenger, turn);
        sem_post(&turns->here);
    }
    return NULL;
}

static void send_in_turn_by_two(long count, bool ordered) {
    struct turns turns = {swo_messenger_new(), count / (2 * turn), {{0}}, {{0}}};
    pthread_t other;
    swo_observable_set_ordered(turns.messenger, ordered);
    sem_init(&turns.here, 0, 1);
    sem_init(&turns.there, 0, 0);
    observe_by(turns.messenger, 1);
    if (pthread_create(&other, NULL, send_in_turn, &turns) != 0) abort();
    for (long one = 0; one < turns.count; one++) {
        sem_wait(&turns.here);
        send_some(turns.messenger, turn);
        sem_post(&turns.there);
    }
    if (pthread_join(other, NULL) != 0) abort();
    swo_observable_release(turns.messenger);
}

static void send_by_two_in_turn(long count) { send_in_turn_by_two(count, true); }
static void send_unordered_by_two_in_turn(long count) { send_in_turn_by_two(count, false); }

static void send_unordered_between_observations(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observable_set_ordered(messenger, false);
    observe_by(messenger, 1);
    for (long one = 0; one < count / turn; one++) {
        swo_stop(observe_one(messenger, NULL, ignore, NULL));
        send_some(messenger, turn);
    }
    swo_observable_release(messenger);
}

static void set_a_variable_without_order(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable;
    if (swo_variable_new(&value, &variable) != SWO_OK) abort();
    swo_observable_set_ordered(variable, false);
    observe_by(variable, 1);
    for (long one = 1; one <= count; one++) {
        for (int times = 0; times < 3; times++) swo_variable_get(variable, &value);
        value.as.int64 = one;
        swo_variable_set(variable, &value, NULL);
    }
    swo_observable_release(variable);
}

/* Begins and stops an observation, and sends forty messages, which wait. */
static void send_on(void *context, const swo_value *message, const void *author) {
    (void)author;
    if (message->as.int64 == 0) return;
    swo_stop(observe_one(context, NULL, ignore, NULL));
    send_some(context, 40);
}

static void send_many_from_a_handler(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observe(messenger, NULL, send_on, messenger, NULL, NULL);
    observe_by(messenger, 10);
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
    swo_observable_release(messenger);
}

/* Few use an observable often, and most of these in one place. */
static void use_a_messenger_a_little(long count) {
    for (long one = 0; one < count; one++) {
        swo_observable *messenger = swo_messenger_new();
        for (int observers = 0; observers < 3; observers++) {
            observe_by(messenger, 1);
            send_some(messenger, 2);
        }
        swo_observable_release(messenger);
    }
}

static void use_a_variable_a_little(long count) {
    for (long one = 0; one < count; one++) {
        swo_value value = swo_int64(0);
        swo_observable *variable;
        if (swo_variable_new(&value, &variable) != SWO_OK) abort();
        for (int times = 0; times < 3; times++) swo_variable_get(variable, &value);
        swo_observable_release(variable);
    }
}

/* Per 60, which end in the order in which they began. */
static void stop_many(long count) {
    enum { many = 60 };
    swo_observable *messenger = swo_messenger_new();
    for (long one = 0; one < count / many; one++) {
        swo_observation ids[many];
        for (int each = 0; each < many; each++) ids[each] = observe_one(messenger, NULL, ignore, NULL);
        for (int each = 0; each < many; each++) swo_stop(ids[each]);
    }
    swo_observable_release(messenger);
}

static void observe_kept_by_one_with_many(long count) {
    swo_observable *messenger = swo_messenger_new(), *busy = swo_messenger_new();
    swo_observer *observer = swo_observer_new();
    for (int one = 0; one < 100; one++) observe_one(busy, observer, ignore, NULL);
    for (long one = 0; one < count; one++) swo_stop(observe_one(messenger, observer, ignore, NULL));
    swo_observer_release(observer);
    swo_observable_release(busy);
    swo_observable_release(messenger);
}

/* One observer of as many observables, each of which it stops by name. */
static void stop_by_observable(long count) {
    swo_observable **messengers = calloc((size_t)count, sizeof *messengers);
    swo_observer *observer = swo_observer_new();
    for (long one = 0; one < count; one++) observe_one(messengers[one] = swo_messenger_new(), observer, ignore, NULL);
    for (long one = 0; one < count; one++) swo_observer_stop(observer, messengers[one]);
    for (long one = 0; one < count; one++) swo_observable_release(messengers[one]);
    swo_observer_release(observer);
    free(messengers);
}

/* Eight at a time, the last one first. */
static void observe_eight_and_stop(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observation ids[8];
    for (long one = 0; one < count / 8; one++) {
        for (int each = 0; each < 8; each++) ids[each] = observe_one(messenger, NULL, ignore, NULL);
        for (int each = 8; each > 0; each--) swo_stop(ids[each - 1]);
    }
    swo_observable_release(messenger);
}

static void stop_the_first_again(long count) {
    for (long one = 0; one < count; one++) {
        swo_observable *messenger = swo_messenger_new();
        for (int times = 0; times < 2; times++) swo_stop(observe_one(messenger, NULL, ignore, NULL));
        swo_observable_release(messenger);
    }
}

static void stop_another(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    swo_stop(observe_one(context, NULL, ignore, NULL));
}

static void stop_in_a_handler(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_one(messenger, NULL, stop_another, messenger);
    send_some(messenger, count);
    swo_observable_release(messenger);
}

static void change_the_order(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_by(messenger, 1);
    for (long one = 0; one < count; one++) {
        swo_observable_set_ordered(messenger, one % 2 != 0);
        send_some(messenger, 1);
    }
    swo_observable_release(messenger);
}

static void *send_one(void *messenger) {
    send_some(messenger, 1);
    return NULL;
}

/* Once another thread sends, then the handler does. */
static void let_send(void *context, const swo_value *message, const void *author) {
    pthread_t other;
    if (message->as.int64 != -1) return send_back(context, message, author);
    if (pthread_create(&other, NULL, send_one, context) != 0 || pthread_join(other, NULL) != 0) abort();
}

static void send_from_a_handler_after_another_thread(long count) {
    swo_observable *messenger = swo_messenger_new();
    observe_one(messenger, NULL, let_send, messenger);
    swo_value first = swo_int64(-1), message = swo_int64(2);
    swo_send(messenger, &first, NULL);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
    swo_observable_release(messenger);
}

static void set_a_deferred_variable(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable;
    if (swo_deferred_variable_new(&value, &variable) != SWO_OK) abort();
    for (long one = 1; one <= count; one++) {
        value.as.int64 = one;
        swo_variable_set(variable, &value, NULL);
    }
    swo_observable_release(variable);
}

/* Without order: what ended in a handler stays until that has returned, beside what it sends, and no longer. */
static void stop_some_and_send(void *context, const swo_value *message, const void *author) {
    (void)author;
    if (message->as.int64 == 0) return;
    swo_observation ids[5];
    for (int each = 0; each < 5; each++) ids[each] = observe_one(context, NULL, ignore, NULL);
    for (int each = 5; each > 0; each--) swo_stop(ids[each - 1]);
    send_some(context, 20);
}

static void stop_without_order_in_a_handler(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observable_set_ordered(messenger, false);
    observe_one(messenger, NULL, stop_some_and_send, messenger);
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) {
        swo_send(messenger, &message, NULL);
        send_some(messenger, 20);
    }
    swo_observable_release(messenger);
}

struct nest {
    swo_observable *messenger;
    swo_observation bottom;
    long left;
};

static void send_deeper(void *context, const swo_value *message, const void *author) {
    (void)author;
    struct nest *nest = context;
    if (nest->left-- > 0)
        swo_send(nest->messenger, message, NULL);
    else
        swo_stop(nest->bottom);
}

/* One inside the other without order, and something ends in the innermost. */
static void send_unordered_deeply(long count) {
    struct nest nest = {.messenger = swo_messenger_new(), .left = count};
    swo_observable_set_ordered(nest.messenger, false);
    nest.bottom = observe_one(nest.messenger, NULL, ignore, NULL);
    observe_one(nest.messenger, NULL, send_deeper, &nest);
    swo_value message = swo_int64(1);
    swo_send(nest.messenger, &message, NULL);
    swo_observable_release(nest.messenger);
}

static void change_the_source(long count) {
    swo_observable *sources[2] = {swo_messenger_new(), swo_messenger_new()}, *map;
    if (swo_map(sources[0], negate, NULL, NULL, &map) != SWO_OK) abort();
    observe_by(map, 1);
    for (long one = 1; one <= count; one++)
        if (swo_transform_set_source(map, sources[one % 2]) != SWO_OK) abort();
    swo_observable_release(map);
    for (int each = 0; each < 2; each++) swo_observable_release(sources[each]);
}

static void send_later_to_0(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_value message = swo_int64(0);
    for (long one = 0; one < count; one++) swo_send_later(messenger, &message, NULL);
    swo_observable_release(messenger);
}

static void send_unordered_after_stops_in_a_handler(long count) {
    swo_observable *messenger = swo_messenger_new();
    swo_observable_set_ordered(messenger, false);
    observe_one(messenger, NULL, stop_some_and_send, messenger);
    swo_value message = swo_int64(1);
    swo_send(messenger, &message, NULL);
    send_some(messenger, count);
    swo_observable_release(messenger);
}

/* Four events of a trace: a slice for the send and one for the handler begin and end. */
static void send_traced_to_1(long count) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || swo_trace_start(nowhere, NULL) != SWO_OK) abort();
    swo_observable *messenger = swo_messenger_new();
    observe_by(messenger, 1);
    send_some(messenger, count);
    swo_observable_release(messenger);
    swo_trace_stop();
    close(nowhere);
}
