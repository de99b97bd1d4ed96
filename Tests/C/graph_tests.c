/* SPDX-License-Identifier: MIT */
/* Introspection: names, and the graph of observables and observations. */
#include "support.h"

static void assert_name(swo_observable *observable, const char *expected) {
    swo_value name;
    ok(swo_observable_name(observable, &name));
    if (expected == NULL) {
        assert_int_equal(name.kind, SWO_KIND_NULL);
    } else {
        assert_int_equal(name.kind, SWO_KIND_TEXT);
        assert_string_equal(name.as.bytes.data, expected);
        assert_int_equal(name.as.bytes.size, strlen(expected));
    }
    swo_value_clear(&name);
}

TEST(an_observable_has_the_name_that_it_was_given_last) {
    char name[] = "battery";
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    assert_name(messenger, NULL);
    ok(swo_observable_set_name(messenger, name));
    memset(name, 'x', sizeof name - 1);
    assert_name(messenger, "battery");
    ok(swo_observable_set_name(messenger, ""));
    assert_name(messenger, "");
    assert_int_equal(swo_observable_set_name(messenger, "\xFF"), SWO_INVALID_TEXT);
    assert_name(messenger, "");
    ok(swo_observable_set_name(messenger, NULL));
    assert_name(messenger, NULL);
    ok(swo_observable_set_name(messenger, "freed with it"));
}

TASK(name_often, messenger) {
    for (long i = 0; i < scaled(10000); i++) {
        swo_value name;
        ok(swo_observable_set_name(messenger, i % 2 ? "a" : "b"));
        ok(swo_observable_name(messenger, &name));
        must(name.as.bytes.size == 1);
        swo_value_clear(&name);
    }
}

TEST(a_name_can_be_changed_and_read_on_several_threads) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    run_threads({name_often, messenger}, {name_often, messenger});
}

/* ---- walking ---- */

static void note(struct journal *journal, const char *text) { journal_note(journal, text, NULL); }

static void note_observable(void *journal, size_t index, const char *kind, const char *name) {
    char text[200];
    snprintf(text, sizeof text, "%zu:%s%s%s", index, kind, name == NULL ? "" : "=", name == NULL ? "" : name);
    note(journal, text);
}

static void note_observation(void *journal, size_t source, size_t target, swo_observation id, const char *name) {
    char text[200];
    must(swo_is_living(id));
    if (target == SIZE_MAX) snprintf(text, sizeof text, "%zu->%s", source, name == NULL ? "handler" : name);
    else snprintf(text, sizeof text, "%zu->%zu", source, target);
    note(journal, text);
}

static const swo_graph_visitor visitor = {sizeof visitor, note_observable, note_observation};

static void assert_graph(swo_observable **observables, size_t count, const char *expected) {
    struct journal journal = {0};
    ok(swo_graph_walk(observables, count, &visitor, &journal));
    EXPECT_TRACE(expected);
}

TEST(a_walk_finds_what_is_made_from_an_observable_and_who_observes) {
    struct probe a = {.name = "a"};
    swo_observable *variable = number_variable(1), *values, *map;
    ok(swo_observable_set_name(variable, "number"));
    ok(swo_new_values(variable, &values));
    observe(variable, NULL, &a);
    ok(swo_map(values, map_to_same, NULL, NULL, &map));
    assert_graph(&variable, 1, "0:variable=number 1:new 2:map 0->1 0->handler 1->2");
    swo_observable_release(map);
    assert_graph(&variable, 1, "0:variable=number 1:new 0->1 0->handler");
    RELEASE(values, variable);
}

TEST(a_walk_finds_what_an_observable_is_made_from) {
    swo_observable *sources[2] = {swo_messenger_new(), number_variable(1)}, *merge, *unique;
    ok(swo_merge(sources, 2, &merge));
    ok(swo_unique_values(merge, &unique));
    assert_graph(&unique, 1, "0:unique values 1:merge 2:messenger 3:variable 1->0 2->1 3->1");
    swo_observable *all[] = {unique, merge, sources[0], sources[1]};
    for (size_t i = 0; i < COUNT(all); i++) swo_observable_release(all[i]);
}

TEST(every_transform_tells_its_kind) {
    swo_value value = swo_int64(1);
    swo_observable *variable = number_variable(1), *made[13];
    ok(swo_unwrap(variable, &made[0]));
    ok(swo_unwrap_or(variable, &value, &made[1]));
    ok(swo_select(variable, &value, &made[2]));
    ok(swo_from(variable, NULL, &made[3]));
    ok(swo_not_from(variable, NULL, &made[4]));
    ok(swo_take(variable, 1, &made[5]));
    ok(swo_skip(variable, 1, &made[6]));
    ok(swo_skip_repeats(variable, &made[7]));
    ok(swo_with_previous(variable, &made[8]));
    ok(swo_weak(variable, &made[9]));
    ok(swo_cache(variable, NULL, &made[10]));
    ok(swo_replay(variable, 1, &made[11]));
    ok(swo_merge(&variable, 1, &made[12]));
    assert_graph(&variable, 1,
                 "0:variable 1:unwrap 2:unwrap or 3:select 4:from 5:not from 6:take 7:skip 8:skip repeats "
                 "9:with previous 10:weak 11:cache 12:replay 13:merge "
                 "0->1 0->2 0->3 0->4 0->5 0->6 0->7 0->8 0->9 0->10 0->11 0->12 0->13");
    for (size_t i = 0; i < COUNT(made); i++) {
        ok(swo_graph_walk(&made[i], 1, &visitor, &journal));
        journal_clear(&journal);
        swo_observable_release(made[i]);
    }
    swo_observable_release(variable);
}

