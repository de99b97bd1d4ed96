/* SPDX-License-Identifier: MIT */
/* Observables that are confined to the thread of a loop: elsewhere a call is refused, or its message handed over. */
#include "support.h"

static swo_observable *messenger, *variable;
static swo_queue *queue;
static swo_executor loop;
static struct probe a;

void set_up(void) {
    messenger = swo_messenger_new(), variable = number_variable(0);
    queue = new_queue(&loop);
    a = (struct probe)PROBE("a");
}

void tear_down(void) {
    RELEASE(messenger, variable);
    swo_queue_release(queue);
}

static void confine(const swo_executor *executor) {
    ok(swo_observable_confine(messenger, executor));
    ok(swo_observable_confine(variable, executor));
}

#define WRONG_THREAD(call) must((call) == SWO_WRONG_THREAD)

static void call_send(swo_call *call, swo_observable *observable) {
    static const swo_object_type type = {sizeof type, NULL, NULL, NULL};
    *call = (swo_call)SWO_CALL_INIT;
    call->observable = observable, call->type = &type, call->success = call;
    swo_caller caller = {{NULL, NULL}, call};
    (void)swo_call_send(&caller, NULL);
}

/* ---- refused ---- */

TASK(try_everything, context) {
    const swo_value number = swo_int64(7), text = swo_text("seven");
    const swo_update change = {swo_int64(0), swo_int64(7)};
    const swo_value update = swo_update_value(&change);
    WITH_EACH(const swo_value *, WRONG_THREAD(swo_send(messenger, *each, NULL)), &number, &text, &update);
    WITH_EACH(const swo_value *, WRONG_THREAD(swo_send_later(messenger, *each, NULL)), &number, &text, &update);
    WRONG_THREAD(swo_send(variable, &update, NULL));
    WITH_EACH(const swo_value *, WRONG_THREAD(swo_variable_set(variable, *each, NULL)), &number, &text);
    WRONG_THREAD(swo_variable_update(variable, plus_one, NULL, NULL));
    WRONG_THREAD(swo_variable_begin_batch(variable));
    WRONG_THREAD(swo_variable_end_batch(variable));
    WRONG_THREAD(swo_send_latest(variable, NULL));
    swo_call call;
    call_send(&call, messenger);
    WRONG_THREAD(call.status);
    struct probe late = PROBE("late");
    WRONG_THREAD(swo_observe_with(variable, WITH(.replay = 1), probe_receive, &late, probe_destroy, NULL));
    must(late.destroyed == 1);
    /* What is bad is so anywhere. */
    must(swo_send(variable, &number, NULL) == SWO_WRONG_KIND);
    must(swo_variable_set(variable, &update, NULL) == SWO_WRONG_KIND);
    must(swo_variable_set(messenger, &number, NULL) == SWO_WRONG_KIND);
}

TEST(what_is_confined_refuses_what_another_thread_sends_and_nothing_has_happened) {
    confine(NULL);
    observe(messenger, NULL, &a);
    struct probe b = PROBE("b");
    observe(variable, NULL, &b);
    join_thread(begin_thread(try_everything, NULL));
    EXPECT_TRACE("");
    assert_int_equal(number_of(variable), 0);
    send_number(messenger, 1);
    set_number(variable, 2);
    ok(swo_variable_update(variable, plus_one, NULL, NULL));
    ok(swo_variable_begin_batch(variable));
    set_numbers(variable, 4, 5);
    ok(swo_variable_end_batch(variable));
    ok(swo_send_latest(variable, NULL));
    EXPECT_TRACE("a1 b(0,2) b(2,3) b(3,5) b(5,5)");
    RELEASE(messenger, variable);
    messenger = variable = NULL;
}

TASK(do_all_else, context) {
    struct probe *late = context;
    must(number_of(variable) == 1);
    ok(swo_observe(messenger, NULL, probe_receive, late, probe_destroy, &late->observation));
    must(swo_observable_count(messenger) == 1);
    ok(swo_observable_block(variable));
    ok(swo_observable_unblock(variable));
    ok(swo_observable_set_name(messenger, "confined"));
}

TEST(all_but_sending_is_for_any_thread) {
    confine(NULL);
    set_number(variable, 1);
    join_thread(begin_thread(do_all_else, &a));
    send_number(messenger, 1);
    ok(swo_stop(a.observation));
    EXPECT_TRACE("a1");
}

