/* SPDX-License-Identifier: MIT */
/* Variables that defer their assignments: what can be read when, and what is sent. */
#include "support.h"

static void note_number(struct probe *probe) {
    char text[32];
    snprintf(text, sizeof text, "[%lld]", (long long)number_of(probe->observable));
    journal_note(probe->journal, text, NULL);
}

ACTION(send_again_and_set) {
    if (message->as.update->new_value.as.int64 == 1 && message->as.update->old_value.as.int64 == 0) {
        set_number(probe->observable, 2);
        ok(swo_send_latest(probe->observable, NULL));
    }
    note_number(probe);
}

TEST(a_message_takes_its_turn_among_the_assignments) {
    struct probe a = PROBE("a", .action = send_again_and_set);
    OWN_OBSERVABLE *variable = deferred_variable(0);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    EXPECT_TRACE("a(0,1) [1] a(1,2) [2] a(1,1) [2]");
}

MAPPER(keep, context, old_value) {
    *out = *old_value;
    return SWO_OK;
}

TEST(it_cannot_be_updated) {
    OWN_OBSERVABLE *variable = deferred_variable(0);
    assert_int_equal(swo_variable_update(variable, keep, NULL, NULL), SWO_WRONG_KIND);
}

TEST(a_bad_value_is_refused_when_it_is_set) {
    swo_value broken = swo_text("\xFF"), update = swo_null();
    update.kind = SWO_KIND_UPDATE;
    OWN_OBSERVABLE *variable = deferred_variable(0);
    assert_int_equal(swo_variable_set(variable, &broken, NULL), SWO_INVALID_TEXT);
    assert_int_equal(swo_variable_set(variable, &update, NULL), SWO_WRONG_KIND);
    assert_int_equal(number_of(variable), 0);
}

ACTION(set_and_note) {
    if (number_of(probe->observable) < 9) set_number(probe->observable, 9);
    note_number(probe);
}

TEST(what_is_set_while_a_batch_is_delivered_waits_for_its_turn) {
    struct probe a = PROBE("a", .action = set_and_note);
    OWN_OBSERVABLE *variable = deferred_variable(0);
    observe(variable, NULL, &a);
    ok(swo_variable_begin_batch(variable));
    set_numbers(variable, 1, 2);
    assert_int_equal(number_of(variable), 2);
    ok(swo_variable_end_batch(variable));
    EXPECT_TRACE("a(0,2) [2] a(2,9) [9]");
    assert_int_equal(swo_variable_end_batch(variable), SWO_NOT_FOUND);
}

ACTION(set_three_in_a_batch) {
    if (message->as.update->new_value.as.int64 == 1) {
        set_number(probe->observable, 2);
        ok(swo_variable_begin_batch(probe->observable));
        set_numbers(probe->observable, 3, 4);
        ok(swo_variable_end_batch(probe->observable));
        must(swo_variable_end_batch(probe->observable) == SWO_NOT_FOUND);
        set_number(probe->observable, 5);
    }
    note_number(probe);
}

TEST(a_batch_takes_its_turn_with_what_is_set_in_it) {
    struct probe a = PROBE("a", .action = set_three_in_a_batch);
    OWN_OBSERVABLE *variable = deferred_variable(0);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    EXPECT_TRACE("a(0,1) [1] a(1,2) [2] a(2,4) [4] a(4,5) [5]");
}

TEST(what_is_set_while_a_replay_is_received_waits_for_its_turn) {
    struct probe a = PROBE("a", .action = set_and_note);
    swo_observe_options latest = SWO_OBSERVE_OPTIONS_INIT;
    OWN_OBSERVABLE *variable = deferred_variable(1);
    latest.replay = 1;
    a.observable = variable;
    ok(swo_observe_with(variable, &latest, probe_receive, &a, probe_destroy, NULL));
    EXPECT_TRACE("a(1,1) [1] a(1,9) [9]");
}

THREAD(set_many, variable) {
    for (int64_t i = 1; i <= scaled(5000); i++) set_number(variable, i);
    return NULL;
}

static int64_t last;

HANDLER(follow, variable) {
    const swo_update *update = message->as.update;
    /* The chain has no gap, and nobody sets the value before all have handled it. */
    must(update->old_value.as.int64 == last);
    last = update->new_value.as.int64;
    must(number_of(variable) == last);
}

TEST(threads_that_set_it_wait_their_turn) { /* Law 4 */
    OWN_OBSERVABLE *variable = deferred_variable(0);
    last = 0;
    ok(swo_observe(variable, NULL, follow, variable, NULL, NULL));
    pthread_t one = begin_thread(set_many, variable), other = begin_thread(set_many, variable);
    join_threads(one, other);
    assert_int_equal(number_of(variable), last);
}

