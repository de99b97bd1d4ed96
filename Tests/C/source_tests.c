/* SPDX-License-Identifier: MIT */
/* Transforms that are given another source: what stays, what follows, what is still on its way, and what is refused. */
#include "support.h"

static void set_source(swo_observable *transform, swo_observable *source) {
    ok(swo_transform_set_source(transform, source));
}

/* The context is a probe, or NULL. */
MAPPER(times_ten_noted, probe, message) {
    if (probe != NULL) probe_receive(probe, message, NULL);
    GIVE(swo_int64(message->as.int64 * 10));
}

static swo_observable *map(swo_observable *source, struct probe *probe) {
    swo_observable *made;
    ok(swo_map(source, times_ten_noted, probe, probe == NULL ? NULL : probe_destroy, &made));
    return made;
}

/* ---- all of them ---- */

static int somebody;

static swo_observable *make(int which, swo_observable *source) {
    static const swo_value seven = {SWO_KIND_INT64, 0, {.int64 = 7}};
    swo_observable *made = NULL;
    swo_status status = SWO_OK;
    switch (which) {
    case 0: status = swo_map(source, times_ten, NULL, NULL, &made); break;
    case 1: status = swo_filter(source, accept_all, NULL, NULL, &made); break;
    case 2: status = swo_new_values(source, &made); break;
    case 3: status = swo_unwrap(source, &made); break;
    case 4: status = swo_unwrap_or(source, &seven, &made); break;
    case 5: status = swo_select(source, &seven, &made); break;
    case 6: status = swo_from(source, &somebody, &made); break;
    case 7: status = swo_not_from(source, NULL, &made); break;
    case 8: status = swo_with_previous(source, &made); break;
    case 9: status = swo_take(source, 2, &made); break;
    case 10: status = swo_skip(source, 1, &made); break;
    case 11: status = swo_skip_repeats(source, &made); break;
    case 12: status = swo_unique_values(source, &made); break;
    case 13: status = swo_weak(source, &made); break;
    case 14: status = swo_cache(source, NULL, &made); break;
    default: status = swo_replay(source, 2, &made);
    }
    must(status == SWO_OK);
    return made;
}

TEST(every_transform_of_one_source_can_have_another_and_goes_on_as_it_was) { /* Law 22 */
    /* What comes of 7 and 8 from the old source, and 8, 7 and 9 from the new one, all by the same author. */
    static const char *const expected[] = {"70 80 80 70 90",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9",
                                           "null null",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9",
                                           "(null,7) (7,8) (8,8) (8,7) (7,9)",
                                           "7 8",
                                           "8 8 7 9",
                                           "7 8 7 9",
                                           "7 8 9",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9",
                                           "7 8 8 7 9"};
    static const int64_t numbers[] = {7, 8, 8, 7, 9};
    for (int which = 0; which < 16; which++) {
        struct probe a = PROBE("");
        swo_observable *old = swo_messenger_new(), *new = swo_messenger_new(), *made = make(which, old);
        observe(made, NULL, &a);
        for (int i = 0; i < 5; i++) {
            swo_value number = swo_int64(numbers[i]);
            if (i == 2) set_source(made, new);
            ok(swo_send(i < 2 ? old : new, &number, &somebody));
        }
        EXPECT_TRACE(expected[which]);
        RELEASE(made, old, new);
    }
}

TEST(what_remembers_messages_keeps_them) { /* Law 19 */
    struct probe a = PROBE("");
    OWN_OBSERVABLE *old = swo_messenger_new(), *new = swo_messenger_new(), *replaying = make(15, old);
    swo_observe_options options = OPTIONS(.replay = 2);
    send_number(old, 1);
    set_source(replaying, new);
    send_number(new, 2);
    ok(swo_observe_with(replaying, &options, probe_receive, &a, NULL, NULL));
    EXPECT_TRACE("1 2");
}

