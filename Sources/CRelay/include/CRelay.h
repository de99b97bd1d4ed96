/* SPDX-License-Identifier: MIT */
/* What a relay needs of the machine, of libmosquitto and of sd-bus, in the shape that Embedded Swift can call. */
#ifndef CRELAY_H
#define CRELAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay_probes.h"

/* ---- threads ---- */

/* A lock with one condition. NULL if there is no memory. */
typedef struct relay_lock relay_lock;
relay_lock *relay_lock_new(void);
void relay_lock_free(relay_lock *lock);
void relay_lock_enter(relay_lock *lock);
bool relay_lock_try(relay_lock *lock); /* whether it could be entered at once */
void relay_lock_leave(relay_lock *lock);
/* Gives the lock up until another thread announces something. May return without that. */
void relay_lock_wait(relay_lock *lock);
void relay_lock_wait_for(relay_lock *lock, int64_t milliseconds); /* at most */
void relay_lock_announce(relay_lock *lock);

/* Guards what all relays of the process share: the brokers in memory. */
void relay_shared_enter(void);
void relay_shared_leave(void);
void *relay_shared_brokers(void);
void relay_share_brokers(void *brokers);

/* Begins a thread that no signal disturbs. 0 if there can be none. */
uintptr_t relay_thread_begin(void (*body)(void *context), void *context);
/* Waits for the end of a thread. */
void relay_thread_end(uintptr_t thread);
bool relay_thread_is_of_relay(void); /* whether the caller is one that was begun so */
void relay_thread_let_go(uintptr_t thread);

/* A descriptor that is readable from when it is raised to when it has been waited for. -1 if none is available. */
int relay_event_new(void);
void relay_event_free(int event);
void relay_event_raise(int event);

/* Waits until one of the two is readable, `socket` can be written to if that is asked for, or so many milliseconds have
 * passed. */
#define RELAY_READABLE 1
#define RELAY_WRITABLE 2
#define RELAY_RAISED 4
int relay_wait(int event, int socket, bool to_write, int milliseconds);

/* ---- the machine ---- */

int64_t relay_milliseconds(void); /* of a clock that is never set */
int64_t relay_wall_milliseconds(void);
uint64_t relay_random(void);
int64_t relay_process(void);
bool relay_equal(const void *bytes, const void *others, size_t size);

/* Numbers as texts, whatever the program's locale is. The shortest text that is read as the same number; the size. */
enum { RELAY_NUMBER_SIZE = 32 };
size_t relay_write_double(double number, char *out);
/* Whether a text is a finite number and nothing else. */
bool relay_read_double(const void *text, size_t size, double *out);

/* ---- MQTT ---- */

typedef struct relay_mqtt relay_mqtt;

/* Texts end with a zero; each may be NULL. They are borrowed. */
typedef struct relay_mqtt_settings {
    const char *host;
    int port;
    int keep_alive; /* seconds */
    size_t largest_payload;
    bool encrypted;
    const char *user, *password;
    const char *ca_file, *certificate_file, *key_file;
    const char *client;
    const char *will_topic, *will, *author;
} relay_mqtt_settings;

/* Called in relay_mqtt_step(), on its thread. */
typedef struct relay_mqtt_events {
    void (*connected)(void *context);
    /* `reason` is a sentence without its full stop. */
    void (*lost)(void *context, const char *reason);
    /* Of a payload that is larger than the largest there is the size alone. */
    void (*received)(void *context, const char *topic, size_t topic_size, const void *payload, size_t size,
                     bool retained, uint32_t subscription, const char *author, const char *seq);
    /* `refused` is NULL, or why; `unheard`: nothing has subscribed. */
    void (*published)(void *context, int id, const char *refused, bool unheard);
    void (*subscribed)(void *context, int id, const char *refused);
} relay_mqtt_events;

/* Begins to connect. NULL: it cannot, and `problem` is why. */
relay_mqtt *relay_mqtt_connect(const relay_mqtt_settings *settings, const relay_mqtt_events *events, void *context,
                               char *problem, size_t size);
/* Ends a connection; `politely` says so to the broker, which then keeps the will to itself. */
void relay_mqtt_free(relay_mqtt *mqtt, bool politely);
/* These return the id that its answer has, or a negative number: it cannot be sent. `seq` 0: it has none. */
int relay_mqtt_publish(relay_mqtt *mqtt, const char *topic, const void *payload, size_t size, bool reliably,
                       bool retained, const char *author, uint64_t seq);
/* `of_others`: not what this connection publishes. What comes has the number of its subscription, 0 where a broker
 * knows none. */
int relay_mqtt_subscribe(relay_mqtt *mqtt, const char *const *topics, size_t count, bool reliably, bool with_retained,
                         bool of_others, uint32_t subscription);
