/* SPDX-License-Identifier: MIT */
/* Handlers that answer: what they get, who releases what they return, and how they fail. */
#include "support.h"

static int released, failed;
static const void *last_released;

static void release(void *answer) {
    released++;
    last_released = answer;
}

static void take(void **kind, void **error, void **trace) {
    *kind = &failed;
    *error = &released;
    *trace = NULL;
}

static void note_failure(void *context, void *const *taken) {
    assert_ptr_equal(taken[0], &failed);
    assert_ptr_equal(taken[1], &released);
    assert_null(taken[2]);
    failed++;
}

static int converted = 77;

static void *convert_numbers(void *context, const swo_value *message) {
    return message->kind == SWO_KIND_INT64 ? &converted : NULL;
}

static const swo_object_type apples = {.size = sizeof apples}, pears = {.size = sizeof pears};

/* Remembers the object in its function, and answers with it; NULL where there is no function. */
static void *call(void *function, void *const *arguments, size_t count, void *names) {
    assert_int_equal(count, 1);
    assert_null(names);
    return function ? *(void **)function = arguments[0] : NULL;
}

static const swo_answers keeping = {sizeof keeping, &apples, call, convert_numbers, release, take,
                                    note_failure,   NULL,    NULL};
static const swo_answers strict = {.size = sizeof strict, .type = &apples, .call = call, .release = release};

/* What each test has, and what its handler has received. */
static swo_observable *messenger;
static void *received;

void set_up(void) {
    messenger = swo_messenger_new();
    released = failed = 0;
    last_released = received = NULL;
}

void tear_down(void) { swo_observable_release(messenger); }

static void observe_answering(const swo_answers *answers, void *function, void *reference) {
    ok(swo_observe_answering(messenger, NULL, answers, function, reference, NULL, NULL, NULL));
}

static swo_status send_object(void *object, const swo_object_type *type) {
    return swo_send(messenger, VALUE(swo_object(object, type)), NULL);
}

TEST(an_answering_handler_gets_the_object_and_its_answer_is_released) {
    int apple;
    observe_answering(&keeping, &received, NULL);
    ok(send_object(&apple, &apples));
    assert_ptr_equal(received, &apple);
    assert_ptr_equal(last_released, &apple);
    assert_int_equal(released, 1);
}

TEST(another_message_is_converted_and_the_conversion_is_released) {
    observe_answering(&keeping, &received, NULL);
    send_number(messenger, 1);
    assert_ptr_equal(received, &converted);
    assert_int_equal(released, 2);
}

TEST(without_a_conversion_other_messages_are_not_delivered) {
    int pear;
    observe_answering(&strict, &received, NULL);
    ok(send_object(&pear, &pears));
    assert_null(received);
    assert_int_equal(released, 0);
}

TEST(a_failing_handler_does_not_keep_others_from_receiving_and_the_sender_learns_it) { /* Law 25 */
    int apple, pear;
    observe_answering(&keeping, NULL, NULL);
    observe_answering(&keeping, &received, NULL);
    assert_int_equal(send_object(&apple, &apples), SWO_CALLBACK_FAILED);
    assert_ptr_equal(received, &apple);
    assert_int_equal(failed, 1);
    /* Neither can be converted: both have failed. */
    assert_int_equal(send_object(&pear, &pears), SWO_CALLBACK_FAILED);
    assert_int_equal(failed, 3);
}

TEST(where_failing_means_nothing_null_is_an_answer) {
    int apple;
    observe_answering(&strict, NULL, NULL);
    ok(send_object(&apple, &apples));
    assert_int_equal(released, 0);
}

/* ---- methods ---- */

static void *target, *called_on, *called_with;
static const char gone;

/* A reference is where the object stands, or nothing. */
THREAD(resolve, reference) { return *(void **)reference ? *(void **)reference : (void *)&gone; }

static void *call_method(void *function, void *const *arguments, size_t count, void *names) {
    assert_int_equal(count, 2);
    assert_null(names);
    called_on = arguments[0];
    called_with = arguments[1];
    return function;
}

static const swo_answers method = {sizeof method, &apples,      call_method, NULL,         release,
                                   take,          note_failure, resolve,     (void *)&gone};

TEST(a_method_is_called_on_its_object_as_long_as_that_is_there) {
    int object, apple, function, other;
    target = &object;
    observe_answering(&method, &function, &target);
    ok(send_object(&apple, &apples));
    assert_ptr_equal(called_on, &object);
    assert_ptr_equal(called_with, &apple);
    /* The answer and the object. */
    assert_int_equal(released, 2);
    assert_ptr_equal(last_released, &object);
    target = NULL;
    ok(send_object(&other, &apples));
    assert_ptr_equal(called_with, &apple);
    assert_ptr_equal(last_released, &gone);
    assert_int_equal(failed, 0);
}

THREAD(resolve_nothing, reference) { return NULL; }

TEST(a_method_fails_if_it_answers_null_or_its_object_cannot_be_had) {
    swo_answers lost = method;
    lost.resolve = resolve_nothing;
    int object, apple;
    target = &object;
    observe_answering(&method, NULL, &target);
    observe_answering(&lost, NULL, &target);
    assert_int_equal(send_object(&apple, &apples), SWO_CALLBACK_FAILED);
    assert_int_equal(failed, 2);
    assert_int_equal(released, 1);
}

TEST(an_observer_keeps_it) {
    swo_observer *observer = swo_observer_new();
    ok(swo_observe_answering(messenger, observer, &keeping, &received, NULL, NULL, NULL, NULL));
    send_number(messenger, 1);
    assert_ptr_equal(received, &converted);
    received = NULL;
    swo_observer_release(observer);
    send_number(messenger, 2);
    assert_null(received);
}
