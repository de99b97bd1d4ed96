/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/poll.h
 *  Deliver messages on a thread that waits with poll():
 *
 *      struct pollfd watched[] = {{.fd = keyboard, .events = POLLIN}, swo_poll_entry(queue)};
 *      while (poll(watched, 2, -1) >= 0) {
 *          if (watched[0].revents) read_keyboard();
 *          if (watched[1].revents) swo_queue_drain(queue, 0, NULL);
 *      }
 *
 *  or on one that has nothing else to wait for:
 *
 *      while (!done) swo_poll_drain(queue, -1, NULL);
 *
 *  C99 to C23, C++11 to C++20.
 */
#ifndef SWIFTOBSERVER_POLL_H
#define SWIFTOBSERVER_POLL_H

#include <errno.h>
#include <poll.h>
#include <swiftobserver.h>

/** Makes the entry of a queue for poll(): ready when jobs wait. The queue must outlive its use. poll() passes over the
 *  entry of NULL. Any thread. */
static inline struct pollfd swo_poll_entry(swo_queue *queue) {
    struct pollfd entry;
    entry.fd = swo_queue_fd(queue);
    entry.events = POLLIN;
    entry.revents = 0;
    return entry;
}

/** Waits until jobs wait, and runs those that do then. Any thread.
 *  @param milliseconds  how long to wait at most; -1: for ever; 0: not at all.
 *  @param out           how many have run, 0 if time was up or the thread was interrupted; may be NULL.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NO_RESOURCES if the system could not wait. */
static inline swo_status swo_poll_drain(swo_queue *queue, int milliseconds, size_t *out) {
    struct pollfd entry = swo_poll_entry(queue);
    if (queue == NULL) return SWO_INVALID_ARGUMENT;
    int ready = poll(&entry, 1, milliseconds);
    if (ready > 0) return swo_queue_drain(queue, 0, out);
    if (ready < 0 && errno != EINTR) return SWO_NO_RESOURCES;
    if (out != NULL) *out = 0;
    return SWO_OK;
}

#endif
