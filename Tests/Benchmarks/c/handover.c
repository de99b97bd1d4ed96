/* SPDX-License-Identifier: MIT */
/* How fast one thread hands messages over to another, beside what GLib offers for it. */
#include "measure.h"
#include <stdatomic.h>
#include <swiftobserver/poll.h>
#if __has_include(<glib.h>)
#include <glib.h>
#define WITH_GLIB
#endif

/* What the receiving thread has seen of the numbers 1, 2, ..., away from what the sending thread reads. */
static _Alignas(128) struct {
    long seen;
    char apart[120];
} receiver;

static void expect(long number) {
    if (number != ++receiver.seen) abort();
}

static void *join(pthread_t thread) {
    void *result;
    if (pthread_join(thread, &result) != 0) abort();
    return result;
}

static pthread_t begin(void *(*body)(void *), void *context) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, context) != 0) abort();
    return thread;
}

/* ---- this library ---- */

static long to_send;
/* A unit is so many messages, beside which beginning a thread is nothing. */
enum { BATCH = 10000 };
static swo_observable *messenger;
static swo_queue *queue;

static void receive(void *context, const swo_value *message, const void *author) {
    (void)context, (void)author;
    expect(message->as.int64);
}

static void *send_messages(void *unused) {
    for (long one = 1; one <= to_send; one++) {
        swo_value message = swo_int64(one);
        if (swo_send(messenger, &message, NULL) != SWO_OK) abort();
    }
    return unused;
}

static void swiftobserver(void *context, long count) {
    (void)context;
    receiver.seen = 0;
    to_send = count *= BATCH;
    pthread_t sender = begin(send_messages, NULL);
    while (receiver.seen < count)
        if (swo_poll_drain(queue, -1, NULL) != SWO_OK) abort();
    join(sender);
}

#ifdef WITH_GLIB
/* ---- g_async_queue ---- */

static void *push_numbers(void *numbers) {
    for (long one = 1; one <= to_send; one++) g_async_queue_push(numbers, GSIZE_TO_POINTER((gsize)one));
    return NULL;
}

static void async_queue(void *numbers, long count) {
    receiver.seen = 0;
    to_send = count *= BATCH;
    pthread_t sender = begin(push_numbers, numbers);
    while (receiver.seen < count) expect((long)GPOINTER_TO_SIZE(g_async_queue_pop(numbers)));
    join(sender);
}

/* ---- g_main_context_invoke ---- */

static gboolean receive_number(gpointer number) {
    expect((long)GPOINTER_TO_SIZE(number));
    return G_SOURCE_REMOVE;
}

static void *invoke_numbers(void *loop) {
    for (long one = 1; one <= to_send; one++) g_main_context_invoke(loop, receive_number, GSIZE_TO_POINTER((gsize)one));
    return NULL;
}

static void main_context(void *loop, long count) {
    receiver.seen = 0;
    to_send = count *= BATCH;
    if (!g_main_context_acquire(loop)) abort(); /* else the sender would run the function itself */
    pthread_t sender = begin(invoke_numbers, loop);
    while (receiver.seen < count) g_main_context_iteration(loop, TRUE);
    join(sender);
    g_main_context_release(loop);
}
#endif

int main(void) {
    park_a_thread();
    swo_executor executor;
    messenger = swo_messenger_new();
    if (swo_queue_new(0, SWO_QUEUE_BLOCK, &queue) || swo_queue_executor(queue, &executor) ||
        swo_observe_on(messenger, NULL, &executor, receive, NULL, NULL, NULL))
        abort();
    int subjects = 1;
    subject run[3] = {swiftobserver};
    void *contexts[3] = {NULL};
#ifdef WITH_GLIB
    run[1] = async_queue, contexts[1] = g_async_queue_new();
    run[2] = main_context, contexts[2] = g_main_context_new();
    subjects = 3;
#endif
    double result[3];
    measure(subjects, run, contexts, result);
    static const char *const names[] = {"swiftobserver, queue", "g_async_queue", "g_main_context_invoke"};
    for (int one = 0; one < subjects; one++)
        report("C, hand-over to another thread", names[one], 1, 1e3 * BATCH / result[one], "million messages a second");
    swo_observable_release(messenger);
    swo_queue_release(queue);
    return 0;
}
