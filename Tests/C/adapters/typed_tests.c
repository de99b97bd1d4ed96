/* SPDX-License-Identifier: MIT */
/* Messages by their C types, and messengers of structs. */
#include "queues.h"
#include <limits.h>
#include <swiftobserver/typed.h>

struct reading {
    double celsius;
    int64_t time;
    char room;
};
SWO_DEFINE_MESSENGER(readings, struct reading)

TEST(values_have_the_kind_of_their_type) {
    char text[] = "text";
    struct {
        swo_value value;
        int32_t kind;
    } cases[] = {
        {SWO_VALUE((bool)true), SWO_KIND_BOOL},
        {SWO_VALUE((signed char)-1), SWO_KIND_INT64},
        {SWO_VALUE((short)-1), SWO_KIND_INT64},
        {SWO_VALUE(-1), SWO_KIND_INT64},
        {SWO_VALUE(-1L), SWO_KIND_INT64},
        {SWO_VALUE(-1LL), SWO_KIND_INT64},
        {SWO_VALUE((int64_t)-1), SWO_KIND_INT64},
        {SWO_VALUE(1.5F), SWO_KIND_DOUBLE},
        {SWO_VALUE(1.5), SWO_KIND_DOUBLE},
        {SWO_VALUE(text), SWO_KIND_TEXT},
        {SWO_VALUE((const char *)text), SWO_KIND_TEXT},
        {SWO_VALUE("text"), SWO_KIND_TEXT},
        {SWO_VALUE(swo_bytes(text, 2)), SWO_KIND_BYTES},
    };
    for (size_t one = 0; one < COUNT(cases); one++) {
        assert_int_equal(cases[one].value.kind, cases[one].kind);
        if (cases[one].kind == SWO_KIND_INT64) assert_int_equal(cases[one].value.as.int64, -1);
        if (cases[one].kind == SWO_KIND_DOUBLE) assert_true(cases[one].value.as.float64 == 1.5);
        if (cases[one].kind == SWO_KIND_TEXT) assert_int_equal(cases[one].value.as.bytes.size, 4);
    }
    assert_int_equal(SWO_VALUE(UINT_MAX).as.int64, UINT_MAX);
    assert_int_equal(SWO_VALUE((unsigned char)255).as.int64, 255);
    assert_int_equal(SWO_VALUE((unsigned short)65535).as.int64, 65535);
}

TEST(sends_and_sets_take_what_they_are_given) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(0);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    ok(SWO_SEND_VALUE(messenger, 1));
    ok(SWO_SEND_VALUE(messenger, 2.5));
    ok(SWO_SEND_VALUE_BY(messenger, "text", &journal));
    assert_ptr_equal(a.author, &journal);
    ok(SWO_SET_VALUE(variable, 3));
    ok(SWO_SET_VALUE_BY(variable, "x", &journal));
    assert_ptr_equal(b.author, &journal);
    assert_int_equal(SWO_SEND_VALUE(NULL, 1), SWO_INVALID_ARGUMENT);
    assert_int_equal(SWO_SET_VALUE(messenger, 1), SWO_WRONG_KIND);
    EXPECT_TRACE("a1 a2.5 atext b(0,3) b(3,x)");
}

TEST(gets_take_no_other_kind) {
    bool boolean = false;
    int64_t number = 7;
    double degrees = 7;
    swo_value value;
    OWN_OBSERVABLE *variable = number_variable(5);
    ok(SWO_GET_VALUE(variable, &number));
    assert_int_equal(number, 5);
    assert_int_equal(SWO_GET_VALUE(variable, &degrees), SWO_WRONG_KIND);
    assert_int_equal(SWO_GET_VALUE(variable, &boolean), SWO_WRONG_KIND);
    SWO_SET_VALUE(variable, 2.5);
    ok(SWO_GET_VALUE(variable, &degrees));
    assert_true(degrees == 2.5);
    SWO_SET_VALUE(variable, (bool)true);
    ok(SWO_GET_VALUE(variable, &boolean));
    assert_true(boolean);
    SWO_SET_VALUE(variable, "a text that is too long to lie anywhere but in memory of its own");
    assert_int_equal(SWO_GET_VALUE(variable, &number), SWO_WRONG_KIND);
    assert_int_equal(number, 5);
    ok(SWO_GET_VALUE(variable, &value));
    assert_int_equal(value.kind, SWO_KIND_TEXT);
    swo_value_clear(&value);
    assert_int_equal(SWO_GET_VALUE(NULL, &number), SWO_INVALID_ARGUMENT);
    assert_int_equal(SWO_GET_VALUE(variable, (int64_t *)NULL), SWO_INVALID_ARGUMENT);
}

