/* SPDX-License-Identifier: MIT */
/* What is done only while an observable is observed: when it begins and ends, by whom, and that calls never overlap. */
#include "support.h"

#include <sched.h>

/* Something that is done on demand. Called out of turn, or after it was destroyed, it ends the program. */
struct supply {
    struct journal *journal; /* where calls are noted; may be NULL */
    swo_observable *observable;
    void (*at_begin)(struct supply *supply), (*at_end)(struct supply *supply); /* part of the calls; may be NULL */
    struct probe *probe;
    struct gate *gate;
    long calls; /* not atomic: calls come one after the other */
    pthread_t caller;
    atomic_bool is_active, is_called;
    atomic_long destroyed;
};

static void enter(struct supply *supply, bool begins) {
    must(supply->destroyed == 0);
    must(!atomic_exchange(&supply->is_called, true));
    must(atomic_exchange(&supply->is_active, begins) != begins);
    supply->calls++;
    supply->caller = pthread_self();
    if (supply->journal != NULL) journal_note(supply->journal, begins ? "begin" : "end", NULL);
}

static void leave(struct supply *supply) { must(atomic_exchange(&supply->is_called, false)); }

static void begin(void *context) {
    struct supply *supply = context;
    enter(supply, true);
    if (supply->at_begin != NULL) supply->at_begin(supply);
    leave(supply);
}

static void end(void *context) {
    struct supply *supply = context;
    enter(supply, false);
    if (supply->at_end != NULL) supply->at_end(supply);
    leave(supply);
}

static void destroy(void *context) {
    struct supply *supply = context;
    must(!supply->is_active && !supply->is_called);
    must(supply->destroyed++ == 0);
}

static void supply_on_demand(swo_observable *observable, struct supply *supply) {
    supply->observable = observable;
    ok(swo_observable_on_demand(observable, begin, end, supply, destroy));
}

/* What each test has. */
static swo_observable *messenger;
static struct supply supply;
static struct probe a, b;

void set_up(void) {
    messenger = swo_messenger_new();
    supply = (struct supply){.journal = &journal};
    a = (struct probe){.name = "a"};
    b = (struct probe){.name = "b"};
    supply_on_demand(messenger, &supply);
}

static void release_messenger(void) {
    swo_observable *released = messenger;
    messenger = NULL;
    swo_observable_release(released);
}

void tear_down(void) {
    supply.journal = NULL;
    release_messenger();
    assert_true(supply.destroyed == 1 && !supply.is_active && supply.calls % 2 == 0);
}

TEST(it_begins_with_the_first_observation_and_ends_with_the_last) {
    EXPECT_TRACE("");
    observe(messenger, NULL, &a);
    EXPECT_TRACE("begin");
    observe(messenger, NULL, &b);
    ok(swo_stop(a.observation));
    EXPECT_TRACE("");
    ok(swo_stop(b.observation));
    EXPECT_TRACE("end");
    assert_int_equal(swo_stop(b.observation), SWO_NOT_FOUND);
    b.destroyed = 0;
    observe(messenger, NULL, &b);
    ok(swo_stop_and_wait(b.observation));
    EXPECT_TRACE("begin end");
}

TEST(it_ends_with_the_observable) { /* Law 8 */
    observe(messenger, NULL, &a);
    release_messenger();
    EXPECT_TRACE("begin end");
    assert_true(a.destroyed == 1 && supply.destroyed == 1);
}

TEST(it_ends_with_the_observer) { /* Law 8 */
    swo_observer *observer = swo_observer_new();
    observe(messenger, observer, &a, &b);
    swo_observer_release(observer);
    EXPECT_TRACE("begin end");
}

TEST(what_was_done_before_ends_first_and_what_is_observed_already_begins_at_once) {
    struct supply other = {.journal = &journal};
    observe(messenger, NULL, &a);
    supply_on_demand(messenger, &other);
    EXPECT_TRACE("begin end begin");
    assert_true(supply.destroyed == 1 && other.destroyed == 0);
    ok(swo_observable_on_demand(messenger, NULL, NULL, NULL, NULL));
    EXPECT_TRACE("end");
    assert_int_equal(other.destroyed, 1);
}

