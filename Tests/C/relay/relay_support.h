/* SPDX-License-Identifier: MIT */
/** @file relay_support.h
 *  What the tests of relays share: brokers that they start and end, and waiting for what has to come. */
#ifndef SWIFTOBSERVER_TESTS_RELAY_SUPPORT_H
#define SWIFTOBSERVER_TESTS_RELAY_SUPPORT_H

#include "../support.h"
#include <signal.h>
#include <swiftobserver/relay.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWN_RELAY __attribute__((cleanup(drop_relay))) swo_relay
static inline void drop_relay(swo_relay **relay) { swo_relay_release(*relay); }

/** A mosquitto on a free port of the loopback, with its files in a folder of its own. */
struct broker {
    int port;
    pid_t process;
    char folder[64];
    char address[96];
};

/** Starts a broker; `configuration` is added to its own, which lets everyone in. `NULL`: nothing is added. */
struct broker broker_start(const char *configuration);
void broker_start_again(struct broker *broker); /**< on the same port */
void broker_kill(struct broker *broker);        /**< as if it had crashed */
void broker_end(struct broker *broker);         /**< and removes its folder */
/** Starts a dbus-daemon on a socket of its own; it is started again, killed and ended like a broker. */
struct broker bus_start(const char *configuration);
struct broker network_start(void); /**< one or the other, as SWO_RELAY_ENGINE says */
#define OWN_BROKER __attribute__((cleanup(broker_end))) struct broker

/** Where the tests' relays meet: the broker in memory, or with SWO_RELAY_ENGINE=mqtt a real one, =dbus a bus. */
extern const char *meeting;
extern bool is_on_a_bus;

/** A relay that connects there, or to an address; it tries again within milliseconds. `device` may be NULL. */
swo_relay *relay_at(const char *address, const char *device);
swo_relay *new_relay(const char *device);
swo_relay *ready_relay(const char *device); /**< and waits until it is ready */
swo_relay_options options_at(const char *address, const char *device);
swo_relay *relay_with(swo_relay_options options);

/** Wait until a variable holds something; a text begins with it. */
void await_number(swo_observable *variable, int64_t number);
void await_text(swo_observable *variable, const char *beginning);
void await_null(swo_observable *variable);
void await_equal(swo_observable *one, swo_observable *other); /**< until both variables hold the same */
#define await_state(relay, beginning) await_text(swo_relay_state(relay), beginning)

/** Waits until the latest message of a messenger begins so. The messages since `listen_to()` count. */
struct listener {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    char text[1 << 16];
    swo_observation observation;
};
struct listener *listen_to(swo_observable *observable);        /**< notes all messages, in lines */
void await_heard(struct listener *listener, const char *line); /**< until it has noted that line */
const char *heard(struct listener *listener);
void listener_free(struct listener *listener);

/** Until the broker sends the relay what it has mirrored and watched so far. The device has to be there: it has no
 *  property of a new name, which is said last. */
void await_subscribed(swo_relay *relay, const char *device);

/** How long nothing has said that the owner of a mirror has its value; and waits until it is there and has it: before,
 *  what is asked of it may be refused. */
uint64_t unconfirmed(swo_relay *relay, const char *name);
void await_confirmed(swo_relay *relay, const char *name);

/** A mirror of a kind that a test needs. */
swo_observable *mirror_of(swo_relay *relay, const char *name, int32_t kind);
swo_relay_counts counts_of(swo_relay *relay);

/** Publishes variables that hold 0, 1, 2, ... as `node-0/value` and so on of the device "many", mirrors them, and waits
 *  until the mirrors hold the same. */
void share_many(swo_relay *many, swo_relay *other, int count, swo_observable *variables[], swo_observable *mirrors[]);

/** Runs a shell command with $PORT and $BUS set, and what it printed. */
char *run_command(struct broker *broker, const char *command);

#endif
