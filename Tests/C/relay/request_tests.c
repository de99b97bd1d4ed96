/* SPDX-License-Identifier: MIT */
/* What becomes of what a mirror is set to, and what its value is worth: run with the broker in memory, with a real one,
 * and with a bus. */
#include "relay_support.h"

/* As long as no test lasts. */
enum { NEVER = 0x7FFFFFFF };

static swo_relay *patient_relay(const char *device, uint32_t request_timeout) {
    swo_relay_options options = options_at(meeting, device);
    options.request_timeout = request_timeout;
    return relay_with(options);
}

static void await_decided(swo_relay *relay, const char *name) {
    while (swo_relay_is_pending(relay, name)) sched_yield();
}

/* Until the whole state, or a part of it, says something. */
static void await_said(swo_relay *relay, const char *part) {
    for (bool is_said = false; !is_said;) {
        swo_value value;
        ok(swo_variable_get(swo_relay_state(relay), &value));
        is_said = strstr(value.as.bytes.data, part) != NULL;
        swo_value_clear(&value);
        if (!is_said) sched_yield();
    }
}

/* ---- requests ---- */

TEST(a_request_is_pending_until_its_owner_has_decided) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_GATE *gate = gate_new();
    /* Before the relay, which so does not hear of it either. */
    struct probe deciding = {.name = "deciding", .action = pass_gate, .gate = gate};
    observe(variable, NULL, &deciding);
    OWN_RELAY *owner = new_relay("slow");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "slow/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "slow/light/level");
    assert_false(swo_relay_is_pending(other, "slow/light/level"));
    set_number(mirror, 9);
    /* The relay's own thread may be about to hand the first value on, and then asks itself. */
    while (!swo_relay_is_pending(other, "slow/light/level")) sched_yield();
    gate_await(gate);
    assert_true(swo_relay_is_pending(other, "slow/light/level"));
    gate_open(gate);
    await_decided(other, "slow/light/level");
    await_number(mirror, 9);
    swo_stop_and_wait(deciding.observation);
    assert_false(swo_relay_is_pending(other, "slow/light/other"));
    assert_false(swo_relay_is_pending(NULL, "slow/light/level"));
    assert_false(swo_relay_is_pending(other, NULL));
}

TEST(a_request_that_its_owner_does_not_answer_in_time_is_undone) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_GATE *gate = gate_new();
    /* Before the relay, which so does not hear of it either. */
    struct probe deciding = {.name = "deciding", .action = pass_gate, .gate = gate};
    observe(variable, NULL, &deciding);
    OWN_RELAY *owner = new_relay("silent");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = patient_relay(NULL, 50);
    OWN_OBSERVABLE *mirror = mirror_of(other, "silent/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "silent/light/level");
    await_state(other, "ready");
    set_number(mirror, 9);
    gate_await(gate);
    await_decided(other, "silent/light/level");
    await_number(mirror, 1);
    await_said(other,
               "dropped a value that was asked for, homie/5/silent/light/level: its owner did not answer in 50 ms");
    assert_int_equal(counts_of(other).dropped, 1);
    /* It answers late: that counts, too. */
    gate_open(gate);
    await_number(mirror, 9);
    swo_stop_and_wait(deciding.observation);
    assert_int_equal(counts_of(other).dropped, 1);
}

TEST(what_cannot_be_set_is_undone_whoever_listens) {
    OWN_OBSERVABLE *variable = number_variable(1), *messages = NULL;
    OWN_RELAY *owner = new_relay("fixed");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, false));
    OWN_RELAY *listening = new_relay(NULL);
    ok(swo_relay_watch(listening, "homie/5/#", &messages));
    struct listener *listener = listen_to(messages);
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "fixed/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "fixed/light/level");
    await_heard(listener, "homie/5/fixed/light/level 1");
    for (uint64_t times = 1; times <= 3; times++) {
        set_number(mirror, 9);
        await_number(mirror, 1);
        await_decided(other, "fixed/light/level");
        while (counts_of(other).dropped < times) sched_yield();
    }
    await_said(other, "cannot be set");
    assert_int_equal(counts_of(other).dropped, 3);
    assert_int_equal(number_of(variable), 1);
    listener_free(listener);
}

TEST(what_is_asked_of_an_owner_that_is_gone_is_undone_whoever_listens) {
    OWN_OBSERVABLE *variable = number_variable(1), *messages = NULL;
    swo_relay *owner = new_relay("left");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *listening = ready_relay(NULL);
    ok(swo_relay_watch(listening, "homie/5/#", &messages));
    struct listener *listener = listen_to(messages);
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "left/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "left/light/level");
    swo_relay_release(owner);
    while (unconfirmed(other, "left/light/level") == 0) sched_yield();
    if (is_on_a_bus) await_null(mirror);
    set_number(mirror, 9);
    /* What a device had is null on a bus when it has left. */
    if (is_on_a_bus) await_null(mirror);
    else await_number(mirror, 1);
    await_said(other, "its owner is gone");
    assert_false(swo_relay_is_pending(other, "left/light/level"));
    assert_int_equal(counts_of(other).dropped, 1);
    listener_free(listener);
}

