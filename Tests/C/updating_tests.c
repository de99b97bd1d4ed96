/* SPDX-License-Identifier: MIT */
/* Law 17 on one thread: a variable is read, modified and written in one step. */
#include "support.h"

MAPPER(decline, context, old_value) {
    *out = swo_int64(99);
    return *(swo_status *)context;
}

MAPPER(make_what_context_says, context, old_value) { GIVE(*(const swo_value *)context); }

TEST(an_updater_may_decline) {
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    swo_status answers[] = {SWO_CALLBACK_FAILED, SWO_NOT_FOUND, 1, INT32_MIN};
    for (int i = 0; i < 4; i++) assert_int_equal(swo_variable_update(variable, decline, &answers[i], NULL), answers[i]);
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(a.calls, 0);
}

TEST(an_updater_that_makes_no_valid_value_fails) {
    swo_update update = {swo_null(), swo_null()};
    swo_value unknown = swo_null();
    unknown.kind = 99;
    swo_value made[] = {unknown, swo_text("\xFF"), swo_bytes(NULL, 1), swo_update_value(&update)};
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    for (int i = 0; i < 4; i++)
        assert_int_equal(swo_variable_update(variable, make_what_context_says, &made[i], NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(a.calls, 0);
}

MAPPER(set_first_then_increment, context, old_value) {
    if (old_value->as.int64 == 1) set_number(context, 10);
    GIVE(swo_int64(old_value->as.int64 + 1));
}

/* Laws 11 and 17: no lock is held, so the updater itself may interfere, and is asked again. */
TEST(an_updater_is_asked_again_if_the_value_changes_meanwhile) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    ok(swo_variable_update(variable, set_first_then_increment, variable, NULL));
    EXPECT_TRACE("a(1,10) a(10,11)");
    assert_int_equal(number_of(variable), 11);
}
