/* SPDX-License-Identifier: MIT */
/* The watcher for libuv, in real loops. */
#include "queues.h"
#include <swiftobserver/uv.h>

static struct setting {
    uv_loop_t loop;
    swo_uv watcher;
    swo_queue *queue;
    swo_observable *messenger;
    int closed;
} setting;

static struct probe a;

void set_up(void) {
    memset(&setting, 0, sizeof setting);
    a = (struct probe){.name = "a", .journal = &journal};
    must(uv_loop_init(&setting.loop) == 0);
    setting.queue = new_queue(NULL);
    setting.messenger = swo_messenger_new();
    must(swo_uv_start(&setting.watcher, &setting.loop, setting.queue) == 0);
}

static void note_closed(swo_uv *watcher) { setting.closed++; }

void tear_down(void) {
    if (!uv_is_closing((uv_handle_t *)&setting.watcher.poll)) swo_uv_close(&setting.watcher, note_closed);
    must(uv_run(&setting.loop, UV_RUN_DEFAULT) == 0);
    must(setting.closed == 1);
    must(uv_loop_close(&setting.loop) == 0);
    swo_observable_release(setting.messenger);
    swo_queue_release(setting.queue);
}

TEST(a_turn_of_the_loop_delivers_what_waits) {
    observe_on(setting.queue, setting.messenger, &a);
    uv_run(&setting.loop, UV_RUN_NOWAIT);
    send_numbers(setting.messenger, 1, 2);
    EXPECT_TRACE("");
    uv_run(&setting.loop, UV_RUN_NOWAIT);
    EXPECT_TRACE("a1 a2");
    uv_run(&setting.loop, UV_RUN_NOWAIT);
    EXPECT_TRACE("");
}

ACTION(expect_next) {
    must(message->as.int64 == probe->number++);
    if (probe->number == scaled(100000)) swo_uv_close(&setting.watcher, note_closed);
}

TEST(a_running_loop_receives_in_order_what_another_thread_sends) {
    a = (struct probe){.action = expect_next};
    struct sender sender = {.observable = setting.messenger, .count = scaled(100000)};
    observe_on(setting.queue, setting.messenger, &a);
    begin_sending(&sender);
    assert_int_equal(uv_run(&setting.loop, UV_RUN_DEFAULT), 0);
    end_sending(&sender);
    assert_int_equal(a.calls, sender.count);
}

TEST(nothing_is_delivered_once_a_watcher_is_closed) {
    a.journal = NULL;
    observe_on(setting.queue, setting.messenger, &a);
    send_number(setting.messenger, 1);
    swo_uv_close(&setting.watcher, note_closed);
    uv_run(&setting.loop, UV_RUN_DEFAULT);
    assert_int_equal(a.calls, 0);
    assert_int_equal(setting.closed, 1);
}

TEST(the_watcher_keeps_the_queue) {
    a.journal = NULL;
    observe_on(setting.queue, setting.messenger, &a);
    swo_queue_release(setting.queue);
    setting.queue = NULL;
    send_number(setting.messenger, 1);
    uv_run(&setting.loop, UV_RUN_NOWAIT);
    assert_int_equal(a.calls, 1);
}

TEST(an_unreferenced_watcher_does_not_keep_the_loop_running) {
    uv_unref((uv_handle_t *)&setting.watcher.poll);
    assert_int_equal(uv_run(&setting.loop, UV_RUN_DEFAULT), 0);
}

TEST(bad_arguments_are_refused) {
    swo_uv watcher;
    uv_loop_t loop;
    OWN_QUEUE *queue = new_queue(NULL);
    assert_int_equal(swo_uv_start(NULL, &loop, queue), UV_EINVAL);
    assert_int_equal(swo_uv_start(&watcher, NULL, queue), UV_EINVAL);
    assert_int_equal(swo_uv_start(&watcher, &loop, NULL), UV_EINVAL);
}
