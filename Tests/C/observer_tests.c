/* SPDX-License-Identifier: MIT */
/* Observers: they keep observations, any number of any observable, and end them. */
#include "support.h"

/* Law 8 */
TEST(all_observations_of_an_observer_stop_when_it_dies) {
    swo_observer *observer = swo_observer_new(), *survivor = swo_observer_new();
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal},
                 c = {.name = "c", .journal = &journal};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = number_variable(0);
    observe(first, observer, &a);
    observe(second, observer, &b);
    observe(first, survivor, &c);
    swo_observer_release(observer);
    assert_false(swo_is_living(a.observation) || swo_is_living(b.observation));
    assert_true(swo_is_living(c.observation));
    send_number(first, 1);
    set_number(second, 1);
    assert_journal(&journal, "c1");
    swo_observer_release(survivor);
}

TEST(an_observer_lives_until_its_last_owner_releases_it) {
    swo_observer *observer = swo_observer_new();
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, observer, &a);
    assert_ptr_equal(swo_observer_retain(observer), observer);
    swo_observer_release(observer);
    assert_true(swo_is_living(a.observation));
    swo_observer_release(observer);
    assert_false(swo_is_living(a.observation));
}

/* Law 9 */
TEST(an_observer_may_observe_one_observable_many_times) {
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal},
                 c = {.name = "c", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    observe(messenger, observer, &a);
    observe(messenger, observer, &b);
    observe(messenger, observer, &c);
    send_number(messenger, 1);
    assert_journal(&journal, "a1 b1 c1");
    assert_int_equal(swo_stop(b.observation), SWO_OK);
    assert_true(swo_observer_is_observing(observer, messenger));
    send_number(messenger, 2);
    assert_journal(&journal, "a2 c2");
}

/* Law 9: even the very same handler with the very same context. */
TEST(nothing_is_replaced) {
    struct probe probe = {.name = "a"};
    swo_observation one, other;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    assert_int_equal(swo_observe(messenger, observer, probe_receive, &probe, NULL, &one), SWO_OK);
    assert_int_equal(swo_observe(messenger, observer, probe_receive, &probe, NULL, &other), SWO_OK);
    assert_true(one != other);
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 2);
}

/* Law 9 */
TEST(stopping_an_observable_stops_all_observations_of_it_and_no_others) {
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal},
                 c = {.name = "c", .journal = &journal};
    struct probe d = {.name = "d", .journal = &journal}, e = {.name = "e", .journal = &journal};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new(), *other = swo_observer_new();
    observe(first, observer, &a);
    observe(second, observer, &b);
    observe(first, observer, &c);
    observe(first, other, &d);
    observe(first, NULL, &e);
    assert_int_equal(swo_observer_stop(observer, first), SWO_OK);
    assert_false(swo_observer_is_observing(observer, first));
    assert_true(swo_observer_is_observing(observer, second));
    assert_true(swo_observer_is_observing(other, first));
    send_number(first, 1);
    send_number(second, 2);
    assert_journal(&journal, "d1 e1 b2");
    assert_int_equal(swo_observer_stop(observer, first), SWO_NOT_FOUND);
}

TEST(stopping_no_observable_in_particular_stops_everything) {
    struct probe a = {.name = "a"}, b = {.name = "b"}, again = {.name = "again"};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    observe(first, observer, &a);
    observe(second, observer, &b);
    assert_int_equal(swo_observer_stop(observer, NULL), SWO_OK);
    assert_true(a.destroyed == 1 && b.destroyed == 1);
    assert_int_equal(swo_observer_stop(observer, NULL), SWO_NOT_FOUND);
    observe(first, observer, &again);
    send_number(first, 1);
    assert_int_equal(again.calls, 1);
}

TEST(an_observer_is_observing_as_long_as_an_observation_lives) {
    struct probe a = {.name = "a"}, b = {.name = "b"};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *other = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    assert_false(swo_observer_is_observing(observer, messenger));
    observe(messenger, observer, &a);
    observe(messenger, observer, &b);
    assert_true(swo_observer_is_observing(observer, messenger));
    assert_false(swo_observer_is_observing(observer, other));
    assert_int_equal(swo_stop(a.observation), SWO_OK);
    assert_true(swo_observer_is_observing(observer, messenger));
    assert_int_equal(swo_stop(b.observation), SWO_OK);
    assert_false(swo_observer_is_observing(observer, messenger));
}

/* Law 13: the observation is gone with its observable, and its observer has nothing left to stop. */
TEST(an_observer_outlives_what_it_observes) {
    swo_observable *messenger = swo_messenger_new();
    struct probe a = {.name = "a"};
    OWN_OBSERVER *observer = swo_observer_new();
    observe(messenger, observer, &a);
    swo_observable_release(messenger);
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(swo_observer_stop(observer, NULL), SWO_NOT_FOUND);
}

TEST(an_observation_without_an_observer_lasts_until_stopped) {
    swo_observer *observer = swo_observer_new();
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a);
    assert_int_equal(swo_observer_stop(observer, messenger), SWO_NOT_FOUND);
    swo_observer_release(observer);
    send_number(messenger, 1);
    assert_int_equal(a.calls, 1);
    assert_int_equal(swo_stop(a.observation), SWO_OK);
}

static void stop_observer(struct probe *probe, const swo_value *message, const void *author) {
    must(swo_observer_stop(probe->observer, probe->observable) == SWO_OK);
    must(!swo_observer_is_observing(probe->observer, probe->observable));
}

/* Law 7 */
TEST(an_observer_can_be_stopped_in_a_handler_of_its_own) {
    struct probe a = {.name = "a", .journal = &journal},
                 b = {.name = "b", .journal = &journal, .action = stop_observer};
    struct probe c = {.name = "c", .journal = &journal}, stranger = {.name = "stranger", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    observe(messenger, observer, &a);
    observe(messenger, observer, &b);
    observe(messenger, observer, &c);
    observe(messenger, NULL, &stranger);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_journal(&journal, "a1 b1 stranger1 stranger2");
    assert_true(a.destroyed == 1 && b.destroyed == 1 && c.destroyed == 1);
}

/* Law 14: one observer of very many observations stops each of them from anywhere in their midst. */
TEST(an_observer_of_many_stops_any_in_any_order) {
    long count = scaled(20000);
    swo_observable *messengers[] = {swo_messenger_new(), swo_messenger_new(), swo_messenger_new()};
    swo_observer *observer = swo_observer_new();
    struct probe *probes = calloc((size_t)count, sizeof *probes);
    for (long i = 0; i < count; i++) observe(messengers[i % 3], observer, &probes[i]);
    for (long i = 0; i < count; i += 2) assert_int_equal(swo_stop(probes[i].observation), SWO_OK);
    for (long i = count - 1; i > 0; i -= 4) swo_stop(probes[i].observation);
    assert_int_equal(swo_observer_stop(observer, messengers[1]), SWO_OK);
    for (int i = 0; i < 3; i++) send_number(messengers[i], 1);
    for (long i = 0; i < count; i++) {
        bool stopped = i % 2 == 0 || (count - 1 - i) % 4 == 0 || i % 3 == 1;
        assert_int_equal(probes[i].destroyed, stopped);
        assert_int_equal(probes[i].calls, !stopped);
    }
    swo_observer_release(observer);
    for (long i = 0; i < count; i++) assert_int_equal(probes[i].destroyed, 1);
    for (int i = 0; i < 3; i++) swo_observable_release(messengers[i]);
    free(probes);
}
