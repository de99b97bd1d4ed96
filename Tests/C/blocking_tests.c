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
    observe(observable, NULL, &stage->a);
    observe(observable, NULL, &stage->b);
}

/* ---- an observable ---- */

TEST(a_blocked_observable_drops_what_is_sent) {
    for (int ordered = 0; ordered < 2; ordered++) {
        struct stage stage;
        begin(&stage, swo_messenger_new());
        assert_int_equal(swo_observable_set_ordered(stage.observable, ordered), SWO_OK);
        assert_int_equal(swo_observable_block(stage.observable), SWO_OK);
        assert_true(swo_observable_is_blocked(stage.observable));
        send_number(stage.observable, 1);
        assert_int_equal(swo_observable_unblock(stage.observable), SWO_OK);
        assert_false(swo_observable_is_blocked(stage.observable));
        send_number(stage.observable, 2);
        assert_journal(&stage.journal, "a2 b2");
        swo_observable_release(stage.observable);
    }
}

TEST(blocks_are_counted) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    assert_int_equal(swo_observable_block(stage.observable), SWO_OK);
    assert_int_equal(swo_observable_block(stage.observable), SWO_OK);
    assert_int_equal(swo_observable_unblock(stage.observable), SWO_OK);
    send_number(stage.observable, 1);
    assert_true(swo_observable_is_blocked(stage.observable));
    assert_int_equal(swo_observable_unblock(stage.observable), SWO_OK);
    assert_int_equal(swo_observable_unblock(stage.observable), SWO_NOT_FOUND);
    send_number(stage.observable, 2);
    assert_journal(&stage.journal, "a2 b2");
    swo_observable_release(stage.observable);
}

TEST(a_blocked_variable_changes_all_the_same) {
    struct stage stage;
    begin(&stage, number_variable(1));
    assert_int_equal(swo_observable_block(stage.observable), SWO_OK);
    set_number(stage.observable, 2);
    assert_int_equal(number_of(stage.observable), 2);
    assert_int_equal(swo_observable_unblock(stage.observable), SWO_OK);
    set_number(stage.observable, 3);
    assert_journal(&stage.journal, "a(2,3) b(2,3)");
    swo_observable_release(stage.observable);
}

static void block_it_once(struct probe *probe, const swo_value *message, const void *author) {
    if (probe->calls != 1) return;
    send_number(probe->observable, 2);
    must(swo_observable_block(probe->observable) == SWO_OK);
    send_number(probe->observable, 3);
    must(swo_observable_unblock(probe->observable) == SWO_OK);
}

TEST(what_was_sent_before_the_block_arrives) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    stage.a.action = block_it_once;
    send_number(stage.observable, 1);
    assert_journal(&stage.journal, "a1 b1 a2 b2");
    swo_observable_release(stage.observable);
}

/* ---- an observation ---- */

TEST(a_blocked_observation_misses_what_others_receive) {
    for (int ordered = 0; ordered < 2; ordered++) {
        struct stage stage;
        begin(&stage, swo_messenger_new());
        assert_int_equal(swo_observable_set_ordered(stage.observable, ordered), SWO_OK);
        assert_int_equal(swo_block(stage.a.observation), SWO_OK);
        assert_true(swo_is_blocked(stage.a.observation) && !swo_is_blocked(stage.b.observation));
        assert_true(swo_is_living(stage.a.observation));
        send_number(stage.observable, 1);
        assert_int_equal(swo_unblock(stage.a.observation), SWO_OK);
        assert_int_equal(swo_unblock(stage.a.observation), SWO_NOT_FOUND);
        send_number(stage.observable, 2);
        assert_journal(&stage.journal, "b1 a2 b2");
        swo_observable_release(stage.observable);
    }
}

TEST(an_observation_is_blocked_127_times_at_most) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    for (int i = 0; i < 127; i++) assert_int_equal(swo_block(stage.a.observation), SWO_OK);
    assert_int_equal(swo_block(stage.a.observation), SWO_INVALID_ARGUMENT);
    for (int i = 0; i < 126; i++) assert_int_equal(swo_unblock(stage.a.observation), SWO_OK);
    send_number(stage.observable, 1);
    assert_int_equal(swo_unblock(stage.a.observation), SWO_OK);
    send_number(stage.observable, 2);
    assert_journal(&stage.journal, "b1 a2 b2");
    swo_observable_release(stage.observable);
}

