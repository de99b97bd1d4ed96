/* SPDX-License-Identifier: MIT */
/* Hours of a program, in minutes: threads that send, set, observe, stop, make and release, by messengers, variables,
 * transforms, queues of each kind and combined observation, all at once. Prints a line for each second:
 *
 *     seconds messages resident_kilobytes heap_bytes
 *
 * Both are asked while all threads stand still and nothing of theirs is left. How long a queue became while its reader
 * waited for the processor is the machine's doing: so each sample follows a burst that is longer than what the queue
 * keeps for the next one, and the allocator has given back what is free. The heap is what it has given out.
 *
 *     soak MINUTES */
#define _GNU_SOURCE
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <swiftobserver.h>
#include <time.h>
#include <unistd.h>

enum { SENDERS = 2, CHANGERS = 2, THREADS = SENDERS + CHANGERS, HEARD = 8, ROUNDS = 2000, BURST = 1024 * 64 };

static swo_observable *messenger, *variable, *deferred, *chain, *merged, *unordered, *flooded;
static swo_queue *loop, *full, *dropping;
static atomic_llong messages;
static atomic_bool is_over;
static pthread_barrier_t begins, stands_still;

#define ok(call)                                                                                                       \
    do {                                                                                                               \
        swo_status status = (call);                                                                                    \
        if (status != SWO_OK) {                                                                                        \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, swo_status_text(status));                    \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

static void count(void *unused, const swo_value *message, const void *author) {
    (void)unused, (void)message, (void)author;
    atomic_fetch_add_explicit(&messages, 1, memory_order_relaxed);
}

static void count_combined(void *unused, const swo_value *values, size_t number, const void *author) {
    (void)values, (void)number;
    count(unused, NULL, author);
}

static swo_status add_one(void *unused, const swo_value *message, swo_value *out) {
    (void)unused;
    *out = swo_int64(message->as.int64 + 1);
    return SWO_OK;
}

static bool is_even(void *unused, const swo_value *message) {
    (void)unused;
    return message->as.int64 % 2 == 0;
}

static void send_to(swo_observable *observable, const swo_value *value) {
    /* What a full queue refuses, the sender is told of. */
    swo_status status = swo_send(observable, value, NULL);
    if (status != SWO_CALLBACK_FAILED) ok(status);
}

static void send_some(long round) {
    static const char words[] = "a text that has to be copied where it waits";
    swo_value number = swo_int64(round), text = swo_text(words), bytes = swo_bytes(words, sizeof words);
    send_to(messenger, &number);
    send_to(unordered, &number);
    send_to(flooded, round % 2 ? &text : &bytes);
    ok(swo_variable_set(variable, &number, NULL));
    ok(swo_variable_set(deferred, &number, NULL));
    if (round % 50 == 0) {
        ok(swo_variable_begin_batch(variable));
        ok(swo_variable_set(variable, &text, NULL));
        ok(swo_variable_set(variable, &number, NULL));
        ok(swo_variable_end_batch(variable));
    }
}

/* What begins here ends here. */
static void change_some(long round) {
    swo_observable *own = swo_messenger_new(), *map, *replay, *both[2] = {variable, deferred};
    swo_observer *observer = swo_observer_new();
    swo_observation observation;
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    swo_value number = swo_int64(round);
    swo_queue *queues[] = {loop, full, dropping};
    for (int i = 0; i < 3; i++) ok(swo_observe_on_queue(flooded, observer, queues[i], count, NULL, NULL, NULL));
    ok(swo_observe(messenger, observer, count, NULL, NULL, NULL));
    ok(swo_observe(chain, NULL, count, NULL, NULL, &observation));
    ok(swo_observe_combined(both, 2, observer, count_combined, NULL, NULL, NULL));
    options.replay = 1;
    options.once = true;
    options.observer = observer;
    ok(swo_observe_with(variable, &options, count, NULL, NULL, NULL));
    ok(swo_map(own, add_one, NULL, NULL, &map));
    ok(swo_replay(map, 3, &replay));
    ok(swo_observe(replay, observer, count, NULL, NULL, NULL));
    for (int i = 0; i < 5; i++) send_to(own, &number);
    ok(swo_observable_block(messenger));
    ok(swo_observable_unblock(messenger));
    if (round % 7 == 0) ok(swo_observable_set_ordered(unordered, round % 2));
    ok(round % 2 ? swo_stop(observation) : swo_stop_and_wait(observation));
    swo_observable_release(map);
    swo_observable_release(replay);
    swo_observable_release(own);
    swo_observer_release(observer);
}

static void *work(void *kind) {
    for (;;) {
        pthread_barrier_wait(&begins);
        if (is_over) return NULL;
        for (long round = 0; round < ROUNDS; round++) kind == NULL ? send_some(round) : change_some(round);
        pthread_barrier_wait(&stands_still);
    }
}

static atomic_bool has_drained;

/* Held by the thread that drains, and by a sample. */
static pthread_mutex_t draining = PTHREAD_MUTEX_INITIALIZER;

static void drain_all(void) {
    ok(swo_queue_drain(loop, 0, NULL));
    ok(swo_queue_drain(full, 0, NULL));
    ok(swo_queue_drain(dropping, 0, NULL));
}

static void *drain(void *unused) {
    (void)unused;
    while (!has_drained) {
        struct pollfd readable[] = {
            {swo_queue_fd(loop), POLLIN, 0}, {swo_queue_fd(full), POLLIN, 0}, {swo_queue_fd(dropping), POLLIN, 0}};
        poll(readable, 3, 100);
        pthread_mutex_lock(&draining);
        drain_all();
        pthread_mutex_unlock(&draining);
    }
    return NULL;
}

static void burst(void) {
    swo_value zero = swo_int64(0);
    swo_observable *own = swo_messenger_new();
    ok(swo_observe_on_queue(own, NULL, loop, count, NULL, NULL, NULL));
    for (int i = 0; i < BURST; i++) ok(swo_send(own, &zero, NULL));
    drain_all();
    swo_observable_release(own);
    drain_all();
}

static void make_all(void) {
    swo_value zero = swo_int64(0);
    swo_observable *map, *filter;
    messenger = swo_messenger_new(), unordered = swo_messenger_new(), flooded = swo_messenger_new();
    ok(swo_observable_set_ordered(unordered, false));
    ok(swo_variable_new(&zero, &variable));
    ok(swo_deferred_variable_new(&zero, &deferred));
    ok(swo_map(messenger, add_one, NULL, NULL, &map));
    ok(swo_filter(map, is_even, NULL, NULL, &filter));
    ok(swo_skip_repeats(filter, &chain));
    swo_observable *sources[] = {messenger, unordered};
    ok(swo_merge(sources, 2, &merged));
    ok(swo_queue_new(0, SWO_QUEUE_BLOCK, &loop));
    ok(swo_queue_new(64, SWO_QUEUE_REFUSE, &full));
    ok(swo_queue_new(64, SWO_QUEUE_DROP_OLDEST, &dropping));
    for (int i = 0; i < HEARD; i++) ok(swo_observe(i % 2 ? merged : chain, NULL, count, NULL, NULL, NULL));
    ok(swo_observe(unordered, NULL, count, NULL, NULL, NULL));
    ok(swo_observe(deferred, NULL, count, NULL, NULL, NULL));
    swo_observable_release(map);
    swo_observable_release(filter);
}

static long resident_kilobytes(void) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1) abort();
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int number, char **arguments) {
    /* What threads keep for themselves counts as given out. */
    if (getenv("GLIBC_TUNABLES") == NULL) {
        setenv("GLIBC_TUNABLES", "glibc.malloc.tcache_count=0", 1);
        execv("/proc/self/exe", arguments);
    }
    double begun = now(), minutes = number > 1 ? atof(arguments[1]) : 30, said = -1;
    pthread_t threads[THREADS], drains;
    /* One arena: how many threads have allocated at once is the machine's doing, not the library's. */
    mallopt(M_ARENA_MAX, 1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    size_t before = mallinfo2().uordblks;
    make_all();
    pthread_barrier_init(&begins, NULL, THREADS + 1);
    pthread_barrier_init(&stands_still, NULL, THREADS + 1);
    for (long i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, i < SENDERS ? NULL : (void *)i);
    pthread_create(&drains, NULL, drain, NULL);
    while (!is_over) {
        pthread_barrier_wait(&begins);
        pthread_barrier_wait(&stands_still);
        double elapsed = now() - begun;
        if (elapsed >= said + 1) {
            pthread_mutex_lock(&draining);
            drain_all();
            burst();
            malloc_trim(0);
            printf("%.1f %lld %ld %zu\n", elapsed, atomic_load(&messages), resident_kilobytes(), mallinfo2().uordblks);
            pthread_mutex_unlock(&draining);
            said = elapsed;
        }
        is_over = elapsed >= minutes * 60;
    }
    pthread_barrier_wait(&begins);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    has_drained = true;
    pthread_join(drains, NULL);
    swo_observable *all[] = {messenger, variable, deferred, chain, merged, unordered, flooded};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) swo_observable_release(all[i]);
    swo_queue_release(loop);
    swo_queue_release(full);
    swo_queue_release(dropping);
    fprintf(stderr, "left of it: %zu bytes\n", mallinfo2().uordblks - before);
    return 0;
}