TEST(a_variable_that_another_thread_has_used_for_long_refuses_it_once_it_is_confined) {
    OWN_OBSERVABLE *used = variable;
    variable = NULL;
    /* Long enough for it to lean to this thread. */
    for (int i = 1; i <= 10000; i++) set_number(used, i), number_of(used);
    ok(swo_observable_confine(used, NULL));
    set_number(used, 0);
    variable = used;
    messenger = (swo_observable_release(messenger), swo_messenger_new());
    ok(swo_observable_confine(messenger, NULL));
    join_thread(begin_thread(try_everything, NULL));
    assert_int_equal(number_of(used), 0);
    variable = NULL;
}

TEST(what_cannot_be_confined_says_so) {
    OWN_OBSERVABLE *deferred = deferred_variable(1);
    OWN_OBSERVABLE *map = NULL;
    ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
    assert_int_equal(swo_observable_confine(deferred, NULL), SWO_WRONG_KIND);
    assert_int_equal(swo_observable_confine(map, NULL), SWO_WRONG_KIND);
    confine(&loop);
    assert_int_equal(swo_observable_confine(messenger, NULL), SWO_INVALID_ARGUMENT);
}

/* ---- handed over ---- */

struct sender {
    int64_t first;
    long count;
};

/* Numbers that tell the sender and the place in its sequence, sent and set in turn. */
TASK(send_sequence, context) {
    const struct sender *sender = context;
    for (long i = 0; i < sender->count; i++) {
        swo_value value = swo_int64(sender->first + i);
        ok(swo_send(messenger, &value, NULL));
        ok(swo_variable_set(variable, &value, NULL));
    }
}

enum { SENDERS = 3, FAR = 1000000 };

struct heard {
    pthread_t loop;
    long count;
    int64_t next[SENDERS];
};

static void hear_number(struct heard *heard, int64_t number) {
    must(pthread_equal(heard->loop, pthread_self()));
    must(number == heard->next[number / FAR]++);
    heard->count++;
}
HANDLER(hear_message, context) { hear_number(context, message->as.int64); }
HANDLER(hear_update, context) { hear_number(context, message->as.update->new_value.as.int64); }

TEST(what_is_handed_over_arrives_in_each_senders_order_on_the_thread_of_the_loop_alone) {
    long count = scaled(20000);
    struct heard messages = {pthread_self(), 0, {0, FAR, 2 * FAR}}, updates = messages;
    struct sender senders[SENDERS];
    pthread_t threads[SENDERS];
    set_number(variable, -1);
    confine(&loop);
    ok(swo_observe(messenger, NULL, hear_message, &messages, NULL, NULL));
    ok(swo_observe(variable, NULL, hear_update, &updates, NULL, NULL));
    for (int i = 0; i < SENDERS; i++) {
        senders[i] = (struct sender){i * FAR, count};
        threads[i] = begin_thread(send_sequence, &senders[i]);
    }
    while (messages.count < SENDERS * count || updates.count < SENDERS * count) {
        await_readable(queue);
        drain(queue, 0);
    }
    for (int i = 0; i < SENDERS; i++) join_thread(threads[i]);
    assert_int_equal(messages.count, SENDERS * count);
    assert_int_equal(updates.count, SENDERS * count);
    assert_int_equal(swo_observable_refused(messenger) + swo_observable_refused(variable), 0);
}

TASK(send_texts, author) {
    char text[] = "short lived";
    const swo_update change = {swo_int64(1), swo_text(text)};
    swo_value borrowed = swo_text(text), update = swo_update_value(&change);
    ok(swo_send(messenger, &borrowed, author));
    ok(swo_send(messenger, &update, author));
    ok(swo_variable_set(variable, &borrowed, author));
    ok(swo_send_latest(variable, author));
    swo_call call;
    call_send(&call, messenger);
    must(call.status == SWO_OK);
    memset(text, '-', sizeof text);
}

static const void *sole_author;
ACTION(expect_author) { must(author == (message->kind == SWO_KIND_OBJECT ? (const void *)messenger : sole_author)); }

TEST(what_is_handed_over_is_a_copy_by_its_author) {
    a.action = expect_author;
    struct probe b = PROBE("b", .action = expect_author);
    sole_author = &a;
    confine(&loop);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    join_thread(begin_thread(send_texts, &a));
    EXPECT_TRACE("");
    assert_int_equal(number_of(variable), 0);
    assert_int_equal(drain(queue, 0), 5);
    assert_int_equal(a.calls, 3);
    EXPECT_TRACE("ashort lived a(1,short lived) b(0,short lived) b(0,0) aobject");
    RELEASE(messenger, variable);
    messenger = variable = NULL;
}

TEST(what_waits_keeps_the_observable_and_arrives_although_it_was_released) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, &loop));
    join_thread(begin_thread(send_one_number, messenger));
    swo_observable_release(messenger);
    messenger = NULL;
    assert_int_equal(a.destroyed, 0);
    drain(queue, 0);
    assert_int_equal(a.destroyed, 1);
    EXPECT_TRACE("a1");
}

