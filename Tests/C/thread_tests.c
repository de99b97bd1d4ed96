/* SPDX-License-Identifier: MIT */
/* Law 4: several threads send to one observable; nothing is lost, doubled or out of order. */
#include "support.h"

#include <limits.h>

enum { SENDERS = 3, OBSERVERS = 3 };

static pthread_t delivering;

ACTION(note_thread_and_pass_gate) {
    if (message->as.int64 == 1) {
        delivering = pthread_self();
        gate_pass(probe->gate);
    } else {
        must(pthread_equal(delivering, pthread_self()));
    }
}

static struct probe a, b, c;

/* What this thread does to a messenger, which a and b observe, while another one is held in the handler of a. Should a
 * call wait for the other thread, the test would wait for ever. */
static void while_another_delivers(void (*act)(swo_observable *messenger)) {
    swo_observable *messenger = swo_messenger_new();
    OWN_GATE *gate = gate_new();
    a = (struct probe)PROBE("a", .action = note_thread_and_pass_gate, .gate = gate);
    b = (struct probe)PROBE("b");
    c = (struct probe)PROBE("c");
    observe(messenger, NULL, &a, &b);
    pthread_t thread = begin_held(send_one_number, messenger, gate);
    act(messenger);
    assert_int_equal(a.calls, 1);
    release_held(thread, gate);
    swo_observable_release(messenger);
}

static void send_two(swo_observable *messenger) { send_numbers(messenger, 2, 3); }

TEST(a_send_hands_its_message_to_the_thread_that_is_delivering_and_returns) {
    while_another_delivers(send_two);
    EXPECT_TRACE("a1 b1 a2 b2 a3 b3");
}

static void send_and_join(swo_observable *messenger) {
    send_number(messenger, 2);
    observe(messenger, NULL, &c);
}

TEST(an_observation_begun_on_another_thread_during_a_delivery_receives_the_next_message_first) { /* Law 6 */
    while_another_delivers(send_and_join);
    EXPECT_TRACE("a1 b1 a2 b2 c2");
}

static void join_and_stop(swo_observable *messenger) {
    observe(messenger, NULL, &c);
    ok(swo_stop(b.observation));
    ok(swo_stop(a.observation)); /* its call may finish */
    send_number(messenger, 2);
}

TEST(an_observation_stopped_on_another_thread_during_a_delivery_is_skipped_in_it) { /* Law 7 */
    while_another_delivers(join_and_stop);
    EXPECT_TRACE("a1 c2");
}

/* What one observer received of all senders, in order. Written by whichever thread delivers, one at a time. */
struct record {
    int64_t *messages;
    atomic_long count;
    atomic_int inside;
};

HANDLER(record_message, context) {
    struct record *record = context;
    must(record->inside++ == 0);
    record->messages[record->count++] = message->as.int64;
    record->inside--;
}

struct sender {
    swo_observable *messenger;
    int64_t number;
    long count;
};

TASK(send_sequence, context) {
    struct sender *sender = context;
    for (long i = 0; i < sender->count; i++) send_number(sender->messenger, i * SENDERS + sender->number);
}

TEST(every_message_of_every_sender_arrives_once_and_in_order) {
    long count = scaled(100000);
    struct record records[OBSERVERS] = {0};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    struct sender senders[SENDERS] = {{messenger, 0, count}, {messenger, 1, count}, {messenger, 2, count}};
    for (int i = 0; i < OBSERVERS; i++) {
        records[i].messages = malloc((size_t)(SENDERS * count) * sizeof(int64_t));
        ok(swo_observe(messenger, NULL, record_message, &records[i], NULL, NULL));
    }
    run_with_each(send_sequence, senders);

    int64_t next[SENDERS] = {0};
    for (int i = 0; i < OBSERVERS; i++) assert_int_equal(records[i].count, SENDERS * count);
    for (long i = 0; i < SENDERS * count; i++) {
        int64_t message = records[0].messages[i];
        assert_int_equal(message / SENDERS, next[message % SENDERS]++);
        /* Law 1: all receive the same order, whatever it is. */
        for (int k = 1; k < OBSERVERS; k++) assert_int_equal(records[k].messages[i], message);
    }
    for (int i = 0; i < OBSERVERS; i++) free(records[i].messages);
}

