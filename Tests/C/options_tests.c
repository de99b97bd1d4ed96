/* SPDX-License-Identifier: MIT */
/* Observations with options: replay (law 19), once, kept observables, hooks, and all that together with executors. */
#include "support.h"

static swo_observation begin(swo_observable *observable, const swo_observe_options *options, struct probe *probe) {
    probe->observable = observable;
    ok(swo_observe_with(observable, options, probe_receive, probe, probe_destroy, &probe->observation));
    return probe->observation;
}

static swo_observation begin_with_replay(swo_observable *observable, size_t replay, struct probe *probe) {
    return begin(observable, WITH(.replay = replay), probe);
}

TEST(without_options_it_is_a_plain_observation) {
    const swo_observe_options plain = SWO_OBSERVE_OPTIONS_INIT, *const all[] = {NULL, &plain};
    for (int i = 0; i < 2; i++) {
        struct probe a = PROBE("a");
        swo_observable *variable = number_variable(1);
        begin(variable, all[i], &a);
        EXPECT_TRACE("");
        set_number(variable, 2);
        EXPECT_TRACE("a(1,2)");
        swo_observable_release(variable);
        assert_int_equal(a.destroyed, 1);
    }
}

TEST(what_was_remembered_is_replayed_in_order_with_its_authors) { /* Law 19 */
    static const struct {
        size_t remembered, replay;
        const char *expected;
    } cases[] = {{0, 5, ""},
                 {1, 1, "3"},
                 {2, 5, "2 3"},
                 {2, 1, "3"},
                 {3, 2, "2 3"},
                 {SIZE_MAX, 2, "2 3"},
                 {SIZE_MAX, SIZE_MAX, "1 2 3"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct probe early = {.name = ""}, a = PROBE("");
        int author = 0;
        swo_value three = swo_int64(3);
        swo_observable *messenger = swo_messenger_new(), *replaying;
        ok(swo_replay(messenger, cases[i].remembered, &replaying));
        observe(replaying, NULL, &early);
        send_numbers(messenger, 1, 2);
        ok(swo_send(messenger, &three, &author));
        begin_with_replay(replaying, cases[i].replay, &a);
        assert_int_equal(early.calls, 3);
        if (a.calls > 0) assert_ptr_equal(a.author, &author);
        EXPECT_TRACE(cases[i].expected);
        send_number(messenger, 4);
        EXPECT_TRACE("4");
        RELEASE(replaying, messenger);
    }
}

TEST(what_has_nothing_to_replay_is_refused) {
    struct probe a = {.name = "a"};
    swo_observation out = 77;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe_with(messenger, WITH(.replay = 1), probe_receive, &a, probe_destroy, &out),
                     SWO_WRONG_KIND);
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(out, 77);
}

TEST(a_replay_can_stop_its_own_observation) {
    struct probe a = {.name = "a", .action = stop_self};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *replaying;
    ok(swo_replay(messenger, SIZE_MAX, &replaying));
    for (int i = 0; i < 3; i++) send_number(messenger, i);
    begin_with_replay(replaying, SIZE_MAX, &a);
    assert_true(a.calls == 1 && a.destroyed == 1);
}

TASK(send_some, messenger) {
    for (int i = 0; i < 20; i++) send_number(messenger, i);
}

TEST(once_is_once_on_all_threads) {
    for (long round = 0; round < scaled(300); round++) {
        struct probe a = {.name = "a"};
        swo_observable *messenger = swo_messenger_new();
        ok(swo_observable_set_ordered(messenger, round % 2));
        pthread_t one = begin_thread(send_some, messenger), other = begin_thread(send_some, messenger);
        begin(messenger, WITH(.once = true), &a);
        join_threads(one, other);
        send_number(messenger, 1);
        assert_true(a.calls == 1 && a.destroyed == 1);
        swo_observable_release(messenger);
    }
}