TEST(callbacks_may_be_missing) {
    for (int which = 0; which < 2; which++) {
        struct supply half = {.journal = &journal, .is_active = which == 0};
        ok(swo_observable_on_demand(messenger, which == 1 ? begin : NULL, which == 0 ? end : NULL, &half, NULL));
        a.destroyed = 0;
        observe(messenger, NULL, &a);
        ok(swo_stop(a.observation));
        EXPECT_TRACE(which == 1 ? "begin" : "end");
    }
}

/* ---- what counts ---- */

static void *call(void *function, void *const *arguments, size_t count, void *names) { return arguments[0]; }
THREAD(resolve, reference) { return reference; }

TEST(every_way_to_observe_is_a_demand) {
    static const swo_object_type type = {sizeof type, NULL, NULL, NULL};
    swo_answers answers = SWO_ANSWERS_INIT;
    answers.type = &type;
    answers.call = call;
    answers.resolve = resolve;
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    for (int way = 0; way < 7; way++) {
        struct supply supply = {.journal = &journal};
        swo_observation observation = 0;
        a.destroyed = 0;
        swo_observable *variable = number_variable(1), *pair[2] = {variable, variable};
        supply_on_demand(variable, &supply);
        if (way == 0) observation = observe(variable, NULL, &a);
        if (way == 1) must(!swo_observe_answering(variable, NULL, &answers, NULL, NULL, &a, NULL, &observation));
        if (way == 2) must(!swo_observe_answering(variable, NULL, &answers, NULL, &a, &a, NULL, &observation));
        if (way == 3) must(!swo_observe_on(variable, NULL, &executor, probe_receive, &a, NULL, &observation));
        if (way == 4 || way == 5)
            must(!swo_observe_with(variable, WITH(.executor = way == 4 ? &executor : NULL, .replay = way >= 4),
                                   probe_receive, &a, NULL, &observation));
        if (way == 6) must(!swo_observe_combined(pair, 2, NULL, ignore_all, NULL, NULL, &observation));
        EXPECT_TRACE("begin");
        ok(swo_stop(observation));
        EXPECT_TRACE("end");
        swo_observable_release(variable);
    }
    ok(swo_queue_drain(queue, 0, NULL));
}

TEST(every_transform_is_a_demand) {
    for (int which = 0; which < 6; which++) {
        swo_observable *made = NULL;
        if (which == 0) ok(swo_map(messenger, map_to_same, NULL, NULL, &made));
        if (which == 1) ok(swo_filter(messenger, accept_all, NULL, NULL, &made));
        if (which == 2) ok(swo_merge(&messenger, 1, &made));
        if (which == 3) ok(swo_cache(messenger, NULL, &made));
        if (which == 4) ok(swo_replay(messenger, 3, &made));
        if (which == 5) ok(swo_weak(messenger, &made));
        EXPECT_TRACE("begin");
        swo_observable_release(made);
        EXPECT_TRACE("end");
    }
}

TEST(what_remembers_messages_has_its_own_demand) {
    struct supply supply = {.journal = &journal};
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *replaying;
    ok(swo_replay(messenger, 1, &replaying));
    supply_on_demand(replaying, &supply);
    send_number(messenger, 1);
    EXPECT_TRACE("");
    ok(swo_observe_with(replaying, WITH(.replay = 1), probe_receive, &a, NULL, &a.observation));
    EXPECT_TRACE("a1 begin");
    ok(swo_stop(a.observation));
    EXPECT_TRACE("end");
}

TEST(once_is_a_demand_until_it_was) {
    struct supply supply = {.journal = &journal};
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *variable = number_variable(1);
    swo_observe_options options = OPTIONS(.once = true);
    supply_on_demand(variable, &supply);
    ok(swo_observe_with(variable, &options, probe_receive, &a, NULL, NULL));
    EXPECT_TRACE("begin");
    set_number(variable, 2);
    EXPECT_TRACE("end a(1,2)");
    options.replay = 1;
    /* It is over before `begin` could be called. */
    ok(swo_observe_with(variable, &options, probe_receive, &a, NULL, NULL));
    EXPECT_TRACE("a(2,2)");
}

/* ---- what the calls may do ---- */

