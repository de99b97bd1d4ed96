/* SPDX-License-Identifier: MIT */
/* What public suites for signals ask of effects and clean-ups, and no other test shows (behaviours.md). */
#include "deriving.h"

#include <math.h>

/** An effect: what it does, and what its clean-up does. */
struct deed {
    const char *name;
    void (*run)(struct deed *deed), (*clean)(struct deed *deed);
    swo_observable *a, *b;
    swo_observation id;
    struct deed *other;
    long runs, clean_ups;
};

static void note(const char *name, int64_t number) {
    swo_value value = swo_int64(number);
    journal_note(&journal, name, &value);
}

static swo_status run_deed(void *context) {
    struct deed *deed = context;
    deed->runs++;
    deed->run(deed);
    return SWO_OK;
}

static void clean_deed(void *context) {
    struct deed *deed = context;
    deed->clean_ups++;
    if (deed->clean) deed->clean(deed);
}

static void start(struct deed *deed) {
    swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
    options.clean_up = clean_deed;
    ok(swo_effect(run_deed, deed, NULL, &options, &deed->id));
}

static void put(swo_observable *variable, int64_t number) {
    swo_value value = swo_int64(number);
    swo_variable_set(variable, &value, NULL);
}

static void show_a(struct deed *deed) { note(deed->name, number_of(deed->a)); }
static void show_both(struct deed *deed) { note(deed->name, number_of(deed->a) + number_of(deed->b)); }
static void read_b(struct deed *deed) { number_of(deed->b); }

static void show_a_and_stop_the_other(struct deed *deed) {
    show_a(deed);
    swo_stop(deed->other->id);
}

TEST(what_the_clean_up_of_an_effect_reads_that_another_stops_is_no_dependency) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct deed second = {.name = "y", .run = show_a, .clean = read_b, .a = a, .b = b};
    struct deed first = {.name = "x", .run = show_a_and_stop_the_other, .a = a, .other = &second};
    start(&second);
    start(&first);
    put(b, 2);
    EXPECT_TRACE("y1 x1");
    assert_int_equal(second.clean_ups, 1);
    ok(swo_stop(first.id));
}

static void derive_and_show(struct deed *deed) {
    /* The effect keeps what it has read until its next run. */
    static struct formula copies[10];
    struct formula *copy = &copies[deed->runs];
    *copy = (struct formula)FORMULA(add, deed->a);
    copy->number = 10;
    OWN_OBSERVABLE *derived = derive(copy);
    note(deed->name, number_of(derived));
}

TEST(an_effect_that_makes_a_derived_variable_in_each_run_reads_the_present) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct deed deed = {.name = "e", .run = show_a, .a = a};
    deed.run = derive_and_show;
    start(&deed);
    put(a, 2);
    put(a, 3);
    EXPECT_TRACE("e11 e12 e13");
    ok(swo_stop(deed.id));
}

static void start_the_other(struct deed *deed) {
    if (deed->other->id == 0) start(deed->other);
}

TEST(a_clean_up_begins_an_effect_which_runs_and_follows) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(5);
    struct deed other = {.name = "o", .run = show_a, .a = b};
    struct deed deed = {.name = "e", .run = show_a, .clean = start_the_other, .a = a, .other = &other};
    start(&deed);
    put(a, 2);
    put(b, 6);
    EXPECT_TRACE("e1 o5 e2 o6");
    ok(swo_stop(deed.id));
    ok(swo_stop(other.id));
}

static void set_b_and_show_a(struct deed *deed) {
    put(deed->b, 7);
    note("c", number_of(deed->a));
}

TEST(a_clean_up_reads_what_is_derived_from_what_it_has_set) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct formula copy = FORMULA(add, b);
    OWN_OBSERVABLE *derived = derive(&copy);
    struct deed deed = {.name = "e", .run = show_a, .a = a};
    start(&deed);
    deed.clean = set_b_and_show_a;
    deed.a = derived;
    deed.b = b;
    ok(swo_stop(deed.id));
    EXPECT_TRACE("e1 c7");
}

static void set_both_at_once(struct deed *deed) {
    int64_t number = number_of(deed->a);
    begin();
    put(deed->other->a, number);
    put(deed->other->b, number);
    commit();
}

TEST(a_transaction_in_a_clean_up_or_an_effect_is_one_run_of_what_reads_both) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(0), *c = number_variable(0);
    struct deed reader = {.name = "r", .run = show_both, .a = b, .b = c};
    struct deed setter = {.name = "s", .run = set_both_at_once, .a = a, .other = &reader};
    start(&reader);
    start(&setter);
    put(a, 2);
    EXPECT_TRACE("r0 r2 r4");
    ok(swo_stop(setter.id));
    setter.run = show_a;
    setter.clean = set_both_at_once;
    start(&setter);
    put(a, 3);
    ok(swo_stop(setter.id));
    ok(swo_stop(reader.id));
    assert_true(reader.runs <= 5);
    journal_clear(&journal);
}

