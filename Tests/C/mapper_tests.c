/* SPDX-License-Identifier: MIT */
/* What a mapper may rely on: what it makes is read or copied before its next call, and its calls never overlap. */
#include "support.h"

MAPPER(to_text, context, message) {
    char *text = context;
    snprintf(text, 32, "number %d", (int)message->as.int64);
    GIVE(swo_text(text));
}

MAPPER(borrow_tail, context, message) {
    GIVE(swo_text_sized((const char *)message->as.bytes.data + 7, message->as.bytes.size - 7));
}

MAPPER(to_update, context, message) {
    swo_update *update = context;
    update->old_value = update->new_value;
    update->new_value = *message;
    GIVE(swo_update_value(update));
}

TEST(a_mapper_may_borrow_from_its_context_and_from_its_message) {
    struct probe a = PROBE(":"), b = PROBE("");
    char buffer[32];
    swo_update update = {swo_null(), swo_null()};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *text, *tail, *updates;
    ok(swo_map(messenger, to_text, buffer, NULL, &text));
    ok(swo_map(text, borrow_tail, NULL, NULL, &tail));
    ok(swo_map(messenger, to_update, &update, NULL, &updates));
    observe(tail, NULL, &a);
    observe(updates, NULL, &b);
    send_numbers(messenger, 12, 3);
    EXPECT_TRACE(":12 (null,12) :3 (12,3)");
}

ACTION(send_two_messages_to_source) {
    if (message->kind != SWO_KIND_INT64) return;
    send_numbers(probe->other->observable, 1, 2);
}

/* The map is busy with a message of its own, so what its mapper makes has to wait: the second text would overwrite the
 * first. */
TEST(what_a_mapper_lends_is_copied_if_it_has_to_wait) {
    struct probe source = {.name = "source"}, a = PROBE(":", .action = send_two_messages_to_source, .other = &source);
    char buffer[32];
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map;
    source.observable = messenger;
    ok(swo_map(messenger, to_text, buffer, NULL, &map));
    observe(map, NULL, &a);
    send_number(map, 5);
    EXPECT_TRACE(":5 :number 1 :number 2");
}

MAPPER(pass_counted, context, message) {
    struct probe *probe = context;
    must(probe->running == 0);
    probe_receive(probe, message, NULL);
    GIVE(*message);
}

ACTION(send_two_to_source) {
    if (message->as.int64 == 1) send_number(probe->observable, 2);
}

/* Calls of a mapper never overlap, not even nested ones of a source without order. */
TEST(a_mapper_that_sends_to_its_source_is_not_called_inside_itself) {
    for (int ordered = 0; ordered < 2; ordered++) {
        swo_observable *messenger = swo_messenger_new(), *map;
        struct probe mapper = PROBE("mapper", .action = send_two_to_source, .observable = messenger), a = PROBE("a");
        ok(swo_observable_set_ordered(messenger, ordered));
        ok(swo_map(messenger, pass_counted, &mapper, probe_destroy, &map));
        observe(map, NULL, &a);
        send_number(messenger, 1);
        EXPECT_TRACE("mapper1 a1 mapper2 a2");
        RELEASE(map, messenger);
    }
}

TASK(send_two, messenger) { send_number(messenger, 2); }

PREDICATE(accept_counted, context) {
    struct probe *probe = context;
    must(probe->running == 0);
    probe_receive(probe, message, NULL);
    return true;
}

/* Two threads send to a source without order; the second comes while the callback runs for the first. */
TEST(a_transform_is_called_by_one_thread_at_a_time) {
    for (int kind = 0; kind < 2; kind++) {
        swo_observable *messenger = swo_messenger_new(), *transform;
        struct gate *gate = gate_new();
        struct probe callback = {.name = "callback", .action = pass_gate, .gate = gate}, a = {.name = "a"};
        atomic_bool never = false;
        ok(swo_observable_set_ordered(messenger, false));
        if (kind == 0) ok(swo_map(messenger, pass_counted, &callback, probe_destroy, &transform));
        else ok(swo_filter(messenger, accept_counted, &callback, probe_destroy, &transform));
        observe(transform, NULL, &a);
        pthread_t first = begin_held(send_one_number, messenger, gate);
        pthread_t second = begin_thread(send_two, messenger);
        give_way(&never);
        assert_int_equal(callback.calls, 1);
        gate_open(gate);
        gate_await(gate);
        gate_open(gate);
        join_threads(first, second);
        assert_true(callback.calls == 2 && a.calls == 2);
        RELEASE(transform, messenger);
        gate_free(gate);
    }
}

/* ---- what a mapper makes until it is called again ---- */

/* Makes a text of how often it was called, where the text before was. */
MAPPER(count_calls, context, message) {
    static char text[32];
    snprintf(text, sizeof text, "call %ld", ++*(long *)context);
    GIVE(swo_text(text));
}

ACTION(ask_for_latest) {
    swo_value latest;
    ok(swo_latest(probe->observable, &latest));
    swo_value_clear(&latest);
}

ACTION(begin_replay) {
    if (probe->calls > 1) return;
    ok(swo_observe_with(probe->observable, WITH(.replay = 1), probe_receive, probe->other, NULL, NULL));
}

ACTION(send_other_variable) { set_number(probe->other->observable, probe->calls + 100); }

/* "What it points at must stay valid until the mapper is called again": so who asks for the latest message while
 * one is being delivered must not spoil that one. */
TEST(what_is_being_delivered_outlasts_a_question_for_the_latest) {
    void (*const actions[])(struct probe *, const swo_value *, const void *) = {ask_for_latest, begin_replay,
                                                                                send_other_variable};
    for (int i = 0; i < 3; i++) {
        long calls = 0;
        swo_observable *variable = number_variable(0), *other = number_variable(0), *map;
        struct probe late = {.name = "late", .observable = other},
                     a = PROBE("a ", .action = actions[i], .other = &late), b = PROBE("b ");
        ok(swo_map(variable, count_calls, &calls, NULL, &map));
        observe(map, NULL, &a, &b);
        swo_observable *pair[] = {map, other};
        if (i == 2) ok(swo_observe_combined(pair, 2, NULL, ignore_all, NULL, NULL, NULL));
        set_number(variable, 1);
        EXPECT_TRACE("a call 1 b call 1");
        RELEASE(map, other, variable);
    }
}

TEST(the_latest_of_a_chain_fails_where_one_of_its_steps_does) {
    swo_value got;
    OWN_OBSERVABLE *variable = number_variable(1), *failing, *last;
    ok(swo_map(variable, always_fail, NULL, NULL, &failing));
    ok(swo_map(failing, map_to_same, NULL, NULL, &last));
    assert_int_equal(swo_latest(last, &got), SWO_CALLBACK_FAILED);
}

TEST(what_lets_some_messages_pass_has_no_latest_one_nor_a_transform_of_it) {
    swo_value got;
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *variable = number_variable(1), *some, *mapped;
    ok(swo_filter(variable, accept_all, NULL, NULL, &some));
    ok(swo_map(some, map_to_same, NULL, NULL, &mapped));
    assert_int_equal(swo_latest(mapped, &got), SWO_WRONG_KIND);
    assert_int_equal(swo_observe_with(mapped, WITH(.replay = 1), probe_receive, &a, probe_destroy, NULL),
                     SWO_WRONG_KIND);
    assert_int_equal(a.destroyed, 1);
}
