/* SPDX-License-Identifier: MIT */
/* Observations that begin on their executor: what happens until then, and that they can be over before. */
#include "support.h"

#include <sched.h>

static struct {
    swo_queue *queue;
    swo_executor executor;
    swo_observable *variable;
    swo_observe_options options;
} world;

static struct probe a, b;

void set_up(void) {
    memset(&world, 0, sizeof world);
    world.queue = new_queue(&world.executor);
    world.variable = number_variable(1);
    world.options = (swo_observe_options)OPTIONS(.begins_on_executor = true);
    a = (struct probe){.name = "a", .journal = &journal};
    b = (struct probe){.name = "b", .journal = &journal};
}

void tear_down(void) {
    swo_observable_release(world.variable);
    swo_queue_release(world.queue);
}

static void begin(struct probe *probe) {
    probe->observable = world.variable;
    if (world.options.executor == NULL) world.options.executor = &world.executor;
    ok(swo_observe_with(world.variable, &world.options, probe_receive, probe, probe_destroy, &probe->observation));
}

TEST(it_begins_when_the_executor_runs_its_job) {
    begin(&a);
    set_number(world.variable, 2);
    assert_int_equal(drain(world.queue, 0), 1);
    EXPECT_TRACE("");
    set_number(world.variable, 3);
    assert_int_equal(drain(world.queue, 0), 1);
    EXPECT_TRACE("a(2,3)");
    ok(swo_stop(a.observation));
    assert_int_equal(a.destroyed, 1);
}

TEST(its_replay_is_fetched_when_it_begins) { /* Law 19 */
    world.options.replay = 1;
    begin(&a);
    set_number(world.variable, 2);
    assert_int_equal(drain(world.queue, 0), 1);
    set_number(world.variable, 3);
    assert_int_equal(drain(world.queue, 0), 2);
    EXPECT_TRACE("a(2,2) a(2,3)");
}

TEST(it_comes_after_those_that_began_before_it) { /* Law 2 */
    begin(&a);
    world.options.begins_on_executor = false;
    begin(&b);
    drain(world.queue, 0);
    set_number(world.variable, 2);
    drain(world.queue, 0);
    EXPECT_TRACE("b(1,2) a(1,2)");
}

TEST(it_is_living_from_the_call_on) {
    world.options.observer = swo_observer_new();
    begin(&a);
    for (int begun = 0; begun < 2; begun++) {
        assert_true(swo_is_living(a.observation));
        assert_true(swo_observer_is_observing(world.options.observer, world.variable));
        assert_int_equal(swo_observer_count(world.options.observer), 1);
        assert_int_equal(swo_observable_count(world.variable), 1);
        drain(world.queue, 0);
    }
    swo_observer_release(world.options.observer);
    assert_int_equal(swo_observable_count(world.variable), 0);
}

TEST(stopped_before_it_never_begins) { /* Law 7 */
    for (int way = 0; way < 5; way++) {
        tear_down(), set_up();
        world.options.observer = swo_observer_new();
        world.options.replay = 1;
        begin(&a);
        if (way == 0) ok(swo_stop(a.observation));
        if (way == 1) ok(swo_stop_and_wait(a.observation));
        if (way == 2) ok(swo_observer_stop(world.options.observer, world.variable));
        if (way == 3) ok(swo_observer_stop(world.options.observer, NULL));
        swo_observer_release(world.options.observer);
        assert_false(swo_is_living(a.observation));
        assert_int_equal(a.destroyed, 1);
        assert_int_equal(swo_observable_count(world.variable), 0);
        assert_int_equal(drain(world.queue, 0), 1);
        set_number(world.variable, 2);
        assert_int_equal(drain(world.queue, 0), 0);
        assert_int_equal(a.calls, 0);
    }
}

static void note_begin(void *journal) { journal_note(journal, "begin", NULL); }
static void note_end(void *journal) { journal_note(journal, "end", NULL); }

