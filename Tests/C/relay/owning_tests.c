/* SPDX-License-Identifier: MIT */
/* What others publish in the place of a device, what a broker does not take, and what is left of all that. */
#include "relay_support.h"
#include <sys/stat.h>

enum { NEVER = 0x7FFFFFFF };

/* An owner, and another one that mirrors what it has. */
struct pair {
    struct broker broker;
    swo_relay *owner, *other;
    swo_observable *variable, *mirror;
};

static void begin_pair_with(struct pair *pair, const char *configuration, swo_observable *variable, int32_t kind) {
    *pair = (struct pair){.broker = broker_start(configuration), .variable = variable};
    pair->owner = relay_at(pair->broker.address, "own");
    ok(swo_relay_publish(pair->owner, "flow/rate", variable, kind, true));
    swo_relay_options options = options_at(pair->broker.address, NULL);
    options.request_timeout = NEVER;
    pair->other = relay_with(options);
    pair->mirror = mirror_of(pair->other, "own/flow/rate", kind);
    await_equal(pair->mirror, variable);
    await_state(pair->owner, "ready");
    await_state(pair->other, "ready");
}

static void begin_pair(struct pair *pair) { begin_pair_with(pair, NULL, number_variable(1), SWO_KIND_INT64); }

static void end_pair(struct pair *pair) {
    swo_relay_release(pair->owner);
    swo_relay_release(pair->other);
    RELEASE(pair->variable, pair->mirror);
    broker_end(&pair->broker);
}

static void await_said(swo_relay *relay, const char *part) {
    for (bool is_said = false; !is_said;) {
        swo_value value;
        ok(swo_variable_get(swo_relay_state(relay), &value));
        is_said = strstr(value.as.bytes.data, part) != NULL;
        swo_value_clear(&value);
        if (!is_said) sched_yield();
    }
}

/* Publishes something by another client. */
static void publish(struct broker *broker, const char *options) {
    char command[1024];
    snprintf(command, sizeof command, "mosquitto_pub -h 127.0.0.1 -p $PORT -V 5 %s", options);
    free(run_command(broker, command));
}

/* Until the broker retains just this; "": nothing. */
static void await_retained(struct broker *broker, const char *topic, const char *payload) {
    char command[512], expected[512];
    snprintf(command, sizeof command,
             "mosquitto_sub -h 127.0.0.1 -p $PORT -t '%s' -t tests/end -C 1 --retained-only -v; true", topic);
    publish(broker, "-r -t tests/end -m end");
    snprintf(expected, sizeof expected, "%s %s\n", topic, payload);
    if (!*payload) strcpy(expected, "tests/end end\n");
    for (bool is_right = false; !is_right;) {
        char *said = run_command(broker, command);
        is_right = strcmp(said, expected) == 0;
        free(said);
    }
}

/* The author of what is retained, in the place of %s in options of mosquitto_pub. */
static void publish_as_owner(struct broker *broker, const char *options) {
    char command[1024];
    char *said = run_command(
        broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -V 5 -F '%P' -t 'homie/5/own/flow/rate' -C 1 | tr ' ' '\\n' | "
                "sed -n 's/^author://p'");
    said[strcspn(said, "\n")] = 0;
    must(strlen(said) == 16);
    snprintf(command, sizeof command, "-D publish user-property author %s %s", said, options);
    free(said);
    publish(broker, command);
}

/* ---- what others publish ---- */

TEST(what_others_publish_in_the_place_of_a_value_is_replaced) {
    struct pair pair;
    begin_pair(&pair);
    const char *const messages[] = {"-r -t homie/5/own/flow/rate -m 99", "-t homie/5/own/flow/rate -m 99",
                                    "-r -n -t homie/5/own/flow/rate", "-r -t homie/5/own/flow/rate -m nonsense"};
    for (size_t i = 0; i < COUNT(messages); i++) {
        struct listener *listener = listen_to(pair.mirror);
        publish(&pair.broker, messages[i]);
        if (i < 2) await_heard(listener, "99");
        await_number(pair.mirror, 1);
        await_retained(&pair.broker, "homie/5/own/flow/rate", "1");
        listener_free(listener);
    }
    await_said(pair.owner, "published again what others had published, homie/5/own/flow/rate");
    assert_int_equal(number_of(pair.variable), 1);
    end_pair(&pair);
}

TEST(a_forged_author_and_number_make_no_mirror_deaf) {
    struct pair pair;
    begin_pair(&pair);
    const char *const numbers[] = {"18446744073709551615", "4294967296", "1000", "2", "1", "0", "-7",
                                   "99999999999999999999"};
    for (size_t i = 0; i < COUNT(numbers); i++) {
        char options[256];
        snprintf(options, sizeof options, "-D publish user-property seq %s -t homie/5/own/flow/rate -m 99", numbers[i]);
        publish_as_owner(&pair.broker, options);
        /* The owner's next value counts, and so does the one it has. */
        set_number(pair.variable, 10 + (int64_t)i);
        await_number(pair.mirror, 10 + (int64_t)i);
        publish_as_owner(&pair.broker, options);
        await_number(pair.mirror, 10 + (int64_t)i);
    }
    end_pair(&pair);
}

