/* SPDX-License-Identifier: MIT */
/* An observable that one thread has used for a while, until another one comes: the laws hold as ever. */
#include "support.h"

enum { LONG = 100 }; /* so many sends of one thread, and the observable is as good as its own */

static swo_observable *messenger;

void set_up(void) {
    messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    for (int number = 0; number < LONG; number++) send_number(messenger, number);
}

void tear_down(void) { swo_observable_release(messenger); }

static struct probe a, b;

static void observe_both(void) {
    a = (struct probe)PROBE("a");
    b = (struct probe)PROBE("b");
    observe(messenger, NULL, &a, &b);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 b1");
}

/* What is done when a receives 2, on another thread to its end, or in the handler. */
static void *(*elsewhere)(void *);
ACTION(do_elsewhere) {
    if (message->as.int64 == 2) join_thread(begin_thread(elsewhere, messenger));
}
static void (*here)(void);
ACTION(do_here) {
    if (message->as.int64 == 2) here();
}

static void send_two_and_expect(const char *trace) {
    send_number(messenger, 2);
    EXPECT_TRACE(trace);
}

static void while_a_receives_two(void *(*body)(void *), const char *trace) {
    observe_both();
    elsewhere = body;
    a.action = do_elsewhere;
    send_two_and_expect(trace);
}

TASK(send_many, observable) {
    for (int number = 0; number < LONG; number++) send_number(observable, number);
}

TEST(another_thread_can_send_when_one_has_for_long) {
    a = (struct probe){.name = "a"};
    observe(messenger, NULL, &a);
    send_many(messenger);
    join_thread(begin_thread(send_many, messenger));
    send_many(messenger);
    assert_int_equal(a.calls, 3 * LONG);
}

TEST(what_another_thread_sends_during_a_delivery_waits_for_its_end) {
    while_a_receives_two(send_one_number, "a2 b2 a1 b1");
    send_number(messenger, 3);
    EXPECT_TRACE("a3 b3");
}

static void send_three(void) { send_number(messenger, 3); }

TEST(what_a_handler_sends_waits_for_the_end_of_the_delivery) {
    observe_both();
    here = send_three;
    a.action = do_here;
    for (int round = 0; round < 3; round++) send_two_and_expect("a2 b2 a3 b3");
}

TASK(stop_b, unused) { ok(swo_stop(b.observation)); }

TEST(what_another_thread_stops_during_a_delivery_is_skipped_in_it) {
    while_a_receives_two(stop_b, "a2");
    assert_int_equal(b.destroyed, 1);
}

TASK(observe_b, unused) { observe(messenger, NULL, &b); }

TEST(what_another_thread_lets_observe_during_a_delivery_joins_with_the_next_message) {
    a = (struct probe)PROBE("a", .action = do_elsewhere);
    b = (struct probe)PROBE("b");
    observe(messenger, NULL, &a);
    elsewhere = observe_b;
    send_numbers(messenger, 2, 3);
    EXPECT_TRACE("a2 a3 b3");
}

TASK(stop_b_and_wait, unused) { ok(swo_stop_and_wait(b.observation)); }

/* It runs, but on the thread whose handler waits here: not the one that is stopped. */
TEST(stop_and_wait_waits_for_no_other_handler) { while_a_receives_two(stop_b_and_wait, "a2"); }

static atomic_bool finished;
TASK(stop_a_and_wait, unused) {
    ok(swo_stop_and_wait(a.observation));
    must(finished);
}
static pthread_t waiter;
static void let_a_wait_for_this(void) {
    atomic_bool never = false;
    waiter = begin_thread(stop_a_and_wait, NULL);
    give_way(&never);
    finished = true;
}

TEST(stop_and_wait_waits_for_the_handler_of_a_thread_that_has_sent_for_long) {
    observe_both();
    finished = false;
    here = let_a_wait_for_this;
    a.action = do_here;
    send_number(messenger, 2);
    join_thread(waiter);
    EXPECT_TRACE("a2 b2");
    send_number(messenger, 3);
    EXPECT_TRACE("b3");
}

static void expect_both_destroyed(void) {
    assert_true(a.destroyed == 1 && b.destroyed == 1);
    messenger = NULL;
}

TEST(what_another_thread_releases_during_a_delivery_ends_after_it) {
    while_a_receives_two(release_on_thread, "a2 b2");
    expect_both_destroyed();
}

static void release(void) { swo_observable_release(messenger); }

TEST(what_a_handler_releases_ends_after_the_delivery) {
    observe_both();
    here = release;
    a.action = do_here;
    send_two_and_expect("a2 b2");
    expect_both_destroyed();
}

