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

/* One observer before the failing map, one of the map, one after it. */
struct stage {
    swo_observable *source, *map;
    struct journal journal;
    struct probe before, mapped, after;
    struct failing failing;
};

static void begin_stage(struct stage *stage, swo_observable *source, struct failing failing) {
    memset(stage, 0, sizeof *stage);
    stage->source = source;
    stage->failing = failing;
    stage->before = (struct probe){.name = "before", .journal = &stage->journal};
    stage->mapped = (struct probe){.name = "mapped", .journal = &stage->journal};
    stage->after = (struct probe){.name = "after", .journal = &stage->journal};
    observe(source, NULL, &stage->before);
    ok(swo_map(source, fail_at_odd, &stage->failing, NULL, &stage->map));
    observe(source, NULL, &stage->after);
    observe(stage->map, NULL, &stage->mapped);
}

static void end_stage(struct stage *stage) { RELEASE(stage->map, stage->source); }

static swo_status send_status(swo_observable *observable, int64_t number) {
    swo_value message = swo_int64(number);
    return swo_send(observable, &message, NULL);
}

TEST(a_failing_mapper_passes_nothing_on_and_the_sender_hears_of_it) {
    static const swo_status failures[] = {
        SWO_CALLBACK_FAILED, SWO_INVALID_ARGUMENT, SWO_NOT_FOUND, 1, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < COUNT(failures); i++) {
        struct stage stage;
        begin_stage(&stage, swo_messenger_new(), (struct failing){failures[i], swo_int64(99)});
        assert_int_equal(send_status(stage.source, 1), SWO_CALLBACK_FAILED);
        assert_journal(&stage.journal, "before1 after1");
        ok(send_status(stage.source, 2));
        assert_journal(&stage.journal, "before2 mapped2 after2");
        end_stage(&stage);
    }
}

TEST(a_mapper_that_makes_no_valid_value_has_failed) {
    swo_update plain = {swo_null(), swo_null()}, nested = {swo_update_value(&plain), swo_null()};
    swo_value unknown = swo_null();
    unknown.kind = 99;
    const swo_value made[] = {unknown, swo_text("\xFF"), swo_bytes(NULL, 1), swo_bytes("", SIZE_MAX),
                              swo_update_value(&nested)};
    for (size_t i = 0; i < COUNT(made); i++) {
        struct stage stage;
        begin_stage(&stage, swo_messenger_new(), (struct failing){SWO_OK, made[i]});
        assert_int_equal(send_status(stage.source, 1), SWO_CALLBACK_FAILED);
        assert_journal(&stage.journal, "before1 after1");
        ok(send_status(stage.source, 2));
        assert_journal(&stage.journal, "before2 mapped2 after2");
        end_stage(&stage);
    }
}

TEST(a_failure_further_down_is_heard_of_too) {
    struct stage stage;
    swo_observable *source = swo_messenger_new(), *same, *failing;
    struct failing never = {SWO_OK, swo_int64(1)}, always = {SWO_CALLBACK_FAILED, swo_null()};
    ok(swo_map(source, fail_at_odd, &never, NULL, &same));
    ok(swo_map(same, fail_at_odd, &always, NULL, &failing));
    begin_stage(&stage, source, never);
    assert_int_equal(send_status(source, 1), SWO_CALLBACK_FAILED);
    assert_journal(&stage.journal, "before1 mapped1 after1");
    ok(send_status(source, 2));
    assert_journal(&stage.journal, "before2 mapped2 after2");
    RELEASE(failing, same);
    end_stage(&stage);
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

MAPPER(make_three, context, old_value) {
    *out = swo_int64(3);
    return SWO_OK;
}

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

TEST(a_failure_in_an_unordered_delivery_is_heard_of) {
    struct stage stage;
    begin_stage(&stage, swo_messenger_new(), (struct failing){SWO_CALLBACK_FAILED, swo_null()});
    ok(swo_observable_set_ordered(stage.source, false));
    assert_int_equal(send_status(stage.source, 1), SWO_CALLBACK_FAILED);
    assert_journal(&stage.journal, "before1 after1");
    ok(send_status(stage.source, 2));
    assert_journal(&stage.journal, "before2 mapped2 after2");
    end_stage(&stage);
}

ACTION(send_one_at_two) {
    if (message->as.int64 == 2) assert_int_equal(send_status(probe->observable, 1), SWO_OK);
}

TEST(a_failure_over_a_message_that_waited_is_heard_of_by_the_outermost_send) {
    struct stage stage;
    begin_stage(&stage, swo_messenger_new(), (struct failing){SWO_CALLBACK_FAILED, swo_null()});
    stage.before.action = send_one_at_two;
    assert_int_equal(send_status(stage.source, 2), SWO_CALLBACK_FAILED);
    assert_journal(&stage.journal, "before2 mapped2 after2 before1 after1");
    end_stage(&stage);
}

/* ---- handlers that say that they have failed ---- */

static swo_observable *failing_observable;
HANDLER(fail_at_odd_numbers, context) {
    if (message->as.int64 % 2 != 0) swo_observable_fail(context);
}
COMBINED_HANDLER(fail_at_odd_updates, context) {
    if (messages[0].as.update->new_value.as.int64 % 2 != 0) swo_combined_fail(messages);
}

TEST(a_handler_reports_its_failure_to_the_send_that_delivers) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, fail_at_odd_numbers, messenger, NULL, NULL));
    observe(messenger, NULL, &a);
    assert_int_equal(send_status(messenger, 1), SWO_CALLBACK_FAILED);
    ok(send_status(messenger, 2));
    EXPECT_TRACE("a1 a2");
}

TEST(a_failure_behind_transforms_reaches_the_source) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map, *all;
    ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
    ok(swo_filter(map, accept_all, NULL, NULL, &all));
    ok(swo_observe(all, NULL, fail_at_odd_numbers, all, NULL, NULL));
    assert_int_equal(send_status(messenger, 1), SWO_CALLBACK_FAILED);
    ok(send_status(messenger, 2));
}

HANDLER(release_and_fail, context) {
    swo_observable_release(failing_observable);
    swo_observable_fail(failing_observable);
}

TEST(a_handler_reports_its_failure_also_when_it_has_released_the_observable) {
    failing_observable = swo_messenger_new();
    ok(swo_observe(failing_observable, NULL, release_and_fail, NULL, NULL, NULL));
    assert_int_equal(send_status(failing_observable, 1), SWO_CALLBACK_FAILED);
}

TEST(a_combined_handler_reports_its_failure_to_the_send_that_delivers) {
    OWN_OBSERVABLE *first = number_variable(0), *second = number_variable(0);
    swo_observable *both[] = {first, second};
    ok(swo_observe_combined(both, 2, NULL, fail_at_odd_updates, NULL, NULL, NULL));
    swo_value one = swo_int64(1), two = swo_int64(2);
    assert_int_equal(swo_variable_set(first, &one, NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(swo_variable_set(second, &one, NULL), SWO_CALLBACK_FAILED);
    ok(swo_variable_set(first, &two, NULL));
    ok(swo_variable_set(second, &two, NULL));
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
