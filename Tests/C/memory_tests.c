/* SPDX-License-Identifier: MIT */
/* Law 14: nothing is left of what ended. What is left at the very end is found by the tools that run this. */
#include "support.h"

#include <malloc.h>

static size_t allocated(void) { return mallinfo2().uordblks; }

/* Memory in use after ever more rounds. The first ones may leave tables of the size that they needed. */
static void assert_flat(void (*round)(void *), void *context, long rounds) {
    for (long i = 0; i < rounds / 10 + 1; i++) round(context);
    size_t before = allocated();
    for (long i = 0; i < rounds; i++) round(context);
    assert_in_range(allocated(), 0, before + 4096);
}

static void observe_and_stop(void *messenger) {
    swo_observation observation;
    must(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &observation) == SWO_OK);
    must(swo_stop(observation) == SWO_OK);
}

static void observe_with_observer_and_release_it(void *messenger) {
    swo_observer *observer = swo_observer_new();
    for (int i = 0; i < 3; i++) must(swo_observe(messenger, observer, ignore_message, NULL, NULL, NULL) == SWO_OK);
    swo_observer_release(observer);
}

static void make_observe_and_release(void *unused) {
    swo_observable *variable = number_variable(1), *map, *values;
    must(swo_new(variable, &values) == SWO_OK);
    must(swo_map(values, map_to_same, NULL, NULL, &map) == SWO_OK);
    must(swo_observe(map, NULL, ignore_message, NULL, NULL, NULL) == SWO_OK);
    set_number(variable, 2);
    swo_observable_release(variable);
    swo_observable_release(map);
    swo_observable_release(values);
}

static void send_text(void *variable) {
    static long number;
    char text[64];
    snprintf(text, sizeof text, "a text that is new each time: %ld", number++);
    swo_value value = swo_text(text);
    must(swo_variable_set(variable, &value, NULL) == SWO_OK);
}

static void ignore_all(void *context, const swo_value *messages, size_t count, const void *author) {}

static void combine_and_stop(void *variable) {
    swo_observable *observables[2] = {variable, number_variable(1)};
    swo_observation observation;
    must(swo_observe_combined(observables, 2, NULL, ignore_all, NULL, NULL, &observation) == SWO_OK);
    set_number(observables[1], 2);
    static int turn;
    if (turn++ % 2) must(swo_stop(observation) == SWO_OK);
    swo_observable_release(observables[1]);
}

static void observe_with_everything_and_stop(void *variable) {
    swo_observable *values, *replaying, *cache;
    swo_observation observation;
    swo_value text;
    must(swo_new(variable, &values) == SWO_OK);
    must(swo_replay(values, 2, &replaying) == SWO_OK);
    must(swo_cache(replaying, NULL, &cache) == SWO_OK);
    must(swo_observable_set_name(cache, "cache") == SWO_OK);
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.keeps_observable = true;
    options.replay = 1;
    options.name = "name";
    must(swo_observe_with(cache, &options, ignore_message, NULL, NULL, &observation) == SWO_OK);
    must(swo_graph_dot(&cache, 1, &text) == SWO_OK);
    swo_value_clear(&text);
    must(swo_block(observation) == SWO_OK);
    swo_observable_release(values);
    swo_observable_release(replaying);
    swo_observable_release(cache);
    must(swo_stop(observation) == SWO_OK);
}

TEST(nothing_is_left_of_what_ended) { /* Law 14 */
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(0);
    OWN_OBSERVER *observer = swo_observer_new();
    assert_int_equal(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL), SWO_OK);
    assert_int_equal(swo_observe(variable, observer, ignore_message, NULL, NULL, NULL), SWO_OK);
    assert_flat(observe_and_stop, messenger, scaled(100000));
    assert_flat(observe_with_observer_and_release_it, messenger, scaled(30000));
    assert_flat(make_observe_and_release, NULL, scaled(30000));
    assert_flat(combine_and_stop, variable, scaled(20000));
    assert_flat(observe_with_everything_and_stop, variable, scaled(20000));
    assert_flat(send_text, variable, scaled(100000));
}

static void observe_and_stop_both_ways(struct probe *probe, const swo_value *message, const void *author) {
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
    assert_in_range(allocated(), 0, before + 4096);
}
