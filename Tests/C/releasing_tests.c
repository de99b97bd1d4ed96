/* SPDX-License-Identifier: MIT */
/* Callbacks of every sort that release everything there is, on the spot: their observation, their observer, what they
 * observe, what that was made from, and the queue that they run on. What is wrong then shows under valgrind. */
#include "deriving.h"

static struct {
    swo_observable *variable, *transforms[4];
    swo_observer *observer;
    swo_queue *queue;
    swo_observation observations[2];
    long calls, destroyed;
    long calls_to_come; /**< until everything is released; 0 if nothing is */
} world;

static void release_everything(void) {
    world.calls++;
    if (world.calls_to_come == 0 || --world.calls_to_come > 0) return;
    for (int i = 0; i < 2; i++) swo_stop(world.observations[i]);
    swo_observer_release(world.observer);
    for (int i = 0; i < 4; i++) swo_observable_release(world.transforms[i]);
    swo_observable_release(world.variable);
    swo_queue_release(world.queue);
}

HANDLER(receive, context) { release_everything(); }
COMBINED_HANDLER(receive_all, context) { receive(context, messages, author); }
MAPPER(map, context, message) {
    release_everything();
    GIVE(*message);
}
MAPPER(update, context, old_value) {
    release_everything();
    GIVE(swo_int64(2));
}
PREDICATE(accept, context) {
    release_everything();
    return true;
}
static void hook(void *context) { release_everything(); }
static void end(void *context) {
    world.destroyed++;
    release_everything();
}
static void note_end(void *context) { world.destroyed++; }
static void retain(void *object) {
    if (world.calls_to_come > 0) release_everything();
}
static void pass_over(void *object) { (void)object; }
static bool equal(void *one, void *other) {
    release_everything();
    return one == other;
}
static void visit(void *context, size_t index, const char *kind, const char *name) {
    must(name == NULL || strlen(name) < 100);
    release_everything();
}

static const swo_object_type comparing = {sizeof comparing, pass_over, pass_over, equal};
static const swo_object_type retaining = {sizeof retaining, retain, pass_over, NULL};
static char objects[2];

/* A world that is released by the first callback after this. */
static void begin_world(void) {
    memset(&world, 0, sizeof world);
    world.variable = number_variable(1);
    world.observer = swo_observer_new();
    ok(swo_queue_new(0, SWO_QUEUE_BLOCK, &world.queue));
}

static void arm(void) { world.calls_to_come = 1; }

static void assert_released(void) {
    assert_int_equal(world.calls_to_come, 0);
    assert_true(world.calls > 0);
    for (int i = 0; i < 2; i++) assert_false(swo_is_living(world.observations[i]));
}

static void set(int64_t number) { ok(swo_variable_set(world.variable, VALUE(swo_int64(number)), NULL)); }

TEST(a_handler_may_release_everything) {
    for (int ordered = 0; ordered < 2; ordered++) {
        begin_world();
        ok(swo_observable_set_ordered(world.variable, ordered));
        for (int i = 0; i < 2; i++)
            ok(swo_observe(world.variable, world.observer, receive, NULL, note_end, &world.observations[i]));
        arm();
        set(2);
        assert_released();
        assert_int_equal(world.calls, 1);
        assert_int_equal(world.destroyed, 2);
    }
}

/* The variable is biased to this thread by then, and what it holds is no number. */
TEST(a_handler_of_a_variable_that_has_long_been_set_may_release_everything) {
    begin_world();
    for (int i = 0; i < 2; i++)
        ok(swo_observe(world.variable, world.observer, receive, NULL, note_end, &world.observations[i]));
    for (int i = 0; i < 200; i++) ok(swo_variable_set(world.variable, VALUE(swo_text(i % 2 ? "odd" : "even")), NULL));
    world.calls = 0;
    arm();
    ok(swo_variable_set(world.variable, VALUE(swo_text("last")), NULL));
    assert_released();
    assert_int_equal(world.calls, 1);
    assert_int_equal(world.destroyed, 2);
}

TEST(a_handler_on_a_queue_may_release_everything) {
    begin_world();
    swo_executor executor;
    ok(swo_queue_executor(world.queue, &executor));
    for (int i = 0; i < 2; i++)
        ok(swo_observe_on(world.variable, world.observer, &executor, receive, NULL, note_end, &world.observations[i]));
    set(2);
    set(3);
    arm();
    ok(swo_queue_drain(world.queue, 0, NULL));
    assert_released();
    assert_int_equal(world.calls, 1);
    assert_int_equal(world.destroyed, 2);
}

TEST(a_handler_of_several_observables_may_release_everything) {
    begin_world();
    ok(swo_map(world.variable, map, NULL, NULL, &world.transforms[0]));
    swo_observable *observables[2] = {world.variable, world.transforms[0]};
    ok(swo_observe_combined(observables, 2, world.observer, receive_all, NULL, note_end, &world.observations[0]));
    arm();
    set(2);
    assert_released();
    assert_int_equal(world.destroyed, 1);
}

