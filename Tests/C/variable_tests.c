/* SPDX-License-Identifier: MIT */
/* Variables: the value is there at once, its update takes its turn, and no change sends nothing. */
#include "support.h"

#include <math.h>

TEST(a_variable_holds_a_value_of_any_kind_but_update) {
    static const swo_object_type type = {.size = sizeof type};
    int object;
    const swo_value values[] = {swo_null(),
                                swo_bool(true),
                                swo_int64(-1),
                                swo_double(0.5),
                                swo_text_sized("a\0b", 3),
                                swo_text(""),
                                swo_bytes("\xFF", 1),
                                swo_object(&object, &type)};
    for (size_t i = 0; i < COUNT(values); i++) {
        swo_observable *variable;
        swo_value got;
        bool equal = false;
        ok(swo_variable_new(&values[i], &variable));
        ok(swo_variable_get(variable, &got));
        ok(swo_value_equal(&got, &values[i], &equal));
        assert_true(equal);
        swo_value_clear(&got);
        swo_observable_release(variable);
    }
}

TEST(a_variable_without_an_initial_value_is_null) {
    struct probe a = PROBE("a");
    swo_value got = swo_int64(7);
    OWN_OBSERVABLE *variable;
    ok(swo_variable_new(NULL, &variable));
    observe(variable, NULL, &a);
    ok(swo_variable_get(variable, &got));
    assert_int_equal(got.kind, SWO_KIND_NULL);
    set_number(variable, 1);
    EXPECT_TRACE("a(null,1)");
}

/* Law 16: by bytes, by kind, and for doubles as IEEE 754 has it. */
TEST(change_is_what_is_not_equal) {
    const struct {
        swo_value from, to;
        bool is_change;
    } cases[] = {{swo_text("a"), swo_text("a"), false},
                 {swo_text("a"), swo_text("b"), true},
                 {swo_text("a"), swo_bytes("a", 1), true},
                 {swo_bytes("a\0", 2), swo_bytes("a\0", 2), false},
                 {swo_bytes("a\0", 2), swo_bytes("a", 1), true},
                 {swo_int64(1), swo_double(1), true},
                 {swo_int64(0), swo_bool(false), true},
                 {swo_int64(0), swo_null(), true},
                 {swo_null(), swo_null(), false},
                 {swo_bool(true), swo_bool(true), false},
                 {swo_double(0.0), swo_double(-0.0), false},
                 {swo_double(1), swo_double(1), false},
                 {swo_double(1), swo_double(NAN), true},
                 {swo_double(NAN), swo_double(NAN), true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        swo_observable *variable;
        struct probe a = {.name = "a"};
        ok(swo_variable_new(&cases[i].from, &variable));
        observe(variable, NULL, &a);
        ok(swo_variable_set(variable, &cases[i].to, NULL));
        assert_int_equal(a.calls, cases[i].is_change);
        swo_observable_release(variable);
    }
}

TEST(a_variable_keeps_a_copy) {
    char text[] = "text";
    swo_value value = swo_text(text), got;
    swo_observable *variable;
    ok(swo_variable_new(&value, &variable));
    memset(text, 'x', 4);
    ok(swo_variable_get(variable, &got));
    assert_string_equal(got.as.bytes.data, "text");
    swo_value_clear(&got);
    memcpy(text, "next", 4);
    ok(swo_variable_set(variable, &value, NULL));
    memset(text, 'x', 4);
    ok(swo_variable_get(variable, &got));
    assert_string_equal(got.as.bytes.data, "next");
    swo_observable_release(variable);
    assert_string_equal(got.as.bytes.data, "next"); /* a copy of its own */
    swo_value_clear(&got);
}

TEST(an_update_can_be_sent_without_a_change) {
    struct probe a = PROBE("a");
    swo_update update = {swo_int64(5), swo_int64(6)};
    swo_value message = swo_update_value(&update), plain = swo_int64(6);
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    ok(swo_send(variable, &message, NULL));
    assert_int_equal(swo_send(variable, &plain, NULL), SWO_WRONG_KIND);
    EXPECT_TRACE("a(5,6)");
    assert_int_equal(number_of(variable), 1);
}
