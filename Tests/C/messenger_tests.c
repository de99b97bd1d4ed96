/* SPDX-License-Identifier: MIT */
/* The minimal observable: what is sent reaches every handler, as it is and by whom it is. */
#include "support.h"

TEST(every_observer_receives_a_message) {
    struct probe probes[3] = {
        {.name = "a", .journal = &journal}, {.name = "b", .journal = &journal}, {.name = "c", .journal = &journal}};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 3; i++) observe(messenger, NULL, &probes[i]);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_journal(&journal, "a1 b1 c1 a2 b2 c2");
}

TEST(a_message_that_nobody_observes_is_no_error) {
    swo_value message = swo_text("anybody there?");
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_send(messenger, &message, NULL), SWO_OK);
}

TEST(an_observation_receives_nothing_sent_before_it_began) {
    struct probe late = {.name = "late", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    send_number(messenger, 1);
    observe(messenger, NULL, &late);
    assert_journal(&journal, "");
    send_number(messenger, 2);
    assert_journal(&journal, "late2");
}

static void compare_with_context(void *context, const swo_value *message, const void *author) {
    const swo_value **expected = context;
    bool equal = false;
    must(swo_value_equal(*expected, message, &equal) == SWO_OK && equal);
    *expected = NULL;
}

TEST(a_value_of_every_kind_arrives_as_it_was_sent) {
    static const swo_object_type type = {.size = sizeof type};
    swo_update update = {swo_null(), swo_text("new")};
    int object;
    const swo_value messages[] = {
        swo_null(),
        swo_bool(true),
        swo_int64(INT64_MIN),
        swo_double(0.1),
        swo_text("gr\xC3\xBC\xC3\x9F"),
        swo_text_sized("a\0b", 3),
        swo_text_sized(NULL, 0),
        swo_bytes("\xFF\0", 2),
        swo_object(&object, &type),
        swo_update_value(&update),
    };
    const swo_value *expected = NULL;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe(messenger, NULL, compare_with_context, &expected, NULL, NULL), SWO_OK);
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        expected = &messages[i];
        assert_int_equal(swo_send(messenger, &messages[i], NULL), SWO_OK);
        assert_null(expected);
    }
}

static void keep_copy(void *context, const swo_value *message, const void *author) {
    must(swo_value_copy(message, context) == SWO_OK);
}

TEST(a_copied_message_outlives_the_call) {
    swo_value kept;
    char text[] = "message";
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe(messenger, NULL, keep_copy, &kept, NULL, NULL), SWO_OK);
    swo_value message = swo_text(text);
    assert_int_equal(swo_send(messenger, &message, NULL), SWO_OK);
    memset(text, 'x', sizeof text - 1);
    assert_string_equal(kept.as.bytes.data, "message");
    swo_value_clear(&kept);
}

static void note_address(void *context, const swo_value *message, const void *author) {
    *(const void **)context = message->as.bytes.data;
}

TEST(a_message_that_need_not_wait_is_not_copied) {
    static const char bytes[] = "where I am";
    const void *address = NULL;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe(messenger, NULL, note_address, &address, NULL, NULL), SWO_OK);
    swo_value message = swo_bytes(bytes, sizeof bytes);
    assert_int_equal(swo_send(messenger, &message, NULL), SWO_OK);
    assert_ptr_equal(address, bytes);
}

TEST(the_author_is_the_observable_unless_another_is_named) {
    struct probe probe = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    send_number(messenger, 1);
    assert_ptr_equal(probe.author, messenger);
    swo_value message = swo_null();
    assert_int_equal(swo_send(messenger, &message, &message), SWO_OK);
    assert_ptr_equal(probe.author, &message);
}

static void send_as_self(struct probe *probe, const swo_value *message, const void *author) {
    swo_value next = swo_int64(message->as.int64 + 1);
    if (message->as.int64 == 1) must(swo_send(probe->observable, &next, probe) == SWO_OK);
    if (message->as.int64 == 2) must(author == probe && swo_send(probe->observable, &next, NULL) == SWO_OK);
    if (message->as.int64 == 3) must(author == probe->observable);
}

TEST(a_message_that_waits_keeps_its_author) {
    struct probe probe = {.name = "a", .action = send_as_self};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 3);
}

static void overwrite_after_sending(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.bytes.size != 5) return;
    char text[] = "as it was sent";
    swo_value waits = swo_text(text);
    must(swo_send(probe->observable, &waits, NULL) == SWO_OK);
    memset(text, 'x', sizeof text - 1);
}

TEST(a_message_that_waits_is_copied) {
    struct probe probe = {.name = ":", .journal = &journal, .action = overwrite_after_sending};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    swo_value first = swo_text("first");
    assert_int_equal(swo_send(messenger, &first, NULL), SWO_OK);
    assert_journal(&journal, ":first :as it was sent");
}
