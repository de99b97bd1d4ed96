/* SPDX-License-Identifier: MIT */
/* A queue without a bound takes the messages of one observation out in one go. Only its speed may show it. */
#include "support.h"
#include <malloc.h>

/* A handler that does something with the third message. */
struct receiver {
    struct journal *journal;
    const char *name;
    void (*at_third)(struct receiver *receiver);
    swo_queue *queue;
    swo_observable *messenger;
    swo_observation id;
    long calls, ended;
};

HANDLER(receive, context) {
    struct receiver *receiver = context;
    if (receiver->journal != NULL) journal_note(receiver->journal, receiver->name, message);
    if (++receiver->calls == 3 && receiver->at_third != NULL) receiver->at_third(receiver);
}

static void end(void *context) { ((struct receiver *)context)->ended++; }

static swo_queue *queue;
static swo_executor executor;

void set_up(void) { queue = new_queue(&executor); }
void tear_down(void) { swo_queue_release(queue); }

static void begin_on(const swo_executor *executor, struct receiver *receiver) {
    ok(swo_observe_on(receiver->messenger, NULL, executor, receive, receiver, end, &receiver->id));
}

static void begin(struct receiver *receiver) { begin_on(&executor, receiver); }

static void send_from_to(swo_observable *messenger, int64_t first, int64_t last) {
    for (int64_t number = first; number <= last; number++) send_number(messenger, number);
}

/* ---- what a handler does, with messages behind it that are on their way already ---- */

static void stop_itself(struct receiver *receiver) { ok(swo_stop(receiver->id)); }

TEST(what_follows_the_message_with_which_a_handler_stops_is_dropped) { /* Law 7 */
    struct receiver receiver = {.at_third = stop_itself, .messenger = swo_messenger_new()};
    begin(&receiver);
    send_from_to(receiver.messenger, 1, 200);
    assert_int_equal(drain(queue, 0), 200);
    assert_int_equal(receiver.calls, 3);
    assert_int_equal(receiver.ended, 1);
    swo_observable_release(receiver.messenger);
}

static void release_the_queue(struct receiver *receiver) {
    swo_queue_release(receiver->queue);
    queue = NULL;
}

TEST(a_handler_that_releases_the_queue_receives_no_more) {
    struct receiver receiver = {.at_third = release_the_queue, .queue = queue, .messenger = swo_messenger_new()};
    struct receiver other = {.messenger = receiver.messenger};
    swo_value text = swo_text("more than thirty-two bytes, so that something has to be freed");
    begin(&receiver);
    begin(&other);
    for (int i = 0; i < 100; i++) ok(swo_send(receiver.messenger, &text, NULL));
    size_t run = drain(queue, 0);
    assert_true(run >= 5 && run <= 200);
    assert_int_equal(receiver.calls, 3);
    assert_int_equal(other.calls, 2);
    assert_int_equal(swo_send(receiver.messenger, &text, NULL), SWO_REFUSED);
    swo_observable_release(receiver.messenger);
    assert_int_equal(receiver.ended + other.ended, 2);
}

static void drain_within(struct receiver *receiver) { must(drain(receiver->queue, 0) > 0); }

TEST(a_drain_within_a_handler_keeps_the_order_of_each_observation) { /* Laws 3 and 23 */
    struct journal journal = {0}, others = {0};
    struct receiver receiver = {&journal, "", drain_within, queue, swo_messenger_new(), 0, 0, 0};
    struct receiver other = {.journal = &others, .name = "b", .messenger = receiver.messenger};
    begin(&receiver);
    begin(&other);
    send_from_to(receiver.messenger, 1, 6);
    drain(queue, 0);
    EXPECT_TRACE("1 2 3 4 5 6");
    assert_journal(&others, "b1 b2 b3 b4 b5 b6");
    swo_observable_release(receiver.messenger);
}

/* ---- order, bounds, and what is in the way ---- */