TEST(it_can_be_without_a_source) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = swo_messenger_new(), *tens = map(one, NULL);
    observe(tens, NULL, &a);
    for (int round = 0; round < 2; round++) {
        set_source(tens, NULL);
        set_source(tens, NULL);
        assert_int_equal(swo_observable_count(one), 0);
        send_number(one, 1);
        EXPECT_TRACE("");
        set_source(tens, one);
        send_number(one, 2);
        EXPECT_TRACE("a20");
    }
}

static void count_call(void *calls) { ++*(long *)calls; }

TEST(the_same_source_is_not_left) {
    long ends = 0;
    OWN_OBSERVABLE *one = swo_messenger_new(), *tens = map(one, NULL);
    ok(swo_observable_on_demand(one, NULL, count_call, &ends, NULL));
    set_source(tens, one);
    assert_int_equal(ends, 0);
    set_source(tens, NULL);
    assert_int_equal(ends, 1);
}

/* ---- what is refused ---- */

TEST(a_transform_cannot_come_from_itself) {
    OWN_OBSERVABLE *source = swo_messenger_new(), *tens = map(source, NULL), *more = map(tens, NULL), *merged, *weak;
    swo_observable *pair[] = {source, more};
    ok(swo_merge(pair, 2, &merged));
    ok(swo_weak(merged, &weak));
    swo_observable *all[] = {tens, more, merged, weak};
    for (int changed = 0; changed < 2; changed++) {
        for (int i = 0; i < 4; i++) assert_int_equal(swo_transform_set_source(tens, all[i]), SWO_INVALID_ARGUMENT);
        struct probe a = {.name = "a"};
        observe(tens, NULL, &a);
        send_number(source, 1);
        assert_int_equal(a.calls, 1);
        ok(swo_stop(a.observation));
        /* The other way round it can. */
        set_source(weak, tens);
        set_source(weak, merged);
        set_source(tens, NULL);
        set_source(tens, source);
    }
}

TEST(a_transform_of_several_sources_has_none_to_be_changed) {
    OWN_OBSERVABLE *variable = number_variable(1), *merged;
    ok(swo_merge(&variable, 1, &merged));
    assert_int_equal(swo_transform_set_source(merged, variable), SWO_WRONG_KIND);
}

/* ---- lifetimes ---- */

TEST(it_keeps_the_new_source_alive_and_the_old_one_not) { /* Law 13 */
    struct probe old_held = {.name = "old"}, new_held = {.name = "new"}, a = {.name = "a"};
    swo_observable *source = swo_messenger_new(), *old = map(source, &old_held), *new = map(source, &new_held);
    OWN_OBSERVABLE *tens = map(old, NULL);
    observe(tens, NULL, &a);
    set_source(tens, new);
    RELEASE(old, new);
    assert_true(old_held.destroyed == 1 && new_held.destroyed == 0);
    send_number(source, 1);
    assert_int_equal(a.calls, 1);
    set_source(tens, NULL);
    assert_int_equal(new_held.destroyed, 1);
    RELEASE(source);
}

TEST(its_own_context_lasts_as_long_as_it_does) { /* Law 12 */
    struct probe held = {.name = "held"};
    swo_observable *source = swo_messenger_new(), *other = swo_messenger_new(), *tens = map(source, &held);
    for (int round = 0; round < 3; round++) {
        set_source(tens, other);
        set_source(tens, NULL);
        set_source(tens, source);
    }
    assert_int_equal(held.destroyed, 0);
    swo_observable_release(tens);
    assert_int_equal(held.destroyed, 1);
    RELEASE(source, other);
}

TEST(what_is_weak_does_not_keep_the_new_one_either) {
    struct probe held = {.name = "held"}, a = {.name = "a"};
    swo_observable *source = swo_messenger_new(), *dying = swo_messenger_new(), *weak = make(13, dying);
    observe(weak, NULL, &a);
    swo_observable_release(dying);
    for (int round = 1; round < 3; round++) {
        held.destroyed = 0;
        swo_observable *next = map(source, &held);
        set_source(weak, next);
        send_number(next, 1);
        assert_int_equal(a.calls, round);
        swo_observable_release(next);
        assert_int_equal(held.destroyed, 1);
    }
    RELEASE(weak, source);
}

