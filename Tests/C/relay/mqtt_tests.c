/* SPDX-License-Identifier: MIT */
/* What a real broker and its tools see of a relay, and what a relay makes of what they do. */
#include "relay_support.h"

TEST(mosquitto_sub_sees_values_and_mosquitto_pub_sets_them) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *warmth = NULL, *label = NULL;
    swo_value number = swo_double(20.5), text = swo_text("k\xC3\xBC"
                                                         "che");
    ok(swo_variable_new(&number, &warmth));
    ok(swo_variable_new(&text, &label));
    OWN_RELAY *relay = relay_at(broker.address, "kitchen");
    ok(swo_relay_publish(relay, "climate/warmth", warmth, SWO_KIND_DOUBLE, true));
    ok(swo_relay_publish(relay, "about/label", label, SWO_KIND_TEXT, false));
    await_state(relay, "ready");
    char *said = run_command(&broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -v -t 'homie/5/+/+/+' -C 2 | sort");
    assert_string_equal(said, "homie/5/kitchen/about/label k\xC3\xBC"
                              "che\nhomie/5/kitchen/climate/warmth 20.5\n");
    free(said);
    said = run_command(
        &broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -V 5 -F '%t %p %r %P' -t 'homie/5/kitchen/climate/warmth' -C 1");
    assert_non_null(strstr(said, "homie/5/kitchen/climate/warmth 20.5 1 author:"));
    assert_non_null(strstr(said, "seq:"));
    free(said);
    said = run_command(&broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -v -t 'homie/5/kitchen/$state' -C 1");
    assert_string_equal(said, "homie/5/kitchen/$state ready\n");
    free(said);

    OWN_OBSERVABLE *values = NULL;
    ok(swo_new_values(warmth, &values));
    struct listener *listener = listen_to(values);
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/kitchen/climate/warmth/set -m 22.25"));
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/kitchen/climate/warmth/set -m warm"));
    await_state(relay, "ready: dropped a payload, homie/5/kitchen/climate/warmth/set: it is no finite number");
    swo_value now;
    ok(swo_variable_get(warmth, &now));
    assert_true(now.kind == SWO_KIND_DOUBLE && now.as.float64 == 22.25);
    listener_free(listener);
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/kitchen/about/label/set -m x"));
    said = run_command(&broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -v -t 'homie/5/kitchen/about/label' -C 1");
    assert_string_equal(said, "homie/5/kitchen/about/label k\xC3\xBC"
                              "che\n");
    free(said);
}

TEST(a_broker_that_is_not_there_is_named) {
    OWN_BROKER broker = broker_start(NULL);
    char expected[128];
    snprintf(expected, sizeof expected, "lost: the broker at 127.0.0.1:%d: Connection refused", broker.port);
    broker_kill(&broker);
    OWN_RELAY *relay = relay_at(broker.address, "alone");
    await_state(relay, expected);
    broker_start_again(&broker);
    await_state(relay, "ready");
}

TEST(a_wrong_password_is_said_and_never_shown) {
    char passwords[64] = "/tmp/swo-relay-passwords-XXXXXX", configuration[256];
    int file = mkstemp(passwords);
    must(file >= 0);
    snprintf(configuration, sizeof configuration, "allow_anonymous false\npassword_file %s\n", passwords);
    char *said;
    struct broker none = {0};
    char command[256];
    snprintf(command, sizeof command, "mosquitto_passwd -b %s pump 'right one'", passwords);
    free(run_command(&none, command));
    OWN_BROKER broker = broker_start(configuration);
    swo_relay_options options = options_at(broker.address, "locked");
    options.user = "pump";
    options.password = "wrong one";
    OWN_RELAY *refused = relay_with(options);
    await_state(refused, "lost: the broker at 127.0.0.1");
    swo_value value;
    do {
        ok(swo_variable_get(swo_relay_state(refused), &value));
        bool is_lost = strncmp(value.as.bytes.data, "lost", 4) == 0;
        if (is_lost) assert_non_null(strstr(value.as.bytes.data, "Not authorized"));
        assert_null(strstr(value.as.bytes.data, "wrong one"));
        swo_value_clear(&value);
        if (is_lost) break;
    } while (true);
    options.password = "right one";
    OWN_RELAY *welcome = relay_with(options);
    await_state(welcome, "ready");
    swo_observable *const all[] = {swo_relay_state(refused), swo_relay_state(welcome)};
    ok(swo_graph_dot(all, 2, &value));
    assert_null(strstr(value.as.bytes.data, " one"));
    swo_value_clear(&value);
    char log[128];
    snprintf(log, sizeof log, "cat %s/log", broker.folder);
    said = run_command(&broker, log);
    assert_null(strstr(said, " one"));
    free(said);
    unlink(passwords);
}

TEST(a_topic_that_the_broker_refuses_is_named) {
    char rules[64] = "/tmp/swo-relay-rules-XXXXXX", configuration[256];
    int file = mkstemp(rules);
    const char *text = "topic readwrite homie/5/free/#\ntopic read homie/#\n";
    must(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    snprintf(configuration, sizeof configuration, "acl_file %s\n", rules);
    OWN_BROKER broker = broker_start(configuration);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *relay = relay_at(broker.address, "barred");
    ok(swo_relay_publish(relay, "flow/rate", variable, SWO_KIND_INT64, false));
    /* Of reports that follow one another the last one may be all that is seen. */
    await_state(relay,
                "ready: dropped what the broker refused, homie/5/barred/$state: Not authorized (4 dropped so far)");
    set_number(variable, 2);
    await_state(relay, "ready: dropped a value that the broker refused, homie/5/barred/flow/rate: Not authorized (5 ");
    OWN_RELAY *other = relay_at(broker.address, "free");
    ok(swo_relay_publish(other, "flow/rate", variable, SWO_KIND_INT64, false));
    await_state(other, "ready");
    assert_int_equal(counts_of(other).dropped, 0);
    unlink(rules);
}

TEST(what_others_send_that_is_no_value_is_dropped_whatever_it_is) {
    /* Newer brokers refuse by themselves what is larger than 2 MB. */
    OWN_BROKER broker = broker_start("max_packet_size 20000000\n");
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = relay_at(broker.address, "odd");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "odd/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *text = mirror_of(other, "odd/flow/text", SWO_KIND_TEXT);
    await_number(mirror, 1);
    await_state(other, "ready");
    await_state(owner, "ready");
    free(run_command(&broker, "printf '\\377\\376' | mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/odd/flow/text -s"));
    await_state(other, "ready: dropped a payload, homie/5/odd/flow/text: it is no UTF-8 text (1 dropped");
    free(run_command(&broker,
                     "head -c 10000000 /dev/zero | mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/odd/flow/rate -s"));
    await_state(other, "ready: dropped a payload that is too large, homie/5/odd/flow/rate (2 dropped");
    free(run_command(
        &broker, "head -c 10000000 /dev/zero | mosquitto_pub -h 127.0.0.1 -p $PORT -t homie/5/odd/flow/rate/set -s"));
    await_state(owner, "ready: dropped a payload that is too large, homie/5/odd/flow/rate/set");
    free(run_command(
        &broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -V 5 -D publish user-property author 'not a number' -D publish "
                 "user-property seq -5 -t homie/5/odd/flow/rate -m 77"));
    await_number(mirror, 77);
    assert_int_equal(number_of(variable), 1);
    set_number(variable, 2);
    await_number(mirror, 2);
}

TEST(an_owner_that_is_coming_back_is_asked) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *messages = NULL;
    OWN_RELAY *listening = relay_at(broker.address, NULL);
    ok(swo_relay_watch(listening, "homie/5/back/light/level/set", &messages));
    struct listener *listener = listen_to(messages);
    await_state(listening, "ready");
    swo_relay_options options = options_at(broker.address, NULL);
    options.request_timeout = 0x7FFFFFFF;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "back/light/level", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_owner = mirror_of(other, "back/$state", SWO_KIND_TEXT);
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/back/$state' -m lost && "
                              "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/back/light/level -m 1"));
    await_number(mirror, 1);
    await_text(of_owner, "lost");
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/back/$state' -m init"));
    await_text(of_owner, "init");
    set_number(mirror, 9);
    await_heard(listener, "homie/5/back/light/level/set 9");
    assert_true(swo_relay_is_pending(other, "back/light/level"));
    /* It leaves before it has decided. */
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/back/$state' -m lost"));
    await_number(mirror, 1);
    await_state(other, "ready: dropped a value that was asked for, homie/5/back/light/level: its owner is gone");
    assert_false(swo_relay_is_pending(other, "back/light/level"));
    assert_int_equal(counts_of(other).dropped, 1);
    listener_free(listener);
}

/* Whether something else hears of what is asked for, and so the broker does not say that nothing does. */
static void ask_early(bool is_heard) {
    OWN_BROKER broker = broker_start(NULL);
    swo_relay_options options = options_at(broker.address, NULL);
    options.request_timeout = 0x7FFFFFFF;
    OWN_RELAY *other = relay_with(options), *owner = relay_at(broker.address, NULL);
    OWN_RELAY *third = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "back/light/level", SWO_KIND_INT64), *asked = NULL, *all = NULL;
    OWN_OBSERVABLE *of_owner = mirror_of(other, "back/$state", SWO_KIND_TEXT);
    ok(swo_relay_watch(third, "homie/5/back/light/#", &all));
    struct listener *everything = is_heard ? listen_to(all) : NULL;
    await_state(third, "ready");
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/there/$state' -m ready && "
                              "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/back/$state' -m init && "
                              "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/back/light/level -m 1"));
    await_text(of_owner, "init");
    await_number(mirror, 1);
    await_subscribed(third, "there");
    set_number(mirror, 9);
    if (is_heard) await_heard(everything, "homie/5/back/light/level/set 9");
    while (counts_of(other).sent == 0) sched_yield();
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/back/light/other -m 2"));
    OWN_OBSERVABLE *later = mirror_of(other, "back/light/other", SWO_KIND_INT64);
    await_number(later, 2);
    assert_true(swo_relay_is_pending(other, "back/light/level"));
    ok(swo_relay_watch(owner, "homie/5/back/light/level/set", &asked));
    struct listener *listener = listen_to(asked);
    await_subscribed(owner, "there");
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t 'homie/5/back/$state' -m ready"));
    await_heard(listener, "homie/5/back/light/level/set 9");
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/back/light/level -m 9"));
    while (swo_relay_is_pending(other, "back/light/level")) sched_yield();
    await_number(mirror, 9);
    assert_int_equal(counts_of(other).dropped, 0);
    listener_free(listener);
    if (is_heard) listener_free(everything);
}