static void send_one(struct supply *supply) { send_number(supply->observable, 1); }

TEST(what_begin_sends_is_received) {
    supply.at_begin = send_one;
    a.journal = &journal;
    a.action = stop_self;
    observe(messenger, NULL, &a);
    EXPECT_TRACE("begin a1 end");
}

static void release_it(struct supply *supply) { swo_observable_release(supply->observable); }

TEST(begin_may_release_the_observable) { /* Law 11 */
    for (int late = 0; late < 2; late++) {
        struct supply releasing = {.journal = &journal, .at_begin = release_it};
        swo_observable *dying = swo_messenger_new();
        a.destroyed = 0;
        if (late) observe(dying, NULL, &a);
        supply_on_demand(dying, &releasing);
        if (!late) observe(dying, NULL, &a);
        EXPECT_TRACE("begin end");
        assert_true(a.destroyed == 1 && releasing.destroyed == 1);
    }
}

static void stop_it(struct supply *supply) { ok(swo_stop(supply->probe->observation)); }

static void observe_it_twice(struct supply *supply) {
    if (supply->calls > 4) return;
    must(!swo_observe(supply->observable, NULL, probe_receive, supply->probe, NULL, &supply->probe->observation));
}

TEST(calls_are_not_nested) {
    supply.at_begin = stop_it;
    supply.at_end = observe_it_twice;
    supply.probe = &a;
    observe_it_twice(&supply);
    EXPECT_TRACE("begin end begin end begin end");
    assert_int_equal(swo_observable_count(messenger), 0);
}

/* ---- threads ---- */

static void pass(struct supply *supply) { gate_pass(supply->gate); }

TASK(stop, probe) { ok(swo_stop(((struct probe *)probe)->observation)); }

TEST(the_thread_in_a_call_makes_the_next_one_too) {
    supply.at_end = pass;
    supply.gate = gate_new();
    observe(messenger, NULL, &a);
    assert_true(pthread_equal(supply.caller, pthread_self()));
    pthread_t stopping = begin_held(stop, &a, supply.gate);
    observe(messenger, NULL, &b);
    EXPECT_TRACE("begin end");
    release_held(stopping, supply.gate);
    EXPECT_TRACE("begin");
    assert_true(pthread_equal(supply.caller, stopping));
    supply.at_end = NULL;
    release_messenger();
    EXPECT_TRACE("end");
    assert_true(pthread_equal(supply.caller, pthread_self()));
    gate_free(supply.gate);
}

TEST(the_observable_lives_as_long_as_begin_runs) {
    supply.at_end = pass;
    supply.gate = gate_new();
    b.journal = &journal;
    observe(messenger, NULL, &a);
    pthread_t stopping = begin_held(stop, &a, supply.gate);
    observe(messenger, NULL, &b);
    release_messenger();
    /* Only for the one who has still to begin it is there. */
    supply.at_begin = send_one;
    supply.at_end = NULL;
    release_held(stopping, supply.gate);
    EXPECT_TRACE("begin end begin b1 end");
    assert_true(b.destroyed == 1 && supply.destroyed == 1);
    gate_free(supply.gate);
}

TEST(what_passes_during_a_call_is_not_noticed) {
    supply.at_end = pass;
    supply.gate = gate_new();
    observe(messenger, NULL, &a);
    pthread_t stopping = begin_held(stop, &a, supply.gate);
    observe(messenger, NULL, &b);
    ok(swo_stop(b.observation));
    release_held(stopping, supply.gate);
    EXPECT_TRACE("begin end");
    release_messenger();
    EXPECT_TRACE("");
    gate_free(supply.gate);
}

TASK(come_and_go, messenger) {
    for (long round = 0; round < scaled(2000); round++) {
        struct probe a = {.name = "a"};
        /* Not destroyed: another thread may do that after the wait. */
        ok(swo_observe(messenger, NULL, probe_receive, &a, NULL, &a.observation));
        send_number(messenger, 1);
        ok(swo_stop_and_wait(a.observation));
    }
}

static void give_way_once(struct supply *supply) { sched_yield(); }

