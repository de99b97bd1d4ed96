/* SPDX-License-Identifier: MIT */
/* Law 5, on one thread and on two: without order every send delivers at once, and laws 6 to 12 hold all the same. */
#include "support.h"

static swo_observable *unordered_messenger(void) {
    swo_observable *messenger = swo_messenger_new();
    ok(swo_observable_set_ordered(messenger, false));
    return messenger;
}

ACTION(recur_and_stop_self_when_deepest) {
    if (message->as.int64 < 5) send_number(probe->observable, message->as.int64 + 1);
    else ok(swo_stop_and_wait(probe->observation));
    must(probe->destroyed == 0);
}

TEST(a_context_is_destroyed_after_the_outermost_of_nested_calls) { /* Laws 7 and 12 */
    struct probe probe = {.name = "a", .action = recur_and_stop_self_when_deepest};
    OWN_OBSERVABLE *messenger = unordered_messenger();
    observe(messenger, NULL, &probe);
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 5);
    assert_int_equal(probe.destroyed, 1);
}

/* Both threads are inside at once, or the second arrival would never come. */
TEST(two_threads_deliver_in_parallel) {
    swo_observable *messenger = unordered_messenger();
    OWN_GATE *gate = gate_new();
    struct probe probe = {.name = "a", .action = pass_gate, .gate = gate};
    observe(messenger, NULL, &probe);
    pthread_t threads[] = {begin_thread(send_one_number, messenger), begin_thread(send_one_number, messenger)};
    gate_await(gate);
    gate_await(gate);
    assert_int_equal(probe.running, 2);
    gate_open(gate);
    gate_open(gate);
    for (int i = 0; i < 2; i++) join_thread(threads[i]);
    assert_int_equal(probe.calls, 2);
    swo_observable_release(messenger);
}

/* What is done while two threads are in the handler of one observation, before that of another one. */
static void while_both_are_held(bool (*act)(swo_observable *, struct probe *, struct probe *), int calls_after) {
    swo_observable *messenger = unordered_messenger();
    OWN_GATE *gate = gate_new();
    struct probe held = {.name = "held", .action = pass_gate, .gate = gate}, after = {.name = "after"};
    observe(messenger, NULL, &held, &after);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) threads[i] = begin_held(send_one_number, messenger, gate);
    bool is_released = act(messenger, &held, &after);
    assert_int_equal(held.destroyed, 0);
    for (int i = 0; i < 2; i++) gate_open(gate);
    for (int i = 0; i < 2; i++) join_thread(threads[i]);
    assert_true(held.calls == 2 && held.destroyed == 1);
    assert_true(after.calls == calls_after && after.destroyed == 1);
    if (!is_released) swo_observable_release(messenger);
}

static bool stop_both_and_send(swo_observable *messenger, struct probe *held, struct probe *after) {
    ok(swo_stop(held->observation));
    ok(swo_stop(after->observation));
    send_number(messenger, 2);
    return false;
}

static bool release_it(swo_observable *messenger, struct probe *held, struct probe *after) {
    swo_observable_release(messenger);
    return true;
}

static void hold_one_message(struct probe *probe, const swo_value *message, const void *author) {
    (void)author;
    if (message->as.int64 == probe->number) gate_pass(probe->gate);
}

static void *send_two(void *messenger) {
    send_number(messenger, 2);
    return NULL;
}

/* Law 12: where the first of two deliveries ends, the second can still be in a handler that stopped after it began. */
TEST(what_stops_in_a_later_delivery_is_destroyed_after_that_one) {
    swo_observable *messenger = unordered_messenger();
    OWN_GATE *one = gate_new();
    OWN_GATE *two = gate_new();
    struct probe first = {.name = "first", .action = hold_one_message, .gate = one, .number = 1}, between = {0},
                 last = {.name = "last", .action = hold_one_message, .gate = two, .number = 2};
    observe(messenger, NULL, &first, &between, &last);
    pthread_t earlier = begin_held(send_one_number, messenger, one);
    ok(swo_stop(between.observation));
    pthread_t later = begin_held(send_two, messenger, two);
    ok(swo_stop(last.observation));
    release_held(earlier, one);
    assert_true(between.destroyed == 1 && last.destroyed == 0);
    release_held(later, two);
    assert_int_equal(last.destroyed, 1);
    swo_observable_release(messenger);
}

/* Laws 7, 8 and 12 */
TEST(an_observation_stopped_in_parallel_deliveries_is_destroyed_after_the_last_call) {
    while_both_are_held(stop_both_and_send, 0);
}
TEST(an_observable_that_dies_in_parallel_deliveries_completes_them) { while_both_are_held(release_it, 2); }

enum { CROWD = 200 };
static struct probe crowd[CROWD], latecomers[3];

/* Leaves gaps before, at, and behind the place where the delivery is, more than half of all, which closes them. */
ACTION(stop_most_and_begin_others) {
    if (message->as.int64 != 1) return;
    for (int i = 0; i < CROWD - 20; i++)
        if (i != 40 && i % 10 != 5) ok(swo_stop(crowd[i].observation));
    for (int i = 0; i < 3; i++) observe(probe->observable, NULL, &latecomers[i]);
    ok(swo_stop(crowd[CROWD - 1].observation));
}