TEST(an_owner_that_did_not_hear_as_it_came_back_is_asked_again) {
    ask_early(false);
    ask_early(true);
}

TEST(what_is_mirrored_is_asked_for_in_packets_that_the_broker_takes) {
    OWN_BROKER broker = broker_start("max_packet_size 250\n");
    OWN_RELAY *relay = relay_at(broker.address, NULL);
    enum { COUNT_ = 250 };
    swo_observable *mirrors[COUNT_];
    for (int i = 0; i < COUNT_; i++) {
        char name[128];
        /* Some of them are much longer than others. */
        snprintf(name, sizeof name, "small/node-%0*d/value", i % 50 == 0 ? 90 : 3, i);
        mirrors[i] = mirror_of(relay, name, SWO_KIND_INT64);
    }
    /* No packet of this broker's has room for its topic. */
    char path[300], said[400];
    snprintf(path, sizeof path, "small/%0128d/%0128d", 0, 0);
    OWN_OBSERVABLE *endless = mirror_of(relay, path, SWO_KIND_INT64);
    snprintf(said, sizeof said, "ready: the broker refused a subscription, homie/5/%s: it is too large", path);
    await_state(relay, said);
    free(run_command(&broker, "for i in 003 249; do mosquitto_pub -h 127.0.0.1 -p $PORT -r -t "
                              "homie/5/small/node-$i/value -m 7; done"));
    await_number(mirrors[3], 7);
    await_number(mirrors[COUNT_ - 1], 7);
    for (int i = 0; i < COUNT_; i++) RELEASE(mirrors[i]);
}