/* ---- latest messages ---- */

static void assert_latest(swo_observable *observable, int64_t number) {
    swo_value latest;
    ok(swo_latest(observable, &latest));
    assert_true(latest.kind == SWO_KIND_INT64 && latest.as.int64 == number);
}

TEST(the_latest_message_follows_the_source) { /* Law 20 */
    swo_value latest;
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(2), *messenger = swo_messenger_new();
    swo_observable *values, *tens;
    ok(swo_new_values(one, &values));
    tens = map(values, NULL);
    assert_latest(tens, 10);
    set_source(values, two);
    assert_latest(tens, 20);
    set_number(two, 3);
    assert_latest(tens, 30);
    set_source(values, messenger);
    assert_int_equal(swo_latest(tens, &latest), SWO_WRONG_KIND);
    set_source(values, NULL);
    assert_int_equal(swo_latest(tens, &latest), SWO_WRONG_KIND);
    set_source(values, one);
    assert_latest(tens, 10);
    RELEASE(tens, values);
}

COMBINED_HANDLER(note_all, journal) {
    for (size_t i = 0; i < count; i++) journal_note(journal, "", &messages[i]);
}

TEST(combined_observations_follow_the_source) { /* Law 21 */
    swo_value number = swo_int64(7);
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(2), *messenger = swo_messenger_new(), *values,
                   *cache;
    ok(swo_new_values(one, &values));
    ok(swo_cache(messenger, NULL, &cache));
    swo_observable *pair[] = {values, cache};
    ok(swo_observe_combined(pair, 2, NULL, note_all, &journal, NULL, NULL));
    set_source(values, two);
    ok(swo_send(messenger, &number, NULL));
    EXPECT_TRACE("2 7");
    set_number(two, 3);
    EXPECT_TRACE("3 7");
    set_source(values, NULL);
    assert_int_equal(swo_send(messenger, &number, NULL), SWO_CALLBACK_FAILED);
    EXPECT_TRACE("");
}

/* ---- on the way ---- */

ACTION(change_and_send) {
    swo_observable **both = (void *)probe->observer;
    if (probe->calls > 1) return;
    set_source(both[0], both[1]);
    send_numbers(both[1], 5, 6);
}

TEST(a_mapper_of_the_transform_may_change_the_source) {
    struct probe mapper = PROBE("map", .action = change_and_send), a = PROBE("a");
    swo_observable *old = swo_messenger_new(), *new = swo_messenger_new(), *tens = map(old, &mapper),
                   *both[] = {tens, new};
    mapper.observer = (void *)both;
    observe(tens, NULL, &a);
    send_number(old, 1);
    EXPECT_TRACE("map1 a10 map5 a50 map6 a60");
    RELEASE(tens, old, new);
}

TEST(what_the_old_source_has_sent_comes_first_and_no_thread_waits) { /* Laws 1 and 4 */
    for (int dies = 0; dies < 2; dies++) {
        struct probe mapper = PROBE("map", .action = pass_gate, .gate = gate_new()), a = PROBE("a");
        swo_observable *old = swo_messenger_new(), *new = swo_messenger_new(), *tens = map(old, &mapper);
        observe(tens, NULL, &a);
        pthread_t sending = begin_held(send_one_number, old, mapper.gate);
        mapper.action = NULL;
        set_source(tens, new);
        send_number(new, 2);
        set_source(tens, NULL);
        set_source(tens, new);
        send_number(new, 3);
        EXPECT_TRACE("map1");
        if (dies) swo_observable_release(tens);
        release_held(sending, mapper.gate);
        EXPECT_TRACE(dies ? "" : "a10 map2 a20 map3 a30");
        if (!dies) swo_observable_release(tens);
        assert_true(a.destroyed == 1 && mapper.destroyed == 1);
        RELEASE(old, new);
        gate_free(mapper.gate);
    }
}

