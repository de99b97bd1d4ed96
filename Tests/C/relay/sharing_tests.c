/* SPDX-License-Identifier: MIT */
/* What relays keep, whatever carries their messages: run with the broker in memory, and with a real one. */
#include "relay_support.h"

/* ---- values ---- */

TEST(a_mirror_holds_what_the_variable_holds) {
    OWN_OBSERVABLE *variable = number_variable(7);
    OWN_RELAY *owner = new_relay("pump");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "pump/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 7);
    set_number(variable, 8);
    await_number(mirror, 8);
}

TEST(a_mirror_that_comes_late_gets_the_value_that_was_set_before) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("late");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    set_number(variable, 2);
    await_state(owner, "ready");
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "late/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 2);
}

TEST(a_relay_with_a_new_mirror_is_ready_again_when_the_mirror_has_its_value) {
    OWN_OBSERVABLE *variable = number_variable(7);
    OWN_RELAY *owner = new_relay("again");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    await_state(owner, "ready");
    OWN_RELAY *other = new_relay(NULL);
    await_state(other, "ready");
    OWN_OBSERVABLE *mirror = mirror_of(other, "again/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *device = mirror_of(other, "again/$state", SWO_KIND_TEXT);
    while (!swo_relay_is_ready(other)) sched_yield();
    swo_value value;
    ok(swo_variable_get(mirror, &value));
    assert_int_equal(value.kind, SWO_KIND_INT64);
    assert_int_equal(value.as.int64, 7);
    swo_value_clear(&value);
    ok(swo_variable_get(device, &value));
    assert_int_equal(value.kind, SWO_KIND_TEXT);
    swo_value_clear(&value);
}

TEST(a_value_of_every_kind_arrives_as_it_was_set) {
    OWN_RELAY *owner = new_relay("kinds");
    OWN_RELAY *other = new_relay(NULL);
    const swo_value values[] = {swo_bool(true),
                                swo_bool(false),
                                swo_int64(INT64_MIN),
                                swo_int64(INT64_MAX),
                                swo_double(0.1),
                                swo_double(-1.7976931348623157e308),
                                swo_double(5e-324),
                                swo_text("gr\xC3\xBC\xC3\x9F"),
                                swo_text(""),
                                swo_text("two\nlines"),
                                swo_text_sized("a\0b", 3)};
    /* The last one has a zero in it, which no text of D-Bus has. */
    for (size_t i = 0; i < COUNT(values) - is_on_a_bus; i++) {
        char name[64], path[128];
        snprintf(name, sizeof name, "all/kind-%zu", i);
        snprintf(path, sizeof path, "kinds/%s", name);
        swo_observable *variable;
        ok(swo_variable_new(&values[i], &variable));
        ok(swo_relay_publish(owner, name, variable, values[i].kind, false));
        swo_observable_release(variable);
        OWN_OBSERVABLE *mirror = mirror_of(other, path, values[i].kind);
        for (bool equal = false; !equal;) {
            swo_value value;
            ok(swo_variable_get(mirror, &value));
            ok(swo_value_equal(&value, &values[i], &equal));
            swo_value_clear(&value);
            if (!equal) sched_yield();
        }
    }
    assert_int_equal(counts_of(owner).dropped + counts_of(other).dropped, 0);
}

TEST(null_arrives_as_null_and_is_not_retained) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("nulls");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "nulls/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    ok(swo_variable_set(variable, &(swo_value){0}, NULL));
    await_null(mirror);
    /* Nothing is retained of it: who watches hears nothing before the next value. */
    OWN_RELAY *late = new_relay(NULL);
    OWN_OBSERVABLE *messages = NULL;
    ok(swo_relay_watch(late, "homie/5/nulls/flow/rate", &messages));
    struct listener *listener = listen_to(messages);
    await_state(late, "ready");
    set_number(variable, 2);
    await_heard(listener, "homie/5/nulls/flow/rate 2");
    assert_string_equal(heard(listener), "homie/5/nulls/flow/rate 2\n");
    listener_free(listener);
}

