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
    /* Long enough for it to be biased to this thread. */
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
    EXPECT_TRACE("ashort lived a(1,short lived) b(0,short lived) b(short lived,short lived) aobject");
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

TASK(be_refused, context) { must(swo_send(messenger, VALUE(swo_int64(1)), NULL) == SWO_REFUSED); }

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

/* ---- handed over, and transactions ---- */

TASK(set_in_a_transaction, unused) {
    ok(swo_transaction_begin());
    WRONG_THREAD(swo_variable_set(variable, VALUE(swo_int64(1)), NULL));
    ok(swo_send(messenger, VALUE(swo_int64(1)), NULL));
    ok(swo_transaction_abort());
}

TEST(a_transaction_does_not_leave_a_change_to_another_thread) {
    confine(&loop);
    run_threads({set_in_a_transaction, NULL});
    drain(queue, 1);
    assert_int_equal(number_of(variable), 0);
}

static swo_status set_in_a_function(void *status, swo_value *out) {
    *(swo_status *)status = swo_variable_set(variable, VALUE(swo_int64(1)), NULL);
    GIVE(swo_int64(0));
}

TASK(compute, status) {
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(set_in_a_function, status, NULL, &derived));
    must(number_of(derived) == 0);
}

TEST(a_function_does_not_leave_a_change_to_another_thread) {
    confine(&loop);
    swo_status status = SWO_OK;
    run_threads({compute, &status});
    assert_int_equal(status, SWO_COMPUTING);
    drain(queue, 0);
    assert_int_equal(number_of(variable), 0);
}

TASK(set_to_one, unused) { ok(swo_variable_set(variable, VALUE(swo_int64(1)), NULL)); }

static swo_status drain_in_a_function(void *unused, swo_value *out) {
    (void)unused;
    drain(queue, 1);
    GIVE(swo_int64(0));
}

TEST(what_another_thread_has_set_is_no_part_of_what_the_loop_does_meanwhile) {
    OWN_OBSERVABLE *own = number_variable(0), *derived;
    confine(&loop);
    ok(swo_observe(variable, NULL, probe_receive, &a, probe_destroy, NULL));
    run_threads({set_to_one, NULL});
    ok(swo_transaction_begin());
    set_number(own, 1);
    drain(queue, 1);
    /* All others see it. */
    assert_int_equal(a.calls, 1);
    ok(swo_transaction_abort());
    assert_int_equal(number_of(own), 0);
    assert_int_equal(number_of(variable), 1);
    set_number(variable, 0);
    run_threads({set_to_one, NULL});
    ok(swo_derived_new(drain_in_a_function, NULL, NULL, &derived));
    assert_int_equal(number_of(derived), 0);
    assert_int_equal(number_of(variable), 1);
    EXPECT_TRACE("a(0,1) a(1,0) a(0,1)");
}

/* ---- handed over, and blocked ---- */

TASK(send_and_set_one, unused) {
    ok(swo_send(messenger, VALUE(swo_int64(1)), NULL));
    ok(swo_variable_set(variable, VALUE(swo_int64(1)), NULL));
}

static void block_both(void) {
    ok(swo_observable_block(messenger));
    ok(swo_observable_block(variable));
}

static void unblock_both(void) {
    ok(swo_observable_unblock(messenger));
    ok(swo_observable_unblock(variable));
}

TEST(what_was_handed_over_before_a_block_arrives_although_its_job_is_run_within_it) {
    struct probe b = PROBE("b");
    confine(&loop);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    join_thread(begin_thread(send_and_set_one, NULL));
    block_both();
    drain(queue, 0);
    EXPECT_TRACE("a1 b(0,1)");
    send_number(messenger, 2), set_number(variable, 2);
    EXPECT_TRACE("");
    unblock_both();
    RELEASE(messenger, variable);
    messenger = variable = NULL;
}

TEST(what_is_handed_over_within_a_block_is_dropped_although_its_job_is_run_after_it) {
    struct probe b = PROBE("b");
    confine(&loop);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    block_both();
    join_thread(begin_thread(send_and_set_one, NULL));
    ok(swo_observable_block(variable));
    unblock_both();
    ok(swo_observable_unblock(variable));
    drain(queue, 0);
    EXPECT_TRACE("");
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(swo_observable_refused(messenger) + swo_observable_refused(variable), 0);
    RELEASE(messenger, variable);
    messenger = variable = NULL;
}

TEST(what_is_handed_over_within_a_batch_is_a_part_of_it) {
    struct probe b = PROBE("b");
    confine(&loop);
    observe(variable, NULL, &b);
    join_thread(begin_thread(send_and_set_one, NULL));
    ok(swo_variable_begin_batch(variable));
    set_number(variable, 5);
    drain(queue, 0);
    EXPECT_TRACE("");
    ok(swo_variable_end_batch(variable));
    EXPECT_TRACE("b(0,1)");
    swo_observable_release(variable);
    variable = NULL;
}

TASK(send_latest, unused) { ok(swo_send_latest(variable, NULL)); }

TEST(the_latest_message_that_another_thread_sends_is_that_of_the_moment_in_which_its_job_sends_it) {
    struct probe b = PROBE("b");
    confine(&loop);
    observe(variable, NULL, &b);
    join_thread(begin_thread(send_latest, NULL));
    set_number(variable, 7);
    drain(queue, 0);
    EXPECT_TRACE("b(0,7) b(7,7)");
    swo_observable_release(variable);
    variable = NULL;
}

/* ---- what is left in line ---- */

