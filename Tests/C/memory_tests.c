/* SPDX-License-Identifier: MIT */
/* Law 14: nothing is left of what ended. What is left at the very end is found by the tools that run this. */
#include "support.h"

#include <malloc.h>

/* Large blocks are counted apart. */
static size_t allocated(void) { return mallinfo2().uordblks + mallinfo2().hblkhd; }

/* Memory in use after ever more rounds. The first ones may leave tables of the size that they needed. */
static void assert_flat(void (*round)(void *), void *context, long rounds) {
    for (long i = 0; i < rounds / 2 + 1; i++) round(context);
    size_t before = allocated();
    for (long i = 0; i < rounds; i++) round(context);
    assert_true(allocated() <= before + 4096);
}

static void observe_and_stop(void *messenger) {
    swo_observation observation;
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &observation));
    ok(swo_stop(observation));
}

static void observe_with_observer_and_release_it(void *messenger) {
    OWN_OBSERVER *observer = swo_observer_new();
    for (int i = 0; i < 3; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL));
}

static void observe_by_and_stop(void *pair) {
    swo_observation observation;
    ok(swo_observe(((void **)pair)[0], ((void **)pair)[1], ignore_message, NULL, NULL, &observation));
    ok(swo_stop(observation));
}

static void make_observe_and_release(void *unused) {
    OWN_OBSERVABLE *variable = number_variable(1), *map, *values;
    ok(swo_new_values(variable, &values));
    ok(swo_map(values, map_to_same, NULL, NULL, &map));
    ok(swo_observe(map, NULL, ignore_message, NULL, NULL, NULL));
    set_number(variable, 2);
}

static void send_text(void *variable) {
    static long number;
    char text[64];
    snprintf(text, sizeof text, "a text that is new each time: %ld", number++);
    ok(swo_variable_set(variable, VALUE(swo_text(text)), NULL));
}

static void combine_and_stop(void *variable) {
    swo_observable *observables[2] = {variable, number_variable(1)};
    swo_observation observation;
    ok(swo_observe_combined(observables, 2, NULL, ignore_all, NULL, NULL, &observation));
    set_number(observables[1], 2);
    static int turn;
    if (turn++ % 2) ok(swo_stop(observation));
    swo_observable_release(observables[1]);
}

static void observe_with_everything_and_stop(void *variable) {
    swo_observable *values, *replaying, *cache;
    swo_observation observation;
    swo_value text;
    ok(swo_new_values(variable, &values));
    ok(swo_replay(values, 2, &replaying));
    ok(swo_cache(replaying, NULL, &cache));
    ok(swo_observable_set_name(cache, "cache"));
    ok(swo_observe_with(cache, WITH(.keeps_observable = true, .replay = 1, .name = "name"), ignore_message, NULL, NULL,
                        &observation));
    ok(swo_graph_dot(&cache, 1, &text));
    swo_value_clear(&text);
    ok(swo_block(observation));
    RELEASE(values, replaying, cache);
    ok(swo_stop(observation));
}

TEST(nothing_is_left_of_what_ended) { /* Law 14 */
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(0);
    OWN_OBSERVER *observer = swo_observer_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    ok(swo_observe(variable, observer, ignore_message, NULL, NULL, NULL));
    assert_flat(observe_and_stop, messenger, scaled(100000));
    assert_flat(observe_with_observer_and_release_it, messenger, scaled(30000));
    assert_flat(make_observe_and_release, NULL, scaled(30000));
    assert_flat(combine_and_stop, variable, scaled(20000));
    assert_flat(observe_with_everything_and_stop, variable, scaled(20000));
    assert_flat(send_text, variable, scaled(100000));
}

ACTION(observe_and_stop_both_ways) {
    for (long i = 0; i < probe->number; i++) {
        observe_and_stop(probe->observable);
        observe_with_observer_and_release_it(probe->observable);
    }
}

/* Law 14: what ended during a delivery is gone after it. */
TEST(nothing_is_left_of_what_ended_during_a_delivery) {
    struct probe probe = {.name = "a", .action = observe_and_stop_both_ways, .number = 100};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &probe);
    for (int i = 0; i < 10; i++) send_number(messenger, i);
    size_t before = allocated();
    for (long i = 0; i < scaled(200); i++) send_number(messenger, i);
    assert_true(allocated() <= before + 4096);
}

TEST(an_observer_that_lives_on_forgets_what_has_ended) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    assert_flat(observe_by_and_stop, (void *[]){messenger, observer}, 5000);
}

static void observe_often_at_once(void *messenger) {
    OWN_OBSERVER *observer = swo_observer_new();
    for (int i = 0; i < 50000; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL));
}

