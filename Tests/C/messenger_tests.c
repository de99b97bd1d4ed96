/* SPDX-License-Identifier: MIT */
/* The minimal observable: what is sent reaches every handler, as it is and by whom it is. */
#include "support.h"

HANDLER(compare_with_context, context) {
    const swo_value **expected = context;
    bool equal = false;
    must(swo_value_equal(*expected, message, &equal) == SWO_OK && equal);
    *expected = NULL;
}

TEST(a_value_of_every_kind_arrives_as_it_was_sent) {
    static const swo_object_type type = {.size = sizeof type};
    swo_update update = {swo_null(), swo_text("new")};
    int object;
    const swo_value messages[] = {swo_null(),
                                  swo_bool(true),
                                  swo_int64(INT64_MIN),
                                  swo_double(0.1),
                                  swo_text("gr\xC3\xBC\xC3\x9F"),
                                  swo_text_sized("a\0b", 3),
                                  swo_text_sized(NULL, 0),
                                  swo_bytes("\xFF\0", 2),
                                  swo_object(&object, &type),
                                  swo_update_value(&update)};
    const swo_value *expected = NULL;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, compare_with_context, &expected, NULL, NULL));
    for (size_t i = 0; i < COUNT(messages); i++) {
        expected = &messages[i];
        ok(swo_send(messenger, &messages[i], NULL));
        assert_null(expected);
    }
}

HANDLER(keep_copy, context) { ok(swo_value_copy(message, context)); }

TEST(a_copied_message_outlives_the_call) {
    swo_value kept;
    char text[] = "message";
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, keep_copy, &kept, NULL, NULL));
    ok(swo_send(messenger, VALUE(swo_text(text)), NULL));
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(kept.as.bytes.data, "message");
    swo_value_clear(&kept);
}

HANDLER(note_address, context) { *(const void **)context = message->as.bytes.data; }

TEST(a_message_that_need_not_wait_is_not_copied) {
    static const char bytes[] = "where I am";
    const void *address = NULL;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, note_address, &address, NULL, NULL));
    ok(swo_send(messenger, VALUE(swo_bytes(bytes, sizeof bytes)), NULL));
    assert_ptr_equal(address, bytes);
}

ACTION(overwrite_after_sending) {
    if (message->as.bytes.size != 5) return;
    char text[] = "as it was sent";
    ok(swo_send(probe->observable, VALUE(swo_text(text)), NULL));
    memset(text, 'x', sizeof text - 1);
}

TEST(a_message_that_waits_is_copied) {
    struct probe probe = PROBE(":", .action = overwrite_after_sending);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    ok(swo_send(messenger, VALUE(swo_text("first")), NULL));
    EXPECT_TRACE(":first :as it was sent");
}

/* ---- the stack ---- */

static uintptr_t lowest, highest;

static void note_stack(void) {
    uintptr_t address = (uintptr_t)__builtin_frame_address(0); /* a sanitizer may keep variables elsewhere */
    if (address < lowest) lowest = address;
    if (address > highest) highest = address;
}

ACTION(send_next) {
    note_stack();
    if (message->as.int64 < probe->number) send_number(probe->observable, message->as.int64 + 1);
}

ACTION(send_all) {
    note_stack();
    if (message->as.int64 == 0)
        for (long number = 1; number <= probe->number; number++) send_number(probe->observable, number);
}

static void assert_flat(void (*action)(struct probe *, const swo_value *, const void *)) {
    struct probe probe = {.name = "a", .action = action, .number = scaled(100000)};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    lowest = UINTPTR_MAX;
    highest = 0;
    observe(messenger, NULL, &probe);
    send_number(messenger, 0);
    assert_int_equal(probe.calls, probe.number + 1);
    assert_true(highest - lowest <= 1024);
}

/* Law 3 */
TEST(the_stack_does_not_grow_when_each_message_causes_the_next) { assert_flat(send_next); }
TEST(the_stack_does_not_grow_when_many_messages_wait) { assert_flat(send_all); }