TEST(an_integer_is_a_value_of_a_double) {
    OWN_OBSERVABLE *variable = number_variable(21);
    OWN_RELAY *owner = new_relay("integers");
    ok(swo_relay_publish(owner, "room/warmth", variable, SWO_KIND_DOUBLE, false));
    OWN_RELAY *other = ready_relay(NULL);
    OWN_OBSERVABLE *messages = NULL;
    ok(swo_relay_watch(other, "homie/5/integers/#", &messages));
    struct listener *listener = listen_to(messages);
    await_state(owner, "ready");
    set_number(variable, 22);
    await_heard(listener, "homie/5/integers/room/warmth 22");
    listener_free(listener);
}

TEST(what_a_transform_makes_of_a_variable_is_published_too) {
    OWN_OBSERVABLE *variable = number_variable(4), *tenfold = NULL;
    OWN_OBSERVABLE *plain = NULL;
    ok(swo_new_values(variable, &plain));
    ok(swo_map(plain, times_ten, NULL, NULL, &tenfold));
    OWN_RELAY *owner = new_relay("derived");
    ok(swo_relay_publish(owner, "flow/tenfold", tenfold, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "derived/flow/tenfold", SWO_KIND_INT64);
    await_number(mirror, 40);
    set_number(variable, 5);
    await_number(mirror, 50);
}

/** The square of a variable. */
static swo_status square(void *variable, swo_value *out) {
    swo_value value;
    if (swo_variable_get(variable, &value) != SWO_OK) return SWO_CALLBACK_FAILED;
    return *out = swo_int64(value.as.int64 * value.as.int64), SWO_OK;
}

TEST(a_derived_variable_is_published_and_cannot_be_set) {
    OWN_OBSERVABLE *variable = number_variable(4), *squared = NULL;
    ok(swo_derived_new(square, variable, NULL, &squared));
    OWN_RELAY *owner = new_relay("squares");
    assert_int_equal(swo_relay_publish(owner, "flow/square", squared, SWO_KIND_INT64, true), SWO_WRONG_KIND);
    ok(swo_relay_publish(owner, "flow/square", squared, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "squares/flow/square", SWO_KIND_INT64);
    await_number(mirror, 16);
    set_number(variable, 5);
    await_number(mirror, 25);
    ok(swo_transaction_begin());
    set_number(variable, 6);
    set_number(variable, 7);
    ok(swo_transaction_commit());
    await_number(mirror, 49);
}

TEST(a_handler_that_is_slow_gets_the_last_value) {
    OWN_OBSERVABLE *variable = number_variable(0);
    OWN_RELAY *owner = new_relay("burst");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "burst/flow/rate", SWO_KIND_INT64);
    OWN_GATE *gate = gate_new();
    struct probe slow = {.name = "slow", .action = pass_gate, .gate = gate};
    await_number(mirror, 0);
    await_state(owner, "ready");
    observe(mirror, NULL, &slow);
    set_number(variable, 1);
    gate_await(gate);
    for (int64_t number = 2; number <= 5000; number++) set_number(variable, number);
    /* The handler goes on; what came meanwhile waits as one value, and there may be a few after it. */
    for (int i = 0; i < 5000; i++) gate_open(gate);
    await_number(mirror, 5000);
    swo_stop_and_wait(slow.observation);
}

TEST(three_thousand_variables_arrive_all) {
    enum { COUNT_ = 3000 };
    static swo_observable *variables[COUNT_], *mirrors[COUNT_];
    OWN_RELAY *owner = new_relay("many");
    OWN_RELAY *other = new_relay(NULL);
    share_many(owner, other, COUNT_, variables, mirrors);
    for (int i = 0; i < COUNT_; i++) set_number(variables[i], i + 1);
    for (int i = 0; i < COUNT_; i++) await_number(mirrors[i], i + 1);
    for (int i = 0; i < COUNT_; i++) RELEASE(variables[i], mirrors[i]);
}

/* ---- setting ---- */

TEST(setting_a_mirror_sets_the_variable_of_its_owner_by_the_relay) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("lamp");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "lamp/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_state(other, "ready");
    struct probe probe = PROBE("p");
    observe(variable, NULL, &probe);
    set_number(mirror, 9);
    await_number(variable, 9);
    await_number(mirror, 9);
    assert_ptr_equal(probe.author, owner);
    EXPECT_TRACE("p(1,9)");
}

HANDLER(at_most_five, variable) {
    const swo_value *value = &message->as.update->new_value;
    if (value->kind == SWO_KIND_INT64 && value->as.int64 > 5) set_number(variable, 5);
}

