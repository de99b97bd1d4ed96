/* SPDX-License-Identifier: MIT */
/* Laws 36 and 37: what waits for time, with a clock that the tests turn by hand. */
#include "support.h"

#define OWN_CLOCK __attribute__((cleanup(drop_clock))) swo_clock
static inline void drop_clock(swo_clock **hand) { swo_clock_release(*hand); }

static swo_clock *hand;
static swo_observable *source;
void set_up(void) {
    hand = swo_clock_new();
    source = swo_messenger_new();
}
void tear_down(void) {
    assert_int_equal(swo_clock_waiting(hand), 0);
    swo_observable_release(source);
    swo_clock_release(hand);
}

static void advance(int64_t interval) { ok(swo_clock_advance(hand, interval)); }

/** Acts out marbles: a digit is sent, and each character takes one unit of time. */
static void act(const char *marbles) {
    for (; *marbles != 0; marbles++) {
        if (*marbles >= '0' && *marbles <= '9') send_number(source, *marbles - '0');
        advance(1);
    }
}

static swo_observable *debounced(int64_t interval) {
    swo_observable *made;
    ok(swo_debounce(source, interval, hand, &made));
    return made;
}

static swo_observable *throttled(int64_t interval, int32_t which) {
    swo_observable *made;
    ok(swo_throttle(source, interval, which, hand, &made));
    return made;
}

static swo_observable *delayed(int64_t interval) {
    swo_observable *made;
    ok(swo_delay(source, interval, hand, &made));
    return made;
}

static swo_observable *timed_out(int64_t interval) {
    swo_observable *made;
    ok(swo_timeout(source, interval, VALUE(swo_int64(-1)), hand, &made));
    return made;
}

static swo_observable *buffered(size_t count, int64_t interval) {
    swo_observable *made;
    ok(swo_buffer(source, count, interval, hand, &made));
    return made;
}

static swo_observable *ticking(int64_t interval) {
    swo_observable *made;
    ok(swo_ticks(interval, hand, &made));
    return made;
}

/* ---- what each passes on, and when ---- */

/** Notes when something comes. */
ACTION(note_time) {
    char time[32];
    snprintf(time, sizeof time, "@%ld", (long)swo_clock_now(hand));
    journal_note(probe->journal, time, NULL);
}

#define EXPECT_TIMED(marbles, expected, make)                                                                          \
    do {                                                                                                               \
        struct probe a = PROBE("a", .action = note_time);                                                              \
        OWN_OBSERVABLE *timed = make;                                                                                  \
        observe(timed, NULL, &a);                                                                                      \
        act(marbles);                                                                                                  \
        EXPECT_TRACE(expected);                                                                                        \
        swo_stop(a.observation);                                                                                       \
    } while (0)

TEST(debounce_passes_the_latest_on_when_none_has_come_for_a_while) {
    EXPECT_TIMED("123...4...", "a3 @4 a4 @8", debounced(2));
}

TEST(throttle_passes_the_first_on_and_then_the_latest) {
    EXPECT_TIMED("123..4....", "a1 @0 a3 @3 a4 @6", throttled(3, SWO_THROTTLE_BOTH));
}

TEST(after_a_pause_throttle_passes_the_first_on_at_once) {
    EXPECT_TIMED("1....23....", "a1 @0 a2 @5 a3 @8", throttled(3, SWO_THROTTLE_BOTH));
}

TEST(throttle_passes_only_the_first_on_and_waits_for_nothing) {
    struct probe a = PROBE("a", .action = note_time);
    OWN_OBSERVABLE *timed = throttled(3, SWO_THROTTLE_FIRST);
    observe(timed, NULL, &a);
    send_numbers(source, 1, 2);
    assert_int_equal(swo_clock_waiting(hand), 0);
    act("3..4..");
    EXPECT_TRACE("a1 @0 a4 @3");
}

TEST(throttle_passes_only_the_latest_on) {
    EXPECT_TIMED("123..4....", "a3 @3 a4 @8", throttled(3, SWO_THROTTLE_LATEST));
}

/** Observes, stops while something waits, and observes again. */
static void observe_a_throttle_anew(int32_t which) {
    struct probe a = PROBE("a"), b = PROBE("b", .action = note_time);
    OWN_OBSERVABLE *timed = throttled(3, which);
    observe(timed, NULL, &a);
    send_numbers(source, 1, 2);
    ok(swo_stop(a.observation));
    advance(2);
    observe(timed, NULL, &b);
    act("3....");
}

