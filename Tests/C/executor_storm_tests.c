/* SPDX-License-Identifier: MIT */
/* Senders, executors of every kind, and owners that let go, all at once: nothing may be called too late, twice at
 * once, or be left over. */
#include "support.h"

enum { LIVING = 0x11FE, ENDED = 0xDEAD, OBSERVATIONS = 3, JOBS = 4096 };

static atomic_long begun, ended, calls;

struct receiver {
    atomic_int state, inside;
    atomic_bool *is_over; /* that it was stopped and waited for; or NULL */
};

static struct receiver *new_receiver(atomic_bool *is_over) {
    struct receiver *receiver = calloc(1, sizeof *receiver);
    must(receiver != NULL);
    receiver->state = LIVING;
    receiver->is_over = is_over;
    begun++;
    return receiver;
}

static void destroy_receiver(void *context) {
    struct receiver *receiver = context;
    must(atomic_exchange(&receiver->state, ENDED) == LIVING);
    must(receiver->inside == 0);
    ended++;
    free(receiver);
}

HANDLER(receive, context) {
    struct receiver *receiver = context;
    must(receiver->state == LIVING);
    must(receiver->is_over == NULL || !*receiver->is_over);
    must(atomic_fetch_add(&receiver->inside, 1) == 0);
    ok(swo_value_check(message));
    calls++;
    must(atomic_fetch_sub(&receiver->inside, 1) == 1);
}

/* ---- an executor that keeps no order ---- */

