/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/relay.h
 *  Observables beyond this process: over MQTT, between programs and machines; over D-Bus, between those of one machine.
 *
 *      swo_relay_options options = SWO_RELAY_OPTIONS_INIT;
 *      options.address = "mqtt://localhost";
 *      options.device = "kitchen";
 *      swo_relay *relay;
 *      if (swo_relay_new(&options, &relay) != SWO_OK) abort();
 *
 *      if (swo_relay_publish(relay, "climate/temperature", temperature, SWO_KIND_DOUBLE, false) != SWO_OK) abort();
 *
 *      swo_observable *light;
 *      if (swo_relay_mirror(relay, "hall/ceiling/light", SWO_KIND_BOOL, &light) != SWO_OK) abort();
 *      swo_value on = swo_bool(true);
 *      swo_variable_set(light, &on, NULL);          // asks the program that has the light
 *
 *  A *relay* connects this program to a broker. It *publishes* observables of this program under the name of a
 *  *device*, and *mirrors* those of others: a mirror is an ordinary variable or messenger of this process. Any broker
 *  of MQTT 5 will do, like mosquitto; the messages follow the convention Homie 5, so that other tools see and set them:
 *  `mosquitto_sub -v -t 'homie/5/#'`.
 *
 *  What a relay keeps:
 *
 *  - Values converge. Only the latest value of a variable counts. A mirror may skip values, and never receives them in
 *    another order. When both sides are connected and no more is published, each mirror has the last value, even if
 *    messages were lost, programs were restarted, or others published in the program's place. Only what is set while
 *    the variable or the mirror is blocked (swo_observable_block()) stays where it is, until the next value.
 *  - The device belongs to its program. The relay replaces what others publish below the device by what the program
 *    has. It takes away what the broker has retained there and the program has not published within a second after it
 *    was ready. When no other value follows one, the relay sends it once more, so that the broker says whether it takes
 *    it; the relay counts and reports what the broker refuses.
 *  - Events arrive, those of one sender in order, while both sides are connected. If a connection breaks, the relay
 *    sends its last events again, and a mirror recognises those that come twice. The relay drops and reports what a
 *    messenger sends while there is no connection, and reports how many messages the broker dropped. For that, events
 *    have quality 1 of MQTT (at least once), where Homie has 0 (at most once), which would lose them without a word. A
 *    program that subscribes with quality 0 receives them with that.
 *  - No echo. The relay does not send back what has come in.
 *  - Handlers of mirrors run on the relay's *delivery thread*, by the author that is the relay itself. They may be
 *    slow: the network has a thread of its own, and of each variable only the latest value waits.
 *  - The state is a variable (swo_relay_state()). A lost connection is made again, after 1 s, then 2 s, and so on up
 *    to 60 s, each by a quarter shorter or longer, by chance.
 *  - A value of another type, or one that is too large, does not cross. The relay counts and reports it, and nothing
 *    changes.
 *
 *  Values are null, booleans, 64 bit integers, doubles and texts. In a message null is nothing, so the broker retains
 *  nothing; the empty text is one zero byte; a double is the shortest number that is read as the same. The relay
 *  refuses infinities, NaN, bytes, objects and updates: map them to a text first.
 *
 *  A mirror is null as long as the broker has no value for it. Other programs cannot set null: the relay drops an empty
 *  message to `.../set`, except where the value is a text, because other tools set a text to empty in this way.
 *
 *  Names are made of small letters, digits and hyphens: `node/property` of the own device, `device/node/property` of
 *  another one.
 *
 *  A user's name and password stand in no message, state or graph.
 *
 *  No peer can end the program. The relay checks each packet by the standard of MQTT 5, also where another program
 *  answers at the broker's address, and closes the connection at the first packet that is wrong. A payload above
 *  `largest_payload` costs no memory; the relay tells the broker not to send any that is 16 MB larger than that, and
 *  does not count those. Where the network is not trusted, use `mqtts://`. A program that may publish a device's topics
 *  can act as that device: SECURITY.md has a table, and `bindings/mqtt/devices.acl` is an access list for mosquitto.
 *
 *  libmosquitto.so.1 is loaded when the first relay connects to a broker, libsystemd.so.0 with the first that connects
 *  to a bus. Where it is missing, the state says so.
 *
 *  On a bus of D-Bus, the bus is what is called a broker here, and all of this holds, in the words of D-Bus:
 *
 *  - The device `kitchen` has the name `org.swiftobserver.kitchen` and the path `/org/swiftobserver/kitchen`.
 *  - Its node `climate` is the interface `org.swiftobserver.climate`.
 *  - A variable `room-warmth` is the property `room_warmth`, whose changes are signalled; a messenger is a signal, with
 *    one argument, or none for null. Their types are `b`, `x`, `d` and `s`.
 *  - `$state` and `$description` are the properties `state` and `description` of `org.swiftobserver.Device`.
 *
 *  In names `-` becomes `_`, and an `N` precedes a digit in front. Get, Set, GetAll, introspection and the object
 *  manager at `/org/swiftobserver` are those of D-Bus, so other tools see and set values: `busctl introspect
 *  org.swiftobserver.kitchen /org/swiftobserver/kitchen`. Set is answered when the owner has decided; a property that
 *  cannot be set answers PropertyReadOnly, a value of another type InvalidArgs. What differs:
 *
 *  - A bus retains nothing: a device that has left has no values, so their mirrors are null. Its `$state` is "lost", or
 *    "disconnected" if it said goodbye, to those that saw it leave, and null to others.
 *  - A property that is null is left out; that it becomes null is signalled as its invalidation. A text with a zero in
 *    it does not cross.
 *  - One program at a time has a name. Another one of the same name waits until that has left; its state is "ready:
 *    another program has the same name, ..." meanwhile, and what it publishes is not seen.
 *  - Who may have which name, read and set is the affair of the bus and its policy, of which there is an example for
 *    the system bus: a user, a password and files have no meaning.
 *
 *  Link with `-lswiftobserver-relay -lswiftobserver`; every function may be called on any thread, and also inside
 *  handlers. After a fork the relay is the parent's: in the child, calls return SWO_NOT_FOUND and what is set stays
 *  there.
 */
