/* SPDX-License-Identifier: MIT */
/* Delivery by executors, and the queue with a descriptor. */
#define _GNU_SOURCE
#include "support.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

static swo_observation observe_on(swo_queue *queue, swo_observable *observable, swo_handler handler, void *context,
                                  swo_destroy destroy) {
    swo_executor executor;
    swo_observation id;
    ok(swo_queue_executor(queue, &executor));
    ok(swo_observe_on(observable, NULL, &executor, handler, context, destroy, &id));
    return id;
}

HANDLER(append_number, journal) { journal_note(journal, "", message); }
HANDLER(append_letter, journal) { journal_note(journal, "b", message); }
HANDLER(count, number) { ++*(long *)number; }
static void note_destroy(void *number) { *(long *)number += 1000000; }

TEST(messages_wait_for_the_drain_and_come_in_order_among_all_observations) { /* Law 23 */
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, append_number, &journal, NULL);
    observe_on(queue, messenger, append_letter, &journal, NULL);
    assert_false(is_readable(queue));
    send_numbers(messenger, 1, 2);
    EXPECT_TRACE("");
    assert_true(is_readable(queue));
    assert_int_equal(drain(queue, 3), 3);
    assert_true(is_readable(queue));
    assert_int_equal(drain(queue, 0), 1);
    assert_false(is_readable(queue));
    EXPECT_TRACE("1 b1 2 b2");
}

/** The descriptor that the one of a queue watches. */
static int raised_in(int descriptor) {
    char path[64], line[128];
    int raised = -1;
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
    FILE *info = fopen(path, "r");
    must(info != NULL);
    while (fgets(line, sizeof line, info) != NULL) (void)!sscanf(line, "tfd: %d", &raised);
    fclose(info);
    return raised;
}

TEST(a_burst_of_sends_wakes_the_loop_once) {
    long calls = 0, burst = scaled(100000);
    uint64_t writes;
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, count, &calls, NULL);
    for (long i = 0; i < burst; i++) send_number(messenger, i);
    /* The descriptor in it counts what is written to it. */
    assert_int_equal(read(raised_in(swo_queue_fd(queue)), &writes, sizeof writes), sizeof writes);
    assert_int_equal(writes, 1);
    assert_int_equal(drain(queue, 0), burst);
    assert_int_equal(calls, burst);
}

TEST(a_queue_may_have_the_first_of_all_descriptors) {
    int saved = dup(0);
    close(0);
    swo_queue *queue = queue_of(0, SWO_QUEUE_BLOCK, NULL);
    int descriptor = swo_queue_fd(queue);
    swo_queue_release(queue);
    dup2(saved, 0);
    close(saved);
    assert_int_equal(descriptor, 0);
}

TEST(a_program_that_the_process_becomes_does_not_inherit_the_descriptor) {
    OWN_QUEUE *queue = new_queue(NULL);
    assert_true(fcntl(swo_queue_fd(queue), F_GETFD) & FD_CLOEXEC);
}

TEST(what_waits_for_a_dead_observable_can_still_be_stopped) { /* Laws 7 and 8 */
    long calls = 0;
    swo_observable *messenger = swo_messenger_new();
    OWN_QUEUE *queue = new_queue(NULL);
    swo_observation id = observe_on(queue, messenger, count, &calls, note_destroy);
    send_number(messenger, 1);
    swo_observable_release(messenger);
    assert_true(swo_is_living(id));
    ok(swo_stop(id));
    assert_int_equal(calls, 1000000);
    assert_int_equal(drain(queue, 0), 1);
    assert_int_equal(calls, 1000000);
    assert_int_equal(swo_stop_and_wait(id), SWO_NOT_FOUND);
}

TEST(a_queue_that_dies_drops_what_waits_and_refuses_what_comes) {
    long calls = 0;
    swo_queue *queue = new_queue(NULL);
    swo_observable *messenger = swo_messenger_new();
    swo_value text = swo_text("a text that has to be copied, to be seen when it leaks");
    observe_on(queue, messenger, count, &calls, note_destroy);
    ok(swo_send(messenger, &text, NULL));
    swo_queue_release(queue);
    assert_int_equal(swo_send(messenger, &text, NULL), SWO_REFUSED);
    assert_int_equal(calls, 0);
    swo_observable_release(messenger);
    assert_int_equal(calls, 1000000);
}