THREAD(release_it, relay) { return swo_relay_release(relay), NULL; }

TEST(a_request_that_waits_as_its_owner_leaves_is_undone) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_GATE *gate = gate_new();
    /* Before the relay, which so does not hear of it either. */
    struct probe deciding = {.name = "deciding", .action = pass_gate, .gate = gate};
    observe(variable, NULL, &deciding);
    swo_relay *owner = new_relay("leaving");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "leaving/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "leaving/light/level");
    set_number(mirror, 9);
    gate_await(gate);
    pthread_t closing;
    must(pthread_create(&closing, NULL, release_it, owner) == 0);
    if (is_on_a_bus) await_null(mirror);
    else await_number(mirror, 1);
    assert_false(swo_relay_is_pending(other, "leaving/light/level"));
    gate_open(gate);
    must(pthread_join(closing, NULL) == 0);
    swo_stop_and_wait(deciding.observation);
}

TEST(what_is_asked_last_counts) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("slider");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "slider/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "slider/light/level");
    for (int64_t number = 2; number <= 200; number++) set_number(mirror, number);
    await_number(variable, 200);
    await_decided(other, "slider/light/level");
    await_number(mirror, 200);
}

TEST(the_state_of_a_device_cannot_be_set) {
    OWN_RELAY *owner = ready_relay("sovereign");
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "sovereign/$state", SWO_KIND_TEXT);
    await_text(mirror, "ready");
    swo_value lost = swo_text("lost");
    ok(swo_variable_set(mirror, &lost, NULL));
    await_text(mirror, "ready");
    await_said(other, "it cannot be set");
    (void)owner;
}

TEST(null_cannot_be_set_from_outside) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("solid");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    OWN_RELAY *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "solid/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "solid/light/level");
    await_state(other, "ready");
    ok(swo_variable_set(mirror, &(swo_value){0}, NULL));
    await_number(mirror, 1);
    await_decided(other, "solid/light/level");
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(counts_of(owner).dropped + counts_of(other).dropped, 1);
}