static void leave_in_line(int64_t number) { ok(swo_send_later(messenger, VALUE(swo_int64(number)), NULL)); }
TASK(release_messenger, unused) { swo_observable_release(messenger); }

static void release_elsewhere(void) {
    join_thread(begin_thread(release_messenger, NULL));
    messenger = NULL;
}

TEST(what_is_left_in_line_is_lost_with_what_another_thread_releases_and_its_contexts_end) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, NULL));
    leave_in_line(1);
    release_elsewhere();
    EXPECT_TRACE("");
    assert_int_equal(a.destroyed, 1);
}

TEST(what_is_left_in_line_arrives_by_a_job_where_another_thread_releases_what_has_an_executor) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, &loop));
    leave_in_line(1);
    release_elsewhere();
    assert_int_equal(a.destroyed, 0);
    assert_int_equal(drain(queue, 0), 1);
    EXPECT_TRACE("a1");
    assert_int_equal(a.destroyed, 1);
}

TEST(what_is_left_in_line_is_lost_where_the_job_that_ends_it_is_run_elsewhere) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, &loop));
    leave_in_line(1);
    release_elsewhere();
    join_thread(begin_thread(drain_on_thread, NULL));
    EXPECT_TRACE("");
    assert_int_equal(a.destroyed, 1);
}

TEST(what_is_left_in_line_arrives_where_its_own_thread_releases_it) {
    observe(messenger, NULL, &a);
    ok(swo_observable_confine(messenger, &loop));
    leave_in_line(1);
    swo_observable_release(messenger);
    messenger = NULL;
    EXPECT_TRACE("a1");
}

static swo_observable *follower, *another;
TASK(change_source_and_back, unused) {
    ok(swo_transform_set_source(follower, another));
    ok(swo_transform_set_source(follower, messenger));
}

TEST(a_source_that_changes_elsewhere_leaves_what_waits_to_the_home_thread) {
    another = swo_messenger_new();
    ok(swo_map(messenger, times_ten, NULL, NULL, &follower));
    struct probe b = PROBE("b");
    observe(messenger, NULL, &a);
    observe(follower, NULL, &b);
    ok(swo_observable_confine(messenger, NULL));
    leave_in_line(1);
    for (int i = 0; i < 3; i++) join_thread(begin_thread(change_source_and_back, NULL));
    EXPECT_TRACE("");
    send_number(messenger, 2);
    EXPECT_TRACE("b10 a1 a2 b20");
    assert_int_equal(swo_observable_count(messenger), 2);
    assert_int_equal(swo_observable_count(another), 0);
    RELEASE(messenger, follower, another);
    messenger = NULL;
}

TEST(a_source_that_changes_elsewhere_while_nothing_waits_sends_its_next_message_once) {
    another = swo_messenger_new();
    ok(swo_map(messenger, times_ten, NULL, NULL, &follower));
    observe(follower, NULL, &a);
    ok(swo_observable_confine(messenger, NULL));
    for (int i = 0; i < 3; i++) join_thread(begin_thread(change_source_and_back, NULL));
    assert_int_equal(swo_observable_count(messenger), 1);
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("a10 a20");
    RELEASE(messenger, follower, another);
    messenger = NULL;
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

/* ---- whose thread ---- */

TASK(confine_there, unused) { confine(NULL); }
TASK(be_elsewhere, unused) {
    WRONG_THREAD(swo_send(messenger, VALUE(swo_int64(1)), NULL));
    WRONG_THREAD(swo_variable_set(variable, VALUE(swo_int64(1)), NULL));
}

TEST(a_thread_that_begins_where_the_home_thread_has_ended_is_another_one) {
    join_thread(begin_thread(confine_there, NULL));
    for (int i = 0; i < 20; i++) join_thread(begin_thread(be_elsewhere, NULL));
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

struct ascending {
    pthread_t home;
    int64_t last;
};
HANDLER(hear_each_once, context) {
    struct ascending *heard = context;
    must(pthread_equal(heard->home, pthread_self()));
    must(message->as.int64 == ++heard->last);
}
/* It may miss what is sent while it has another source. */
HANDLER(hear_none_twice, context) {
    struct ascending *heard = context;
    must(message->as.int64 > heard->last);
    heard->last = message->as.int64;
}

TASK(change_source_for_ever, unused) {
    while (!over) change_source_and_back_task(NULL);
}

TEST(while_another_thread_changes_sources_each_message_arrives_once_on_the_thread_of_the_loop) {
    over = false;
    another = swo_messenger_new();
    ok(swo_map(messenger, map_to_same, NULL, NULL, &follower));
    struct ascending direct = {pthread_self(), 0}, behind = {pthread_self(), 0};
    ok(swo_observe(messenger, NULL, hear_each_once, &direct, NULL, NULL));
    ok(swo_observe(follower, NULL, hear_none_twice, &behind, NULL, NULL));
    ok(swo_observable_confine(messenger, NULL));
    pthread_t thread = begin_thread(change_source_for_ever, NULL);
    long rounds = scaled(200000);
    for (long i = 1; i <= rounds; i++) {
        /* Time in which nothing is being delivered, so that the other thread finds that, too. */
        for (volatile int pause = 0; pause < 300; pause++) {}
        send_number(messenger, i);
        must(direct.last == i);
    }
    over = true;
    join_thread(thread);
    /* Whatever it met, it has come back. */
    send_number(messenger, rounds + 1);
    must(behind.last == rounds + 1);
    RELEASE(follower, another);
}