TEST(a_value_that_the_owner_does_not_hear_of_gives_way_to_what_is_retained) {
    OWN_BROKER broker = broker_start(NULL);
    /* It does not look at what others publish. */
    publish(&broker, "-r -D publish user-property author 0123456789abcdef -D publish user-property seq 5 "
                     "-t homie/5/foreign/flow/rate -m 5");
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "foreign/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 5);
    await_state(other, "ready");
    const char *const messages[] = {
        "-t homie/5/foreign/flow/rate -m 99",
        "-t homie/5/foreign/flow/rate -m 99 -D publish user-property author somebody",
        "-t homie/5/foreign/flow/rate -m 99 -D publish user-property author 0123456789abcdef -D publish user-property "
        "seq 900"};
    for (size_t i = 0; i < COUNT(messages); i++) {
        struct listener *listener = listen_to(mirror);
        publish(&broker, messages[i]);
        await_heard(listener, "99");
        await_number(mirror, 5);
        listener_free(listener);
    }
}

TEST(a_forged_number_keeps_no_event_away) {
    struct pair pair;
    begin_pair(&pair);
    OWN_OBSERVABLE *rings = swo_messenger_new(), *heard_rings = NULL;
    ok(swo_relay_publish(pair.owner, "door/rings", rings, SWO_KIND_INT64, false));
    ok(swo_relay_mirror_messenger(pair.other, "own/door/rings", SWO_KIND_INT64, &heard_rings));
    await_subscribed(pair.other, "own");
    struct listener *listener = listen_to(heard_rings);
    const char *const numbers[] = {"18446744073709551615", "100", "5000"};
    for (int64_t i = 0; i < (int64_t)COUNT(numbers); i++) {
        char options[256], line[16];
        send_number(rings, i);
        snprintf(line, sizeof line, "%d", (int)i);
        await_heard(listener, line);
        snprintf(options, sizeof options, "-D publish user-property seq %s -t homie/5/own/door/rings -m 9%d",
                 numbers[i], (int)i);
        publish_as_owner(&pair.broker, options);
        snprintf(line, sizeof line, "9%d", (int)i);
        await_heard(listener, line);
    }
    send_number(rings, 77);
    await_heard(listener, "77");
    listener_free(listener);
    end_pair(&pair);
}

TEST(what_others_say_of_a_device_is_replaced) {
    struct pair pair;
    begin_pair(&pair);
    publish(&pair.broker, "-r -t 'homie/5/own/$state' -m disconnected");
    await_retained(&pair.broker, "homie/5/own/$state", "ready");
    publish_as_owner(&pair.broker, "-r -t 'homie/5/own/$state' -m lost");
    await_retained(&pair.broker, "homie/5/own/$state", "ready");
    OWN_OBSERVABLE *description = mirror_of(pair.other, "own/$description", SWO_KIND_TEXT);
    await_text(description, "{\"homie\":");
    publish(&pair.broker, "-r -t 'homie/5/own/$description' -m '{}'");
    await_text(description, "{\"homie\":");
    publish(&pair.broker, "-r -n -t 'homie/5/own/$description'");
    await_text(description, "{\"homie\":");
    /* And it can still be set. */
    set_number(pair.mirror, 5);
    await_number(pair.variable, 5);
    await_number(pair.mirror, 5);
    end_pair(&pair);
}

TEST(an_empty_message_makes_nothing_null_but_a_text_empty) {
    struct pair pair;
    begin_pair(&pair);
    OWN_OBSERVABLE *label = NULL, *label_there = NULL;
    swo_value text = swo_text("full");
    ok(swo_variable_new(&text, &label));
    ok(swo_relay_publish(pair.owner, "about/label", label, SWO_KIND_TEXT, true));
    label_there = mirror_of(pair.other, "own/about/label", SWO_KIND_TEXT);
    await_text(label_there, "full");
    publish(&pair.broker, "-n -t homie/5/own/flow/rate/set");
    await_said(pair.owner, "dropped a value that was asked for, homie/5/own/flow/rate/set: null cannot be set");
    assert_int_equal(number_of(pair.variable), 1);
    assert_int_equal(counts_of(pair.owner).dropped, 1);
    publish(&pair.broker, "-n -t homie/5/own/about/label/set");
    for (size_t size = 1; size != 0;) {
        swo_value value;
        ok(swo_variable_get(label_there, &value));
        must(value.kind == SWO_KIND_TEXT);
        size = value.as.bytes.size;
        swo_value_clear(&value);
    }
    end_pair(&pair);
}