#ifndef SWIFTOBSERVER_RELAY_H
#define SWIFTOBSERVER_RELAY_H

#include "../swiftobserver.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------- connecting */

/** A connection to a broker, and what goes over it. Counted like observables. */
typedef struct swo_relay swo_relay;

/** How a relay connects. Begin with SWO_RELAY_OPTIONS_INIT; texts are copied. */
typedef struct swo_relay_options {
    size_t size; /**< sizeof(swo_relay_options); later versions append fields */
    /** `mqtt://host:port`, or `mqtts://host:port` for an encrypted connection; without a port 1883, or 8883.
     *  `dbus:session`, `dbus:system`, or `dbus:` and the address of a bus, as in `dbus:unix:path=/run/bus`.
     *  `memory:name` is a broker inside this process, for tests: relays of one name meet there. */
    const char *SWO_NULLABLE address;
    /** The name of this program's device. NULL: it publishes nothing. Two programs have two names. */
    const char *SWO_NULLABLE device;
    const char *SWO_NULLABLE title;            /**< what people call the device. NULL: its name */
    const char *SWO_NULLABLE user;             /**< or NULL */
    const char *SWO_NULLABLE password;         /**< or NULL */
    const char *SWO_NULLABLE ca_file;          /**< whom to trust, for mqtts. NULL: whom the system trusts */
    const char *SWO_NULLABLE certificate_file; /**< of this program, where the broker asks for one. NULL: none */
    const char *SWO_NULLABLE key_file;         /**< of that certificate, without a password */
    size_t largest_payload;                    /**< in bytes; 0: 65536 */
    uint32_t first_retry;                      /**< in milliseconds; 0: 1000 */
    uint32_t last_retry;                       /**< in milliseconds; 0: 60000 */
    uint32_t keep_alive; /**< after how many seconds of silence the connection is lost, about; 0: 10. At least 5 */
    /** Where Home Assistant looks for devices, which is `homeassistant` unless it was told otherwise: there it is told
     *  of this one, in one retained message, `homeassistant/device/<device>/config`, and which of its entities stand
     *  for what is published: sensors, switches, numbers, texts and events, there while the device is "ready". What is
     *  withdrawn is taken away there, and the device with the last of it. After the relay's end it is shown as not
     *  available, and keeps its history for the next time. NULL: Home Assistant is told nothing. Not over D-Bus. */
    const char *SWO_NULLABLE discovery;
    /** In milliseconds: how long the owner may take to answer what a mirror was set to. Then the mirror becomes what it
     *  was. 0: 10000 */
    uint32_t request_timeout;
    /** In milliseconds: a mirror becomes null when it has been unconfirmed for so long (swo_relay_unconfirmed()), until
     *  its owner is there again. 0: it keeps the last value, however old. */
    uint32_t stale_after;
} swo_relay_options;

