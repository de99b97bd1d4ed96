/* SPDX-License-Identifier: MIT */
/* A merge whose messages tell which source has sent them. */
#include "queues.h"
#include <swiftobserver/merge.h>

TEST(a_message_tells_which_source_has_sent_it) {
    struct probe a = PROBE("a");
    swo_observable *merged, *first = swo_messenger_new(), *second = number_variable(0);
    swo_observable *sources[] = {first, second, first};
    ok(swo_merge_numbered(sources, 3, &merged));
    observe(merged, NULL, &a);
    send_number(first, 1);
    set_number(second, 5);
    swo_value text = swo_text("text");
    ok(swo_send(first, &text, &state));
    assert_ptr_equal(a.author, &state);
    EXPECT_TRACE("a(0,1) a(2,1) a(1,5) a(0,text) a(2,text)");
    RELEASE(first, second, merged);
}

TEST(what_is_merged_can_wait) {
    struct probe a = PROBE("a");
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    swo_observable *merged, *first = swo_messenger_new(), *second = swo_messenger_new();
    swo_observable *sources[] = {first, second};
    ok(swo_merge_numbered(sources, 2, &merged));
    ok(swo_observe_on_queue(merged, NULL, queue, probe_receive, &a, probe_destroy, NULL));
    send_number(first, 1);
    send_number(second, 2);
    send_number(first, 3);
    ok(swo_queue_drain(queue, 0, NULL));
    EXPECT_TRACE("a(0,1) a(1,2) a(0,3)");
    RELEASE(first, second, merged);
}

TEST(a_numbered_merge_keeps_its_sources_and_leaves_nothing) {
    struct probe a = PROBE("a");
    swo_observable *merged, *first = swo_messenger_new();
    ok(swo_merge_numbered(&first, 1, &merged));
    observe(merged, NULL, &a);
    swo_observable_release(first);
    send_number(first, 1);
    EXPECT_TRACE("a(0,1)");
    swo_observable_release(merged);
}

TEST(a_numbered_merge_refuses_what_a_merge_refuses) {
    swo_observable *merged = NULL, *messenger = swo_messenger_new();
    swo_observable *sources[] = {messenger, NULL};
    assert_int_equal(swo_merge_numbered(NULL, 1, &merged), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_merge_numbered(sources, 0, &merged), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_merge_numbered(sources, 1, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_merge_numbered(sources, 2, &merged), SWO_INVALID_ARGUMENT);
    assert_null(merged);
    assert_int_equal(swo_observable_count(messenger), 0);
    swo_observable_release(messenger);
}