/* ---- what is left ---- */

TEST(what_is_retained_and_published_no_more_is_taken_away) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(5), *other_variable = number_variable(6);
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *old = mirror_of(other, "own/flow/old", SWO_KIND_INT64);
    OWN_OBSERVABLE *new = mirror_of(other, "own/flow/new", SWO_KIND_INT64);
    swo_relay *first = relay_at(broker.address, "own");
    ok(swo_relay_publish(first, "flow/old", variable, SWO_KIND_INT64, false));
    await_number(old, 5);
    swo_relay_release(first);
    publish(&broker, "-r -t homie/5/own/stray/value -m 1");
    OWN_RELAY *second = relay_at(broker.address, "own");
    ok(swo_relay_publish(second, "flow/new", other_variable, SWO_KIND_INT64, false));
    await_number(new, 6);
    await_null(old);
    await_retained(&broker, "homie/5/own/flow/old", "");
    await_retained(&broker, "homie/5/own/stray/value", "");
    await_retained(&broker, "homie/5/own/flow/new", "6");
    /* Also what comes while it is there. */
    publish(&broker, "-r -t homie/5/own/flow/old -m 7");
    await_number(old, 7);
    await_null(old);
    assert_int_equal(number_of(new), 6);
}

/* ---- what a broker does not take ---- */

TEST(what_a_broker_refuses_later_is_counted_and_the_state_says_so) {
    char rules[64] = "/tmp/swo-relay-rules-XXXXXX", configuration[256];
    int file = mkstemp(rules);
    const char *text = "topic readwrite homie/#\n", *less = "topic read homie/#\ntopic write homie/5/own/$state\n";
    must(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(file, 0644) == 0);
    snprintf(configuration, sizeof configuration, "acl_file %s\n", rules);
    struct pair pair;
    begin_pair_with(&pair, configuration, number_variable(1), SWO_KIND_INT64);
    for (int64_t number = 2; number < 50; number++) set_number(pair.variable, number);
    await_number(pair.mirror, 49);
    must(ftruncate(file, 0) == 0 && pwrite(file, less, strlen(less), 0) == (ssize_t)strlen(less));
    kill(pair.broker.process, SIGHUP);
    /* Until it has read them. */
    for (int64_t number = 50; counts_of(pair.owner).dropped == 0; number++) {
        set_number(pair.variable, number);
        usleep(10000);
    }
    await_said(pair.owner, "dropped a value that the broker refused, homie/5/own/flow/rate: Not authorized");
    /* What is asked for is undone. */
    set_number(pair.mirror, -5);
    await_said(pair.other, "dropped a value that was asked for, homie/5/own/flow/rate: Not authorized");
    assert_false(swo_relay_is_pending(pair.other, "own/flow/rate"));
    end_pair(&pair);
    close(file);
    unlink(rules);
}

TEST(what_is_too_large_for_the_broker_is_counted_and_undone) {
    const char *const limits[] = {"message_size_limit 2000\n", "max_packet_size 2000\n"};
    char *large = malloc(5001);
    memset(large, 'x', 5000);
    large[5000] = 0;
    for (size_t i = 0; i < COUNT(limits); i++) {
        swo_value text = swo_text("small");
        swo_observable *variable;
        ok(swo_variable_new(&text, &variable));
        struct pair pair;
        begin_pair_with(&pair, limits[i], variable, SWO_KIND_TEXT);
        text = swo_text(large);
        ok(swo_variable_set(pair.mirror, &text, NULL));
        await_text(pair.mirror, "small");
        assert_false(swo_relay_is_pending(pair.other, "own/flow/rate"));
        assert_int_equal(counts_of(pair.other).dropped, 1);
        text = swo_text("second");
        ok(swo_variable_set(variable, &text, NULL));
        await_text(pair.mirror, "second");
        text = swo_text(large);
        ok(swo_variable_set(variable, &text, NULL));
        await_said(pair.owner, "(1 dropped so far)");
        assert_int_equal(counts_of(pair.owner).dropped, 1);
        end_pair(&pair);
    }
    free(large);
}

TEST(a_relay_that_is_ready_says_what_was_dropped) {
    char rules[64] = "/tmp/swo-relay-rules-XXXXXX", configuration[256];
    int file = mkstemp(rules);
    const char *text = "topic read homie/#\n";
    must(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && fchmod(file, 0644) == 0);
    snprintf(configuration, sizeof configuration, "acl_file %s\n", rules);
    OWN_BROKER broker = broker_start(configuration);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *relay = relay_at(broker.address, "barred");
    ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, false));
    while (!swo_relay_is_ready(relay)) sched_yield();
    await_state(relay, "ready: dropped ");
    await_said(relay, " dropped");
    assert_true(counts_of(relay).dropped >= 3);
    unlink(rules);
    close(file);
}

