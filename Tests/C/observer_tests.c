/* SPDX-License-Identifier: MIT */
/* Observers: they keep observations, any number of any observable, and end them. */
#include "support.h"

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

/* Law 14: one observer of very many observations stops each of them from anywhere in their midst. */
TEST(an_observer_of_many_stops_any_in_any_order) {
    long count = scaled(20000);
    swo_observable *messengers[] = {swo_messenger_new(), swo_messenger_new(), swo_messenger_new()};
    swo_observer *observer = swo_observer_new();
    struct probe *probes = calloc((size_t)count, sizeof *probes);
    for (long i = 0; i < count; i++) observe(messengers[i % 3], observer, &probes[i]);
    for (long i = 0; i < count; i += 2) ok(swo_stop(probes[i].observation));
    for (long i = count - 1; i > 0; i -= 4) swo_stop(probes[i].observation);
    ok(swo_observer_stop(observer, messengers[1]));
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