/* ---- graphs ---- */

static void note_observable(void *journal, size_t index, const char *kind, const char *name) {
    journal_note(journal, kind, NULL);
}

static void note_observation(void *journal, size_t source, size_t target, swo_observation id, const char *name) {
    must(swo_is_living(id));
    const swo_value from = swo_int64((int64_t)source), to = swo_int64((int64_t)target);
    journal_note(journal, "", &from);
    journal_note(journal, "to", &to);
}

TEST(graphs_show_the_new_source) {
    const swo_graph_visitor visitor = {sizeof visitor, note_observable, note_observation};
    OWN_OBSERVABLE *old = swo_messenger_new(), *new = number_variable(1), *tens = map(old, NULL);
    for (int round = 0; round < 2; round++) {
        set_source(tens, new);
        ok(swo_graph_walk(&tens, 1, &visitor, &journal));
        EXPECT_TRACE("map variable 1 to0");
        ok(swo_graph_walk(&new, 1, &visitor, &journal));
        EXPECT_TRACE("variable map 0 to1");
        set_source(tens, old);
        ok(swo_graph_walk(&old, 1, &visitor, &journal));
        EXPECT_TRACE("messenger map 0 to1");
    }
}

static void note_id_of_transform(void *id, size_t source, size_t target, swo_observation observation,
                                 const char *name) {
    if (target != SIZE_MAX) *(swo_observation *)id = observation;
}

TEST(what_was_stopped_from_outside_can_have_a_source_again) {
    const swo_graph_visitor visitor = {sizeof visitor, NULL, note_id_of_transform};
    struct probe a = {.name = "a"};
    swo_observation observation;
    swo_observable *old = swo_messenger_new(), *new = swo_messenger_new(), *tens = map(old, NULL);
    ok(swo_graph_walk(&tens, 1, &visitor, &observation));
    observe(tens, NULL, &a);
    for (int round = 1; round < 3; round++) {
        ok(swo_stop(observation));
        set_source(tens, new);
        send_number(new, 1);
        assert_int_equal(a.calls, round);
        ok(swo_graph_walk(&new, 1, &visitor, &observation));
        swo_observable *before = old;
        old = new, new = before;
    }
    RELEASE(tens, old, new);
}

/* ---- threads ---- */

static atomic_bool is_over;

TASK(send_until_over, messenger) {
    while (!is_over) send_number(messenger, 1);
}

ACTION(must_be_alone) { must(probe->running == 1); }

TEST(steps_never_overlap_and_nothing_is_lost) { /* Laws 1 and 4 */
    struct probe mapper = {.name = "map", .action = must_be_alone}, a = {.name = "a"};
    swo_observable *sources[] = {swo_messenger_new(), swo_messenger_new(), swo_messenger_new()};
    swo_observable *tens = map(sources[0], &mapper);
    observe(tens, NULL, &a);
    for (long flood = 0; flood < scaled(10); flood++) { /* Each ends before what waits takes gigabytes. */
        is_over = false;
        pthread_t one = begin_thread(send_until_over, sources[0]), other = begin_thread(send_until_over, sources[1]);
        for (int round = 0; round < 300; round++) set_source(tens, sources[round % 2]);
        is_over = true;
        join_threads(one, other);
    }
    set_source(tens, sources[2]);
    long before = a.calls;
    for (int i = 0; i < 10; i++) send_number(sources[2], i);
    assert_int_equal(a.calls, before + 10);
    assert_int_equal(mapper.calls, a.calls);
    RELEASE(tens, sources[0], sources[1], sources[2]);
    assert_int_equal(mapper.destroyed, 1);
}

static struct {
    swo_observable *transforms[2];
    swo_status statuses[2];
    pthread_barrier_t start;
} mutual;

