/* SPDX-License-Identifier: MIT */
/* What the example of swiftobserver/epoll.h takes for granted. */
#include <swiftobserver/epoll.h>

void example(int epoll, swo_queue *queue, struct epoll_event events[16]) {
    int count;
#include "example1"
}