/* Laws 5, 6 and 7: each observer that was there and lasts is offered the message once, wherever its place has gone. */
TEST(a_delivery_in_progress_finds_its_place_when_gaps_are_closed) {
    OWN_OBSERVABLE *messenger = unordered_messenger();
    for (int i = 0; i < CROWD; i++) {
        crowd[i] = (struct probe){.name = "one of the crowd", .action = i == 40 ? stop_most_and_begin_others : NULL};
        observe(messenger, NULL, &crowd[i]);
    }
    for (int i = 0; i < 3; i++) latecomers[i] = (struct probe){.name = "latecomer"};
    send_number(messenger, 1);
    for (int i = 0; i < CROWD; i++) {
        const bool is_stopped = i == CROWD - 1 || (i < CROWD - 20 && i != 40 && i % 10 != 5);
        /* Those of the batch before had been called already. */
        assert_int_equal(crowd[i].calls, i < 40 || !is_stopped);
    }
    for (int i = 0; i < 3; i++) assert_int_equal(latecomers[i].calls, 0);
    send_number(messenger, 2);
    for (int i = 0; i < 3; i++) assert_int_equal(latecomers[i].calls, 1);
    assert_int_equal(crowd[CROWD - 2].calls, 2);
}

enum { SENDERS = 20, MESSAGES = 300, ROUNDS = 100 };
static struct probe passing[ROUNDS][3];

HANDLER(count_call, calls) { __atomic_add_fetch((long *)calls, 1, __ATOMIC_RELAXED); }

TASK(send_many_numbers, messenger) {
    for (int i = 0; i < MESSAGES; i++) send_number(messenger, i);
}

/* More threads than can do without the lock; each observer that is there all the time gets each message once. */
TEST(many_threads_deliver_all_beside_observations_that_come_and_go) {
    OWN_OBSERVABLE *messenger = unordered_messenger();
    long calls[2] = {0, 0};
    for (int i = 0; i < 2; i++) ok(swo_observe(messenger, NULL, count_call, &calls[i], NULL, NULL));
    pthread_t senders[SENDERS];
    for (int i = 0; i < SENDERS; i++) senders[i] = begin_thread(send_many_numbers, messenger);
    for (int i = 0; i < ROUNDS; i++) {
        for (int one = 0; one < 3; one++) {
            passing[i][one] = (struct probe){.name = "passing"};
            observe(messenger, NULL, &passing[i][one]);
        }
        for (int one = 0; one < 3; one++) ok(swo_stop_and_wait(passing[i][one].observation));
    }
    for (int i = 0; i < SENDERS; i++) join_thread(senders[i]);
    for (int i = 0; i < 2; i++) assert_int_equal(calls[i], SENDERS * MESSAGES);
}

/* ---- who learns of a failure (law 25) ---- */

HANDLER(fail_at_one, messenger) {
    if (message->as.int64 == 1) swo_observable_fail(messenger);
}

/* Sends another message behind one that has failed. */
ACTION(send_two_behind_one) {
    if (message->as.int64 == 1) send_number(probe->observable, 2);
}

static swo_status status_of_sending(swo_observable *messenger, int64_t number) {
    swo_value value = swo_int64(number);
    return swo_send(messenger, &value, NULL);
}

/* The first sends take the lock, those after some more have a reader slot. */
TEST(a_failure_is_that_of_the_send_whose_message_failed_and_not_of_one_in_a_handler_behind_it) {
    struct probe nesting = {.name = "nesting", .action = send_two_behind_one};
    OWN_OBSERVABLE *messenger = unordered_messenger();
    ok(swo_observe(messenger, NULL, fail_at_one, messenger, NULL, NULL));
    observe(messenger, NULL, &nesting);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(status_of_sending(messenger, 1), SWO_CALLBACK_FAILED);
        for (int i = 0; i < 5000; i++) send_number(messenger, 3);
    }
}

static void send_what_is_refused(struct probe *probe) { must(status_of_sending(probe->observable, 2) == SWO_REFUSED); }

TEST(a_refusal_is_that_of_the_send_whose_message_was_refused_and_not_of_one_in_what_ends_behind_it) {
    long calls = 0;
    swo_executor executor;
    /* Released, it refuses all. */
    swo_queue *queue = new_queue(&executor);
    struct probe ending = {.name = "ending", .action = stop_self, .at_end = send_what_is_refused};
    OWN_OBSERVABLE *messenger = unordered_messenger();
    ok(swo_observe_on(messenger, NULL, &executor, count_call, &calls, NULL, NULL));
    swo_queue_release(queue);
    observe(messenger, NULL, &ending);
    assert_int_equal(status_of_sending(messenger, 1), SWO_REFUSED);
    assert_true(ending.calls == 1 && ending.destroyed == 1 && calls == 0);
}