TEST(a_mirror_becomes_what_its_owner_makes_of_what_was_set) {
    OWN_OBSERVABLE *variable = number_variable(1);
    ok(swo_observe(variable, NULL, at_most_five, variable, NULL, NULL));
    OWN_RELAY *owner = new_relay("limited");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "limited/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_state(other, "ready");
    set_number(mirror, 100);
    await_number(mirror, 5);
    set_number(mirror, 101);
    await_number(mirror, 5);
}

TEST(a_mirror_that_cannot_be_set_becomes_what_it_was) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("fixed");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "fixed/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(other, "ready");
    set_number(mirror, 9);
    await_number(mirror, 1);
    await_state(other, "ready: dropped a value that was asked for");
    assert_int_equal(number_of(variable), 1);
}

TEST(what_has_come_in_is_not_sent_back) {
    OWN_OBSERVABLE *variable = number_variable(0);
    OWN_RELAY *owner = new_relay("quiet");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = ready_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "quiet/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 0);
    await_state(owner, "ready");
    for (int64_t number = 1; number <= 10; number++) {
        set_number(variable, number);
        await_number(mirror, number);
    }
    /* A mirror without a device of its own sends nothing at all. */
    assert_int_equal(counts_of(other).sent, 0);
    /* The owner hears its own state, and nothing of what it publishes. */
    assert_true(counts_of(owner).received <= 8);
}

/* ---- events ---- */