enum { MADE = 64 };

/* Makes some messengers, and tells whether one of them has an address. */
static bool is_made_again(const void *address) {
    swo_observable *made[MADE];
    bool found = false;
    for (int i = 0; i < MADE; i++) {
        made[i] = swo_messenger_new();
        if (made[i] == address) found = true;
    }
    for (int i = 0; i < MADE; i++) swo_observable_release(made[i]);
    return found;
}

static bool was_made_again;

ACTION(release_and_make) {
    if (message->as.int64 == 1) {
        send_numbers(probe->observable, 2, 3);
        swo_observable_release(probe->observable);
    }
    if (is_made_again(author)) was_made_again = true;
}

/* Messages without an author of their own have the observable as theirs: handlers compare it. */
TEST(the_author_of_a_message_under_way_is_no_other_observable) {
    struct probe a = PROBE("a", .action = release_and_make);
    swo_observable *messenger = swo_messenger_new();
    was_made_again = false;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 a2 a3");
    assert_false(was_made_again);
}

/* ---- the only observer, in whose call others begin ---- */

static struct probe only, others[2];
static void *(*act)(void *);

ACTION(act_and_send) {
    if (message->as.int64 != 1) return;
    act(probe->observable);
    send_number(probe->observable, 2);
}

ACTION(let_another_thread_act_and_send) {
    if (message->as.int64 != 1) return;
    join_thread(begin_thread(act, probe->observable));
    send_number(probe->observable, 2);
}

TASK(begin_another, messenger) { observe(messenger, NULL, &others[0]); }

TASK(stop_it_and_begin_two, messenger) {
    ok(swo_stop(only.observation));
    observe(messenger, NULL, &others[0], &others[1]);
}

static void observe_with_only_one(swo_observable *messenger, bool is_ordered, struct probe one) {
    only = one;
    others[0] = (struct probe)PROBE("b");
    others[1] = (struct probe)PROBE("c");
    ok(swo_observable_set_ordered(messenger, is_ordered));
    observe(messenger, NULL, &only);
}

/* With order and without, on this thread and on another one: each observer receives the same. */
static void assert_always(void *(*what)(void *), const char *expected, bool is_stopped) {
    act = what;
    for (int way = 0; way < 4; way++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        observe_with_only_one(
            messenger, way & 1,
            (struct probe)PROBE("a", .action = way & 2 ? let_another_thread_act_and_send : act_and_send));
        send_numbers(messenger, 1, 3);
        EXPECT_TRACE(expected);
        assert_int_equal(only.destroyed, is_stopped);
    }
}

/* Laws 6, 7 and 12 */
TEST(one_that_begins_in_a_call_of_the_only_observer_receives_the_next_message) {
    assert_always(begin_another, "a1 a2 b2 a3 b3", false);
}
TEST(two_take_the_place_of_the_only_observer_in_a_call_of_it) {
    assert_always(stop_it_and_begin_two, "a1 b2 c2 b3 c3", true);
}

static atomic_bool has_waited;

TASK(stop_it_and_wait, unused) {
    ok(swo_stop_and_wait(only.observation));
    must(only.running == 0);
    has_waited = true;
}

TEST(who_stops_the_only_observer_waits_for_its_call_although_others_have_begun_in_it) { /* Law 7 */
    for (int is_ordered = 0; is_ordered < 2; is_ordered++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        OWN_GATE *gate = gate_new();
        observe_with_only_one(messenger, is_ordered, (struct probe)PROBE("a", .action = pass_gate, .gate = gate));
        pthread_t sender = begin_held(send_one_number, messenger, gate);
        observe(messenger, NULL, &others[0], &others[1]);
        has_waited = false;
        pthread_t waiter = begin_thread(stop_it_and_wait, NULL);
        give_way(&has_waited);
        assert_false(has_waited);
        release_held(sender, gate);
        join_thread(waiter);
        assert_int_equal(only.destroyed, 1);
        send_number(messenger, 2);
        EXPECT_TRACE("a1 b2 c2");
    }
}
