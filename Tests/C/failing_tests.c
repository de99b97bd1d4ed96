/* SPDX-License-Identifier: MIT */
/* Law 25: a callback that fails does not stop others from receiving, and the sender learns of it. */
#include "support.h"

struct failing {
    swo_status status; /* what the mapper answers to odd numbers */
    swo_value made;    /* what it makes then */
};

MAPPER(fail_at_odd, context, message) {
    struct failing *failing = context;
    if (message->as.int64 % 2 == 0) {
        *out = *message;
        return SWO_OK;
    }
    *out = failing->made;
    return failing->status;
}

/* A source, and a map of it that fails, with one observer before that, one of it, and one after it. */
static swo_observable *source, *map;
static struct probe before, mapped, after;
static struct failing failing;

static void begin(struct failing how) {
    failing = how;
    before = (struct probe)PROBE("before");
    mapped = (struct probe)PROBE("mapped");
    after = (struct probe)PROBE("after");
    source = swo_messenger_new();
    observe(source, NULL, &before);
    ok(swo_map(source, fail_at_odd, &failing, NULL, &map));
    observe(source, NULL, &after);
    observe(map, NULL, &mapped);
}

void tear_down(void) {
    RELEASE(map, source);
    map = source = NULL;
}

static swo_status send_status(swo_observable *observable, int64_t number) {
    return swo_send(observable, VALUE(swo_int64(number)), NULL);
}

/* One is failed at, two is not. */
static void expect_failure_at_one(const char *trace_of_one) {
    assert_int_equal(send_status(source, 1), SWO_CALLBACK_FAILED);
    EXPECT_TRACE(trace_of_one);
    ok(send_status(source, 2));
    EXPECT_TRACE("before2 mapped2 after2");
}

TEST(a_mapper_that_fails_or_makes_no_valid_value_passes_nothing_on_and_the_sender_hears_of_it) {
    swo_update plain = {swo_null(), swo_null()}, nested = {swo_update_value(&plain), swo_null()};
    swo_value number = swo_int64(99), unknown = swo_null();
    unknown.kind = 99;
    const struct failing ways[] = {{SWO_CALLBACK_FAILED, number},
                                   {SWO_INVALID_ARGUMENT, number},
                                   {SWO_NOT_FOUND, number},
                                   {1, number},
                                   {INT32_MAX, number},
                                   {INT32_MIN, number},
                                   {SWO_OK, unknown},
                                   {SWO_OK, swo_text("\xFF")},
                                   {SWO_OK, swo_bytes(NULL, 1)},
                                   {SWO_OK, swo_bytes("", SIZE_MAX)},
                                   {SWO_OK, swo_update_value(&nested)}};
    for (size_t i = 0; i < 2 * COUNT(ways); i++) {
        begin(ways[i / 2]);
        ok(swo_observable_set_ordered(source, i % 2 == 0));
        expect_failure_at_one("before1 after1");
        tear_down();
    }
}

TEST(a_failure_further_down_is_heard_of_too) {
    struct failing always = {SWO_CALLBACK_FAILED, swo_null()};
    OWN_OBSERVABLE *below;
    begin((struct failing){SWO_OK, swo_int64(1)});
    ok(swo_map(map, fail_at_odd, &always, NULL, &below));
    expect_failure_at_one("before1 mapped1 after1");
}

MAPPER(fail_at_odd_update, context, update) { return fail_at_odd(context, &update->as.update->new_value, out); }

TEST(a_failure_does_not_undo_what_set_a_variable) {
    struct failing failing = {SWO_CALLBACK_FAILED, swo_null()};
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *variable = number_variable(0), *map;
    ok(swo_map(variable, fail_at_odd_update, &failing, NULL, &map));
    observe(variable, NULL, &a);
    swo_value one = swo_int64(1), two = swo_int64(2);
    assert_int_equal(swo_variable_set(variable, &one, NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(a.calls, 1);
    ok(swo_variable_set(variable, &two, NULL));
}

MAPPER(make_three, context, old_value) { GIVE(swo_int64(3)); }

TEST(a_failure_does_not_undo_what_updated_a_variable) {
    struct failing failing = {SWO_CALLBACK_FAILED, swo_null()};
    OWN_OBSERVABLE *variable = number_variable(0), *map;
    ok(swo_map(variable, fail_at_odd_update, &failing, NULL, &map));
    assert_int_equal(swo_variable_update(variable, make_three, NULL, NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(number_of(variable), 3);
}

TEST(several_failures_are_one_status) {
    swo_observable *messenger = swo_messenger_new(), *maps[3];
    struct failing failing = {SWO_NOT_FOUND, swo_null()};
    struct probe a = {.name = "a"};
    for (int i = 0; i < 3; i++) ok(swo_map(messenger, fail_at_odd, &failing, NULL, &maps[i]));
    observe(messenger, NULL, &a);
    assert_int_equal(send_status(messenger, 1), SWO_CALLBACK_FAILED);
    assert_int_equal(a.calls, 1);
    for (int i = 0; i < 3; i++) swo_observable_release(maps[i]);
    swo_observable_release(messenger);
}

ACTION(send_one_at_two) {
    if (message->as.int64 == 2) assert_int_equal(send_status(probe->observable, 1), SWO_OK);
}

TEST(a_failure_over_a_message_that_waited_is_heard_of_by_the_outermost_send) {
    begin((struct failing){SWO_CALLBACK_FAILED, swo_null()});
    before.action = send_one_at_two;
    assert_int_equal(send_status(source, 2), SWO_CALLBACK_FAILED);
    EXPECT_TRACE("before2 mapped2 after2 before1 after1");
}

/* ---- handlers that say that they have failed ---- */

static swo_observable *failing_observable;
HANDLER(release_and_fail, context) {
    swo_observable_release(failing_observable);
    swo_observable_fail(failing_observable);
}

TEST(a_handler_reports_its_failure_also_when_it_has_released_the_observable) {
    failing_observable = swo_messenger_new();
    ok(swo_observe(failing_observable, NULL, release_and_fail, NULL, NULL, NULL));
    assert_int_equal(send_status(failing_observable, 1), SWO_CALLBACK_FAILED);
}

TEST(a_failure_that_is_reported_while_nothing_is_delivered_is_told_by_the_next_send) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    for (int round = 0; round < 100; round++) { /* in the end it belongs to this thread */
        swo_observable_fail(messenger);
        assert_int_equal(send_status(messenger, 1), SWO_CALLBACK_FAILED);
        ok(send_status(messenger, 2));
    }
}

static void expect_to_be_told_without_order(swo_observable *variable) {
    struct failing failing = {SWO_CALLBACK_FAILED, swo_null()};
    OWN_OBSERVABLE *set = variable, *map;
    ok(swo_map(set, fail_at_odd_update, &failing, NULL, &map));
    ok(swo_observable_set_ordered(set, false));
    assert_int_equal(swo_variable_set(set, VALUE(swo_int64(1)), NULL), SWO_CALLBACK_FAILED);
    ok(swo_variable_set(set, VALUE(swo_int64(2)), NULL));
    ok(swo_variable_begin_batch(set));
    ok(swo_variable_set(set, VALUE(swo_int64(3)), NULL));
    assert_int_equal(swo_variable_end_batch(set), SWO_CALLBACK_FAILED);
}

TEST(what_sets_a_variable_without_order_is_told_of_a_failure) { /* Laws 5 and 25 */
    expect_to_be_told_without_order(number_variable(0));
    expect_to_be_told_without_order(deferred_variable(0));
}
