/* SPDX-License-Identifier: MIT */
/* Several threads do everything at once to the same observables, at random. Each context is memory of its own, freed by
 * its destroy function, so that sanitizers see a call that comes too late, and what is left at the end (laws 4, 7, 8,
 * 11, 12, 14). */
#include "support.h"

enum { SHARED = 4, REMEMBERED = 64, LIVING = 0x600D, ENDED = 0xDEAD };

struct context {
    atomic_int state;
    atomic_ullong random; /* a context may be in several calls at once where there is no order */
};

static struct storm {
    swo_observable *observables[SHARED]; /* messenger, variable, a map of the one, a filter of the other */
    swo_observer *observer;
    _Atomic swo_observation remembered[REMEMBERED];
    atomic_long begun, ended, calls, waits;
    bool may_change_order;
} storm;

static void destroy_context(void *context) {
    struct context *ending = context;
    must(atomic_exchange(&ending->state, ENDED) == LIVING);
    storm.ended++;
    free(ending);
}

HANDLER(receive, context);

static struct context *new_context(uint64_t *random) {
    struct context *context = malloc(sizeof *context);
    must(context != NULL);
    *context = (struct context){.state = LIVING, .random = chance(random, 1u << 30)};
    storm.begun++;
    return context;
}

static void begin_observation(uint64_t *random) {
    swo_observation observation;
    swo_observer *observer = chance(random, 3) == 0 ? storm.observer : NULL;
    ok(swo_observe(storm.observables[chance(random, SHARED)], observer, receive, new_context(random), destroy_context,
                   &observation));
    /* What is not remembered any more is stopped, so that there are never very many. */
    swo_stop(atomic_exchange(&storm.remembered[chance(random, REMEMBERED)], observation));
}

static swo_observation any_observation(uint64_t *random) { return storm.remembered[chance(random, REMEMBERED)]; }

static void send_something(uint64_t *random) {
    unsigned which = chance(random, SHARED);
    swo_value number = swo_int64(chance(random, 100)), text = swo_text("a text that has to be copied if it waits");
    swo_status status = which == 1
                            ? swo_variable_set(storm.observables[which], chance(random, 2) ? &number : &text, NULL)
                            : swo_send(storm.observables[which], chance(random, 2) ? &number : &text, NULL);
    must(status == SWO_OK);
}

/* Each call of a handler does something now and then; whatever it sends is delivered after it. */
HANDLER(receive, context) {
    struct context *receiving = context;
    must(receiving->state == LIVING);
    ok(swo_value_check(message));
    storm.calls++;
    uint64_t random = receiving->random++ * 0x9E3779B97F4A7C15u + (uint64_t)storm.calls;
    unsigned what = chance(&random, 200);
    if (what < 3) begin_observation(&random);
    else if (what < 6) swo_stop(any_observation(&random));
    else if (what < 8) send_something(&random); /* seldom enough not to go on for ever */
    else if (what == 8) swo_observer_stop(storm.observer, storm.observables[chance(&random, SHARED)]);
    must(receiving->state == LIVING);
}

MAPPER(pass_on, context, message) {
    struct context *mapping = context;
    must(mapping->state == LIVING);
    GIVE(*message);
}

PREDICATE(accept_most, context) {
    struct context *accepting = context;
    must(accepting->state == LIVING);
    return message->kind != SWO_KIND_INT64 || message->as.int64 % 3 != 0;
}

/* An observable of this thread's own, made from one that all share, that comes and goes. */
static void make_transform_and_release(uint64_t *random) {
    swo_observable *source = storm.observables[chance(random, SHARED)], *map, *filter;
    ok(swo_map(source, pass_on, new_context(random), destroy_context, &map));
    ok(swo_filter(map, accept_most, new_context(random), destroy_context, &filter));
    ok(swo_observe(filter, NULL, receive, new_context(random), destroy_context, NULL));
    swo_observable_release(map);
    send_something(random);
    swo_observable_release(filter);
}

TASK(rage, context) {
    uint64_t random = *(uint64_t *)context;
    for (long turn = scaled(200000); turn > 0; turn--) {
        switch (chance(&random, 16)) {
        case 0:
        case 1:
        case 2: begin_observation(&random); break;
        case 3: swo_stop(any_observation(&random)); break;
        case 4:
            swo_stop_and_wait(any_observation(&random));
            storm.waits++;
            break;
        case 5: swo_observable_release(swo_observable_retain(storm.observables[chance(&random, SHARED)])); break;
        case 6: make_transform_and_release(&random); break;
        case 7: swo_observer_is_observing(storm.observer, storm.observables[chance(&random, SHARED)]); break;
        case 8:
            if (storm.may_change_order && chance(&random, 20) == 0)
                ok(swo_observable_set_ordered(storm.observables[chance(&random, SHARED)], chance(&random, 2)));
            break;
        default: send_something(&random);
        }
    }
}

static void let_it_rage(bool may_change_order) {
    uint64_t seeds[] = {1000, 1001, 1002};
    memset(&storm, 0, sizeof storm);
    storm.may_change_order = may_change_order;
    storm.observer = swo_observer_new();
    storm.observables[0] = swo_messenger_new();
    ok(swo_variable_new(NULL, &storm.observables[1]));
    uint64_t random = 1;
    ok(swo_map(storm.observables[0], pass_on, new_context(&random), destroy_context, &storm.observables[2]));
    ok(swo_filter(storm.observables[1], accept_most, new_context(&random), destroy_context, &storm.observables[3]));

    run_with_each(rage, seeds);

    for (int i = 0; i < SHARED; i++) swo_observable_release(storm.observables[i]);
    swo_observer_release(storm.observer);
    assert_int_equal(storm.ended, storm.begun);
    assert_true(storm.calls > 0 && storm.waits > 0);
    for (int i = 0; i < REMEMBERED; i++) assert_false(swo_is_living(storm.remembered[i]));
}

TEST(nothing_is_called_too_late_or_left_over_when_threads_do_everything_at_once) { let_it_rage(false); }

/* Law 5 */
TEST(nothing_is_called_too_late_or_left_over_when_order_comes_and_goes) { let_it_rage(true); }

TASK(send_and_release, messenger) {
    for (int64_t i = 0; i < 20; i++) send_number(messenger, i);
    swo_observable_release(messenger);
}

TASK(release_observer, observer) { swo_observer_release(observer); }

HANDLER(end_quickly, context) { must(((struct context *)context)->state == LIVING); }

/* Laws 8 and 12: the last owners let go at about the same time, on their own threads. */
TEST(observer_and_observable_may_die_at_once_on_different_threads) {
    memset(&storm, 0, sizeof storm);
    uint64_t random = 1;
    long rounds = scaled(3000);
    for (long round = 0; round < rounds; round++) {
        swo_observable *messenger = swo_messenger_new();
        swo_observer *observer = swo_observer_new();
        ok(swo_observable_set_ordered(messenger, round % 2 == 0));
        for (int i = 0; i < 5; i++)
            ok(swo_observe(messenger, observer, end_quickly, new_context(&random), destroy_context, NULL));
        pthread_t sending = begin_thread(send_and_release, swo_observable_retain(messenger)),
                  releasing = begin_thread(release_observer, observer);
        send_and_release(messenger);
        join_threads(sending, releasing);
        assert_int_equal(storm.ended, storm.begun);
    }
}