TEST(a_throttle_that_is_observed_anew_passes_the_first_on_at_once) {
    observe_a_throttle_anew(SWO_THROTTLE_BOTH);
    EXPECT_TRACE("a1 b3 @2");
}

TEST(a_throttle_that_is_observed_anew_passes_the_latest_on_a_whole_interval_later) {
    observe_a_throttle_anew(SWO_THROTTLE_LATEST);
    EXPECT_TRACE("b3 @5");
}

TEST(delay_passes_each_on_a_while_later) { EXPECT_TIMED("12..3...", "a1 @2 a2 @3 a3 @6", delayed(2)); }

TEST(timeout_says_once_that_nothing_has_come) {
    EXPECT_TIMED("1.....23....", "a1 @0 a-1 @3 a2 @6 a3 @7 a-1 @10", timed_out(3));
}

TEST(timeout_waits_from_the_first_observation_on) {
    struct probe a = PROBE("a", .action = note_time);
    OWN_OBSERVABLE *timed = timed_out(3);
    advance(5);
    observe(timed, NULL, &a);
    advance(5);
    EXPECT_TRACE("a-1 @8");
}

TEST(buffer_passes_so_many_on_together) { EXPECT_TIMED("123.4..5", "a[1 2] @1 a[3 4] @4", buffered(2, 0)); }

TEST(buffer_passes_on_what_has_come_in_so_much_time) {
    EXPECT_TIMED("123.4....", "a[1 2 3] @3 a[4] @7", buffered(0, 3));
}

TEST(buffer_passes_on_what_comes_first_of_both) {
    EXPECT_TIMED("123.4.5...6....", "a[1 2] @1 a[3 4] @4 a[5] @9 a[6] @13", buffered(2, 3));
}

TEST(ticks_come_at_regular_intervals_while_they_are_observed) {
    struct probe a = PROBE("a", .action = note_time), b = PROBE("b");
    OWN_OBSERVABLE *ticks = ticking(2);
    assert_int_equal(swo_clock_waiting(hand), 0);
    advance(5);
    observe(ticks, NULL, &a);
    advance(5);
    EXPECT_TRACE("a1 @7 a2 @9");
    ok(swo_stop(a.observation));
    assert_int_equal(swo_clock_waiting(hand), 0);
    advance(5);
    observe(ticks, NULL, &b);
    advance(2);
    EXPECT_TRACE("b1");
}

TEST(authors_are_passed_on) {
    int author = 0;
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed = debounced(2);
    observe(timed, NULL, &a);
    ok(swo_send(source, VALUE(swo_int64(1)), &author));
    advance(2);
    assert_ptr_equal(a.author, &author);
    EXPECT_TRACE("a1");
}

TEST(the_author_of_what_only_time_says_is_the_observable) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *ticks = ticking(2), *late = timed_out(3);
    observe(ticks, NULL, &a);
    advance(2);
    assert_ptr_equal(a.author, ticks);
    ok(swo_stop(a.observation));
    observe(late, NULL, &b);
    advance(3);
    assert_ptr_equal(b.author, late);
    EXPECT_TRACE("a1 b-1");
}

TEST(a_message_that_waits_is_a_copy) {
    char text[] = "early";
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed = delayed(1);
    observe(timed, NULL, &a);
    ok(swo_send(source, VALUE(swo_text(text)), NULL));
    memset(text, 'x', 5);
    advance(1);
    EXPECT_TRACE("aearly");
}

TEST(what_a_handler_sends_waits_in_its_turn) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed = delayed(2);
    observe(timed, NULL, &a);
    act("1.2...");
    EXPECT_TRACE("a1 a2");
}

/* ---- order ---- */

TEST(what_is_due_at_the_same_time_comes_in_the_order_in_which_it_began_to_wait) {
    struct probe a = PROBE("a"), b = PROBE("b"), c = PROBE("c");
    OWN_OBSERVABLE *first = delayed(4), *second = debounced(2), *third = delayed(2);
    observe(first, NULL, &a);
    observe(third, NULL, &c);
    observe(second, NULL, &b);
    send_number(source, 1); /* a waits for 4, c and b for 2 */
    advance(2);
    send_number(source, 2); /* a waits for 6, c and b for 4 */
    advance(2);
    EXPECT_TRACE("b1 c1 a1 b2 c2");
    ok(swo_stop(a.observation));
}