TEST(what_is_done_on_demand_begins_with_it) {
    for (int is_stopped = 0; is_stopped < 2; is_stopped++) {
        tear_down(), set_up();
        ok(swo_observable_on_demand(world.variable, note_begin, note_end, &journal, NULL));
        begin(&a);
        EXPECT_TRACE("");
        if (is_stopped) ok(swo_stop(a.observation));
        drain(world.queue, 0);
        EXPECT_TRACE(is_stopped ? "" : "begin");
        tear_down(), world.variable = NULL, world.queue = NULL;
        EXPECT_TRACE(is_stopped ? "" : "end");
    }
}

TEST(the_observable_lives_until_then) {
    world.options.replay = 1;
    begin(&a);
    swo_observable_release(world.variable);
    world.variable = NULL;
    assert_int_equal(drain(world.queue, 0), 1);
    assert_true(swo_is_living(a.observation)); /* the replay waits still */
    assert_int_equal(drain(world.queue, 0), 1);
    EXPECT_TRACE("a(1,1)");
    assert_int_equal(a.destroyed, 1);
    assert_false(swo_is_living(a.observation));
}

static void enter(void *journal) { journal_note(journal, "(", NULL); }
static void leave(void *journal) { journal_note(journal, ")", NULL); }

TEST(all_other_options_go_together_with_it) {
    const swo_hooks hooks = {sizeof hooks, enter, leave, &journal};
    world.options.hooks = &hooks;
    world.options.replay = 1;
    world.options.once = true;
    world.options.keeps_observable = true;
    begin(&a);
    swo_observable_release(world.variable);
    world.variable = NULL;
    drain(world.queue, 0);
    EXPECT_TRACE("");
    drain(world.queue, 0);
    EXPECT_TRACE("( a(1,1) )");
    assert_int_equal(a.destroyed, 1);
}

TEST(kept_observables_end_with_what_never_began) {
    world.options.keeps_observable = true;
    begin(&a);
    swo_observable_release(world.variable);
    world.variable = NULL;
    ok(swo_stop(a.observation));
    drain(world.queue, 0);
    assert_int_equal(a.destroyed, 1);
}

static void assert_named(void) {
    swo_value text;
    ok(swo_graph_dot(&world.variable, 1, &text));
    const char *first = strstr(text.as.bytes.data, "late");
    assert_non_null(first);
    assert_null(strstr(first + 1, "late"));
    swo_value_clear(&text);
}

TEST(it_has_its_name_in_graphs) {
    world.options.name = "late";
    begin(&a);
    assert_named();
    drain(world.queue, 0);
    assert_named();
}

TEST(deferred_variables_replay_in_their_turn) {
    swo_observable_release(world.variable);
    ok(swo_deferred_variable_new(VALUE(swo_int64(1)), &world.variable));
    world.options.replay = 1;
    begin(&a);
    set_number(world.variable, 2);
    drain(world.queue, 0);
    set_number(world.variable, 3);
    drain(world.queue, 0);
    EXPECT_TRACE("a(2,2) a(2,3)");
}

TEST(without_order_it_begins_too) {
    ok(swo_observable_set_ordered(world.variable, false));
    world.options.replay = 1;
    begin(&a);
    drain(world.queue, 0);
    set_number(world.variable, 2);
    drain(world.queue, 0);
    EXPECT_TRACE("a(1,1) a(1,2)");
}

/* ---- executors ---- */

TEST(it_ends_if_its_job_is_dropped) {
    begin(&a);
    swo_queue_release(world.queue);
    world.queue = NULL;
    assert_int_equal(a.destroyed, 1);
    assert_false(swo_is_living(a.observation));
    assert_int_equal(swo_observable_count(world.variable), 0);
}

