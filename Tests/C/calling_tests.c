/* SPDX-License-Identifier: MIT */
/* Calls: functions of other runtimes that send. What they answer, and what they count. */
#include "support.h"

static size_t progress, seen_progress;
static int retained;
static void *received;

static void retain(void *object) { retained++; }
static void release(void *object) { retained--; }

static const swo_object_type apples = {sizeof apples, retain, release, NULL};
static int yes, no;

HANDLER(receive, context) {
    assert_ptr_equal(author, context);
    assert_ptr_equal(message->as.object.type, &apples);
    received = message->as.object.pointer;
    seen_progress = progress;
}

static void *refuse(void *function, void *const *arguments, size_t count, void *names) { return NULL; }
static void ignore(void *context, void *const *taken) { (void)context, (void)taken; }

static const swo_answers failing = {.size = sizeof failing, .type = &apples, .call = refuse, .failed = ignore};

/* What each test has. */
static swo_observable *messenger;
static swo_call call;
static const swo_caller caller = {{NULL, NULL}, &call};

void set_up(void) {
    messenger = swo_messenger_new();
    call = (swo_call){sizeof(swo_call), messenger, &apples, &yes, &no, &progress, SWO_OK};
    progress = seen_progress = 0;
    retained = 0;
    received = NULL;
}

void tear_down(void) { swo_observable_release(messenger); }

TEST(a_call_sends_the_object_with_the_observable_as_its_author) {
    int apple;
    ok(swo_observe(messenger, NULL, receive, messenger, NULL, NULL));
    assert_ptr_equal(swo_call_send(&caller, &apple), &yes);
    assert_ptr_equal(received, &apple);
}

TEST(the_answer_is_retained_for_the_caller) {
    swo_call_send(&caller, NULL);
    assert_int_equal(retained, 1);
}

TEST(progress_is_counted_while_the_object_is_sent) {
    ok(swo_observe(messenger, NULL, receive, messenger, NULL, NULL));
    swo_call_send(&caller, NULL);
    assert_int_equal(seen_progress, 1);
    assert_int_equal(progress, 0);
    call.progress = NULL;
    assert_ptr_equal(swo_call_send(&caller, NULL), &yes);
}

TEST(a_failure_is_the_other_answer_and_leaves_its_status) { /* Law 25 */
    ok(swo_observe_answering(messenger, NULL, &failing, NULL, NULL, NULL, NULL, NULL));
    ok(swo_observe(messenger, NULL, receive, messenger, NULL, NULL));
    assert_ptr_equal(swo_call_send(&caller, &yes), &no);
    assert_int_equal(call.status, SWO_CALLBACK_FAILED);
    assert_ptr_equal(received, &yes);
}

TEST(what_cannot_be_sent_is_refused) {
    OWN_OBSERVABLE *variable = number_variable(1);
    call.observable = variable;
    assert_ptr_equal(swo_call_send(&caller, &yes), &no);
    assert_int_equal(call.status, SWO_WRONG_KIND);
    call.observable = NULL;
    assert_ptr_equal(swo_call_send(&caller, &yes), &no);
    assert_int_equal(call.status, SWO_INVALID_ARGUMENT);
    call.type = NULL;
    assert_null(swo_call_send(&caller, &yes));
    const swo_object_type too_small = {.size = sizeof too_small - 1};
    call.type = &too_small;
    assert_null(swo_call_send(&caller, &yes));
}

HANDLER(send_again, context) {
    int *order = context;
    order[0] = order[0] * 10 + (message->as.object.pointer == &yes ? 1 : 2);
    if (message->as.object.pointer == &yes) assert_ptr_equal(swo_call_send(&caller, &no), &yes);
}

TEST(inside_a_handler_a_call_queues) { /* Law 3 */
    int order = 0;
    ok(swo_observe(messenger, NULL, send_again, &order, NULL, NULL));
    ok(swo_observe(messenger, NULL, send_again, &order, NULL, NULL));
    swo_call_send(&caller, &yes);
    assert_int_equal(order, 112222);
}