TEST(who_is_put_off_begins_to_wait_again) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *first = debounced(2), *second = debounced(2), *other = swo_messenger_new(), *third;
    ok(swo_debounce(other, 2, hand, &third));
    observe(first, NULL, &a);
    observe(third, NULL, &b);
    send_number(source, 1);
    send_number(other, 2);
    send_number(source, 3);
    advance(2);
    EXPECT_TRACE("b2 a3");
}

TEST(one_step_of_the_clock_is_many) {
    struct probe a = PROBE("a", .action = note_time);
    OWN_OBSERVABLE *ticks = ticking(2);
    observe(ticks, NULL, &a);
    advance(7);
    EXPECT_TRACE("a1 @2 a2 @4 a3 @6");
    assert_int_equal(swo_clock_now(hand), 7);
}

ACTION(advance_twice) {
    if (probe->number++ > 0) return;
    advance(2);
    journal_note(probe->journal, "|", NULL);
    must(swo_clock_now(hand) == 2);
}

TEST(a_handler_that_turns_the_clock_on_gets_no_deeper) {
    struct probe a = PROBE("a", .action = advance_twice);
    OWN_OBSERVABLE *ticks = ticking(2);
    observe(ticks, NULL, &a);
    advance(2);
    EXPECT_TRACE("a1 | a2");
    assert_int_equal(swo_clock_now(hand), 4);
}

TEST(a_million_messages_make_one_that_waits) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed = debounced(10), *other = delayed(10);
    observe(timed, NULL, &a);
    for (int64_t i = 0; i < 1000000; i++) send_number(source, i);
    assert_int_equal(swo_clock_waiting(hand), 1);
    advance(10);
    EXPECT_TRACE("a999999");
}

/* ---- what waits ends with its observation ---- */

struct kind {
    const char *name;
    swo_observable *(*make)(void);
};
static swo_observable *make_debounced(void) { return debounced(5); }
static swo_observable *make_both(void) { return throttled(5, SWO_THROTTLE_BOTH); }
static swo_observable *make_latest(void) { return throttled(5, SWO_THROTTLE_LATEST); }
static swo_observable *make_delayed(void) { return delayed(5); }
static swo_observable *make_timed_out(void) { return timed_out(5); }
static swo_observable *make_buffered(void) { return buffered(0, 5); }
static swo_observable *make_ticking(void) { return ticking(5); }
static const struct kind kinds[] = {
    {"debounce", make_debounced}, {"throttle", make_both},   {"throttle latest", make_latest}, {"delay", make_delayed},
    {"timeout", make_timed_out},  {"buffer", make_buffered}, {"ticks", make_ticking},
};
#define FOR_EACH_KIND for (const struct kind *kind = kinds; kind < kinds + COUNT(kinds); kind++)

TEST(after_stop_nothing_that_waited_arrives_and_nothing_waits) {
    FOR_EACH_KIND {
        struct probe a = PROBE("a"), b = PROBE("b");
        OWN_OBSERVABLE *timed = kind->make();
        observe(timed, NULL, &a);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        assert_int_equal(swo_clock_waiting(hand), 1);
        ok(swo_stop(a.observation));
        assert_int_equal(swo_clock_waiting(hand), 0);
        advance(20);
        observe(timed, NULL, &b);
        advance(4);
        EXPECT_TRACE("");
    }
}

TEST(what_an_observer_waits_for_ends_with_it) {
    FOR_EACH_KIND {
        struct probe a = PROBE("a");
        swo_observer *observer = swo_observer_new();
        OWN_OBSERVABLE *timed = kind->make();
        observe(timed, observer, &a);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        swo_observer_release(observer);
        assert_int_equal(swo_clock_waiting(hand), 0);
        advance(20);
        EXPECT_TRACE("");
    }
}

TEST(a_transform_that_dies_waits_no_more) {
    FOR_EACH_KIND {
        struct probe a = PROBE("a");
        swo_observable *timed = kind->make();
        observe(timed, NULL, &a);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        swo_observable_release(timed);
        assert_int_equal(swo_clock_waiting(hand), 0);
        advance(20);
        EXPECT_TRACE("");
    }
}