TEST(a_bounded_queue_may_drop_it) {
    swo_queue_release(world.queue);
    world.queue = queue_of(1, SWO_QUEUE_DROP_OLDEST, &world.executor);
    begin(&a);
    begin(&b);
    assert_true(a.destroyed == 1 && b.destroyed == 0);
    assert_int_equal(drain(world.queue, 0), 1);
    set_number(world.variable, 2);
    assert_int_equal(drain(world.queue, 0), 1);
    EXPECT_TRACE("b(1,2)");
}

static swo_status refuse(void *context, swo_job *job) { return SWO_NO_MEMORY; }

static swo_status run_and_refuse(void *context, swo_job *job) {
    swo_job_run(job);
    return SWO_NO_MEMORY;
}

TEST(if_the_executor_refuses_nothing_has_happened) {
    for (int runs = 0; runs < 2; runs++) {
        tear_down(), set_up();
        swo_executor executor = SWO_EXECUTOR_INIT;
        executor.execute = runs ? run_and_refuse : refuse;
        swo_observation out = 77;
        world.options.executor = &executor;
        world.options.observer = swo_observer_new();
        assert_int_equal(swo_observe_with(world.variable, &world.options, probe_receive, &a, probe_destroy, &out),
                         SWO_REFUSED);
        assert_int_equal(out, 77);
        assert_int_equal(a.destroyed, 1);
        assert_int_equal(swo_observable_count(world.variable), 0);
        assert_int_equal(swo_observer_count(world.options.observer), 0);
        set_number(world.variable, 2);
        assert_int_equal(a.calls, 0);
        swo_observer_release(world.options.observer);
    }
}

static swo_status run_at_once(void *context, swo_job *job) {
    swo_job_run(job);
    return SWO_OK;
}

TEST(an_executor_may_be_faster_than_the_call) {
    a.action = stop_self;
    world.executor = (swo_executor)SWO_EXECUTOR_INIT;
    world.executor.execute = run_at_once;
    world.options.replay = 1;
    begin(&a);
    EXPECT_TRACE("a(1,1)");
    assert_int_equal(a.destroyed, 1);
}

/* ---- threads ---- */

static atomic_bool is_over;

TASK(drain_until_over, queue) {
    while (!is_over) ok(swo_queue_drain(queue, 0, NULL));
    ok(swo_queue_drain(queue, 0, NULL));
}

TASK(set_until_over, variable) {
    for (int64_t number = 2; !is_over; number++) set_number(variable, number);
}

TEST(stopped_while_it_begins_it_is_over_once) {
    const long rounds = scaled(3000);
    struct probe *probes = calloc((size_t)rounds, sizeof *probes);
    must(probes != NULL);
    is_over = false;
    pthread_t draining = begin_thread(drain_until_over, world.queue),
              setting = begin_thread(set_until_over, world.variable);
    world.options.replay = 1;
    for (long round = 0; round < rounds; round++) {
        begin(&probes[round]);
        if (round % 2 == 0) sched_yield();
        ok(swo_stop_and_wait(probes[round].observation));
        long calls = probes[round].calls;
        must(!swo_is_living(probes[round].observation));
        must(probes[round].calls == calls);
    }
    is_over = true;
    join_threads(draining, setting);
    while (drain(world.queue, 0) > 0) continue;
    assert_int_equal(swo_observable_count(world.variable), 0);
    for (long round = 0; round < rounds; round++) assert_int_equal(probes[round].destroyed, 1);
    free(probes);
}

TEST(the_observable_may_die_while_it_begins) {
    for (long round = 0; round < scaled(300); round++) {
        tear_down(), set_up();
        world.options.replay = 1;
        begin(&a);
        pthread_t releasing = begin_thread(release_on_thread, world.variable);
        world.variable = NULL;
        while (drain(world.queue, 0) > 0) continue;
        join_thread(releasing);
        while (drain(world.queue, 0) > 0) continue;
        EXPECT_TRACE("a(1,1)");
        assert_int_equal(a.destroyed, 1);
    }
}
