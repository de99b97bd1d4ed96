/* SPDX-License-Identifier: MIT */
/* The shapes of the public benchmarks of derived variables: values and numbers of runs (laws 28 and 29). */
#include "deriving.h"

enum { MOST = 512 };
static struct formula formula[MOST];
static swo_observable *made[MOST];
static int count;
static long heard;

HANDLER(hear, context) { heard++; }

static swo_observable *make(int64_t (*of)(struct formula *), int64_t number, int sources, swo_observable **source) {
    struct formula *one = &formula[count];
    *one = (struct formula){.of = of, .number = number, .count = sources};
    memcpy(one->source, source, (size_t)sources * sizeof *source);
    return made[count++] = derive(one);
}

static void listen(swo_observable *derived) { ok(swo_observe(derived, NULL, hear, NULL, NULL, NULL)); }

static long all_runs(void) {
    long sum = 0;
    for (int n = 0; n < count; n++) sum += runs(&formula[n]);
    return sum;
}

void set_up(void) { count = 0, heard = 0; }

static void release_made(void) {
    while (count > 0) swo_observable_release(made[--count]);
}

/* Sets from `first` on: each has so many runs and updates. */
#define EXPECT_EACH(source, first, rounds, runs_each, heard_each, value_of, value)                                     \
    do {                                                                                                               \
        for (int64_t v = (first); v < (first) + (rounds); v++) {                                                       \
            set_number(source, v);                                                                                     \
            assert_int_equal(all_runs(), runs_each);                                                                   \
            assert_int_equal(heard, heard_each);                                                                       \
            heard = 0;                                                                                                 \
            assert_int_equal(number_of(value_of), value);                                                              \
        }                                                                                                              \
    } while (0)

TEST(diamond) {
    swo_observable *middle[5];
    OWN_OBSERVABLE *s = number_variable(-1);
    for (int n = 0; n < 5; n++) middle[n] = make(add, 1, 1, &s);
    swo_observable *sum = make(add, 0, 5, middle);
    listen(sum);
    assert_int_equal(all_runs(), 6);
    EXPECT_EACH(s, 0, 500, 6, 1, sum, 5 * (v + 1));
    release_made();
}

TEST(deep) {
    OWN_OBSERVABLE *s = number_variable(-1);
    swo_observable *last = s;
    for (int n = 0; n < 100; n++) last = make(add, 1, 1, &last);
    listen(last);
    all_runs();
    EXPECT_EACH(s, 0, 50, 100, 1, last, v + 100);
    release_made();
}

TEST(broad) {
    OWN_OBSERVABLE *s = number_variable(-1);
    swo_observable *second = NULL;
    for (int n = 0; n < 50; n++) {
        swo_observable *first = make(add, n, 1, &s);
        second = make(add, 1, 1, &first);
        listen(second);
    }
    all_runs();
    EXPECT_EACH(s, 0, 50, 100, 50, second, v + 50);
    release_made();
}

TEST(triangle) {
    swo_observable *all[10];
    OWN_OBSERVABLE *s = number_variable(-1);
    all[0] = s;
    for (int n = 1; n < 10; n++) all[n] = make(add, 1, 1, &all[n - 1]);
    swo_observable *sum = make(add, 0, 10, all);
    listen(sum);
    all_runs();
    EXPECT_EACH(s, 0, 100, 10, 1, sum, 10 * v + 45);
    release_made();
}

static int64_t twice(struct formula *f) { return 2 * read_source(f, 0); }
static int64_t minus(struct formula *f) { return -read_source(f, 0); }
static int64_t unsteady(struct formula *f) {
    int64_t sum = 0;
    for (int n = 0; n < 20; n++) sum += read_source(f, 0) % 2 ? read_source(f, 1) : read_source(f, 2);
    return sum;
}

TEST(unstable) {
    OWN_OBSERVABLE *s = number_variable(0);
    swo_observable *three[3] = {s, make(twice, 0, 1, &s), make(minus, 0, 1, &s)};
    swo_observable *u = make(unsteady, 0, 3, three);
    listen(u);
    all_runs();
    EXPECT_EACH(s, 1, 100, 2, 1, u, v % 2 ? 40 * v : -20 * v);
    release_made();
}

static int64_t zero(struct formula *f) { return read_source(f, 0) * 0; }

TEST(avoidable) {
    OWN_OBSERVABLE *s = number_variable(-1);
    swo_observable *first = make(add, 0, 1, &s), *second = make(zero, 0, 1, &first), *third = make(add, 1, 1, &second);
    swo_observable *fourth = make(add, 2, 1, &third), *fifth = make(add, 3, 1, &fourth);
    listen(fifth);
    all_runs();
    EXPECT_EACH(s, 0, 1000, 2, 0, fifth, 6);
    release_made();
}

static int64_t thirty_times(struct formula *f) {
    int64_t sum = 0;
    for (int n = 0; n < 30; n++) sum += read_source(f, 0);
    return sum;
}

TEST(repeated) {
    OWN_OBSERVABLE *s = number_variable(-1);
    swo_observable *r = make(thirty_times, 0, 1, &s);
    listen(r);
    all_runs();
    EXPECT_EACH(s, 0, 100, 1, 1, r, 30 * v);
    release_made();
}