static void add_one(struct deed *deed) { put(deed->a, number_of(deed->a) + 1); }

TEST(a_clean_up_that_sets_what_its_effect_reads_ends) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct deed deed = {.name = "e", .run = show_a, .clean = add_one, .a = a};
    start(&deed);
    put(a, 2);
    assert_in_range(deed.runs, 2, 110);
    deed.clean = NULL;
    journal_clear(&journal);
    put(a, 1000);
    EXPECT_TRACE("e1000");
    ok(swo_stop(deed.id));
}

static void reset(struct deed *deed) {
    note(deed->name, number_of(deed->a));
    put(deed->b, 0);
}

TEST(an_effect_resets_its_source_through_a_derived_variable_each_time) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    struct deed deed = {.name = "e", .run = reset, .a = derived, .b = a};
    start(&deed);
    put(a, 2);
    put(a, 2);
    EXPECT_TRACE("e1 e0 e2 e0 e2 e0");
    ok(swo_stop(deed.id));
}

static swo_status show_untracked(void *deed) {
    number_of(((struct deed *)deed)->b);
    return SWO_OK;
}

static swo_status show_deeper(void *deed) {
    swo_status status = swo_untracked(show_untracked, deed);
    number_of(((struct deed *)deed)->b);
    return status;
}

static void show_a_and_read_b_deeper(struct deed *deed) {
    show_a(deed);
    ok(swo_untracked(show_deeper, deed));
}

TEST(untracked_inside_of_untracked_ends_with_the_outer_one) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct deed deed = {.name = "e", .run = show_a_and_read_b_deeper, .a = a, .b = b};
    start(&deed);
    put(b, 2);
    EXPECT_TRACE("e1");
    put(a, 2);
    EXPECT_TRACE("e2");
    ok(swo_stop(deed.id));
}

/* Other threads see what it sees: it runs again when the transaction has committed. */
TEST(an_effect_that_is_begun_in_a_transaction_runs_at_once_and_again_with_it) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct deed deed = {.name = "e", .run = show_a, .a = a};
    begin();
    put(a, 2);
    start(&deed);
    EXPECT_TRACE("e1");
    commit();
    EXPECT_TRACE("e2");
    ok(swo_stop(deed.id));
}

HANDLER(leave_open, variable) {
    begin();
    put(variable, 9);
}

/* Bad input: nothing of it is left, and nothing else is in it. */
TEST(a_transaction_that_a_handler_of_a_derived_variable_leaves_open_does_no_harm) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    swo_observation id;
    ok(swo_observe(derived, NULL, leave_open, b, NULL, &id));
    put(a, 2);
    while (swo_transaction_depth() > 0) ok(swo_transaction_abort());
    ok(swo_stop(id));
    assert_int_equal(number_of(b), 1);
    put(a, 3);
    assert_int_equal(number_of(derived), 3);
}

/* ---- equality ---- */

DERIVING(null_unless_positive, source) {
    int64_t number = number_of(source);
    if (number > 0) GIVE(swo_int64(number));
    return SWO_OK;
}

TEST(null_is_a_value_like_any) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(0);
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(null_unless_positive, a, NULL, &derived));
    observe(derived, NULL, &p);
    assert_int_equal(status_of(derived), SWO_OK);
    put(a, 1);
    put(a, -1);
    put(a, -2); /* null after null */
    EXPECT_TRACE("d(null,1) d(1,null)");
    ok(swo_stop(p.observation));
}

DERIVING(no_number, source) {
    number_of(source);
    GIVE(swo_double(NAN));
}

TEST(a_derived_variable_that_is_no_number_twice_sends_nothing) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(0);
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(no_number, a, NULL, &derived));
    observe(derived, NULL, &p);
    put(a, 1);
    assert_int_equal(p.calls, 0);
    ok(swo_stop(p.observation));
}

/** What an object's comparison reads while it compares. */
static swo_observable *read_by_comparing;
static long comparisons;

static bool equal_in_tens(void *one, void *other) {
    comparisons++;
    if (read_by_comparing) number_of(read_by_comparing);
    return *(int64_t *)one / 10 == *(int64_t *)other / 10;
}

static const swo_object_type in_tens = {.size = sizeof(swo_object_type), .equal = equal_in_tens};
static int64_t numbers[100];