TEST(hooks_may_release_everything) {
    for (int leaving = 0; leaving < 2; leaving++) {
        begin_world();
        const swo_hooks hooks = {sizeof hooks, leaving ? NULL : hook, leaving ? hook : NULL, NULL};
        ok(swo_observe_with(world.variable, WITH(.hooks = &hooks, .observer = world.observer, .keeps_observable = true),
                            receive, NULL, note_end, &world.observations[0]));
        arm();
        set(2);
        assert_released();
        assert_int_equal(world.destroyed, 1);
    }
}

TEST(a_replay_may_release_everything) {
    begin_world();
    ok(swo_replay(world.variable, 2, &world.transforms[0]));
    set(2);
    set(3);
    arm();
    ok(swo_observe_with(world.transforms[0], WITH(.replay = 2), receive, NULL, note_end, &world.observations[0]));
    assert_released();
    assert_int_equal(world.destroyed, 1);
}

TEST(mappers_and_predicates_may_release_everything) {
    for (int predicate = 0; predicate < 2; predicate++) {
        begin_world();
        ok(predicate ? swo_filter(world.variable, accept, NULL, note_end, &world.transforms[0])
                     : swo_map(world.variable, map, NULL, note_end, &world.transforms[0]));
        ok(swo_observe(world.transforms[0], NULL, receive, NULL, note_end, &world.observations[0]));
        arm();
        set(2);
        assert_released();
        assert_int_equal(world.destroyed, 2);
    }
}

TEST(a_mapper_that_computes_the_latest_message_may_release_everything) {
    for (int sending = 0; sending < 2; sending++) {
        swo_value latest = swo_null();
        begin_world();
        ok(swo_map(world.variable, map, NULL, note_end, &world.transforms[0]));
        ok(swo_observe(world.transforms[0], NULL, receive, NULL, note_end, &world.observations[0]));
        arm();
        ok(sending ? swo_send_latest(world.transforms[0], NULL) : swo_latest(world.transforms[0], &latest));
        swo_value_clear(&latest);
        assert_released();
        assert_int_equal(world.destroyed, 2);
    }
}

TEST(an_updater_may_release_everything) {
    begin_world();
    ok(swo_observe(world.variable, NULL, receive, NULL, note_end, &world.observations[0]));
    arm();
    ok(swo_variable_update(world.variable, update, NULL, NULL));
    assert_released();
    assert_int_equal(world.destroyed, 1);
}

static void send_objects(swo_observable *messenger, const swo_object_type *type) {
    for (int i = 0; i < 2 && world.calls == 0; i++) {
        ok(swo_send(messenger, VALUE(swo_object(&objects[i], type)), NULL));
    }
}

TEST(an_equality_or_a_retain_may_release_everything) {
    swo_status (*const makers[])(swo_observable *, swo_observable **) = {swo_skip_repeats, swo_unique_values,
                                                                         swo_with_previous};
    for (int i = 0; i < 3; i++) {
        for (int retained = 0; retained < 2; retained++) {
            if (i == 2 && !retained) continue; /* it compares nothing */
            begin_world();
            swo_observable_release(world.variable);
            world.variable = swo_messenger_new();
            ok(makers[i](world.variable, &world.transforms[0]));
            ok(swo_observe(world.transforms[0], NULL, probe_receive, &(struct probe){.name = ""}, NULL,
                           &world.observations[0]));
            arm();
            send_objects(world.variable, retained ? &retaining : &comparing);
            assert_released();
        }
    }
}

TEST(a_variable_whose_values_compare_may_be_released_by_that) {
    begin_world();
    swo_value first = swo_object(&objects[0], &comparing), second = swo_object(&objects[1], &comparing);
    swo_observable_release(world.variable);
    ok(swo_variable_new(&first, &world.variable));
    ok(swo_observe(world.variable, NULL, receive, NULL, note_end, &world.observations[0]));
    arm();
    ok(swo_variable_set(world.variable, &second, NULL));
    assert_released();
}

TEST(the_end_of_a_batch_may_release_everything) {
    begin_world();
    ok(swo_observe(world.variable, NULL, receive, NULL, note_end, &world.observations[0]));
    ok(swo_variable_begin_batch(world.variable));
    set(2);
    arm();
    ok(swo_variable_end_batch(world.variable));
    assert_released();
    assert_int_equal(world.destroyed, 1);
}

/* ---- what is computed, and transactions ---- */

static const swo_object_type calling = {sizeof calling, retain, pass_over, equal};