/* Twice, because what comes while the first are delivered takes other memory. */
HANDLER(send_much, messenger) {
    if (message->as.int64 < 2) {
        for (int i = 1; i <= 10000; i++) send_number(messenger, message->as.int64 == 0 && i == 10000 ? 1 : 2);
    }
}

static void have_much_wait(void *messenger) { send_number(messenger, 0); }

/* However much there was at once: not only what comes again finds its place again. */
static void assert_given_back(void (*round)(void *), void *context) {
    size_t before = allocated();
    for (int i = 0; i < 5; i++) round(context);
    assert_true(allocated() <= before + (64 << 10));
}

TEST(many_observations_at_once_give_their_memory_back_when_they_end) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_given_back(observe_often_at_once, messenger);
}

TEST(many_messages_that_wait_give_their_memory_back_when_they_are_delivered) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, send_much, messenger, NULL, NULL));
    assert_given_back(have_much_wait, messenger);
}

/* Ids of what has ended are dropped by what is kept next, and by what counts them. */
static void observe_often_and_stop_all(void *observer) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 50000; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL));
    ok(swo_observer_stop(observer, NULL));
    /* Each looks at a few. */
    for (int i = 0; i < 1000; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL));
}

static void observe_often_and_count(void *observer) {
    swo_observable *messenger = swo_messenger_new();
    for (int i = 0; i < 50000; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL));
    swo_observable_release(messenger);
    assert_int_equal(swo_observer_count(observer), 0);
}

TEST(an_observer_gives_the_memory_of_many_back_when_it_has_stopped_all_and_goes_on) {
    OWN_OBSERVER *observer = swo_observer_new();
    assert_given_back(observe_often_and_stop_all, observer);
}

TEST(an_observer_that_is_asked_for_its_count_gives_the_memory_of_many_back_that_have_ended) {
    OWN_OBSERVER *observer = swo_observer_new();
    assert_given_back(observe_often_and_count, observer);
}

static swo_queue *bounded;
static void fill_and_drain(void *messenger) {
    for (int i = 0; i < 40000; i++) send_number(messenger, i);
    assert_int_equal(drain(bounded, 0), 40000);
}

TEST(many_jobs_of_a_bounded_queue_give_their_memory_back_when_they_are_delivered) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_executor executor;
    bounded = queue_of(50000, SWO_QUEUE_BLOCK, &executor);
    ok(swo_observe_on(messenger, NULL, &executor, ignore_message, NULL, NULL, NULL));
    assert_given_back(fill_and_drain, messenger);
    swo_queue_release(bounded);
}

static bool changes;
HANDLER(change_with_a_message_between, variable) {
    if (!changes) return;
    changes = false;
    const swo_update update = {swo_int64(0), swo_int64(0)};
    for (int i = 0; i < 2; i++) {
        set_number(variable, number_of(variable) + 1);
        ok(swo_send(variable, VALUE(swo_update_value(&update)), NULL));
    }
}

static void change_in_a_handler(void *variable) {
    changes = true;
    set_number(variable, number_of(variable) + 1);
}

/* Which of the waiting messages are changes is noted for replays, and forgotten without one. */
TEST(nothing_is_left_of_changes_that_waited_among_other_messages) {
    OWN_OBSERVABLE *variable = number_variable(0);
    ok(swo_observe(variable, NULL, change_with_a_message_between, variable, NULL, NULL));
    assert_flat(change_in_a_handler, variable, 2000);
}

enum { OBSERVABLES = 10000 };

/* They have no room for what few observables need, and counting their owners is all that is done with most. */
TEST(an_observable_with_one_observer_takes_216_bytes_at_most) {
    static swo_observable *all[OBSERVABLES];
    size_t before = allocated();
    for (int i = 0; i < OBSERVABLES; i++) {
        all[i] = swo_messenger_new();
        ok(swo_observe(all[i], NULL, ignore_message, NULL, NULL, NULL));
        send_number(all[i], i);
        swo_observable_release(swo_observable_retain(all[i]));
        assert_int_equal(swo_observable_count(all[i]), 1);
    }
    size_t taken = allocated() - before;
    for (int i = 0; i < OBSERVABLES; i++) swo_observable_release(all[i]);
    assert_true(taken <= 216 * OBSERVABLES);
}

TEST(an_observation_among_many_takes_64_bytes_at_most) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    size_t before = allocated();
    for (int i = 0; i < 10 * OBSERVABLES; i++) ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    assert_true(allocated() - before <= 64 * 10 * OBSERVABLES);
}

enum { BURST = 20000, KEPT_EVERY = 5000 };

/* Begins many observations, and stops all but a few in an order in which no neighbours follow each other. */
static void burst(swo_observable *messenger, swo_observation ids[BURST]) {
    for (int i = 0; i < BURST; i++) ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &ids[i]));
    for (int i = 0, at = 0; i < BURST; i++, at = (at + 7919) % BURST)
        if (at % KEPT_EVERY != 0) ok(swo_stop(ids[at]));
}

