/* SPDX-License-Identifier: MIT */
/** @file queues.h
 *  What the tests of the adapters share: queues, and observations whose handlers they call. */
#ifndef SWIFTOBSERVER_TESTS_QUEUES_H
#define SWIFTOBSERVER_TESTS_QUEUES_H

#include "../support.h"

/** As observe(), by way of a queue. */
static inline void observe_on(swo_queue *queue, swo_observable *observable, struct probe *probe) {
    swo_executor executor;
    probe->observable = observable;
    must(swo_queue_executor(queue, &executor) == SWO_OK);
    must(swo_observe_on(observable, NULL, &executor, probe_receive, probe, probe_destroy, &probe->observation) ==
         SWO_OK);
}

/** Numbers from 0 on, sent by a thread of their own. */
struct sender {
    swo_observable *observable;
    long count;
    pthread_t thread;
};

static inline void *send_all(void *context) {
    struct sender *sender = context;
    for (long number = 0; number < sender->count; number++) send_number(sender->observable, number);
    return NULL;
}

static inline void begin_sending(struct sender *sender) { sender->thread = begin_thread(send_all, sender); }
static inline void end_sending(struct sender *sender) { join_thread(sender->thread); }

#endif
