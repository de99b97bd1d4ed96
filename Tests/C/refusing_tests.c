/* SPDX-License-Identifier: MIT */
/* Whose failure: what is refused or fails reaches the send that caused it, once, and no other; what has been stopped
 * fails nothing. */
#include "support.h"

static swo_status send_status(swo_observable *observable, int64_t number) {
    return swo_send(observable, VALUE(swo_int64(number)), NULL);
}

/* ---- what has been stopped ---- */

static struct {
    swo_observation observation;
    swo_observer *observer;
    swo_queue *queue;
} stopping;

static void end_observation(void) {
    swo_observation id = stopping.observation;
    stopping.observation = 0;
    if (stopping.observer != NULL) {
        drop_observer(&stopping.observer);
        stopping.observer = NULL;
    } else if (id != 0) {
        ok(swo_stop(id));
    }
}

static swo_status stop_and_refuse(void *context, swo_job *job) {
    end_observation();
    return SWO_NO_MEMORY;
}

TEST(an_executor_that_refuses_what_was_stopped_meanwhile_fails_no_send) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = stop_and_refuse;
    for (int way = 0; way < 4; way++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        ok(swo_observable_set_ordered(messenger, way % 2 == 0));
        stopping.observer = way < 2 ? NULL : swo_observer_new();
        ok(swo_observe_on(messenger, stopping.observer, &executor, ignore_message, NULL, NULL, &stopping.observation));
        ok(send_status(messenger, 1));
        assert_int_equal(swo_observable_refused(messenger), 0);
    }
}

static void stop_and_let_queue_go(void *object) {
    if (stopping.queue == NULL) return;
    end_observation();
    swo_queue_release(stopping.queue);
    stopping.queue = NULL;
}

static const swo_object_type stopping_type = {sizeof stopping_type, stop_and_let_queue_go, NULL, NULL};

/* The message is copied before it is put into the queue, which is gone by then. */
TEST(a_queue_that_is_gone_refuses_nothing_of_what_was_stopped_before) {
    for (int way = 0; way < 8; way++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        ok(swo_observable_set_ordered(messenger, way % 2 == 0));
        stopping.queue = queue_of(way & 2 ? 8 : 0, SWO_QUEUE_BLOCK, NULL);
        stopping.observer = way < 4 ? NULL : swo_observer_new();
        ok(swo_observe_on_queue(messenger, stopping.observer, stopping.queue, ignore_message, NULL, NULL,
                                &stopping.observation));
        ok(swo_send(messenger, VALUE(swo_object(&stopping, &stopping_type)), NULL));
        assert_int_equal(swo_observable_refused(messenger), 0);
    }
}

static swo_observation combination;
MAPPER(stop_all_and_fail, wanted, message) {
    if (!*(bool *)wanted) GIVE(swo_int64(1));
    ok(swo_stop(combination));
    return SWO_CALLBACK_FAILED;
}

TEST(what_cannot_be_fetched_for_a_combination_that_was_stopped_meanwhile_fails_no_send) {
    bool wanted = false;
    OWN_OBSERVABLE *variable = number_variable(0), *other = number_variable(0), *map;
    ok(swo_map(other, stop_all_and_fail, &wanted, NULL, &map));
    swo_observable *both[] = {variable, map};
    ok(swo_observe_combined(both, 2, NULL, ignore_all, NULL, NULL, &combination));
    wanted = true;
    ok(swo_variable_set(variable, VALUE(swo_int64(1)), NULL));
    assert_false(swo_is_living(combination));
}

/* ---- whose message ---- */

static swo_status refuse_even(void *jobs, swo_job *job) {
    if (++*(long *)jobs % 2 == 0) return SWO_NO_MEMORY;
    swo_job_run(job);
    return SWO_OK;
}

static swo_status refuse_all(void *context, swo_job *job) { return SWO_NO_MEMORY; }

static void observe_refusing(swo_observable *observable) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = refuse_all;
    ok(swo_observe_on(observable, NULL, &executor, ignore_message, NULL, NULL, NULL));
}

/* The second is refused, and its send delivers the first one, too. */
TEST(a_send_that_takes_a_line_over_learns_of_its_own_message_and_of_no_other) {
    for (int first_refused = 0; first_refused < 2; first_refused++) {
        long jobs = first_refused;
        swo_executor executor = SWO_EXECUTOR_INIT;
        executor.execute = refuse_even;
        executor.context = &jobs;
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        ok(swo_observe_on(messenger, NULL, &executor, ignore_message, NULL, NULL, NULL));
        ok(swo_send_later(messenger, VALUE(swo_int64(1)), NULL));
        assert_int_equal(send_status(messenger, 2), first_refused ? SWO_OK : SWO_REFUSED);
        assert_int_equal(swo_observable_refused(messenger), 1);
        assert_int_equal(send_status(messenger, 3), first_refused ? SWO_REFUSED : SWO_OK);
    }
}

ACTION(begin_refused_replay) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = refuse_all;
    if (message->as.int64 != 1) return;
    ok(swo_observe_with(probe->observable, WITH(.replay = 1, .executor = &executor), ignore_message, NULL, NULL,
                        &probe->other->observation));
}

