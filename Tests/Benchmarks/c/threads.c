/* SPDX-License-Identifier: MIT */
/* What several threads reach that send on one observable, and on one each, while all of them send.
 *
 * Usage: threads [MILLISECONDS]
 *
 * The threads begin together and send until the time is up, so that no figure depends on how long a batch takes. Of
 * each repeat the program measures how long all threads sent at once, and fails where that is less than 100
 * milliseconds; it says how little one of them sent, and counts that each message has arrived. */
#include "measure.h"
#include <errno.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <swiftobserver.h>

#define MOST_THREADS 8
/* Milliseconds during which all threads have to send at once, and how many repeats are tried until they do. */
#define LEAST_OVERLAP 100
#define MOST_TRIES 20
#define REPEATS_OF_A_SCENE 3
/* A sender looks whether the time is up after so many messages. */
#define BETWEEN_LOOKS 64

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

/* Threads that stand ready, and send from one signal to another. */
struct sender {
    swo_observable *messenger;
    int round; /* what this one is to do, guarded by the mutex */
    int done;
    long sent;
    double begun, ended;
};
static struct sender senders[MOST_THREADS];
static atomic_int standing_ready;
static atomic_bool may_begin, is_over;

static void send_messages(swo_observable *messenger, long count) {
    swo_value message = swo_int64(1);
    for (long one = 0; one < count; one++)
        if (swo_send(messenger, &message, NULL) != SWO_OK) abort();
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *send_in_rounds(void *context) {
    struct sender *sender = context;
    own_counter = (int)(sender - senders);
    for (int round = 1;; round++) {
        pthread_mutex_lock(&mutex);
        while (sender->round < round) pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
        atomic_fetch_add(&standing_ready, 1);
        while (!atomic_load(&may_begin)) sched_yield();
        sender->begun = nanoseconds();
        long sent = 0;
        for (; !atomic_load_explicit(&is_over, memory_order_relaxed); sent += BETWEEN_LOOKS)
            send_messages(sender->messenger, BETWEEN_LOOKS);
        sender->ended = nanoseconds();
        sender->sent = sent;
        pthread_mutex_lock(&mutex);
        sender->done = round;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

/* Each of `threads` threads sends on the messenger at its index. */
struct scene {
    const char *name;
    int threads;
    swo_observable *messengers[MOST_THREADS];
    double rates[REPEATS_OF_A_SCENE];
    double overlap; /* the least of its repeats, in milliseconds */
    double share;   /* the least that one thread sent in a repeat, as a percentage of an even share */
};

static void sleep_for(double milliseconds) {
    struct timespec rest = {(time_t)(milliseconds / 1e3), (long)(milliseconds * 1e6) % 1000000000L};
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) continue;
}

/* The messages a second of one repeat, and how long all threads sent at once. */
static double send_for(struct scene *scene, double milliseconds, double *overlap, long *sent, double *share) {
    atomic_store(&standing_ready, 0);
    atomic_store(&may_begin, false);
    atomic_store(&is_over, false);
    pthread_mutex_lock(&mutex);
    for (int one = 0; one < scene->threads; one++)
        senders[one].messenger = scene->messengers[one], senders[one].round++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    while (atomic_load(&standing_ready) < scene->threads) sched_yield();
    atomic_store(&may_begin, true);
    sleep_for(milliseconds);
    atomic_store(&is_over, true);
    pthread_mutex_lock(&mutex);
    for (int one = 0; one < scene->threads; one++)
        while (senders[one].done < senders[one].round) pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    double first = senders[0].begun, last = senders[0].ended, all_from = first, all_until = last;
    long least = senders[0].sent;
    *sent = 0;
    for (int one = 0; one < scene->threads; one++) {
        if (senders[one].begun < first) first = senders[one].begun;
        if (senders[one].begun > all_from) all_from = senders[one].begun;
        if (senders[one].ended < all_until) all_until = senders[one].ended;
        if (senders[one].ended > last) last = senders[one].ended;
        if (senders[one].sent < least) least = senders[one].sent;
        *sent += senders[one].sent;
    }
    *share = 100.0 * (double)least * scene->threads / (double)*sent;
    *overlap = (all_until - all_from) / 1e6;
    return (double)*sent / (last - first) * 1e3; /* what still waited is delivered before the last one ends */
}

/* Adds a repeat to a scene: one in which the threads have sent at once for long enough. */
static long repeat(struct scene *scene, int number, double milliseconds) {
    long all = 0, sent;
    for (int tried = 0; tried < MOST_TRIES; tried++) {
        double overlap, share, rate = send_for(scene, milliseconds, &overlap, &sent, &share);
        all += sent;
        if (overlap < LEAST_OVERLAP) continue;
        scene->rates[number] = rate;
        if (number == 0 || overlap < scene->overlap) scene->overlap = overlap;
        if (number == 0 || share < scene->share) scene->share = share;
        return all;
    }
    fprintf(stderr, "error: %s did not send at once for %d ms\n", scene->name, LEAST_OVERLAP);
    exit(1);
}

static struct scene sending_on(const char *name, swo_observable *messenger, int threads) {
    struct scene scene = {.name = name, .threads = threads};
    for (int one = 0; one < threads; one++) scene.messengers[one] = messenger;
    return scene;
}

/* A messenger is biased to one thread alone in its life: once it has been to this one, to none of the senders. */
static swo_observable *biased_to_none(swo_observable *messenger) {
    send_messages(messenger, 100);
    return messenger;
}

static long received(const struct counter *counters, long count) {
    long sum = 0;
    for (long one = 0; one < count; one++) sum += atomic_load(&counters[one].count);
    return sum;
}

static void report_threads(long observers, double milliseconds) {
    static struct counter counters[4][MOST_OBSERVERS], beside[MOST_THREADS * MOST_OBSERVERS];
    memset(counters, 0, sizeof counters);
    memset(beside, 0, sizeof beside);
    swo_observable *biased = observed_by(counters[0], observers, count_up);
    swo_observable *ordered = biased_to_none(observed_by(counters[1], observers, count_up));
    swo_observable *apart[2] = {observed_by(counters[2], observers, count_up),
                                observed_by(counters[3], observers, count_up)};
    swo_observable *unordered = observed_by(beside, observers, count_up_beside);
    swo_observable_set_ordered(unordered, false);
    struct scene scenes[] = {
        sending_on("one thread alone, which it is biased to", biased, 1),
        sending_on("ordered, 1 thread, biased to none", ordered, 1),
        sending_on("ordered, 2 threads", ordered, 2),
        sending_on("ordered, 4 threads", ordered, 4),
        sending_on("ordered, 8 threads", ordered, 8),
        sending_on("unordered, 1 thread", unordered, 1),
        sending_on("unordered, 2 threads", unordered, 2),
        sending_on("unordered, 4 threads", unordered, 4),
        sending_on("unordered, 8 threads", unordered, 8),
        {.name = "2 threads, an observable each", .threads = 2, .messengers = {apart[0], apart[1]}}};
    enum { count = sizeof scenes / sizeof *scenes };
    long sent = 100; /* by which `ordered` was biased to this thread */
    for (int number = 0; number < REPEATS_OF_A_SCENE; number++)
        for (int one = 0; one < count; one++) sent += repeat(&scenes[one], number, milliseconds);
    for (int one = 0; one < count; one++) {
        qsort(scenes[one].rates, REPEATS_OF_A_SCENE, sizeof(double), by_size);
        report("C, threads", scenes[one].name, observers, scenes[one].rates[REPEATS_OF_A_SCENE / 2],
               "million messages a second");
    }
    for (int one = 0; one < count; one++)
        report("C, threads: how long all of them sent at once", scenes[one].name, observers, scenes[one].overlap, "ms");
    for (int one = 0; one < count; one++)
        report("C, threads: what the one that sent least sent of an even share", scenes[one].name, observers,
               scenes[one].share, "percent");
    swo_observable_release(biased);
    swo_observable_release(ordered);
    swo_observable_release(unordered);
    for (int one = 0; one < 2; one++) swo_observable_release(apart[one]);
    long arrived = received(counters[0], 4 * MOST_OBSERVERS) + received(beside, MOST_THREADS * MOST_OBSERVERS);
    if (arrived != sent * observers) {
        fprintf(stderr, "error: %ld messages to %ld observers, and %ld arrived\n", sent, observers, arrived);
        exit(1);
    }
}

int main(int count, char **arguments) {
    double milliseconds = count > 1 ? atof(arguments[1]) : 120;
    park_a_thread();
    pthread_t thread;
    for (int one = 0; one < MOST_THREADS; one++)
        if (pthread_create(&thread, NULL, send_in_rounds, &senders[one]) != 0) abort();
    for (long observers = 1; observers <= 100; observers *= 10) report_threads(observers, milliseconds);
    return 0;
}