TEST(nothing_waits_for_an_observable_that_nothing_observes) {
    FOR_EACH_KIND {
        OWN_OBSERVABLE *timed = kind->make();
        send_numbers(source, 1, 2);
        assert_int_equal(swo_clock_waiting(hand), 0);
    }
}

TEST(what_is_made_for_one_observation_waits_with_it) {
    FOR_EACH_KIND {
        struct probe a = PROBE("a");
        swo_observable *timed = kind->make();
        ok(swo_observe_with(timed, WITH(.keeps_observable = true), probe_receive, &a, probe_destroy, &a.observation));
        swo_observable_release(timed);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        assert_int_equal(swo_clock_waiting(hand), 1);
        ok(swo_stop(a.observation));
        assert_int_equal(swo_clock_waiting(hand), 0);
        assert_int_equal(a.destroyed, 1);
    }
}

ACTION(stop_other) { ok(swo_stop(probe->other->observation)); }

TEST(what_is_stopped_by_what_is_due_at_the_same_time_does_not_arrive) {
    FOR_EACH_KIND {
        struct probe b = PROBE("b"), a = PROBE("a", .action = stop_other, .other = &b);
        OWN_OBSERVABLE *timed = kind->make(), *first;
        ok(swo_ticks(5, hand, &first));
        observe(first, NULL, &a);
        observe(timed, NULL, &b);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        advance(5);
        EXPECT_TRACE("a1");
        assert_int_equal(swo_clock_waiting(hand), 1);
    }
}

ACTION(stop_self_and_release) {
    ok(swo_stop(probe->observation));
    swo_observable_release(probe->observable);
}

TEST(what_is_due_may_stop_itself_and_release_its_observable) {
    FOR_EACH_KIND {
        struct probe a = PROBE("a", .action = stop_self_and_release);
        swo_observable *timed = kind->make();
        send_number(source, 1);
        observe(timed, NULL, &a);
        if (kind->make == make_both || kind->make == make_timed_out) {
            advance(5);
            if (kind->make == make_both) send_number(source, 1);
        } else {
            send_number(source, 1);
            advance(5);
        }
        assert_int_equal(a.calls, 1);
        assert_int_equal(swo_clock_waiting(hand), 0);
        journal_clear(&journal);
    }
}

TEST(the_source_may_die_while_something_waits) {
    struct probe a = PROBE("a");
    swo_observable *other = swo_messenger_new(), *timed;
    ok(swo_delay(other, 2, hand, &timed));
    observe(timed, NULL, &a);
    send_number(other, 1);
    swo_observable_release(other); /* the transform keeps it */
    advance(2);
    EXPECT_TRACE("a1");
    swo_observable_release(timed);
}

TEST(a_clock_is_kept_by_what_waits_on_it) {
    swo_clock *own = swo_clock_new();
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed;
    ok(swo_debounce(source, 2, own, &timed));
    observe(timed, NULL, &a);
    send_number(source, 1);
    swo_clock_release(own);
    send_number(source, 2);
    EXPECT_TRACE("");
}

/* ---- a loop that ends ---- */

TEST(when_its_loop_is_gone_what_waits_is_dropped_and_what_would_have_to_wait_fails) {
    FOR_EACH_KIND {
        if (kind->make == make_ticking) continue;
        swo_clock *own = swo_clock_new(), *kept = hand;
        hand = own;
        struct probe a = PROBE("a");
        OWN_OBSERVABLE *timed = kind->make();
        hand = kept;
        observe(timed, NULL, &a);
        send_numbers(source, 1, 2);
        journal_clear(&journal);
        ok(swo_clock_end(own));
        ok(swo_clock_advance(own, 20));
        EXPECT_TRACE("");
        assert_int_equal(swo_clock_waiting(own), 0);
        assert_int_equal(swo_send(source, VALUE(swo_int64(3)), NULL), SWO_CALLBACK_FAILED);
        EXPECT_TRACE(kind->make == make_timed_out ? "a3" : "");
        swo_clock_release(own);
    }
}

/* ---- failures ---- */

ACTION(fail_here) { swo_observable_fail(probe->observable); }

