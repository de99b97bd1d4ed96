/* SPDX-License-Identifier: MIT */
/* Variables that follow others. */
#include "support.h"

static const swo_bind_options in_both_directions = {.size = sizeof in_both_directions, .both = true};

static swo_observation bind_one(swo_observable *source, swo_observable *target) {
    swo_observation binding;
    ok(swo_bind(source, target, NULL, NULL, NULL, NULL, NULL, &binding));
    return binding;
}

static swo_observation bind_both(swo_observable *one, swo_observable *other) {
    swo_observation binding;
    ok(swo_bind(one, other, NULL, NULL, NULL, NULL, &in_both_directions, &binding));
    return binding;
}

MAPPER(divide_by_ten, context, value) { GIVE(swo_int64(value->as.int64 / 10)); }

TEST(a_variable_follows_another_one) {
    OWN_OBSERVABLE *source = number_variable(1), *target = number_variable(0);
    swo_observation binding = bind_one(source, target);
    assert_int_equal(number_of(target), 1);
    set_number(source, 2);
    assert_int_equal(number_of(target), 2);
    set_number(target, 3);
    assert_int_equal(number_of(source), 2);
    set_number(source, 4);
    assert_int_equal(number_of(target), 4);
    ok(swo_stop(binding));
    set_number(source, 5);
    assert_int_equal(number_of(target), 4);
    assert_int_equal(swo_stop(binding), SWO_NOT_FOUND);
}

TEST(a_variable_follows_a_messenger) {
    OWN_OBSERVABLE *source = swo_messenger_new(), *target = number_variable(7);
    bind_one(source, target);
    assert_int_equal(number_of(target), 7);
    send_number(source, 2);
    assert_int_equal(number_of(target), 2);
}

TEST(variables_follow_each_other) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(0);
    bind_both(one, other);
    assert_int_equal(number_of(other), 1);
    observe(one, NULL, &a);
    observe(other, NULL, &b);
    set_number(one, 2);
    set_number(other, 3);
    assert_int_equal(number_of(one), 3);
    assert_int_equal(number_of(other), 3);
    EXPECT_TRACE("b(1,2) a(1,2) a(2,3) b(2,3)");
}

TEST(variables_follow_each_other_by_a_mapping_and_its_inverse) {
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(0);
    swo_observation binding;
    ok(swo_bind(one, other, times_ten, divide_by_ten, NULL, NULL, &in_both_directions, &binding));
    assert_int_equal(number_of(other), 10);
    set_number(one, 2);
    assert_int_equal(number_of(other), 20);
    set_number(other, 39); /* which is no multiple of ten */
    assert_int_equal(number_of(one), 3);
    assert_int_equal(number_of(other), 39);
}

TEST(a_ring_of_bindings_comes_to_an_end) {
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(0), *three = number_variable(0);
    bind_both(one, two);
    bind_both(two, three);
    bind_both(three, one);
    set_number(two, 5);
    assert_int_equal(number_of(one), 5);
    assert_int_equal(number_of(three), 5);
}

TEST(what_is_combined_is_bound_like_any_other) {
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(2), *first, *second, *both, *target;
    ok(swo_new_values(one, &first));
    ok(swo_new_values(other, &second));
    ok(swo_combine((swo_observable *[]){first, second}, 2, &both));
    ok(swo_variable_new(NULL, &target));
    bind_one(both, target);
    set_number(other, 3);
    swo_value value;
    ok(swo_variable_get(target, &value));
    assert_int_equal(value.kind, SWO_KIND_LIST);
    assert_int_equal(value.as.list.values[0].as.int64, 1);
    assert_int_equal(value.as.list.values[1].as.int64, 3);
    swo_value_clear(&value);
}

ACTION(set_back) {
    if (message->as.update->new_value.as.int64 < 10) set_number(probe->observable, 10);
}

TEST(what_an_observer_of_the_target_sets_goes_back) {
    struct probe a = {.name = "a", .action = set_back};
    OWN_OBSERVABLE *one = number_variable(20), *other = number_variable(0);
    bind_both(one, other);
    observe(other, NULL, &a);
    set_number(one, 3);
    assert_int_equal(number_of(other), 10);
    assert_int_equal(number_of(one), 10);
}

TEST(its_author_is_nobody_else) {
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *source = number_variable(1), *target = number_variable(1);
    observe(target, NULL, &a);
    bind_one(source, target);
    set_number(source, 2);
    assert_true(a.author != source && a.author != target && a.author != NULL);
}

