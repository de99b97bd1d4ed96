/* SPDX-License-Identifier: MIT */
/* Derived variables that several threads read and change, beside recomputing: every value that is read, inside
 * functions and outside, is that of one moment (laws 27, 30, 32, 33).
 *
 *     reading READS [THREADS]
 *
 * At turn t each source has a number that t says, and so has each function of them: a random graph, which chooses anew
 * at each turn what it reads. The upper half of a number is t. So a function knows the turn by what it reads first, and
 * all else that it reads has to be of that turn: a mixture is found inside the function, at once. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <swiftobserver.h>

enum { SOURCES = 6, NODES = 24, INPUTS = 3, MOST_THREADS = 4, ROOM = 64 /* MB */ };

static swo_observable *variable[NODES]; /* the sources first */
static atomic_llong wanted, done, commits, conflicts, runs, updates;
static _Thread_local long long reads;

static void fail(const char *what, int node, int64_t number) {
    fprintf(stderr, "reading: %s: variable %d, %lld of turn %lld\n", what, node, (long long)(number & 0xffffffff),
            (long long)(number >> 32));
    abort();
}

static void expect(int status, const char *what) {
    if (status != SWO_OK) fail(what, -1, status);
}

static uint64_t mix(uint64_t number) {
    number = (number ^ (number >> 31)) * 0x9e3779b97f4a7c15;
    number = (number ^ (number >> 29)) * 0xbf58476d1ce4e5b9;
    return number ^ (number >> 32);
}

/* What a node reads at a turn, in this order: nodes before it. */
static int input(int node, int64_t turn, int number) {
    return (int)(mix((uint64_t)(node * INPUTS + number) * 8191 + (uint64_t)(turn % 5)) % (uint64_t)node);
}

static int64_t made_of(int node, int64_t turn, const int64_t *inputs) {
    uint64_t sum = (uint64_t)node;
    for (int n = 0; n < INPUTS; n++) sum = mix(sum + (uint64_t)(inputs[n] & 0xffffffff));
    return turn << 32 | (int64_t)(sum & 0xffffffff);
}

/* What a node is at a turn. Each thread keeps those of some turns. */
static int64_t right(int node, int64_t turn) {
    static _Thread_local struct { int64_t turn, number[NODES]; } kept[16];
    int64_t *number = kept[turn % 16].number;
    if (kept[turn % 16].turn != turn || turn == 0) {
        kept[turn % 16].turn = turn;
        for (int n = 0; n < SOURCES; n++)
            number[n] = turn << 32 | (int64_t)(mix((uint64_t)turn * 64 + (uint64_t)n) & 0xffffffff);
        for (int n = SOURCES; n < NODES; n++) {
            int64_t inputs[INPUTS];
            for (int i = 0; i < INPUTS; i++) inputs[i] = number[input(n, turn, i)];
            number[n] = made_of(n, turn, inputs);
        }
    }
    return number[node];
}

static int64_t get(int node) {
    swo_value value;
    expect(swo_variable_get(variable[node], &value), "cannot be read");
    reads++;
    int64_t number = value.as.int64;
    if (number != right(node, number >> 32)) fail("is wrong", node, number);
    return number;
}

/* Of the turn that the innermost function, snapshot or transaction has met. */
static int64_t get_at(int node, int64_t turn) {
    int64_t number = get(node);
    if (number >> 32 != turn) fail("is of another turn", node, number);
    return number;
}

static swo_status derive(void *context, swo_value *out) {
    int node = (int)(intptr_t)context;
    int64_t turn = get(0) >> 32, inputs[INPUTS];
    static _Thread_local unsigned run;
    if (run++ % 64 == 0) sched_yield(); /* so that others change meanwhile */
    for (int i = 0; i < INPUTS; i++) inputs[i] = get_at(input(node, turn, i), turn);
    get_at(0, turn);
    atomic_fetch_add_explicit(&runs, 1, memory_order_relaxed);
    *out = swo_int64(made_of(node, turn, inputs));
    return SWO_OK;
}