static void block_other(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_block(probe->other->observation) == SWO_OK);
}

TEST(a_block_holds_within_the_present_delivery) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    stage.a.action = block_other;
    stage.a.other = &stage.b;
    send_number(stage.observable, 1);
    assert_journal(&stage.journal, "a1");
    assert_int_equal(swo_stop(stage.b.observation), SWO_OK);
    swo_observable_release(stage.observable);
}

TEST(what_has_ended_cannot_be_blocked) {
    struct stage stage;
    begin(&stage, swo_messenger_new());
    assert_int_equal(swo_block(stage.a.observation), SWO_OK);
    assert_int_equal(swo_stop(stage.a.observation), SWO_OK);
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
    struct probe a = {.name = "a", .journal = &journal};
    swo_executor executor;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_QUEUE *queue;
    assert_int_equal(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue), SWO_OK);
    assert_int_equal(swo_queue_executor(queue, &executor), SWO_OK);
    assert_int_equal(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &a.observation),
                     SWO_OK);
    send_number(messenger, 1);
    assert_int_equal(swo_block(a.observation), SWO_OK);
    send_number(messenger, 2);
    assert_int_equal(swo_unblock(a.observation), SWO_OK);
    send_number(messenger, 3);
    assert_int_equal(swo_queue_drain(queue, 0, NULL), SWO_OK);
    assert_journal(&journal, "a1 a3");
}

/* ---- a batch ---- */

TEST(a_batch_sends_one_update_from_the_first_to_the_last_value) {
    int author = 0;
    struct stage stage;
    swo_value three = swo_int64(3);
    begin(&stage, number_variable(0));
    assert_int_equal(swo_variable_begin_batch(stage.observable), SWO_OK);
    set_number(stage.observable, 1);
    set_number(stage.observable, 2);
    assert_int_equal(swo_variable_set(stage.observable, &three, &author), SWO_OK);
    assert_int_equal(number_of(stage.observable), 3);
    assert_journal(&stage.journal, "");
    assert_int_equal(swo_variable_end_batch(stage.observable), SWO_OK);
    assert_journal(&stage.journal, "a(0,3) b(0,3)");
    assert_ptr_equal(stage.a.author, &author);
    swo_observable_release(stage.observable);
}

TEST(batches_are_counted) {
    struct stage stage;
    begin(&stage, number_variable(0));
    for (int i = 0; i < 2; i++) assert_int_equal(swo_variable_begin_batch(stage.observable), SWO_OK);
    set_number(stage.observable, 1);
    assert_int_equal(swo_variable_end_batch(stage.observable), SWO_OK);
    set_number(stage.observable, 2);
    assert_journal(&stage.journal, "");
    assert_int_equal(swo_variable_end_batch(stage.observable), SWO_OK);
    assert_int_equal(swo_variable_end_batch(stage.observable), SWO_NOT_FOUND);
    assert_journal(&stage.journal, "a(0,2) b(0,2)");
    swo_observable_release(stage.observable);
}

TEST(a_batch_that_changes_nothing_sends_nothing) {
    struct stage stage;
    begin(&stage, number_variable(0));
    for (int changes = 0; changes < 2; changes++) {
        assert_int_equal(swo_variable_begin_batch(stage.observable), SWO_OK);
        for (int i = changes; i >= 0; i--) set_number(stage.observable, i);
        assert_int_equal(swo_variable_end_batch(stage.observable), SWO_OK);
    }
    assert_journal(&stage.journal, "");
    swo_observable_release(stage.observable);
}

TEST(a_variable_may_die_within_its_batch) {
    struct stage stage;
    begin(&stage, number_variable(0));
    swo_value text = swo_text("some text that has to be released");
    assert_int_equal(swo_variable_begin_batch(stage.observable), SWO_OK);
    assert_int_equal(swo_variable_set(stage.observable, &text, NULL), SWO_OK);
    swo_observable_release(stage.observable);
    assert_true(stage.a.calls == 0 && stage.a.destroyed == 1);
}

TEST(what_cannot_be_blocked_or_batched_is_refused) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observable_block(NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observable_unblock(NULL), SWO_INVALID_ARGUMENT);
    assert_false(swo_observable_is_blocked(NULL));
    assert_int_equal(swo_variable_begin_batch(NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_end_batch(NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_begin_batch(messenger), SWO_WRONG_KIND);
    assert_int_equal(swo_variable_end_batch(messenger), SWO_WRONG_KIND);
}
