/* SPDX-License-Identifier: MIT */
/* The formats of /proc. The C library's own conversions take signs, blanks, exponents and
 * "nan" as well, so every digit is looked at first: a file that says such things is malformed. */
#include "readings.h"

#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";
static const char blanks[] = " \t";

static const char *next_line(const char *text) {
    text += strcspn(text, "\n");
    return *text == '\n' ? text + 1 : text;
}

static bool is_end_of_line(const char *text) {
    text += strspn(text, blanks);
    return *text == '\n' || *text == '\0';
}

static bool add(uint64_t *sum, uint64_t number) {
    if (number > UINT64_MAX - *sum) return false;
    *sum += number;
    return true;
}

bool take_number(const char **text, uint64_t *out) {
    const char *end = *text + strspn(*text, digits);
    uint64_t number = 0;
    if (end == *text || strchr(" \t\n", *end) == NULL) return false; /* strchr() finds the final zero, too */
    for (const char *digit = *text; digit < end; digit++) {
        uint64_t value = (uint64_t)(*digit - '0');
        if (number > (UINT64_MAX - value) / 10) return false;
        number = number * 10 + value;
    }
    *text = end;
    *out = number;
    return true;
}

bool take_decimal(const char **text, double *out) {
    const char *end = *text + strspn(*text, digits);
    if (end == *text) return false;
    if (*end == '.') {
        size_t fraction = strspn(end + 1, digits);
        if (fraction == 0) return false;
        end += 1 + fraction;
    }
    double number = strtod(*text, NULL);
    if (number > DBL_MAX) return false;
    *text = end;
    *out = number;
    return true;
}

static bool take_next_number(const char **text, uint64_t *out) {
    *text += strspn(*text, blanks);
    return take_number(text, out);
}

bool parse_stat(const char *text, sample *out) {
    uint64_t number, total = 0, idle = 0;
    int count = 0;
    if (strncmp(text, "cpu", 3) != 0 || strspn(text + 3, blanks) == 0) return false;
    for (text += 3; take_next_number(&text, &number); count++) {
        /* Guest time, the numbers behind the eighth, is contained in user time already. */
        if (count < 8 && !add(&total, number)) return false;
        if (count == 3 || count == 4) idle += number;
    }
    if (count < 4 || !is_end_of_line(text)) return false;
    *out = (sample){.part = total - idle, .whole = total};
    return true;
}

static bool find_number(const char *text, const char *name, uint64_t *out) {
    size_t length = strlen(name);
    while (*text && strncmp(text, name, length) != 0) text = next_line(text);
    if (!*text) return false;
    text += length;
    return take_next_number(&text, out);
}

bool parse_meminfo(const char *text, sample *out) {
    uint64_t total, available;
    if (!find_number(text, "MemTotal:", &total) || !find_number(text, "MemAvailable:", &available)) return false;
    if (total == 0 || available > total) return false;
    *out = (sample){.part = total - available, .whole = total};
    return true;
}

bool parse_loadavg(const char *text, sample *out) {
    double load;
    text += strspn(text, blanks);
    if (!take_decimal(&text, &load) || strchr(" \t\n", *text) == NULL) return false;
    *out = (sample){.load = load};
    return true;
}

/* One line, as in "  eth0: 1200 10 0 0 0 0 0 0 900 8 0 0 0 0 0 0". Adds the first and the ninth number. */
static bool add_interface(const char *line, uint64_t *bytes) {
    const char *colon = NULL; /* the last one: the name of an alias has one of its own, as in "eth0:1" */
    for (const char *end = line; *end && *end != '\n'; end++)
        if (*end == ':') colon = end;
    if (colon == NULL) return false;

    const char *name = line + strspn(line, blanks), *text = colon + 1;
    bool is_loopback = colon - name == 2 && strncmp(name, "lo", 2) == 0;
    uint64_t number;
    int count = 0;
    for (; take_next_number(&text, &number); count++)
        if ((count == 0 || count == 8) && !is_loopback && !add(bytes, number)) return false;
    return count == 16 && is_end_of_line(text);
}

bool parse_net_dev(const char *text, sample *out) {
    uint64_t bytes = 0;
    for (int header = 0; header < 2; header++) {
        if (!*text) return false;
        text = next_line(text);
    }
    for (; *text; text = next_line(text))
        if (!add_interface(text, &bytes)) return false;
    *out = (sample){.part = bytes};
    return true;
}

char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    char *text = NULL;
    size_t length = 0, capacity = 4096; /* files under /proc do not tell their size */
    int error = 0;
    do {
        char *longer = realloc(text, capacity *= 2);
        if (longer == NULL) {
            error = ENOMEM;
            break;
        }
        text = longer;
        length += fread(text + length, 1, capacity - length - 1, file);
        if (ferror(file)) error = errno; /* so does a directory: it can be opened, but not read */
    } while (error == 0 && !feof(file));
    fclose(file);

    if (error != 0) {
        free(text);
        errno = error;
        return NULL;
    }
    text[length] = '\0';
    /* A text with a zero byte in it would be judged by its beginning. Empty, it is malformed for every parser. */
    if (strlen(text) < length) text[0] = '\0';
    return text;
}