TEST(mux) {
    swo_observable *s[100], *q[100];
    for (int n = 0; n < 100; n++) s[n] = number_variable(0);
    for (int n = 0; n < 100; n++) {
        swo_observable *p = make(add, 0, 1, &s[n]);
        q[n] = make(add, 1, 1, &p);
        listen(q[n]);
    }
    all_runs();
    for (int n = 0; n < 10; n++) {
        heard = 0;
        set_number(s[n], n + 1);
        assert_int_equal(all_runs(), 2);
        assert_int_equal(heard, 1);
        assert_int_equal(number_of(q[n]), n + 2);
    }
    release_made();
    for (int n = 0; n < 100; n++) swo_observable_release(s[n]);
}

TEST(lazy) {
    OWN_OBSERVABLE *s = number_variable(-1), *other = number_variable(0);
    swo_observable *last = s;
    for (int n = 0; n < 100; n++) last = make(add, 1, 1, &last);
    number_of(last);
    all_runs();
    for (int v = 0; v < 50; v++) {
        set_numbers(s, v + 5, v + 7);
        assert_int_equal(all_runs(), 0);
        assert_int_equal(number_of(last), v + 107);
        assert_int_equal(all_runs(), 100);
    }
    swo_observable *two[2] = {other, s};
    swo_observable *join = make(add, 0, 2, two);
    number_of(join);
    all_runs();
    set_number(other, 1);
    number_of(last);
    assert_int_equal(all_runs(), 0);
    release_made();
}

static int64_t difference(struct formula *f) { return read_source(f, 0) - read_source(f, 1); }

static void expect_cellx(int layers, const int64_t *before, const int64_t *after) {
    swo_observable *start[4], *p[4];
    for (int n = 0; n < 4; n++) p[n] = start[n] = number_variable(n + 1);
    for (int layer = 0; layer < layers; layer++) {
        swo_observable *m[4] = {p[0], p[1], p[2], p[3]};
        p[0] = make(add, 0, 1, (swo_observable *[]){m[1]});
        p[1] = make(difference, 0, 2, (swo_observable *[]){m[0], m[2]});
        p[2] = make(add, 0, 2, (swo_observable *[]){m[1], m[3]});
        p[3] = make(add, 0, 1, (swo_observable *[]){m[2]});
        for (int n = 0; n < 4; n++) listen(p[n]);
    }
    for (int n = 0; n < 4; n++) assert_int_equal(number_of(p[n]), before[n]);
    all_runs();
    heard = 0;
    begin();
    for (int n = 0; n < 4; n++) set_number(start[n], 4 - n);
    commit();
    assert_in_range(all_runs(), 1, 4 * layers);
    assert_in_range(heard, 1, 4 * layers);
    for (int n = 0; n < 4; n++) assert_int_equal(number_of(p[n]), after[n]);
    release_made();
    for (int n = 0; n < 4; n++) swo_observable_release(start[n]);
}

TEST(cellx) {
    expect_cellx(10, (int64_t[]){3, 6, 2, -2}, (int64_t[]){2, 4, -2, -3});
    expect_cellx(20, (int64_t[]){2, 4, -1, -6}, (int64_t[]){-2, 1, -4, -4});
    expect_cellx(50, (int64_t[]){-2, -4, 1, 6}, (int64_t[]){2, -1, 4, 4});
    expect_cellx(100, (int64_t[]){-3, -6, -2, 2}, (int64_t[]){-2, -4, 2, 3});
}

/* One variable with many dependents, and one function with many sources: a million with SWO_TEST_SCALE=10. */
enum { HUNDRED_THOUSAND = 100000 };

TEST(a_hundred_thousand_dependents_of_one_variable) {
    long many = scaled(HUNDRED_THOUSAND);
    OWN_OBSERVABLE *s = number_variable(1);
    struct formula one = FORMULA(add, s);
    swo_observable **all = calloc((size_t)many, sizeof *all);
    for (long n = 0; n < many; n++) listen(all[n] = derive(&one));
    runs(&one);
    set_number(s, 2);
    assert_int_equal(runs(&one), many);
    assert_int_equal(heard, many);
    for (long n = 0; n < many; n++) swo_observable_release(all[n]);
    free(all);
}

static struct {
    swo_observable **source;
    long count, runs;
} many_sources;

static swo_status add_many(void *context, swo_value *out) {
    int64_t sum = 0;
    many_sources.runs++;
    for (long n = 0; n < many_sources.count; n++) sum += number_of(many_sources.source[n]);
    (void)context;
    GIVE(swo_int64(sum));
}

TEST(a_hundred_thousand_sources_of_one_function) {
    long many = scaled(HUNDRED_THOUSAND);
    swo_observable *sum;
    many_sources.source = calloc((size_t)many, sizeof *many_sources.source);
    many_sources.count = many;
    for (long n = 0; n < many; n++) many_sources.source[n] = number_variable(1);
    ok(swo_derived_new(add_many, NULL, NULL, &sum));
    assert_int_equal(number_of(sum), many);
    set_number(many_sources.source[many - 1], 2);
    assert_int_equal(number_of(sum), many + 1);
    assert_int_equal(many_sources.runs, 2);
    swo_observable_release(sum);
    for (long n = 0; n < many; n++) swo_observable_release(many_sources.source[n]);
    free(many_sources.source);
}