/* The context of typed handlers. */
struct readers {
    struct reading latest;
    const void *author;
    int calls, ended;
};

static void keep(void *context, const struct reading *reading, const void *author) {
    struct readers *readers = context;
    must((uintptr_t)reading % _Alignof(struct reading) == 0);
    readers->latest = *reading;
    readers->author = author;
    readers->calls++;
}

static void end(void *context) { ((struct readers *)context)->ended++; }

TEST(a_typed_messenger_carries_structs) {
    struct readers readers = {0};
    swo_observation id;
    readings *messenger = readings_new();
    ok(readings_observe(messenger, NULL, keep, &readers, end, &id));
    ok(readings_send(messenger, &(struct reading){21.5, 60, 'k'}, &state));
    assert_true(readers.latest.celsius == 21.5 && readers.latest.time == 60 && readers.latest.room == 'k');
    assert_ptr_equal(readers.author, &state);
    ok(swo_stop(id));
    ok(readings_send(messenger, &(struct reading){0}, NULL));
    assert_int_equal(readers.calls, 1);
    assert_int_equal(readers.ended, 1);
    readings_release(messenger);
}

TEST(a_typed_messenger_delivers_on_a_queue) {
    struct readers readers = {0};
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(NULL);
    readings *messenger = readings_new(), *owned = readings_retain(messenger);
    assert_ptr_equal(messenger, owned);
    ok(swo_queue_executor(queue, &executor));
    ok(readings_observe_on(messenger, NULL, &executor, keep, &readers, end, NULL));
    ok(readings_send(messenger, &(struct reading){1, 2, '3'}, NULL));
    readings_release(messenger);
    assert_int_equal(readers.calls, 0);
    ok(swo_queue_drain(queue, 0, NULL));
    assert_int_equal(readers.latest.time, 2);
    readings_release(owned);
    assert_int_equal(readers.ended, 1);
}

TEST(an_observer_keeps_typed_observations) {
    struct readers readers = {0};
    swo_observer *observer = swo_observer_new();
    readings *messenger = readings_new();
    ok(readings_observe(messenger, observer, keep, &readers, end, NULL));
    assert_true(swo_observer_is_observing(observer, readings_observable(messenger)));
    swo_observer_release(observer);
    assert_int_equal(readers.ended, 1);
    readings_release(messenger);
}

TEST(other_messages_do_not_reach_typed_handlers) {
    struct readers readers = {0};
    char bytes[sizeof(struct reading) + 1] = {0};
    readings *messenger = readings_new();
    readings_observe(messenger, NULL, keep, &readers, NULL, NULL);
    ok(SWO_SEND_VALUE(readings_observable(messenger), 1));
    ok(SWO_SEND_VALUE(readings_observable(messenger), swo_bytes(bytes, sizeof bytes)));
    ok(SWO_SEND_VALUE(readings_observable(messenger), swo_text_sized(bytes, sizeof(struct reading))));
    assert_int_equal(readers.calls, 0);
    /* Bytes that lie anywhere arrive aligned. */
    ok(SWO_SEND_VALUE(readings_observable(messenger), swo_bytes(bytes + 1, sizeof(struct reading))));
    assert_int_equal(readers.calls, 1);
    readings_release(messenger);
}

