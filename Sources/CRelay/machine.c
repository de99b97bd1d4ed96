/* SPDX-License-Identifier: MIT */
/* Time, chance, and numbers as texts. */
#define _GNU_SOURCE
#include "CRelay.h"
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

int64_t relay_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t relay_wall_milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint64_t relay_random(void) {
    uint64_t number;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == sizeof number) return number;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)getpid() << 32 ^ (uint64_t)now.tv_nsec) * 0x9E3779B97F4A7C15;
}

int64_t relay_process(void) { return getpid(); }

bool relay_equal(const void *bytes, const void *others, size_t size) {
    return size == 0 || memcmp(bytes, others, size) == 0;
}

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void make_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

size_t relay_write_double(double number, char *out) {
    pthread_once(&once, make_locale);
    locale_t before = uselocale(c_locale);
    int size = 0;
    for (int digits = 15; digits <= 17; digits++) {
        size = snprintf(out, RELAY_NUMBER_SIZE, "%.*g", digits, number);
        if (strtod(out, NULL) == number) break;
    }
    uselocale(before);
    /* Homie knows no plus sign: 1e20. */
    char *plus = strchr(out, '+');
    if (plus != NULL) memmove(plus, plus + 1, (size_t)(out + size-- - plus));
    return (size_t)size;
}

bool relay_read_double(const void *text, size_t size, double *out) {
    char few[64], *copy = few;
    const char *first = text;
    /* No hexadecimal numbers, names or spaces, which strtod() would take. Other programs write 1e+20, but none +1. */
    if (size == 0 || *first == '+') return false;
    for (size_t i = 0; i < size; i++)
        if (first[i] == 0 || strchr("0123456789+-.eE", first[i]) == NULL) return false;
    if (size >= sizeof few) copy = malloc(size + 1);
    if (copy == NULL) return false;
    memcpy(copy, text, size);
    copy[size] = 0;
    pthread_once(&once, make_locale);
    char *end;
    locale_t before = uselocale(c_locale);
    double number = strtod(copy, &end);
    uselocale(before);
    bool is_number = end == copy + size && isfinite(number);
    if (copy != few) free(copy);
    if (is_number) *out = number;
    return is_number;
}