TEST(a_full_queue_refuses_or_drops_as_its_policy_says) {
    swo_value three = swo_int64(3);

    swo_queue *queue = queue_of(2, SWO_QUEUE_REFUSE, NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_observation id = observe_on(queue, messenger, append_number, &journal, NULL);
    send_numbers(messenger, 1, 2);
    assert_int_equal(swo_send(messenger, &three, NULL), SWO_REFUSED);
    drain(queue, 0);
    EXPECT_TRACE("1 2");
    swo_stop(id);
    swo_queue_release(queue);

    queue = queue_of(2, SWO_QUEUE_DROP_OLDEST, NULL);
    id = observe_on(queue, messenger, append_number, &journal, NULL);
    send_numbers(messenger, 1, 2);
    ok(swo_send(messenger, &three, NULL));
    drain(queue, 0);
    EXPECT_TRACE("2 3");
    swo_stop(id);
    swo_queue_release(queue);
}

TASK(send_ten, messenger) {
    for (long i = 0; i < 10; i++) send_number(messenger, i);
}

TEST(a_full_queue_can_let_the_sender_wait) {
    long calls = 0;
    OWN_QUEUE *queue = queue_of(2, SWO_QUEUE_BLOCK, NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, count, &calls, NULL);
    pthread_t sender = begin_thread(send_ten, messenger);
    while (calls < 10) {
        await_readable(queue);
        assert_true(drain(queue, 0) <= 2);
    }
    join_thread(sender);
    assert_int_equal(calls, 10);
}

/* The thread sanitizer has one of its own, by which it knows who holds what. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_ITS_OWN_WAIT
#endif
#endif
#if !defined(HAS_ITS_OWN_WAIT)
static struct gate *asleep;

/* The library finds this one. */
int pthread_cond_timedwait(pthread_cond_t *changed, pthread_mutex_t *mutex, const struct timespec *until) {
    if (asleep != NULL) {
        sem_post(&asleep->arrived);
        asleep = NULL;
    }
    int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    return next(changed, mutex, until);
}

TEST(a_sender_that_waits_for_room_sleeps) {
    long calls = 0;
    OWN_GATE *gate = asleep = gate_new();
    OWN_QUEUE *queue = queue_of(1, SWO_QUEUE_BLOCK, NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, count, &calls, NULL);
    pthread_t sender = begin_thread(send_ten, messenger);
    gate_await(gate);
    while (calls < 10) drain(queue, 0);
    join_thread(sender);
}
#endif

TEST(a_sender_that_waits_goes_on_when_its_observation_is_stopped) {
    struct probe a = PROBE("a");
    swo_executor executor;
    swo_queue *queue = queue_of(1, SWO_QUEUE_BLOCK, &executor);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_observation id;
    ok(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &id));
    pthread_t sender = begin_thread(send_ten, messenger);
    await_readable(queue);
    ok(swo_stop_and_wait(id));
    join_thread(sender);
    drain(queue, 0);
    assert_int_equal(a.calls, 0);
    /* Nor is anything left of it, once the queue has gone, too. */
    swo_queue_release(queue);
    assert_int_equal(a.destroyed, 1);
}

struct refiller {
    swo_observable *messenger;
    long calls;
};

HANDLER(send_two_more, context) {
    struct refiller *refiller = context;
    refiller->calls++;
    if (message->as.int64 == 0) send_numbers(refiller->messenger, 1, 2);
}

TEST(a_thread_that_drains_does_not_wait_for_itself) {
    struct refiller refiller = {swo_messenger_new(), 0};
    OWN_QUEUE *queue = queue_of(1, SWO_QUEUE_BLOCK, NULL);
    observe_on(queue, refiller.messenger, send_two_more, &refiller, NULL);
    send_number(refiller.messenger, 0);
    assert_int_equal(drain(queue, 0), 1);
    assert_int_equal(drain(queue, 0), 2);
    assert_int_equal(refiller.calls, 3);
    swo_observable_release(refiller.messenger);
}

static swo_job *kept_job;

static swo_status keep_job(void *context, swo_job *job) {
    kept_job = job;
    return SWO_OK;
}

static swo_status accept_nothing(void *context, swo_job *job) { return SWO_NO_MEMORY; }

static swo_status run_and_refuse(void *context, swo_job *job) {
    swo_job_run(job);
    return SWO_NO_MEMORY;
}