TEST(who_turns_the_clock_hears_of_failures) {
    struct probe a = PROBE("a", .action = fail_here), b = PROBE("b");
    OWN_OBSERVABLE *timed = debounced(2);
    observe(timed, NULL, &a, &b);
    send_number(source, 1);
    assert_int_equal(swo_clock_advance(hand, 2), SWO_CALLBACK_FAILED);
    EXPECT_TRACE("a1 b1");
    assert_int_equal(swo_clock_advance(hand, 2), SWO_OK);
}

TEST(intervals_that_are_none_are_refused) {
    swo_observable *made = NULL;
    for (const int64_t *each = (const int64_t[]){0, -1, INT64_MIN, INT64_MAX}, *end = each + 4; each < end; each++) {
        assert_int_equal(swo_debounce(source, *each, hand, &made), SWO_INVALID_ARGUMENT);
        assert_int_equal(swo_throttle(source, *each, SWO_THROTTLE_BOTH, hand, &made), SWO_INVALID_ARGUMENT);
        assert_int_equal(swo_delay(source, *each, hand, &made), SWO_INVALID_ARGUMENT);
        assert_int_equal(swo_timeout(source, *each, NULL, hand, &made), SWO_INVALID_ARGUMENT);
        assert_int_equal(swo_ticks(*each, hand, &made), SWO_INVALID_ARGUMENT);
        assert_int_equal(swo_buffer(source, 0, *each, hand, &made), SWO_INVALID_ARGUMENT);
    }
    assert_int_equal(swo_debounce(source, 1, NULL, &made), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_buffer(source, 1, 1, NULL, &made), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_throttle(source, 1, 3, hand, &made), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_clock_advance(hand, -1), SWO_INVALID_ARGUMENT);
    assert_null(made);
}

TEST(a_buffer_that_is_full_waits_for_nothing) {
    struct probe p = PROBE("b");
    OWN_OBSERVABLE *made = buffered(2, 3);
    observe(made, NULL, &p);
    send_number(source, 1);
    assert_int_equal(swo_clock_waiting(hand), 1);
    send_number(source, 2);
    assert_int_equal(swo_clock_waiting(hand), 0);
    advance(2);
    send_number(source, 3);
    advance(2);
    EXPECT_TRACE("b[1 2]");
    advance(1);
    EXPECT_TRACE("b[3]");
    assert_int_equal(swo_clock_waiting(hand), 0);
    ok(swo_stop(p.observation));
}

/* ---- the default clock ---- */

TEST(what_is_made_without_a_clock_waits_on_the_default_one) {
    struct probe all[6] = {PROBE("a"), PROBE("b"), PROBE("c"), PROBE("d"), PROBE("e"), PROBE("f")};
    swo_observable *made[6];
    swo_clock_set_default(hand);
    ok(swo_debounce(source, 1, NULL, &made[0]));
    ok(swo_throttle(source, 2, SWO_THROTTLE_LATEST, NULL, &made[1]));
    ok(swo_delay(source, 3, NULL, &made[2]));
    ok(swo_timeout(source, 4, NULL, NULL, &made[3]));
    ok(swo_buffer(source, 0, 5, NULL, &made[4]));
    ok(swo_ticks(6, NULL, &made[5]));
    swo_clock_set_default(NULL);
    for (int each = 0; each < 6; each++) observe(made[each], NULL, &all[each]);
    send_number(source, 7);
    EXPECT_TRACE("d7");
    swo_observable *refused = NULL;
    assert_int_equal(swo_delay(source, 1, NULL, &refused), SWO_INVALID_ARGUMENT);
    assert_null(refused);
    advance(6);
    EXPECT_TRACE("a7 b7 c7 dnull e[7] f1");
    for (int each = 0; each < 6; each++) {
        ok(swo_stop(all[each].observation));
        swo_observable_release(made[each]);
    }
}

static void name_another(void *calls) {
    ++*(int *)calls;
    swo_clock_set_default(hand);
}

static void wake_never(void *unused, int64_t time) { (void)unused, (void)time; }

TEST(a_default_clock_is_kept_until_another_is_named) {
    swo_timer timer = SWO_TIMER_INIT;
    timer.wake_at = wake_never;
    int destroyed = 0;
    swo_clock *mine;
    ok(swo_clock_with_timer(&timer, &destroyed, name_another, &mine));
    swo_clock_set_default(mine);
    swo_clock_release(mine);
    swo_observable *waiting;
    ok(swo_delay(source, 1, NULL, &waiting));
    swo_clock_set_default(NULL);
    assert_int_equal(destroyed, 0);
    /* Its end may name the next one. */
    swo_observable_release(waiting);
    assert_int_equal(destroyed, 1);
    ok(swo_delay(source, 1, NULL, &waiting));
    swo_observable_release(waiting);
    swo_clock_set_default(NULL);
}

