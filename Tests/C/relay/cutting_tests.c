/* SPDX-License-Identifier: MIT */
/* A connection that is cut in the middle of a packet, of every kind, on either side, both ways. */
#include "proxy.h"
#include "relay_support.h"

/* Two relays, each behind a proxy: one has the observables, the other one mirrors them. */
struct session {
    struct broker broker;
    struct proxy *behind_owner, *behind_other;
    swo_relay *owner, *other;
    swo_observable *rate, *limit, *fixed, *rings;
    swo_observable *rate_there, *limit_there, *rings_there;
    int64_t number;
    /* What came of the rings: numbers that go up. */
    atomic_llong last_ring, rings_heard, rings_sent;
};

HANDLER(hear_ring, context) {
    struct session *session = context;
    must(message->as.int64 > session->last_ring);
    session->last_ring = message->as.int64;
    session->rings_heard++;
}

static swo_relay *relay_behind(struct proxy *proxy, const char *device) {
    swo_relay_options options = options_at(proxy_address(proxy), device);
    options.keep_alive = 5;
    return relay_with(options);
}

static void begin_session(struct session *session) {
    *session = (struct session){.broker = broker_start(NULL)};
    session->behind_owner = proxy_start(session->broker.port);
    session->behind_other = proxy_start(session->broker.port);
    session->rate = number_variable(0);
    session->limit = number_variable(0);
    session->fixed = number_variable(7);
    session->rings = swo_messenger_new();
    session->owner = relay_behind(session->behind_owner, "cut");
    ok(swo_relay_publish(session->owner, "flow/rate", session->rate, SWO_KIND_INT64, false));
    ok(swo_relay_publish(session->owner, "flow/limit", session->limit, SWO_KIND_INT64, true));
    ok(swo_relay_publish(session->owner, "flow/fixed", session->fixed, SWO_KIND_INT64, false));
    ok(swo_relay_publish(session->owner, "door/rings", session->rings, SWO_KIND_INT64, false));
    session->other = relay_behind(session->behind_other, NULL);
    session->rate_there = mirror_of(session->other, "cut/flow/rate", SWO_KIND_INT64);
    session->limit_there = mirror_of(session->other, "cut/flow/limit", SWO_KIND_INT64);
    ok(swo_relay_mirror_messenger(session->other, "cut/door/rings", SWO_KIND_INT64, &session->rings_there));
    ok(swo_observe(session->rings_there, NULL, hear_ring, session, NULL, NULL));
    await_number(session->limit_there, 0);
    await_state(session->owner, "ready");
    await_subscribed(session->other, "cut");
}

static void end_session(struct session *session) {
    swo_relay_release(session->owner);
    swo_relay_release(session->other);
    RELEASE(session->rate, session->limit, session->fixed, session->rings, session->rate_there, session->limit_there,
            session->rings_there);
    proxy_free(session->behind_owner);
    proxy_free(session->behind_other);
    broker_end(&session->broker);
}

/* Makes packets of each kind that does not take a new connection or silence. What is set arrives. */
static void do_everything(struct session *session) {
    int64_t number = ++session->number;
    set_number(session->rate, number);
    send_number(session->rings, number);
    session->rings_sent++;
    set_number(session->limit_there, number);
    OWN_OBSERVABLE *brief = mirror_of(session->other, "cut/flow/fixed", SWO_KIND_INT64);
    await_number(brief, 7);
    ok(swo_relay_forget(session->other, "cut/flow/fixed"));
    await_number(session->rate_there, number);
}

struct place {
    const char *name;
    bool is_at_owner;
    enum way way;
    enum packet kind;
    /* Whether the connection has to be made again first, or has to be silent. */
    bool begins, is_silent;
};

static const struct place places[] = {
    {"owner's CONNECT", true, TO_BROKER, .kind = CONNECT, .begins = true},
    {"owner's SUBSCRIBE", true, TO_BROKER, .kind = SUBSCRIBE, .begins = true},
    {"owner's PUBLISH", true, TO_BROKER, .kind = PUBLISH},
    {"owner's PUBACK", true, TO_BROKER, .kind = PUBACK},
    {"owner's PINGREQ", true, TO_BROKER, .kind = PINGREQ, .is_silent = true},
    {"CONNACK to owner", true, TO_RELAY, .kind = CONNACK, .begins = true},
    {"SUBACK to owner", true, TO_RELAY, .kind = SUBACK, .begins = true},
    {"PUBLISH to owner", true, TO_RELAY, .kind = PUBLISH},
    {"PUBACK to owner", true, TO_RELAY, .kind = PUBACK},
    {"other's CONNECT", false, TO_BROKER, .kind = CONNECT, .begins = true},
    {"other's SUBSCRIBE", false, TO_BROKER, .kind = SUBSCRIBE},
    {"other's UNSUBSCRIBE", false, TO_BROKER, .kind = UNSUBSCRIBE},
    {"other's PUBLISH", false, TO_BROKER, .kind = PUBLISH},
    {"other's PUBACK", false, TO_BROKER, .kind = PUBACK},
    {"CONNACK to other", false, TO_RELAY, .kind = CONNACK, .begins = true},
    {"SUBACK to other", false, TO_RELAY, .kind = SUBACK},
    {"UNSUBACK to other", false, TO_RELAY, .kind = UNSUBACK},
    {"PUBLISH to other", false, TO_RELAY, .kind = PUBLISH},
    {"PUBACK to other", false, TO_RELAY, .kind = PUBACK},
    {"PINGRESP to other", false, TO_RELAY, .kind = PINGRESP, .is_silent = true},
};

