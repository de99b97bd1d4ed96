/* SPDX-License-Identifier: MIT */
/* What the demo does in C: threads that send, handlers that watch their order, and a variable for all languages. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <swiftobserver.h>

enum { SENDERS = 5, RECENT = 8 };

/* What one observer has received. Messages come to it one at a time, so only what others look at is atomic. */
typedef struct {
    atomic_long count, disorder;
    int64_t last[SENDERS];
    _Atomic int64_t recent[RECENT];
    uint64_t order; /* of all messages: differs when any two of them change places */
} watcher;

/* A number says who has sent it: sender * SENDER + its number. */
static const int64_t SENDER = 1000000000;

static void watch(void *context, const swo_value *message, const void *author) {
    (void)author;
    watcher *watcher = context;
    int64_t sender = message->as.int64 / SENDER, number = message->as.int64 % SENDER;
    long count = atomic_load_explicit(&watcher->count, memory_order_relaxed);
    if (number != watcher->last[sender] + 1) atomic_fetch_add(&watcher->disorder, 1);
    watcher->last[sender] = number;
    watcher->recent[count % RECENT] = message->as.int64;
    watcher->order = (watcher->order ^ (uint64_t)message->as.int64) * 1099511628211u;
    atomic_store_explicit(&watcher->count, count + 1, memory_order_release);
}

typedef struct {
    swo_observable *messenger;
    pthread_t thread;
    int sender;
    _Atomic int64_t sent;
} sender;

static atomic_bool is_over;
static sender senders[SENDERS];
static watcher first, last;

static void *send_until_over(void *context) {
    sender *sender = context;
    while (!atomic_load_explicit(&is_over, memory_order_relaxed)) {
        swo_value value = swo_int64(sender->sender * SENDER + sender->sent + 1);
        swo_send(sender->messenger, &value, NULL);
        sender->sent++;
    }
    return NULL;
}

/* Answers each thousandth message of a thread from inside its own call: the answer waits for its turn. */
static void answer(void *context, const swo_value *message, const void *author) {
    (void)author;
    if (message->as.int64 / SENDER != SENDERS - 1 && message->as.int64 % 1000 == 0) {
        swo_value value = swo_int64((SENDERS - 1) * SENDER + ++senders[SENDERS - 1].sent);
        swo_send(context, &value, NULL);
    }
}

/* Three observers: one that watches, one that answers, one that watches. And threads. */
swo_observable *demo_begin(int threads) {
    swo_observable *messenger = swo_messenger_new();
    swo_observe(messenger, NULL, watch, &first, NULL, NULL);
    swo_observe(messenger, NULL, answer, messenger, NULL, NULL);
    swo_observe(messenger, NULL, watch, &last, NULL, NULL);
    for (int one = 0; one < threads; one++) {
        senders[one].messenger = messenger;
        senders[one].sender = one;
        pthread_create(&senders[one].thread, NULL, send_until_over, &senders[one]);
    }
    return messenger;
}

void demo_end(int threads) {
    is_over = true;
    for (int one = 0; one < threads; one++) pthread_join(senders[one].thread, NULL);
}

static watcher *of(int is_last) { return is_last ? &last : &first; }
long demo_count(int is_last) { return of(is_last)->count; }
long demo_disorder(int is_last) { return of(is_last)->disorder; }
int64_t demo_recent(int is_last, int back) {
    long count = of(is_last)->count;
    return count > back ? of(is_last)->recent[(count - 1 - back) % RECENT] : -1;
}
int64_t demo_received(int sender) { return last.last[sender]; }
int64_t demo_sent(int sender) { return senders[sender].sent; }
uint64_t demo_order(int is_last) { return of(is_last)->order; }

static void hear(void *context, const swo_value *update, const void *author) {
    (void)context, (void)author;
    printf("  C hears %g", update->as.update->new_value.as.float64);
    fflush(stdout);
}

/* The variable that all languages observe. */
swo_observable *demo_variable(void) {
    swo_observable *variable;
    swo_value zero = swo_double(0);
    if (swo_variable_new(&zero, &variable) != SWO_OK) return NULL;
    swo_observe(variable, NULL, hear, NULL, NULL, NULL);
    return variable;
}

void demo_set_in_c(swo_observable *variable, double number) {
    swo_value value = swo_double(number);
    swo_variable_set(variable, &value, NULL);
}