TEST(what_is_pending_as_the_relay_is_released_is_undone) {
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_GATE *gate = gate_new();
    /* Before the relay, which so does not hear of it either. */
    struct probe deciding = {.name = "deciding", .action = pass_gate, .gate = gate};
    observe(variable, NULL, &deciding);
    OWN_RELAY *owner = new_relay("late");
    ok(swo_relay_publish(owner, "light/level", variable, SWO_KIND_INT64, true));
    swo_relay *other = patient_relay(NULL, NEVER);
    OWN_OBSERVABLE *mirror = mirror_of(other, "late/light/level", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(owner, "ready");
    await_confirmed(other, "late/light/level");
    set_number(mirror, 9);
    gate_await(gate);
    swo_relay_release(other);
    assert_int_equal(number_of(mirror), 1);
    gate_open(gate);
    swo_stop_and_wait(deciding.observation);
}

/* ---- what values are worth ---- */

TEST(a_mirror_knows_how_long_it_is_unconfirmed) {
    OWN_RELAY *other = new_relay(NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "known/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *variable = number_variable(1);
    for (int64_t round = 1; round <= 3; round++) {
        set_number(variable, round);
        swo_relay *owner = new_relay("known");
        ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
        await_number(mirror, round);
        await_confirmed(other, "known/flow/rate");
        swo_relay_release(owner);
        while (unconfirmed(other, "known/flow/rate") == 0) sched_yield();
        /* It counts on. */
        uint64_t first = unconfirmed(other, "known/flow/rate");
        while (unconfirmed(other, "known/flow/rate") <= first) sched_yield();
    }
    uint64_t milliseconds;
    assert_int_equal(swo_relay_unconfirmed(other, "known/flow/other", &milliseconds), SWO_NOT_FOUND);
    assert_int_equal(swo_relay_unconfirmed(other, NULL, &milliseconds), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_unconfirmed(other, "known/flow/rate", NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_relay_unconfirmed(NULL, "known/flow/rate", &milliseconds), SWO_INVALID_ARGUMENT);
}

TEST(a_mirror_is_confirmed_once_what_is_retained_has_come) {
    /* On a bus all that a device has comes at once, and in another order. */
    if (is_on_a_bus) skip();
    enum { COUNT_ = 250 };
    swo_observable *variables[COUNT_], *mirrors[COUNT_], *late[COUNT_];
    OWN_RELAY *owner = new_relay("many"), *other = new_relay(NULL);
    share_many(owner, other, COUNT_, variables, mirrors);
    await_state(owner, "ready");
    OWN_RELAY *third = ready_relay(NULL);
    char name[64];
    for (int i = 0; i < COUNT_; i++) {
        snprintf(name, sizeof name, "many/node-%d/value", i);
        late[i] = mirror_of(third, name, SWO_KIND_INT64);
    }
    await_confirmed(third, name);
    /* That of the device, and its values. */
    assert_true(counts_of(third).received > COUNT_);
    for (int i = 0; i < COUNT_; i++) RELEASE(variables[i], mirrors[i], late[i]);
}

TEST(a_mirror_that_is_unconfirmed_for_long_is_null_until_its_owner_is_back) {
    swo_relay_options options = options_at(meeting, NULL);
    options.stale_after = 20;
    OWN_RELAY *other = relay_with(options);
    OWN_OBSERVABLE *mirror = mirror_of(other, "stale/flow/rate", SWO_KIND_INT64);
    OWN_OBSERVABLE *variable = number_variable(1);
    for (int64_t round = 1; round <= 3; round++) {
        set_number(variable, round);
        swo_relay *owner = new_relay("stale");
        ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
        await_number(mirror, round);
        swo_relay_release(owner);
        await_null(mirror);
    }
}

/* ---- what waits for whom ---- */

TEST(the_state_waits_for_no_handler_of_a_mirror) {
    OWN_OBSERVABLE *variable = number_variable(1), *odd = number_variable(1);
    OWN_GATE *gate = gate_new();
    OWN_RELAY *owner = new_relay("quick");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = new_relay("watched");
    ok(swo_relay_publish(other, "flow/odd", odd, SWO_KIND_INT64, false));
    OWN_OBSERVABLE *mirror = mirror_of(other, "quick/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 1);
    await_state(other, "ready");
    struct probe slow = {.name = "slow", .action = pass_gate, .gate = gate};
    observe(mirror, NULL, &slow);
    set_number(variable, 2);
    gate_await(gate);
    for (int times = 1; times <= 3; times++) {
        char said[64];
        swo_value text = swo_text_sized("no number", (size_t)times);
        ok(swo_variable_set(odd, &text, NULL));
        snprintf(said, sizeof said, "(%d dropped so far)", times);
        await_said(other, said);
    }
    gate_open(gate);
    swo_stop_and_wait(slow.observation);
    assert_int_equal(number_of(mirror), 2);
}

struct cross {
    swo_relay *relays[2];
    sem_t inside[2], done;
};

static void release_other(struct cross *cross, int own) {
    sem_post(&cross->inside[own]);
    sem_wait(&cross->inside[!own]);
    swo_relay_release(cross->relays[!own]);
    sem_post(&cross->done);
}

HANDLER(release_second, cross) {
    if (message->as.update->new_value.as.int64 == 2) release_other(cross, 0);
}
HANDLER(release_first, cross) {
    if (message->as.update->new_value.as.int64 == 2) release_other(cross, 1);
}

TEST(handlers_of_two_relays_may_release_each_others) {
    struct cross cross;
    for (int i = 0; i < 2; i++) sem_init(&cross.inside[i], 0, 0);
    sem_init(&cross.done, 0, 0);
    OWN_OBSERVABLE *variable = number_variable(1);
    OWN_RELAY *owner = new_relay("crossed");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    swo_observable *mirrors[2];
    for (int i = 0; i < 2; i++) {
        cross.relays[i] = new_relay(NULL);
        mirrors[i] = mirror_of(cross.relays[i], "crossed/flow/rate", SWO_KIND_INT64);
        await_number(mirrors[i], 1);
    }
    ok(swo_observe(mirrors[0], NULL, release_second, &cross, NULL, NULL));
    ok(swo_observe(mirrors[1], NULL, release_first, &cross, NULL, NULL));
    set_number(variable, 2);
    for (int i = 0; i < 2; i++)
        while (sem_wait(&cross.done) != 0) {}
    RELEASE(mirrors[0], mirrors[1]);
}

TEST(what_is_watched_no_longer_as_it_is_asked_for_does_not_come) {
    OWN_OBSERVABLE *variable = number_variable(0), *last = number_variable(1);
    OWN_RELAY *owner = new_relay("leaky");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    await_state(owner, "ready");
    OWN_RELAY *other = ready_relay(NULL);
    for (int round = 0; round < 20; round++) {
        OWN_OBSERVABLE *messages = NULL;
        ok(swo_relay_watch(other, round % 2 ? "homie/5/#" : "homie/5/leaky/#", &messages));
        listener_free(listen_to(messages));
    }
    await_subscribed(other, "leaky");
    uint64_t before = counts_of(other).received;
    OWN_OBSERVABLE *there = mirror_of(other, "leaky/flow/last", SWO_KIND_INT64);
    for (int64_t number = 1; number <= 200; number++) set_number(variable, number);
    ok(swo_relay_publish(owner, "flow/last", last, SWO_KIND_INT64, false));
    await_number(there, 1);
    assert_true(counts_of(other).received < before + 50);
}