static void cut_at(struct session *session, const struct place *place, enum part part) {
    fprintf(stderr, "%s, part %d\n", place->name, part);
    struct proxy *proxy = place->is_at_owner ? session->behind_owner : session->behind_other;
    proxy_cut_in(proxy, place->way, place->kind, part);
    if (place->begins) proxy_cut(proxy);
    if (place->begins || place->is_silent) proxy_await_cut(proxy);
    do do_everything(session);
    while (!proxy_has_cut(proxy));
    /* What was asked for has been done, or undone. */
    await_equal(session->limit_there, session->limit);
    await_equal(session->rate_there, session->rate);
    await_state(session->owner, "ready");
    await_state(session->other, "ready");
}

static void cut_at_all(bool at_owner) {
    struct session session;
    begin_session(&session);
    for (const struct place *place = places; place < places + COUNT(places); place++) {
        if (place->is_at_owner != at_owner) continue;
        for (enum part part = FIRST_BYTE; part < (place->is_silent ? 1 : PARTS); part++) cut_at(&session, place, part);
    }
    /* Another one, until it is sent: it may not have been noticed yet that the connection is gone. Then it arrives. */
    uint64_t unsent;
    do {
        unsent = counts_of(session.owner).dropped;
        do_everything(&session);
    } while (counts_of(session.owner).dropped != unsent);
    while (session.last_ring < session.number) sched_yield();
    /* None was lost on a connection of the sender that broke, and none came twice. */
    if (at_owner) assert_int_equal(session.rings_heard, (uint64_t)session.rings_sent - unsent);
    end_session(&session);
}

TEST(a_senders_connection_that_is_cut_in_any_packet_loses_no_event_and_no_value) { cut_at_all(true); }
TEST(a_mirrors_connection_that_is_cut_in_any_packet_ends_with_equal_values) { cut_at_all(false); }

TEST(a_goodbye_that_is_cut_leaves_nothing_that_waits) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_RELAY *other = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *of_device = mirror_of(other, "leaving/$state", SWO_KIND_TEXT);
    OWN_PROXY *proxy = proxy_start(broker.port);
    for (enum part part = FIRST_BYTE; part < PARTS; part++)
        for (enum packet kind = PUBLISH; kind <= DISCONNECT; kind += DISCONNECT - PUBLISH) {
            swo_relay *relay = relay_behind(proxy, "leaving");
            await_state(relay, "ready");
            await_text(of_device, "ready");
            proxy_cut_in(proxy, TO_BROKER, kind, part);
            swo_relay_release(relay);
            proxy_await_cut(proxy);
            /* By the will. */
            await_text(of_device, "lost");
        }
}

/* ---- connections that are slow ---- */

TEST(a_slow_connection_has_the_last_value_and_is_not_made_again) {
    OWN_BROKER broker = broker_start("max_queued_messages 1\n");
    OWN_PROXY *proxy = proxy_start(broker.port);
    swo_value text = swo_text("0");
    OWN_OBSERVABLE *variable = NULL;
    ok(swo_variable_new(&text, &variable));
    OWN_RELAY *owner = relay_at(broker.address, "wide");
    ok(swo_relay_publish(owner, "flow/text", variable, SWO_KIND_TEXT, false));
    OWN_RELAY *other = relay_behind(proxy, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "wide/flow/text", SWO_KIND_TEXT);
    await_equal(mirror, variable);
    await_state(owner, "ready");
    await_state(other, "ready");
    /* The broker has room for the first of them, and for none of the last. */
    proxy_slow_down(proxy, 1);
    char line[513];
    memset(line, 'x', 512);
    line[512] = 0;
    for (int number = 1; number <= 2000; number++) {
        char digits[8];
        snprintf(digits, sizeof digits, "%05d", number);
        memcpy(line, digits, 5);
        text = swo_text(line);
        ok(swo_variable_set(variable, &text, NULL));
    }
    await_state(owner, "ready");
    proxy_slow_down(proxy, 50);
    await_equal(mirror, variable);
    assert_int_equal(counts_of(other).connections, 1);
}

TEST(a_broker_whose_answer_to_a_ping_does_not_come_lives_as_long_as_something_comes) {
    OWN_BROKER broker = broker_start(NULL);
    OWN_PROXY *proxy = proxy_start(broker.port);
    OWN_OBSERVABLE *variable = number_variable(0);
    OWN_RELAY *owner = relay_at(broker.address, "chatty");
    ok(swo_relay_publish(owner, "flow/rate", variable, SWO_KIND_INT64, false));
    OWN_RELAY *other = relay_behind(proxy, NULL);
    OWN_OBSERVABLE *mirror = mirror_of(other, "chatty/flow/rate", SWO_KIND_INT64);
    await_number(mirror, 0);
    await_state(other, "ready");
    proxy_swallow(proxy, PINGRESP);
    for (int64_t number = 1; proxy_count(proxy, TO_BROKER, PINGREQ, "") < 4; number++) {
        set_number(variable, number);
        await_number(mirror, number);
        usleep(1000);
    }
    assert_int_equal(counts_of(other).connections, 1);
    /* When nothing comes any more, it is lost. */
    await_state(other, "lost");
}
