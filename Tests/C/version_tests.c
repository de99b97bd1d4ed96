/* SPDX-License-Identifier: MIT */
/* What the library says about itself and about what became of a call. */
#include "support.h"

TEST(the_library_has_the_version_of_the_header) {
    char expected[32];
    snprintf(expected, sizeof expected, "%d.%d.%d", SWO_VERSION_MAJOR, SWO_VERSION_MINOR, SWO_VERSION_PATCH);
    assert_int_equal(swo_version(), SWO_VERSION);
    assert_string_equal(swo_version_text(), expected);
}

TEST(the_library_names_its_runtime) {
    const char *runtime = swo_runtime_text();
    assert_true(strcmp(runtime, "embedded") == 0 || strcmp(runtime, "static") == 0);
}

TEST(every_status_has_a_sentence_of_its_own) {
    for (swo_status one = SWO_CALLBACK_FAILED; one <= SWO_OK; one++) {
        assert_true(strlen(swo_status_text(one)) > 0);
        for (swo_status other = SWO_CALLBACK_FAILED; other < one; other++)
            assert_string_not_equal(swo_status_text(one), swo_status_text(other));
    }
}

TEST(an_unknown_status_has_a_sentence_too) {
    static const swo_status unknown[] = {1, SWO_CALLBACK_FAILED - 1, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < COUNT(unknown); i++) {
        assert_true(strlen(swo_status_text(unknown[i])) > 0);
        assert_string_not_equal(swo_status_text(unknown[i]), swo_status_text(SWO_OK));
    }
}
