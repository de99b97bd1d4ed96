/* SPDX-License-Identifier: MIT */
/* Effects and transactions on one thread (laws 33 and 34). */
#include "deriving.h"

/** An effect: what it does, and what it is called in the journal. */
struct act {
    const char *name;
    void (*run)(struct act *act);
    swo_observable *a, *b;
    swo_status status;
    swo_observation id;
    struct act *other;
    long runs, clean_ups;
    void (*in_clean_up)(struct act *act);
};

static void note(const char *name, int64_t number) {
    swo_value value = swo_int64(number);
    journal_note(&journal, name, &value);
}

static swo_status run_act(void *context) {
    struct act *act = context;
    act->runs++;
    act->status = SWO_OK;
    act->run(act);
    return act->status;
}

static void clean_act(void *context) {
    struct act *act = context;
    act->clean_ups++;
    if (act->in_clean_up) act->in_clean_up(act);
}

static swo_status begin_act(struct act *act) {
    swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
    options.clean_up = clean_act;
    options.name = act->name;
    return swo_effect(run_act, act, NULL, &options, &act->id);
}

static void set(swo_observable *variable, int64_t number) {
    swo_value value = swo_int64(number);
    must(swo_variable_set(variable, &value, NULL) == SWO_OK);
}

static void read_a(struct act *act) { note(act->name, number_of(act->a)); }
static void read_both(struct act *act) { note(act->name, number_of(act->a) + number_of(act->b)); }
static void add_one_to_a(struct act *act) { set(act->a, number_of(act->a) + 1); }

TEST(a_clean_up_runs_before_each_further_run_and_at_the_end) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = read_a, .a = a};
    ok(begin_act(&act));
    assert_int_equal(act.clean_ups, 0);
    set_number(a, 2);
    assert_int_equal(act.clean_ups, 1);
    set_number(a, 2);
    assert_int_equal(act.clean_ups, 1);
    ok(swo_stop(act.id));
    assert_int_equal(act.clean_ups, 2);
    assert_int_equal(swo_stop(act.id), SWO_NOT_FOUND);
    set_number(a, 3);
    assert_int_equal(act.clean_ups, 2);
    EXPECT_TRACE("e1 e2");
}

static void read_b_when_cleaning(struct act *act) { number_of(act->b); }

TEST(what_a_clean_up_reads_is_no_dependency) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = read_a, .a = a, .b = b, .in_clean_up = read_b_when_cleaning};
    ok(begin_act(&act));
    set_number(a, 2);
    set_number(b, 2);
    EXPECT_TRACE("e1 e2");
    ok(swo_stop(act.id));
}

static void read_a_and_stop(struct act *act) {
    read_a(act);
    if (number_of(act->a) == 2) ok(swo_stop(act->id));
    number_of(act->b);
}

TEST(an_effect_that_stops_itself_runs_no_more) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = read_a_and_stop, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(a, 2);
    set_numbers(a, 3, 4);
    set_number(b, 2);
    EXPECT_TRACE("e1 e2");
}

static void stop_in_clean_up(struct act *act) { swo_stop(act->id); }

TEST(a_clean_up_that_stops_its_effect_ends_it_before_the_run) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = read_a, .a = a, .in_clean_up = stop_in_clean_up};
    ok(begin_act(&act));
    set_numbers(a, 2, 3);
    EXPECT_TRACE("e1");
}

TEST(effects_of_one_turn_run_in_the_order_in_which_they_were_begun_after_the_updates) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    struct probe p = PROBE("d");
    struct act act[3] = {{.name = "x", .run = read_a, .a = a},
                         {.name = "y", .run = read_a, .a = derived},
                         {.name = "z", .run = read_a, .a = a}};
    for (int n = 0; n < 3; n++) ok(begin_act(&act[n]));
    observe(derived, NULL, &p);
    EXPECT_TRACE("x1 y1 z1");
    set_number(a, 2);
    EXPECT_TRACE("d(1,2) x2 y2 z2");
    for (int n = 0; n < 3; n++) ok(swo_stop(act[n].id));
    ok(swo_stop(p.observation));
}

TEST(effects_that_become_due_in_another_order_run_in_that_in_which_they_were_begun) {
    enum { MANY = 9 };
    OWN_OBSERVABLE *all = number_variable(0);
    swo_observable *own[MANY];
    struct act act[MANY];
    const char *names[MANY] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    for (int n = 0; n < MANY; n++) {
        own[n] = number_variable(0);
        act[n] = (struct act){.name = names[n], .run = read_both, .a = all, .b = own[n]};
        ok(begin_act(&act[n]));
    }
    EXPECT_TRACE("a0 b0 c0 d0 e0 f0 g0 h0 i0");
    static const int order[] = {4, 8, 2, 0, 7, 1, 6, 3};
    begin();
    for (int n = 0; n < MANY - 1; n++) set(own[order[n]], 1);
    commit();
    EXPECT_TRACE("a1 b1 c1 d1 e1 g1 h1 i1");
    for (int n = 0; n < MANY; n++) ok(swo_stop(act[n].id));
    for (int n = 0; n < MANY; n++) swo_observable_release(own[n]);
}

