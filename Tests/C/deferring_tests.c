/* SPDX-License-Identifier: MIT */
/* Variables that defer their assignments: what can be read when, and what is sent. */
#include "support.h"

TEST(it_cannot_be_updated) {
    OWN_OBSERVABLE *variable = deferred_variable(0);
    assert_int_equal(swo_variable_update(variable, map_to_same, NULL, NULL), SWO_WRONG_KIND);
}

TEST(a_bad_value_is_refused_when_it_is_set) {
    swo_value broken = swo_text("\xFF"), update = swo_null();
    update.kind = SWO_KIND_UPDATE;
    OWN_OBSERVABLE *variable = deferred_variable(0);
    assert_int_equal(swo_variable_set(variable, &broken, NULL), SWO_INVALID_TEXT);
    assert_int_equal(swo_variable_set(variable, &update, NULL), SWO_WRONG_KIND);
    assert_int_equal(number_of(variable), 0);
}

TASK(set_many, variable) {
    for (int64_t i = 1; i <= scaled(5000); i++) set_number(variable, i);
}

static int64_t last;

HANDLER(follow, variable) {
    const swo_update *update = message->as.update;
    /* The chain has no gap, and the value is not set before all have handled it. */
    must(update->old_value.as.int64 == last);
    last = update->new_value.as.int64;
    must(number_of(variable) == last);
}

TEST(threads_that_set_it_wait_their_turn) { /* Law 4 */
    OWN_OBSERVABLE *variable = deferred_variable(0);
    last = 0;
    ok(swo_observe(variable, NULL, follow, variable, NULL, NULL));
    run_threads({set_many, variable}, {set_many, variable});
    assert_int_equal(number_of(variable), last);
}

ACTION(begin_with_replay_and_stop) {
    swo_observation observation;
    ok(swo_observe_with(probe->observable, WITH(.replay = 1), probe_receive, probe->other, probe_destroy,
                        &observation));
    must(swo_is_living(observation));
    ok(swo_stop(observation));
}

TEST(what_is_stopped_before_its_replay_had_its_turn_receives_none) { /* Laws 7 and 12 */
    struct probe b = {.name = "b"}, a = {.name = "a", .action = begin_with_replay_and_stop, .other = &b};
    OWN_OBSERVABLE *variable = deferred_variable(0);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    assert_int_equal(b.calls, 0);
    assert_int_equal(b.destroyed, 1);
}

HANDLER(take_it, unused) { must(message->kind == SWO_KIND_UPDATE); }

ACTION(begin_others_and_look) {
    if (probe->calls > 1) return;
    for (int i = 0; i < 10; i++) ok(swo_observe(probe->observable, NULL, take_it, NULL, NULL, NULL));
    number_of(probe->observable);
}

/* A delivery may still be at the handlers that have moved. Their old place is freed at its end: the address sanitizer
 * looks. */
TEST(handlers_that_move_in_a_delivery_without_order_leave_nothing_though_the_value_is_read) { /* Law 5 */
    struct probe a = {.name = "a", .action = begin_others_and_look};
    OWN_OBSERVABLE *variable = deferred_variable(0);
    ok(swo_observable_set_ordered(variable, false));
    observe(variable, NULL, &a);
    set_numbers(variable, 1, 2);
    assert_int_equal(a.calls, 2);
}

static atomic_long begun, ended;

static void note_end(void *unused) { ended++; }

TASK(come_and_go_without_order, variable) {
    for (long i = 0; i < scaled(2000); i++) {
        swo_observation observation;
        begun++;
        ok(swo_observe_with(variable, WITH(.replay = 1), take_it, NULL, note_end, &observation));
        ok(swo_observable_set_ordered(variable, i % 2 == 0));
        ok(swo_stop(observation));
    }
}

TEST(replays_take_their_turn_while_order_comes_and_goes) { /* Laws 5 and 12 */
    swo_observable *variable = deferred_variable(0);
    begun = ended = 0;
    run_threads({set_many, variable}, {come_and_go_without_order, variable}, {come_and_go_without_order, variable});
    swo_observable_release(variable);
    assert_int_equal(ended, begun);
}

TASK(set_in_batches, variable) {
    for (int64_t i = 1; i <= scaled(2000); i++) {
        ok(swo_variable_begin_batch(variable));
        set_numbers(variable, -i, i % 7);
        ok(swo_variable_end_batch(variable));
    }
}

TASK(come_and_go, variable) {
    for (long i = 0; i < scaled(2000); i++) {
        swo_observation observation;
        ok(swo_observe_with(variable, WITH(.replay = 1), take_it, NULL, NULL, &observation));
        ok(swo_stop_and_wait(observation));
    }
}

TEST(batches_and_replays_of_many_threads_leave_the_chain_whole) { /* Law 4 */
    OWN_OBSERVABLE *variable = deferred_variable(0);
    last = 0;
    ok(swo_observe(variable, NULL, follow, variable, NULL, NULL));
    run_threads({set_many, variable}, {set_in_batches, variable}, {set_in_batches, variable}, {come_and_go, variable});
    assert_int_equal(number_of(variable), last);
    assert_int_equal(swo_variable_end_batch(variable), SWO_NOT_FOUND);
}

ACTION(end_batch_and_block) {
    if (probe->calls > 1) return;
    ok(swo_variable_end_batch(probe->observable));
    ok(swo_observable_block(probe->observable));
}

/* Found by the fuzzer, seed 614. */
TEST(the_update_of_a_batch_that_ended_before_a_block_arrives) {
    struct probe a = PROBE("a", .action = end_batch_and_block);
    OWN_OBSERVABLE *variable = deferred_variable(0);
    observe(variable, NULL, &a);
    ok(swo_variable_begin_batch(variable));
    set_number(variable, 1);
    const swo_update nothing = {swo_int64(0), swo_int64(0)};
    ok(swo_send(variable, VALUE(swo_update_value(&nothing)), NULL));
    EXPECT_TRACE("a(0,0) a(0,1)");
}