TEST(any_executor_serves_and_may_refuse_run_or_drop) {
    long calls = 0;
    swo_executor executor = SWO_EXECUTOR_INIT;
    swo_value one = swo_int64(1);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    executor.execute = keep_job;
    ok(swo_observe_on(messenger, NULL, &executor, count, &calls, NULL, NULL));
    send_number(messenger, 1);
    swo_job_run(kept_job);
    assert_int_equal(calls, 1);
    send_number(messenger, 2);
    swo_job_drop(kept_job);
    assert_int_equal(calls, 1);
    executor.execute = accept_nothing;
    ok(swo_observe_on(messenger, NULL, &executor, count, &calls, NULL, NULL));
    assert_int_equal(swo_send(messenger, &one, NULL), SWO_REFUSED);
    swo_job_run(kept_job);
    assert_int_equal(calls, 2);
    executor.execute = run_and_refuse;
    OWN_OBSERVABLE *other = swo_messenger_new();
    ok(swo_observe_on(other, NULL, &executor, count, &calls, note_destroy, NULL));
    assert_int_equal(swo_send(other, &one, NULL), SWO_REFUSED);
    assert_int_equal(calls, 3);
}

static swo_observation beginning;
static void stop_what_begins(void *context) { ok(swo_stop(beginning)); }

/* Its id is known before it observes anything. */
TEST(an_observation_may_be_stopped_while_its_executor_is_retained) { /* Laws 7, 11 and 12 */
    struct probe a = PROBE("a");
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = keep_job;
    executor.retain = stop_what_begins;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on(messenger, NULL, &executor, probe_receive, &a, probe_destroy, &beginning));
    assert_int_equal(a.destroyed, 1);
    assert_int_equal(swo_observable_count(messenger), 0);
    send_number(messenger, 1);
    assert_false(swo_is_living(beginning));
}

static swo_job *jobs[3];
static size_t job_count;

static swo_status keep_three_jobs(void *context, swo_job *job) {
    if (job_count == COUNT(jobs)) return SWO_NO_MEMORY;
    jobs[job_count++] = job;
    return SWO_OK;
}

TEST(a_refusal_leaves_what_was_taken_before_to_be_delivered) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    swo_observable *messenger = swo_messenger_new();
    job_count = 0;
    executor.execute = keep_three_jobs;
    ok(swo_observe_on(messenger, NULL, &executor, append_number, &journal, NULL, NULL));
    send_numbers(messenger, 1, 2);
    swo_job_run(jobs[0]);
    send_number(messenger, 3);
    assert_int_equal(swo_send(messenger, VALUE(swo_int64(4)), NULL), SWO_REFUSED);
    /* From here on what waits keeps what delivers it. */
    swo_observable_release(messenger);
    swo_job_run(jobs[1]);
    swo_job_run(jobs[2]);
    EXPECT_TRACE("1 2 3");
}

static swo_queue *dying;

HANDLER(release_at_second, calls) {
    if (++*(long *)calls == 2) swo_queue_release(dying);
}

TEST(what_is_dropped_in_a_drain_has_not_run) {
    for (size_t bound = 0; bound < 40; bound += 20) {
        long calls = 0;
        swo_observable *messenger = swo_messenger_new();
        dying = queue_of(bound, SWO_QUEUE_BLOCK, NULL);
        observe_on(dying, messenger, release_at_second, &calls, NULL);
        for (int i = 0; i < 10; i++) send_number(messenger, i);
        assert_int_equal(drain(dying, 0), 2);
        assert_int_equal(calls, 2);
        swo_observable_release(messenger);
    }
}

static swo_observable *resending;

HANDLER(send_on, rest) {
    if (message->as.int64 > 0) send_number(resending, message->as.int64 - 1);
}

