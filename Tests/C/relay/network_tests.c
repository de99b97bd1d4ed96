/* SPDX-License-Identifier: MIT */
/* What relays keep when what connects them fails: run with a broker, and with a bus. */
#include "relay_support.h"

TEST(a_program_that_dies_is_seen_to_be_lost) {
    OWN_BROKER broker = network_start();
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *of_device = mirror_of(other, "dying/$state", SWO_KIND_TEXT);
    await_state(other, "ready");
    pid_t child = fork();
    if (child == 0) {
        swo_relay *relay = relay_at(broker.address, "dying");
        await_state(relay, "ready");
        for (;;) pause();
    }
    await_text(of_device, "ready");
    kill(child, SIGKILL);
    await_text(of_device, "lost");
}

TEST(after_the_broker_was_killed_all_values_are_equal_again) {
    OWN_BROKER broker = network_start();
    OWN_OBSERVABLE *variable = number_variable(1), *settable = number_variable(10);
    OWN_RELAY *owner = relay_at(broker.address, "firm");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    ok(swo_relay_publish(owner, "flow/limit", settable, SWO_KIND_INT64, true));
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "firm/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *limit = mirror_of(other, "firm/flow/limit", SWO_KIND_INT64);
    for (int64_t round = 2; round < 5; round++) {
        await_number(mirror, round - 1);
        await_state(owner, "ready");
        await_state(other, "ready");
        broker_kill(&broker);
        await_state(owner, "lost: the b");
        await_state(other, "lost: the b");
        set_number(variable, round);
        broker_start_again(&broker);
        await_number(mirror, round);
        await_number(limit, 10);
    }
    await_state(other, "ready");
    await_state(owner, "ready");
    assert_true(counts_of(owner).connections >= 4 && counts_of(owner).connections <= 100);
    await_confirmed(other, "firm/flow/limit");
    set_number(limit, 11);
    await_number(settable, 11);
    await_number(limit, 11);
}

TEST(what_is_sent_and_set_without_a_connection_is_dropped_and_reported) {
    OWN_BROKER broker = network_start();
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *variable = number_variable(1);
    OWN_RELAY *owner = relay_at(broker.address, "cut");
    ok(swo_relay_publish(owner, "door/rings", messenger, SWO_KIND_INT64, false));
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *rings = NULL, *mirror = mirror_of(other, "cut/flow/rate", SWO_KIND_INT64);
    ok(swo_relay_mirror_messenger(other, "cut/door/rings", SWO_KIND_INT64, &rings));
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_subscribed(other, "cut");
    struct listener *listener = listen_to(rings);
    send_number(messenger, 1);
    await_heard(listener, "1");
    broker_kill(&broker);
    await_state(owner, "lost");
    await_state(other, "lost");
    send_number(messenger, 2);
    assert_int_equal(counts_of(owner).dropped, 1);
    set_number(mirror, 5);
    await_number(mirror, 1);
    assert_int_equal(counts_of(other).dropped, 1);
    broker_start_again(&broker);
    await_state(owner, "ready");
    await_state(other, "ready");
    send_number(messenger, 3);
    await_heard(listener, "3");
    assert_string_equal(heard(listener), "1\n3\n");
    assert_int_equal(number_of(variable), 1);
    listener_free(listener);
}

static int in_child(swo_relay *relay, swo_observable *variable, swo_observable *mirror) {
    swo_relay_counts counts = SWO_RELAY_COUNTS_INIT;
    set_number(variable, 100);
    set_number(mirror, 200);
    swo_observable *none = NULL;
    if (swo_relay_mirror(relay, "forked/flow/other", SWO_KIND_INT64, &none) != SWO_NOT_FOUND) return 1;
    if (swo_relay_count(relay, &counts) != SWO_NOT_FOUND || swo_relay_is_ready(relay)) return 2;
    swo_relay_release(relay);
    return 0;
}

TEST(after_a_fork_the_relay_is_the_parents) {
    OWN_BROKER broker = network_start();
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = relay_at(broker.address, "forked");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_OBSERVABLE *mirror = mirror_of(owner, "forked/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    pid_t child = fork();
    if (child == 0) {
        /* The threads exist in the parent alone, so valgrind has no business with what they had. */
        if (in_child(owner, variable, mirror) == 0) execl("/bin/true", "true", NULL);
        _exit(1);
    }
    int status = -1;
    must(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    set_number(variable, 2);
    await_number(mirror, 2);
    assert_int_equal(counts_of(owner).connections, 1);
}