TEST(a_connection_that_is_ready_again_says_how_much_was_dropped) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *relay = relay_at(broker.address, "own");
    ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, false));
    await_state(relay, "ready");
    swo_value text = swo_text("no number");
    ok(swo_variable_set(variable, &text, NULL));
    await_state(relay, "ready: dropped a value");
    set_number(variable, 2);
    broker_kill(&broker);
    await_state(relay, "lost");
    broker_start_again(&broker);
    await_state(relay, "ready: 1 dropped");
}

/* ---- programs of one name ---- */

TEST(two_programs_of_one_name_are_both_told_also_when_the_broker_comes_back) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(2), *extra = number_variable(3);
    OWN_RELAY *first = relay_at(broker.address, "twin");
    ok(swo_relay_publish(first, "flow/rate", one, SWO_KIND_INT64, false));
    await_state(first, "ready");
    swo_relay *second = relay_at(broker.address, "twin");
    ok(swo_relay_publish(second, "flow/rate", two, SWO_KIND_INT64, false));
    ok(swo_relay_publish(second, "flow/extra", extra, SWO_KIND_INT64, false));
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "twin/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *extra_there = mirror_of(other, "twin/flow/extra", SWO_KIND_INT64);
    for (int round = 0; round < 2; round++) {
        await_state(first, "ready: another program has the same name, homie/5/twin/$state");
        await_state(second, "ready: another program has the same name, homie/5/twin/$state");
        /* It is still said when there is something else to say. */
        swo_value text = swo_text("no number");
        ok(swo_variable_set(two, &text, NULL));
        await_said(second, "dropped so far); another program has the same name");
        set_number(two, 2);
        await_number(extra_there, 3);
        if (round > 0) break;
        broker_kill(&broker);
        await_state(first, "lost");
        await_state(second, "lost");
        broker_start_again(&broker);
    }
    swo_relay_release(second);
    /* The other one has its device again: its values, and no others. */
    await_number(mirror, 1);
    await_null(extra_there);
    await_retained(&broker, "homie/5/twin/flow/extra", "");
    await_retained(&broker, "homie/5/twin/$state", "ready");
    await_text(swo_relay_state(first), "ready");
}

/* ---- what the owner is about to do ---- */

TEST(an_owner_that_says_what_it_is_about_to_do_has_decided) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *requests = NULL;
    publish(&broker, "-r -t 'homie/5/valve/$state' -m ready");
    publish(&broker, "-r -t homie/5/valve/flow/position -m 10");
    OWN_RELAY *listening = relay_at(broker.address, NULL);
    ok(swo_relay_watch(listening, "homie/5/valve/flow/position/set", &requests));
    struct listener *listener = listen_to(requests);
    await_state(listening, "ready");
    swo_relay_options options = options_at(broker.address, NULL);
    options.request_timeout = NEVER;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "valve/flow/position", SWO_KIND_INT64);
    await_number(mirror, 10);
    await_state(other, "ready");
    set_number(mirror, 90);
    await_heard(listener, "homie/5/valve/flow/position/set 90");
    while (swo_relay_is_pending(other, "valve/flow/position"))
        publish(&broker, "-t 'homie/5/valve/flow/position/$target' -m 90");
    /* Until it is there, it is where it was. */
    await_number(mirror, 10);
    publish(&broker, "-r -t homie/5/valve/flow/position -m 50");
    await_number(mirror, 50);
    publish(&broker, "-r -t homie/5/valve/flow/position -m 90");
    await_number(mirror, 90);
    listener_free(listener);
}

TEST(a_description_of_another_program_says_what_can_be_set) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *requests = NULL;
    publish(&broker, "-r -t 'homie/5/valve/$state' -m ready");
    publish(&broker, "-r -t homie/5/valve/flow/position -m 10");
    publish(
        &broker,
        "-r -t 'homie/5/valve/$description' -m '{ \"nodes\" : {\"other\":{\"properties\":{\"position\":{\"settable\":"
        "true}}}, \"flow\" :\n{\"x\":[1,{\"properties\":\"}\"}], \"properties\": "
        "{\"position\":{\"name\":\"a\\\"b\"}}}}}'");
    OWN_RELAY *listening = relay_at(broker.address, NULL);
    ok(swo_relay_watch(listening, "#", &requests));
    struct listener *listener = listen_to(requests);
    await_state(listening, "ready");
    swo_relay_options options = options_at(broker.address, NULL);
    options.request_timeout = NEVER;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "valve/flow/position", SWO_KIND_INT64);
    await_number(mirror, 10);
    set_number(mirror, 90);
    await_number(mirror, 10);
    await_said(other, "it cannot be set");
    listener_free(listener);
}