ACTION(begin_with_replay_and_stop) {
    swo_observe_options latest = SWO_OBSERVE_OPTIONS_INIT;
    latest.replay = 1;
    swo_observation observation;
    ok(swo_observe_with(probe->observable, &latest, probe_receive, probe->other, probe_destroy, &observation));
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

static atomic_long begun, ended;

static void note_end(void *unused) { ended++; }
HANDLER(take_it, unused) { must(message->kind == SWO_KIND_UPDATE); }

THREAD(come_and_go_without_order, variable) {
    swo_observe_options latest = SWO_OBSERVE_OPTIONS_INIT;
    latest.replay = 1;
    for (long i = 0; i < scaled(2000); i++) {
        swo_observation observation;
        begun++;
        ok(swo_observe_with(variable, &latest, take_it, NULL, note_end, &observation));
        ok(swo_observable_set_ordered(variable, i % 2 == 0));
        ok(swo_stop(observation));
    }
    return NULL;
}

TEST(replays_take_their_turn_while_order_comes_and_goes) { /* Laws 5 and 12 */
    swo_observable *variable = deferred_variable(0);
    begun = ended = 0;
    pthread_t threads[] = {begin_thread(set_many, variable), begin_thread(come_and_go_without_order, variable),
                           begin_thread(come_and_go_without_order, variable)};
    for (int i = 0; i < 3; i++) join_thread(threads[i]);
    swo_observable_release(variable);
    assert_int_equal(ended, begun);
}

THREAD(set_in_batches, variable) {
    for (int64_t i = 1; i <= scaled(2000); i++) {
        ok(swo_variable_begin_batch(variable));
        set_numbers(variable, -i, i % 7);
        ok(swo_variable_end_batch(variable));
    }
    return NULL;
}

THREAD(come_and_go, variable) {
    swo_observe_options latest = SWO_OBSERVE_OPTIONS_INIT;
    latest.replay = 1;
    for (long i = 0; i < scaled(2000); i++) {
        swo_observation observation;
        ok(swo_observe_with(variable, &latest, take_it, NULL, NULL, &observation));
        ok(swo_stop_and_wait(observation));
    }
    return NULL;
}

TEST(batches_and_replays_of_many_threads_leave_the_chain_whole) { /* Law 4 */
    OWN_OBSERVABLE *variable = deferred_variable(0);
    last = 0;
    ok(swo_observe(variable, NULL, follow, variable, NULL, NULL));
    pthread_t threads[] = {begin_thread(set_many, variable), begin_thread(set_in_batches, variable),
                           begin_thread(set_in_batches, variable), begin_thread(come_and_go, variable)};
    for (int i = 0; i < 4; i++) join_thread(threads[i]);
    assert_int_equal(number_of(variable), last);
    assert_int_equal(swo_variable_end_batch(variable), SWO_NOT_FOUND);
}

/* ---- what comes between an assignment that waits and its turn ---- */

static void begin_with_replay(struct probe *probe, struct probe *late) {
    swo_observe_options latest = SWO_OBSERVE_OPTIONS_INIT;
    latest.replay = 1;
    ok(swo_observe_with(probe->observable, &latest, probe_receive, late, NULL, NULL));
}

/* `number` of the first: whether it stops itself. Its `other` begins. */
ACTION(set_two_and_begin) {
    if (probe->calls > 1) return;
    if (probe->number & 1) ok(swo_stop(probe->observation));
    set_number(probe->observable, 2);
    if (probe->number & 2) begin_with_replay(probe, probe->other);
}

ACTION(begin_other) {
    if (probe->calls == 1 && probe->other != NULL) begin_with_replay(probe, probe->other);
}

/* Laws 3 and 19 */
TEST(a_replay_does_not_overtake_an_assignment_that_waits) {
    static const char *const expected[] = {"a(0,1) b(0,1) a(1,2) b(1,2) late(2,2)", "a(0,1) b(0,1) b(1,2) late(2,2)"};
    for (int where = 0; where < 2; where++)
        for (int stops = 0; stops < 2; stops++) {
            struct probe late = PROBE("late"), a = PROBE("a", .action = set_two_and_begin, .other = &late),
                         b = PROBE("b", .action = begin_other);
            a.number = stops + (where == 0 ? 2 : 0);
            if (where == 1) b.other = &late;
            swo_observable *variable = deferred_variable(0);
            observe(variable, NULL, &a, &b);
            set_number(variable, 1);
            EXPECT_TRACE(expected[stops]);
            swo_observable_release(variable);
        }
}

ACTION(send_and_block) {
    swo_update update = {swo_int64(1), swo_int64(2)};
    swo_value sent = swo_update_value(&update);
    if (probe->calls > 1) return;
    if (probe->number == 0) ok(swo_send_latest(probe->observable, NULL));
    if (probe->number == 1) ok(swo_send(probe->observable, &sent, NULL));
    if (probe->number == 2) set_number(probe->observable, 2);
    ok(swo_observable_block(probe->observable));
}

/* As of any observable: a block drops what is sent while it lasts, and nothing that was sent before. */
TEST(what_was_sent_before_a_block_arrives) {
    for (int deferred = 0; deferred < 2; deferred++)
        for (int way = 0; way < 3; way++) {
            struct probe a = PROBE("a", .action = send_and_block, .number = way);
            swo_observable *variable = deferred ? deferred_variable(0) : number_variable(0);
            observe(variable, NULL, &a);
            set_numbers(variable, 1, 7);
            EXPECT_TRACE(way == 0 ? "a(0,1) a(1,1)" : "a(0,1) a(1,2)");
            swo_observable_release(variable);
        }
}