static void stop_all_others(struct act *act) {
    read_a(act);
    if (act->runs == 2)
        for (struct act *other = act->other; other; other = other->other) ok(swo_stop(other->id));
}

TEST(effects_that_are_stopped_while_they_are_due_do_not_run) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act[4] = {{.name = "w", .run = stop_all_others, .a = a, .other = &act[3]},
                         {.name = "x", .run = read_a, .a = a},
                         {.name = "y", .run = read_a, .a = a, .other = &act[1]},
                         {.name = "z", .run = read_a, .a = a, .other = &act[2]}};
    for (int n = 0; n < 4; n++) ok(begin_act(&act[n]));
    EXPECT_TRACE("w1 x1 y1 z1");
    set_numbers(a, 2, 3);
    EXPECT_TRACE("w2 w3");
    for (int n = 1; n < 4; n++) assert_int_equal(act[n].clean_ups, 1);
    ok(swo_stop(act[0].id));
}

static void count_to_five(struct act *act) {
    read_a(act);
    if (number_of(act->a) < 5) set(act->a, number_of(act->a) + 1);
}

TEST(an_effect_that_sets_what_it_reads_runs_until_it_is_content) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = count_to_five, .a = a};
    ok(begin_act(&act));
    EXPECT_TRACE("e1 e2 e3 e4 e5");
    set_number(a, 4);
    EXPECT_TRACE("e4 e5");
    ok(swo_stop(act.id));
}

TEST(an_effect_without_end_is_reported_and_rests_until_another_change) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = read_both, .a = a, .b = b};
    ok(begin_act(&act));
    act.run = add_one_to_a;
    swo_value two = swo_int64(2);
    assert_int_equal(swo_variable_set(a, &two, NULL), SWO_CALLBACK_FAILED);
    assert_in_range(act.runs, 100, 110);
    act.run = read_a;
    act.runs = 0;
    journal_clear(&journal);
    set_number(a, 7);
    EXPECT_TRACE("e7");
    ok(swo_stop(act.id));
}

static int64_t sum_of_two(struct formula *f) { return read_source(f, 0) + read_source(f, 1); }
static void read_both_and_add_one_to_a(struct act *act) {
    int64_t before = number_of(act->a);
    (void)number_of(act->b);
    set(act->a, before + 1);
}

/* The sum is not settled when the effect begins to rest: its next change has to be told all the same. */
TEST(an_effect_that_rests_is_told_of_each_change_behind_what_it_has_read) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct formula sum = FORMULA(sum_of_two, a, b);
    OWN_OBSERVABLE *derived = derive(&sum);
    struct act act = {.name = "e", .run = read_both, .a = a, .b = derived};
    ok(begin_act(&act));
    act.run = read_both_and_add_one_to_a;
    swo_value two = swo_int64(2);
    assert_int_equal(swo_variable_set(a, &two, NULL), SWO_CALLBACK_FAILED);
    act.run = read_both;
    journal_clear(&journal);
    set_number(b, -2 * number_of(a));
    EXPECT_TRACE("e0");
    ok(swo_stop(act.id));
}

/* What changes meanwhile is lost to it, as each message is to an observation that is blocked. */
TEST(an_effect_that_was_blocked_runs_after_the_next_change) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct formula sum = FORMULA(sum_of_two, a, b);
    OWN_OBSERVABLE *derived = derive(&sum);
    struct act act = {.name = "e", .run = read_both, .a = a, .b = derived};
    ok(begin_act(&act));
    ok(swo_block(act.id));
    set_number(a, 2);
    set_number(a, 3);
    ok(swo_unblock(act.id));
    EXPECT_TRACE("e3");
    set_number(b, 2);
    EXPECT_TRACE("e8");
    set_number(a, 4);
    EXPECT_TRACE("e10");
    ok(swo_stop(act.id));
}

static swo_status refuse_or_keep(void *kept, swo_job *job) {
    if (*(swo_job **)kept != NULL) return SWO_REFUSED;
    *(swo_job **)kept = job;
    return SWO_OK;
}

static void begin_act_on(struct act *act, const swo_executor *executor) {
    swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
    options.executor = executor;
    ok(swo_effect(run_act, act, NULL, &options, &act->id));
}

TEST(an_effect_whose_run_was_refused_runs_after_the_next_change) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = read_a, .a = a};
    swo_job *kept = NULL;
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = refuse_or_keep;
    executor.context = &kept;
    begin_act_on(&act, &executor);
    swo_job_run(kept);
    EXPECT_TRACE("e1");
    swo_value two = swo_int64(2);
    assert_int_not_equal(swo_variable_set(a, &two, NULL), SWO_OK);
    kept = NULL;
    set_number(a, 3);
    swo_job_run(kept);
    EXPECT_TRACE("e3");
    ok(swo_stop(act.id));
}

static swo_job *take(swo_job **kept) {
    swo_job *job = *kept;
    assert_non_null(job);
    *kept = NULL;
    return job;
}

