/* SPDX-License-Identifier: MIT */
/* What a mapper may rely on: what it makes is read or copied before its next call, and its calls never overlap. */
#include "support.h"

static swo_status to_text(void *context, const swo_value *message, swo_value *out) {
    char *text = context;
    snprintf(text, 32, "number %d", (int)message->as.int64);
    *out = swo_text(text);
    return SWO_OK;
}

static swo_status borrow_tail(void *context, const swo_value *message, swo_value *out) {
    *out = swo_text_sized((const char *)message->as.bytes.data + 7, message->as.bytes.size - 7);
    return SWO_OK;
}

static swo_status to_update(void *context, const swo_value *message, swo_value *out) {
    swo_update *update = context;
    update->old_value = update->new_value;
    update->new_value = *message;
    *out = swo_update_value(update);
    return SWO_OK;
}

TEST(a_mapper_may_borrow_from_its_context_and_from_its_message) {
    struct probe a = {.name = ":", .journal = &journal}, b = {.name = "", .journal = &journal};
    char buffer[32];
    swo_update update = {swo_null(), swo_null()};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *text, *tail, *updates;
    assert_int_equal(swo_map(messenger, to_text, buffer, NULL, &text), SWO_OK);
    assert_int_equal(swo_map(text, borrow_tail, NULL, NULL, &tail), SWO_OK);
    assert_int_equal(swo_map(messenger, to_update, &update, NULL, &updates), SWO_OK);
    observe(tail, NULL, &a);
    observe(updates, NULL, &b);
    send_number(messenger, 12);
    send_number(messenger, 3);
    assert_journal(&journal, ":12 (null,12) :3 (12,3)");
}

static void send_two_messages_to_source(struct probe *probe, const swo_value *message, const void *author) {
    if (message->kind != SWO_KIND_INT64) return;
    send_number(probe->other->observable, 1);
    send_number(probe->other->observable, 2);
}

/* The map is busy with a message of its own, so what its mapper makes has to wait: the second text would overwrite the
 * first. */
TEST(what_a_mapper_lends_is_copied_if_it_has_to_wait) {
    swo_observable *messenger = swo_messenger_new(), *map;
    struct probe source = {.observable = messenger};
    struct probe a = {.name = ":", .journal = &journal, .action = send_two_messages_to_source, .other = &source};
    char buffer[32];
    assert_int_equal(swo_map(messenger, to_text, buffer, NULL, &map), SWO_OK);
    observe(map, NULL, &a);
    send_number(map, 5);
    assert_journal(&journal, ":5 :number 1 :number 2");
    swo_observable_release(map);
    swo_observable_release(messenger);
}

static swo_status pass_counted(void *context, const swo_value *message, swo_value *out) {
    struct probe *probe = context;
    must(probe->running == 0);
    probe_receive(probe, message, NULL);
    *out = *message;
    return SWO_OK;
}

static void send_two_to_source(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 == 1) send_number(probe->observable, 2);
}

/* Calls of a mapper never overlap, not even nested ones of a source without order. */
TEST(a_mapper_that_sends_to_its_source_is_not_called_inside_itself) {
    for (int ordered = 0; ordered < 2; ordered++) {
        swo_observable *messenger = swo_messenger_new(), *map;
        struct probe mapper = {
            .name = "mapper", .journal = &journal, .action = send_two_to_source, .observable = messenger};
        struct probe a = {.name = "a", .journal = &journal};
        assert_int_equal(swo_observable_set_ordered(messenger, ordered), SWO_OK);
        assert_int_equal(swo_map(messenger, pass_counted, &mapper, probe_destroy, &map), SWO_OK);
        observe(map, NULL, &a);
        send_number(messenger, 1);
        assert_journal(&journal, "mapper1 a1 mapper2 a2");
        swo_observable_release(map);
        swo_observable_release(messenger);
    }
}

static void *send_two(void *messenger) {
    send_number(messenger, 2);
    return NULL;
}

static bool accept_counted(void *context, const swo_value *message) {
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
        assert_int_equal(swo_observable_set_ordered(messenger, false), SWO_OK);
        if (kind == 0)
            assert_int_equal(swo_map(messenger, pass_counted, &callback, probe_destroy, &transform), SWO_OK);
        else
            assert_int_equal(swo_filter(messenger, accept_counted, &callback, probe_destroy, &transform), SWO_OK);
        observe(transform, NULL, &a);
        pthread_t first = begin_thread(send_one_number, messenger);
        gate_await(gate);
        pthread_t second = begin_thread(send_two, messenger);
        give_way(&never);
        assert_int_equal(callback.calls, 1);
        gate_open(gate);
        gate_await(gate);
        gate_open(gate);
        join_thread(first);
        join_thread(second);
        assert_true(callback.calls == 2 && a.calls == 2);
        swo_observable_release(transform);
        swo_observable_release(messenger);
        gate_free(gate);
    }
}

/* ---- what a mapper makes until it is called again ---- */

/* Makes a text of how often it was called, where the text before was. */
static swo_status count_calls(void *context, const swo_value *message, swo_value *out) {
    static char text[32];
    snprintf(text, sizeof text, "call %ld", ++*(long *)context);
    *out = swo_text(text);
    return SWO_OK;
}

static void ask_for_latest(struct probe *probe, const swo_value *message, const void *author) {
    swo_value latest;
    must(swo_latest(probe->observable, &latest) == SWO_OK);
    swo_value_clear(&latest);
}

static void begin_replay(struct probe *probe, const swo_value *message, const void *author) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.replay = 1;
    if (probe->calls > 1) return;
    must(swo_observe_with(probe->observable, &options, probe_receive, probe->other, NULL, NULL) == SWO_OK);
}

static void ignore_all(void *context, const swo_value *messages, size_t count, const void *author) {}

static void send_other_variable(struct probe *probe, const swo_value *message, const void *author) {
    set_number(probe->other->observable, probe->calls + 100);
}

/* "What it points at must stay valid until the mapper is called again": so who asks for the latest message while
 * one is being delivered must not spoil that one. */
TEST(what_is_being_delivered_outlasts_a_question_for_the_latest) {
    void (*const actions[])(struct probe *, const swo_value *, const void *) = {ask_for_latest, begin_replay,
                                                                                send_other_variable};
    for (int i = 0; i < 3; i++) {
        long calls = 0;
        swo_observable *variable = number_variable(0), *other = number_variable(0), *map;
        struct probe late = {.name = "late", .observable = other};
        struct probe a = {.name = "a ", .journal = &journal, .action = actions[i], .other = &late};
        struct probe b = {.name = "b ", .journal = &journal};
        assert_int_equal(swo_map(variable, count_calls, &calls, NULL, &map), SWO_OK);
        observe(map, NULL, &a);
        observe(map, NULL, &b);
        swo_observable *pair[] = {map, other};
        if (i == 2) assert_int_equal(swo_observe_combined(pair, 2, NULL, ignore_all, NULL, NULL, NULL), SWO_OK);
        set_number(variable, 1);
        assert_journal(&journal, "a call 1 b call 1");
        swo_observable_release(map);
        swo_observable_release(other);
        swo_observable_release(variable);
    }
}