/* No number is too large for what is the most. */
TEST(a_drain_runs_all_that_comes_if_it_is_asked_for_all) {
    static const size_t most[] = {SIZE_MAX, SIZE_MAX - 1, (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX};
    for (size_t way = 0; way < 2 * COUNT(most); way++) {
        size_t run = 0;
        swo_observable *messenger = swo_messenger_new();
        OWN_QUEUE *queue = queue_of(way % 2, SWO_QUEUE_BLOCK, NULL);
        resending = messenger;
        observe_on(queue, messenger, send_on, NULL, NULL);
        send_number(messenger, 100);
        ok(swo_queue_drain(queue, most[way / 2], &run));
        assert_int_equal(run, 101);
        swo_observable_release(messenger);
    }
}

struct follower {
    int64_t last;
    atomic_int inside;
    swo_queue *queue;
    swo_observable *messenger;
    atomic_long received, violations;
    size_t most;
};

HANDLER(follow, context) {
    struct follower *follower = context;
    if (++follower->inside != 1 || message->as.int64 != follower->last + 1) follower->violations++;
    follower->last = message->as.int64;
    follower->inside--;
    follower->received++;
}

TASK(drain_all, context) {
    struct follower *follower = context;
    while (follower->received < scaled(300000)) ok(swo_queue_drain(follower->queue, follower->most, NULL));
}

TASK(send_all, context) {
    struct follower *follower = context;
    for (int64_t number = 1; number <= scaled(300000); number++) send_number(follower->messenger, number);
}

/* Laws 4 and 23: several threads drain at the same time as another one sends. */
TEST(several_threads_that_drain_keep_the_order_of_one_observation) {
    for (size_t round = 0; round < 12; round++) {
        struct follower follower = {.queue = new_queue(NULL), .messenger = swo_messenger_new()};
        follower.most = round % 2;
        observe_on(follower.queue, follower.messenger, follow, &follower, NULL);
        run_threads({send_all, &follower}, {drain_all, &follower}, {drain_all, &follower}, {drain_all, &follower});
        assert_int_equal(follower.violations, 0);
        swo_observable_release(follower.messenger);
        swo_queue_release(follower.queue);
    }
}

/* ---- who is told of a refusal ---- */

HANDLER(send_ten_nested, messenger) {
    if (message->as.int64 == 0)
        for (int i = 1; i <= 10; i++) send_number(messenger, i);
}

/* A nested send returns before its message is delivered, and one that another thread delivers does, too: their senders
 * learn from the count of the observable that something was refused. */
TEST(a_sender_whose_message_waited_can_know_that_it_was_refused) {
    long calls = 0;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_QUEUE *queue = queue_of(2, SWO_QUEUE_REFUSE, NULL);
    ok(swo_observe(messenger, NULL, send_ten_nested, messenger, NULL, NULL));
    observe_on(queue, messenger, count, &calls, NULL);
    swo_status status = swo_send(messenger, VALUE(swo_int64(0)), NULL);
    drain(queue, 0);
    assert_int_equal(calls, 2);
    assert_int_equal(swo_observable_refused(messenger), 9);
    assert_int_equal(status, SWO_OK); /* its own message was taken */
}

static bool is_open(int descriptor) { return fcntl(descriptor, F_GETFD) != -1; }

TEST(the_descriptor_is_closed_with_the_last_owner_and_the_last_observation) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_queue *queue = new_queue(NULL);
    swo_observation id = observe_on(queue, messenger, append_number, &journal, NULL);
    const int descriptor = swo_queue_fd(queue);
    swo_queue_retain(queue);
    swo_queue_release(queue);
    ok(swo_stop(id));
    assert_true(is_open(descriptor));
    id = observe_on(queue, messenger, append_number, &journal, NULL);
    swo_queue_release(queue);
    assert_true(is_open(descriptor));
    ok(swo_stop(id));
    assert_false(is_open(descriptor));
}

static void count_retain(void *balance) { *(long *)balance += 1; }
static void count_release(void *balance) { *(long *)balance -= 1; }
static swo_job *waiting_job;
static swo_status keep_latest_job(void *balance, swo_job *job) {
    waiting_job = job;
    return SWO_OK;
}

TEST(an_executor_is_retained_for_each_observation_until_that_has_delivered_its_last_message) {
    long balance = 0;
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = keep_latest_job, executor.context = &balance;
    executor.retain = count_retain, executor.release = count_release;
    swo_observable *messenger = swo_messenger_new(), *other = swo_messenger_new();
    swo_observation id;
    ok(swo_observe_on(messenger, NULL, &executor, append_number, &journal, NULL, NULL));
    ok(swo_observe_on(other, NULL, &executor, append_letter, &journal, NULL, &id));
    assert_int_equal(balance, 2);
    send_number(messenger, 1);
    ok(swo_stop(id));
    assert_int_equal(balance, 1);
    RELEASE(messenger, other);
    assert_int_equal(balance, 1); /* its last message waits */
    swo_job_run(waiting_job);
    assert_int_equal(balance, 0);
    EXPECT_TRACE("1");
}
