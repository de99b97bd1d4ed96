/* SPDX-License-Identifier: MIT */
/* Law 4: a thread that sends while another one delivers returns, however far it is ahead. With the 32nd, 64th, 128th,
 * ... message that waits it stands back first, in four rounds at most, which these tests count: each begins with a call
 * of sched_yield(), and the library finds the one below. */
#include "support.h"

static swo_observable *messenger;
static struct probe a;
static int64_t count; /* how many messages are sent while the first one is delivered */

static _Thread_local void (*while_standing_back)(void);
static _Thread_local int yields;
int sched_yield(void) {
    yields++;
    if (while_standing_back != NULL) while_standing_back();
    return 0;
}

void set_up(void) {
    messenger = swo_messenger_new();
    a = (struct probe){.name = "a"};
    yields = 0;
}

void tear_down(void) { swo_observable_release(messenger); }

TASK(send_all, rounds) {
    for (int64_t number = 1; number <= count; number++) send_number(messenger, number);
    *(int *)rounds = yields;
}

/* Each message is one more than the one before. */
static void expect_next(struct probe *probe, const swo_value *message) { must(message->as.int64 == probe->number++); }

static int rounds_of_another;

ACTION(let_another_send) {
    expect_next(probe, message);
    if (message->as.int64 == 0) join_thread(begin_thread(send_all, &rounds_of_another));
}

static int rounds_ahead_of_a_delivery_by(int64_t messages) {
    count = messages;
    a.action = let_another_send;
    a.number = 0;
    send_number(messenger, 0);
    assert_int_equal(a.number, 1 + messages);
    return rounds_of_another;
}

TEST(a_thread_that_is_far_ahead_stands_back_and_returns) {
    observe(messenger, NULL, &a);
    assert_int_equal(rounds_ahead_of_a_delivery_by(31), 0);
    assert_int_equal(rounds_ahead_of_a_delivery_by(32), 4);
    assert_int_equal(rounds_ahead_of_a_delivery_by(63), 4);
    assert_int_equal(rounds_ahead_of_a_delivery_by(64), 8);
    assert_int_equal(rounds_ahead_of_a_delivery_by(1000), 4 * 5);
    assert_int_equal(yields, 0);
}

/* The handler that delivers may wait for that lock. */
static int is_held(void) { return 1; }
static void *let_go(void) { return NULL; }
static void take_again(void *unused) { (void)unused; }
static const swo_runtime_lock lock = {sizeof lock, is_held, let_go, take_again};

TEST(a_thread_that_holds_the_lock_of_a_runtime_does_not_stand_back) {
    observe(messenger, NULL, &a);
    ok(swo_set_runtime_lock(&lock));
    assert_int_equal(rounds_ahead_of_a_delivery_by(100), 0);
    ok(swo_set_runtime_lock(NULL));
    assert_int_equal(rounds_ahead_of_a_delivery_by(100), 8);
}

ACTION(send_all_here) {
    expect_next(probe, message);
    if (message->as.int64 == 0) send_all(&rounds_of_another);
}

TEST(a_handler_that_sends_does_not_stand_back) {
    count = 100;
    a.action = send_all_here;
    observe(messenger, NULL, &a);
    send_number(messenger, 0);
    assert_int_equal(a.number, 101);
    assert_int_equal(rounds_of_another, 0);
}

static struct gate *gate;
static void wait_at_gate(void) {
    while_standing_back = NULL;
    gate_pass(gate);
}

TASK(send_all_and_wait, rounds) {
    while_standing_back = wait_at_gate;
    send_all_task(rounds);
}

static pthread_t ahead;

ACTION(release_at_the_end) {
    expect_next(probe, message);
    if (message->as.int64 == 0) ahead = begin_held(send_all_and_wait, &rounds_of_another, gate);
    if (message->as.int64 == count) swo_observable_release(messenger);
}

TEST(what_a_handler_releases_is_there_until_the_sender_has_stood_back) {
    gate = gate_new();
    count = 32;
    a.action = release_at_the_end;
    observe(messenger, NULL, &a);
    send_number(messenger, 0);
    messenger = NULL;
    assert_int_equal(a.number, 33);
    assert_int_equal(a.destroyed, 1);
    release_held(ahead, gate);
    assert_int_equal(rounds_of_another, 1);
    gate_free(gate);
}

/* ---- one that has delivered for others ---- */

TASK(send_the_last, nothing) { send_number(messenger, count + 1); }

static void let_another_take_over(void) {
    while_standing_back = NULL;
    join_thread(begin_thread(send_the_last, NULL));
    assert_int_equal(a.number, count + 2);
}

ACTION(let_another_send_and_take_over) {
    let_another_send(probe, message, author);
    if (message->as.int64 == 0) while_standing_back = let_another_take_over;
}

/* In its first round another one does, and delivers all. */
TEST(one_that_offers_the_rest_stands_back_until_it_is_taken_over) {
    ok(swo_observable_set_budget(messenger, 2));
    count = 10;
    a.action = let_another_send_and_take_over;
    observe(messenger, NULL, &a);
    send_number(messenger, 0);
    assert_int_equal(a.number, 12);
    assert_int_equal(yields, 1);
}
