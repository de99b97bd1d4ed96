/* SPDX-License-Identifier: MIT */
/* What is in a value is read by functions that check its kind; and observing on a queue takes one call. */
#include "support.h"

static const swo_object_type type = {sizeof type, NULL, NULL, NULL}, other_type = {sizeof other_type, NULL, NULL, NULL};

TEST(an_accessor_reads_its_own_kind) {
    bool boolean = false;
    int64_t number = 0;
    double real = 0;
    const char *text = NULL;
    const void *bytes = NULL;
    void *object = NULL;
    size_t size = 0;
    const swo_value *before = NULL, *after = NULL;
    swo_update update = {swo_int64(1), swo_int64(2)};
    swo_value values[] = {swo_bool(true),           swo_int64(-7),     swo_double(1.5),
                          swo_text("text"),         swo_bytes("b", 1), swo_object(&number, &type),
                          swo_update_value(&update)};
    ok(swo_value_bool(&values[0], &boolean));
    ok(swo_value_int64(&values[1], &number));
    ok(swo_value_double(&values[2], &real));
    ok(swo_value_text(&values[3], &text, &size));
    assert_true(boolean && number == -7 && real == 1.5 && size == 4 && memcmp(text, "text", 4) == 0);
    ok(swo_value_bytes(&values[4], &bytes, &size));
    ok(swo_value_object(&values[5], &type, &object));
    ok(swo_value_update(&values[6], &before, &after));
    assert_true(size == 1 && object == &number && before == &update.old_value && after == &update.new_value);
}

TEST(an_accessor_takes_no_other_kind_and_leaves_its_result) {
    bool boolean = true;
    int64_t number = 5;
    double real = 5;
    const char *text = "before";
    const void *bytes = &number;
    void *object = &number;
    size_t size = 5;
    const swo_value *before = NULL, *after = NULL;
    swo_update update = {swo_int64(1), swo_int64(2)};
    swo_value values[] = {swo_bool(false),
                          swo_int64(1),
                          swo_double(1),
                          swo_text(""),
                          swo_bytes("", 0),
                          swo_object(NULL, &other_type),
                          swo_update_value(&update),
                          swo_null()};
    for (size_t i = 0; i < COUNT(values); i++) {
        const swo_value *value = &values[i];
        if (i != 0) assert_int_equal(swo_value_bool(value, &boolean), SWO_WRONG_KIND);
        if (i != 1) assert_int_equal(swo_value_int64(value, &number), SWO_WRONG_KIND);
        if (i != 2) assert_int_equal(swo_value_double(value, &real), SWO_WRONG_KIND);
        if (i != 3) assert_int_equal(swo_value_text(value, &text, &size), SWO_WRONG_KIND);
        if (i != 4) assert_int_equal(swo_value_bytes(value, &bytes, &size), SWO_WRONG_KIND);
        assert_int_equal(swo_value_object(value, &type, &object), SWO_WRONG_KIND);
        if (i != 6) assert_int_equal(swo_value_update(value, &before, &after), SWO_WRONG_KIND);
    }
    assert_true(boolean && number == 5 && real == 5 && size == 5 && bytes == &number && object == &number);
    assert_string_equal(text, "before");
    assert_true(before == NULL && after == NULL);
}

TEST(an_accessor_wants_a_value_and_a_place_for_what_is_in_it) {
    int64_t number = 5;
    swo_value value = swo_int64(1);
    size_t size;
    const char *text;
    assert_int_equal(swo_value_int64(NULL, &number), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_int64(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_bool(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_double(&value, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_text(&value, NULL, &size), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_text(&value, &text, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_bytes(&value, NULL, &size), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_object(&value, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_update(&value, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(number, 5);
}

TEST(observing_on_a_queue_takes_one_call) {
    struct probe a = PROBE("a"), refused = PROBE("refused");
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe_on_queue(messenger, NULL, queue, probe_receive, &a, probe_destroy, NULL));
    assert_int_equal(swo_observe_on_queue(messenger, NULL, NULL, probe_receive, &refused, probe_destroy, NULL),
                     SWO_INVALID_ARGUMENT);
    assert_int_equal(refused.destroyed, 1);
    send_number(messenger, 1);
    EXPECT_TRACE("");
    assert_int_equal(drain(queue, 0), 1);
    EXPECT_TRACE("a1");
}
