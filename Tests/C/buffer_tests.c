/* SPDX-License-Identifier: MIT */
/* Buffered observables (law 20), and combined observation (law 21). */
#include "support.h"

PREDICATE(is_even, context) { return message->as.int64 % 2 == 0; }

/* The latest message of an observable as a journal has it. */
static void assert_latest(swo_observable *observable, const char *expected) {
    struct journal journal = {0};
    swo_value latest;
    ok(swo_latest(observable, &latest));
    journal_note(&journal, "", &latest);
    swo_value_clear(&latest);
    EXPECT_TRACE(expected);
}

static swo_observable *text_variable(const char *text) {
    swo_observable *variable;
    ok(swo_variable_new(VALUE(swo_text(text)), &variable));
    return variable;
}

TEST(a_failing_mapper_has_no_latest_message) {
    swo_observable *variable = number_variable(1), *map;
    swo_value latest = swo_int64(99);
    ok(swo_map(variable, always_fail, NULL, NULL, &map));
    assert_int_equal(swo_latest(map, &latest), SWO_CALLBACK_FAILED);
    assert_int_equal(swo_send_latest(map, NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(latest.as.int64, 99);
    /* The next send of the source has nothing to do with that. */
    swo_observable_release(map);
    set_number(variable, 2);
    swo_observable_release(variable);
}

TEST(what_may_pass_nothing_on_is_not_buffered) {
    swo_value one = swo_int64(1), latest;
    swo_observable *variable = number_variable(1), *made[11];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_filter(variable, is_even, NULL, NULL, &made[0]));
    ok(swo_unwrap(variable, &made[1]));
    ok(swo_select(variable, &one, &made[2]));
    ok(swo_from(variable, NULL, &made[3]));
    ok(swo_take(variable, 1, &made[4]));
    ok(swo_skip_repeats(variable, &made[5]));
    ok(swo_with_previous(variable, &made[6]));
    ok(swo_merge(&variable, 1, &made[7]));
    ok(swo_weak(variable, &made[8]));
    ok(swo_replay(variable, 1, &made[9]));
    ok(swo_new_values(messenger, &made[10]));
    set_number(variable, 2); /* what has passed makes no difference */
    assert_int_equal(swo_latest(messenger, &latest), SWO_WRONG_KIND);
    for (int i = 0; i < 11; i++) {
        assert_int_equal(swo_latest(made[i], &latest), SWO_WRONG_KIND);
        assert_int_equal(swo_send_latest(made[i], NULL), SWO_WRONG_KIND);
        swo_observable_release(made[i]);
    }
    swo_observable_release(variable);
}

TEST(a_cache_remembers_the_latest_message) {
    struct probe a = PROBE("a");
    char letters[] = "none";
    swo_value initial = swo_text(letters), message = swo_text("sent");
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *cache;
    ok(swo_cache(messenger, &initial, &cache));
    memset(letters, 'x', 4);
    assert_latest(cache, "none");
    observe(cache, NULL, &a);
    ok(swo_send(messenger, &message, NULL));
    assert_latest(cache, "sent");
    assert_ptr_equal(a.author, messenger);
    EXPECT_TRACE("asent");
}

TEST(a_cache_of_nothing_is_null_and_of_updates_an_update) {
    swo_update update = {swo_text("a"), swo_text("b")};
    OWN_OBSERVABLE *variable = number_variable(1), *cache, *other;
    ok(swo_cache(variable, NULL, &cache));
    ok(swo_cache(variable, VALUE(swo_update_value(&update)), &other));
    assert_latest(cache, "null");
    assert_latest(other, "(a,b)");
    set_number(variable, 2);
    assert_latest(cache, "(1,2)");
}

/* ---- combined observation ---- */

struct combined {
    struct journal journal;
    const void *author;
    long calls, destroyed;
    swo_observation id;
    swo_observable *other;
};

COMBINED_HANDLER(receive, context) {
    struct combined *combined = context;
    must(combined->destroyed == 0);
    combined->calls++;
    combined->author = author;
    for (size_t i = 0; i < count; i++) journal_note(&combined->journal, "", &messages[i]);
}

static void note_destroy(void *context) { must(((struct combined *)context)->destroyed++ == 0); }

static void combine(struct combined *combined, swo_observable **observables, size_t count, swo_observer *observer) {
    ok(swo_observe_combined(observables, count, observer, receive, combined, note_destroy, &combined->id));
}

TEST(when_one_sends_the_others_are_fetched) { /* Law 21 */
    struct combined both = {0};
    int author = 0;
    swo_value four = swo_int64(4);
    swo_observable *observables[3] = {number_variable(1), text_variable("a")};
    ok(swo_new_values(observables[0], &observables[2]));
    combine(&both, observables, 2, NULL);
    set_number(observables[0], 2);
    assert_ptr_equal(both.author, observables[0]);
    assert_journal(&both.journal, "(1,2) (a,a)");
    swo_value b = swo_text("b");
    ok(swo_variable_set(observables[1], &b, &author));
    assert_ptr_equal(both.author, &author);
    assert_journal(&both.journal, "(2,2) (a,b)");
    ok(swo_stop(both.id));
    assert_int_equal(both.destroyed, 1);

    struct combined all = {0};
    combine(&all, observables, 3, NULL);
    ok(swo_variable_set(observables[0], &four, NULL));
    /* The transform sends first, because it began first. */
    assert_journal(&all.journal, "(4,4) (b,b) 4 (2,4) (b,b) 4");
    for (int i = 0; i < 3; i++) swo_observable_release(observables[i]);
    assert_int_equal(all.destroyed, 1);
}

TASK(set_many, variable) {
    for (long i = 0; i < scaled(5000); i++) set_number(variable, i + 10);
}

COMBINED_HANDLER(count_alone, context) {
    struct combined *combined = context;
    must(combined->destroyed == 0);
    must(count == 2 && messages[0].kind == SWO_KIND_UPDATE && messages[1].kind == SWO_KIND_UPDATE && author != NULL);
    must(++*(atomic_int *)combined->other == 1);
    combined->calls++;
    must(--*(atomic_int *)combined->other == 0);
}

TEST(its_handler_is_called_on_one_thread_at_a_time_and_misses_nothing) { /* Law 4 */
    atomic_int inside = 0;
    swo_observable *observables[2] = {number_variable(1), number_variable(2)};
    struct combined both = {.other = (swo_observable *)&inside};
    ok(swo_observe_combined(observables, 2, NULL, count_alone, &both, note_destroy, &both.id));
    run_threads({set_many, observables[0]}, {set_many, observables[1]});
    ok(swo_stop_and_wait(both.id));
    assert_int_equal(both.calls, 2 * scaled(5000));
    assert_int_equal(both.destroyed, 1);
    for (int i = 0; i < 2; i++) swo_observable_release(observables[i]);
}

TEST(it_may_lose_all_its_observables_at_once) {
    for (long round = 0; round < scaled(500); round++) {
        struct combined both = {0};
        swo_observable *observables[2] = {number_variable(1), number_variable(2)};
        combine(&both, observables, 2, NULL);
        run_threads({release_on_thread, observables[0]}, {release_on_thread, observables[1]});
        assert_int_equal(both.destroyed, 1);
    }
}

TEST(a_latest_message_that_cannot_be_fetched_fails_the_send) {
    struct combined both = {0};
    swo_observable *observables[2] = {number_variable(1)}, *variable = number_variable(2);
    ok(swo_map(variable, always_fail, NULL, NULL, &observables[1]));
    combine(&both, observables, 2, NULL);
    assert_int_equal(swo_variable_set(observables[0], VALUE(swo_int64(3)), NULL), SWO_CALLBACK_FAILED);
    assert_int_equal(both.calls, 0);
    for (int i = 0; i < 2; i++) swo_observable_release(observables[i]);
    swo_observable_release(variable);
}

/* ---- what is sent once more, beside others that set ---- */

static struct {
    swo_observable *variable, *observed;
    int64_t last;
} row;

TASK(set_one_after_the_other, unused) {
    for (int64_t n = 1; n <= scaled(20000); n++) ok(swo_variable_set(row.variable, VALUE(swo_int64(n)), NULL));
}

TASK(send_latest_all_the_time, unused) {
    for (int64_t n = 1; n <= scaled(20000); n++) ok(swo_send_latest(row.observed, NULL));
}

HANDLER(expect_to_go_on, unused) {
    must(message->as.update->old_value.as.int64 == row.last);
    row.last = message->as.update->new_value.as.int64;
}

static swo_status read_variable(void *unused, swo_value *out) { return swo_variable_get(row.variable, out); }

static void expect_a_row(swo_observable *variable, swo_observable *observed) {
    row.variable = variable, row.observed = observed, row.last = 0;
    ok(swo_observe(observed, NULL, expect_to_go_on, NULL, NULL, NULL));
    run_threads({set_one_after_the_other, NULL}, {send_latest_all_the_time, NULL}, {send_latest_all_the_time, NULL});
    assert_int_equal(row.last, scaled(20000));
    swo_observable_release(observed);
    if (observed != variable) swo_observable_release(variable);
}

/* Law 32: so the last one tells what the value is. */
TEST(each_update_begins_where_the_one_before_ended_also_if_threads_send_the_latest_message) {
    swo_observable *variable = number_variable(0), *deferred = deferred_variable(0), *source = number_variable(0);
    swo_observable *derived;
    expect_a_row(variable, variable);
    expect_a_row(deferred, deferred);
    ok(swo_derived_new(read_variable, NULL, NULL, &derived));
    expect_a_row(source, derived);
}

/* ---- replays that begin during a delivery ---- */

static atomic_long many_calls;

HANDLER(count_call, unused) { many_calls++; }

/* `number` of the probe: 0 they stay, 1 each is stopped at once. */
ACTION(begin_many) {
    if (probe->calls > 1) return;
    for (long i = 0; i < scaled(1000000); i++) {
        swo_observation observation;
        ok(swo_observe_with(probe->observable, WITH(.replay = 1), count_call, NULL, NULL, &observation));
        if (probe->number == 1) ok(swo_stop(observation));
    }
}

/* Law 14: each takes the same time, however many there are. If each took the time of all those before it, this would go
 * on for an hour. */
TEST(a_million_replays_can_begin_in_one_delivery) {
    for (int stopped = 0; stopped < 2; stopped++) {
        struct probe a = {.name = "a", .action = begin_many, .number = stopped};
        swo_observable *variable = number_variable(0);
        many_calls = 0;
        observe(variable, NULL, &a);
        set_number(variable, 1);
        assert_int_equal(many_calls, stopped ? 0 : scaled(1000000));
        swo_observable_release(variable);
    }
}