TEST(a_chain_of_transforms_lives_as_long_as_the_observation_that_keeps_it) {
    struct probe a = PROBE("a"), held = {.name = "held"};
    swo_observable *variable = number_variable(1), *values, *tens;
    ok(swo_new_values(variable, &values));
    ok(swo_map(values, times_ten, &held, probe_destroy, &tens));
    begin(tens, WITH(.keeps_observable = true), &a);
    RELEASE(tens, values);
    set_number(variable, 2);
    EXPECT_TRACE("a20");
    ok(swo_stop(a.observation));
    assert_true(a.destroyed == 1 && held.destroyed == 1);
    set_number(variable, 3);
    assert_int_equal(a.calls, 1);
    swo_observable_release(variable);
}

TEST(a_kept_observable_may_end_inside_its_own_delivery) {
    for (int ordered = 0; ordered < 2; ordered++) {
        struct probe a = {.name = "a", .action = stop_self}, b = {.name = "b"};
        swo_observable *messenger = swo_messenger_new();
        ok(swo_observable_set_ordered(messenger, ordered));
        begin(messenger, WITH(.keeps_observable = true), &a);
        observe(messenger, NULL, &b);
        swo_observable_release(messenger);
        ok(swo_send(messenger, VALUE(swo_int64(1)), NULL));
        assert_true(a.calls == 1 && a.destroyed == 1);
        assert_int_equal(b.destroyed, 1);
    }
}

/* ---- hooks ---- */

static void enter(void *journal) { journal_note(journal, "(", NULL); }
static void leave(void *journal) { journal_note(journal, ")", NULL); }
static void note_end(struct probe *probe) { journal_note(probe->journal, "end", NULL); }

TEST(hooks_stand_around_every_call_and_the_end) {
    struct probe a = PROBE("a", .at_end = note_end);
    swo_observable *messenger = swo_messenger_new();
    swo_hooks hooks = {sizeof hooks, enter, leave, &journal};
    begin(messenger, WITH(.hooks = &hooks), &a);
    hooks = (swo_hooks)SWO_HOOKS_INIT; /* it was copied */
    send_numbers(messenger, 1, 2);
    swo_observable_release(messenger);
    EXPECT_TRACE("( a1 ) ( a2 ) end");
}

TEST(hooks_may_be_missing) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    const swo_hooks hooks = {sizeof hooks, NULL, leave, &journal};
    begin(messenger, WITH(.hooks = &hooks), &a);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 )");
}

/* ---- executors ---- */

TEST(all_options_go_together_with_an_executor) {
    struct probe a = PROBE("a");
    swo_executor executor;
    swo_observable *variable = number_variable(1), *values;
    const swo_hooks hooks = {sizeof hooks, enter, leave, &journal};
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_new_values(variable, &values));
    begin(values, WITH(.executor = &executor, .hooks = &hooks, .replay = 1, .once = true, .keeps_observable = true),
          &a);
    swo_observable_release(values);
    set_numbers(variable, 2, 3);
    EXPECT_TRACE("");
    ok(swo_queue_drain(queue, 0, NULL));
    EXPECT_TRACE("( a1 )");
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(swo_stop(a.observation), SWO_NOT_FOUND);
    swo_observable_release(variable);
}

TEST(nothing_that_waits_for_an_executor_arrives_after_stop) {
    struct probe a = {.name = "a"};
    swo_executor executor;
    swo_observable *variable = number_variable(1);
    OWN_QUEUE *queue = new_queue(&executor);
    begin(variable, WITH(.executor = &executor, .replay = 1, .keeps_observable = true), &a);
    swo_observable_release(variable);
    set_number(variable, 2);
    ok(swo_stop_and_wait(a.observation));
    ok(swo_queue_drain(queue, 0, NULL));
    assert_true(a.calls == 0 && a.destroyed == 1);
}

/* Laws 5 and 7 */
TEST(without_order_an_observation_may_stop_itself_in_its_replay) {
    struct probe a = PROBE("a", .action = stop_self);
    OWN_OBSERVABLE *variable = number_variable(1);
    ok(swo_observable_set_ordered(variable, false));
    ok(swo_observe_with(variable, WITH(.replay = 1), probe_receive, &a, probe_destroy, &a.observation));
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(swo_stop(a.observation), SWO_NOT_FOUND);
    set_number(variable, 2);
    EXPECT_TRACE("a(1,1)");
}
