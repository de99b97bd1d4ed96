/* SPDX-License-Identifier: MIT */
/* Derived variables on one thread: consistent, once, lazy (laws 26 to 31 and 35). */
#include "deriving.h"

TEST(a_derived_variable_has_the_value_of_its_function) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct formula sum = FORMULA(add, a, b);
    OWN_OBSERVABLE *derived = derive(&sum);
    assert_int_equal(runs(&sum), 0);
    assert_int_equal(number_of(derived), 3);
    assert_int_equal(number_of(derived), 3);
    assert_int_equal(runs(&sum), 1);
    set_number(a, 5);
    set_number(b, 6);
    assert_int_equal(runs(&sum), 0);
    assert_int_equal(number_of(derived), 11);
    assert_int_equal(runs(&sum), 1);
}

TEST(an_observed_one_sends_one_update_for_each_change) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula one = FORMULA(add, a), other = FORMULA(add, a);
    one.number = 1;
    OWN_OBSERVABLE *left = derive(&one), *right = derive(&other);
    struct formula join = FORMULA(add, left, right);
    OWN_OBSERVABLE *derived = derive(&join);
    observe(derived, NULL, &p);
    assert_int_equal(runs(&join), 1);
    set_numbers(a, 2, 3, 3);
    EXPECT_TRACE("d(3,5) d(5,7)");
    assert_int_equal(runs(&join), 2);
    assert_int_equal(runs(&one), 3);
    ok(swo_stop(p.observation));
    set_number(a, 9);
    assert_int_equal(runs(&join), 0);
    assert_int_equal(number_of(derived), 19);
}

static int64_t parity(struct formula *f) { return read_source(f, 0) % 2; }

TEST(nothing_behind_an_equal_value_runs) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula odd = FORMULA(parity, a);
    OWN_OBSERVABLE *is_odd = derive(&odd);
    struct formula copy = FORMULA(add, is_odd);
    OWN_OBSERVABLE *derived = derive(&copy);
    observe(derived, NULL, &p);
    runs(&copy), runs(&odd);
    set_numbers(a, 3, 5, 6);
    EXPECT_TRACE("d(1,0)");
    assert_int_equal(runs(&odd), 3);
    assert_int_equal(runs(&copy), 1);
}

static int64_t choose(struct formula *f) { return read_source(f, 0) ? read_source(f, 1) : read_source(f, 2); }

TEST(only_the_branch_taken_is_a_dependency) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *which = number_variable(1), *a = number_variable(10), *b = number_variable(20);
    struct formula choice = FORMULA(choose, which, a, b);
    OWN_OBSERVABLE *derived = derive(&choice);
    observe(derived, NULL, &p);
    runs(&choice);
    set_number(b, 21);
    assert_int_equal(runs(&choice), 0);
    set_number(which, 0);
    set_number(a, 11);
    assert_int_equal(runs(&choice), 1);
    set_number(b, 22);
    EXPECT_TRACE("d(10,21) d(21,22)");
}

TEST(it_cannot_be_set_batched_or_confined) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula sum = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&sum);
    swo_value seven = swo_int64(7);
    assert_int_equal(swo_variable_set(derived, &seven, NULL), SWO_WRONG_KIND);
    assert_int_equal(swo_variable_begin_batch(derived), SWO_WRONG_KIND);
    assert_int_equal(swo_observable_confine(derived, NULL), SWO_WRONG_KIND);
    assert_int_equal(number_of(derived), 1);
}

static int64_t set_inside(struct formula *f) {
    swo_value seven = swo_int64(7), same = swo_int64(1);
    must(swo_variable_set(f->source[1], &seven, NULL) == SWO_COMPUTING);
    must(swo_variable_set(f->source[1], &same, NULL) == SWO_COMPUTING);
    must(swo_transaction_begin() == SWO_COMPUTING);
    must(swo_transaction_commit() == SWO_COMPUTING);
    must(swo_transaction_abort() == SWO_COMPUTING);
    return read_source(f, 0);
}