static struct {
    pthread_mutex_t lock;
    swo_job *jobs[JOBS];
    size_t count;
    uint64_t random;
    atomic_long users;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static swo_status throw_in(void *context, swo_job *job) {
    pthread_mutex_lock(&pool.lock);
    bool accepts = pool.count < JOBS && chance(&pool.random, 8) != 0;
    if (accepts) {
        size_t place = chance(&pool.random, (unsigned)++pool.count);
        pool.jobs[pool.count - 1] = pool.jobs[place];
        pool.jobs[place] = job;
    }
    pthread_mutex_unlock(&pool.lock);
    return accepts ? SWO_OK : SWO_NO_MEMORY;
}

/* Runs or drops some job. */
static bool fish_out(void) {
    pthread_mutex_lock(&pool.lock);
    swo_job *job = pool.count > 0 ? pool.jobs[--pool.count] : NULL;
    bool drops = chance(&pool.random, 6) == 0;
    pthread_mutex_unlock(&pool.lock);
    if (drops) swo_job_drop(job);
    else swo_job_run(job);
    return job != NULL;
}

static void use_pool(void *users) { ++*(atomic_long *)users; }
static void leave_pool(void *users) { --*(atomic_long *)users; }

/* ---- who takes part ---- */

struct round {
    swo_observable *messenger;
    swo_executor executor;
    swo_queue *queue; /* NULL: the pool */
    swo_observation observations[OBSERVATIONS];
    atomic_bool is_over[OBSERVATIONS];
    atomic_int sending;
};

TASK(send_and_let_go, context) {
    struct round *round = context;
    swo_value number = swo_int64(1), text = swo_text("a text that has to be copied, so that it is seen if it leaks");
    for (int i = 0; i < 30; i++) {
        swo_status status = swo_send(round->messenger, i % 2 ? &number : &text, NULL);
        must(status == SWO_OK || status == SWO_REFUSED);
    }
    swo_observable_release(round->messenger);
    round->sending--;
}

static void take_some(struct round *round, size_t most) {
    if (round->queue != NULL) ok(swo_queue_drain(round->queue, most, NULL));
    else
        for (size_t i = 0; i < most; i++) fish_out();
}

TASK(take_while_they_send, context) {
    struct round *round = context;
    while (round->sending > 0) take_some(round, 3);
}

static void stop_and_wait(struct round *round, int which) {
    swo_stop_and_wait(round->observations[which]);
    round->is_over[which] = true;
}

TASK(stop_one, round) { stop_and_wait(round, 0); }

static void let_it_rage(struct round *round, bool ordered, bool waits) {
    round->messenger = swo_messenger_new();
    ok(swo_observable_set_ordered(round->messenger, ordered));
    for (int i = 0; i < OBSERVATIONS; i++)
        ok(swo_observe_on(round->messenger, NULL, &round->executor, receive, new_receiver(&round->is_over[i]),
                          destroy_receiver, &round->observations[i]));
    round->sending = 2;
    swo_observable_retain(round->messenger);
    pthread_t threads[] = {begin_thread(send_and_let_go, round), begin_thread(send_and_let_go, round),
                           begin_thread(take_while_they_send, round), begin_thread(stop_one, round)};
    if (waits) stop_and_wait(round, 1);
    take_while_they_send(round);
    for (int i = 0; i < 4; i++) join_thread(threads[i]);
}

TEST(an_executor_may_run_jobs_in_any_order_side_by_side_drop_and_refuse_them) { /* Laws 4, 5, 7, 8, 12 and 23 */
    calls = begun = ended = 0;
    for (long i = 0; i < scaled(600); i++) {
        struct round round = {.executor = SWO_EXECUTOR_INIT};
        round.executor.execute = throw_in;
        round.executor.context = (void *)&pool.users;
        round.executor.retain = use_pool;
        round.executor.release = leave_pool;
        let_it_rage(&round, i % 2 == 0, i % 3 == 0);
        while (fish_out()) {}
        assert_int_equal(ended, begun);
        assert_int_equal(pool.users, 0);
    }
    assert_true(calls > 0);
}

TEST(a_queue_may_be_full_and_may_die_while_threads_send_and_drain) {
    calls = begun = ended = 0;
    for (long i = 0; i < scaled(600); i++) {
        struct round round = {0};
        round.queue = queue_of((size_t)(i % 4) * 2, (int32_t)(i / 4 % 3), &round.executor);
        let_it_rage(&round, i % 2 == 0, i % 3 == 0);
        if (i % 5 != 0) {
            ok(swo_queue_drain(round.queue, 0, NULL));
            assert_false(is_readable(round.queue));
            assert_int_equal(ended, begun);
        }
        swo_queue_release(round.queue);
        assert_int_equal(ended, begun);
    }
    assert_true(calls > 0);
}

TASK(send_to_the_end, context) {
    struct round *round = context;
    /* From the death of the queue on it is refused. */
    while (swo_send(round->messenger, VALUE(swo_int64(1)), NULL) == SWO_OK) {}
    swo_observable_release(round->messenger);
}

TEST(a_queue_that_dies_lets_its_senders_go) {
    begun = ended = 0;
    for (long i = 0; i < scaled(300); i++) {
        struct round round = {.messenger = swo_messenger_new()};
        round.queue = queue_of((size_t)(i % 3), SWO_QUEUE_BLOCK, &round.executor);
        ok(swo_observe_on(round.messenger, NULL, &round.executor, receive, new_receiver(NULL), destroy_receiver, NULL));
        pthread_t sender = begin_thread(send_to_the_end, &round);
        await_readable(round.queue);
        ok(swo_queue_drain(round.queue, 2, NULL));
        swo_queue_release(round.queue);
        join_thread(sender);
        assert_int_equal(ended, begun);
    }
}

/* ---- the descriptor ---- */

TEST(the_descriptor_is_readable_exactly_while_something_waits) {
    uint64_t random = 7;
    for (size_t bound = 0; bound < 4; bound++) {
        swo_executor executor;
        swo_queue *queue = queue_of(bound, bound % 2 ? SWO_QUEUE_REFUSE : SWO_QUEUE_DROP_OLDEST, &executor);
        swo_observable *messenger = swo_messenger_new();
        begun = ended = 0;
        ok(swo_observe_on(messenger, NULL, &executor, receive, new_receiver(NULL), destroy_receiver, NULL));
        size_t waiting = 0, most, run;
        for (int turn = 0; turn < 1000; turn++) {
            if (chance(&random, 2)) {
                bool is_full = bound > 0 && waiting == bound;
                assert_int_equal(swo_send(messenger, VALUE(swo_int64(1)), NULL),
                                 is_full && bound % 2 ? SWO_REFUSED : SWO_OK);
                if (!is_full) waiting++;
            } else {
                most = chance(&random, 4);
                ok(swo_queue_drain(queue, most, &run));
                assert_int_equal(run, most == 0 || most > waiting ? waiting : most);
                waiting -= run;
            }
            assert_int_equal(is_readable(queue), waiting > 0);
        }
        swo_observable_release(messenger);
        swo_queue_release(queue);
        assert_int_equal(ended, begun);
    }
}

TASK(send_many, messenger) {
    for (long i = 0; i < scaled(20000); i++) send_number(messenger, i);
}

TEST(no_thread_that_sleeps_at_the_descriptor_is_forgotten) {
    uint64_t random = 11;
    for (size_t bound = 0; bound < 3; bound++) {
        swo_executor executor;
        swo_queue *queue = queue_of(bound * 8, SWO_QUEUE_BLOCK, &executor);
        swo_observable *messenger = swo_messenger_new();
        calls = begun = ended = 0;
        ok(swo_observe_on(messenger, NULL, &executor, receive, new_receiver(NULL), destroy_receiver, NULL));
        pthread_t senders[] = {begin_thread(send_many, messenger), begin_thread(send_many, messenger)};
        while (calls < 2 * scaled(20000)) {
            await_readable(queue);
            ok(swo_queue_drain(queue, chance(&random, 8), NULL));
        }
        join_threads(senders[0], senders[1]);
        assert_false(is_readable(queue));
        swo_observable_release(messenger);
        swo_queue_release(queue);
        assert_int_equal(ended, begun);
    }
}