TEST(a_walk_tells_of_combined_and_named_observations_and_of_those_by_executors) {
    swo_executor executor;
    char name[] = "display";
    struct probe a = {.name = "a"};
    swo_observable *observables[2] = {number_variable(1), number_variable(2)};
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_observe_combined(observables, 2, NULL, ignore_all, NULL, NULL, NULL));
    swo_observe_options options = OPTIONS(.name = name);
    ok(swo_observe_with(observables[0], &options, probe_receive, &a, NULL, NULL));
    options.executor = &executor;
    ok(swo_observe_with(observables[1], &options, probe_receive, &a, NULL, NULL));
    memset(name, 'x', sizeof name - 1);
    assert_graph(observables, 2, "0:variable 1:variable 2:combined 0->2 0->display 1->2 1->display 2->handler");
    for (size_t i = 0; i < COUNT(observables); i++) swo_observable_release(observables[i]);
}

TEST(an_observable_that_was_given_twice_is_visited_once) {
    swo_observable *messenger = swo_messenger_new(), *twice[2] = {messenger, messenger};
    assert_graph(twice, 2, "0:messenger");
    swo_observable_release(messenger);
}

static void release_them(void *observables, size_t index, const char *kind, const char *name) {
    swo_observable_release(((swo_observable **)observables)[index]);
}

TEST(a_visitor_may_release_what_it_visits) {
    swo_observable *observables[2] = {swo_messenger_new()};
    const swo_graph_visitor releasing = {sizeof releasing, release_them, NULL};
    ok(swo_map(observables[0], map_to_same, NULL, NULL, &observables[1]));
    ok(swo_graph_walk(observables, 2, &releasing, observables));
}

ACTION(walk_it) {
    ok(swo_stop(probe->other->observation));
    ok(swo_graph_walk(&probe->observable, 1, &visitor, probe->journal));
}

TEST(a_walk_during_a_delivery_sees_the_living_only) {
    struct probe b = {.name = "b"}, a = PROBE("a", .action = walk_it, .other = &b);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, NULL, &a, &b);
    send_number(messenger, 1);
    EXPECT_TRACE("a1 0:messenger 0->handler");
}

struct storm {
    swo_observable *messenger;
    atomic_bool over;
};

TASK(make_and_release, context) {
    struct storm *storm = context;
    while (!storm->over) {
        swo_observable *map, *values;
        swo_observation id;
        ok(swo_map(storm->messenger, map_to_same, NULL, NULL, &map));
        ok(swo_new_values(map, &values));
        ok(swo_observe_with(values, WITH(.name = "passing", .keeps_observable = true), probe_receive,
                            &(struct probe){.name = ""}, NULL, &id));
        RELEASE(map, values);
        ok(swo_stop(id));
    }
}

TEST(other_threads_may_change_what_is_walked) {
    struct storm storm = {.messenger = swo_messenger_new()};
    pthread_t thread = begin_thread(make_and_release, &storm);
    for (long i = 0; i < scaled(5000); i++) {
        swo_value text;
        ok(swo_graph_dot(&storm.messenger, 1, &text));
        swo_value_clear(&text);
    }
    storm.over = true;
    join_thread(thread);
    swo_observable_release(storm.messenger);
}

/* ---- DOT ---- */

TEST(dot_draws_observables_as_boxes_and_handlers_as_shaded_ellipses) {
    struct probe a = {.name = "a"};
    swo_value text;
    OWN_OBSERVABLE *variable = number_variable(1), *values;
    ok(swo_observable_set_name(variable, "n\xC3\xA4me"));
    ok(swo_new_values(variable, &values));
    observe(values, NULL, &a);
    ok(swo_observe_with(variable, WITH(.name = "say \"hi\\\""), probe_receive, &a, NULL, NULL));
    ok(swo_graph_dot(&variable, 1, &text));
    ok(swo_value_check(&text));
    assert_int_equal(text.as.bytes.size, strlen(text.as.bytes.data));
    assert_string_equal(
        text.as.bytes.data,
        "digraph {\n"
        "    rankdir=LR;\n"
        "    node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=Helvetica, fontsize=12];\n"
        "    edge [color=\"#555555\", arrowsize=0.7];\n"
        "    n0 [label=\"variable\\nn\xC3\xA4me\"];\n"
        "    n1 [label=\"new\"];\n"
        "    n0 -> n1;\n"
        "    h1 [shape=ellipse, fillcolor=\"#eeeeee\", label=\"say \\\"hi\\\\\\\"\"];\n"
        "    n0 -> h1;\n"
        "    h2 [shape=ellipse, fillcolor=\"#eeeeee\", label=\"handler\"];\n"
        "    n1 -> h2;\n"
        "}\n");
    swo_value_clear(&text);
}

TEST(a_large_graph_is_drawn_whole) {
    enum { TRANSFORMS = 200 };
    swo_observable *messenger = swo_messenger_new(), *maps[TRANSFORMS];
    swo_value text;
    for (int i = 0; i < TRANSFORMS; i++)
        ok(swo_map(i == 0 ? messenger : maps[i - 1], map_to_same, NULL, NULL, &maps[i]));
    ok(swo_graph_dot(&maps[TRANSFORMS / 2], 1, &text));
    size_t arrows = 0;
    for (const char *at = text.as.bytes.data; (at = strstr(at, " -> ")) != NULL; at++) arrows++;
    assert_int_equal(arrows, TRANSFORMS);
    swo_value_clear(&text);
    for (int i = 0; i < TRANSFORMS; i++) swo_observable_release(maps[i]);
    swo_observable_release(messenger);
}