TEST(a_function_that_sets_is_told_and_changes_nothing) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct formula sets = FORMULA(set_inside, a, b);
    OWN_OBSERVABLE *derived = derive(&sets);
    assert_int_equal(number_of(derived), 1);
    assert_int_equal(number_of(b), 1);
    /* A transaction that is open belongs to those who read. */
    observe(derived, NULL, &p);
    begin();
    set_number(a, 2);
    assert_int_equal(number_of(derived), 2);
    EXPECT_TRACE("");
    commit();
    EXPECT_TRACE("d(1,2)");
    assert_int_equal(number_of(b), 1);
}

static swo_observable *observed_inside;
static struct probe inside = PROBE("d");

static int64_t observe_inside(struct formula *f) {
    int64_t number = read_source(f, 0);
    if (observed_inside == NULL) return number;
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.replay = 1;
    must(swo_observe_with(observed_inside, &options, probe_receive, &inside, NULL, NULL) == SWO_OK);
    observed_inside = NULL;
    return number;
}

/* What runs has no value yet: its observation receives what comes after this one. */
TEST(a_function_may_observe_its_own_variable) {
    for (int has_run = 0; has_run < 2; has_run++) {
        OWN_OBSERVABLE *a = number_variable(1);
        struct formula observes = FORMULA(observe_inside, a);
        OWN_OBSERVABLE *derived = derive(&observes);
        if (has_run) assert_int_equal(number_of(derived), 1);
        set_number(a, 2);
        observed_inside = derived;
        assert_int_equal(number_of(derived), 2);
        EXPECT_TRACE("");
        set_number(a, 3);
        EXPECT_TRACE("d(2,3)");
    }
}

/* Objects whose n-th comparison reads everything. */
static struct {
    swo_observable *variable, *same;
    int comparisons_to_come;
} compared;

static int64_t number_in(swo_observable *observable) {
    swo_value value = swo_int64(-1);
    must(swo_variable_get(observable, &value) == SWO_OK);
    return *(int *)value.as.object.pointer;
}
static bool are_equal_numbers(void *one, void *other) {
    if (--compared.comparisons_to_come == 0) {
        number_in(compared.same);
        number_in(compared.variable);
    }
    return *(int *)one == *(int *)other;
}
static const swo_object_type number_type = {.size = sizeof number_type, .equal = are_equal_numbers};
static void set_object(int *number) {
    ok(swo_variable_set(compared.variable, VALUE(swo_object(number, &number_type)), NULL));
}

DERIVING(look, unused) { return swo_variable_get(compared.variable, out); }
/* First in one order, then in the other. */
static swo_status read_both(void *sum) {
    bool begins = *(int64_t *)sum < 0;
    int64_t first = number_in(begins ? compared.variable : compared.same);
    *(int64_t *)sum = first + number_in(begins ? compared.same : compared.variable);
    return SWO_OK;
}

TEST(what_a_comparison_reads_is_nothing_that_a_function_depends_on) {
    static int numbers[] = {0, 1, 2};
    for (int comparison = 1; comparison < 6; comparison++) {
        int64_t sum = -1;
        swo_observation effect;
        ok(swo_variable_new(VALUE(swo_object(&numbers[0], &number_type)), &compared.variable));
        ok(swo_derived_new(look, NULL, NULL, &compared.same));
        ok(swo_effect(read_both, &sum, NULL, NULL, &effect));
        compared.comparisons_to_come = comparison;
        for (int number = 1; number < 3; number++) {
            set_object(&numbers[number]);
            assert_int_equal(sum, 2 * number);
        }
        ok(swo_stop(effect));
        RELEASE(compared.same, compared.variable);
    }
}

static int64_t divide(struct formula *f) {
    int64_t divisor = read_source(f, 0);
    if (divisor == 0) return f->status = SWO_INVALID_ARGUMENT, 0;
    return 100 / divisor;
}