TEST(a_binding_ends_with_its_observer_and_with_each_side) {
    OWN_OBSERVABLE *source = number_variable(1), *target = number_variable(0);
    swo_observer *observer = swo_observer_new();
    swo_bind_options options = {.size = sizeof options, .both = true, .observer = observer};
    swo_observation binding;
    ok(swo_bind(source, target, NULL, NULL, NULL, NULL, &options, &binding));
    assert_true(swo_observer_is_observing(observer, source) && swo_observer_is_observing(observer, target));
    ok(swo_observer_stop(observer, target));
    assert_false(swo_is_living(binding));
    assert_int_equal(swo_observable_count(source), 0);
    ok(swo_bind(source, target, NULL, NULL, NULL, NULL, &options, &binding));
    swo_observer_release(observer);
    assert_false(swo_is_living(binding));

    for (int round = 0; round < 4; round++) {
        const int side = round % 2;
        const bool both = round < 2;
        swo_observable *sides[] = {number_variable(1), number_variable(2)};
        struct probe context = {.name = "context"};
        ok(swo_bind(sides[0], sides[1], times_ten, both ? divide_by_ten : NULL, &context, probe_destroy,
                    both ? &in_both_directions : NULL, &binding));
        swo_observable_release(sides[side]);
        assert_false(swo_is_living(binding));
        assert_int_equal(context.destroyed, 1);
        assert_int_equal(swo_observable_count(sides[1 - side]), 0);
        swo_observable_release(sides[1 - side]);
    }
}

static swo_observation stopped_by_handler;
ACTION(stop_binding) { ok(swo_stop_and_wait(stopped_by_handler)); }

TEST(a_handler_of_the_target_stops_the_binding) {
    struct probe a = {.name = "a", .action = stop_binding};
    OWN_OBSERVABLE *source = number_variable(1), *target = number_variable(1);
    stopped_by_handler = bind_both(source, target);
    observe(target, NULL, &a);
    set_number(source, 2);
    set_number(source, 3);
    assert_int_equal(number_of(target), 2);
}

TEST(what_cannot_be_set_fails_the_send) {
    OWN_OBSERVABLE *source = swo_messenger_new(), *target = number_variable(7);
    swo_observation binding;
    ok(swo_bind(source, target, always_fail, NULL, NULL, NULL, NULL, &binding));
    assert_int_equal(swo_send(source, VALUE(swo_int64(1)), NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(number_of(target), 7);
}

TEST(bad_bindings_are_refused) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *one = number_variable(1), *other = number_variable(2);
    swo_observation binding = 0;
    struct probe context = {.name = "context"};
    long refused = 0;
#define REFUSED(status, ...)                                                                                           \
    do {                                                                                                               \
        context.destroyed = 0;                                                                                         \
        assert_int_equal(swo_bind(__VA_ARGS__, &binding), status);                                                     \
        assert_int_equal(context.destroyed, 1);                                                                        \
        refused++;                                                                                                     \
    } while (0)
    REFUSED(SWO_WRONG_KIND, one, messenger, NULL, NULL, &context, probe_destroy, NULL);
    REFUSED(SWO_WRONG_KIND, messenger, one, NULL, NULL, &context, probe_destroy, &in_both_directions);
    REFUSED(SWO_INVALID_ARGUMENT, one, one, NULL, NULL, &context, probe_destroy, NULL);
    REFUSED(SWO_INVALID_ARGUMENT, one, other, NULL, times_ten, &context, probe_destroy, NULL);
    REFUSED(SWO_INVALID_ARGUMENT, one, other, times_ten, NULL, &context, probe_destroy, &in_both_directions);
    REFUSED(SWO_CALLBACK_FAILED, one, other, always_fail, NULL, &context, probe_destroy, NULL);
    assert_int_equal(refused, 6);
    assert_int_equal(binding, 0);
    assert_int_equal(swo_observable_count(one) + swo_observable_count(other), 0);
    assert_int_equal(number_of(other), 2);
}

TEST(no_binding_sets_a_deferred_variable_in_a_transaction) {
    OWN_OBSERVABLE *one = number_variable(1), *other = deferred_variable(2);
    swo_observation binding = 0;
    ok(swo_transaction_begin());
    assert_int_equal(swo_bind(one, other, NULL, NULL, NULL, NULL, NULL, &binding), SWO_CALLBACK_FAILED);
    ok(swo_transaction_abort());
    assert_int_equal(binding, 0);
    assert_int_equal(number_of(other), 2);
}

/* ---- threads ---- */

THREAD(set_many, variable) {
    uint64_t random = (uint64_t)(uintptr_t)variable;
    for (long i = scaled(20000); i > 0; i--) set_number(variable, chance(&random, 1000));
    return NULL;
}

TEST(whatever_threads_set_both_sides_agree_when_all_is_quiet) {
    for (int round = 0; round < 10; round++) {
        OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(0), *third = number_variable(0);
        bind_both(one, other);
        bind_both(other, third);
        run_threads({set_many, one}, {set_many, other}, {set_many, third});
        assert_int_equal(number_of(one), number_of(other));
        assert_int_equal(number_of(other), number_of(third));
    }
}