TEST(the_longest_interval_is_never_over) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed = debounced(INT64_MAX - 1);
    advance(10);
    observe(timed, NULL, &a);
    send_number(source, 1);
    advance(INT64_MAX);
    advance(INT64_MAX);
    EXPECT_TRACE("");
    ok(swo_stop(a.observation));
}

/* ---- a million that wait ---- */

TEST(a_million_wait_in_their_order) {
    enum { MANY = 100000 };
    swo_observable **many = malloc(MANY * sizeof *many);
    struct probe a = {.name = "a"};
    uint64_t random = 1;
    for (int i = 0; i < MANY; i++) {
        ok(swo_debounce(source, 1 + chance(&random, 1000), hand, &many[i]));
        ok(swo_observe(many[i], NULL, probe_receive, &a, NULL, NULL));
    }
    send_number(source, 1);
    assert_int_equal(swo_clock_waiting(hand), MANY);
    advance(1000);
    assert_int_equal(a.calls, MANY);
    for (int i = 0; i < MANY; i++) swo_observable_release(many[i]);
    free(many);
}

/* ---- queues and loops ---- */

TEST(what_is_due_wakes_the_loop_of_a_queue) {
    OWN_QUEUE *queue = queue_of(0, SWO_QUEUE_BLOCK, NULL);
    OWN_CLOCK *own;
    ok(swo_queue_clock(queue, &own));
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed;
    ok(swo_debounce(source, SWO_MILLISECONDS(1), own, &timed));
    observe(timed, NULL, &a);
    assert_false(is_readable(queue));
    send_number(source, 1);
    EXPECT_TRACE("");
    while (a.calls == 0) {
        await_readable(queue);
        drain(queue, 0);
    }
    EXPECT_TRACE("a1");
    assert_false(is_readable(queue));
    assert_int_equal(swo_clock_waiting(own), 0);
}

TEST(a_queue_has_one_clock) {
    OWN_QUEUE *queue = queue_of(0, SWO_QUEUE_BLOCK, NULL);
    OWN_CLOCK *one, *other;
    ok(swo_queue_clock(queue, &one));
    ok(swo_queue_clock(queue, &other));
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed;
    ok(swo_delay(source, SWO_SECONDS(1000), one, &timed));
    observe(timed, NULL, &a);
    send_number(source, 1);
    assert_int_equal(swo_clock_waiting(other), 1);
    assert_true(swo_clock_now(one) <= swo_clock_now(other));
    assert_int_equal(swo_clock_advance(one, 1), SWO_WRONG_KIND);
    assert_int_equal(swo_clock_run(one), SWO_WRONG_KIND);
    assert_false(is_readable(queue));
}

TEST(when_a_queue_is_gone_what_waits_on_its_clock_is_dropped) {
    swo_queue *queue = queue_of(0, SWO_QUEUE_BLOCK, NULL);
    OWN_CLOCK *own;
    ok(swo_queue_clock(queue, &own));
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *timed;
    ok(swo_debounce(source, SWO_SECONDS(1000), own, &timed));
    observe(timed, NULL, &a);
    send_number(source, 1);
    swo_queue_release(queue);
    assert_int_equal(swo_clock_waiting(own), 0);
    assert_int_equal(swo_send(source, VALUE(swo_int64(2)), NULL), SWO_CALLBACK_FAILED);
}

/** A loop of the test's own. */
static struct loop {
    int64_t now, wanted;
    long asked, destroyed;
} loop;
static int64_t now_of(void *context) { return ((struct loop *)context)->now; }
static void wake_at(void *context, int64_t time) {
    ((struct loop *)context)->wanted = time;
    ((struct loop *)context)->asked++;
}
static void destroy_loop(void *context) { ((struct loop *)context)->destroyed++; }

static swo_clock *loop_clock(void) {
    swo_clock *made;
    loop = (struct loop){.wanted = INT64_MAX};
    swo_timer timer = SWO_TIMER_INIT;
    timer.now = now_of, timer.wake_at = wake_at;
    ok(swo_clock_with_timer(&timer, &loop, destroy_loop, &made));
    return made;
}