TEST(a_failure_is_the_value_until_a_source_changes) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(0);
    struct formula quotient = FORMULA(divide, a);
    OWN_OBSERVABLE *derived = derive(&quotient);
    struct formula copy = FORMULA(add, derived);
    OWN_OBSERVABLE *behind = derive(&copy);
    assert_int_equal(status_of(derived), SWO_CALLBACK_FAILED);
    assert_int_equal(status_of(behind), SWO_CALLBACK_FAILED);
    assert_int_equal(status_of(derived), SWO_CALLBACK_FAILED);
    assert_int_equal(runs(&quotient), 1);
    set_number(a, 10);
    assert_int_equal(number_of(behind), 10);
    observe(behind, NULL, &p);
    swo_value zero = swo_int64(0);
    assert_int_equal(swo_variable_set(a, &zero, NULL), SWO_CALLBACK_FAILED);
    set_number(a, 20);
    EXPECT_TRACE("d(10,5)");
}

static int64_t read_if(struct formula *f) { return read_source(f, 0) ? read_source(f, 1) : 7; }

TEST(a_circle_is_a_failure_with_names_and_heals) {
    OWN_OBSERVABLE *is_circle = number_variable(1);
    struct formula first = FORMULA(read_if, is_circle), second = FORMULA(add, NULL);
    OWN_OBSERVABLE *a = derive(&first), *b = derive(&second);
    first.source[1] = b;
    second.source[0] = a;
    ok(swo_observable_set_name(a, "a"));
    ok(swo_observable_set_name(b, "b"));
    assert_int_equal(status_of(a), SWO_CYCLE);
    swo_value names;
    ok(swo_derived_failure(a, &names));
    assert_string_equal(names.as.bytes.data, "a -> b -> a");
    swo_value_clear(&names);
    assert_int_equal(status_of(b), SWO_CYCLE);
    set_number(is_circle, 0);
    assert_int_equal(number_of(b), 7);
    assert_int_equal(number_of(a), 7);
    assert_int_equal(swo_derived_failure(a, &names), SWO_NOT_FOUND);
}

static swo_status read_own(void *formula) {
    swo_value value = swo_null();
    return swo_variable_get(((struct formula *)formula)->source[0], &value);
}

static swo_status read_aside(void *formula, swo_value *out) { return swo_untracked(read_own, formula); }

TEST(a_circle_through_what_is_read_untracked_is_one_all_the_same) {
    struct formula own = FORMULA(NULL, NULL);
    ok(swo_derived_new(read_aside, &own, NULL, &own.source[0]));
    ok(swo_observable_set_name(own.source[0], "a"));
    assert_int_equal(status_of(own.source[0]), SWO_CYCLE);
    swo_value names;
    ok(swo_derived_failure(own.source[0], &names));
    assert_string_equal(names.as.bytes.data, "a -> a");
    swo_value_clear(&names);
    swo_observable_release(own.source[0]);
}

/* What has been read before is only looked through. */
TEST(a_circle_that_closes_later_names_what_is_looked_through_as_well) {
    OWN_OBSERVABLE *is_circle = number_variable(0);
    struct formula first = FORMULA(read_if, is_circle), second = FORMULA(add, NULL), third = FORMULA(add, NULL);
    OWN_OBSERVABLE *a = derive(&first), *b = derive(&second), *c = derive(&third);
    first.source[1] = c;
    second.source[0] = a;
    third.source[0] = b;
    ok(swo_observable_set_name(a, "a"));
    ok(swo_observable_set_name(b, "b"));
    ok(swo_observable_set_name(c, "c"));
    assert_int_equal(number_of(c), 7);
    set_number(is_circle, 1);
    swo_value names;
    ok(swo_derived_failure(c, &names));
    assert_string_equal(names.as.bytes.data, "a -> c -> b -> a");
    swo_value_clear(&names);
    set_number(is_circle, 0);
    assert_int_equal(number_of(c), 7);
}