TASK(increment_often, context) {
    struct sender *sender = context;
    for (long i = 0; i < sender->count; i++) ok(swo_variable_update(sender->messenger, plus_one, NULL, NULL));
}

static void record_new_value(void *context, const swo_value *update, const void *author) {
    record_message(context, &update->as.update->new_value, author);
}

TEST(no_increment_of_any_thread_is_lost) { /* Law 17 */
    long count = scaled(50000);
    struct record record = {.messages = malloc((size_t)(SENDERS * count) * sizeof(int64_t))};
    OWN_OBSERVABLE *variable = number_variable(0);
    struct sender sender = {variable, 0, count};
    ok(swo_observe(variable, NULL, record_new_value, &record, NULL, NULL));
    run_on_threads(SENDERS, increment_often, &sender);
    assert_int_equal(number_of(variable), SENDERS * count);
    assert_int_equal(record.count, SENDERS * count);
    for (long i = 0; i < SENDERS * count; i++) assert_int_equal(record.messages[i], i + 1);
    free(record.messages);
}

TASK(set_sequence, context) {
    struct sender *sender = context;
    for (long i = 0; i < sender->count; i++) set_number(sender->messenger, i * SENDERS + sender->number);
}

static void check_link(void *context, const swo_value *update, const void *author) {
    atomic_llong *latest = context;
    must(update->as.update->old_value.as.int64 == *latest);
    must(update->as.update->new_value.as.int64 != *latest);
    *latest = update->as.update->new_value.as.int64;
}

/* Laws 15 and 17: the order of the updates is the order of the values. */
TEST(the_updates_of_a_variable_form_a_chain) {
    atomic_llong latest = -1;
    long count = scaled(50000);
    OWN_OBSERVABLE *variable = number_variable(-1);
    struct sender senders[SENDERS] = {{variable, 0, count}, {variable, 1, count}, {variable, 2, count}};
    ok(swo_observe(variable, NULL, check_link, &latest, NULL, NULL));
    run_with_each(set_sequence, senders);
    assert_int_equal(latest, number_of(variable));
}

/* Two threads that send for as long as a third one delivers for them. */
static struct {
    swo_observable *messenger;
    atomic_bool is_over;
    atomic_long sent;
    int64_t last[2];
    pthread_t threads[2];
} busy;

/* The lock of an interpreter, in one of the tests. */
static pthread_mutex_t interpreter = PTHREAD_MUTEX_INITIALIZER;
static bool is_interpreted;
static _Thread_local int is_inside;

static int is_held(void) { return is_inside; }

static void *let_go(void) {
    is_inside = 0;
    pthread_mutex_unlock(&interpreter);
    return &interpreter;
}

static void take_again(void *lock) {
    pthread_mutex_lock(lock);
    is_inside = 1;
}

static const swo_runtime_lock runtime_lock = {sizeof runtime_lock, is_held, let_go, take_again};

TASK(send_until_relieved, number) {
    int64_t sender = number != NULL;
    for (int64_t i = 1; !busy.is_over; i++) {
        if (is_interpreted) take_again(&interpreter);
        send_number(busy.messenger, sender << 40 | i);
        if (is_interpreted) let_go();
        busy.sent++;
    }
}

HANDLER(check_order_of_each, context) {
    int64_t sender = message->as.int64 >> 40;
    if (message->as.int64 == 0) {
        /* From here on this thread delivers what the others send. */
        for (int i = 0; i < 2; i++) busy.threads[i] = begin_thread(send_until_relieved, i ? &busy : NULL);
        if (is_interpreted) let_go();
        while (busy.sent < 100) sched_yield();
        if (is_interpreted) take_again(&interpreter);
        return;
    }
    /* As an interpreter does from time to time. */
    if (is_interpreted && message->as.int64 % 64 == 0) {
        let_go();
        sched_yield();
        take_again(&interpreter);
    }
    /* Slower than two threads send. */
    for (volatile int i = 0; i < 2000; i++) continue;
    must((message->as.int64 & ((1LL << 40) - 1)) == busy.last[sender] + 1);
    busy.last[sender]++;
}