TEST(a_drain_takes_no_more_than_it_was_told_to) {
    struct receiver receiver = {.messenger = swo_messenger_new()};
    begin(&receiver);
    send_from_to(receiver.messenger, 1, 1000);
    for (size_t most = 1; most <= 40; most++) assert_int_equal(drain(queue, most), most);
    assert_int_equal(receiver.calls, 820);
    assert_int_equal(drain(queue, 0), 180);
    assert_int_equal(drain(queue, 0), 0);
    swo_observable_release(receiver.messenger);
}

TEST(observations_take_turns_as_messages_were_sent) { /* Law 23 */
    struct receiver one = {.journal = &journal, .name = "a", .messenger = swo_messenger_new()};
    struct receiver two = {.journal = &journal, .name = "b", .messenger = swo_messenger_new()};
    begin(&one);
    begin(&two);
    send_from_to(one.messenger, 1, 2);
    send_from_to(two.messenger, 3, 4);
    send_from_to(one.messenger, 5, 5);
    send_from_to(two.messenger, 6, 6);
    assert_int_equal(drain(queue, 0), 6);
    EXPECT_TRACE("a1 a2 b3 b4 a5 b6");
    RELEASE(one.messenger, two.messenger);
}

TEST(what_waits_is_lost_if_its_turn_comes_in_a_block) {
    struct receiver receiver = {.journal = &journal, .name = "", .messenger = swo_messenger_new()};
    begin(&receiver);
    send_from_to(receiver.messenger, 1, 4);
    ok(swo_block(receiver.id));
    send_number(receiver.messenger, 5);
    assert_int_equal(drain(queue, 2), 2);
    ok(swo_unblock(receiver.id));
    send_number(receiver.messenger, 6);
    assert_int_equal(drain(queue, 0), 3);
    EXPECT_TRACE("3 4 6");
    swo_observable_release(receiver.messenger);
}

/* ---- whom the queue keeps ---- */

static long users;
static swo_executor within;

static swo_status pass_on(void *context, swo_job *job) { return within.execute(within.context, job); }
static void retain_user(void *context) { users++; }
static void release_user(void *context) { users--; }

/* An executor may pass its jobs on to the queue's. */
TEST(jobs_of_another_executor_come_in_order_among_the_messages) {
    swo_executor outer = SWO_EXECUTOR_INIT;
    struct receiver direct = {.journal = &journal, .name = "a", .messenger = swo_messenger_new()};
    struct receiver wrapped = {.journal = &journal, .name = "b", .messenger = direct.messenger};
    OWN_QUEUE *queue = new_queue(&within);
    outer.execute = pass_on;
    outer.retain = retain_user;
    outer.release = release_user;
    begin_on(&within, &direct);
    begin_on(&outer, &wrapped);
    send_from_to(direct.messenger, 1, 3);
    swo_observable_release(direct.messenger);
    assert_int_equal(users, 1);
    assert_int_equal(drain(queue, 0), 6);
    EXPECT_TRACE("a1 b1 a2 b2 a3 b3");
    assert_int_equal(users, 0);
    assert_int_equal(direct.ended + wrapped.ended, 2);
}

TEST(what_has_ended_is_let_go_while_others_keep_the_queue_busy) { /* Law 8 */
    struct receiver ending = {.messenger = swo_messenger_new()}, going_on = {.messenger = swo_messenger_new()};
    begin(&ending);
    begin(&going_on);
    send_from_to(ending.messenger, 1, 1);
    swo_observable_release(ending.messenger);
    for (int i = 0; i < 200; i++) {
        send_from_to(going_on.messenger, 1, 2);
        assert_int_equal(drain(queue, 1), 1);
    }
    assert_int_equal(ending.calls, 1);
    assert_int_equal(ending.ended, 1);
    swo_observable_release(going_on.messenger);
    swo_queue_release(queue);
    queue = NULL;
    assert_int_equal(going_on.ended, 1);
}

HANDLER(copy_last, last) {
    swo_value_clear(last);
    ok(swo_value_copy(message, last));
}