TEST(events_arrive_each_once_and_in_order) {
    enum { COUNT_ = 2000 };
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_RELAY *owner = new_relay("bell");
    ok(swo_relay_publish(owner, "door/rings", messenger, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = NULL;
    ok(swo_relay_mirror_messenger(other, "bell/door/rings", SWO_KIND_INT64, &mirror));
    await_state(owner, "ready");
    await_subscribed(other, "bell");
    struct listener *listener = listen_to(mirror);
    for (int64_t number = 0; number < COUNT_; number++) send_number(messenger, number);
    char line[16], *expected = calloc(1, 1 << 16);
    for (int number = 0; number < COUNT_; number++) sprintf(expected + strlen(expected), "%d\n", number);
    snprintf(line, sizeof line, "%d", COUNT_ - 1);
    await_heard(listener, line);
    assert_string_equal(heard(listener), expected);
    free(expected);
    listener_free(listener);
}

/* ---- devices ---- */

TEST(the_state_of_a_device_can_be_mirrored) {
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *of_device = mirror_of(other, "short/$state", SWO_KIND_TEXT);
    swo_relay *owner = new_relay("short");
    await_text(of_device, "ready");
    swo_relay_release(owner);
    await_text(of_device, "disconnected");
}

TEST(a_device_that_leaves_as_soon_as_it_is_seen_is_disconnected) {
    OWN_RELAY *other = ready_relay(NULL);
    OWN_OBSERVABLE *of_device = mirror_of(other, "hasty/$state", SWO_KIND_TEXT);
    OWN_OBSERVABLE *mirror = mirror_of(other, "hasty/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *variable = number_variable(0);
    for (int64_t round = 1; round <= 50; round++) {
        set_number(variable, round);
        swo_relay *owner = new_relay("hasty");
        ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
        /* Not by observing: that takes longer. */
        for (int64_t number = 0; number != round;) {
            swo_value value;
            ok(swo_variable_get(mirror, &value));
            if (value.kind == SWO_KIND_INT64) number = value.as.int64;
            swo_value_clear(&value);
        }
        swo_relay_release(owner);
        await_text(of_device, "disconnected");
    }
}

TEST(watching_lists_devices_and_what_becomes_of_them) {
    OWN_RELAY *first = ready_relay("first");
    OWN_RELAY *watcher = new_relay(NULL);
    OWN_OBSERVABLE *devices = NULL;
    ok(swo_relay_watch(watcher, "homie/5/+/$state", &devices));
    struct listener *listener = listen_to(devices);
    await_heard(listener, "homie/5/first/$state ready");
    swo_relay *second = new_relay("second");
    await_heard(listener, "homie/5/second/$state ready");
    swo_relay_release(second);
    await_heard(listener, "homie/5/second/$state disconnected");
    listener_free(listener);
}

TEST(what_is_watched_comes_to_each_that_watches_and_ends_with_the_last_observation) {
    swo_relay *first = ready_relay("seen");
    OWN_RELAY *watcher = ready_relay(NULL);
    swo_observable *one = NULL, *other = NULL;
    ok(swo_relay_watch(watcher, "homie/5/seen/$state", &one));
    ok(swo_relay_watch(watcher, "homie/5/seen/$state", &other));
    struct listener *here = listen_to(one), *there = listen_to(other);
    swo_observable_release(one);
    await_heard(here, "homie/5/seen/$state ready");
    await_heard(there, "homie/5/seen/$state ready");
    listener_free(there);
    swo_relay_release(first);
    await_heard(here, "homie/5/seen/$state disconnected");
    listener_free(here);
    /* A bus knows nothing of those that have left. */
    swo_relay *again = is_on_a_bus ? ready_relay("seen") : NULL;
    there = listen_to(other);
    if (again != NULL) await_heard(there, "homie/5/seen/$state ready");
    swo_relay_release(again);
    await_heard(there, "homie/5/seen/$state disconnected");
    listener_free(there);
    swo_observable_release(other);
}

TEST(who_watches_misses_nothing_when_another_one_of_the_same_filter_ends) {
    OWN_OBSERVABLE *rings = swo_messenger_new();
    OWN_RELAY *owner = new_relay("steady");
    ok(swo_relay_publish(owner, "door/rings", rings, SWO_KIND_INT64, false));
    OWN_RELAY *watcher = new_relay(NULL);
    OWN_OBSERVABLE *one = NULL, *other = NULL;
    ok(swo_relay_watch(watcher, "homie/5/steady/door/rings", &one));
    ok(swo_relay_watch(watcher, "homie/5/steady/door/rings", &other));
    struct listener *here = listen_to(one);
    await_state(owner, "ready");
    await_subscribed(watcher, "steady");
    for (int number = 0; number < 50; number++) {
        listener_free(listen_to(other));
        send_number(rings, number);
        char line[64];
        snprintf(line, sizeof line, "homie/5/steady/door/rings %d", number);
        await_heard(here, line);
    }
    listener_free(here);
}

TEST(a_device_describes_itself_as_homie_does) {
    OWN_OBSERVABLE *level = number_variable(1), *rings = swo_messenger_new();
    swo_relay_options options = options_at(meeting, "described");
    options.title = "The \"hall\"";
    OWN_RELAY *owner = relay_with(options);
    ok(swo_relay_publish(owner, "light/level", level, SWO_KIND_INT64, true));
    ok(swo_relay_publish(owner, "door/rings", rings, SWO_KIND_TEXT, false));
    await_state(owner, "ready");
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *description = mirror_of(other, "described/$description", SWO_KIND_TEXT);
    await_text(description, "{\"homie\":\"5.0\",\"version\":");
    swo_value value;
    /* A relay that connects between the two describes the first one alone before. */
    for (ok(swo_variable_get(description, &value)); !strstr(value.as.bytes.data, "\"door\"");
         ok(swo_variable_get(description, &value))) {
        swo_value_clear(&value);
        sched_yield();
    }
    assert_string_equal(
        strstr(value.as.bytes.data, ",\"name\""),
        ",\"name\":\"The \\\"hall\\\"\",\"nodes\":{"
        "\"door\":{\"name\":\"door\",\"properties\":{\"rings\":{\"name\":\"rings\",\"datatype\":\"string\","
        "\"settable\":false,\"retained\":false}}},"
        "\"light\":{\"name\":\"light\",\"properties\":{\"level\":{\"name\":\"level\",\"datatype\":\"integer\","
        "\"settable\":true,\"retained\":true}}}}}");
    swo_value_clear(&value);
}

TEST(what_is_withdrawn_becomes_null) {
    OWN_OBSERVABLE *variable = number_variable(3);
    OWN_RELAY *owner = new_relay("gone");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "gone/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 3);
    ok(swo_relay_withdraw(owner, "flow/rate"));
    await_null(mirror);
    assert_int_equal(swo_relay_withdraw(owner, "flow/rate"), SWO_NOT_FOUND);
    assert_int_equal(swo_observable_count(variable), 0);
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    await_number(mirror, 3);
}

HANDLER(withdraw_it, relay) {
    (void)message;
    ok(swo_relay_withdraw(relay, "flow/rate"));
}

TEST(what_is_withdrawn_while_others_set_it_stays_away) {
    OWN_OBSERVABLE *variable = number_variable(3);
    OWN_RELAY *owner = ready_relay("leaving");
    swo_observation observation;
    ok(swo_observe(variable, NULL, withdraw_it, owner, NULL, &observation));
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = ready_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "leaving/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 3);
    set_number(mirror, 4);
    await_number(variable, 4);
    ok(swo_stop_and_wait(observation));
    /* What comes later shows that all has come before. */
    OWN_OBSERVABLE *later = number_variable(5);
    OWN_OBSERVABLE *later_mirror = mirror_of(other, "leaving/flow/later", SWO_KIND_INT64);
    set_number(variable, 6);
    ok(swo_relay_publish(owner, "flow/later", later, SWO_KIND_INT64, false));
    await_number(later_mirror, 5);
    await_null(mirror);
    OWN_RELAY *late = new_relay(NULL);
    OWN_OBSERVABLE *retained = mirror_of(late, "leaving/flow/rate", SWO_KIND_INT64);
    await_state(late, "ready");
    await_null(retained);
    swo_value value;
    ok(swo_variable_get(retained, &value));
    assert_int_equal(value.kind, SWO_KIND_NULL);
}

TEST(what_is_forgotten_changes_no_more) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("left");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "left/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    ok(swo_relay_forget(other, "left/flow/rate"));
    OWN_OBSERVABLE *again = mirror_of(other, "left/flow/rate", SWO_KIND_INT64);
    assert_ptr_not_equal(mirror, again);
    set_number(variable, 2);
    await_number(again, 2);
    assert_int_equal(number_of(mirror), 1);
    ok(swo_relay_forget(other, "left/flow/rate"));
    assert_int_equal(swo_relay_forget(other, "left/flow/rate"), SWO_NOT_FOUND);
}

/* ---- lifetimes ---- */

TEST(a_relay_that_is_released_keeps_nothing) {
    OWN_OBSERVABLE *variable = number_variable(1);
    swo_relay *owner = ready_relay("brief");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_OBSERVABLE *mirror = mirror_of(owner, "brief/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    /* Whose observation nothing else ends. */
    struct probe watching = {.name = "watching"};
    swo_observable *messages = NULL;
    ok(swo_relay_watch(owner, "homie/5/#", &messages));
    observe(messages, NULL, &watching);
    swo_observable_release(messages);
    swo_relay_release(owner);
    assert_false(swo_is_living(watching.observation));
    assert_int_equal(swo_observable_count(variable), 0);
    assert_int_equal(swo_observable_count(mirror), 0);
    assert_int_equal(number_of(mirror), 1);
}

ACTION(release_relay) { swo_relay_release((swo_relay *)author); }

TEST(a_relay_can_be_released_inside_a_handler_of_a_mirror) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("inside");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    swo_relay *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "inside/flow/rate", SWO_KIND_INT64);
    /* What had come before the observation would call no handler. */
    await_number(mirror, 1);
    struct probe probe = PROBE("p", .action = release_relay);
    observe(mirror, NULL, &probe);
    set_number(variable, 2);
    await_number(mirror, 2);
    /* The value can be read before the handler is called. */
    while (!probe.calls) sched_yield();
    swo_stop_and_wait(probe.observation);
    EXPECT_TRACE("p(1,2)");
}

TEST(a_mirror_that_is_asked_for_again_is_the_same) {
    OWN_RELAY *relay = new_relay(NULL);
    OWN_OBSERVABLE *one = mirror_of(relay, "same/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *other = mirror_of(relay, "same/flow/rate", SWO_KIND_INT64);
    assert_ptr_equal(one, other);
    swo_observable *text = NULL;
    assert_int_equal(swo_relay_mirror(relay, "same/flow/rate", SWO_KIND_TEXT, &text), SWO_WRONG_KIND);
    assert_int_equal(swo_relay_mirror_messenger(relay, "same/flow/rate", SWO_KIND_INT64, &text), SWO_WRONG_KIND);
    assert_null(text);
}

/* ---- bad input ---- */

TEST(a_value_of_another_kind_does_not_cross_and_is_reported) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("strict");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "strict/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    swo_value text = swo_text("secret"), bytes = swo_bytes("x", 1);
    ok(swo_variable_set(variable, &text, NULL));
    await_state(owner,
                "ready: dropped a value that cannot be relayed as its datatype, homie/5/strict/flow/rate (1 dropped");
    ok(swo_variable_set(variable, &bytes, NULL));
    await_state(owner,
                "ready: dropped a value that cannot be relayed as its datatype, homie/5/strict/flow/rate (2 dropped");
    set_number(variable, 2);
    await_number(mirror, 2);
    assert_int_equal(counts_of(owner).dropped, 2);
}

TEST(infinities_do_not_cross) {
    swo_value number = swo_double(1.5), infinite = swo_double(1e308 * 10);
    OWN_OBSERVABLE *variable = NULL;
    ok(swo_variable_new(&number, &variable));
    OWN_RELAY *owner = new_relay("finite");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_DOUBLE, false));
    await_state(owner, "ready");
    ok(swo_variable_set(variable, &infinite, NULL));
    await_state(owner, "ready: dropped a value");
}

