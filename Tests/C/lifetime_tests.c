/* SPDX-License-Identifier: MIT */
/* Who keeps whom alive, what dies with whom, and that nothing is left. Leaks themselves are found by the tools that run
 * this. */
#include "support.h"

TEST(an_observable_lives_until_its_last_owner_releases_it) {
    swo_observable *messenger = swo_messenger_new();
    struct probe probe = {.name = "a"};
    observe(messenger, NULL, &probe);
    assert_ptr_equal(swo_observable_retain(messenger), messenger);
    assert_ptr_equal(swo_observable_retain(messenger), messenger);
    RELEASE(messenger, messenger);
    assert_true(swo_is_living(probe.observation));
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 1);
    swo_observable_release(messenger);
    assert_false(swo_is_living(probe.observation));
}

/* Most messengers are never more than sent to and observed; what needs more of them makes it, while owners come and go.
 */
TEST(an_observable_whose_owners_were_counted_before_it_is_used_for_more_has_them_still) {
    swo_observable *messenger = swo_messenger_new(), *map, *same;
    struct probe probe = {.name = "a"};
    observe(messenger, NULL, &probe);
    swo_observable_retain(messenger);
    swo_observable_retain(messenger);
    ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
    RELEASE(messenger, messenger, map);
    assert_true(swo_is_living(probe.observation));
    ok(swo_map(messenger, map_to_same, NULL, NULL, &same));
    swo_observable_release(messenger);
    assert_true(swo_is_living(probe.observation));
    swo_observable_release(same);
    assert_int_equal(probe.destroyed, 1);
}

TASK(retain_and_use_for_more, messenger) {
    swo_observable *map;
    swo_observable_retain(messenger);
    ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
    RELEASE(map, messenger);
    swo_observable_release(messenger);
}

TEST(a_messenger_is_no_variable_however_many_own_it) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int owners = 1; owners < 10; owners++) {
        swo_value value = swo_int64(7);
        assert_int_equal(swo_variable_get(messenger, &value), SWO_WRONG_KIND);
        assert_int_equal(swo_variable_set(messenger, &value, NULL), SWO_WRONG_KIND);
        assert_ptr_equal(swo_observable_retain(messenger), messenger);
    }
    for (int owners = 1; owners < 10; owners++) swo_observable_release(messenger);
}

TEST(several_threads_may_be_the_first_to_use_an_observable_for_more_while_its_owners_come_and_go) {
    for (long turn = scaled(2000); turn > 0; turn--) {
        swo_observable *messenger = swo_messenger_new();
        struct probe probe = {.name = "a"};
        observe(messenger, NULL, &probe);
        for (int i = 0; i < 2; i++) swo_observable_retain(messenger);
        run_threads({retain_and_use_for_more, messenger}, {retain_and_use_for_more, messenger});
        assert_true(swo_is_living(probe.observation));
        swo_observable_release(messenger);
        assert_int_equal(probe.destroyed, 1);
    }
}

/* Law 8, with the delivery on another thread */
TEST(an_observable_that_dies_while_another_thread_delivers_first_delivers_all_that_waits) {
    swo_observable *messenger = swo_messenger_new();
    OWN_GATE *gate = gate_new();
    struct probe a = PROBE("a", .action = pass_gate, .gate = gate), b = PROBE("b");
    observe(messenger, NULL, &a, &b);
    pthread_t thread = begin_held(send_one_number, messenger, gate);
    send_number(messenger, 2);
    swo_observable_release(messenger);
    assert_true(a.destroyed == 0 && b.destroyed == 0);
    gate_open(gate);
    gate_await(gate);
    release_held(thread, gate);
    EXPECT_TRACE("a1 b1 a2 b2");
    assert_true(a.destroyed == 1 && b.destroyed == 1);
}

TEST(a_transform_keeps_its_source) { /* Law 13 */
    swo_observable *messenger = swo_messenger_new(), *map, *filtered;
    struct probe on_source = {.name = "source"}, on_map = {.name = "map"};
    ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
    ok(swo_new_values(map, &filtered));
    observe(messenger, NULL, &on_source);
    observe(map, NULL, &on_map);
    swo_observable *borrowed = messenger; /* valid for as long as the transforms keep it */
    RELEASE(messenger, map);
    assert_true(on_source.destroyed == 0 && on_map.destroyed == 0);
    send_number(borrowed, 1);
    assert_true(on_source.calls == 1 && on_map.calls == 1);
    swo_observable_release(filtered);
    assert_true(on_source.destroyed == 1 && on_map.destroyed == 1);
}
