/* SPDX-License-Identifier: MIT */
/* Order on one thread: who receives before whom, and when a handler's own messages are delivered. */
#include "support.h"

/* Law 2 */
TEST(observers_receive_in_the_order_in_which_they_began) {
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                        "j", "k", "l", "m", "n", "o", "p", "q"};
    enum { COUNT = sizeof names / sizeof *names };
    struct probe probes[COUNT] = {0};
    struct probe last = {.name = "z", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < COUNT; i++) {
        probes[i].name = names[i];
        probes[i].journal = &journal;
        observe(messenger, NULL, &probes[i]);
    }
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1 q1");
    for (int i = 0; i < COUNT; i += 2) assert_int_equal(swo_stop(probes[i].observation), SWO_OK);
    observe(messenger, NULL, &last);
    send_number(messenger, 2);
    assert_journal(&journal, "b2 d2 f2 h2 j2 l2 n2 p2 z2");
}

static void answer_one_with_two(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    journal_note(probe->journal, "(sent)", NULL);
}

/* Laws 1 and 3 */
TEST(a_message_sent_by_a_handler_waits_until_all_have_received_the_present_one) {
    struct probe a = {.name = "a", .journal = &journal, .action = answer_one_with_two},
                 b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 (sent) b1 a2 b2");
}

static void answer_with_two_more(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 >= 10) return;
    send_number(probe->observable, 10 * message->as.int64 + probe->number);
    send_number(probe->observable, 10 * message->as.int64 + probe->number + 1);
}

/* Laws 1 and 3 */
TEST(waiting_messages_are_delivered_first_in_first_out) {
    struct probe a = {.name = "a", .journal = &journal, .action = answer_with_two_more, .number = 1};
    struct probe b = {.name = "b", .journal = &journal, .action = answer_with_two_more, .number = 5};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 a11 b11 a12 b12 a15 b15 a16 b16");
}

static void send_to_other(struct probe *probe, const swo_value *message, const void *author) {
    send_number(probe->other->observable, message->as.int64 + 1);
    journal_note(probe->journal, probe->name, NULL);
}

/* Law 3 is about one observable: another one that is idle delivers at once. */
TEST(a_handler_may_send_to_another_observable_which_delivers_at_once) {
    struct probe b = {.name = "b", .journal = &journal},
                 a = {.name = "a", .journal = &journal, .action = send_to_other, .other = &b};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    observe(first, NULL, &a);
    observe(second, NULL, &b);
    send_number(first, 1);
    assert_journal(&journal, "a1 b2 a");
}

static void send_to_other_up_to_four(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 < 4) send_to_other(probe, message, author);
}

/* Law 3, around a corner */
TEST(a_message_that_comes_back_through_another_observable_waits) {
    struct probe a = {.name = "a", .journal = &journal, .action = send_to_other_up_to_four};
    struct probe b = {.name = "b", .journal = &journal, .action = send_to_other_up_to_four, .other = &a};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    a.other = &b;
    observe(first, NULL, &a);
    observe(second, NULL, &b);
    send_number(first, 1);
    /* b sends 3 to the first, which is delivering 1: it waits for a, and then 4 goes to the second. */
    assert_journal(&journal, "a1 b2 b a a3 b4 a");
}

static uintptr_t lowest, highest;

static void note_stack(void) {
    uintptr_t address = (uintptr_t)__builtin_frame_address(0); /* a sanitizer may keep variables elsewhere */
    if (address < lowest) lowest = address;
    if (address > highest) highest = address;
}

static void send_next(struct probe *probe, const swo_value *message, const void *author) {
    note_stack();
    if (message->as.int64 < probe->number) send_number(probe->observable, message->as.int64 + 1);
}

static void send_all(struct probe *probe, const swo_value *message, const void *author) {
    note_stack();
    if (message->as.int64 == 0)
        for (long number = 1; number <= probe->number; number++) send_number(probe->observable, number);
}

static void assert_flat(void (*action)(struct probe *, const swo_value *, const void *)) {
    swo_observable *messenger = swo_messenger_new();
    struct probe probe = {.name = "a", .action = action, .number = scaled(100000)};
    lowest = UINTPTR_MAX;
    highest = 0;
    observe(messenger, NULL, &probe);
    send_number(messenger, 0);
    assert_int_equal(probe.calls, probe.number + 1);
    assert_in_range(highest - lowest, 0, 1024);
    swo_observable_release(messenger);
}

/* Law 3 */
TEST(the_stack_does_not_grow_when_each_message_causes_the_next) { assert_flat(send_next); }

/* Law 3 */
TEST(the_stack_does_not_grow_when_many_messages_wait) { assert_flat(send_all); }

static void observe_other(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    observe(probe->observable, NULL, probe->other);
    send_number(probe->observable, 3);
}

/* Law 6 */
TEST(an_observation_begun_during_a_delivery_receives_the_next_message_first) {
    struct probe joins = {.name = "joins", .journal = &journal};
    struct probe a = {.name = "a", .journal = &journal, .action = observe_other, .other = &joins},
                 b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 a2 b2 joins2 a3 b3 joins3");
}

/* Laws 2 and 6 */
TEST(observations_begun_during_a_delivery_keep_their_order) {
    struct probe second = {.name = "y", .journal = &journal}, first = {.name = "x", .journal = &journal};
    struct probe a = {.name = "a", .journal = &journal, .action = observe_other, .other = &first};
    struct probe b = {.name = "b", .journal = &journal, .action = observe_other, .other = &second};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 a2 b2 x2 y2 a3 b3 x3 y3 a2 b2 x2 y2 a3 b3 x3 y3");
}