DERIVING(look, unused) {
    swo_status status = swo_variable_get(world.variable, out);
    release_everything();
    return status;
}
/* Refused where it is handed over, and the queue is gone by then. */
static void set_object(int number) {
    (void)swo_variable_set(world.variable, VALUE(swo_object(&objects[number], &calling)), NULL);
}
static void set_same(void) { set_object(0); }
static void set_other(void) { set_object(1); }
static void get_of(swo_observable *observable) {
    swo_value value;
    if (swo_variable_get(observable, &value) == SWO_OK) swo_value_clear(&value);
}
static void get(void) { get_of(world.variable); }
static void get_derived(void) { get_of(world.transforms[0]); }
static void begin_one(void) { begin(); }
static void commit_it(void) { commit(); }
static void abort_it(void) { ok(swo_transaction_abort()); }
static void begin_batch(void) { ok(swo_variable_begin_batch(world.variable)); }
static void end_batch(void) { ok(swo_variable_end_batch(world.variable)); }
static swo_status read_derived(void *unused) {
    get_derived();
    release_everything();
    return SWO_OK;
}
static void read_snapshot(void) { ok(swo_snapshot(read_derived, NULL)); }
static void begin_effect(void) { ok(swo_effect(read_derived, NULL, NULL, NULL, &world.observations[1])); }
static void observe_derived(void) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.replay = 1;
    ok(swo_observe_with(world.transforms[0], &options, receive, NULL, NULL, &world.observations[0]));
}

static void defer(void) {
    swo_observable *made;
    ok(swo_deferred_variable_new(VALUE(swo_object(&objects[0], &calling)), &made));
    if (world.calls_to_come == 0) return swo_observable_release(made);
    swo_observable_release(world.variable);
    world.variable = made;
}
THREAD(confine_to_another_thread, unused) {
    swo_executor executor;
    ok(swo_queue_executor(world.queue, &executor));
    ok(swo_observable_confine(world.variable, &executor));
    return NULL;
}
static void confine(void) { join_thread(begin_thread(confine_to_another_thread, NULL)); }
static void make_cache(void) {
    swo_observable *made;
    ok(swo_cache(world.variable, VALUE(swo_object(&objects[1], &calling)), &made));
    swo_observable_release(made);
}
static void make_timeout(void) {
    swo_clock *clock = swo_clock_new();
    swo_observable *made;
    ok(swo_timeout(world.variable, 1, VALUE(swo_object(&objects[1], &calling)), clock, &made));
    swo_observable_release(made);
    swo_clock_release(clock);
}

/* One act after the other, until the n-th callback on the way has released everything; for each n. */
TEST(a_function_an_object_and_a_transaction_may_lose_everything_at_each_callback) {
    static void (*const ways[][6])(void) = {
        {set_same, set_other},
        {get_derived, set_other, get_derived},
        {read_snapshot, get},
        {observe_derived, set_same, set_other},
        {begin_effect, set_other},
        {observe_derived, begin_effect, begin_batch, set_other, end_batch},
        {begin_one, set_other, get_derived, get, set_same, commit_it},
        {begin_one, get_derived, set_other, abort_it},
        {observe_derived, begin_one, set_other, begin_one, set_same, abort_it},
        {observe_derived, begin_effect, begin_one, set_other, commit_it},
        {defer, set_same, set_other, get},
        {confine, set_same},
        {make_cache, make_timeout},
    };
    for (size_t way = 0; way < COUNT(ways); way++) {
        bool is_lost = true;
        for (long n = 1; is_lost; n++) {
            begin_world();
            swo_observable_release(world.variable);
            ok(swo_variable_new(VALUE(swo_object(&objects[0], &calling)), &world.variable));
            ok(swo_derived_new(look, NULL, NULL, &world.transforms[0]));
            world.calls_to_come = n;
            for (int act = 0; act < 6 && ways[way][act] != NULL && world.calls_to_come > 0; act++) ways[way][act]();
            while (swo_transaction_depth() > 0) commit();
            is_lost = world.calls_to_come == 0;
            if (!is_lost) arm(), release_everything();
            /* One that has released itself while it began. */
            (void)swo_stop(world.observations[1]);
        }
        assert_true(world.calls > 0);
    }
}

TEST(a_destroy_function_may_release_everything) {
    begin_world();
    ok(swo_merge(&world.variable, 1, &world.transforms[0]));
    ok(swo_cache(world.transforms[0], NULL, &world.transforms[1]));
    ok(swo_weak(world.transforms[1], &world.transforms[2]));
    ok(swo_observe(world.transforms[2], world.observer, receive, NULL, end, &world.observations[0]));
    arm();
    ok(swo_observer_stop(world.observer, NULL));
    assert_released();
    assert_int_equal(world.destroyed, 1);
}

TEST(a_visitor_may_release_everything) {
    begin_world();
    ok(swo_observable_set_name(world.variable, "a name that is released"));
    ok(swo_new_values(world.variable, &world.transforms[0]));
    ok(swo_observe(world.transforms[0], NULL, receive, NULL, note_end, &world.observations[0]));
    const swo_graph_visitor visitor = {sizeof visitor, visit, NULL};
    arm();
    ok(swo_graph_walk(&world.variable, 1, &visitor, NULL));
    assert_released();
    assert_int_equal(world.calls, 2);
}