TEST(a_payload_that_is_no_value_of_the_type_changes_nothing_and_is_reported) {
    OWN_OBSERVABLE *variable = NULL;
    swo_value text = swo_text("12");
    ok(swo_variable_new(&text, &variable));
    OWN_RELAY *owner = new_relay("wrong");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_TEXT, false));
    /* On a bus a device that comes is asked for all that it has, and what it says meanwhile comes twice. */
    await_state(owner, "ready");
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "wrong/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 12);
    await_state(other, "ready");
    text = swo_text("12 apples");
    ok(swo_variable_set(variable, &text, NULL));
    await_state(other, "ready: dropped a payload, homie/5/wrong/flow/rate: it is no integer (1 dropped so far)");
    assert_int_equal(number_of(mirror), 12);
    const char *const none[] = {"9223372036854775808", "-", "+1", "1.0", " 1", "0x1", "\xC2\xA0"};
    for (size_t i = 0; i < COUNT(none); i++) {
        text = swo_text(none[i]);
        ok(swo_variable_set(variable, &text, NULL));
        while (counts_of(other).dropped < i + 2) sched_yield();
    }
    text = swo_text("-9223372036854775808");
    ok(swo_variable_set(variable, &text, NULL));
    await_number(mirror, INT64_MIN);
    assert_int_equal(counts_of(other).dropped, 1 + COUNT(none));
}

