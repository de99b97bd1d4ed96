/* SPDX-License-Identifier: MIT */
/* Observations with options: replay (law 19), once, kept observables, hooks, and all that together with executors. */
#include "support.h"

static swo_observation begin(swo_observable *observable, const swo_observe_options *options, struct probe *probe) {
    probe->observable = observable;
    must(swo_observe_with(observable, options, probe_receive, probe, probe_destroy, &probe->observation) == SWO_OK);
    return probe->observation;
}

static swo_observation begin_with_replay(swo_observable *observable, size_t replay, struct probe *probe) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.replay = replay;
    return begin(observable, &options, probe);
}

static swo_queue *new_queue(swo_executor *executor) {
    swo_queue *queue;
    must(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue) == SWO_OK);
    must(swo_queue_executor(queue, executor) == SWO_OK);
    return queue;
}

TEST(without_options_it_is_a_plain_observation) {
    const swo_observe_options plain = SWO_OBSERVE_OPTIONS_INIT, *const all[] = {NULL, &plain};
    for (int i = 0; i < 2; i++) {
        struct probe a = {.name = "a", .journal = &journal};
        swo_observable *variable = number_variable(1);
        begin(variable, all[i], &a);
        assert_journal(&journal, "");
        set_number(variable, 2);
        assert_journal(&journal, "a(1,2)");
        swo_observable_release(variable);
        assert_int_equal(a.destroyed, 1);
    }
}

TEST(what_was_remembered_is_replayed_in_order_with_its_authors) { /* Law 19 */
    static const struct {
        size_t remembered, replay;
        const char *expected;
    } cases[] = {
        {0, 5, ""},
        {1, 1, "3"},
        {2, 5, "2 3"},
        {2, 1, "3"},
        {3, 2, "2 3"},
        {SIZE_MAX, 2, "2 3"},
        {SIZE_MAX, SIZE_MAX, "1 2 3"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct probe early = {.name = ""}, a = {.name = "", .journal = &journal};
        int author = 0;
        swo_value three = swo_int64(3);
        swo_observable *messenger = swo_messenger_new(), *replaying;
        assert_int_equal(swo_replay(messenger, cases[i].remembered, &replaying), SWO_OK);
        observe(replaying, NULL, &early);
        send_number(messenger, 1);
        send_number(messenger, 2);
        assert_int_equal(swo_send(messenger, &three, &author), SWO_OK);
        begin_with_replay(replaying, cases[i].replay, &a);
        assert_int_equal(early.calls, 3);
        if (a.calls > 0) assert_ptr_equal(a.author, &author);
        assert_journal(&journal, cases[i].expected);
        send_number(messenger, 4);
        assert_journal(&journal, "4");
        swo_observable_release(replaying);
        swo_observable_release(messenger);
    }
}

TEST(what_has_nothing_to_replay_is_refused) {
    struct probe a = {.name = "a"};
    swo_observation out = 77;
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    options.replay = 1;
    assert_int_equal(swo_observe_with(messenger, &options, probe_receive, &a, probe_destroy, &out), SWO_WRONG_KIND);
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(out, 77);
}

TEST(a_replay_can_stop_its_own_observation) {
    struct probe a = {.name = "a", .action = stop_self};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *replaying;
    assert_int_equal(swo_replay(messenger, SIZE_MAX, &replaying), SWO_OK);
    for (int i = 0; i < 3; i++) send_number(messenger, i);
    begin_with_replay(replaying, SIZE_MAX, &a);
    assert_true(a.calls == 1 && a.destroyed == 1);
}

static void *send_some(void *messenger) {
    for (int i = 0; i < 20; i++) send_number(messenger, i);
    return NULL;
}

TEST(once_is_once_on_all_threads) {
    for (long round = 0; round < scaled(300); round++) {
        struct probe a = {.name = "a"};
        swo_observable *messenger = swo_messenger_new();
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.once = true;
        assert_int_equal(swo_observable_set_ordered(messenger, round % 2), SWO_OK);
        pthread_t one = begin_thread(send_some, messenger), other = begin_thread(send_some, messenger);
        begin(messenger, &options, &a);
        join_thread(one);
        join_thread(other);
        send_number(messenger, 1);
        assert_true(a.calls == 1 && a.destroyed == 1);
        swo_observable_release(messenger);
    }
}

static swo_status times_ten(void *context, const swo_value *message, swo_value *out) {
    *out = swo_int64(message->as.int64 * 10);
    return SWO_OK;
}

TEST(a_chain_of_transforms_lives_as_long_as_the_observation_that_keeps_it) {
    struct probe a = {.name = "a", .journal = &journal}, held = {.name = "held"};
    swo_observable *variable = number_variable(1), *values, *tens;
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.keeps_observable = true;
    assert_int_equal(swo_new(variable, &values), SWO_OK);
    assert_int_equal(swo_map(values, times_ten, &held, probe_destroy, &tens), SWO_OK);
    begin(tens, &options, &a);
    swo_observable_release(tens);
    swo_observable_release(values);
    set_number(variable, 2);
    assert_journal(&journal, "a20");
    assert_int_equal(swo_stop(a.observation), SWO_OK);
    assert_true(a.destroyed == 1 && held.destroyed == 1);
    set_number(variable, 3);
    assert_int_equal(a.calls, 1);
    swo_observable_release(variable);
}

TEST(a_kept_observable_may_end_inside_its_own_delivery) {
    for (int ordered = 0; ordered < 2; ordered++) {
        struct probe a = {.name = "a", .action = stop_self}, b = {.name = "b"};
        swo_observable *messenger = swo_messenger_new();
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.keeps_observable = true;
        assert_int_equal(swo_observable_set_ordered(messenger, ordered), SWO_OK);
        begin(messenger, &options, &a);
        observe(messenger, NULL, &b);
        swo_value one = swo_int64(1);
        swo_observable_release(messenger);
        assert_int_equal(swo_send(messenger, &one, NULL), SWO_OK);
        assert_true(a.calls == 1 && a.destroyed == 1);
        assert_int_equal(b.destroyed, 1);
    }
}

/* ---- hooks ---- */

static void enter(void *journal) { journal_note(journal, "(", NULL); }
static void leave(void *journal) { journal_note(journal, ")", NULL); }

static void note_end(struct probe *probe) { journal_note(probe->journal, "end", NULL); }

TEST(hooks_stand_around_every_call_and_the_end) {
    struct probe a = {.name = "a", .journal = &journal, .at_end = note_end};
    swo_observable *messenger = swo_messenger_new();
    swo_hooks hooks = {sizeof hooks, enter, leave, &journal};
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.hooks = &hooks;
    begin(messenger, &options, &a);
    hooks = (swo_hooks)SWO_HOOKS_INIT; /* it was copied */
    send_number(messenger, 1);
    send_number(messenger, 2);
    swo_observable_release(messenger);
    assert_journal(&journal, "( a1 ) ( a2 ) end");
}

TEST(hooks_may_be_missing) {
    struct probe a = {.name = "a", .journal = &journal};
    swo_observable *messenger = swo_messenger_new();
    const swo_hooks hooks = {sizeof hooks, NULL, leave, &journal};
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.hooks = &hooks;
    begin(messenger, &options, &a);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 )");
    swo_observable_release(messenger);
}