TEST(updates_of_texts_arrive_whole) {
    swo_value value = swo_text("before, and too long to be kept without memory of its own"), last = swo_null();
    swo_observable *variable;
    ok(swo_variable_new(&value, &variable));
    ok(swo_observe_on(variable, NULL, &executor, copy_last, &last, NULL, NULL));
    ok(swo_variable_set(variable, VALUE(swo_text("after")), NULL));
    swo_observable_release(variable);
    assert_int_equal(drain(queue, 0), 1);
    assert_int_equal(last.kind, SWO_KIND_UPDATE);
    assert_memory_equal(last.as.update->old_value.as.bytes.data, value.as.bytes.data, value.as.bytes.size);
    assert_string_equal(last.as.update->new_value.as.bytes.data, "after");
    swo_value_clear(&last);
}

struct rusher {
    swo_observable *messenger;
    long count;
};

TASK(rush, context) {
    struct rusher *rusher = context;
    send_from_to(rusher->messenger, 1, rusher->count);
}

HANDLER(expect_next, seen) { must(message->as.int64 == ++*(int64_t *)seen); }

TEST(a_thread_that_waits_for_the_descriptor_gets_all_that_others_send) { /* Laws 4 and 23 */
    enum { SENDERS = 2 };
    struct rusher rushers[SENDERS];
    pthread_t threads[SENDERS];
    int64_t seen[SENDERS] = {0};
    long each = scaled(200000);
    for (int i = 0; i < SENDERS; i++) {
        rushers[i] = (struct rusher){swo_messenger_new(), each};
        ok(swo_observe_on(rushers[i].messenger, NULL, &executor, expect_next, &seen[i], NULL, NULL));
        threads[i] = begin_thread(rush, &rushers[i]);
    }
    for (size_t run = 0; run < (size_t)(SENDERS * each); run += drain(queue, 0)) await_readable(queue);
    for (int i = 0; i < SENDERS; i++) {
        join_thread(threads[i]);
        assert_int_equal(seen[i], each);
        swo_observable_release(rushers[i].messenger);
    }
    assert_false(is_readable(queue));
}

static size_t bytes_in_use(void) {
    struct mallinfo2 memory = mallinfo2();
    return memory.uordblks + memory.hblkhd;
}

/* Not under sanitizers and valgrind, whose memory is their own. */
static bool is_memory_counted(void) {
    size_t before = bytes_in_use();
    void *volatile some = malloc(1 << 20);
    bool is_counted = bytes_in_use() >= before + (1 << 20);
    free(some);
    return is_counted;
}

TEST(what_bursts_have_taken_is_kept_for_a_while_and_up_to_a_limit) {
    if (!is_memory_counted()) skip();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, ignore_message, NULL, NULL, NULL));
    send_from_to(messenger, 1, 1);
    drain(queue, 0);
    size_t before = bytes_in_use();
    for (int burst = 0; burst < 3; burst++) {
        send_from_to(messenger, 1, 200000); /* almost 10 MB */
        drain(queue, 0);
        assert_true(bytes_in_use() <= before + (3300 << 10));
    }
    assert_true(bytes_in_use() >= before + (sizeof(void *) == 8 ? 2500 << 10 : 1250 << 10));
    for (long burst = 0; burst < 80000; burst++) {
        send_from_to(messenger, 1, 1);
        drain(queue, 0);
    }
    assert_true(bytes_in_use() <= before + (100 << 10));
}

enum { MANY = 100000 };

HANDLER(note_memory_at_the_last, bytes) {
    if (message->as.int64 == MANY) *(size_t *)bytes = bytes_in_use();
}

/* Before the drain has ended: what has been passed is kept for the next burst, up to that limit, and no longer than
 * that. */
TEST(what_is_drained_gives_its_memory_back_as_it_goes) {
    size_t at_last = 0;
    if (!is_memory_counted()) skip();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, note_memory_at_the_last, &at_last, NULL, NULL));
    send_from_to(messenger, 1, 1);
    drain(queue, 0);
    const size_t before = bytes_in_use();
    send_from_to(messenger, 1, MANY);
    assert_true(bytes_in_use() - before > 10 * 100000);
    assert_int_equal(drain(queue, 0), MANY);
    assert_true(at_last - before < 100000);
}