/* A job of the effect waits. */
static void lose_by_drop(struct act *act, swo_job **kept) {
    (void)act;
    swo_job_drop(take(kept));
}
static void lose_by_block(struct act *act, swo_job **kept) {
    ok(swo_block(act->id));
    swo_job_run(take(kept));
    ok(swo_unblock(act->id));
}
static void lose_in_a_transaction(struct act *act, swo_job **kept) {
    ok(swo_transaction_begin());
    set_number(act->b, 50);
    swo_job_drop(take(kept));
    ok(swo_transaction_abort());
}
static swo_status drop_job(void *kept) {
    swo_job_drop(take(kept));
    return SWO_OK;
}
static void lose_in_a_snapshot(struct act *act, swo_job **kept) {
    (void)act;
    ok(swo_snapshot(drop_job, kept));
}

static swo_job **lost;
static int64_t drop_and_read(struct formula *f) {
    if (lost != NULL && *lost != NULL) swo_job_drop(take(lost));
    return read_source(f, 0);
}
static void lose_in_a_function(struct act *act, swo_job **kept) {
    struct formula dropping = FORMULA(drop_and_read, act->b);
    OWN_OBSERVABLE *derived = derive(&dropping);
    lost = kept;
    (void)number_of(derived);
    lost = NULL;
    assert_null(*kept);
}

/* What changed is lost to it, as each message is that is not delivered. The sum is settled all the same. */
TEST(an_effect_whose_job_is_lost_runs_after_the_next_change) {
    void (*const ways[])(struct act *, swo_job **) = {lose_by_drop, lose_by_block, lose_in_a_function,
                                                      lose_in_a_transaction, lose_in_a_snapshot};
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
        struct formula sum = FORMULA(sum_of_two, a, b);
        OWN_OBSERVABLE *derived = derive(&sum);
        struct act act = {.name = "e", .run = read_both, .a = derived, .b = b};
        swo_job *kept = NULL;
        swo_executor executor = SWO_EXECUTOR_INIT;
        executor.execute = refuse_or_keep;
        executor.context = &kept;
        begin_act_on(&act, &executor);
        swo_job_run(take(&kept));
        set_number(a, 2);
        ways[way](&act, &kept);
        set_number(a, 3);
        swo_job_run(take(&kept));
        set_number(b, 2);
        ways[way](&act, &kept);
        set_number(b, 3);
        set_number(b, 4);
        swo_job_run(take(&kept));
        EXPECT_TRACE("e3 e5 e11");
        ok(swo_stop(act.id));
    }
}

TEST(an_effect_whose_job_a_queue_drops_runs_after_the_next_change) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act one = {.name = "x", .run = read_a, .a = a}, two = {.name = "y", .run = read_a, .a = b};
    swo_executor executor;
    swo_queue *queue = queue_of(1, SWO_QUEUE_DROP_OLDEST, &executor);
    begin_act_on(&one, &executor);
    ok(swo_queue_drain(queue, SIZE_MAX, NULL));
    begin_act_on(&two, &executor);
    ok(swo_queue_drain(queue, SIZE_MAX, NULL));
    set_number(a, 2);
    set_number(b, 3);
    ok(swo_queue_drain(queue, SIZE_MAX, NULL));
    set_number(a, 4);
    ok(swo_queue_drain(queue, SIZE_MAX, NULL));
    EXPECT_TRACE("x1 y1 y3 x4");
    ok(swo_stop(one.id));
    ok(swo_stop(two.id));
    swo_queue_release(queue);
}

static void set_and_add_one(struct act *act) {
    if (number_of(act->a) == 2) set(act->a, 3);
}
static void read_and_block_the_other(struct act *act) {
    read_a(act);
    if (number_of(act->a) == 3) ok(swo_block(act->other->id));
}

/* It has asked for a run by then, which is lost. */
TEST(an_effect_that_another_one_blocks_before_it_runs_again_runs_after_the_next_change) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act one = {.name = "x", .run = set_and_add_one, .a = a};
    struct act two = {.name = "y", .run = read_and_block_the_other, .a = a, .other = &one};
    ok(begin_act(&one));
    ok(begin_act(&two));
    set_number(a, 2);
    ok(swo_unblock(one.id));
    EXPECT_TRACE("y1 y3");
    one.run = read_a;
    set_number(a, 4);
    EXPECT_TRACE("x4 y4");
    ok(swo_stop(one.id));
    ok(swo_stop(two.id));
}

static void push_the_other(struct act *act) { set(act->b, number_of(act->a) + 1); }

TEST(two_effects_that_push_one_another_end) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act one = {.name = "x", .run = read_a, .a = a, .b = b}, two = {.name = "y", .run = read_a, .a = b, .b = a};
    ok(begin_act(&one));
    ok(begin_act(&two));
    one.run = two.run = push_the_other;
    swo_value value = swo_int64(5);
    assert_int_equal(swo_variable_set(a, &value, NULL), SWO_CALLBACK_FAILED);
    assert_in_range(one.runs, 90, 110);
    journal_clear(&journal);
    ok(swo_stop(one.id));
    ok(swo_stop(two.id));
}

static void set_b_twice(struct act *act) {
    int64_t now = number_of(act->a);
    set(act->b, now);
    set(act->other->b, now);
}

