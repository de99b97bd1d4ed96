/* SPDX-License-Identifier: MIT */
/* Stopping on one thread: honoured at once, by whomever and whenever. */
#include "support.h"

/* Law 7 */
TEST(a_stopped_observation_receives_nothing) {
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal},
                 c = {.name = "c", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    observe(messenger, NULL, &c);
    assert_int_equal(swo_stop(b.observation), SWO_OK);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 c1");
    assert_int_equal(swo_stop_and_wait(a.observation), SWO_OK);
    send_number(messenger, 2);
    assert_journal(&journal, "c2");
}

/* Law 10 */
TEST(an_observation_stops_once) {
    struct probe a = {.name = "a"}, b = {.name = "b"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    assert_true(swo_is_living(a.observation));
    assert_int_equal(swo_stop(a.observation), SWO_OK);
    assert_false(swo_is_living(a.observation));
    assert_int_equal(swo_stop(a.observation), SWO_NOT_FOUND);
    assert_int_equal(swo_stop_and_wait(a.observation), SWO_NOT_FOUND);
    assert_int_equal(swo_stop_and_wait(b.observation), SWO_OK);
    assert_int_equal(swo_stop_and_wait(b.observation), SWO_NOT_FOUND);
    assert_int_equal(swo_stop(b.observation), SWO_NOT_FOUND);
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(b.destroyed, 1);
}

/* Law 7 */
TEST(an_observation_stopped_during_a_delivery_is_skipped_in_it) {
    struct probe b = {.name = "b", .journal = &journal}, c = {.name = "c", .journal = &journal};
    struct probe a = {.name = "a", .journal = &journal, .action = stop_other, .other = &b};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    observe(messenger, NULL, &c);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 c1");
    assert_int_equal(b.destroyed, 1);
}

static void send_another_then_stop_other(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    stop_other(probe, message, author);
}

/* Laws 3 and 7 */
TEST(an_observation_stopped_during_a_delivery_receives_no_message_that_waits) {
    struct probe a = {.name = "a", .journal = &journal};
    struct probe b = {.name = "b", .journal = &journal, .action = send_another_then_stop_other, .other = &a};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 b2");
}

static void send_another_then_stop_self(struct probe *probe, const swo_value *message, const void *author) {
    send_number(probe->observable, 2);
    stop_self(probe, message, author);
    must(!swo_is_living(probe->observation));
    must(probe->destroyed == 0);
}

/* Laws 7 and 12 */
TEST(a_handler_can_stop_itself) {
    struct probe a = {.name = "a", .journal = &journal, .action = send_another_then_stop_self},
                 b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 b2");
    assert_int_equal(a.destroyed, 1);
}

enum { MANY = 50 };
static struct probe many[MANY];

static void stop_many(struct probe *probe, const swo_value *message, const void *author) {
    for (int i = 0; i < MANY; i++) must(swo_stop(many[i].observation) == SWO_OK);
}

/* Law 7 */
TEST(any_handler_can_stop_all) {
    for (int stopper = 0; stopper < MANY; stopper++) {
        swo_observable *messenger = swo_messenger_new();
        memset(many, 0, sizeof many);
        for (int i = 0; i < MANY; i++) {
            many[i].name = "a";
            observe(messenger, NULL, &many[i]);
        }
        many[stopper].action = stop_many;
        send_number(messenger, 1);
        send_number(messenger, 2);
        for (int i = 0; i < MANY; i++) {
            assert_int_equal(many[i].calls, i <= stopper);
            assert_int_equal(many[i].destroyed, 1);
        }
        swo_observable_release(messenger);
    }
}

static void stop_self_and_wait(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_stop_and_wait(probe->observation) == SWO_OK);
    must(!swo_is_living(probe->observation));
    must(probe->destroyed == 0);
}

/* Laws 7 and 12 */
TEST(stop_and_wait_returns_inside_its_own_handler) {
    struct probe probe = {.name = "a", .action = stop_self_and_wait};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_int_equal(probe.calls, 1);
    assert_int_equal(probe.destroyed, 1);
}

static void send_on_to_other(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_send(probe->other->observable, message, NULL) == SWO_OK);
    must(probe->destroyed == 0);
}

static void stop_other_and_wait(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_stop_and_wait(probe->other->observation) == SWO_OK);
    must(!swo_is_living(probe->other->observation));
    must(probe->other->destroyed == 0);
}

/* Law 7, at any depth: outer's handler sends to middle, middle's to inner, and inner's stops outer. */
TEST(stop_and_wait_returns_inside_a_handler_that_its_own_handler_caused) {
    swo_observable *messengers[] = {swo_messenger_new(), swo_messenger_new(), swo_messenger_new()};
    struct probe inner = {.name = "inner", .action = stop_other_and_wait};
    struct probe middle = {.name = "middle", .action = send_on_to_other, .other = &inner};
    struct probe outer = {.name = "outer", .action = send_on_to_other, .other = &middle};
    inner.other = &outer;
    observe(messengers[0], NULL, &outer);
    observe(messengers[1], NULL, &middle);
    observe(messengers[2], NULL, &inner);
    send_number(messengers[0], 1);
    assert_int_equal(inner.calls, 1);
    assert_int_equal(outer.destroyed, 1);
    send_number(messengers[0], 2);
    assert_int_equal(outer.calls, 1);
    for (int i = 0; i < 3; i++) swo_observable_release(messengers[i]);
}

static void stop_neighbour_and_wait(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_stop_and_wait(probe->other->observation) == SWO_OK);
}

/* Law 7: it waits for the one handler, not for the delivery. */
TEST(stop_and_wait_does_not_wait_for_a_delivery) {
    struct probe before = {.name = "before", .journal = &journal}, after = {.name = "after", .journal = &journal};
    struct probe a = {.name = "a", .journal = &journal, .action = stop_neighbour_and_wait, .other = &before};
    struct probe b = {.name = "b", .journal = &journal, .action = stop_neighbour_and_wait, .other = &after};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &before);
    observe(messenger, NULL, &a);
    observe(messenger, NULL, &b);
    observe(messenger, NULL, &after);
    send_number(messenger, 1);
    assert_journal(&journal, "before1 a1 b1");
    assert_true(before.destroyed == 1 && after.destroyed == 1);
}
