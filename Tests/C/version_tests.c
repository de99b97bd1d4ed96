/* SPDX-License-Identifier: MIT */
/* What the library says about itself and about what became of a call. */
#include "support.h"

static void the_library_has_the_version_of_the_header(void **state) {
    (void)state;
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", SWO_VERSION_MAJOR, SWO_VERSION_MINOR, SWO_VERSION_PATCH);
    assert_int_equal(swo_version(), SWO_VERSION);
    assert_string_equal(swo_version_text(), expected);
}

static void the_library_names_its_runtime(void **state) {
    (void)state;
    const char *runtime = swo_runtime_text();
    assert_true(strcmp(runtime, "embedded") == 0 || strcmp(runtime, "static") == 0);
}

static void every_status_has_a_sentence_of_its_own(void **state) {
    (void)state;
    for (swo_status one = SWO_CALLBACK_FAILED; one <= SWO_OK; one++) {
        assert_true(strlen(swo_status_text(one)) > 0);
        for (swo_status other = SWO_CALLBACK_FAILED; other < one; other++)
            assert_string_not_equal(swo_status_text(one), swo_status_text(other));
    }
}

static void an_unknown_status_has_a_sentence_too(void **state) {
    (void)state;
    static const swo_status unknown[] = {1, SWO_CALLBACK_FAILED - 1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        assert_true(strlen(swo_status_text(unknown[i])) > 0);
        assert_string_not_equal(swo_status_text(unknown[i]), swo_status_text(SWO_OK));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_the_version_of_the_header),
        cmocka_unit_test(the_library_names_its_runtime),
        cmocka_unit_test(every_status_has_a_sentence_of_its_own),
        cmocka_unit_test(an_unknown_status_has_a_sentence_too),
    };
    return cmocka_run_group_tests_name("version", tests, limit_time, NULL);
}
