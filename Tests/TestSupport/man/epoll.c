/* SPDX-License-Identifier: MIT */
/* What the examples of swiftobserver/epoll.h take for granted. */
#include <swiftobserver/epoll.h>

void example(int epoll, swo_queue *queue, struct epoll_event events[16]) {
    int count;
#include "example1"
}

void example_with_data(int epoll, swo_queue *queue) {
#include "example2"
}