TASK(set_the_other, which) {
    int this = which != NULL;
    pthread_barrier_wait(&mutual.start);
    mutual.statuses[this] = swo_transform_set_source(mutual.transforms[this], mutual.transforms[!this]);
}

TEST(two_threads_make_no_cycle_together) {
    pthread_barrier_init(&mutual.start, NULL, 2);
    for (long round = 0; round < scaled(1000); round++) {
        struct probe a = {.name = "a"};
        swo_observable *source = swo_messenger_new();
        for (int i = 0; i < 2; i++) mutual.transforms[i] = map(source, NULL);
        observe(mutual.transforms[0], NULL, &a);
        run_threads({set_the_other, NULL}, {set_the_other, &mutual});
        must((mutual.statuses[0] == SWO_OK) != (mutual.statuses[1] == SWO_OK));
        must(mutual.statuses[0] + mutual.statuses[1] == SWO_INVALID_ARGUMENT);
        RELEASE(mutual.transforms[0], mutual.transforms[1], source);
        must(a.destroyed == 1);
    }
    pthread_barrier_destroy(&mutual.start);
}

/* ---- what was sent before the change ---- */

static swo_observable *passing(int kind, swo_observable *source) {
    swo_observable *made;
    if (kind == 0) ok(swo_weak(source, &made));
    else made = make(kind == 1 ? 1 : 15, source); /* a filter that accepts all, a replay */
    return made;
}

/* Sends two more, sets the source of the transform, and has the new source send; may go back then and send one more. */
struct change {
    swo_observable *transform, *old, *new;
    bool goes_back, done;
};

HANDLER(send_two_and_change, context) {
    struct change *change = context;
    if (change->done) return;
    change->done = true;
    send_numbers(change->old, 2, 3);
    set_source(change->transform, change->new);
    if (change->new != change->old && change->new != NULL) send_number(change->new, 100);
    if (!change->goes_back) return;
    set_source(change->transform, change->old);
    send_number(change->old, 4);
}

/* Law 4: of what the source before has sent nothing is lost, neither the message that is being delivered nor those that
 * wait, and nothing comes twice. The handler that changes the source observes it before the transform does, or observes
 * the transform. */
static void assert_change(bool goes_back, const char *of_old, const char *of_new, const char *of_none) {
    for (int kind = 0; kind < 3; kind++)
        for (int where = 0; where < 2; where++)
            for (int target = 0; target < 3; target++) {
                struct probe a = PROBE("a");
                swo_observable *old = swo_messenger_new(), *new = swo_messenger_new();
                struct change change = {.old = old, .goes_back = goes_back};
                change.new = target == 0 ? old : target == 1 ? new : NULL;
                if (where == 0) ok(swo_observe(old, NULL, send_two_and_change, &change, NULL, NULL));
                change.transform = passing(kind, old);
                if (where == 1) ok(swo_observe(change.transform, NULL, send_two_and_change, &change, NULL, NULL));
                observe(change.transform, NULL, &a);
                send_number(old, 1);
                EXPECT_TRACE(target == 0 ? of_old : target == 1 ? of_new : of_none);
                send_number(old, 5);
                EXPECT_TRACE(target == 0 || goes_back ? "a5" : "");
                RELEASE(change.transform, old, new);
            }
}

TEST(what_the_source_has_sent_before_it_is_changed_arrives) {
    assert_change(false, "a1 a2 a3", "a1 a2 a3 a100", "a1 a2 a3");
}

TEST(what_the_source_has_sent_before_it_is_changed_and_set_again_arrives_once) {
    assert_change(true, "a1 a2 a3 a4", "a1 a2 a3 a100 a4", "a1 a2 a3 a4");
}

/* ---- where no order is kept, threads that leave a source and come back ---- */

static struct leaves {
    swo_observable *transform, *source, *other;
    atomic_bool over;
    int64_t last;
    long repeated;
} leaves;

TASK(leave_and_return, unused) {
    for (long round = 0; !leaves.over; round++) set_source(leaves.transform, round % 2 ? leaves.source : leaves.other);
}