/* A replay is of no send, even where one delivers it. */
TEST(a_replay_that_is_refused_fails_no_send) {
    struct probe begun = {.name = "begun"}, a = {.name = "a", .action = begin_refused_replay, .other = &begun};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *remembering;
    ok(swo_replay(messenger, 1, &remembering));
    observe(remembering, NULL, &a);
    ok(swo_send_later(remembering, VALUE(swo_int64(1)), NULL));
    assert_int_equal(send_status(remembering, 2), SWO_REFUSED); /* its own, which the new one refuses */
    assert_int_equal(swo_observable_refused(remembering), 2);
    ok(swo_stop(begun.observation));
    ok(send_status(remembering, 1));
    assert_int_equal(swo_observable_refused(remembering), 3);
}

ACTION(begin_replay_that_fails) {
    ok(swo_observe_with(probe->observable, WITH(.replay = 1), ignore_message, NULL, NULL, &probe->other->observation));
}

static atomic_bool fetches_fail;
MAPPER(fail_to_fetch, context, message) {
    if (fetches_fail) return SWO_CALLBACK_FAILED;
    GIVE(swo_int64(1));
}

TEST(a_replay_that_cannot_be_fetched_fails_no_send) {
    struct probe begun = {.name = "begun"}, a = {.name = "a", .action = begin_replay_that_fails, .other = &begun};
    OWN_OBSERVABLE *variable = number_variable(0), *map;
    ok(swo_map(variable, fail_to_fetch, NULL, NULL, &map));
    observe(map, NULL, &a);
    a.observable = map;
    fetches_fail = true;
    ok(swo_send(map, VALUE(swo_int64(5)), NULL));
    assert_int_equal(swo_observable_refused(map), 1);
    assert_true(swo_is_living(begun.observation));
    fetches_fail = false;
}

/* ---- refused, or failed ---- */

HANDLER(fail_always, observable) { swo_observable_fail(observable); }

TEST(what_has_failed_counts_for_more_than_what_was_refused) {
    for (int way = 0; way < 4; way++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new(), *behind = NULL;
        ok(swo_observable_set_ordered(messenger, way % 2 == 0));
        ok(swo_filter(messenger, accept_all, NULL, NULL, &behind));
        if (way < 2) observe_refusing(behind);
        ok(swo_observe(behind, NULL, fail_always, behind, NULL, NULL));
        if (way >= 2) observe_refusing(messenger);
        assert_int_equal(send_status(messenger, 1), SWO_CALLBACK_FAILED);
    }
}

TEST(a_set_and_the_end_of_a_batch_tell_of_a_refusal_behind_a_transform) {
    for (int way = 0; way < 2; way++) {
        OWN_OBSERVABLE *variable = NULL, *values = NULL;
        ok((way ? swo_deferred_variable_new : swo_variable_new)(VALUE(swo_int64(0)), &variable));
        ok(swo_new_values(variable, &values));
        observe_refusing(values);
        assert_int_equal(swo_variable_set(variable, VALUE(swo_int64(1)), NULL), SWO_REFUSED);
        ok(swo_variable_begin_batch(variable));
        ok(swo_variable_set(variable, VALUE(swo_int64(2)), NULL));
        assert_int_equal(swo_variable_end_batch(variable), SWO_REFUSED);
        assert_int_equal(swo_observable_refused(values), 2);
    }
}

/* That of what a handler sends, which is delivered before the outermost send returns. */
ACTION(send_behind) {
    if (message->as.int64 == 1) ok(send_status(probe->observable, 2));
}

TEST(the_outermost_send_tells_of_a_refusal_behind_a_transform_that_a_handler_has_caused) {
    struct probe a = {.name = "a", .action = send_behind};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *rest = NULL;
    observe(messenger, NULL, &a);
    a.observable = messenger;
    ok(swo_skip(messenger, 1, &rest));
    observe_refusing(rest);
    assert_int_equal(send_status(messenger, 1), SWO_REFUSED);
    ok(swo_stop(a.observation));
}

/* The far end receives the message when the near end is done with it; the send has not returned by then. */
TEST(a_refusal_at_the_far_end_of_a_chain_fails_the_send) {
    static const int lengths[] = {1, 63, 64, 128, 192, 200};
    for (size_t way = 0; way < COUNT(lengths); way++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        swo_observable *end = swo_observable_retain(messenger);
        for (int i = 0; i < lengths[way]; i++) {
            swo_observable *next;
            ok(swo_filter(end, accept_all, NULL, NULL, &next));
            swo_observable_release(end);
            end = next;
        }
        observe_refusing(end);
        assert_int_equal(send_status(messenger, 1), SWO_REFUSED);
        assert_int_equal(swo_observable_refused(end), 1);
        swo_observable_release(end);
    }
}

static swo_observable *nesting;
static swo_job *accepted;

static swo_status accept_the_one_within(void *context, swo_job *job) {
    if (accepted != NULL) return SWO_NO_MEMORY;
    static bool is_within;
    if (is_within) {
        accepted = job;
        return SWO_OK;
    }
    is_within = true;
    ok(send_status(nesting, 2));
    is_within = false;
    return SWO_NO_MEMORY;
}

/* Law 5: several threads may be in an executor at once, or one several times. */
TEST(without_order_a_refusal_takes_no_message_of_another_send) {
    struct probe a = PROBE("a");
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = accept_the_one_within;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    nesting = messenger;
    ok(swo_observable_set_ordered(messenger, false));
    ok(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &a.observation));
    assert_int_equal(send_status(messenger, 1), SWO_REFUSED);
    swo_job_run(accepted);
    EXPECT_TRACE("a2");
    assert_int_equal(swo_observable_refused(messenger), 1);
}