TEST(two_sets_of_an_effect_are_one_run_of_what_reads_both) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1), *c = number_variable(1);
    struct act reader = {.name = "r", .run = read_both, .a = b, .b = c};
    struct act other = {.b = c}, setter = {.name = "s", .run = set_b_twice, .a = a, .b = b, .other = &other};
    ok(begin_act(&setter));
    ok(begin_act(&reader));
    set_number(a, 2);
    EXPECT_TRACE("r2 r4");
    ok(swo_stop(setter.id));
    ok(swo_stop(reader.id));
}

static void set_and_read(struct act *act) {
    int64_t before = number_of(act->a);
    set(act->b, before * 10);
    note(act->name, number_of(act->b));
}

TEST(an_effect_reads_what_it_has_set) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = set_and_read, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(a, 2);
    ok(swo_stop(act.id));
    assert_int_equal(number_of(b), 20);
    journal_clear(&journal);
}

HANDLER(read_and_note, variable) { note("now", number_of(variable)); }

static void set_b(struct act *act) {
    note(act->name, number_of(act->a));
    set(act->b, number_of(act->a));
}

static swo_status set_in_snapshot(void *variable) {
    note("s", number_of(variable));
    set(variable, 7);
    note("s", number_of(variable));
    return SWO_OK;
}

TEST(a_handler_reads_what_is_there_now_and_no_effect_depends_on_it) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(0), *c = number_variable(5);
    struct act act = {.name = "e", .run = set_b, .a = a, .b = b};
    swo_observation ids[2];
    ok(swo_observe(b, NULL, read_and_note, c, NULL, &ids[0]));
    ok(begin_act(&act));
    set_number(c, 6);
    EXPECT_TRACE("e1 now5");
    set_number(a, 2);
    EXPECT_TRACE("e2 now6");
    ok(swo_stop(act.id));
    ok(swo_observe(a, NULL, read_and_note, a, NULL, &ids[1]));
    ok(swo_snapshot(set_in_snapshot, a));
    EXPECT_TRACE("s2 now7 s2");
    ok(swo_stop(ids[0]));
    ok(swo_stop(ids[1]));
}

static void fail_if_zero(struct act *act) {
    read_a(act);
    if (number_of(act->a) == 0) act->status = SWO_INVALID_ARGUMENT;
}

static swo_status always_fail_to_do(void *context) { return SWO_INVALID_ARGUMENT; }

static void fail_in_the_second_run(struct act *act) {
    const int64_t number = number_of(act->a);
    note(act->name, number);
    if (act->runs == 1) set(act->a, number + 1);
    if (act->runs == 2) act->status = SWO_CALLBACK_FAILED;
}

TEST(an_effect_whose_first_run_causes_one_that_fails_stays) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = fail_in_the_second_run, .a = a};
    ok(begin_act(&act));
    EXPECT_TRACE("e1 e2");
    set_number(a, 3);
    EXPECT_TRACE("e3");
    ok(swo_stop(act.id));
}

TEST(an_effect_whose_first_run_fails_is_none) {
    struct probe context = {.name = "c"};
    OWN_OBSERVABLE *a = number_variable(0);
    struct act act = {.name = "e", .run = fail_if_zero, .a = a};
    swo_observation id = 0;
    assert_int_equal(begin_act(&act), SWO_INVALID_ARGUMENT);
    assert_false(swo_is_living(act.id));
    set_number(a, 1);
    EXPECT_TRACE("e0");
    assert_int_equal(swo_effect(always_fail_to_do, &context, probe_destroy, NULL, &id), SWO_INVALID_ARGUMENT);
    assert_int_equal(atomic_load(&context.destroyed), 1);
}

TEST(a_later_failure_is_reported_and_the_others_run) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act[3] = {{.name = "x", .run = read_a, .a = a},
                         {.name = "y", .run = fail_if_zero, .a = a},
                         {.name = "z", .run = read_a, .a = a}};
    for (int n = 0; n < 3; n++) ok(begin_act(&act[n]));
    swo_value zero = swo_int64(0);
    assert_int_equal(swo_variable_set(a, &zero, NULL), SWO_CALLBACK_FAILED);
    set_number(a, 2);
    EXPECT_TRACE("x1 y1 z1 x0 y0 z0 x2 y2 z2");
    for (int n = 0; n < 3; n++) ok(swo_stop(act[n].id));
}

static swo_status read_quietly(void *context) {
    number_of(((struct act *)context)->b);
    return SWO_OK;
}

static void read_b_untracked(struct act *act) {
    read_a(act);
    ok(swo_untracked(read_quietly, act));
}

TEST(what_is_read_untracked_is_no_dependency) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = read_b_untracked, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(b, 2);
    EXPECT_TRACE("e1");
    set_number(a, 2);
    EXPECT_TRACE("e2");
    ok(swo_stop(act.id));
}

static void begin_the_other(struct act *act) {
    read_a(act);
    if (act->other->id == 0) ok(begin_act(act->other));
}

TEST(an_effect_begins_another_whose_sources_are_not_its_own) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(5);
    struct act inner = {.name = "i", .run = read_a, .a = b},
               outer = {.name = "o", .run = begin_the_other, .a = a, .other = &inner};
    ok(begin_act(&outer));
    EXPECT_TRACE("o1 i5");
    set_number(b, 6);
    EXPECT_TRACE("i6");
    set_number(a, 2);
    EXPECT_TRACE("o2");
    ok(swo_stop(outer.id));
    ok(swo_stop(inner.id));
}