TEST(a_transaction_is_one_turn) {
    struct probe p = PROBE("d"), q = PROBE("a"), r = PROBE("b");
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct formula sum = FORMULA(add, a, b);
    OWN_OBSERVABLE *derived = derive(&sum);
    observe(derived, NULL, &p);
    observe(a, NULL, &q);
    observe(b, NULL, &r);
    runs(&sum);
    begin();
    set_number(b, 20);
    set_numbers(a, 10, 11);
    assert_int_equal(number_of(a), 11);
    assert_int_equal(number_of(derived), 31);
    EXPECT_TRACE("");
    commit();
    EXPECT_TRACE("b(2,20) a(1,11) d(3,31)");
    begin();
    set_number(a, 0);
    begin();
    set_number(b, 0);
    assert_int_equal(number_of(derived), 0);
    ok(swo_transaction_abort());
    assert_int_equal(number_of(derived), 20);
    ok(swo_transaction_abort());
    assert_int_equal(number_of(derived), 31);
    assert_int_equal(swo_transaction_abort(), SWO_NOT_FOUND);
    EXPECT_TRACE("");
}

/* Everybody may hear the latest message, and only this thread is in the transaction (law 33). */
TEST(the_latest_message_is_that_of_before_a_transaction_until_it_commits) {
    struct probe p = PROBE("a"), q = PROBE("d"), r = PROBE("v"), replayed = PROBE("r");
    OWN_OBSERVABLE *a = number_variable(1), *values, *of_derived;
    struct formula copy = FORMULA(add, a);
    copy.number = 10;
    OWN_OBSERVABLE *derived = derive(&copy);
    swo_value latest;
    ok(swo_new_values(a, &values));
    ok(swo_new_values(derived, &of_derived));
    observe(a, NULL, &p);
    observe(derived, NULL, &q);
    observe(values, NULL, &r);
    begin();
    set_number(a, 2);
    ok(swo_latest(values, &latest));
    assert_int_equal(latest.as.int64, 2);
    WITH_EACH(swo_observable *, ok(swo_send_latest(*each, NULL)), derived, values);
    ok(swo_observe_with(of_derived, WITH(.replay = 1), probe_receive, &replayed, probe_destroy, &replayed.observation));
    EXPECT_TRACE("d(11,11) v1 r11");
    commit();
    EXPECT_TRACE("v2 a(1,2) r12 d(11,12)");
    begin();
    set_number(a, 3);
    ok(swo_send_latest(a, NULL));
    ok(swo_transaction_abort());
    EXPECT_TRACE("v2 a(2,2)");
}

ACTION(begin_other_once) {
    if (probe->calls == 1) observe(probe->other->observable, NULL, probe->other);
}

/* Whether or not another one observes it (law 6). */
TEST(an_observation_that_begins_in_a_turn_receives_what_the_turn_sends_later) {
    for (int is_observed = 0; is_observed < 2; is_observed++) {
        struct probe late = PROBE("late"), p = PROBE("a", .action = begin_other_once, .other = &late), q = PROBE("b");
        OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2), *c = number_variable(3);
        late.observable = b;
        observe(a, NULL, &p);
        if (is_observed) observe(b, NULL, &q);
        begin();
        set_number(c, 30);
        set_number(a, 10);
        set_number(b, 20);
        commit();
        set_number(b, 21);
        EXPECT_TRACE(is_observed ? "a(1,10) b(2,20) late(2,20) b(20,21) late(20,21)"
                                 : "a(1,10) late(2,20) late(20,21)");
    }
}

TEST(an_update_of_a_turn_comes_behind_what_was_left_before) {
    struct probe late = PROBE("late"), p = PROBE("a", .action = begin_other_once, .other = &late), q = PROBE("b");
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    swo_update left = {swo_int64(2), swo_int64(2)};
    swo_value message = swo_update_value(&left);
    late.observable = b;
    observe(a, NULL, &p);
    observe(b, NULL, &q);
    ok(swo_send_later(b, &message, NULL));
    ok(swo_stop(q.observation));
    begin();
    set_number(a, 10);
    set_number(b, 20);
    commit();
    EXPECT_TRACE("a(1,10) late(2,2) late(2,20)");
}

