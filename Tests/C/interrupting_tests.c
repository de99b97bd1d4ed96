/* SPDX-License-Identifier: MIT */
/* A delivery that ends early: nothing is lost (law 4), the others have the message in hand (law 25), the order stays.
 */
#include "support.h"

/* Sends three to what it observes, and ends the delivery. */
ACTION(send_three_and_interrupt) {
    if (message->as.int64 != 1) return;
    send_numbers(probe->observable, 2, 3, 4);
    swo_observable_interrupt(probe->observable);
}

static swo_observable *messenger;
static struct probe a, b;

void set_up(void) {
    messenger = swo_messenger_new();
    a = (struct probe)PROBE("a");
    b = (struct probe)PROBE("b");
}

void tear_down(void) { swo_observable_release(messenger); }

TASK(send_five, messenger) { send_number(messenger, 5); }

TEST(another_thread_goes_on_with_a_delivery_that_was_interrupted) {
    a.action = send_three_and_interrupt;
    observe(messenger, NULL, &a, &b);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 b1");
    join_thread(begin_thread(send_five, messenger));
    EXPECT_TRACE("a2 b2 a3 b3 a4 b4 a5 b5");
}

ACTION(release_and_interrupt) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    swo_observable_release(probe->observable);
    swo_observable_interrupt(probe->observable);
}

TEST(a_delivery_of_what_is_released_goes_on_although_it_is_interrupted) { /* Law 8 */
    a.action = release_and_interrupt;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    messenger = NULL;
    EXPECT_TRACE("a1 a2");
    assert_int_equal(a.destroyed, 1);
}

ACTION(set_two_and_interrupt) {
    if (message->as.update->new_value.as.int64 != 1) return;
    set_numbers(probe->observable, 2, 3);
    swo_observable_interrupt(probe->observable);
}

TEST(who_begins_with_a_replay_goes_on_with_a_delivery_that_was_interrupted) { /* Law 19 */
    a.action = set_two_and_interrupt;
    OWN_OBSERVABLE *variable = number_variable(0);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    swo_observe_options options = OPTIONS(.replay = 1);
    ok(swo_observe_with(variable, &options, probe_receive, &b, probe_destroy, NULL));
    EXPECT_TRACE("a(0,1) b(1,1) a(1,2) b(1,2) a(2,3) b(2,3)");
}

TEST(an_interrupt_of_what_is_not_being_delivered_does_nothing) {
    observe(messenger, NULL, &a);
    swo_observable_interrupt(messenger);
    swo_observable_interrupt(NULL);
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("a1 a2");
}

TEST(what_is_sent_for_later_comes_before_the_next_message) {
    observe(messenger, NULL, &a);
    for (int64_t number = 1; number <= 3; number++) {
        ok(swo_send_later(messenger, VALUE(swo_int64(number)), NULL));
    }
    EXPECT_TRACE("");
    send_number(messenger, 4);
    EXPECT_TRACE("a1 a2 a3 a4");
}

ACTION(send_later_then_now) {
    if (message->as.int64 != 1) return;
    ok(swo_send_later(probe->observable, VALUE(swo_int64(2)), probe));
    send_number(probe->observable, 3);
}

TEST(inside_a_handler_what_is_sent_for_later_takes_its_turn) {
    a.action = send_later_then_now;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 a2 a3");
}

TEST(what_is_sent_for_later_to_what_keeps_no_order_is_delivered_at_once) { /* Law 5 */
    ok(swo_observable_set_ordered(messenger, false));
    observe(messenger, NULL, &a);
    swo_value message = swo_int64(1);
    ok(swo_send_later(messenger, &message, NULL));
    EXPECT_TRACE("a1");
}

TEST(what_is_blocked_or_not_observed_keeps_nothing_for_later) {
    swo_value message = swo_int64(1);
    ok(swo_send_later(messenger, &message, NULL));
    observe(messenger, NULL, &a);
    ok(swo_observable_block(messenger));
    ok(swo_send_later(messenger, &message, NULL));
    ok(swo_observable_unblock(messenger));
    send_number(messenger, 2);
    EXPECT_TRACE("a2");
}

TEST(what_keeps_no_order_and_is_not_observed_keeps_nothing_for_later) {
    ok(swo_observable_set_ordered(messenger, false));
    ok(swo_send_later(messenger, VALUE(swo_int64(1)), NULL));
    observe(messenger, NULL, &a);
    send_number(messenger, 2);
    EXPECT_TRACE("a2");
}

ACTION(send_two_interrupt_and_stop) {
    send_number(probe->observable, 2);
    swo_observable_interrupt(probe->observable);
    ok(swo_stop(probe->observation));
}

/* Law 4 */
TEST(what_is_sent_for_later_waits_behind_what_an_interrupt_left_although_nothing_observes_meanwhile) {
    a.action = send_two_interrupt_and_stop;
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    ok(swo_send_later(messenger, VALUE(swo_int64(3)), NULL));
    observe(messenger, NULL, &b);
    send_number(messenger, 4);
    EXPECT_TRACE("a1 b2 b3 b4");
}

ACTION(give_up_order_and_interrupt) {
    if (message->as.int64 == 2) send_number(probe->observable, 3);
    if (message->as.int64 != 1) return;
    ok(swo_observable_set_ordered(probe->observable, false));
    swo_observable_interrupt(probe->observable);
}

TEST(an_interrupt_of_what_has_nothing_in_line_changes_nothing) { /* Law 5 */
    a.action = give_up_order_and_interrupt;
    observe(messenger, NULL, &a, &b);
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("a1 b1 a2 a3 b3 b2");
}

TEST(only_updates_are_sent_for_later_to_a_variable) {
    OWN_OBSERVABLE *variable = number_variable(0);
    swo_value message = swo_int64(1);
    assert_int_equal(swo_send_later(variable, &message, NULL), SWO_WRONG_KIND);
    message = swo_text("\xFF");
    assert_int_equal(swo_send_later(variable, &message, NULL), SWO_INVALID_TEXT);
    assert_int_equal(swo_send_later(NULL, &message, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_send_later(variable, NULL, NULL), SWO_INVALID_ARGUMENT);
}