int relay_mqtt_unsubscribe(relay_mqtt *mqtt, const char *topic);
/* Sends what can be sent. Whether something waits to be. */
bool relay_mqtt_is_full(relay_mqtt *mqtt);
/* Waits, at most so long, and does what there is to do. While it waits it gives the lock up, and another thread may use
 * the connection. Whether so much had come in that the broker may have had no room for more. */
bool relay_mqtt_step(relay_mqtt *mqtt, int event, relay_lock *lock, int milliseconds);

/* ---- D-Bus ---- */

typedef struct relay_dbus relay_dbus;
typedef struct sd_bus_message relay_dbus_message;

/* Ends with a zero. Not `const char *`, so that Swift's bytes are one. */
typedef const uint8_t *relay_text;

enum { RELAY_DBUS_CALL = 1, RELAY_DBUS_RETURN = 2, RELAY_DBUS_ERROR = 3, RELAY_DBUS_SIGNAL = 4 };

/* A message that came in, borrowed for the length of a call. What it does not say is NULL. */
typedef struct relay_dbus_received {
    relay_dbus_message *message;
    int kind;
    uint64_t answered; /* the number of the call */
    const char *sender, *path, *interface, *member;
    const char *error, *said;
} relay_dbus_received;

/* Called in relay_dbus_step(), on its thread. */
typedef struct relay_dbus_events {
    void (*connected)(void *context);
    /* `reason` is a sentence without its full stop. */
    void (*lost)(void *context, const char *reason);
    /* Whether the message is done with. */
    bool (*received)(void *context, const relay_dbus_received *message);
} relay_dbus_events;

/* Begins to connect to "session", "system", or the bus at an address. NULL: it cannot, and `problem` is why. */
relay_dbus *relay_dbus_connect(relay_text address, const relay_dbus_events *events, void *context, char *problem,
                               size_t size);
void relay_dbus_free(relay_dbus *dbus);
/* How many messages wait to be written. */
uint64_t relay_dbus_unwritten(relay_dbus *dbus);
/* Waits, at most so long, and does what there is to do. */
void relay_dbus_step(relay_dbus *dbus, int event, int milliseconds);

/* A message is made and filled and sent before the next one is made. What goes wrong meanwhile, sending says. */
relay_dbus_message *relay_dbus_signal(relay_dbus *dbus, relay_text path, relay_text interface, relay_text member);
relay_dbus_message *relay_dbus_call(relay_dbus *dbus, relay_text destination, relay_text path, relay_text interface,
                                    relay_text member);
relay_dbus_message *relay_dbus_answer(relay_dbus *dbus, relay_dbus_message *call);
relay_dbus_message *relay_dbus_refusal(relay_dbus *dbus, relay_dbus_message *call, relay_text error, relay_text why);
/* A container: 'a', 'e' or 'v'. */
void relay_dbus_open(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text contents);
void relay_dbus_close(relay_dbus *dbus, relay_dbus_message *message);
/* A text, 's', or a path, 'o'. */
void relay_dbus_add_text(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text text);
void relay_dbus_add_flags(relay_dbus *dbus, relay_dbus_message *message, uint32_t flags);
/* What a payload says, as 'b', 'x', 'd' or 's'. */
void relay_dbus_add_value(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text payload);
/* Takes the message. The number that its answer has, 0 if none is wanted, or a negative one: it cannot be sent. */
int64_t relay_dbus_send(relay_dbus *dbus, relay_dbus_message *message, bool is_answered);

/* Keeps a call until it is answered. */
void relay_dbus_keep(relay_dbus *dbus, relay_dbus_message *message);
void relay_dbus_let_go(relay_dbus *dbus, relay_dbus_message *message);
bool relay_dbus_wants_answer(relay_dbus *dbus, relay_dbus_message *message);

/* Reading goes from one to the next. False, NULL or 0: there is no such thing at this place. */
bool relay_dbus_enter(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text contents);
void relay_dbus_leave(relay_dbus *dbus, relay_dbus_message *message);
void relay_dbus_skip(relay_dbus *dbus, relay_dbus_message *message, relay_text types);
const char *relay_dbus_read_text(relay_dbus *dbus, relay_dbus_message *message, uint8_t type);
uint32_t relay_dbus_read_number(relay_dbus *dbus, relay_dbus_message *message);

/* A value as a payload: `text`, or where that is NULL, `characters`. */
typedef struct relay_dbus_value {
    uint8_t type; /* 0: none that can be relayed; '0': nothing, which is null */
    size_t size;
    const char *text;
    char characters[RELAY_NUMBER_SIZE];
} relay_dbus_value;
relay_dbus_value relay_dbus_read_value(relay_dbus *dbus, relay_dbus_message *message);
relay_dbus_value relay_dbus_read_variant(relay_dbus *dbus, relay_dbus_message *message);

#endif