static swo_status run_effect(void *context) {
    swo_value unused;
    return run_formula(context, &unused);
}

TEST(an_effect_runs_at_once_and_after_each_change) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct formula sum = FORMULA(add, a, b), effect = FORMULA(add, NULL);
    OWN_OBSERVABLE *derived = derive(&sum);
    effect.source[0] = derived;
    swo_observation id;
    ok(swo_effect(run_effect, &effect, NULL, NULL, &id));
    assert_int_equal(runs(&effect), 1);
    set_number(a, 2);
    assert_int_equal(runs(&effect), 1);
    begin();
    set_number(a, 3);
    set_number(b, 1);
    commit();
    assert_int_equal(runs(&effect), 0);
    ok(swo_stop(id));
    set_number(a, 4);
    assert_int_equal(runs(&effect), 0);
}

TEST(a_derived_variable_keeps_what_it_depends_on) {
    swo_observable *a = number_variable(1);
    struct formula sum = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&sum);
    assert_int_equal(number_of(derived), 1);
    swo_observable_release(a);
    assert_int_equal(number_of(derived), 1);
}

TEST(a_long_chain_is_made_set_read_and_released) {
    enum { LENGTH = 100000 };
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula *all = calloc(LENGTH, sizeof *all);
    swo_observable *last = a;
    for (int n = 0; n < LENGTH; n++) {
        all[n] = (struct formula)FORMULA(add, last);
        all[n].number = 1;
        swo_observable *next = derive(&all[n]);
        assert_int_equal(number_of(next), n + 2);
        if (n > 0) swo_observable_release(last);
        last = next;
    }
    set_number(a, 2);
    assert_int_equal(number_of(last), LENGTH + 2);
    struct probe p = PROBE("d");
    observe(last, NULL, &p);
    set_number(a, 3);
    EXPECT_TRACE("d(100002,100003)");
    ok(swo_stop(p.observation));
    swo_observable_release(last);
    free(all);
}

static int64_t both(struct formula *f) { return read_source(f, 0) && read_source(f, 1); }

TEST(what_an_equal_run_has_read_for_the_first_time_is_followed) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = number_variable(0), *b = number_variable(0);
    struct formula one = FORMULA(add, a), other = FORMULA(add, b);
    OWN_OBSERVABLE *left = derive(&one), *right = derive(&other);
    struct formula join = FORMULA(both, left, right);
    OWN_OBSERVABLE *derived = derive(&join);
    observe(derived, NULL, &p);
    set_number(a, 1);
    set_number(b, 1);
    EXPECT_TRACE("d(0,1)");
    assert_int_equal(number_of(derived), 1);
}

/* Each function waits in the getter for the next one. */
TEST(a_long_chain_that_nothing_has_read_is_read) {
    enum { LENGTH = 100000 };
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula *all = calloc(LENGTH, sizeof *all);
    swo_observable **made = calloc(LENGTH, sizeof *made);
    for (int n = 0; n < LENGTH; n++) {
        all[n] = (struct formula)FORMULA(add, n == 0 ? a : made[n - 1]);
        all[n].number = 1;
        made[n] = derive(&all[n]);
    }
    assert_int_equal(number_of(made[LENGTH - 1]), LENGTH + 1);
    for (int n = 0; n < LENGTH; n++) assert_int_equal(runs(&all[n]), 1);
    for (int n = 0; n < LENGTH; n++) swo_observable_release(made[n]);
    free(made);
    free(all);
}

TEST(a_deferred_variable_is_a_source_whose_turn_is_its_change) {
    struct probe p = PROBE("d");
    OWN_OBSERVABLE *a = deferred_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    assert_int_equal(number_of(derived), 1);
    set_number(a, 2);
    assert_int_equal(number_of(derived), 2);
    observe(derived, NULL, &p);
    set_number(a, 3);
    EXPECT_TRACE("d(2,3)");
    begin();
    swo_value four = swo_int64(4);
    assert_int_equal(swo_variable_set(a, &four, NULL), SWO_WRONG_KIND);
    commit();
}