/* ---- executors ---- */

TEST(all_options_go_together_with_an_executor) {
    struct probe a = {.name = "a", .journal = &journal};
    swo_executor executor;
    swo_observable *variable = number_variable(1), *values;
    const swo_hooks hooks = {sizeof hooks, enter, leave, &journal};
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    OWN_QUEUE *queue = new_queue(&executor);
    options.executor = &executor;
    options.hooks = &hooks;
    options.replay = 1;
    options.once = true;
    options.keeps_observable = true;
    assert_int_equal(swo_new(variable, &values), SWO_OK);
    begin(values, &options, &a);
    swo_observable_release(values);
    set_number(variable, 2);
    set_number(variable, 3);
    assert_journal(&journal, "");
    assert_int_equal(swo_queue_drain(queue, 0, NULL), SWO_OK);
    assert_journal(&journal, "( a1 )");
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(swo_stop(a.observation), SWO_NOT_FOUND);
    swo_observable_release(variable);
}

TEST(nothing_that_waits_for_an_executor_arrives_after_stop) {
    struct probe a = {.name = "a"};
    swo_executor executor;
    swo_observable *variable = number_variable(1);
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    OWN_QUEUE *queue = new_queue(&executor);
    options.executor = &executor;
    options.replay = 1;
    options.keeps_observable = true;
    begin(variable, &options, &a);
    swo_observable_release(variable);
    set_number(variable, 2);
    assert_int_equal(swo_stop_and_wait(a.observation), SWO_OK);
    assert_int_equal(swo_queue_drain(queue, 0, NULL), SWO_OK);
    assert_true(a.calls == 0 && a.destroyed == 1);
}
