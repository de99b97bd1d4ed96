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
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        swo_observable *variable;
        swo_value got;
        bool equal = false;
        assert_int_equal(swo_variable_new(&values[i], &variable), SWO_OK);
        assert_int_equal(swo_variable_get(variable, &got), SWO_OK);
        assert_int_equal(swo_value_equal(&got, &values[i], &equal), SWO_OK);
        assert_true(equal);
        swo_value_clear(&got);
        swo_observable_release(variable);
    }
}

TEST(a_variable_without_an_initial_value_is_null) {
    struct probe a = {.name = "a", .journal = &journal};
    swo_value got = swo_int64(7);
    OWN_OBSERVABLE *variable;
    assert_int_equal(swo_variable_new(NULL, &variable), SWO_OK);
    observe(variable, NULL, &a);
    assert_int_equal(swo_variable_get(variable, &got), SWO_OK);
    assert_int_equal(got.kind, SWO_KIND_NULL);
    set_number(variable, 1);
    assert_journal(&journal, "a(null,1)");
}

TEST(an_update_is_no_value_for_a_variable) {
    swo_update update = {swo_int64(1), swo_int64(2)};
    swo_value value = swo_update_value(&update);
    swo_observable *variable = number_variable(1), *made = NULL;
    assert_int_equal(swo_variable_new(&value, &made), SWO_WRONG_KIND);
    assert_null(made);
    assert_int_equal(swo_variable_set(variable, &value, NULL), SWO_WRONG_KIND);
    assert_int_equal(number_of(variable), 1);
    swo_observable_release(variable);
}

/* Law 18 */
TEST(beginning_to_observe_sends_nothing) {
    struct probe a = {.name = "a"};
    OWN_OBSERVABLE *variable = number_variable(1);
    set_number(variable, 2);
    observe(variable, NULL, &a);
    assert_int_equal(a.calls, 0);
}

/* Law 16 */
TEST(a_variable_sends_only_when_its_value_changes) {
    struct probe a = {.name = "a", .journal = &journal};
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    set_number(variable, 1);
    set_number(variable, 2);
    set_number(variable, 2);
    set_number(variable, 1);
    assert_journal(&journal, "a(1,2) a(2,1)");
}

/* Law 16: by bytes, by kind, and for doubles as IEEE 754 has it. */
TEST(change_is_what_is_not_equal) {
    const struct {
        swo_value from, to;
        bool is_change;
    } cases[] = {
        {swo_text("a"), swo_text("a"), false},
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
        {swo_double(NAN), swo_double(NAN), true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        swo_observable *variable;
        struct probe a = {.name = "a"};
        assert_int_equal(swo_variable_new(&cases[i].from, &variable), SWO_OK);
        observe(variable, NULL, &a);
        assert_int_equal(swo_variable_set(variable, &cases[i].to, NULL), SWO_OK);
        assert_int_equal(a.calls, cases[i].is_change);
        swo_observable_release(variable);
    }
}

static void set_next(struct probe *probe, const swo_value *update, const void *author) {
    int64_t number = update->as.update->new_value.as.int64;
    if (number >= 3) return;
    set_number(probe->observable, number + 1);
    must(number_of(probe->observable) == number + 1);
    journal_note(probe->journal, "(set)", NULL);
}

/* Laws 3 and 15 */
TEST(a_new_value_is_there_at_once_though_its_update_waits) {
    struct probe a = {.name = "a", .journal = &journal, .action = set_next}, b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *variable = number_variable(0);
    observe(variable, NULL, &a);
    observe(variable, NULL, &b);
    set_number(variable, 1);
    assert_journal(&journal, "a(0,1) (set) b(0,1) a(1,2) (set) b(1,2) a(2,3) b(2,3)");
    assert_int_equal(number_of(variable), 3);
}

TEST(a_variable_keeps_a_copy) {
    char text[] = "text";
    swo_value value = swo_text(text), got;
    swo_observable *variable;
    assert_int_equal(swo_variable_new(&value, &variable), SWO_OK);
    memset(text, 'x', 4);
    assert_int_equal(swo_variable_get(variable, &got), SWO_OK);
    assert_string_equal(got.as.bytes.data, "text");
    swo_value_clear(&got);
    memcpy(text, "next", 4);
    assert_int_equal(swo_variable_set(variable, &value, NULL), SWO_OK);
    memset(text, 'x', 4);
    assert_int_equal(swo_variable_get(variable, &got), SWO_OK);
    assert_string_equal(got.as.bytes.data, "next");
    swo_observable_release(variable);
    assert_string_equal(got.as.bytes.data, "next"); /* a copy of its own */
    swo_value_clear(&got);
}

static swo_status increment(void *context, const swo_value *old_value, swo_value *out) {
    must(out->kind == SWO_KIND_NULL);
    if (context != NULL) ++*(long *)context;
    *out = swo_int64(old_value->as.int64 + 1);
    return SWO_OK;
}

TEST(the_author_of_a_change_is_the_author_of_its_update) {
    struct probe a = {.name = "a"};
    int author = 0;
    swo_value value = swo_int64(1);
    OWN_OBSERVABLE *variable = number_variable(0);
    observe(variable, NULL, &a);
    assert_int_equal(swo_variable_set(variable, &value, &author), SWO_OK);
    assert_ptr_equal(a.author, &author);
    set_number(variable, 2);
    assert_ptr_equal(a.author, variable);
    assert_int_equal(swo_variable_update(variable, increment, NULL, &author), SWO_OK);
    assert_ptr_equal(a.author, &author);
    assert_int_equal(swo_variable_update(variable, increment, NULL, NULL), SWO_OK);
    assert_ptr_equal(a.author, variable);
}

TEST(an_update_can_be_sent_without_a_change) {
    struct probe a = {.name = "a", .journal = &journal};
    swo_update update = {swo_int64(5), swo_int64(6)};
    swo_value message = swo_update_value(&update), plain = swo_int64(6);
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    assert_int_equal(swo_send(variable, &message, NULL), SWO_OK);
    assert_int_equal(swo_send(variable, &plain, NULL), SWO_WRONG_KIND);
    assert_journal(&journal, "a(5,6)");
    assert_int_equal(number_of(variable), 1);
}

TEST(what_is_no_variable_has_no_value) {
    swo_observable *variable = number_variable(1), *others[2] = {swo_messenger_new(), NULL};
    assert_int_equal(swo_new(variable, &others[1]), SWO_OK);
    for (int i = 0; i < 2; i++) {
        swo_value value = swo_int64(7);
        assert_int_equal(swo_variable_get(others[i], &value), SWO_WRONG_KIND);
        assert_int_equal(value.as.int64, 7);
        assert_int_equal(swo_variable_set(others[i], &value, NULL), SWO_WRONG_KIND);
        assert_int_equal(swo_variable_update(others[i], increment, NULL, NULL), SWO_WRONG_KIND);
    }
    swo_observable_release(others[0]);
    swo_observable_release(others[1]);
    swo_observable_release(variable);
}
