/* SPDX-License-Identifier: MIT */
/* Values: kinds, equality, copies. Texts and objects have files of their own. */
#include "support.h"

#include <math.h>

static bool are_equal(swo_value one, swo_value other) {
    bool forth, back;
    ok(swo_value_equal(&one, &other, &forth));
    ok(swo_value_equal(&other, &one, &back));
    must(forth == back);
    return forth;
}

TEST(a_zeroed_value_is_null) {
    swo_value zeroed;
    memset(&zeroed, 0, sizeof zeroed);
    ok(swo_value_check(&zeroed));
    assert_true(are_equal(zeroed, swo_null()));
}

TEST(values_of_different_kinds_differ) {
    swo_update update = {swo_null(), swo_null()};
    static const swo_object_type type = {.size = sizeof type};
    const swo_value values[] = {swo_null(),
                                swo_bool(true),
                                swo_int64(1),
                                swo_double(1),
                                swo_text("1"),
                                swo_bytes("1", 1),
                                swo_object(NULL, &type),
                                swo_update_value(&update)};
    const size_t count = COUNT(values);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) assert_int_equal(are_equal(values[i], values[k]), i == k);
}

TEST(plain_values_are_equal_if_they_are_the_same) {
    assert_true(are_equal(swo_bool(false), swo_bool(false)));
    assert_false(are_equal(swo_bool(false), swo_bool(true)));
    static const int64_t numbers[] = {INT64_MIN, -1, 0, 1, (int64_t)1 << 32, INT64_MAX};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            assert_int_equal(are_equal(swo_int64(numbers[i]), swo_int64(numbers[k])), i == k);
}

TEST(doubles_compare_as_ieee_754_does) {
    assert_true(are_equal(swo_double(0.5), swo_double(0.5)));
    assert_true(are_equal(swo_double(0.0), swo_double(-0.0)));
    assert_true(are_equal(swo_double(INFINITY), swo_double(INFINITY)));
    assert_false(are_equal(swo_double(INFINITY), swo_double(-INFINITY)));
    assert_false(are_equal(swo_double(NAN), swo_double(NAN)));
    assert_false(are_equal(swo_double(0.1 + 0.2), swo_double(0.3)));
}

TEST(texts_and_bytes_are_equal_byte_by_byte) {
    assert_true(are_equal(swo_text("observer"), swo_text_sized("observers", 8)));
    assert_false(are_equal(swo_text("observer"), swo_text("observes")));
    assert_false(are_equal(swo_text("observer"), swo_text("observe")));
    assert_true(are_equal(swo_text(""), swo_text_sized(NULL, 0)));
    assert_true(are_equal(swo_bytes("\0\1", 2), swo_bytes("\0\1", 2)));
    assert_false(are_equal(swo_bytes("\0\1", 2), swo_bytes("\0\2", 2)));
    assert_false(are_equal(swo_text_sized("a\0b", 3), swo_text_sized("a\0c", 3)));
    /* Two spellings of one letter are two texts. */
    assert_false(are_equal(swo_text("\xC3\xA9"), swo_text("e\xCC\x81")));
}

TEST(updates_are_equal_if_both_values_are) {
    swo_update update = {swo_int64(1), swo_text("a")}, same = {swo_int64(1), swo_text("a")};
    swo_update other_old = {swo_int64(2), swo_text("a")}, other_new = {swo_int64(1), swo_text("b")};
    assert_true(are_equal(swo_update_value(&update), swo_update_value(&same)));
    assert_false(are_equal(swo_update_value(&update), swo_update_value(&other_old)));
    assert_false(are_equal(swo_update_value(&update), swo_update_value(&other_new)));
}

TEST(a_copy_does_not_change_with_its_original) {
    char bytes[] = "a\0b", text[] = "text";
    swo_value original = swo_bytes(bytes, 3), copy, copied_text;
    ok(swo_value_copy(&original, &copy));
    ok(swo_value_copy(VALUE(swo_text(text)), &copied_text));
    memset(bytes, 'x', 3);
    memset(text, 'x', 4);
    assert_true(are_equal(copy, swo_bytes("a\0b", 3)));
    assert_true(are_equal(copied_text, swo_text("text")));
    swo_value_clear(&copy);
    swo_value_clear(&copied_text);
}

TEST(a_copied_text_is_followed_by_a_zero) {
    swo_value texts[] = {swo_text_sized("text and more", 4), swo_text_sized(NULL, 0)};
    for (int i = 0; i < 2; i++) {
        swo_value copy;
        ok(swo_value_copy(&texts[i], &copy));
        assert_int_equal(copy.kind, SWO_KIND_TEXT);
        assert_int_equal(strlen(copy.as.bytes.data), texts[i].as.bytes.size);
        assert_int_equal(copy.as.bytes.size, texts[i].as.bytes.size);
        swo_value_clear(&copy);
    }
}

TEST(a_copy_of_an_update_owns_both_values) {
    char old_text[] = "old", new_text[] = "new";
    swo_update update = {swo_text(old_text), swo_bytes(new_text, 3)};
    swo_value value = swo_update_value(&update), copy, second;
    ok(swo_value_copy(&value, &copy));
    ok(swo_value_copy(&copy, &second));
    memset(old_text, 'x', 3);
    memset(new_text, 'x', 3);
    update = (swo_update){swo_null(), swo_null()};
    swo_value_clear(&copy);
    swo_update expected = {swo_text("old"), swo_bytes("new", 3)};
    assert_true(are_equal(second, swo_update_value(&expected)));
    swo_value_clear(&second);
}

TEST(a_copied_number_has_nothing_to_free) {
    const swo_value numbers[] = {swo_null(), swo_bool(true), swo_int64(INT64_MIN), swo_double(-0.0)};
    for (int i = 0; i < 4; i++) {
        swo_value copy;
        ok(swo_value_copy(&numbers[i], &copy));
        assert_int_equal(copy.owned, 0);
        assert_true(are_equal(copy, numbers[i]));
    }
    swo_value negative_zero = swo_double(-0.0), copy;
    ok(swo_value_copy(&negative_zero, &copy));
    assert_true(signbit(copy.as.float64));
}

TEST(a_cleared_value_is_null) {
    char text[] = "borrowed";
    swo_value borrowing = swo_text(text), copy, number = swo_int64(1);
    ok(swo_value_copy(&borrowing, &copy));
    swo_value_clear(&copy);
    swo_value_clear(&borrowing);
    swo_value_clear(&number);
    swo_value_clear(&copy); /* again */
    swo_value_clear(NULL);
    assert_true(are_equal(copy, swo_null()) && are_equal(borrowing, swo_null()) && are_equal(number, swo_null()));
    assert_int_equal(copy.owned, 0);
    assert_string_equal(text, "borrowed");
}
