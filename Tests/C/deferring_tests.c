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

/* ---- without order ---- */

static swo_observable *interfering;
static long interferences;
static bool set_meanwhile(void *one, void *other);
static const swo_object_type interfering_type = {sizeof interfering_type, NULL, NULL, set_meanwhile};

static bool set_meanwhile(void *one, void *other) {
    if (interferences-- == 1) ok(swo_variable_set(interfering, VALUE(swo_object(other, &interfering_type)), NULL));
    return one == other;
}

HANDLER(must_differ, calls) {
    ++*(long *)calls;
    must(message->as.update->old_value.as.object.pointer != message->as.update->new_value.as.object.pointer);
}

/* Laws 5 and 16: what is compared with is what the new value takes the place of. */
TEST(what_another_set_meanwhile_is_compared_with_again) {
    long calls = 0;
    char one, other;
    OWN_OBSERVABLE *variable;
    ok(swo_deferred_variable_new(VALUE(swo_object(&one, &interfering_type)), &variable));
    ok(swo_observable_set_ordered(variable, false));
    ok(swo_observe(variable, NULL, must_differ, &calls, NULL, NULL));
    interfering = variable;
    interferences = 1;
    ok(swo_variable_set(variable, VALUE(swo_object(&other, &interfering_type)), NULL));
    assert_int_equal(calls, 1);
}

enum { NUMBERS = 300000 };
static struct {
    swo_observable *variable;
    atomic_long next;
    atomic_char begins[NUMBERS], ends[NUMBERS];
    atomic_long begun, ended;
} books;

/* No number is set twice: each begins one update at most, and ends one at most. */
HANDLER(enter_into_books, unused) {
    const swo_update *update = message->as.update;
    must(books.begins[update->old_value.as.int64]++ == 0);
    must(books.ends[update->new_value.as.int64]++ == 0);
}

static bool set_next(void) {
    long number = ++books.next;
    if (number >= scaled(NUMBERS)) return false;
    set_number(books.variable, number);
    return true;
}

TASK(set_numbers_until_there_are_none, unused) {
    while (set_next()) {}
}

TASK(set_numbers_in_batches, unused) {
    bool any = true;
    while (any) {
        ok(swo_variable_begin_batch(books.variable));
        any = set_next() && set_next();
        ok(swo_variable_end_batch(books.variable));
    }
}

/* Laws 5 and 17 */
TEST(without_order_batches_and_what_is_set_beside_them_share_no_value) {
    memset(&books, 0, sizeof books);
    OWN_OBSERVABLE *variable = deferred_variable(0);
    books.variable = variable;
    ok(swo_observable_set_ordered(variable, false));
    ok(swo_observe(variable, NULL, enter_into_books, NULL, NULL, NULL));
    run_threads({set_numbers_until_there_are_none, NULL}, {set_numbers_in_batches, NULL});
}

TASK(begin_many, count) {
    for (long i = 0; i < *(long *)count; i++) ok(swo_variable_begin_batch(books.variable));
}

TASK(end_as_many, count) {
    for (long ended = 0; ended < *(long *)count;)
        if (swo_variable_end_batch(books.variable) == SWO_OK) ended++;
}

/* The batch belongs to the variable: another thread may end it as soon as it has begun. */
TEST(a_batch_that_another_thread_ends_at_once_is_over) {
    for (int round = 0; round < 2; round++) {
        struct probe a = {.name = "a"};
        long count = scaled(100000);
        OWN_OBSERVABLE *variable = deferred_variable(0);
        books.variable = variable;
        ok(swo_observable_set_ordered(variable, round == 0));
        observe(variable, NULL, &a);
        run_threads({begin_many, &count}, {end_as_many, &count});
        assert_int_equal(swo_variable_end_batch(variable), SWO_NOT_FOUND);
        set_number(variable, 1);
        assert_int_equal(a.calls, 1);
    }
}
