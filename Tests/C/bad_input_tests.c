/* SPDX-License-Identifier: MIT */
/* What no program should pass, to every function: it is refused, nothing happens, and results stay as they were. */
#include "support.h"

static swo_status map(void *context, const swo_value *message, swo_value *out) { return SWO_OK; }

static bool accept(void *context, const swo_value *message) { return true; }

TEST(values_that_are_nowhere_are_refused) {
    swo_value value = swo_int64(1), out = swo_int64(7);
    bool equal = true;
    assert_int_equal(swo_value_check(NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_equal(NULL, &value, &equal), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_equal(&value, NULL, &equal), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_equal(&value, &value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_copy(NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_copy(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_true(equal);
    assert_true(out.kind == SWO_KIND_INT64 && out.as.int64 == 7);
    swo_value_clear(NULL);
}

TEST(observables_that_are_nowhere_are_refused) {
    swo_value value = swo_int64(7);
    assert_null(swo_observable_retain(NULL));
    swo_observable_release(NULL);
    assert_int_equal(swo_send(NULL, &value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_send(NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observable_set_ordered(NULL, true), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observable_set_ordered(NULL, false), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_get(NULL, &value), SWO_INVALID_ARGUMENT);
    assert_int_equal(value.as.int64, 7);
    assert_int_equal(swo_variable_set(NULL, &value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_update(NULL, map, NULL, NULL), SWO_INVALID_ARGUMENT);
}

TEST(messages_that_are_nowhere_are_refused) {
    struct probe a = {.name = "a"}, b = {.name = "b"};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(1);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    assert_int_equal(swo_send(messenger, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_send(variable, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_set(variable, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_update(variable, NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_get(variable, NULL), SWO_INVALID_ARGUMENT);
    assert_true(a.calls == 0 && b.calls == 0);
    assert_int_equal(number_of(variable), 1);
}

TEST(results_that_have_no_place_are_refused) {
    swo_value value = swo_int64(1);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_variable_new(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_variable_new(NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_map(messenger, map, NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_filter(messenger, accept, NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_new(messenger, NULL), SWO_INVALID_ARGUMENT);
}

TEST(transforms_of_nothing_are_refused) {
    swo_observable *messenger = swo_messenger_new(), *const untouched = messenger;
    swo_observable *out = untouched;
    assert_int_equal(swo_map(NULL, map, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_map(messenger, NULL, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_filter(NULL, accept, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_filter(messenger, NULL, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_new(NULL, &out), SWO_INVALID_ARGUMENT);
    assert_ptr_equal(out, untouched);
    swo_observable_release(messenger);
}

TEST(observers_that_are_nowhere_are_refused) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    assert_null(swo_observer_retain(NULL));
    swo_observer_release(NULL);
    assert_int_equal(swo_observer_stop(NULL, messenger), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observer_stop(NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_false(swo_observer_is_observing(NULL, messenger));
    assert_false(swo_observer_is_observing(observer, NULL));
    assert_false(swo_observer_is_observing(NULL, NULL));
}

TEST(observations_of_nothing_are_refused) {
    swo_observation out = 77;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe(NULL, NULL, probe_receive, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observe(messenger, NULL, NULL, NULL, NULL, &out), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_observe(NULL, NULL, NULL, NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(out, 77);
    assert_false(swo_is_living(0));
    assert_int_equal(swo_stop(0), SWO_NOT_FOUND);
    assert_int_equal(swo_stop_and_wait(0), SWO_NOT_FOUND);
}

TEST(the_number_of_an_observation_need_not_be_asked_for) {
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_int_equal(swo_observe(messenger, NULL, probe_receive, &a, probe_destroy, NULL), SWO_OK);
    send_number(messenger, 1);
    assert_int_equal(a.calls, 1);
}

enum { SOME_ERROR = 1 }; /* a value with two flaws: it is not promised which is named */

TEST(malformed_values_are_refused_as_message_and_as_value) {
    swo_update plain = {swo_null(), swo_null()}, nested = {swo_update_value(&plain), swo_null()},
               invalid = {swo_null(), swo_text("\xFF")};
    swo_value unknown = swo_null(), typeless = swo_null(), nowhere = swo_null();
    unknown.kind = -1;
    typeless.kind = SWO_KIND_OBJECT;
    nowhere.kind = SWO_KIND_UPDATE;
    const struct {
        swo_value value;
        swo_status as_message, as_value;
    } cases[] = {
        {unknown, SWO_WRONG_KIND, SWO_WRONG_KIND},
        {typeless, SWO_INVALID_ARGUMENT, SWO_INVALID_ARGUMENT},
        {nowhere, SWO_INVALID_ARGUMENT, SOME_ERROR},
        {swo_text("\xFF"), SWO_INVALID_TEXT, SWO_INVALID_TEXT},
        {swo_bytes(NULL, 1), SWO_INVALID_ARGUMENT, SWO_INVALID_ARGUMENT},
        {swo_text_sized("a", SIZE_MAX), SWO_INVALID_ARGUMENT, SWO_INVALID_ARGUMENT},
        {swo_update_value(&nested), SWO_WRONG_KIND, SWO_WRONG_KIND},
        {swo_update_value(&invalid), SWO_INVALID_TEXT, SOME_ERROR},
    };
    struct probe a = {.name = "a"}, b = {.name = "b"};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(1);
    observe(messenger, NULL, &a);
    observe(variable, NULL, &b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const swo_value *value = &cases[i].value;
        swo_observable *out = messenger;
        swo_status made = swo_variable_new(value, &out), set = swo_variable_set(variable, value, NULL);
        assert_int_equal(swo_value_check(value), cases[i].as_message);
        assert_int_equal(swo_send(messenger, value, NULL), cases[i].as_message);
        assert_true(swo_send(variable, value, NULL) < 0);
        if (cases[i].as_value != SOME_ERROR) assert_true(made == cases[i].as_value && set == cases[i].as_value);
        assert_true(made < 0 && set < 0);
        assert_ptr_equal(out, messenger);
    }
    assert_true(a.calls == 0 && b.calls == 0);
    assert_int_equal(number_of(variable), 1);
}
