/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/uv.h
 *  Deliver messages on a thread that runs a libuv loop.
 *
 *      swo_uv watcher;
 *      swo_uv_start(&watcher, loop, queue);
 *      swo_observe_on_queue(observable, observer, queue, show, NULL, NULL, NULL);
 *      uv_run(loop, UV_RUN_DEFAULT);                 // any thread sends, this one shows
 *
 *  Compile with `pkg-config --cflags --libs swiftobserver libuv` (1.0 or later); libuv's own header wants POSIX, so
 *  in a strict standard define _POSIX_C_SOURCE as 200809L before the first header.
 *  C99 to C23, C++11 to C++20.
 */
#ifndef SWIFTOBSERVER_UV_H
#define SWIFTOBSERVER_UV_H

#include <swiftobserver.h>
#include <uv.h>

/** Has a loop drain a queue. It lies where its user puts it, and must stay there from swo_uv_start() until it has
 *  been closed. `poll` is a handle like any other: uv_unref() keeps it from keeping the loop running. */
typedef struct swo_uv {
    uv_poll_t poll;
    swo_queue *queue;
    void (*closed)(struct swo_uv *watcher);
    void *context; /**< for the user; swo_uv_start() sets it to NULL */
} swo_uv;

static inline void swo_uv_drain(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    swo_queue_drain(SWO_CAST(swo_uv *, poll->data)->queue, 0, NULL);
}

static inline void swo_uv_closed(uv_handle_t *poll) {
    swo_uv *watcher = SWO_CAST(swo_uv *, poll->data);
    swo_queue_release(watcher->queue);
    if (watcher->closed != NULL) watcher->closed(watcher);
}

/** Begins to drain a queue, with each turn of the loop what waits when the turn begins. The watcher retains the queue
 *  until it is closed. On the loop's thread.
 *  @return 0, or an error of libuv's (UV_EINVAL where a pointer is NULL): then there is nothing to close. */
static inline int swo_uv_start(swo_uv *watcher, uv_loop_t *loop, swo_queue *queue) {
    if (watcher == NULL || loop == NULL || queue == NULL) return UV_EINVAL;
    memset(watcher, 0, sizeof *watcher);
    int status = uv_poll_init(loop, &watcher->poll, swo_queue_fd(queue));
    if (status != 0) return status;
    watcher->poll.data = watcher;
    watcher->queue = swo_queue_retain(queue);
    /* Cannot fail: the handle is new and the descriptor was accepted. */
    return uv_poll_start(&watcher->poll, UV_READABLE, swo_uv_drain);
}

/** Ends the draining. Handlers may call it; those whose messages wait in this turn are still called. On the loop's
 *  thread, once.
 *  @param closed  called by the loop when the watcher may be freed or used again; may be NULL. */
static inline void swo_uv_close(swo_uv *watcher, void (*closed)(swo_uv *watcher)) {
    watcher->closed = closed;
    uv_close(SWO_RECAST(uv_handle_t *, &watcher->poll), swo_uv_closed);
}

#endif
