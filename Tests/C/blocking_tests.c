/* SPDX-License-Identifier: MIT */
/* Blocking an observable or an observation, and the batches of a variable. */
#include "support.h"

struct stage {
    swo_observable *observable;
    struct journal journal;
    struct probe a, b;
};

static void begin(struct stage *stage, swo_observable *observable) {
    *stage = (struct stage){.observable = observable};
    stage->a = (struct probe){.name = "a", .journal = &stage->journal};
    stage->b = (struct probe){.name = "b", .journal = &stage->journal};
    observe(observable, NULL, &stage->a, &stage->b);
}

/* ---- an observation ---- */

TEST(an_observation_is_blocked_127_times_at_most) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    for (int i = 0; i < 127; i++) ok(swo_block(stage.a.observation));
    assert_int_equal(swo_block(stage.a.observation), SWO_INVALID_ARGUMENT);
    for (int i = 0; i < 126; i++) ok(swo_unblock(stage.a.observation));
    send_number(stage.observable, 1);
    ok(swo_unblock(stage.a.observation));
    send_number(stage.observable, 2);
    assert_journal(&stage.journal, "b1 a2 b2");
    swo_observable_release(stage.observable);
}

TEST(what_has_ended_cannot_be_blocked) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    ok(swo_block(stage.a.observation));
    ok(swo_stop(stage.a.observation));
    const swo_observation stale[] = {0, stage.a.observation, UINT64_MAX};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(swo_block(stale[i]), SWO_NOT_FOUND);
        assert_int_equal(swo_unblock(stale[i]), SWO_NOT_FOUND);
        assert_false(swo_is_blocked(stale[i]));
    }
    send_number(stage.observable, 1);
    assert_journal(&stage.journal, "b1");
    swo_observable_release(stage.observable);
}

TEST(an_observation_by_an_executor_can_be_blocked) {
    struct probe a = PROBE("a");
    swo_executor executor;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &a.observation));
    send_number(messenger, 1);
    ok(swo_block(a.observation));
    send_number(messenger, 2);
    ok(swo_unblock(a.observation));
    send_number(messenger, 3);
    ok(swo_queue_drain(queue, 0, NULL));
    EXPECT_TRACE("a1 a3");
}

/* Each as soon as it can. */
TASK(block_often, observation) {
    for (long i = scaled(100000); i > 0; i--) {
        while (swo_block(*(swo_observation *)observation) != SWO_OK) sched_yield();
    }
}
TASK(unblock_as_often, observation) {
    for (long i = scaled(100000); i > 0; i--) {
        while (swo_unblock(*(swo_observation *)observation) != SWO_OK) sched_yield();
    }
}

TEST(an_observation_by_an_executor_that_one_thread_blocks_and_another_one_unblocks_is_not_blocked) {
    struct probe a = PROBE("a");
    swo_executor executor;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &a.observation));
    run_threads({block_often, &a.observation}, {unblock_as_often, &a.observation});
    assert_false(swo_is_blocked(a.observation));
    send_number(messenger, 1);
    ok(swo_queue_drain(queue, 0, NULL));
    EXPECT_TRACE("a1");
}

/* ---- an observable ---- */

TEST(an_observable_is_unblocked_as_often_as_it_was_blocked) {
    struct probe probe = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    for (int i = 0; i < 2; i++) ok(swo_observable_block(messenger));
    for (int i = 0; i < 2; i++) {
        send_number(messenger, 1);
        assert_int_equal(probe.calls, 0);
        ok(swo_observable_unblock(messenger));
    }
    assert_int_equal(swo_observable_unblock(messenger), SWO_NOT_FOUND);
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 1);
}

/* ---- a batch ---- */

TEST(a_variable_may_die_within_its_batch) {
    struct stage stage;
    begin(&stage, number_variable(0));
    ok(swo_variable_begin_batch(stage.observable));
    ok(swo_variable_set(stage.observable, VALUE(swo_text("some text that has to be released")), NULL));
    swo_observable_release(stage.observable);
    assert_true(stage.a.calls == 0 && stage.a.destroyed == 1);
}

TEST(a_replay_in_a_batch_is_the_value_of_that_moment) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *variable = number_variable(0);
    observe(variable, NULL, &a);
    ok(swo_variable_begin_batch(variable));
    set_number(variable, 1);
    ok(swo_observe_with(variable, WITH(.replay = 1), probe_receive, &b, probe_destroy, NULL));
    EXPECT_TRACE("b(1,1)");
    set_number(variable, 2);
    ok(swo_variable_end_batch(variable));
    EXPECT_TRACE("a(0,2) b(0,2)");
}