#define SWO_RELAY_OPTIONS_INIT                                                                                         \
    { sizeof(swo_relay_options), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, NULL, 0, 0 }

/** Makes a relay, which begins to connect, and to connect again whenever the connection is lost. The caller owns the
 *  result.
 *  @param options  borrowed for the length of the call.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: the address is none, it names a user, the device's name is none,
 *          discovery is no beginning of a topic, or a number is out of bounds: swo_relay_options_problem() tells),
 *          SWO_INVALID_TEXT if the title is no UTF-8, SWO_NO_MEMORY, or SWO_NO_RESOURCES if there are no threads or
 *          descriptors. */
SWO_API swo_status swo_relay_new(const swo_relay_options *SWO_NULLABLE options,
                                 swo_relay *SWO_NULLABLE *SWO_NULLABLE out);

/** What is wrong with options: which of them, and what it should look like, as a sentence without its full stop. It
 *  shows no value, for that may be a password. Lives for ever. NULL: nothing, or there are no options. */
SWO_API const char *SWO_NULLABLE swo_relay_options_problem(const swo_relay_options *SWO_NULLABLE options);

/** Adds an owner. Returns its argument; NULL for NULL. */
SWO_API swo_relay *SWO_NULLABLE swo_relay_retain(swo_relay *SWO_NULLABLE relay);

/** Ends one ownership. With the last one what waits is sent, for two seconds at most, the device is said to be
 *  disconnected, and the connection ends, for which the broker has another second. Once this has returned no handler of
 *  a mirror is called by the relay, unless this is called inside a handler that a relay calls, of this one or another:
 *  there it does not wait for handlers, so two that release each other's relay do not wait for one another. Mirrors
 *  keep the last value of their owners, and change no more. NULL is ignored. */
SWO_API void swo_relay_release(swo_relay *SWO_NULLABLE relay);

/** The state, a variable that holds a text: "connecting", "ready", "lost: ..." with the reason, and "closed"; "ready:
 *  ..." and "connecting: ..." say what did not cross, as in "ready: 4 dropped", and that another program has the same
 *  device. It is ready when what is retained of all mirrors has been received, and all that is published has been sent;
 *  it stays so when another mirror is made, or something else is published. It comes after the values that came before
 *  it, but waits for no handler: if one of a mirror takes longer, handlers of the state run on another thread. The
 *  relay owns it. NULL for NULL. */
SWO_API swo_observable *SWO_NULLABLE swo_relay_state(swo_relay *SWO_NULLABLE relay);

/** Whether, at this moment, what is retained of all mirrors has been received, also of those that were made last, and
 *  all that is published has been sent. False for NULL. */
SWO_API bool swo_relay_is_ready(swo_relay *SWO_NULLABLE relay);