TASK(block, observable) { ok(swo_observable_block(observable)); }

TEST(what_is_sent_after_another_thread_has_blocked_is_dropped) {
    observe_both();
    join_thread(begin_thread(block, messenger));
    send_two_and_expect("");
    ok(swo_observable_unblock(messenger));
    send_number(messenger, 3);
    EXPECT_TRACE("a3 b3");
}

TASK(give_up_order, observable) { ok(swo_observable_set_ordered(observable, false)); }

TEST(giving_up_order_on_another_thread_comes_into_force_after_the_delivery) {
    observe_both();
    elsewhere = give_up_order;
    a.action = do_elsewhere;
    here = send_three;
    b.action = do_here;
    for (int round = 0; round < 2; round++) send_two_and_expect("a2 b2 a3 b3");
}

/* One thread after the other, whose memory, and so whose number, the next one often gets. */
TEST(threads_that_come_and_go_use_an_observable_as_one_would) {
    a = (struct probe){.name = "a"};
    observe(messenger, NULL, &a);
    for (int thread = 0; thread < 20; thread++) join_thread(begin_thread(send_many, messenger));
    assert_int_equal(a.calls, 20 * LONG);
}

/* ---- taken over in turn ---- */

enum { THREADS = 3 };
static swo_observable *used[THREADS];
static atomic_long delivered[THREADS], inside[THREADS];
static atomic_int ready;

static void count_alone(void *which, const swo_value *message, const void *author) {
    long *index = which;
    must(inside[*index]++ == 0);
    delivered[*index]++;
    inside[*index]--;
}

/* Uses each for a while, so that it is biased to one and is taken by the next, all at the same time. */
TASK(use_in_turn, first) {
    swo_observation none = 0;
    ready++;
    while (ready < THREADS) {}
    for (long round = 0, rounds = scaled(20000); round < rounds; round++) {
        swo_observable *one = used[(*(long *)first + round) % THREADS];
        for (int number = 0; number < 50; number++) send_number(one, number);
        swo_observation observation = none;
        ok(swo_observe(one, NULL, ignore_message, NULL, NULL, &observation));
        send_number(one, 0);
        must((round % 2 ? swo_stop : swo_stop_and_wait)(observation) == SWO_OK);
    }
}

TEST(what_threads_take_from_each_other_loses_nothing_and_delivers_one_at_a_time) {
    long indices[THREADS];
    ready = 0;
    for (long one = 0; one < THREADS; one++) {
        indices[one] = one;
        delivered[one] = 0;
        used[one] = swo_messenger_new();
        ok(swo_observe(used[one], NULL, count_alone, &indices[one], NULL, NULL));
    }
    run_with_each(use_in_turn, indices);
    long all = 0;
    for (int one = 0; one < THREADS; one++) {
        all += delivered[one];
        swo_observable_release(used[one]);
    }
    assert_int_equal(all, THREADS * scaled(20000) * 51);
}

/* Each observable dies by another thread than the one that has just sent its last message. */
static _Atomic(swo_observable *) left_behind;
static void leave_behind(void *unused, const swo_value *message, const void *author) {
    if (message->as.int64 == LONG) left_behind = (swo_observable *)(uintptr_t)author;
}

TASK(release_what_is_left_behind, count) {
    for (long released = 0; released < *(long *)count;) {
        swo_observable *one = atomic_exchange(&left_behind, NULL);
        if (one == NULL) continue;
        swo_observable_release(one);
        released++;
    }
}

TEST(another_thread_can_release_what_a_handler_tells_it_to) {
    long count = scaled(20000);
    pthread_t releaser = begin_thread(release_what_is_left_behind, &count);
    for (long one = 0; one < count; one++) {
        swo_observable *brief = swo_messenger_new();
        ok(swo_observe(brief, NULL, leave_behind, NULL, NULL, NULL));
        for (int number = 0; number < LONG; number++) send_number(brief, number);
        ok(swo_send(brief, VALUE(swo_int64(LONG)), NULL));
        while (left_behind != NULL) {}
    }
    join_thread(releaser);
}

/* ---- variables ---- */

static void use_for_long(swo_observable *variable) {
    for (int number = 0; number < LONG; number++) {
        set_number(variable, number);
        assert_int_equal(number_of(variable), number);
    }
}

TASK(set_to_1000, variable) {
    set_number(variable, 1000);
    must(number_of(variable) == 1000);
}

