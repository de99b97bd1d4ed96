/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/epoll.h
 *  Deliver messages on a thread that waits with epoll_wait():
 *
 *      swo_epoll_add(epoll, queue);
 *      while ((count = epoll_wait(epoll, events, 16, -1)) >= 0)
 *          for (int one = 0; one < count; one++)
 *              if (events[one].data.ptr == queue) swo_queue_drain(queue, 0, NULL);
 *              else ...
 *
 *  swo_epoll_add() puts the queue into `data.ptr` of its events, so the other descriptors of such an epoll have
 *  pointers there as well. A program that uses `data.fd` adds the queue by swo_epoll_add_with():
 *
 *      epoll_data_t data;
 *      data.fd = swo_queue_fd(queue);
 *      swo_epoll_add_with(epoll, queue, data);
 *
 *  C99 to C23, C++11 to C++20. Linux.
 */
#ifndef SWIFTOBSERVER_EPOLL_H
#define SWIFTOBSERVER_EPOLL_H

#include <swiftobserver.h>
#include <sys/epoll.h>

/** Has `epoll` watch a queue, level-triggered; the events carry it in `data.ptr`. The queue is not retained: remove
 *  it before it is released. Any thread.
 *  @return as epoll_ctl(): 0, or -1 and errno, which is EBADF for NULL. */
static inline int swo_epoll_add(int epoll, swo_queue *queue);

/** The same with data of the caller's in its events. Any thread.
 *  @return as swo_epoll_add(). */
static inline int swo_epoll_add_with(int epoll, swo_queue *queue, epoll_data_t data) {
    struct epoll_event event;
    memset(&event, 0, sizeof event);
    event.events = EPOLLIN;
    event.data = data;
    return epoll_ctl(epoll, EPOLL_CTL_ADD, swo_queue_fd(queue), &event);
}

static inline int swo_epoll_add(int epoll, swo_queue *queue) {
    epoll_data_t data;
    memset(&data, 0, sizeof data);
    data.ptr = queue;
    return swo_epoll_add_with(epoll, queue, data);
}

/** Has `epoll` watch a queue no longer. Events that epoll_wait() has returned already still name it. Any thread.
 *  @return as epoll_ctl(): 0, or -1 and errno, which is EBADF for NULL and ENOENT for a queue it does not watch. */
static inline int swo_epoll_remove(int epoll, swo_queue *queue) {
    struct epoll_event event; /* Linux before 2.6.9 wants one */
    memset(&event, 0, sizeof event);
    return epoll_ctl(epoll, EPOLL_CTL_DEL, swo_queue_fd(queue), &event);
}

#endif
