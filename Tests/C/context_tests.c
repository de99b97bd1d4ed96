/* SPDX-License-Identifier: MIT */
/* Law 12: whatever becomes of it, a context is destroyed exactly once, after the last call. The probe itself
 * checks that it is not called after its end, not ended during a call, and not ended twice. */
#include "support.h"
#include <setjmp.h>

MAPPER(map_to_one, context, message) {
    probe_receive(context, message, NULL);
    GIVE(swo_int64(1));
}

PREDICATE(accept, context) {
    probe_receive(context, message, NULL);
    return true;
}

TEST(a_context_is_destroyed_when_its_transform_dies) {
    swo_observable *messenger = swo_messenger_new(), *map, *filter;
    struct probe mapper = {.name = "mapper"}, predicate = {.name = "predicate"};
    ok(swo_map(messenger, map_to_one, &mapper, probe_destroy, &map));
    ok(swo_filter(map, accept, &predicate, probe_destroy, &filter));
    swo_observable_release(map);
    assert_int_equal(mapper.destroyed, 0);
    swo_observable_release(filter);
    assert_true(mapper.destroyed == 1 && predicate.destroyed == 1);
    send_number(messenger, 1);
    assert_true(mapper.calls == 0 && predicate.calls == 0);
    swo_observable_release(messenger);
}

static int null_calls, null_ends;

HANDLER(count_null, context) {
    must(context == NULL);
    null_calls++;
}

static void end_null(void *context) {
    must(context == NULL);
    null_ends++;
}

TEST(a_null_context_is_destroyed_too) {
    swo_observable *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, count_null, NULL, end_null, NULL));
    send_number(messenger, 1);
    swo_observable_release(messenger);
    assert_true(null_calls == 1 && null_ends == 1);
}

TEST(a_context_without_a_destroy_function_is_left_alone) {
    swo_observable *messenger = swo_messenger_new();
    struct probe stopped = {.name = "a"}, kept = {.name = "b"};
    swo_observation observation;
    ok(swo_observe(messenger, NULL, probe_receive, &stopped, NULL, &observation));
    ok(swo_observe(messenger, NULL, probe_receive, &kept, NULL, NULL));
    assert_int_equal(swo_observe(NULL, NULL, probe_receive, &stopped, NULL, NULL), SWO_INVALID_ARGUMENT);
    ok(swo_stop(observation));
    send_number(messenger, 1);
    swo_observable_release(messenger);
    assert_true(stopped.calls == 0 && stopped.destroyed == 0);
    assert_true(kept.calls == 1 && kept.destroyed == 0);
}

static void begin_another(struct probe *probe) {
    observe(probe->observable, NULL, probe->other);
    send_number(probe->observable, probe->number);
    must(swo_stop(probe->observation) == SWO_NOT_FOUND);
}

/* Law 11: what a destroy function calls must not wait for who called it. */
TEST(a_destroy_function_may_use_the_observable) {
    swo_observable *messenger = swo_messenger_new();
    struct probe next = PROBE("next"), a = PROBE("a", .at_end = begin_another, .other = &next, .number = 7);
    observe(messenger, NULL, &a);
    ok(swo_stop(a.observation));
    EXPECT_TRACE("next7");
    assert_int_equal(next.destroyed, 0);
    swo_observable_release(messenger);
    assert_int_equal(next.destroyed, 1);
}

/* Laws 11 and 6: in a delivery its message waits, and the observation that it begins receives it. */
TEST(a_destroy_function_may_use_the_observable_during_a_delivery) {
    struct probe next = PROBE("next"),
                 a = PROBE("a", .action = stop_self, .at_end = begin_another, .other = &next, .number = 7),
                 b = PROBE("b");
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a, &b);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 b1 b7 next7");
}

static void stop_the_other(struct probe *probe) { ok(swo_stop(probe->other->observation)); }

TEST(a_destroy_function_may_stop_another_observation) {
    struct probe c = {.name = "c"}, b = {.name = "b", .at_end = stop_the_other, .other = &c},
                 a = {.name = "a", .at_end = stop_the_other, .other = &b};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a, &b, &c);
    ok(swo_stop(a.observation));
    assert_true(a.destroyed == 1 && b.destroyed == 1 && c.destroyed == 1);
}

static void release_the_rest(struct probe *probe) { swo_observable_release(probe->observable); }

TEST(a_destroy_function_may_release_the_observable) {
    swo_observable *messenger = swo_messenger_new();
    struct probe a = {.name = "a", .at_end = release_the_rest}, b = {.name = "b"};
    observe(messenger, NULL, &a, &b);
    ok(swo_stop(a.observation));
    assert_true(a.destroyed == 1 && b.destroyed == 1);
}

/* ---- contexts that own one another ---- */

struct owner {
    swo_observable *owned;
    struct owner *next;
    int ended, ended_before; /* how many have ended by then */
};
static int all_ended;

static void end_owner(void *context) {
    struct owner *owner = context;
    swo_observable_release(owner->owned);
    owner->ended_before = all_ended;
    owner->ended = ++all_ended;
}

/* Each owns the messenger whose handler's context the next one is. */
static struct owner *new_owners(int count) {
    struct owner *owners = calloc((size_t)count, sizeof *owners);
    for (int i = 0; i < count; i++) {
        owners[i].owned = swo_messenger_new();
        if (i + 1 < count) ok(swo_observe(owners[i].owned, NULL, ignore_message, &owners[i + 1], end_owner, NULL));
    }
    all_ended = 0;
    return owners;
}

TEST(what_a_context_owns_has_ended_when_its_release_returns) {
    struct owner *owners = new_owners(60);
    end_owner(&owners[0]);
    for (int i = 0; i < 60; i++) assert_int_equal(owners[i].ended_before, 59 - i);
    free(owners);
}

TEST(every_context_ends_once_of_those_that_own_one_another) {
    struct owner *owners = new_owners(1000);
    end_owner(&owners[0]);
    assert_int_equal(all_ended, 1000);
    for (int i = 0; i < 1000; i++) assert_true(owners[i].ended > 0);
    free(owners);
}

static jmp_buf before_end;
static void jump_away(void *context) { longjmp(before_end, 1); }

TEST(contexts_end_after_ends_that_were_left_by_a_jump) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 100; i++) {
        swo_observation observation;
        ok(swo_observe(messenger, NULL, ignore_message, NULL, jump_away, &observation));
        if (setjmp(before_end) == 0) swo_stop(observation);
    }
    struct owner *owners = new_owners(200);
    end_owner(&owners[0]);
    assert_int_equal(all_ended, 200);
    free(owners);
}