THREAD(send_one_that_fails, messenger) {
    must(status_of_sending(messenger, 1) == SWO_CALLBACK_FAILED);
    return NULL;
}

ACTION(pass_gate_with_one) {
    if (message->as.int64 == 1) gate_pass(probe->gate);
}

TEST(a_failure_is_not_that_of_a_send_on_another_thread) {
    OWN_GATE *gate = gate_new();
    struct probe held = {.name = "held", .action = pass_gate_with_one, .gate = gate};
    OWN_OBSERVABLE *messenger = unordered_messenger();
    ok(swo_observe(messenger, NULL, fail_at_one, messenger, NULL, NULL));
    observe(messenger, NULL, &held);
    /* Its message has failed when it is held. */
    pthread_t failing = begin_held(send_one_that_fails, messenger, gate);
    send_number(messenger, 2);
    release_held(failing, gate);
}

/* Counts down, each number in the handler of the one before. */
ACTION(send_one_less) {
    if (message->as.int64 > 0) send_number(probe->observable, message->as.int64 - 1);
}

/* Whichever of the sends it is after which threads get their reader slots: it may be one in a handler of a message that
 * has none. */
TEST(sends_in_handlers_of_one_another_leave_the_next_sends_as_they_are) {
    enum { DEPTH = 100, ROUNDS = 100 };
    struct probe counting = {.name = "counting", .action = send_one_less};
    OWN_OBSERVABLE *messenger = unordered_messenger();
    observe(messenger, NULL, &counting);
    for (int round = 0; round < ROUNDS; round++) send_number(messenger, DEPTH);
    assert_int_equal(counting.calls, ROUNDS * (DEPTH + 1));
}

/* An observable that has been used by one thread for long is biased to it, and it is that very thread that takes the
 * order away. */
TEST(messages_of_the_thread_to_which_an_observable_is_biased_arrive_when_it_takes_the_order_away) {
    struct probe probe = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    for (int i = 0; i < 100; i++) send_number(messenger, i);
    ok(swo_observable_set_ordered(messenger, false));
    for (int i = 0; i < 100; i++) send_number(messenger, i);
    assert_int_equal(probe.calls, 200);
}

static struct {
    atomic_long count;
    atomic_bool are_over;
} sets;

TASK(set_until_over, variable) {
    while (!sets.are_over) set_number(variable, ++sets.count);
}

/* What was sent before a block still arrives, also while that lasts: the setter does not wait for its end. */
TEST(what_is_set_when_another_thread_blocks_comes_to_an_end) { /* Law 5 */
    struct probe probe = {.name = "a"};
    OWN_OBSERVABLE *variable = number_variable(0);
    ok(swo_observable_set_ordered(variable, false));
    observe(variable, NULL, &probe);
    sets.count = 0;
    sets.are_over = false;
    pthread_t setter = begin_thread(set_until_over, variable);
    for (long round = 0; round < scaled(3000); round++) {
        ok(swo_observable_block(variable));
        for (long before = sets.count; sets.count < before + 2;) sched_yield();
        ok(swo_observable_unblock(variable));
        for (long before = sets.count; sets.count < before + 2;) sched_yield();
    }
    sets.are_over = true;
    join_threads(setter);
}

/* One inside the other, where at each depth something ends that was called further out, and something that was not. */
enum { DEPTH = 300 };
struct nest {
    swo_observable *messenger;
    struct probe called[DEPTH], later[DEPTH];
    int depth;
};

HANDLER(send_deeper, context) {
    struct nest *nest = context;
    int depth = nest->depth++;
    if (depth == DEPTH) return;
    ok(depth % 2 ? swo_stop(nest->called[depth].observation) : swo_stop_and_wait(nest->called[depth].observation));
    send_number(nest->messenger, depth);
    ok(depth % 2 ? swo_stop_and_wait(nest->later[depth].observation) : swo_stop(nest->later[depth].observation));
    must(nest->called[depth].destroyed <= 1);
}

TEST(what_ends_at_each_depth_ends_once) { /* Laws 5, 7, 12 and 14 */
    struct nest *nest = calloc(1, sizeof *nest);
    nest->messenger = unordered_messenger();
    for (int i = 0; i < DEPTH; i++) observe(nest->messenger, NULL, &nest->called[i]);
    ok(swo_observe(nest->messenger, NULL, send_deeper, nest, NULL, NULL));
    for (int i = 0; i < DEPTH; i++) observe(nest->messenger, NULL, &nest->later[i]);
    send_number(nest->messenger, 0);
    for (int i = 0; i < DEPTH; i++) {
        /* Stopped on the way in: it got what was sent by then. */
        assert_int_equal(nest->called[i].calls, i + 1);
        /* Stopped on the way out: it got what was sent further in. */
        assert_int_equal(nest->later[i].calls, DEPTH - i);
        assert_true(nest->called[i].destroyed == 1 && nest->later[i].destroyed == 1);
    }
    swo_observable_release(nest->messenger);
    free(nest);
}