/* Sends until others take over. */
static swo_status send_until_another_delivers(swo_observable *messenger) {
    busy.messenger = messenger;
    busy.is_over = false;
    busy.sent = busy.last[0] = busy.last[1] = 0;
    ok(swo_observe(messenger, NULL, check_order_of_each, NULL, NULL, NULL));
    if (is_interpreted) take_again(&interpreter);
    const swo_status status = swo_send(messenger, VALUE(swo_int64(0)), NULL);
    busy.is_over = true;
    if (is_interpreted) let_go();
    for (int i = 0; i < 2; i++) join_thread(busy.threads[i]);
    assert_int_equal(busy.last[0] + busy.last[1], busy.sent);
    return status;
}

static void be_relieved(void) {
    static const size_t budgets[] = {1000, 1, 7};
    for (size_t i = 0; i < COUNT(budgets); i++) {
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        ok(swo_observable_set_budget(messenger, budgets[i]));
        assert_int_equal(send_until_another_delivers(messenger), SWO_OK);
    }
}

static swo_status refuse_the_first(void *refused, swo_job *job) {
    if (!atomic_exchange((atomic_bool *)refused, true)) return SWO_CALLBACK_FAILED;
    swo_job_drop(job);
    return SWO_OK;
}

/* The others find all well: what was refused was not theirs. */
TEST(a_relieved_send_still_tells_that_its_own_message_was_refused) {
    atomic_bool refused = false;
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = refuse_the_first;
    executor.context = &refused;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observable_set_budget(messenger, 10));
    ok(swo_observe_on(messenger, NULL, &executor, ignore_message, NULL, NULL, NULL));
    assert_int_equal(send_until_another_delivers(messenger), SWO_REFUSED);
    assert_int_equal(swo_observable_refused(messenger), 1);
}

MAPPER(fail_at_first, nothing, message_in) { return message_in->as.int64 == 0 ? SWO_CALLBACK_FAILED : SWO_OK; }

/* Law 25 */
TEST(a_relieved_send_still_tells_that_a_transform_has_failed) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map = NULL;
    ok(swo_observable_set_budget(messenger, 10));
    ok(swo_map(messenger, fail_at_first, NULL, NULL, &map));
    assert_int_equal(send_until_another_delivers(messenger), SWO_CALLBACK_FAILED);
}

/* One that sends, and one that delivers for it as long as it does. */
static struct {
    swo_observable *messenger;
    atomic_long sent, received;
    long number;
    pthread_t thread, first;
} patient;

TASK(send_some, nothing) {
    for (patient.sent = 0; patient.sent < patient.number; patient.sent++) {
        /* So that it sends to the end, and could take over. */
        while (patient.sent - patient.received > 10) sched_yield();
        send_number(patient.messenger, 1);
    }
}

HANDLER(receive_here, nothing) {
    if (message->as.int64 == 0) patient.thread = begin_thread(send_some, NULL);
    must(pthread_equal(pthread_self(), patient.first));
    /* So that always one waits. */
    while (patient.sent < patient.number && patient.sent <= patient.received) sched_yield();
    patient.received++;
}

TEST(a_thread_without_a_budget_delivers_until_nothing_waits) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    patient.messenger = messenger, patient.first = pthread_self();
    /* More than the budget that an observable has by itself. */
    patient.number = 2000 + scaled(20000), patient.received = 0;
    ok(swo_observable_set_budget(messenger, 0));
    ok(swo_observe(messenger, NULL, receive_here, NULL, NULL, NULL));
    send_number(messenger, 0);
    join_thread(patient.thread);
    assert_int_equal(patient.received, patient.number + 1);
}

/* Law 4: the send of one thread ends although others never stop sending: one of those goes on delivering. */
TEST(a_thread_that_delivers_for_others_is_relieved) { be_relieved(); }

