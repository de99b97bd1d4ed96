/* SPDX-License-Identifier: MIT */
/* poll() and epoll_wait() watch queues. */
#include "queues.h"
#include <swiftobserver/epoll.h>
#include <swiftobserver/poll.h>
#include <unistd.h>

static void poll_is_told_of_what_waits(void **state) {
    (void)state;
    struct probe a = {.name = "a"};
    swo_queue *queue = new_queue();
    swo_observable *messenger = swo_messenger_new();
    observe_on(queue, messenger, &a);
    struct pollfd watched[] = {swo_poll_entry(NULL), swo_poll_entry(queue)};
    assert_int_equal(poll(watched, 2, 0), 0);
    send_number(messenger, 1);
    assert_int_equal(poll(watched, 2, -1), 1);
    assert_int_equal(watched[0].revents, 0);
    assert_int_equal(watched[1].revents, POLLIN);
    swo_observable_release(messenger);
    swo_queue_release(queue);
}

static void a_thread_can_wait_for_what_another_one_sends(void **state) {
    (void)state;
    struct probe a = {.name = "a"};
    size_t run, all = 0;
    swo_queue *queue = new_queue();
    swo_observable *messenger = swo_messenger_new();
    struct sender sender = {.observable = messenger, .count = scaled(100000)};
    observe_on(queue, messenger, &a);
    begin_sending(&sender);
    for (; all < (size_t)sender.count; all += run) assert_int_equal(swo_poll_drain(queue, -1, &run), SWO_OK);
    end_sending(&sender);
    assert_int_equal(a.calls, sender.count);
    swo_observable_release(messenger);
    swo_queue_release(queue);
}

static void waiting_ends_when_time_is_up(void **state) {
    (void)state;
    size_t run = 7;
    swo_queue *queue = new_queue();
    assert_int_equal(swo_poll_drain(queue, 1, &run), SWO_OK);
    assert_int_equal(run, 0);
    assert_int_equal(swo_poll_drain(queue, 0, NULL), SWO_OK);
    assert_int_equal(swo_poll_drain(NULL, 0, &run), SWO_INVALID_ARGUMENT);
    swo_queue_release(queue);
}

static void epoll_names_the_queue_that_has_work(void **state) {
    (void)state;
    struct journal journal = {0};
    struct probe a = {.name = "a", .journal = &journal}, b = {.name = "b", .journal = &journal};
    struct epoll_event event;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    swo_queue *first = new_queue(), *second = new_queue();
    swo_observable *messenger = swo_messenger_new(), *other = swo_messenger_new();
    observe_on(first, messenger, &a);
    observe_on(second, other, &b);
    assert_int_equal(swo_epoll_add(epoll, first), 0);
    assert_int_equal(swo_epoll_add(epoll, second), 0);
    assert_int_equal(epoll_wait(epoll, &event, 1, 0), 0);
    send_number(other, 1);
    assert_int_equal(epoll_wait(epoll, &event, 1, -1), 1);
    assert_ptr_equal(event.data.ptr, second);
    assert_int_equal(swo_queue_drain(event.data.ptr, 0, NULL), SWO_OK);
    assert_journal(&journal, "b1");
    assert_int_equal(swo_epoll_remove(epoll, second), 0);
    send_number(other, 2);
    assert_int_equal(epoll_wait(epoll, &event, 1, 0), 0);
    close(epoll);
    swo_observable_release(messenger);
    swo_observable_release(other);
    swo_queue_release(first);
    swo_queue_release(second);
}

static void epoll_says_what_it_cannot_watch(void **state) {
    (void)state;
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    swo_queue *queue = new_queue();
    assert_int_equal(swo_epoll_add(epoll, NULL), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(swo_epoll_remove(epoll, NULL), -1);
    assert_int_equal(errno, EBADF);
    assert_int_equal(swo_epoll_remove(epoll, queue), -1);
    assert_int_equal(errno, ENOENT);
    close(epoll);
    swo_queue_release(queue);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poll_is_told_of_what_waits),
        cmocka_unit_test(a_thread_can_wait_for_what_another_one_sends),
        cmocka_unit_test(waiting_ends_when_time_is_up),
        cmocka_unit_test(epoll_names_the_queue_that_has_work),
        cmocka_unit_test(epoll_says_what_it_cannot_watch),
    };
    return cmocka_run_group_tests(tests, limit_time, NULL);
}
