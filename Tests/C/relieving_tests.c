/* SPDX-License-Identifier: MIT */
/* Law 4: a thread that has delivered its budget of what others sent offers the rest to one that sends. It offers while
 * it has let go of the runtime's lock, and so these tests know when: nothing is left to chance. */
#include "support.h"

enum { BUDGET = 2, MOST = 10 };

static swo_observable *messenger;
static struct probe a;
static pthread_t deliverers[MOST]; /* of each message */
static int64_t last;               /* of those that another thread sends during the first delivery */

static void (*while_offered)(void);
static atomic_int offers, returns;

static int is_held(void) { return 1; }
static void *let_go(void) {
    offers++;
    if (while_offered != NULL) while_offered();
    return &offers;
}
static void take_again(void *lock) {
    must(lock == &offers);
    returns++;
}
static const swo_runtime_lock lock = {sizeof lock, is_held, let_go, take_again};

TASK(send_to_last, nothing) {
    for (int64_t number = 1; number <= last; number++) send_number(messenger, number);
}

static void note_deliverer(const swo_value *message) { deliverers[message->as.int64] = pthread_self(); }

ACTION(let_another_send) {
    note_deliverer(message);
    if (message->as.int64 == 0) join_thread(begin_thread(send_to_last, NULL));
}

void set_up(void) {
    messenger = swo_messenger_new();
    ok(swo_observable_set_budget(messenger, BUDGET));
    ok(swo_set_runtime_lock(&lock));
    a = (struct probe)PROBE("a", .action = let_another_send);
    while_offered = NULL;
    offers = returns = 0;
    last = 5;
}

void tear_down(void) {
    ok(swo_set_runtime_lock(NULL));
    swo_observable_release(messenger);
}

static void expect_deliverer(pthread_t thread, int64_t first, int64_t end) {
    for (int64_t number = first; number < end; number++) assert_true(pthread_equal(deliverers[number], thread));
}

static void expect_offers(int count) {
    assert_int_equal(offers, count);
    assert_int_equal(returns, count);
}

/* ---- another thread takes over ---- */

static struct gate *gate;
static pthread_t successor;

TASK(send_six, nothing) { send_number(messenger, 6); }
static void let_another_take_over(void) { successor = begin_held(send_six, NULL, gate); }

/* The successor is held in the delivery of 3, until the send that it relieves has returned. */
ACTION(be_relieved) {
    let_another_send(probe, message, author);
    if (message->as.int64 == 3) {
        must(!pthread_equal(pthread_self(), deliverers[0]));
        gate_pass(gate);
    }
    if (message->as.int64 == 4) send_number(messenger, 7);
}

ACTION(stop_and_wait_at_five) {
    if (message->as.int64 == 5) ok(swo_stop_and_wait(probe->observation));
}

static void relieve(swo_status expected) {
    while_offered = let_another_take_over;
    gate = gate_new();
    a.action = be_relieved;
    observe(messenger, NULL, &a);
    assert_int_equal(swo_send(messenger, VALUE(swo_int64(0)), NULL), expected);
    EXPECT_TRACE("a0 a1 a2 a3");
    release_held(successor, gate);
    gate_free(gate);
    EXPECT_TRACE("a4 a5 a6 a7");
    expect_deliverer(pthread_self(), 0, 1 + BUDGET);
    expect_deliverer(successor, 1 + BUDGET, 8);
    expect_offers(1);
    while_offered = NULL;
    send_number(messenger, 8);
    EXPECT_TRACE("a8");
}

TEST(a_thread_that_has_delivered_its_budget_leaves_the_rest_to_one_that_sends) { relieve(SWO_OK); }

TEST(the_thread_that_takes_over_may_stop_and_wait_in_its_handler) { /* Law 7 */
    struct probe b = {.name = "b", .action = stop_and_wait_at_five};
    observe(messenger, NULL, &b);
    relieve(SWO_OK);
    assert_true(b.calls == 6 && b.destroyed == 1);
}

MAPPER(fail_at_zero, nothing, number) { return number->as.int64 == 0 ? SWO_CALLBACK_FAILED : SWO_OK; }

TEST(a_failure_before_the_relief_is_told_to_the_send_that_is_relieved) { /* Law 25 */
    OWN_OBSERVABLE *map;
    ok(swo_map(messenger, fail_at_zero, NULL, NULL, &map));
    relieve(SWO_CALLBACK_FAILED);
}

/* ---- no other thread does ---- */

static void expect_all_here(const char *trace, int count) {
    observe(messenger, NULL, &a);
    send_number(messenger, 0);
    EXPECT_TRACE(trace);
    expect_deliverer(pthread_self(), 0, last + 1);
    expect_offers(count);
}

TEST(what_no_thread_takes_over_is_offered_once_and_delivered) { expect_all_here("a0 a1 a2 a3 a4 a5", 1); }

TEST(a_thread_offers_nothing_where_nothing_waits) {
    last = BUDGET;
    expect_all_here("a0 a1 a2", 0);
}

ACTION(send_all_here) {
    note_deliverer(message);
    if (message->as.int64 == 0) send_to_last(NULL);
}

TEST(a_thread_offers_nothing_of_what_it_sent_itself) {
    a.action = send_all_here;
    expect_all_here("a0 a1 a2 a3 a4 a5", 0);
}

ACTION(release_at_two) {
    let_another_send(probe, message, author);
    if (message->as.int64 == 2) swo_observable_release(messenger);
}

TEST(what_is_released_is_offered_to_no_thread) { /* Law 8 */
    a.action = release_at_two;
    expect_all_here("a0 a1 a2 a3 a4 a5", 0);
    messenger = NULL;
    assert_int_equal(a.destroyed, 1);
}

ACTION(interrupt_at_two) {
    let_another_send(probe, message, author);
    if (message->as.int64 == 2) swo_observable_interrupt(messenger);
}

TEST(what_is_interrupted_is_left_in_line_without_an_offer) {
    a.action = interrupt_at_two;
    observe(messenger, NULL, &a);
    send_number(messenger, 0);
    EXPECT_TRACE("a0 a1 a2");
    expect_offers(0);
    send_number(messenger, 6);
    EXPECT_TRACE("a3 a4 a5 a6");
}

/* ---- by a queue ---- */

/* As many as a thread delivers of what others have drained, before it offers the rest. */
enum { DRAINED = 1000 };

static swo_queue *queue;

TASK(drain_all, nothing) { drain(queue, 0); }

TASK(send_last_and_drain, nothing) {
    send_number(messenger, DRAINED + 2);
    drain(queue, 0);
}

static void let_another_drain(void) { join_thread(begin_thread(send_last_and_drain, NULL)); }

/* Each message one more than the one before. */
HANDLER(count_in_order, count) {
    must(message->as.int64 == (*(int64_t *)count)++);
    if (message->as.int64 != 0) return;
    for (int64_t number = 1; number <= DRAINED + 1; number++) send_number(messenger, number);
    join_thread(begin_thread(drain_all, NULL));
}

TEST(a_drain_that_takes_over_delivers_its_own_message_after_the_others) { /* Law 23 */
    int64_t count = 0;
    swo_executor executor;
    queue = new_queue(&executor);
    ok(swo_observe_on(messenger, NULL, &executor, count_in_order, &count, NULL, NULL));
    send_number(messenger, 0);
    while_offered = let_another_drain;
    drain(queue, 0);
    expect_offers(1);
    assert_int_equal(count, DRAINED + 3);
    swo_queue_release(queue);
}