/** How many messages went which way since a relay was made. */
typedef struct swo_relay_counts {
    size_t size;          /**< sizeof(swo_relay_counts); later versions append fields */
    uint64_t sent;        /**< to the broker */
    uint64_t received;    /**< from the broker */
    uint64_t dropped;     /**< not let through: no value of the type, too large, refused, sent without a connection */
    uint64_t lost;        /**< sent by others, and dropped by the broker */
    uint64_t connections; /**< how often the broker let the relay in */
} swo_relay_counts;

#define SWO_RELAY_COUNTS_INIT                                                                                          \
    { sizeof(swo_relay_counts), 0, 0, 0, 0, 0 }

/** Counts messages.
 *  @param out  begins with its size.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: the size is too small), or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_count(swo_relay *SWO_NULLABLE relay, swo_relay_counts *SWO_NULLABLE out);

/* ------------------------------------------------------------- publishing */

/** Lets others observe an observable of this program, as the property `node/property` of its device. A variable, or
 *  what else is buffered (swo_latest()), has a value, which the broker retains for those that come later; a messenger
 *  sends events. It is kept alive until it is withdrawn, or the relay is released.
 *  @param kind      of its values: SWO_KIND_BOOL, SWO_KIND_INT64, SWO_KIND_DOUBLE or SWO_KIND_TEXT. Null is a value of
 *                   each; an integer is a value of SWO_KIND_DOUBLE; a value of another kind does not cross.
 *  @param settable  whether others may set it, which must then be a variable. They ask, by the author that is the
 *                   relay; whatever it then holds is published.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: that is no name, or the relay has no device), SWO_WRONG_KIND (also: it
 *          is settable and no variable), SWO_NO_MEMORY, or SWO_NOT_FOUND if something is published there already. */
SWO_API swo_status swo_relay_publish(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name,
                                     swo_observable *SWO_NULLABLE observable, int32_t kind, bool settable);

/** What others are told of a property, and what it may hold. Begin with SWO_RELAY_PROPERTY_INIT; texts are copied. */
typedef struct swo_relay_property {
    size_t size; /**< sizeof(swo_relay_property); later versions append fields */
    /** Whether others may set it, as swo_relay_publish() has it. */
    bool settable;
    const char *SWO_NULLABLE title; /**< what people call it. NULL: its name */
    const char *SWO_NULLABLE unit;  /**< of a number, as in "°C", "%" or "lx". NULL: none */
    /** What it may hold, as Homie writes it. Of numbers from where to where, and maybe in what steps: `0:100`,
     *  `0:100:5`,
     *  `:10`. Of texts which ones there are: `low,medium,high`; others call that an enum. Of booleans what people call
     *  false and true: `off,on`. What is not in a range, or none of the texts, does not cross, in either direction;
     *  what lies between steps does. NULL: anything */
    const char *SWO_NULLABLE format;
} swo_relay_property;

#define SWO_RELAY_PROPERTY_INIT                                                                                        \
    { sizeof(swo_relay_property), false, NULL, NULL, NULL }

/** Lets others observe an observable, and tells them more of it: in `$description`, and Home Assistant where it is told
 *  of the device, which then shows units, bounds and choices.
 *  @param property  borrowed for the length of the call.
 *  @return as swo_relay_publish(), SWO_INVALID_ARGUMENT also if the format is none, and SWO_INVALID_TEXT. */
SWO_API swo_status swo_relay_publish_with(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name,
                                          swo_observable *SWO_NULLABLE observable, int32_t kind,
                                          const swo_relay_property *SWO_NULLABLE property);

/** Raises an alert of the own device, which people are to know of: `$alert/<name>`, which the broker retains. Not over
 *  D-Bus.
 *  @param text  NULL: takes it back.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: that is no name, the text is empty, or there is no device),
 *          SWO_INVALID_TEXT, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_alert(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name,
                                   const char *SWO_NULLABLE text);

/** Says that the own device sleeps, so that it answers late: its `$state` is "sleeping" instead of "ready" until it is
 *  told otherwise. Nothing else changes.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: there is no device), or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_sleep(swo_relay *SWO_NULLABLE relay, bool sleeping);

/** Ends what is published under a name: the broker forgets it, and mirrors become null.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_withdraw(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name);

/** Takes another device away for good: all that the broker retains of it, `$state` and `$description`, too, so that its
 *  mirrors become null. Each topic is taken away once, so a program that still has the device publishes it again. Over
 *  D-Bus nothing is retained, and nothing happens.
 *  @param device  its name, which is not the own one.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_remove(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE device);

/* -------------------------------------------------------------- mirroring */