TEST(bad_arguments_end_the_context) {
    struct readers readers = {0};
    readings *messenger = readings_new();
    assert_int_equal(readings_observe(NULL, NULL, keep, &readers, end, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(readings_observe(messenger, NULL, NULL, &readers, end, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(readings_observe_on(messenger, NULL, NULL, keep, &readers, end, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(readings_observe_on(messenger, NULL, NULL, NULL, &readers, end, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(readers.ended, 4);
    assert_int_equal(readings_send(NULL, &readers.latest, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(readings_send(messenger, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_null(readings_retain(NULL));
    readings_release(NULL);
    readings_release(messenger);
}

/* ---- variables ---- */

SWO_DEFINE_VARIABLE(state_variable, struct reading)

struct changes {
    struct reading before, now;
    int calls, ended;
};

static void note_change(void *context, const struct reading *before, const struct reading *now, const void *author) {
    struct changes *changes = context;
    changes->before = *before;
    changes->now = *now;
    changes->calls++;
}

static void end_changes(void *context) { ((struct changes *)context)->ended++; }

static bool warm_up(void *most, struct reading *reading) {
    if (reading->celsius >= *(double *)most) return false;
    reading->celsius += 1;
    return true;
}

static struct reading reading_of(double celsius, int64_t time, char room) {
    struct reading reading;
    memset(&reading, 0, sizeof reading);
    reading.celsius = celsius, reading.time = time, reading.room = room;
    return reading;
}

TEST(a_typed_variable_holds_a_struct) {
    struct changes changes = {.calls = 0};
    struct reading value = reading_of(20, 1, 'k');
    state_variable *variable = NULL;
    double most = 22;
    assert_int_equal(state_variable_new(&value, &variable), SWO_OK);
    assert_int_equal(state_variable_observe(variable, NULL, note_change, &changes, end_changes, NULL), SWO_OK);
    assert_int_equal(state_variable_set(variable, &value, NULL), SWO_OK);
    assert_int_equal(changes.calls, 0);
    value = reading_of(21, 2, 'k');
    assert_int_equal(state_variable_set(variable, &value, &state), SWO_OK);
    assert_true(changes.calls == 1 && changes.before.time == 1 && changes.now.time == 2);
    assert_int_equal(state_variable_update(variable, warm_up, &most, NULL), SWO_OK);
    assert_true(changes.now.celsius == 22 && changes.now.room == 'k');
    assert_int_equal(state_variable_update(variable, warm_up, &most, NULL), SWO_DECLINED);
    assert_int_equal(state_variable_get(variable, &value), SWO_OK);
    assert_true(value.celsius == 22 && changes.calls == 2);
    state_variable_release(variable);
    assert_int_equal(changes.ended, 1);
}

TEST(a_typed_variable_delivers_on_a_queue) {
    struct changes changes = {.calls = 0};
    struct reading value = reading_of(20, 1, 'k');
    state_variable *variable = NULL, *owned;
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    assert_int_equal(state_variable_new(&value, &variable), SWO_OK);
    owned = state_variable_retain(variable);
    assert_int_equal(state_variable_observe_on(variable, NULL, &executor, note_change, &changes, end_changes, NULL),
                     SWO_OK);
    value.time = 2;
    assert_int_equal(state_variable_set(variable, &value, NULL), SWO_OK);
    state_variable_release(variable);
    assert_int_equal(changes.calls, 0);
    assert_int_equal(swo_queue_drain(queue, 0, NULL), SWO_OK);
    assert_true(changes.calls == 1 && changes.now.time == 2);
    state_variable_release(owned);
    assert_int_equal(changes.ended, 1);
}

TEST(a_typed_variable_takes_no_other_value_and_no_bad_argument) {
    struct changes changes = {.calls = 0};
    struct reading value = reading_of(20, 1, 'k');
    state_variable *variable = NULL;
    assert_int_equal(state_variable_new(NULL, &variable), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_new(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_new(&value, &variable), SWO_OK);
    assert_int_equal(state_variable_get(variable, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_get(NULL, &value), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_set(variable, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_update(variable, NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(state_variable_observe(variable, NULL, NULL, &changes, end_changes, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(changes.ended, 1);
    assert_int_equal(state_variable_observe(variable, NULL, note_change, &changes, end_changes, NULL), SWO_OK);
    assert_int_equal(SWO_SET_VALUE(state_variable_observable(variable), 5), SWO_OK);
    assert_int_equal(changes.calls, 0);
    assert_int_equal(state_variable_get(variable, &value), SWO_WRONG_KIND);
    double most = 100;
    assert_int_equal(state_variable_update(variable, warm_up, &most, NULL), SWO_WRONG_KIND);
    state_variable_release(variable);
    state_variable_release(NULL);
}