/* ---- transactions ---- */

TEST(what_is_set_and_set_back_is_no_change) {
    struct probe p = PROBE("a");
    OWN_OBSERVABLE *a = number_variable(1);
    struct formula copy = FORMULA(add, a);
    OWN_OBSERVABLE *derived = derive(&copy);
    struct act act = {.name = "e", .run = read_a, .a = derived};
    observe(a, NULL, &p);
    ok(begin_act(&act));
    runs(&copy);
    journal_clear(&journal);
    begin();
    set_numbers(a, 2, 1);
    commit();
    assert_int_equal(runs(&copy), 0);
    EXPECT_TRACE("");
    ok(swo_stop(act.id));
    ok(swo_stop(p.observation));
}

TEST(an_effect_in_a_transaction_runs_at_the_end_and_once) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    struct act act = {.name = "e", .run = read_both, .a = a, .b = b};
    ok(begin_act(&act));
    begin();
    set_number(a, 2);
    set_number(b, 2);
    begin();
    set_number(b, 3);
    commit();
    EXPECT_TRACE("e2");
    commit();
    EXPECT_TRACE("e5");
    assert_int_equal(swo_transaction_commit(), SWO_NOT_FOUND);
    ok(swo_stop(act.id));
}

static swo_observable *first_in_turn, *second_in_turn;

static void set_both_in_a_turn(int64_t number) {
    begin();
    set_number(first_in_turn, number);
    set_number(second_in_turn, number);
    commit();
}

ACTION(begin_another_turn) {
    if (probe->calls == 1) set_both_in_a_turn(9);
}

static void set_both_at_two(struct act *act) {
    if (number_of(act->a) == 2) set_both_in_a_turn(7);
}

/* Nothing reads both: all the same it is one turn, also where a handler or an effect makes it. */
TEST(effects_of_a_turn_come_after_all_its_updates_in_the_order_in_which_they_began) {
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(1), *third = number_variable(1);
    first_in_turn = one, second_in_turn = other;
    struct formula copy = FORMULA(add, other);
    OWN_OBSERVABLE *derived = derive(&copy);
    struct probe p = PROBE("d");
    struct act x = {.name = "x", .run = read_a, .a = other}, y = {.name = "y", .run = read_a, .a = one};
    struct act setting = {.name = "s", .run = set_both_at_two, .a = third};
    observe(derived, NULL, &p);
    ok(begin_act(&x));
    ok(begin_act(&y));
    ok(begin_act(&setting));
    EXPECT_TRACE("x1 y1");
    set_both_in_a_turn(5);
    EXPECT_TRACE("d(1,5) x5 y5");
    set_number(third, 2);
    EXPECT_TRACE("d(5,7) x7 y7");
    p.action = begin_another_turn;
    p.calls = 0;
    set_number(other, 8);
    EXPECT_TRACE("d(7,8) d(8,9) x9 y9");
    /* By an effect of one of the two. */
    struct act amid = {.name = "t", .run = set_both_at_two, .a = other};
    ok(begin_act(&amid));
    set_number(other, 2);
    EXPECT_TRACE("d(9,2) x2 d(2,7) x7 y7");
    WITH_EACH(swo_observation, ok(swo_stop(*each)), x.id, y.id, setting.id, amid.id, p.observation);
}

TEST(an_effect_that_is_stopped_in_a_transaction_does_not_run) {
    OWN_OBSERVABLE *a = number_variable(1);
    struct act act = {.name = "e", .run = read_a, .a = a};
    ok(begin_act(&act));
    begin();
    set_number(a, 2);
    ok(swo_stop(act.id));
    set_number(a, 3);
    commit();
    EXPECT_TRACE("e1");
}

static void read_b_in_a_transaction(struct act *act) {
    begin();
    long b = number_of(act->b);
    set(act->a, b);
    commit();
    note(act->name, b);
}

TEST(an_effect_depends_on_what_a_transaction_of_its_own_reads) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct act act = {.name = "e", .run = read_b_in_a_transaction, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(b, 3);
    set_number(a, 7); /* only set by it */
    set_number(b, 4);
    EXPECT_TRACE("e2 e3 e4");
    assert_int_equal(number_of(a), 4);
    ok(swo_stop(act.id));
}

static void read_what_was_set(struct act *act) {
    begin();
    set(act->a, 10);
    note(act->name, number_of(act->a) + number_of(act->b));
    commit();
}

/* Computed in a transaction, the derived variable has a value that nobody else sees until the commit. */
TEST(an_effect_depends_on_what_was_computed_in_a_transaction_of_its_own) {
    OWN_OBSERVABLE *a = number_variable(1), *c = number_variable(2);
    struct formula sum = FORMULA(add, a, c);
    OWN_OBSERVABLE *derived = derive(&sum);
    struct act act = {.name = "e", .run = read_what_was_set, .a = a, .b = derived};
    ok(begin_act(&act));
    journal_clear(&journal);
    set_number(c, 3);
    EXPECT_TRACE("e23");
    set_number(a, 5); /* 'derived' changes with it, and is as before when the effect has run */
    EXPECT_TRACE("e23 e23");
    ok(swo_stop(act.id));
}

