/* SPDX-License-Identifier: MIT */
/* A text is valid UTF-8, wherever it enters: nothing overlong, no surrogates, nothing beyond U+10FFFF. */
#include "support.h"

#define BYTES(literal) (literal), sizeof(literal) - 1

struct text {
    const char *bytes;
    size_t size;
};

static const struct text valid[] = {
    {BYTES("")},
    {BYTES("plain")},
    {BYTES("zeros \0 and \0")},
    {BYTES("\x7F")},
    {BYTES("\xC2\x80")},                 /* U+0080, the first of two bytes */
    {BYTES("\xDF\xBF")},                 /* U+07FF, the last */
    {BYTES("\xE0\xA0\x80")},             /* U+0800, the first of three */
    {BYTES("\xED\x9F\xBF")},             /* U+D7FF, below the surrogates */
    {BYTES("\xEE\x80\x80")},             /* U+E000, above them */
    {BYTES("\xEF\xBF\xBF")},             /* U+FFFF, a noncharacter, which is no error */
    {BYTES("\xF0\x90\x80\x80")},         /* U+10000, the first of four */
    {BYTES("\xF4\x8F\xBF\xBF")},         /* U+10FFFF, the last of all */
    {BYTES("\xEF\xBB\xBF with a mark")}, /* U+FEFF */
    {BYTES("gr\xC3\xBC\xC3\x9F \xF0\x9F\xA6\x89 \xE6\x97\xA5\xE6\x9C\xAC")},
};

static const struct text invalid[] = {
    {BYTES("\x80")}, /* a continuation without a beginning */
    {BYTES("a\xBF")},
    {BYTES("\xC3")}, /* truncated */
    {BYTES("\xE2\x82")},
    {BYTES("\xF0\x9F\xA6")},
    {BYTES("\xE2\x82 follows")},
    {BYTES("\xC3\xC3\xBC")},
    {BYTES("\xC0\x80")},                 /* overlong zero */
    {BYTES("\xC1\xBF")},                 /* overlong U+007F */
    {BYTES("\xE0\x9F\xBF")},             /* overlong U+07FF */
    {BYTES("\xF0\x8F\xBF\xBF")},         /* overlong U+FFFF */
    {BYTES("\xED\xA0\x80")},             /* U+D800 */
    {BYTES("\xED\xBF\xBF")},             /* U+DFFF */
    {BYTES("\xED\xA0\xBD\xED\xB8\x80")}, /* a pair of surrogates */
    {BYTES("\xF4\x90\x80\x80")},         /* U+110000 */
    {BYTES("\xF5\x80\x80\x80")},
    {BYTES("\xF8\x88\x80\x80\x80")},     /* five bytes */
    {BYTES("\xFC\x84\x80\x80\x80\x80")}, /* six */
    {BYTES("\xFE")},
    {BYTES("\xFF")},
    {BYTES("zero \0 and \xFF")},
    {BYTES("a long text of plain letters, so that a check in steps of words sees its end: \xFF")},
};

TEST(valid_texts_are_accepted) {
    for (size_t i = 0; i < COUNT(valid); i++) {
        ok(swo_value_check(VALUE(swo_text_sized(valid[i].bytes, valid[i].size))));
    }
}

TEST(invalid_texts_are_refused_wherever_they_enter) {
    swo_observable *messenger = swo_messenger_new(), *variable = number_variable(1), *made = NULL;
    struct probe probe = {.name = "a"};
    observe(messenger, NULL, &probe);
    for (size_t i = 0; i < COUNT(invalid); i++) {
        swo_value text = swo_text_sized(invalid[i].bytes, invalid[i].size), copy = swo_int64(7);
        bool equal = true;
        assert_int_equal(swo_value_check(&text), SWO_INVALID_TEXT);
        assert_int_equal(swo_value_equal(&text, &text, &equal), SWO_INVALID_TEXT);
        assert_int_equal(swo_value_copy(&text, &copy), SWO_INVALID_TEXT);
        assert_int_equal(swo_send(messenger, &text, NULL), SWO_INVALID_TEXT);
        assert_int_equal(swo_variable_set(variable, &text, NULL), SWO_INVALID_TEXT);
        assert_int_equal(swo_variable_new(&text, &made), SWO_INVALID_TEXT);
        assert_true(equal && copy.kind == SWO_KIND_INT64 && made == NULL);
    }
    assert_int_equal(probe.calls, 0);
    assert_int_equal(number_of(variable), 1);
    RELEASE(messenger, variable);
}

TEST(bytes_need_not_be_text) {
    for (size_t i = 0; i < COUNT(invalid); i++) {
        ok(swo_value_check(VALUE(swo_bytes(invalid[i].bytes, invalid[i].size))));
    }
}

/* Table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences". */
static const struct {
    unsigned char first[4], last[4];
    size_t size;
} well_formed[] = {
    {{0x00}, {0x7F}, 1},
    {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
    {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
    {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
    {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
    {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
    {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
    {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
    {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4},
};

static bool is_in_table(const unsigned char *bytes, size_t size) {
    while (size > 0) {
        size_t taken = 0;
        for (size_t row = 0; row < COUNT(well_formed) && taken == 0; row++) {
            size_t length = well_formed[row].size, i = 0;
            while (i < length && i < size && bytes[i] >= well_formed[row].first[i] &&
                   bytes[i] <= well_formed[row].last[i])
                i++;
            if (i == length) taken = length;
        }
        if (taken == 0) return false;
        bytes += taken;
        size -= taken;
    }
    return true;
}

/* Every byte may be followed by every byte; third and fourth ones are taken from around each limit of the table. */
TEST(the_unicode_table_decides_which_sequences_are_valid) {
    static const unsigned char edges[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                          0xA0, 0xBF, 0xC0, 0xC2, 0xED, 0xF4, 0xFF};
    const size_t count = sizeof edges;
    for (unsigned first = 0; first < 256; first++)
        for (unsigned second = 0; second < 256; second++)
            for (size_t i = 0; i < count; i++)
                for (size_t k = 0; k < count; k++) {
                    unsigned char bytes[] = {(unsigned char)first, (unsigned char)second, edges[i], edges[k]};
                    for (size_t size = k == 0 ? 1 : 4; size <= 4; size++) {
                        swo_status expected = is_in_table(bytes, size) ? SWO_OK : SWO_INVALID_TEXT;
                        if (swo_value_check(VALUE(swo_text_sized((const char *)bytes, size))) != expected)
                            fail_msg("%02x %02x %02x %02x, the first %zu", first, second, bytes[2], bytes[3], size);
                    }
                }
}
