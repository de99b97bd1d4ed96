/* SPDX-License-Identifier: MIT */
/* What several threads reach that send on one observable, and on one each. */
#include "measure.h"
#include <stdatomic.h>
#include <swiftobserver.h>

#define MOST_THREADS 8
/* A unit is so many messages, beside which waking a thread is little. */
#define BATCH 1000

static void count_up(void *counter, const swo_value *message, const void *author) {
    (void)message, (void)author;
    atomic_fetch_add_explicit((atomic_long *)counter, 1, memory_order_relaxed);
}

#define MOST_OBSERVERS 100
struct counter {
    _Alignas(128) atomic_long count;
};

/* A handler that threads call at once, each with a counter of its own: else they would wait for each other's counter.
 */
static _Thread_local int own_counter;
static void count_up_beside(void *counters, const swo_value *message, const void *author) {
    count_up(&((struct counter *)counters)[own_counter * MOST_OBSERVERS].count, message, author);
}

static swo_observable *observed_by(struct counter *counters, long observers, swo_handler handler) {
    swo_observable *messenger = swo_messenger_new();
    for (long one = 0; one < observers; one++)
        if (swo_observe(messenger, NULL, handler, &counters[one].count, NULL, NULL) != SWO_OK) abort();
    return messenger;
}

/* Threads that stand ready, because to make one takes longer than to send a thousand messages. */
struct sender {
    swo_observable *messenger;
    long count;
    atomic_int begun; /* the number of the round that this one is to do, or has done */
    atomic_int done;
};
static struct sender senders[MOST_THREADS];

static void send_messages(swo_observable *messenger, long count) {
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++) swo_send(messenger, &message, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *send_in_rounds(void *context) {
    struct sender *sender = context;
    own_counter = (int)(sender - senders);
    for (int round = 1;; round++) {
        pthread_mutex_lock(&mutex);
        while (sender->begun < round) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        send_messages(sender->messenger, sender->count);
        pthread_mutex_lock(&mutex);
        sender->done = round;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* What is done in one measured repeat: each of `threads` threads sends its share on the messenger at its index. */
struct scene {
    int threads;
    swo_observable *messengers[MOST_THREADS];
};

static void send_from_threads(void *context, long count) {
    struct scene *scene = context;
    pthread_mutex_lock(&mutex);
    for (int one = 0; one < scene->threads; one++) {
        senders[one].messenger = scene->messengers[one];
        senders[one].count = count * BATCH / scene->threads;
        senders[one].begun++;
    }
    pthread_cond_broadcast(&changed);
    for (int one = 0; one < scene->threads; one++)
        while (senders[one].done < senders[one].begun) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

static struct scene sending_on(swo_observable *messenger, int threads) {
    struct scene scene = {threads, {0}};
    for (int one = 0; one < threads; one++) scene.messengers[one] = messenger;
    return scene;
}

/* A messenger leans to one thread alone in its life: once it has leaned to this one, to none of the senders. */
static swo_observable *leaning_to_none(swo_observable *messenger) {
    send_messages(messenger, 100);
    return messenger;
}

static void report_threads(long observers) {
    static struct counter counters[4][MOST_OBSERVERS], beside[MOST_THREADS * MOST_OBSERVERS];
    swo_observable *leaning = observed_by(counters[0], observers, count_up);
    swo_observable *ordered = leaning_to_none(observed_by(counters[1], observers, count_up));
    swo_observable *apart[2] = {observed_by(counters[2], observers, count_up),
                                observed_by(counters[3], observers, count_up)};
    swo_observable *unordered = observed_by(beside, observers, count_up_beside);
    swo_observable_set_ordered(unordered, false);
    static const char *const names[] = {"one thread alone, which it leans to",
                                        "ordered, 1 thread, leaning to none",
                                        "ordered, 2 threads",
                                        "ordered, 4 threads",
                                        "ordered, 8 threads",
                                        "unordered, 1 thread",
                                        "unordered, 2 threads",
                                        "unordered, 4 threads",
                                        "unordered, 8 threads",
                                        "2 threads, an observable each"};
    struct scene scenes[] = {sending_on(leaning, 1),   sending_on(ordered, 1),   sending_on(ordered, 2),
                             sending_on(ordered, 4),   sending_on(ordered, 8),   sending_on(unordered, 1),
                             sending_on(unordered, 2), sending_on(unordered, 4), sending_on(unordered, 8),
                             {2, {apart[0], apart[1]}}};
    enum { count = sizeof scenes / sizeof *scenes };
    subject run[count];
    void *contexts[count];
    double result[count];
    for (int one = 0; one < count; one++) run[one] = send_from_threads, contexts[one] = &scenes[one];
    measure(count, run, contexts, result);
    for (int one = 0; one < count; one++)
        report("C, threads", names[one], observers, 1e3 * BATCH / result[one], "million messages a second");
    swo_observable_release(leaning);
    swo_observable_release(ordered);
    swo_observable_release(unordered);
    for (int one = 0; one < 2; one++) swo_observable_release(apart[one]);
}

int main(void) {
    park_a_thread();
    pthread_t thread;
    for (int one = 0; one < MOST_THREADS; one++)
        if (pthread_create(&thread, NULL, send_in_rounds, &senders[one]) != 0) abort();
    for (long observers = 1; observers <= 100; observers *= 10) report_threads(observers);
    return 0;
}
