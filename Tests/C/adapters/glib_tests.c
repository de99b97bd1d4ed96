/* SPDX-License-Identifier: MIT */
/* The source for GLib's main loop, in real loops. */
#include "queues.h"
#include <swiftobserver/glib.h>

/* A loop in a context of its own, so that the tests do not meet in the default one. */
static struct setting {
    GMainContext *main_context;
    swo_queue *queue;
    swo_observable *messenger;
    GSource *source;
} setting;

static struct probe a;

void set_up(void) {
    memset(&setting, 0, sizeof setting);
    a = (struct probe){.name = "a", .journal = &journal};
    setting.main_context = g_main_context_new();
    setting.queue = new_queue(NULL);
    setting.messenger = swo_messenger_new();
    setting.source = swo_glib_source_new(setting.queue);
    g_source_attach(setting.source, setting.main_context);
}

void tear_down(void) {
    g_source_destroy(setting.source);
    g_source_unref(setting.source);
    swo_observable_release(setting.messenger);
    swo_queue_release(setting.queue);
    g_main_context_unref(setting.main_context);
}

TEST(a_turn_of_the_loop_delivers_what_waits) {
    observe_on(setting.queue, setting.messenger, &a);
    assert_false(g_main_context_iteration(setting.main_context, FALSE));
    send_numbers(setting.messenger, 1, 2);
    EXPECT_TRACE("");
    assert_true(g_main_context_iteration(setting.main_context, FALSE));
    EXPECT_TRACE("a1 a2");
    assert_false(g_main_context_iteration(setting.main_context, FALSE));
}

ACTION(send_next) { send_number(probe->observable, message->as.int64 + 1); }

TEST(what_a_handler_sends_waits_for_the_next_turn) {
    a.action = send_next;
    observe_on(setting.queue, setting.messenger, &a);
    send_number(setting.messenger, 1);
    for (int turn = 0; turn < 3; turn++) assert_true(g_main_context_iteration(setting.main_context, FALSE));
    EXPECT_TRACE("a1 a2 a3");
}

struct end {
    GMainLoop *loop;
    GThread *loop_thread;
    long last;
};

ACTION(quit_at_last) {
    struct end *end = (struct end *)probe->gate;
    must(g_thread_self() == end->loop_thread);
    must(message->as.int64 == probe->number++);
    if (probe->number == end->last) g_main_loop_quit(end->loop);
}

TEST(a_running_loop_receives_in_order_what_another_thread_sends) {
    struct end end = {g_main_loop_new(setting.main_context, FALSE), g_thread_self(), scaled(100000)};
    a = (struct probe){.action = quit_at_last, .gate = (struct gate *)&end};
    struct sender sender = {.observable = setting.messenger, .count = end.last};
    observe_on(setting.queue, setting.messenger, &a);
    begin_sending(&sender);
    g_main_loop_run(end.loop);
    end_sending(&sender);
    assert_int_equal(a.calls, end.last);
    g_main_loop_unref(end.loop);
}

ACTION(destroy_source) { g_source_destroy((GSource *)probe->gate); }

TEST(a_handler_may_destroy_the_source) {
    a = (struct probe){.action = destroy_source, .gate = (struct gate *)setting.source};
    observe_on(setting.queue, setting.messenger, &a);
    send_number(setting.messenger, 1);
    assert_true(g_main_context_iteration(setting.main_context, FALSE));
    send_number(setting.messenger, 2);
    assert_false(g_main_context_iteration(setting.main_context, FALSE));
    assert_int_equal(a.calls, 1);
}

TEST(the_source_keeps_the_queue) {
    a.journal = NULL;
    observe_on(setting.queue, setting.messenger, &a);
    swo_queue_release(setting.queue);
    setting.queue = NULL;
    send_number(setting.messenger, 1);
    assert_true(g_main_context_iteration(setting.main_context, FALSE));
    assert_int_equal(a.calls, 1);
}

TEST(an_attached_queue_is_removed_by_its_id) {
    a.journal = NULL;
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    guint id = swo_glib_attach(queue, NULL);
    observe_on(queue, messenger, &a);
    send_number(messenger, 1);
    assert_true(g_main_context_iteration(NULL, FALSE));
    assert_int_equal(a.calls, 1);
    assert_true(g_source_remove(id));
    send_number(messenger, 2);
    assert_false(g_main_context_iteration(NULL, FALSE));
    assert_int_equal(a.calls, 1);
}

TEST(no_queue_is_no_source) {
    assert_null(swo_glib_source_new(NULL));
    assert_int_equal(swo_glib_attach(NULL, NULL), 0);
}