TEST(a_loop_is_asked_for_one_call_however_many_messages_come) {
    swo_clock *own = loop_clock();
    struct probe a = PROBE("a");
    swo_observable *timed;
    ok(swo_debounce(source, 10, own, &timed));
    observe(timed, NULL, &a);
    for (loop.now = 0; loop.now < 9; loop.now++) send_number(source, loop.now);
    assert_int_equal(loop.asked, 1);
    assert_int_equal(loop.wanted, 10);
    loop.now = 10;
    ok(swo_clock_run(own));
    assert_int_equal(loop.wanted, 18);
    loop.now = 17; /* a timer that comes early */
    ok(swo_clock_run(own));
    EXPECT_TRACE("");
    assert_int_equal(loop.wanted, 18);
    loop.now = 18;
    ok(swo_clock_run(own));
    EXPECT_TRACE("a8");
    send_number(source, 1);
    assert_int_equal(loop.wanted, 28);
    ok(swo_stop(a.observation));
    assert_int_equal(loop.wanted, INT64_MAX);
    swo_observable_release(timed);
    assert_int_equal(loop.destroyed, 0);
    swo_clock_release(own);
    assert_int_equal(loop.destroyed, 1);
}

TEST(ticks_of_a_late_loop_come_as_one) {
    OWN_CLOCK *own = loop_clock();
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *ticks;
    ok(swo_ticks(10, own, &ticks));
    observe(ticks, NULL, &a);
    loop.now = 35;
    ok(swo_clock_run(own));
    EXPECT_TRACE("a3");
    assert_int_equal(loop.wanted, 40);
    loop.now = 40;
    ok(swo_clock_run(own));
    EXPECT_TRACE("a4");
    ok(swo_stop(a.observation));
}

/* ---- threads ---- */

enum { SENT = 2000 };

THREAD(send_numbered, context) {
    int64_t base = (int64_t)(intptr_t)context * SENT;
    for (int64_t i = 0; i < SENT; i++) send_number(source, base + i);
    return NULL;
}

static int64_t last_of[4];
HANDLER(check_order, context) {
    int64_t sender = message->as.int64 / SENT;
    must(message->as.int64 > last_of[sender]);
    last_of[sender] = message->as.int64;
    ++*(long *)context;
}

static atomic_bool has_sent;
THREAD(keep_advancing, context) {
    while (!has_sent) advance(1);
    return NULL;
}

TEST(each_senders_order_is_kept_while_threads_send_and_turn_the_clock) {
    FOR_EACH_KIND {
        if (kind->make == make_ticking || kind->make == make_buffered) continue;
        long received = 0;
        for (int i = 0; i < 4; i++) last_of[i] = -1;
        OWN_OBSERVABLE *timed = kind->make(), *numbers;
        ok(swo_filter(timed, accept_all, NULL, NULL, &numbers));
        swo_observation id;
        has_sent = false;
        if (kind->make == make_timed_out) {
            continue;
        }
        ok(swo_observe(numbers, NULL, check_order, &received, NULL, &id));
        pthread_t turning = begin_thread(keep_advancing, NULL);
        run_threads({send_numbered, (void *)0}, {send_numbered, (void *)1}, {send_numbered, (void *)2},
                    {send_numbered, (void *)3});
        has_sent = true;
        join_thread(turning);
        advance(5);
        if (kind->make == make_delayed) assert_int_equal(received, 4 * SENT);
        assert_true(received > 0);
        ok(swo_stop(id));
    }
}

THREAD(begin_and_stop, timed) {
    struct probe a = {.name = "a"};
    for (long i = scaled(2000); i > 0; i--) {
        ok(swo_observe(timed, NULL, probe_receive, &a, NULL, &a.observation));
        send_number(source, i);
        ok(swo_stop_and_wait(a.observation));
    }
    return NULL;
}

TEST(observations_of_what_waits_begin_and_stop_on_all_threads) {
    FOR_EACH_KIND {
        OWN_OBSERVABLE *timed = kind->make();
        has_sent = false;
        pthread_t turning = begin_thread(keep_advancing, NULL);
        run_threads({begin_and_stop, timed}, {begin_and_stop, timed});
        has_sent = true;
        join_thread(turning);
        assert_int_equal(swo_clock_waiting(hand), 0);
    }
}