TEST(a_thread_that_delivers_for_others_is_relieved_also_where_all_send_under_the_lock_of_a_runtime) {
    ok(swo_set_runtime_lock(&runtime_lock));
    is_interpreted = true;
    be_relieved();
    is_interpreted = false;
    ok(swo_set_runtime_lock(NULL));
}

static struct {
    swo_observable *number;
    atomic_bool is_over;
    /* The message that is being sent, or is about to be. */
    atomic_long latest;
} endless;

/* Sends by hand what is never replayed: the latest message stays 0. */
TASK(send_straight, nothing) {
    for (int64_t i = 1; !endless.is_over; i++) {
        endless.latest = i;
        send_number(endless.number, i);
    }
}

HANDLER(want_the_replay_first, count) {
    must((message->as.int64 == 0) == (atomic_fetch_add((atomic_int *)count, 1) == 0));
}

/* Law 19. Each observation ends soon, many of them before their replay has had its turn. */
TEST(an_observation_receives_nothing_before_its_replay_whatever_another_thread_sends) {
    OWN_OBSERVABLE *variable = NULL, *content = NULL, *number = NULL;
    ok(swo_variable_new(VALUE(swo_int64(0)), &variable));
    ok(swo_new_values(variable, &content));
    ok(swo_map(content, map_to_same, NULL, NULL, &number));
    ok(swo_observe(number, NULL, ignore_message, NULL, NULL, NULL));
    endless.number = number, endless.is_over = false;
    pthread_t sender = begin_thread(send_straight, NULL);
    for (long i = 0, count = scaled(200000); i < count; i++) {
        atomic_int received = 0;
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        swo_observation id;
        options.replay = 1;
        ok(swo_observe_with(number, &options, want_the_replay_first, &received, NULL, &id));
        ok(swo_stop_and_wait(id));
    }
    endless.is_over = true;
    join_thread(sender);
}

/* So many that the block of their handlers grows and shrinks. */
enum { JOINERS = 4, JOINING = 20 };
static pthread_barrier_t all_have_ended;

HANDLER(want_one, count) { must(atomic_fetch_add((atomic_int *)count, 1) == 0); }

TASK(begin_with_a_replay_and_end, variable) {
    for (long round = 0, rounds = scaled(20000); round < rounds; round++) {
        swo_observation ids[JOINING];
        atomic_int received[JOINING] = {0};
        for (int i = 0; i < JOINING; i++)
            ok(swo_observe_with(variable, WITH(.replay = 1), want_one, &received[i], NULL, &ids[i]));
        for (int i = 0; i < JOINING; i++) {
            while (received[i] == 0) sched_yield();
            ok(swo_stop_and_wait(ids[i]));
        }
        pthread_barrier_wait(&all_have_ended);
    }
}

/* Law 19 */
TEST(an_observation_receives_its_replay_once_while_other_threads_begin_and_end_theirs) {
    OWN_OBSERVABLE *variable = number_variable(0);
    swo_observation blocked;
    ok(swo_observe(variable, NULL, ignore_message, NULL, NULL, &blocked));
    /* So that each handler is looked up before its call. */
    ok(swo_block(blocked));
    pthread_barrier_init(&all_have_ended, NULL, JOINERS);
    run_on_threads(JOINERS, begin_with_a_replay_and_end, variable);
    pthread_barrier_destroy(&all_have_ended);
    assert_int_equal(swo_observable_count(variable), 1);
}

HANDLER(want_none_after, last) { must(message->as.int64 <= *(atomic_long *)last); }

TEST(a_blocked_observation_receives_nothing_as_it_ends_whatever_another_thread_sends) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    endless.number = messenger, endless.is_over = false;
    pthread_t sender = begin_thread(send_straight, NULL);
    for (long i = 0, count = scaled(200000); i < count; i++) {
        atomic_long last = LONG_MAX;
        swo_observation id;
        ok(swo_observe(messenger, NULL, want_none_after, &last, NULL, &id));
        ok(swo_block(id));
        /* It may be under way; the next one is not. */
        last = endless.latest;
        for (long pause = i % 16; pause > 0; pause--) (void)swo_is_living(id);
        ok(swo_stop_and_wait(id));
    }
    endless.is_over = true;
    join_thread(sender);
}
