/* SPDX-License-Identifier: MIT */
/* How many observe, and what they are told about order. */
#include "support.h"

TEST(what_remembers_for_a_cache_is_not_counted) {
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *cache, *replaying;
    ok(swo_cache(messenger, NULL, &cache));
    ok(swo_replay(cache, 2, &replaying));
    assert_int_equal(swo_observable_count(cache), 1);
    assert_int_equal(swo_observable_count(replaying), 0);
    observe(replaying, NULL, &a);
    assert_int_equal(swo_observable_count(replaying), 1);
}

TEST(an_observer_counts_its_living_observations) {
    struct probe a = {.name = "a"}, b = {.name = "b"};
    swo_observation both;
    swo_observable *observables[2] = {number_variable(1), number_variable(2)};
    swo_observer *observer = swo_observer_new();
    assert_int_equal(swo_observer_count(observer), 0);
    observe(observables[0], observer, &a);
    observe(observables[1], observer, &b);
    assert_int_equal(swo_observer_count(observer), 2);
    ok(swo_observe_combined(observables, 2, observer, ignore_all, NULL, NULL, &both));
    assert_int_equal(swo_observer_count(observer), 4);
    ok(swo_stop(both));
    ok(swo_stop(a.observation));
    assert_int_equal(swo_observer_count(observer), 1);
    swo_observable_release(observables[1]);
    assert_int_equal(swo_observer_count(observer), 0);
    swo_observer_release(observer);
    swo_observable_release(observables[0]);
}

TEST(an_observable_tells_whether_it_keeps_order) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_true(swo_observable_is_ordered(messenger));
    ok(swo_observable_set_ordered(messenger, false));
    assert_false(swo_observable_is_ordered(messenger));
    ok(swo_observable_set_ordered(messenger, true));
    assert_true(swo_observable_is_ordered(messenger));
}