TEST(a_picture_shows_what_was_read_last_and_how_often_it_was_computed) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula odd = FORMULA(parity, a);
    OWN_OBSERVABLE *derived = derive(&odd);
    swo_value dot;
    ok(swo_observable_set_name(a, "number"));
    ok(swo_observable_set_name(derived, "odd"));
    number_of(derived);
    set_number(a, 3);
    number_of(derived);
    ok(swo_graph_dot(&derived, 1, &dot));
    assert_non_null(strstr(dot.as.bytes.data, "n0 [label=\"derived\\nodd\\ncomputed 2, in vain 1\"];"));
    assert_non_null(strstr(dot.as.bytes.data, "n1 [label=\"variable\\nnumber\"];"));
    assert_non_null(strstr(dot.as.bytes.data, "n1 -> n0 [style=dashed];"));
    swo_value_clear(&dot);
}

COMBINED_HANDLER(note_both, name) {
    journal_note(&journal, name, &messages[0]);
    journal_note(&journal, name, &messages[1]);
}

TEST(it_serves_wherever_a_variable_does) {
    struct probe replayed = PROBE("r"), mapped = PROBE("m"), queued = PROBE("q");
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a);
    copy.number = 10;
    OWN_OBSERVABLE *derived = derive(&copy), *values, *tens;
    swo_value latest;
    swo_observation both;
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_new_values(derived, &values));
    ok(swo_map(values, times_ten, NULL, NULL, &tens));
    ok(swo_latest(tens, &latest));
    assert_int_equal(latest.as.int64, 110);
    observe(tens, NULL, &mapped);
    ok(swo_observe_with(derived, WITH(.replay = 1), probe_receive, &replayed, probe_destroy, &replayed.observation));
    ok(swo_observe_on(derived, NULL, &executor, probe_receive, &queued, probe_destroy, &queued.observation));
    ok(swo_observe_combined((swo_observable *[]){derived, a}, 2, NULL, note_both, "c", NULL, &both));
    EXPECT_TRACE("r(11,11)");
    set_number(a, 2);
    /* The update of a source finds the value that goes with it. */
    EXPECT_TRACE("c(12,12) c(1,2) m120 r(11,12) c(11,12) c(2,2)");
    drain(queue, 0);
    EXPECT_TRACE("q(11,12)");
    ok(swo_send_latest(derived, NULL));
    drain(queue, 0);
    EXPECT_TRACE("m120 r(12,12) c(12,12) c(2,2) q(12,12)");
    ok(swo_observable_block(derived));
    set_number(a, 3);
    ok(swo_observable_unblock(derived));
    set_number(a, 4);
    drain(queue, 0);
    ok(swo_stop(both));
    EXPECT_TRACE("c(13,13) c(2,3) c(14,14) c(3,4) m140 r(13,14) c(13,14) c(4,4) q(13,14)");
    WITH_EACH(swo_observation, ok(swo_stop(*each)), mapped.observation, replayed.observation, queued.observation);
}

/* What a message points at lasts as long as the message, whatever memory is taken meanwhile. */
HANDLER(expect_texts, heard) {
    const swo_value *old, *new;
    void *taken[64];
    for (int n = 0; n < 64; n++) memset(taken[n] = malloc(16 + (size_t)n), 'x', 16 + (size_t)n);
    must(swo_value_update(message, &old, &new) == SWO_OK);
    must(memcmp(old->as.bytes.data, "a text", 6) == 0 && memcmp(new->as.bytes.data, "a text", 6) == 0);
    for (int n = 0; n < 64; n++) free(taken[n]);
    ++*(long *)heard;
}

static swo_status copy_text(void *source, swo_value *out) { return swo_variable_get(source, out); }