TEST(two_programs_of_one_name_are_told_and_mirrors_agree) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_OBSERVABLE *one = number_variable(1), *two = number_variable(2);
    OWN_RELAY *first = relay_at(broker.address, "twin");
    ok(swo_relay_publish(first, "flow/rate", one, SWO_KIND_INT64, false));
    await_state(first, "ready");
    swo_relay *second = relay_at(broker.address, "twin");
    ok(swo_relay_publish(second, "flow/rate", two, SWO_KIND_INT64, false));
    await_state(first, "ready: another program has the same name, homie/5/twin/$state");
    await_state(second, "ready");
    OWN_RELAY *here = relay_at(broker.address, NULL), *there = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(here, "twin/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *other = mirror_of(there, "twin/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *of_device = mirror_of(here, "twin/$state", SWO_KIND_TEXT);
    await_state(here, "ready");
    await_state(there, "ready");
    set_number(two, 22);
    await_number(mirror, 22);
    set_number(one, 11);
    await_number(mirror, 11);
    await_number(other, 11);
    /* One leaves, and the other one is still there. */
    swo_relay_release(second);
    for (bool is_ready = false; !is_ready;) {
        char *said = run_command(&broker, "mosquitto_sub -h 127.0.0.1 -p $PORT -t 'homie/5/twin/$state' -C 1");
        is_ready = strcmp(said, "ready\n") == 0;
        free(said);
    }
    await_text(of_device, "ready");
}