/* All that any thread sets is one transaction, which goes to the next turn. */
static void change(void) {
    swo_status status;
    do {
        expect(swo_transaction_begin(), "cannot begin");
        int64_t turn = get(0) >> 32;
        get_at(NODES - 1, turn);
        for (int n = 0; n < SOURCES; n++) {
            swo_value value = swo_int64(right(n, turn + 1));
            expect(swo_variable_set(variable[n], &value, NULL), "cannot be set");
        }
        get_at(NODES - 2, turn + 1); /* what is set here, here alone */
        status = swo_transaction_commit();
        if (status == SWO_CONFLICT) atomic_fetch_add_explicit(&conflicts, 1, memory_order_relaxed);
    } while (status == SWO_CONFLICT);
    expect(status, "cannot commit");
    atomic_fetch_add_explicit(&commits, 1, memory_order_relaxed);
}

static swo_status look_at_all(void *context) {
    int64_t turn = get(0) >> 32;
    for (int n = NODES; n-- > 1;) get_at(n, turn);
    return (void)context, SWO_OK;
}

/* Each update begins where the one before ended, and no later one comes first. */
static void hear(void *last, const swo_value *message, const void *author) {
    const swo_value *before, *now;
    (void)author;
    expect(swo_value_update(message, &before, &now), "is no update");
    if (before->as.int64 != *(int64_t *)last || now->as.int64 <= *(int64_t *)last)
        fail("is sent out of its order", -1, now->as.int64);
    *(int64_t *)last = now->as.int64;
    atomic_fetch_add_explicit(&updates, 1, memory_order_relaxed);
}

static void *go_on(void *number) {
    uint64_t random = (uint64_t)(uintptr_t)number;
    int64_t latest = 0;
    while (atomic_load_explicit(&done, memory_order_relaxed) < wanted) {
        random = mix(random + 1);
        int node = (int)(random >> 8 & 0xffff) % NODES;
        if (random % 64 == 0) {
            change();
        } else if (random % 64 < 4) {
            expect(swo_snapshot(look_at_all, NULL), "cannot be looked at");
        } else {
            int64_t turn = get(node) >> 32;
            if (turn < latest) fail("goes back", node, turn << 32);
            latest = turn;
        }
        if (reads >= 4096) {
            atomic_fetch_add_explicit(&done, reads, memory_order_relaxed);
            reads = 0;
        }
    }
    return NULL;
}

int main(int count, char **arguments) {
    wanted = count > 1 ? strtoll(arguments[1], NULL, 10) : 10000000;
    int threads = count > 2 ? atoi(arguments[2]) : MOST_THREADS;
    if (threads < 1 || threads > MOST_THREADS) fail("so many threads", -1, threads);
    for (int n = 0; n < SOURCES; n++) {
        swo_value value = swo_int64(right(n, 1));
        expect(swo_variable_new(&value, &variable[n]), "cannot be made");
    }
    for (int n = SOURCES; n < NODES; n++)
        expect(swo_derived_new(derive, (void *)(intptr_t)n, NULL, &variable[n]), "cannot be made");
    /* Every third one is observed; what they read is so through them. */
    int64_t last[NODES];
    for (int n = SOURCES; n < NODES; n += 3) {
        last[n] = get(n);
        expect(swo_observe(variable[n], NULL, hear, &last[n], NULL, NULL), "cannot be observed");
    }
    pthread_t thread[MOST_THREADS];
    for (intptr_t n = 0; n < threads; n++)
        if (pthread_create(&thread[n], NULL, go_on, (void *)(n + 1)) != 0) fail("no thread", -1, n);
    for (int n = 0; n < threads; n++) pthread_join(thread[n], NULL);
    int64_t turn = get(0) >> 32;
    if (turn != commits + 1) fail("a transaction is lost", 0, turn << 32);
    for (int n = SOURCES; n < NODES; n += 3)
        if (last[n] != get_at(n, turn)) fail("was not sent in the end", n, last[n]);
    for (int n = 0; n < NODES; n++) swo_observable_release(variable[n]);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long most = usage.ru_maxrss / 1024;
    if (most > ROOM) fail("so many MB were resident at once", -1, most);
    printf("reading: %lld reads by %d threads, none of them a mixture; %lld runs of functions, %lld transactions, %lld "
           "that another one overtook, %lld updates, each from the value before; at most %ld MB resident\n",
           (long long)done, threads, (long long)runs, (long long)commits, (long long)conflicts, (long long)updates,
           most);
    return 0;
}