static void read_b_in_a_transaction_untracked(struct act *act) {
    begin();
    ok(swo_untracked(read_quietly, act));
    commit();
    note(act->name, number_of(act->a));
}

TEST(what_a_transaction_of_an_effect_reads_untracked_is_no_dependency) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct act act = {.name = "e", .run = read_b_in_a_transaction_untracked, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(b, 3);
    EXPECT_TRACE("e1");
    ok(swo_stop(act.id));
}

static void read_b_and_abort(struct act *act) {
    begin();
    long b = number_of(act->b);
    set(act->a, b);
    ok(swo_transaction_abort());
    note(act->name, b);
}

TEST(an_effect_depends_on_what_a_transaction_read_that_it_aborted) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(2);
    struct act act = {.name = "e", .run = read_b_and_abort, .a = a, .b = b};
    ok(begin_act(&act));
    set_number(b, 3);
    EXPECT_TRACE("e2 e3");
    assert_int_equal(number_of(a), 1);
    ok(swo_stop(act.id));
}

HANDLER(count_call, calls) { ++*(long *)calls; }

TEST(a_transaction_sets_many_variables_that_nothing_joins) {
    enum { MANY = 1000 };
    swo_observable *all[MANY];
    long calls = 0;
    for (int n = 0; n < MANY; n++) {
        all[n] = number_variable(0);
        ok(swo_observe(all[n], NULL, count_call, &calls, NULL, NULL));
    }
    begin();
    for (int n = 0; n < MANY; n++) set_number(all[n], n);
    commit();
    for (int n = 0; n < MANY; n++) assert_int_equal(number_of(all[n]), n);
    assert_int_equal(calls, MANY - 1);
    for (int n = 0; n < MANY; n++) swo_observable_release(all[n]);
}

TEST(a_transaction_finds_what_it_has_set_again_after_an_inner_one_was_aborted) {
    enum { KEPT = 3, MANY = 10, ALL = KEPT + 2 * MANY };
    swo_observable *all[ALL];
    for (int n = 0; n < ALL; n++) all[n] = number_variable(0);
    begin();
    for (int n = 0; n < KEPT; n++) set_number(all[n], 1);
    begin();
    for (int n = KEPT; n < KEPT + MANY; n++) set_numbers(all[n], 1, 2);
    for (int n = 0; n < KEPT + MANY; n++) assert_int_equal(number_of(all[n]), n < KEPT ? 1 : 2);
    ok(swo_transaction_abort());
    begin();
    for (int n = KEPT + MANY; n < ALL; n++) set_numbers(all[n], 3, 4);
    set_number(all[0], 5);
    commit();
    for (int n = 0; n < ALL; n++)
        assert_int_equal(number_of(all[n]), n == 0 ? 5 : n < KEPT ? 1 : n < KEPT + MANY ? 0 : 4);
    commit();
    for (int n = 0; n < ALL; n++)
        assert_int_equal(number_of(all[n]), n == 0 ? 5 : n < KEPT ? 1 : n < KEPT + MANY ? 0 : 4);
    for (int n = 0; n < ALL; n++) swo_observable_release(all[n]);
}

TASK(set_to_nine, variable) { set(variable, 9); }

TEST(what_a_transaction_only_sets_is_no_conflict) {
    OWN_OBSERVABLE *a = number_variable(1), *b = number_variable(1);
    begin();
    set_number(a, 2);
    set_number(b, 1); /* as it is, for now */
    run_threads({set_to_nine, a}, {set_to_nine, b});
    commit();
    assert_int_equal(number_of(a), 2);
    assert_int_equal(number_of(b), 1);
}

static swo_status add_one(void *context, const swo_value *old, swo_value *out) { GIVE(swo_int64(old->as.int64 + 1)); }

TEST(what_a_transaction_updates_it_has_read) {
    OWN_OBSERVABLE *a = number_variable(1);
    begin();
    ok(swo_variable_update(a, add_one, NULL, NULL));
    run_threads({set_to_nine, a});
    assert_int_equal(swo_transaction_commit(), SWO_CONFLICT);
    assert_int_equal(number_of(a), 9);
}

/* Law 34: what a handler sets amid a delivery that no set has begun waits for its turn, and its effects come after it.
 */
static struct {
    swo_observable *a, *b, *sum;
    struct formula formula;
    struct act act, last;
    struct probe of_a, of_b, of_sum;
    swo_observation effects[2];
} amid;

static void begin_amid(void) {
    memset(&amid, 0, sizeof amid);
    amid.a = number_variable(1);
    amid.b = number_variable(10);
    amid.formula = (struct formula)FORMULA(add, amid.a, amid.b);
    amid.sum = derive(&amid.formula);
    amid.of_a = (struct probe)PROBE("a");
    amid.of_b = (struct probe)PROBE("b");
    amid.of_sum = (struct probe)PROBE("s");
    amid.act = (struct act){.name = "e", .run = read_both, .a = amid.a, .b = amid.b};
    observe(amid.sum, NULL, &amid.of_sum);
    observe(amid.a, NULL, &amid.of_a);
    observe(amid.b, NULL, &amid.of_b);
    ok(begin_act(&amid.act));
    EXPECT_TRACE("e11");
}