TASK(send_ascending, unused) {
    for (int64_t number = 1; number <= scaled(200000); number++) send_number(leaves.source, number);
    leaves.over = true;
}

/* What comes through a transform comes one at a time. */
HANDLER(note_repeated, unused) {
    if (message->as.int64 <= leaves.last) leaves.repeated++;
    leaves.last = message->as.int64;
}

TEST(no_message_comes_twice_where_threads_leave_an_unordered_source_and_come_back_at_once) { /* Law 4 */
    leaves = (struct leaves){.source = swo_messenger_new(), .other = swo_messenger_new()};
    ok(swo_observable_set_ordered(leaves.source, false));
    leaves.transform = passing(1, leaves.source);
    ok(swo_observe(leaves.transform, NULL, note_repeated, NULL, NULL, NULL));
    run_threads({send_ascending, NULL}, {leave_and_return, NULL}, {leave_and_return, NULL});
    assert_int_equal(leaves.repeated, 0);
    set_source(leaves.transform, leaves.source);
    send_number(leaves.source, leaves.last + 1);
    send_number(leaves.source, leaves.last + 1);
    assert_int_equal(leaves.repeated, 0);
    RELEASE(leaves.transform, leaves.source, leaves.other);
}

/* ---- what the new source had to wait with ---- */

struct leaving {
    swo_observable *transform, *old, *new;
};

HANDLER(leave_twice, context) {
    const struct leaving *leaving = context;
    if (message->as.int64 != 1) return;
    send_number(leaving->old, 2);
    set_source(leaving->transform, NULL);
    set_source(leaving->transform, leaving->new);
    send_number(leaving->new, 100);
}

HANDLER(send_to_old, context) {
    const struct leaving *leaving = context;
    if (message->as.int64 != 100) return;
    send_number(leaving->old, 3);
    send_number(leaving->new, 101);
}

/* The new source's message comes after the old one's last, in that one's turn, when nothing else waits there: so what
 * is sent to it then does not wait, however many sources the transform was given meanwhile. */
TEST(a_source_that_was_left_has_nothing_more_in_line_when_the_next_one_begins) { /* Law 3 */
    struct probe a = PROBE("a"), old = PROBE("old");
    struct leaving leaving = {.old = swo_messenger_new(), .new = swo_messenger_new()};
    ok(swo_observe(leaving.old, NULL, leave_twice, &leaving, NULL, NULL));
    leaving.transform = passing(1, leaving.old);
    ok(swo_observe(leaving.transform, NULL, send_to_old, &leaving, NULL, NULL));
    observe(leaving.transform, NULL, &a);
    observe(leaving.old, NULL, &old);
    send_number(leaving.old, 1);
    EXPECT_TRACE("a1 old1 a2 old2 old3 a100 a101");
    RELEASE(leaving.transform, leaving.old, leaving.new);
}

ACTION(change_the_source_and_interrupt) {
    ok(swo_transform_set_source(probe->other->observable, probe->other->other->observable));
    swo_observable_interrupt(probe->observable);
}

/* The end of the old source stands in its line, which waits for the next send; what the new one sends waits for that.
 */
TEST(a_transform_that_has_died_passes_nothing_on_that_waited_for_the_end_of_its_old_source) {
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    swo_observable *map;
    ok(swo_map(first, map_to_same, NULL, NULL, &map));
    struct probe a = PROBE("a"), of_second = {.observable = second}, of_map = {.observable = map, .other = &of_second};
    struct probe changing = {.action = change_the_source_and_interrupt, .observable = first, .other = &of_map};
    observe(first, NULL, &changing);
    observe(map, NULL, &a);
    send_number(first, 1);
    EXPECT_TRACE("a1");
    send_number(second, 2);
    swo_observable_release(map);
    EXPECT_TRACE("");
    ok(swo_stop(changing.observation));
    send_numbers(first, 3);
    EXPECT_TRACE("");
}
