/* SPDX-License-Identifier: MIT */
/* Texts that are put together: answers, and what a lint finds. */
#ifndef PLATFORM_TEXTS_H
#define PLATFORM_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

/* In memory of malloc, with a zero at its end. Without memory it is lost, and grows no more. */
typedef struct platform_text {
    char *bytes;
    size_t count, capacity;
    bool is_lost;
} platform_text;

void platform_append(platform_text *text, const char *bytes, size_t count);
void platform_say(platform_text *text, const char *words);
/* In quotes. What is in it ends no quotes, begins no line and moves no cursor. */
void platform_say_quoted(platform_text *text, const char *words);
void platform_say_number(platform_text *text, long long number);
void platform_say_pointer(platform_text *text, const void *pointer);
/* What an observable is called: by its kind, and its name or its address. */
void platform_say_observable(platform_text *text, const char *kind, const char *name, const void *core);
/* That a change of an observable has led to another one of it, if it has. */
struct platform_cause;
bool platform_say_cycle(platform_text *text, const struct platform_cause *cause);
/* The text, for the caller to free; NULL if it is lost. */
char *platform_text_take(platform_text *text);

#endif