/* Law 14: what is left is the chunks that are used, and eight bytes for each chunk there was. */
TEST(a_burst_of_observations_leaves_nothing_while_others_last) {
    static swo_observation ids[BURST];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    size_t before = allocated();
    burst(messenger, ids);
    assert_true(allocated() <= before + 20 * 1024);
    for (int i = 0; i < BURST; i += KEPT_EVERY) ok(swo_stop(ids[i]));
    assert_true(allocated() <= before + 16 * 1024);
}

/* Not even where records lie in chunks that come and go. */
TEST(of_a_burst_that_has_ended_nothing_is_left) {
    static swo_observation ids[BURST];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_and_stop(messenger);
    size_t before = allocated();
    burst(messenger, ids);
    for (int i = 0; i < BURST; i += KEPT_EVERY) ok(swo_stop(ids[i]));
    assert_true(allocated() <= before + 4096);
}

/* Law 10: memory is used again, ids are not. */
TEST(no_id_is_given_again_where_memory_is) {
    static swo_observation first[BURST], second[BURST];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    burst(messenger, first);
    burst(messenger, second);
    for (int i = 0; i < BURST; i++) {
        const swo_status expected = i % KEPT_EVERY == 0 ? SWO_OK : SWO_NOT_FOUND;
        assert_int_equal(swo_stop(first[i]), expected);
        assert_int_equal(swo_stop(second[i]), expected);
    }
    burst(messenger, second);
    for (int i = 0; i < BURST; i++) assert_int_equal(swo_stop(first[i]), SWO_NOT_FOUND);
}

/* What has room for more than there are is a few too large, not twice as large. */
TEST(an_observable_with_five_observers_takes_500_bytes_at_most) {
    static swo_observable *all[OBSERVABLES];
    size_t before = allocated();
    for (int i = 0; i < OBSERVABLES; i++) {
        all[i] = swo_messenger_new();
        for (int times = 0; times < 5; times++) ok(swo_observe(all[i], NULL, ignore_message, NULL, NULL, NULL));
    }
    size_t taken = allocated() - before;
    for (int i = 0; i < OBSERVABLES; i++) swo_observable_release(all[i]);
    assert_true(taken <= 500 * OBSERVABLES);
}

/* As observers have that keep one after the other. */
TEST(an_observer_that_has_kept_many_takes_216_bytes_at_most) {
    static swo_observer *all[OBSERVABLES];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_and_stop(messenger);
    size_t before = allocated();
    for (int i = 0; i < OBSERVABLES; i++) {
        all[i] = swo_observer_new();
        for (int times = 0; times < 9; times++) observe_by_and_stop((void *[]){messenger, all[i]});
    }
    size_t taken = allocated() - before;
    for (int i = 0; i < OBSERVABLES; i++) swo_observer_release(all[i]);
    assert_true(taken <= 216 * OBSERVABLES);
}

TEST(an_observer_that_has_kept_many_at_once_gives_their_memory_back) {
    static swo_observation ids[BURST];
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = swo_observer_new();
    observe_and_stop(messenger);
    size_t before = allocated();
    for (int i = 0; i < BURST; i++) ok(swo_observe(messenger, observer, ignore_message, NULL, NULL, &ids[i]));
    for (int i = 10; i < BURST; i++) ok(swo_stop(ids[i]));
    for (int i = 0; i < BURST; i++) observe_by_and_stop((void *[]){messenger, observer});
    assert_true(allocated() <= before + 16 * 1024);
}

/* ---- many threads ---- */

enum { THREADS = 100, LANES = 16, BYTES_OF_A_LANE = 144 };

static pthread_barrier_t all_have_sent;

TASK(send_beside_others, messenger) {
    send_number(messenger, 1);
    pthread_barrier_wait(&all_have_sent);
}

static void send_by_threads(swo_observable *messenger) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&all_have_sent, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) threads[i] = begin_thread(send_beside_others, messenger);
    for (int i = 0; i < THREADS; i++) join_thread(threads[i]);
    pthread_barrier_destroy(&all_have_sent);
}

/* Without order a thread has room of its own, but not as many as there may be. */
TEST(threads_that_send_without_order_take_room_for_sixteen) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
    ok(swo_observable_set_ordered(messenger, false));
    for (int i = 0; i < 100; i++) send_number(messenger, i);
    /* No memory of the threads' own, some of which stays. */
    mallopt(M_ARENA_MAX, 1);
    OWN_OBSERVABLE *another = swo_messenger_new();
    send_by_threads(another);
    size_t before = allocated();
    send_by_threads(messenger);
    /* Within twice as much: what the allocator keeps for itself counts. */
    assert_true(allocated() - before <= 2 * LANES * BYTES_OF_A_LANE);
}