DERIVING(object_of, source) {
    int64_t number = number_of(source);
    numbers[number] = number;
    GIVE(swo_object(&numbers[number], &in_tens));
}

static void put_object(swo_observable *variable, int64_t number) {
    numbers[number] = number;
    swo_value value = swo_object(&numbers[number], &in_tens);
    ok(swo_variable_set(variable, &value, NULL));
}

TEST(variables_compare_as_their_objects_do) {
    struct probe p = PROBE("v");
    numbers[1] = 1;
    swo_value first = swo_object(&numbers[1], &in_tens);
    OWN_OBSERVABLE *variable;
    ok(swo_variable_new(&first, &variable));
    observe(variable, NULL, &p);
    put_object(variable, 1); /* the same one */
    put_object(variable, 9);
    EXPECT_TRACE("");
    put_object(variable, 10);
    EXPECT_TRACE("v(object,object)");
    ok(swo_stop(p.observation));
}

TEST(derived_variables_compare_as_their_objects_do) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(1);
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(object_of, a, NULL, &derived));
    observe(derived, NULL, &p);
    put(a, 9);
    EXPECT_TRACE("");
    put(a, 10);
    EXPECT_TRACE("d(object,object)");
    ok(swo_stop(p.observation));
}

TEST(what_a_comparison_reads_is_no_dependency) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(object_of, a, NULL, &derived));
    read_by_comparing = b;
    comparisons = 0;
    observe(derived, NULL, &p);
    put(a, 2);
    assert_true(comparisons > 0);
    comparisons = 0;
    put(b, 2);
    assert_int_equal(comparisons, 0);
    read_by_comparing = NULL;
    assert_int_equal(p.calls, 0);
    ok(swo_stop(p.observation));
}

/* ---- effects that answer one another ---- */

static void set_back_to_zero(struct deed *deed) {
    if (number_of(deed->a) != 0) put(deed->a, 0);
}

TEST(a_first_effect_sets_back_and_a_second_sees_the_last_value) {
    OWN_OBSERVABLE *a = number_variable(0);
    struct deed first = {.name = "x", .run = set_back_to_zero, .a = a};
    struct deed second = {.name = "y", .run = show_a, .a = a};
    start(&first);
    start(&second);
    journal_clear(&journal);
    put(a, 5);
    assert_int_equal(number_of(a), 0);
    const char *told = journal_text(&journal);
    assert_true(*told == 0 || strcmp(told + strlen(told) - 2, "y0") == 0);
    journal_clear(&journal);
    ok(swo_stop(first.id));
    ok(swo_stop(second.id));
}

/* ---- the first observer comes, and the last goes ---- */

static void count_begin(void *counts) { ((long *)counts)[0]++; }
static void count_end(void *counts) { ((long *)counts)[1]++; }

TEST(a_derived_variable_tells_of_its_first_and_its_last_observation) {
    struct probe p = PROBE("d"), q = PROBE("e"), r = PROBE("f");
    long counts[2] = {0, 0};
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a), behind = FORMULA(add, NULL);
    OWN_OBSERVABLE *derived = derive(&copy);
    behind.source[0] = derived;
    OWN_OBSERVABLE *last = derive(&behind);
    ok(swo_observable_on_demand(derived, count_begin, count_end, counts, NULL));
    observe(derived, NULL, &p);
    observe(derived, NULL, &q);
    ok(swo_stop(p.observation));
    assert_true(counts[0] == 1 && counts[1] == 0);
    ok(swo_stop(q.observation));
    assert_true(counts[0] == 1 && counts[1] == 1);
    observe(last, NULL, &r); /* it reads the other, which is no observation of that (26) */
    put(a, 2);
    assert_true(counts[0] == 1 && counts[1] == 1);
    EXPECT_TRACE("f(1,2)");
    ok(swo_stop(r.observation));
}

/* ---- keepers ---- */

TEST(what_an_observer_keeps_ends_with_it_together) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    swo_observer *observer = swo_observer_new();
    struct deed first = {.name = "x", .run = show_a, .a = a}, second = {.name = "y", .run = show_a, .a = derived};
    swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
    options.clean_up = clean_deed;
    options.observer = observer;
    ok(swo_effect(run_deed, &first, NULL, &options, NULL));
    ok(swo_effect(run_deed, &second, NULL, &options, NULL));
    put(a, 2);
    EXPECT_TRACE("x1 y1 x2 y2");
    runs(&copy);
    swo_observer_release(observer);
    assert_int_equal(first.clean_ups, 2);
    assert_int_equal(second.clean_ups, 2);
    put(a, 3);
    EXPECT_TRACE("");
    assert_int_equal(runs(&copy), 0);
}