/** Makes a variable that holds what a variable of another program holds: `device/node/property`. It is null until a
 *  value has come. The name `device/$state` is that of the device's own state, a text: "init", "ready", "sleeping",
 *  "disconnected", or "lost" where the program has died.
 *
 *  Setting it asks the owner, which decides: what the owner then has is published, and replaces what was set. Until
 *  then the mirror has what was set, and the request is pending (swo_relay_is_pending()). If it cannot be set, the
 *  broker or the policy of the bus refuses it, the owner is gone ("lost" or "disconnected") or does not answer in time
 *  (request_timeout), or there is no connection, the mirror becomes what it was, the request is counted as dropped, and
 *  the state says why. An owner that says "init" is coming back: it is asked, and once more when it is ready, if it has
 *  not answered. One that the Homie way says what it is about to have (`$target`) has decided, too: the mirror then
 *  becomes what it was, and what it will be when it is.
 *
 *  Asked again for the same name, the result is the same variable.
 *  @param kind  SWO_KIND_BOOL, SWO_KIND_INT64, SWO_KIND_DOUBLE or SWO_KIND_TEXT.
 *  @param out   the caller owns the result. The relay does, too, until swo_relay_forget().
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: that is no name), SWO_WRONG_KIND (also: it is mirrored as another kind),
 *          SWO_NO_MEMORY, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_mirror(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name, int32_t kind,
                                    swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Whether what a mirror was set to waits for its owner to decide, or the mirror is about to become what was decided.
 *  False also for NULL, and where nothing is mirrored under that name. */
SWO_API bool swo_relay_is_pending(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name);

/** How long nothing has said that the owner of a mirror has its value: because its device is "lost" or "disconnected"
 *  and not ready again, or this relay has no connection, or has not received yet what is retained.
 *  @param milliseconds  so long, at least 1; 0: the owner has it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_unconfirmed(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name,
                                         uint64_t *SWO_NULLABLE milliseconds);

/** Makes a messenger that sends what a messenger of another program sends. Everything else as swo_relay_mirror(); what
 *  is sent to it goes nowhere else. */
SWO_API swo_status swo_relay_mirror_messenger(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name,
                                              int32_t kind, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Ends the mirror of a name: it changes no more.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_forget(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE name);

/** Makes a messenger that sends all messages of some topics of the broker, while it is observed: each as a text, the
 *  topic, a space, and the payload. First come those that the broker retains; of each topic that waits, the latest. So
 *  `homie/5/+/$state` lists the devices, and goes on with what becomes of them. A payload that is no UTF-8 does not
 *  cross. While it is observed the relay keeps it alive.
 *  @param filter  a topic filter of MQTT: `+` stands for one level, `#` at the end for all. On a bus it is one as well,
 *                 for `homie/5/` and the names of the device, the node and the property.
 *  @param out     the caller owns the result.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: that is no filter), or SWO_NOT_FOUND. */
SWO_API swo_status swo_relay_watch(swo_relay *SWO_NULLABLE relay, const char *SWO_NULLABLE filter,
                                   swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Begins to show this process to a live page: what the library calls where SWIFTOBSERVER_INSPECT asks for it, and
 *  nothing for programs. See `python -m swiftobserver.inspect`.
 *  @param inspection  what the library says of itself, in a form that is its own.
 *  @return NULL, or a sentence that lives for ever: why not. */
SWO_API const char *SWO_NULLABLE swo_inspect_attach(const void *SWO_NULLABLE inspection);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
