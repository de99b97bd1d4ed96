/* SPDX-License-Identifier: MIT */
/* Owners, mirrors and brokers that are killed and stopped while requests are pending: afterwards each mirror has what
 * its owner has. */
#include "relay_support.h"

enum { VARIABLES = 8, TIMEOUT = 300 };

struct storm {
    struct broker broker;
    pid_t owner;
    unsigned seed;
    /* Two that set, and one that looks. */
    swo_relay *relays[3];
    swo_observable *mirrors[3][VARIABLES];
};

static unsigned any_below(struct storm *storm, unsigned below) {
    storm->seed = storm->seed * 1664525u + 1013904223u;
    return (storm->seed >> 8) % below;
}

static void name_of(int i, const char *device, char name[64]) {
    snprintf(name, 64, "%s%snode/value-%d", device, *device ? "/" : "", i);
}

/* Half of the variables can be set. */
static void begin_owner(struct storm *storm) {
    storm->owner = fork();
    if (storm->owner != 0) return;
    swo_relay *relay = relay_at(storm->broker.address, "stormy");
    for (int i = 0; i < VARIABLES; i++) {
        char name[64];
        name_of(i, "", name);
        ok(swo_relay_publish(relay, name, number_variable(-i), SWO_KIND_INT64, i % 2 == 0));
    }
    for (;;) pause();
}

static void end_owner(struct storm *storm) {
    kill(storm->owner, SIGKILL);
    must(waitpid(storm->owner, NULL, 0) == storm->owner);
}

static void do_something(struct storm *storm) {
    switch (any_below(storm, 12)) {
    case 0:
        end_owner(storm);
        begin_owner(storm);
        break;
    case 1:
        broker_kill(&storm->broker);
        broker_start_again(&storm->broker);
        break;
    case 2:
        kill(storm->broker.process, SIGSTOP);
        usleep(any_below(storm, 20000));
        kill(storm->broker.process, SIGCONT);
        break;
    case 3:
        /* For longer than it may take to answer, now and then. */
        kill(storm->owner, SIGSTOP);
        usleep(any_below(storm, 4) ? any_below(storm, 20000) : 1500 * TIMEOUT);
        kill(storm->owner, SIGCONT);
        break;
    default:
        for (unsigned times = any_below(storm, 20); times > 0; times--)
            set_number(storm->mirrors[any_below(storm, 2)][any_below(storm, VARIABLES)], any_below(storm, 1000));
    }
}

static bool are_equal(swo_observable *one, swo_observable *other) {
    swo_value first, second;
    bool equal;
    ok(swo_variable_get(one, &first));
    ok(swo_variable_get(other, &second));
    ok(swo_value_equal(&first, &second, &equal));
    swo_value_clear(&first);
    swo_value_clear(&second);
    return equal;
}

/* What nothing is set any more: each is confirmed, none is pending, and all have what a new one gets of the broker,
 * which is what the owner says that it has. */
static void await_calm(struct storm *storm, long round) {
    char name[64];
    for (int who = 0; who < 3; who++) {
        await_state(storm->relays[who], "ready");
        for (int i = 0; i < VARIABLES; i++) {
            name_of(i, "stormy", name);
            uint64_t milliseconds = 1;
            while (swo_relay_is_pending(storm->relays[who], name)) sched_yield();
            while (milliseconds != 0) ok(swo_relay_unconfirmed(storm->relays[who], name, &milliseconds));
        }
    }
    OWN_RELAY *late = relay_at(storm->broker.address, NULL);
    OWN_OBSERVABLE *state = mirror_of(late, "stormy/$state", SWO_KIND_TEXT);
    await_text(state, "ready");
    for (int i = 0; i < VARIABLES; i++) {
        name_of(i, "stormy", name);
        OWN_OBSERVABLE *there = mirror_of(late, name, SWO_KIND_INT64);
        /* A variable that cannot be set has had one value. */
        if (i % 2 != 0) await_number(there, -i);
        for (int who = 0; who < 3; who++) {
            fprintf(stderr, "round %ld, mirror %d of relay %d\n", round, i, who);
            while (!are_equal(storm->mirrors[who][i], there)) sched_yield();
        }
    }
}

TEST(after_a_storm_with_requests_pending_each_mirror_has_what_its_owner_has) {
    const char *seed = getenv("SWO_STORM_SEED");
    struct storm storm = {.broker = broker_start(NULL), .seed = seed ? (unsigned)atoi(seed) : 1};
    begin_owner(&storm);
    swo_relay_options options = options_at(storm.broker.address, NULL);
    options.request_timeout = TIMEOUT;
    options.keep_alive = 5;
    char name[64];
    for (int who = 0; who < 3; who++) {
        storm.relays[who] = relay_with(options);
        for (int i = 0; i < VARIABLES; i++) {
            name_of(i, "stormy", name);
            storm.mirrors[who][i] = mirror_of(storm.relays[who], name, SWO_KIND_INT64);
        }
    }
    for (long round = scaled(20); round > 0; round--) {
        for (int i = 0; i < 25; i++) do_something(&storm);
        await_calm(&storm, round);
    }
    for (int who = 0; who < 3; who++) {
        swo_relay_release(storm.relays[who]);
        for (int i = 0; i < VARIABLES; i++) swo_observable_release(storm.mirrors[who][i]);
    }
    end_owner(&storm);
    broker_end(&storm.broker);
}