static void end_amid(void) {
    ok(swo_stop(amid.act.id));
    RELEASE(amid.sum, amid.a, amid.b);
}

HANDLER(set_a_once, context) {
    if (number_of(amid.a) == 2) return;
    set(amid.a, 2);
    note("-", number_of(amid.sum));
}

HANDLER(set_both_once, context) {
    if (number_of(amid.a) == 2) return;
    begin();
    set(amid.b, 20);
    set(amid.a, 2);
    commit();
}

HANDLER(set_one_after_the_other, context) {
    if (number_of(amid.a) == 2) return;
    set(amid.a, 2);
    set(amid.b, 20);
}

TEST(what_is_set_in_a_replay_is_sent_before_its_effects_run) {
    begin_amid();
    ok(swo_observe_with(amid.a, WITH(.replay = 1), set_a_once, NULL, NULL, NULL));
    EXPECT_TRACE("-12 a(1,2) s(11,12) e12");
    end_amid();
}

TEST(what_is_set_while_the_latest_message_is_sent_is_sent_before_its_effects_run) {
    begin_amid();
    ok(swo_observe(amid.a, NULL, set_a_once, NULL, NULL, NULL));
    ok(swo_send_latest(amid.a, NULL));
    EXPECT_TRACE("a(1,1) -12 a(1,2) s(11,12) e12");
    set(amid.a, 3);
    EXPECT_TRACE("a(2,3) -12 a(3,2) e12");
    end_amid();
}

TEST(a_transaction_in_a_replay_sends_all_before_its_effects_run) {
    begin_amid();
    ok(swo_observe_with(amid.a, WITH(.replay = 1), set_both_once, NULL, NULL, NULL));
    EXPECT_TRACE("b(10,20) a(1,2) s(11,22) e22");
    end_amid();
}

TEST(what_is_set_amid_a_delivery_waits_with_what_waits_already) {
    begin_amid();
    ok(swo_observe_with(amid.a, WITH(.replay = 1), set_one_after_the_other, NULL, NULL, NULL));
    EXPECT_TRACE("b(10,20) a(1,2) s(11,22) e22");
    end_amid();
}

TEST(what_is_set_in_the_replay_of_a_derived_variable_is_sent_before_its_effects_run) {
    begin_amid();
    ok(swo_observe_with(amid.sum, WITH(.replay = 1), set_a_once, NULL, NULL, NULL));
    EXPECT_TRACE("a(1,2) -12 s(11,12) e12");
    end_amid();
}

HANDLER(send_latest_b_first, context) {
    if (number_of(amid.a) == 2) return;
    ok(swo_send_latest(amid.b, NULL));
}

TEST(a_turn_waits_for_the_outer_one_of_two_deliveries) {
    begin_amid();
    ok(swo_observe(amid.b, NULL, set_both_once, NULL, NULL, NULL));
    ok(swo_observe_with(amid.a, WITH(.replay = 1), send_latest_b_first, NULL, NULL, NULL));
    EXPECT_TRACE("b(10,10) b(10,20) a(1,2) s(11,22) e22");
    end_amid();
}

static swo_status fail_now(void *context) {
    struct act *act = context;
    return number_of(act->a) == 2 ? SWO_CALLBACK_FAILED : SWO_OK;
}

TEST(a_sender_hears_of_the_failure_of_a_turn_that_has_waited) {
    begin_amid();
    swo_observation id;
    ok(swo_effect(fail_now, &amid.act, NULL, NULL, &id));
    ok(swo_observe(amid.a, NULL, set_a_once, NULL, NULL, NULL));
    assert_int_equal(swo_send_latest(amid.a, NULL), SWO_CALLBACK_FAILED);
    journal_clear(&journal);
    ok(swo_stop(id));
    end_amid();
}

THREAD(send_latest_of_a, context) {
    ok(swo_send_latest(amid.a, NULL));
    return NULL;
}

TEST(what_another_thread_sets_amid_a_delivery_is_sent_before_its_effects_run) {
    begin_amid();
    OWN_GATE *gate = gate_new();
    struct probe held = PROBE("h", .action = pass_gate, .gate = gate);
    observe(amid.a, NULL, &held);
    pthread_t thread = begin_held(send_latest_of_a, NULL, gate);
    set(amid.a, 2);
    set(amid.b, 20);
    gate_open(gate); /* the update of a passes, too */
    release_held(thread, gate);
    EXPECT_TRACE("a(1,1) h(1,1) b(10,20) a(1,2) h(1,2) s(11,22) e22");
    end_amid();
}

static void begin_deferred(struct act *act, struct probe *a, struct probe *d, struct formula *copy,
                           swo_observable **derived) {
    act->a = deferred_variable(1);
    *copy = (struct formula)FORMULA(add, act->a);
    *derived = derive(copy);
    observe(*derived, NULL, d);
    observe(act->a, NULL, a);
    ok(begin_act(act));
    EXPECT_TRACE("e1");
}

HANDLER(set_two_once, variable) {
    if (message->as.update->new_value.as.int64 == 1) set(variable, 2);
}

