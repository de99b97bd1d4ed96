/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texts.h"

void platform_append(platform_text *text, const char *bytes, size_t count) {
    if (text->is_lost) return;
    if (text->count + count + 1 > text->capacity) {
        size_t capacity = 2 * (text->count + count + 128);
        char *larger = realloc(text->bytes, capacity);
        if (larger == NULL) {
            text->is_lost = true;
            return;
        }
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
    text->bytes[text->count] = 0;
}

void platform_say(platform_text *text, const char *words) { platform_append(text, words, strlen(words)); }

void platform_say_quoted(platform_text *text, const char *words) {
    char escaped[8];
    platform_say(text, "\"");
    for (; *words != 0; words++) {
        if (*words == '"' || *words == '\\') {
            platform_append(text, "\\", 1);
            platform_append(text, words, 1);
        } else if ((unsigned char)*words < 32 || *words == 127) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned char)*words);
            platform_say(text, escaped);
        } else {
            platform_append(text, words, 1);
        }
    }
    platform_say(text, "\"");
}

void platform_say_number(platform_text *text, long long number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", number);
    platform_say(text, digits);
}

void platform_say_pointer(platform_text *text, const void *pointer) {
    char digits[24];
    snprintf(digits, sizeof digits, "\"%p\"", pointer);
    platform_say(text, digits);
}

void platform_say_observable(platform_text *text, const char *kind, const char *name, const void *core) {
    platform_say(text, kind);
    platform_say(text, " ");
    if (name != NULL && name[0] != 0)
        platform_say_quoted(text, name);
    else
        platform_say_pointer(text, core);
}

char *platform_text_take(platform_text *text) {
    char *bytes = text->bytes;
    if (!text->is_lost) {
        *text = (platform_text){0};
        return bytes;
    }
    free(bytes);
    *text = (platform_text){0};
    return NULL;
}