TEST(texts_of_a_variable_that_functions_read_last_as_long_as_their_message) {
    const char *texts[] = {"a text that needs memory of its own, and more than that",
                           "a text like the one before, with others"};
    swo_value first = swo_text(texts[0]);
    swo_observable *source, *derived;
    long heard = 0;
    ok(swo_variable_new(&first, &source));
    ok(swo_derived_new(copy_text, source, NULL, &derived));
    ok(swo_observe(source, NULL, expect_texts, &heard, NULL, NULL));
    ok(swo_observe(derived, NULL, expect_texts, &heard, NULL, NULL));
    for (int n = 1; n <= 4; n++) {
        swo_value text = swo_text(texts[n % 2]);
        ok(swo_variable_set(source, &text, NULL));
        begin();
        text = swo_text(texts[(n + 1) % 2]);
        ok(swo_variable_set(source, &text, NULL));
        commit();
    }
    assert_int_equal(heard, 10);
    RELEASE(derived, source);
}

static struct {
    swo_observable *source, *derived;
    struct probe first, late;
} replaying;

HANDLER(set_and_observe, context) {
    probe_receive(&replaying.first, message, author);
    if (replaying.first.calls > 1) return;
    set_number(replaying.source, 2);
    ok(swo_observe_with(replaying.derived, WITH(.replay = 1), probe_receive, &replaying.late, NULL,
                        &replaying.late.observation));
}

TEST(a_replay_begins_where_the_update_that_waits_begins) {
    replaying.source = number_variable(1);
    struct formula copy = FORMULA(add, replaying.source);
    replaying.derived = derive(&copy);
    replaying.first = (struct probe)PROBE("f");
    replaying.late = (struct probe)PROBE("l");
    swo_observation id;
    ok(swo_observe_with(replaying.derived, WITH(.replay = 1), set_and_observe, NULL, NULL, &id));
    EXPECT_TRACE("f(1,1) l(1,1) f(1,2) l(1,2)");
    RELEASE(replaying.derived, replaying.source);
}

/* Law 11: what a set replaces is released when nothing is entered; so its release may read, and set. */
static swo_observable *of_objects, *is_object, *counted;
static bool is_looking;
static long released;

static void release_and_look(void *object) {
    (void)object;
    if (is_looking) return;
    is_looking = true;
    assert_int_equal(number_of(is_object), 1);
    set_number(counted, ++released);
    is_looking = false;
}
static void keep_object(void *object) { (void)object; }
static const swo_object_type looking = {sizeof looking, keep_object, release_and_look, NULL};

DERIVING(look_at_object, context) {
    swo_value object;
    bool was_looking = is_looking;
    must(swo_variable_get(of_objects, &object) == SWO_OK);
    int64_t number = object.kind == SWO_KIND_OBJECT;
    is_looking = true; /* its own copy says nothing */
    swo_value_clear(&object);
    is_looking = was_looking;
    GIVE(swo_int64(number + 0 * number_of(counted)));
}

static void set_two_objects(void) {
    static char thing[2];
    for (int n = 0; n < 2; n++) {
        swo_value value = swo_object(&thing[n], &looking);
        ok(swo_variable_set(of_objects, &value, NULL));
    }
}

TEST(what_a_set_replaces_is_released_when_nothing_is_entered) {
    swo_value first = swo_object(&first, &looking);
    released = 0;
    is_looking = true;
    counted = number_variable(0);
    ok(swo_variable_new(&first, &of_objects));
    ok(swo_derived_new(look_at_object, NULL, NULL, &is_object));
    assert_int_equal(number_of(is_object), 1);
    is_looking = false;
    for (int n = 0; n < 100; n++) set_two_objects();
    assert_true(released >= 200);
    begin();
    set_two_objects();
    commit();
    ok(swo_variable_begin_batch(of_objects));
    set_two_objects();
    ok(swo_variable_end_batch(of_objects));
    assert_true(released >= 203);
    is_looking = true;
    RELEASE(is_object, of_objects, counted);
}