TEST(a_value_that_is_too_large_does_not_cross) {
    size_t size = 65537;
    char *large = malloc(size);
    memset(large, 'x', size);
    swo_value text = swo_text("small");
    OWN_OBSERVABLE *variable = NULL;
    ok(swo_variable_new(&text, &variable));
    OWN_RELAY *owner = new_relay("large");
    ok(swo_relay_publish(owner, "flow/text", variable, SWO_KIND_TEXT, false));
    await_state(owner, "ready");
    text = swo_text_sized(large, size);
    ok(swo_variable_set(variable, &text, NULL));
    await_state(owner, "ready: dropped a value that is too large");
    text.as.bytes.size--;
    ok(swo_variable_set(variable, &text, NULL));
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "large/flow/text", SWO_KIND_TEXT);
    large[size - 2] = 0;
    await_text(mirror, large);
    free(large);
}

TEST(wrong_arguments_are_refused_and_nothing_happens) {
    swo_relay *none = NULL;
    const char *const addresses[] = {"",
                                     "localhost",
                                     "mqtt://",
                                     "mqtt://user@host",
                                     "mqtt://host:0",
                                     "mqtt://host:65536",
                                     "mqtt://host:x",
                                     "http://host",
                                     "memory:",
                                     "mqtt://host/path",
                                     "mqtt://a b",
                                     "dbus:",
                                     "dbus:bus",
                                     "dbus::x",
                                     "dbus:unix:path=/a b"};
    for (size_t i = 0; i < COUNT(addresses); i++) {
        swo_relay_options options = options_at(addresses[i], NULL);
        assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_ARGUMENT);
    }
    const char *const devices[] = {"", "Kitchen", "a/b", "a b", "#", "+", "$state", "k\xC3\xBC", "a_b"};
    for (size_t i = 0; i < COUNT(devices); i++) {
        swo_relay_options options = options_at(meeting, devices[i]);
        assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_ARGUMENT);
    }
    swo_relay_options options = options_at(meeting, NULL);
    assert_int_equal(swo_relay_new(NULL, &none), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_new(&options, NULL), SWO_INVALID_ARGUMENT);
    options.size = offsetof(swo_relay_options, request_timeout) - 1;
    assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_ARGUMENT);
    options.size = sizeof options;
    options.keep_alive = 4;
    assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_ARGUMENT);
    options.keep_alive = 0;
    for (size_t i = 0; i < 4; i++) {
        options.discovery = (const char *[]){"", "home/#", "+", "\xFF"}[i];
        assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_ARGUMENT);
    }
    options.discovery = NULL;
    options.title = "\xFF";
    assert_int_equal(swo_relay_new(&options, &none), SWO_INVALID_TEXT);
    assert_null(none);
    assert_null(swo_relay_retain(NULL));
    assert_null(swo_relay_state(NULL));
    assert_false(swo_relay_is_ready(NULL));
    swo_relay_release(NULL);

    OWN_OBSERVABLE *variable = number_variable(1), *messenger = swo_messenger_new();
    OWN_RELAY *relay = new_relay("names");
    const char *const names[] = {"", "a", "a/b/c", "a/", "/b", "A/b", "a/+", "#", "a/$b", "a b/c"};
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_int_equal(swo_relay_publish(relay, names[i], variable, SWO_KIND_INT64, false), SWO_INVALID_ARGUMENT);
        swo_observable *made = NULL;
        /* Those are names of others: of a property, and of a device's attribute. */
        if (i == 2 || i == 8) continue;
        assert_int_equal(swo_relay_mirror(relay, names[i], SWO_KIND_INT64, &made), SWO_INVALID_ARGUMENT);
    }
    swo_observable *nothing = NULL;
    assert_int_equal(swo_relay_mirror(relay, "a/b/#", SWO_KIND_INT64, &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_mirror(relay, NULL, SWO_KIND_INT64, &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_mirror(NULL, "a/b/c", SWO_KIND_INT64, &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_mirror(relay, "a/b/c", SWO_KIND_INT64, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_mirror(relay, "a/b/c", SWO_KIND_BYTES, &nothing), SWO_WRONG_KIND);
    assert_int_equal(swo_relay_mirror_messenger(relay, "a/b/c", SWO_KIND_NULL, &nothing), SWO_WRONG_KIND);
    assert_int_equal(swo_relay_watch(relay, "a#", &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_watch(relay, "#/a", &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_watch(relay, "a+/b", &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_watch(relay, "", &nothing), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_watch(relay, "\xFF", &nothing), SWO_INVALID_ARGUMENT);
    assert_null(nothing);
    assert_int_equal(swo_relay_publish(relay, "a/b", NULL, SWO_KIND_INT64, false), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_publish(relay, "a/b", variable, SWO_KIND_OBJECT, false), SWO_WRONG_KIND);
    assert_int_equal(swo_relay_publish(relay, "a/b", variable, 99, false), SWO_WRONG_KIND);
    assert_int_equal(swo_relay_publish(relay, "a/b", messenger, SWO_KIND_INT64, true), SWO_WRONG_KIND);
    ok(swo_relay_publish(relay, "a/b", variable, SWO_KIND_INT64, false));
    assert_int_equal(swo_relay_publish(relay, "a/b", variable, SWO_KIND_INT64, false), SWO_NOT_FOUND);
    assert_int_equal(swo_relay_withdraw(relay, "a/c"), SWO_NOT_FOUND);
    assert_int_equal(swo_relay_forget(relay, "a/c/d"), SWO_NOT_FOUND);
    swo_relay_counts counts = {.size = sizeof counts - 1};
    assert_int_equal(swo_relay_count(relay, &counts), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_count(relay, NULL), SWO_INVALID_ARGUMENT);
    OWN_RELAY *nameless = new_relay(NULL);
    assert_int_equal(swo_relay_publish(nameless, "a/b", variable, SWO_KIND_INT64, false), SWO_INVALID_ARGUMENT);
}