TASK(drain_on_thread, unused) { drain(queue, 0); }

TEST(what_is_dropped_or_run_elsewhere_is_lost_and_counted) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, &loop));
    for (int i = 0; i < 2; i++) join_thread(begin_thread(send_one_number, messenger));
    join_thread(begin_thread(drain_on_thread, NULL));
    assert_int_equal(swo_observable_refused(messenger), 2);
    join_thread(begin_thread(send_one_number, messenger));
    swo_queue_release(queue);
    queue = NULL;
    assert_int_equal(swo_observable_refused(messenger), 3);
    EXPECT_TRACE("");
    ok(swo_stop(a.observation));
}

TASK(be_refused, context) { WRONG_THREAD(swo_send(messenger, VALUE(swo_int64(1)), NULL)); }

TEST(a_message_that_the_executor_refuses_has_not_been_sent) {
    observe(messenger, NULL, &a);
    OWN_QUEUE *full = queue_of(1, SWO_QUEUE_REFUSE, &loop);
    ok(swo_observable_confine(messenger, &loop));
    join_thread(begin_thread(send_one_number, messenger));
    join_thread(begin_thread(be_refused, NULL));
    assert_int_equal(drain(full, 0), 1);
    EXPECT_TRACE("a1");
    ok(swo_stop(a.observation));
}

TEST(a_full_queue_that_blocks_lets_the_sender_wait_for_the_loop) {
    OWN_QUEUE *narrow = queue_of(2, SWO_QUEUE_BLOCK, &loop);
    struct heard heard = {pthread_self(), 0, {0, 0, 0}}, updates = heard;
    set_number(variable, -1);
    confine(&loop);
    ok(swo_observe(messenger, NULL, hear_message, &heard, NULL, NULL));
    ok(swo_observe(variable, NULL, hear_update, &updates, NULL, NULL));
    struct sender sender = {0, 100};
    pthread_t thread = begin_thread(send_sequence, &sender);
    while (heard.count + updates.count < 200) drain(narrow, 0);
    join_thread(thread);
}

/* ---- replays ---- */

static void begin_late(struct probe *late) {
    ok(swo_observe_with(variable, WITH(.replay = 1, .executor = &loop, .begins_on_executor = true), probe_receive, late,
                        probe_destroy, &late->observation));
}
TASK(begin_late_there, late) { begin_late(late); }

TEST(an_observation_with_a_replay_that_begins_on_the_executor_begins_on_the_thread_of_the_loop_or_ends) {
    struct probe b = PROBE("b");
    ok(swo_observable_confine(variable, NULL));
    join_thread(begin_thread(begin_late_there, &a));
    while (drain(queue, 0) > 0) {}
    EXPECT_TRACE("a(0,0)");
    begin_late(&b);
    assert_true(swo_is_living(b.observation));
    join_thread(begin_thread(drain_on_thread, NULL));
    assert_false(swo_is_living(b.observation));
    assert_int_equal(b.destroyed, 1);
    set_number(variable, 1);
    ok(swo_stop(a.observation));
    EXPECT_TRACE("");
    drain(queue, 0);
}

/* ---- handlers need no lock ---- */

static atomic_bool over;
static void hear_alone(void *count, const swo_value *message, const void *author) { ++*(long *)count; }

TASK(disturb, context) {
    while (!over) {
        swo_observation id;
        swo_observable *map = NULL;
        ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &id));
        ok(swo_map(messenger, map_to_same, NULL, NULL, &map));
        ok(swo_block(id));
        ok(swo_unblock(id));
        ok(swo_stop(id));
        ok(swo_transform_set_source(map, variable));
        number_of(variable);
        swo_observable_release(map);
    }
}

TEST(whatever_other_threads_do_the_handlers_are_called_on_the_thread_of_the_loop_alone) {
    long rounds = scaled(20000), count = 0; /* not atomic: the thread sanitizer looks */
    over = false;
    confine(&loop);
    struct heard updates = {pthread_self(), 0, {0, 0, 0}};
    ok(swo_observe(messenger, NULL, hear_alone, &count, NULL, NULL));
    set_number(variable, -1);
    ok(swo_observe(variable, NULL, hear_update, &updates, NULL, NULL));
    struct sender sender = {0, rounds};
    pthread_t threads[] = {begin_thread(disturb, NULL), begin_thread(send_sequence, &sender)};
    for (long i = 0; i < rounds; i++) send_number(messenger, i);
    while (count < 2 * rounds || updates.count < rounds) drain(queue, 0);
    over = true;
    join_threads(threads[0], threads[1]);
    assert_int_equal(count, 2 * rounds);
}
