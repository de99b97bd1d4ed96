/* SPDX-License-Identifier: MIT */
/* Messages of several threads on one observable, while another thread observes and stops: each arrives once, and those
 * of one thread in their order.
 *
 *     threaded MESSAGES
 *
 * What waits for the thread that delivers has no limit but memory, and senders are faster than that one: without one of
 * their own, 10^9 messages took 1.1 GB. So each waits while AHEAD of its messages have not arrived, and all memory
 * stays within ROOM. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <swiftobserver.h>

enum { SENDERS = 3, STAYS = 4096, AHEAD = 16384, ROOM = 64 /* MB */ };

static swo_observable *messenger;
static long long each;
/* What is expected next of each thread. Written in the order of delivery, one message at a time. */
static atomic_llong next[SENDERS];
static atomic_llong passing;
static atomic_bool is_over;
static sem_t has_seen_some;

static void fail(const char *what, long long number) {
    fprintf(stderr, "threaded: %s: %lld\n", what, number);
    abort();
}

static void expect(void *unused, const swo_value *message, const void *author) {
    (void)unused;
    atomic_llong *expected = &next[(const atomic_llong *)author - next];
    if (message->as.int64 != atomic_load_explicit(expected, memory_order_relaxed))
        fail("lost, doubled or out of its order", message->as.int64);
    atomic_store_explicit(expected, message->as.int64 + 1, memory_order_relaxed);
}

static void pass(void *unused, const swo_value *message, const void *author) {
    (void)unused, (void)message, (void)author;
    if (atomic_fetch_add_explicit(&passing, 1, memory_order_relaxed) % STAYS == 0) sem_post(&has_seen_some);
}

static void *send_all(void *own) {
    for (long long number = 0; number < each; number++) {
        while (number - atomic_load_explicit((atomic_llong *)own, memory_order_relaxed) >= AHEAD) sched_yield();
        swo_value value = swo_int64(number);
        if (swo_send(messenger, &value, own) != SWO_OK) fail("is refused", number);
    }
    return NULL;
}

static void *come_and_go(void *unused) {
    while (!is_over) {
        swo_observation observation;
        if (swo_observe(messenger, NULL, pass, NULL, NULL, &observation) != SWO_OK) fail("cannot observe", 0);
        sem_wait(&has_seen_some);
        if (swo_stop_and_wait(observation) != SWO_OK) fail("cannot stop", 0);
    }
    return unused;
}

int main(int count, char **arguments) {
    each = (count > 1 ? strtoll(arguments[1], NULL, 10) : 1000000) / SENDERS;
    messenger = swo_messenger_new();
    if (swo_observe(messenger, NULL, expect, NULL, NULL, NULL) != SWO_OK) fail("cannot observe", 0);
    sem_init(&has_seen_some, 0, 0);
    pthread_t senders[SENDERS], other;
    for (int i = 0; i < SENDERS; i++)
        if (pthread_create(&senders[i], NULL, send_all, &next[i]) != 0) fail("no thread", i);
    if (pthread_create(&other, NULL, come_and_go, NULL) != 0) fail("no thread", SENDERS);
    for (int i = 0; i < SENDERS; i++) pthread_join(senders[i], NULL);
    is_over = true;
    sem_post(&has_seen_some);
    pthread_join(other, NULL);
    for (int i = 0; i < SENDERS; i++)
        if (next[i] != each) fail("has not arrived", (long long)next[i]);
    swo_observable_release(messenger);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    long most = usage.ru_maxrss / 1024;
    if (most > ROOM) fail("so many MB were resident at once", most);
    printf("threaded: %lld messages of %d threads, each once and in its order; %lld of them also to who came and went; "
           "at most %ld MB resident\n",
           each * SENDERS, SENDERS, (long long)passing, most);
    return 0;
}