TEST(a_variable_that_one_thread_has_set_for_long_is_set_by_another) {
    a = (struct probe)PROBE("a");
    OWN_OBSERVABLE *variable = number_variable(-1);
    use_for_long(variable);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    join_thread(begin_thread(set_to_1000, variable));
    set_number(variable, 1000);
    set_number(variable, 2);
    assert_int_equal(number_of(variable), 2);
    EXPECT_TRACE("a(99,1) a(1,1000) a(1000,2)");
}

TEST(what_is_equal_is_no_change_of_a_variable_that_one_thread_has_set_for_long) {
    const struct {
        swo_value value, other;
    } cases[] = {{swo_bool(true), swo_bool(false)},
                 {swo_int64(7), swo_int64(8)},
                 {swo_double(0.5), swo_double(1.5)},
                 {swo_null(), swo_int64(0)}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct probe probe = {.name = "a"};
        OWN_OBSERVABLE *variable = number_variable(-1);
        use_for_long(variable);
        ok(swo_variable_set(variable, &cases[i].value, NULL));
        observe(variable, NULL, &probe);
        ok(swo_variable_set(variable, &cases[i].value, NULL));
        assert_int_equal(probe.calls, 0);
        ok(swo_variable_set(variable, &cases[i].other, NULL));
        assert_int_equal(probe.calls, 1);
    }
}

static void set_again(struct probe *probe, const swo_value *update, const void *author) {
    int64_t new_value = update->as.update->new_value.as.int64;
    must(number_of(probe->observable) >= new_value);
    if (new_value < 3) set_number(probe->observable, new_value + 1);
    if (new_value == 3) join_thread(begin_thread(set_to_1000, probe->observable));
}

TEST(what_handlers_and_other_threads_set_during_a_delivery_is_told_after_it) {
    OWN_OBSERVABLE *variable = number_variable(-1);
    use_for_long(variable);
    a = (struct probe)PROBE("a", .action = set_again, .observable = variable);
    b = (struct probe)PROBE("b");
    observe(variable, NULL, &a);
    observe(variable, NULL, &b);
    set_number(variable, 1);
    assert_int_equal(number_of(variable), 1000);
    EXPECT_TRACE("a(99,1) b(99,1) a(1,2) b(1,2) a(2,3) b(2,3) a(3,1000) b(3,1000)");
}

TEST(a_batch_of_a_variable_that_one_thread_has_set_for_long_sends_once) {
    a = (struct probe)PROBE("a");
    OWN_OBSERVABLE *variable = number_variable(-1);
    use_for_long(variable);
    observe(variable, NULL, &a);
    ok(swo_variable_begin_batch(variable));
    set_number(variable, 1);
    set_number(variable, 2);
    assert_int_equal(number_of(variable), 2);
    ok(swo_variable_end_batch(variable));
    EXPECT_TRACE("a(99,2)");
}

/* Texts, whose memory goes when another is set: a reader that came in between would read freed memory, or half a text.
 */
static swo_observable *text_variable;

TASK(set_texts, letters) {
    char text[64];
    for (long round = 0, rounds = scaled(20000); round < rounds; round++) {
        memset(text, ((const char *)letters)[round % 2], sizeof text);
        swo_value value = {.kind = SWO_KIND_TEXT, .as.bytes = {text, sizeof text}};
        ok(swo_variable_set(text_variable, &value, NULL));
        swo_value seen;
        ok(swo_variable_get(text_variable, &seen));
        must(seen.as.bytes.size == sizeof text);
        for (size_t index = 1; index < sizeof text; index++)
            must(((const char *)seen.as.bytes.data)[index] == ((const char *)seen.as.bytes.data)[0]);
        swo_value_clear(&seen);
    }
}

TEST(a_reader_gets_a_whole_value_while_threads_take_the_variable_from_each_other) {
    char text[64];
    memset(text, 'z', sizeof text);
    swo_value value = {.kind = SWO_KIND_TEXT, .as.bytes = {text, sizeof text}};
    ok(swo_variable_new(&value, &text_variable));
    run_threads({set_texts, "ab"}, {set_texts, "cd"});
    swo_observable_release(text_variable);
}

TASK(count_up, variable) {
    for (long round = 0, rounds = scaled(20000); round < rounds; round++)
        ok(swo_variable_update(variable, plus_one, NULL, NULL));
}

TEST(no_step_is_lost_when_threads_take_a_variable_from_each_other) {
    OWN_OBSERVABLE *variable = number_variable(0);
    for (int turn = 0; turn < 3; turn++) join_thread(begin_thread(count_up, variable));
    run_on_threads(2, count_up, variable);
    assert_int_equal(number_of(variable), 5 * scaled(20000));
}
