/* SPDX-License-Identifier: MIT */
/* poll() and epoll_wait() watch queues. */
#include "queues.h"
#include <swiftobserver/epoll.h>
#include <swiftobserver/poll.h>
#include <unistd.h>

TEST(poll_is_told_of_what_waits) {
    struct probe a = {.name = "a"};
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, &a);
    struct pollfd watched[] = {swo_poll_entry(NULL), swo_poll_entry(queue)};
    assert_int_equal(poll(watched, 2, 0), 0);
    send_number(messenger, 1);
    assert_int_equal(poll(watched, 2, -1), 1);
    assert_int_equal(watched[0].revents, 0);
    assert_int_equal(watched[1].revents, POLLIN);
}

TEST(a_thread_can_wait_for_what_another_one_sends) {
    struct probe a = {.name = "a"};
    size_t run, all = 0;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    struct sender sender = {.observable = messenger, .count = scaled(100000)};
    OWN_QUEUE *queue = new_queue(NULL);
    observe_on(queue, messenger, &a);
    begin_sending(&sender);
    for (; all < (size_t)sender.count; all += run) ok(swo_poll_drain(queue, -1, &run));
    end_sending(&sender);
    assert_int_equal(a.calls, sender.count);
}

TEST(waiting_ends_when_time_is_up) {
    size_t run = 7;
    OWN_QUEUE *queue = new_queue(NULL);
    ok(swo_poll_drain(queue, 1, &run));
    assert_int_equal(run, 0);
    ok(swo_poll_drain(queue, 0, NULL));
    assert_int_equal(swo_poll_drain(NULL, 0, &run), SWO_INVALID_ARGUMENT);
}

TEST(epoll_names_the_queue_that_has_work) {
    struct probe a = PROBE("a"), b = PROBE("b");
    struct epoll_event event;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    OWN_QUEUE *first = new_queue(NULL), *second = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *other = swo_messenger_new();
    observe_on(first, messenger, &a);
    observe_on(second, other, &b);
    assert_int_equal(swo_epoll_add(epoll, first), 0);
    assert_int_equal(swo_epoll_add(epoll, second), 0);
    assert_int_equal(epoll_wait(epoll, &event, 1, 0), 0);
    send_number(other, 1);
    assert_int_equal(epoll_wait(epoll, &event, 1, -1), 1);
    assert_ptr_equal(event.data.ptr, second);
    ok(swo_queue_drain(event.data.ptr, 0, NULL));
    EXPECT_TRACE("b1");
    assert_int_equal(swo_epoll_remove(epoll, second), 0);
    send_number(other, 2);
    assert_int_equal(epoll_wait(epoll, &event, 1, 0), 0);
    close(epoll);
}

TEST(epoll_gives_back_the_data_of_the_caller) {
    struct probe a = PROBE("a");
    struct epoll_event event;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, &a);
    epoll_data_t data = {.fd = swo_queue_fd(queue)};
    assert_int_equal(swo_epoll_add_with(epoll, queue, data), 0);
    send_number(messenger, 1);
    assert_int_equal(epoll_wait(epoll, &event, 1, -1), 1);
    assert_int_equal(event.data.fd, swo_queue_fd(queue));
    drain(queue, 0);
    EXPECT_TRACE("a1");
    assert_int_equal(swo_epoll_add_with(epoll, NULL, data), -1);
    assert_int_equal(errno, EBADF);
    close(epoll);
}

TEST(epoll_says_what_it_cannot_watch) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    OWN_QUEUE *queue = new_queue(NULL);
    assert_int_equal(swo_epoll_add(epoll, NULL), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(swo_epoll_remove(epoll, NULL), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(swo_epoll_remove(epoll, queue), -1);
    assert_int_equal(errno, ENOENT);
    close(epoll);
}