/* Around its limit one byte decides, and libmosquitto is wrong by some. */
TEST(a_value_that_a_broker_may_not_take_is_dropped_whatever_its_size) {
    OWN_BROKER broker = broker_start("max_packet_size 300\n");
    OWN_OBSERVABLE *variable = NULL;
    char text[400];
    memset(text, 'x', sizeof text);
    swo_value value = swo_text_sized(text, 1);
    ok(swo_variable_new(&value, &variable));
    OWN_RELAY *owner = relay_at(broker.address, "k");
    OWN_RELAY *other = relay_at(broker.address, NULL);
    ok(swo_relay_publish(owner, "a/b", variable, SWO_KIND_TEXT, false));
    OWN_OBSERVABLE *mirror = mirror_of(other, "k/a/b", SWO_KIND_TEXT);
    await_equal(mirror, variable);
    await_state(owner, "ready");
    size_t largest = 0;
    for (size_t size = 180; size < 320; size++) {
        uint64_t dropped = counts_of(owner).dropped;
        value = swo_text_sized(text, size);
        ok(swo_variable_set(variable, &value, NULL));
        while (counts_of(owner).dropped == dropped && largest < size) {
            swo_value now;
            ok(swo_variable_get(mirror, &now));
            if (now.as.bytes.size == size) largest = size;
            swo_value_clear(&now);
        }
        /* All larger ones are too large, then. */
        if (counts_of(owner).dropped > dropped) assert_true(largest == 0 || largest < size);
    }
    /* With its topic, its author and a number of two digits, a packet of 300 bytes: some brokers take a few more. */
    assert_in_range(largest, 200, 244);
    assert_int_equal(counts_of(owner).connections, 1);
}