TEST(calls_alternate_and_never_overlap) { /* Law 4 */
    for (int ordered = 0; ordered < 2; ordered++) {
        struct supply supply = {.at_begin = give_way_once, .at_end = give_way_once};
        swo_observable *messenger = swo_messenger_new();
        ok(swo_observable_set_ordered(messenger, ordered));
        supply_on_demand(messenger, &supply);
        run_on_threads(3, come_and_go, messenger);
        assert_false(supply.is_active);
        assert_true(supply.calls > 0 && supply.calls % 2 == 0);
        swo_observable_release(messenger);
        assert_int_equal(supply.destroyed, 1);
    }
}

static struct {
    swo_observation leaving;
    pthread_barrier_t start, finish;
    long rounds;
} relay;

TASK(leave_in_each_round, unused) {
    for (long round = 0; round < relay.rounds; round++) {
        pthread_barrier_wait(&relay.start);
        ok(swo_stop(relay.leaving));
        pthread_barrier_wait(&relay.finish);
    }
}

TEST(an_observer_that_comes_while_the_last_one_leaves_is_served) {
    swo_observation coming;
    supply.journal = NULL;
    relay.rounds = scaled(50000);
    pthread_barrier_init(&relay.start, NULL, 2);
    pthread_barrier_init(&relay.finish, NULL, 2);
    ok(swo_observe(messenger, NULL, probe_receive, &a, NULL, &relay.leaving));
    pthread_t leaving = begin_thread(leave_in_each_round, NULL);
    for (long round = 0; round < relay.rounds; round++) {
        pthread_barrier_wait(&relay.start);
        ok(swo_observe(messenger, NULL, probe_receive, &a, NULL, &coming));
        pthread_barrier_wait(&relay.finish);
        must(supply.is_active);
        relay.leaving = coming;
    }
    join_thread(leaving);
    release_messenger();
    pthread_barrier_destroy(&relay.start);
    pthread_barrier_destroy(&relay.finish);
}

/* Owns the observable. */
TASK(observe_and_let_go, messenger) {
    struct probe a = {.name = "a"};
    observe(messenger, NULL, &a);
    ok(swo_stop_and_wait(a.observation));
    ok(swo_observe(messenger, NULL, probe_receive, NULL, NULL, NULL));
    swo_observable_release(messenger);
}

TEST(it_ends_on_whatever_thread_the_observable_dies) {
    for (long round = 0; round < scaled(500); round++) {
        struct supply supply = {.at_begin = give_way_once, .at_end = give_way_once};
        swo_observable *messenger = swo_messenger_new();
        supply_on_demand(messenger, &supply);
        run_threads({observe_and_let_go, swo_observable_retain(messenger)}, {observe_and_let_go, messenger});
        assert_true(supply.destroyed == 1 && !supply.is_active);
        assert_true(supply.calls > 0 && supply.calls % 2 == 0);
    }
}

static atomic_long supplies_freed;

static void destroy_and_free(void *supply) {
    destroy(supply);
    free(supply);
    supplies_freed++;
}

TASK(replace_often, messenger) {
    for (long round = 0; round < scaled(500); round++) {
        struct supply *supply = calloc(1, sizeof *supply);
        must(supply != NULL);
        ok(swo_observable_on_demand(messenger, begin, end, supply, destroy_and_free));
    }
}

TEST(what_is_done_may_be_replaced_meanwhile) { /* Laws 4 and 12 */
    supply.journal = NULL;
    run_threads({come_and_go, messenger}, {replace_often, messenger}, {replace_often, messenger});
    release_messenger();
    assert_int_equal(supplies_freed, 2 * scaled(500));
}

ACTION(release_what_is_observed) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    swo_observable_release(probe->observable);
}

TEST(it_ends_at_once_when_a_handler_releases_the_observable_and_what_was_sent_still_arrives) {
    struct supply supply = {.journal = &journal};
    swo_observable *messenger = swo_messenger_new();
    struct probe a = PROBE("a", .action = release_what_is_observed), b = PROBE("b");
    supply_on_demand(messenger, &supply);
    observe(messenger, NULL, &a, &b);
    EXPECT_TRACE("begin");
    send_number(messenger, 1);
    EXPECT_TRACE("a1 end b1 a2 b2");
}
