/* SPDX-License-Identifier: MIT */
/* Threads do all that they can for a while: set, commit and abort, block and unblock, run and drop jobs. When all is
 * quiet, the next sets reach everybody, whatever was lost before (laws 28 and 34). */
#include "deriving.h"

enum { SOURCES = 3, NODES = 8, HEARERS = 14, STEPS = 60, JOBS = 1 << 16 };

/* The first ones are sources, and each other one is derived of two before it. */
static swo_observable *node[NODES];
static int reads[NODES][2];

struct hearer {
    int node;
    bool is_effect;
    swo_observation id;
    _Atomic int64_t last;
};
static struct hearer hearer[HEARERS];

static struct {
    pthread_mutex_t lock;
    swo_job *job[JOBS];
    int count;
} waiting = {PTHREAD_MUTEX_INITIALIZER, {NULL}, 0};

static swo_status keep(void *context, swo_job *job) {
    pthread_mutex_lock(&waiting.lock);
    must(waiting.count < JOBS);
    waiting.job[waiting.count++] = job;
    pthread_mutex_unlock(&waiting.lock);
    return SWO_OK;
}

static swo_job *take_last(void) {
    pthread_mutex_lock(&waiting.lock);
    swo_job *job = waiting.count > 0 ? waiting.job[--waiting.count] : NULL;
    pthread_mutex_unlock(&waiting.lock);
    return job;
}

static int64_t get(int n) {
    swo_value value;
    ok(swo_variable_get(node[n], &value));
    return value.as.int64;
}

static void set(int n, int64_t number) {
    swo_value value = swo_int64(number);
    ok(swo_variable_set(node[n], &value, NULL));
}

/* It does not always read both. */
DERIVING(compute, n) {
    int64_t first = get(reads[(intptr_t)n][0]);
    int64_t second = first % 4 == 3 ? 5 : get(reads[(intptr_t)n][1]);
    GIVE(swo_int64((first * 3 + second) % 1000003));
}

static swo_status look(void *context) {
    struct hearer *hearer = context;
    hearer->last = get(hearer->node);
    return SWO_OK;
}

static void hear(void *context, const swo_value *message, const void *author) {
    ((struct hearer *)context)->last = message->as.update->new_value.as.int64;
}

static void begin_to_hear(struct hearer *hearer, const swo_executor *executor) {
    if (hearer->is_effect) {
        swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
        options.executor = executor;
        ok(swo_effect(look, hearer, NULL, &options, &hearer->id));
    } else if (executor != NULL) {
        ok(swo_observe_on(node[hearer->node], NULL, executor, hear, hearer, NULL, &hearer->id));
    } else {
        ok(swo_observe(node[hearer->node], NULL, hear, hearer, NULL, &hearer->id));
    }
    swo_job_run(take_last());
}

static void do_something(uint64_t *random) {
    int n = (int)chance(random, HEARERS);
    switch (chance(random, 9)) {
    case 0: swo_job_run(take_last()); break;
    case 1: swo_job_drop(take_last()); break;
    case 2: ok(swo_block(hearer[n].id)); break;
    case 3:
    case 4: (void)swo_unblock(hearer[n].id); break;
    case 5:
        ok(swo_transaction_begin());
        for (int count = 2; count-- > 0;) set((int)chance(random, SOURCES), chance(random, 8));
        ok(chance(random, 4) == 0 ? swo_transaction_abort() : swo_transaction_commit());
        break;
    default: set((int)chance(random, SOURCES), chance(random, 8));
    }
}

TASK(do_much, random) {
    for (int step = 0; step < STEPS; step++) do_something(random);
}

static void begin_round(uint64_t *random) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = keep;
    for (int n = 0; n < NODES; n++) {
        if (n < SOURCES) {
            node[n] = number_variable(chance(random, 8));
            continue;
        }
        for (int side = 0; side < 2; side++) reads[n][side] = (int)chance(random, (unsigned)n);
        ok(swo_derived_new(compute, (void *)(intptr_t)n, NULL, &node[n]));
    }
    for (int n = 0; n < HEARERS; n++) {
        hearer[n] = (struct hearer){.node = (int)chance(random, NODES), .is_effect = chance(random, 2)};
        begin_to_hear(&hearer[n], chance(random, 2) ? &executor : NULL);
    }
}

static void be_quiet(void (*end)(swo_job *job)) {
    for (int n = 0; n < HEARERS; n++) {
        while (swo_unblock(hearer[n].id) == SWO_OK) continue;
    }
    for (swo_job *job; (job = take_last()) != NULL;) end(job);
}

static void expect_all_to_hear(uint64_t *random) {
    for (int n = 0; n < SOURCES; n++) set(n, 1000 * (n + 1) + 4 * chance(random, 100));
    be_quiet(swo_job_run);
    for (int n = 0; n < HEARERS; n++) assert_int_equal(hearer[n].last, get(hearer[n].node));
}

static void end_round(void) {
    for (int n = 0; n < HEARERS; n++) ok(swo_stop(hearer[n].id));
    for (int n = 0; n < NODES; n++) swo_observable_release(node[n]);
}

static void do_much_on(int threads, int rounds) {
    for (uint64_t round = 1; round <= (uint64_t)rounds; round++) {
        uint64_t random[3] = {round, round + 1000000, round + 2000000};
        begin_round(&random[0]);
        if (threads == 1) {
            do_much_task(&random[0]);
        } else {
            run_threads({do_much, &random[0]}, {do_much, &random[1]}, {do_much, &random[2]});
        }
        be_quiet(chance(&random[0], 2) ? swo_job_run : swo_job_drop);
        expect_all_to_hear(&random[0]);
        end_round();
    }
}

TEST(whatever_one_thread_did_the_next_sets_reach_all) { do_much_on(1, (int)scaled(500)); }
TEST(whatever_three_threads_did_the_next_sets_reach_all) { do_much_on(3, (int)scaled(500)); }