TEST(effects_come_after_the_message_of_a_deferred_variable) {
    struct act act = {.name = "e", .run = read_a};
    struct probe a = PROBE("a"), d = PROBE("d");
    struct formula copy;
    OWN_OBSERVABLE *derived;
    begin_deferred(&act, &a, &d, &copy, &derived);
    set_number(act.a, 2);
    EXPECT_TRACE("a(1,2) d(1,2) e2");
    set_number(act.a, 1);
    EXPECT_TRACE("a(2,1) d(2,1) e1");
    ok(swo_observe_with(act.a, WITH(.replay = 1), set_two_once, act.a, NULL, NULL));
    EXPECT_TRACE("a(1,2) d(1,2) e2");
    swo_observable_set_ordered(act.a, false);
    set_number(act.a, 3);
    EXPECT_TRACE("a(2,3) d(2,3) e3");
    ok(swo_stop(act.id));
    RELEASE(act.a);
}

/* Law 26: what handlers read that a function has called is nothing that it depends on. */
static struct {
    swo_observable *source, *other, *messenger, *deferred;
    swo_status set;
    long calls;
} beside;

HANDLER(read_other, context) {
    beside.calls++;
    number_of(beside.other);
    swo_value value = swo_int64(beside.calls);
    if (context) beside.set = swo_variable_set(context, &value, NULL);
}

static void begin_beside(swo_observable *set) {
    memset(&beside, 0, sizeof beside);
    beside.source = number_variable(1);
    beside.other = number_variable(1);
    beside.messenger = swo_messenger_new();
    beside.deferred = deferred_variable(1);
    for (int n = 0; n < 2; n++)
        ok(swo_observe(n ? beside.messenger : beside.deferred, NULL, read_other, set, NULL, NULL));
}

static void end_beside(void) { RELEASE(beside.messenger, beside.deferred, beside.source, beside.other); }

static void send_to_messenger(struct act *act) {
    read_a(act);
    send_number(beside.messenger, 1);
}

static void replay_and_set_deferred(struct act *act) {
    read_a(act);
    swo_observation id;
    ok(swo_observe_with(act->a, WITH(.replay = 1), read_other, NULL, NULL, &id));
    ok(swo_stop(id));
    set(beside.deferred, beside.calls);
}

static void send_in_a_transaction(struct act *act) {
    read_a(act);
    begin();
    send_number(beside.messenger, 1);
    ok(swo_transaction_abort());
}

static void end_a_batch(struct act *act) {
    read_a(act);
    swo_observation id;
    ok(swo_observe(act->b, NULL, read_other, NULL, NULL, &id));
    ok(swo_variable_begin_batch(act->b));
    set(act->b, beside.calls + 10);
    ok(swo_variable_end_batch(act->b));
    ok(swo_stop(id));
}

TEST(an_effect_does_not_depend_on_what_handlers_read_that_it_calls) {
    void (*const runs[])(struct act *) = {send_to_messenger, replay_and_set_deferred, send_in_a_transaction,
                                          end_a_batch};
    for (size_t n = 0; n < COUNT(runs); n++) {
        OWN_OBSERVABLE *b = number_variable(1);
        begin_beside(NULL);
        struct act act = {.name = "e", .run = runs[n], .a = beside.source, .b = b};
        ok(begin_act(&act));
        assert_true(beside.calls > 0);
        set_number(beside.other, 2);
        EXPECT_TRACE("e1");
        set_number(beside.source, 2);
        EXPECT_TRACE("e2");
        ok(swo_stop(act.id));
        end_beside();
    }
}

DERIVING(send_and_read, source) {
    send_number(beside.messenger, 1);
    GIVE(swo_int64(number_of(source)));
}

TEST(a_derived_variable_does_not_depend_on_what_handlers_read_and_these_set_nothing) {
    OWN_OBSERVABLE *target = number_variable(0);
    begin_beside(target);
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(send_and_read, beside.source, NULL, &derived));
    assert_int_equal(number_of(derived), 1);
    assert_int_equal(beside.calls, 1);
    assert_int_equal(beside.set, SWO_COMPUTING);
    set_number(beside.other, 2);
    assert_int_equal(number_of(derived), 1);
    assert_int_equal(beside.calls, 1);
    set_number(beside.source, 3);
    assert_int_equal(number_of(derived), 3);
    assert_int_equal(number_of(target), 0);
    end_beside();
}

HANDLER(count_up_other, context) {
    int64_t before = number_of(beside.other);
    set(beside.other, before + 1);
    beside.calls = number_of(beside.other);
}

static swo_status send_in_a_snapshot(void *context) {
    int64_t before = number_of(beside.other);
    send_number(beside.messenger, 1);
    must(number_of(beside.other) == before);
    return SWO_OK;
}

TEST(handlers_read_what_is_there_now_where_a_snapshot_sends) {
    begin_beside(NULL);
    ok(swo_observe(beside.messenger, NULL, count_up_other, NULL, NULL, NULL));
    for (int n = 2; n < 5; n++) {
        ok(swo_snapshot(send_in_a_snapshot, NULL));
        assert_int_equal(beside.calls, n);
    }
    end_beside();
}
