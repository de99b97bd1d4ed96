/* SPDX-License-Identifier: MIT */
/* Messages of several threads on one observable, while another thread observes and stops: each arrives once, and those
 * of one thread in their order.
 *
 *     threaded MESSAGES */
#include <inttypes.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <swiftobserver.h>

enum { SENDERS = 3, STAYS = 4096 };

static swo_observable *messenger;
static long long each;
/* What is expected next of each thread. Guarded by the order of delivery: one message at a time. */
static long long next[SENDERS];
static atomic_llong passing;
static atomic_bool is_over;
static sem_t has_seen_some;

static void fail(const char *what, long long number) {
    fprintf(stderr, "threaded: %s: %lld\n", what, number);
    abort();
}

static void expect(void *unused, const swo_value *message, const void *author) {
    (void)unused;
    long sender = (long)((const long long *)author - next);
    if (message->as.int64 != next[sender]) fail("lost, doubled or out of its order", message->as.int64);
    next[sender]++;
}

static void pass(void *unused, const swo_value *message, const void *author) {
    (void)unused, (void)message, (void)author;
    if (atomic_fetch_add_explicit(&passing, 1, memory_order_relaxed) % STAYS == 0) sem_post(&has_seen_some);
}

static void *send_all(void *own) {
    for (long long number = 0; number < each; number++) {
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
        if (next[i] != each) fail("has not arrived", next[i]);
    swo_observable_release(messenger);
    printf(
        "threaded: %lld messages of %d threads, each once and in its order; %lld of them also to who came and went\n",
        each * SENDERS, SENDERS, (long long)passing);
    return 0;
}
