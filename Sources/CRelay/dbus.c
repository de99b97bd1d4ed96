/* SPDX-License-Identifier: MIT */
/* One connection to a bus by sd-bus, used by one thread alone. Replies are found by their numbers, so that sd-bus keeps
 * nothing for those that never come. */
#define _GNU_SOURCE
#include "CRelay.h"
#include "sdbus.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct relay_dbus {
    const struct sdbus_functions *library;
    sd_bus *bus;
    relay_dbus_events events;
    void *context;
    bool is_connected, is_lost;
    bool has_more; /* messages that have been read */
    int failed;    /* what went wrong with the message that is being made */
    char where[256];
};

static void lose(relay_dbus *dbus, int error) {
    if (dbus->is_lost) return;
    dbus->is_lost = true;
    char reason[512];
    if (error == -ECONNRESET || error == -ENOTCONN || error == -EPIPE || error == 0)
        snprintf(reason, sizeof reason, "%s closed the connection", dbus->where);
    else
        snprintf(reason, sizeof reason, "%s: %s", dbus->where, strerror(-error));
    dbus->events.lost(dbus->context, reason);
}

static int on_message(sd_bus_message *message, void *context, sd_bus_error *error) {
    relay_dbus *dbus = context;
    const struct sdbus_functions *library = dbus->library;
    (void)error;
    uint8_t kind = 0;
    library->message_get_type(message, &kind);
    relay_dbus_received received = {.message = message,
                                    .kind = kind,
                                    .sender = library->message_get_sender(message),
                                    .path = library->message_get_path(message),
                                    .interface = library->message_get_interface(message),
                                    .member = library->message_get_member(message)};
    if (kind == RELAY_DBUS_RETURN || kind == RELAY_DBUS_ERROR)
        library->message_get_reply_cookie(message, &received.answered);
    if (kind == RELAY_DBUS_ERROR) {
        const sd_bus_error *said = library->message_get_error(message);
        received.error = said != NULL ? said->name : NULL;
        received.said = said != NULL ? said->message : NULL;
    }
    return dbus->events.received(dbus->context, &received);
}

/* ---- connecting ---- */

static int open_bus(relay_dbus *dbus, const char *address) {
    const struct sdbus_functions *library = dbus->library;
    if (strcmp(address, "session") == 0) return library->open_user(&dbus->bus);
    if (strcmp(address, "system") == 0) return library->open_system(&dbus->bus);
    int error = library->new (&dbus->bus);
    if (error >= 0) error = library->set_address(dbus->bus, address);
    if (error >= 0) error = library->set_bus_client(dbus->bus, 1);
    if (error >= 0) error = library->start(dbus->bus);
    return error;
}

relay_dbus *relay_dbus_connect(relay_text address, const relay_dbus_events *events, void *context, char *problem,
                               size_t size) {
    const char *failure, *name = (const char *)address;
    const struct sdbus_functions *library = load_sdbus(&failure);
    if (library == NULL) {
        snprintf(problem, size, "%s", failure);
        return NULL;
    }
    snprintf(problem, size, "there is no memory for a connection");
    relay_dbus *dbus = calloc(1, sizeof *dbus);
    if (dbus == NULL) return NULL;
    *dbus = (relay_dbus){.library = library, .events = *events, .context = context};
    bool is_named = strchr(name, ':') == NULL;
    snprintf(dbus->where, sizeof dbus->where, is_named ? "the %s bus" : "the bus at %s", name);
    int error = open_bus(dbus, name);
    if (error >= 0) error = library->add_filter(dbus->bus, NULL, on_message, dbus);
    if (error >= 0) return dbus;
    if (error == -ENOMEDIUM)
        snprintf(problem, size, "%s has no address: DBUS_SESSION_BUS_ADDRESS is not set", dbus->where);
    else
        snprintf(problem, size, "%s: %s", dbus->where, strerror(-error));
    relay_dbus_free(dbus);
    return NULL;
}

void relay_dbus_free(relay_dbus *dbus) {
    if (dbus->bus != NULL) {
        dbus->library->close(dbus->bus);
        dbus->library->unref(dbus->bus);
    }
    free(dbus);
}

uint64_t relay_dbus_unwritten(relay_dbus *dbus) {
    uint64_t count = 0;
    dbus->library->get_n_queued_write(dbus->bus, &count);
    return count;
}

void relay_dbus_step(relay_dbus *dbus, int event, int milliseconds) {
    enum { MOST = 200 };
    const struct sdbus_functions *library = dbus->library;
    if (dbus->is_lost) return;
    int wanted = library->get_events(dbus->bus);
    if (wanted < 0) {
        lose(dbus, wanted);
        return;
    }
    relay_wait(event, library->get_fd(dbus->bus), wanted & POLLOUT, dbus->has_more ? 0 : milliseconds);
    int count = 0, found = 1;
    while (count++ < MOST && !dbus->is_lost && (found = library->process(dbus->bus, NULL)) > 0) {}
    dbus->has_more = found > 0;
    if (found < 0)
        lose(dbus, found);
    else if (library->is_open(dbus->bus) <= 0)
        lose(dbus, 0);
    else if (!dbus->is_connected && library->is_ready(dbus->bus) > 0) {
        dbus->is_connected = true;
        dbus->events.connected(dbus->context);
    }
}

/* ---- making messages ---- */

#define TEXT(text) ((const char *)(text))

static relay_dbus_message *made(relay_dbus *dbus, int error, sd_bus_message *message) {
    dbus->failed = error < 0 ? error : 0;
    return error < 0 ? NULL : message;
}

relay_dbus_message *relay_dbus_signal(relay_dbus *dbus, relay_text path, relay_text interface, relay_text member) {
    sd_bus_message *message = NULL;
    int error = dbus->library->message_new_signal(dbus->bus, &message, TEXT(path), TEXT(interface), TEXT(member));
    return made(dbus, error, message);
}

relay_dbus_message *relay_dbus_call(relay_dbus *dbus, relay_text destination, relay_text path, relay_text interface,
                                    relay_text member) {
    sd_bus_message *message = NULL;
    int error = dbus->library->message_new_method_call(dbus->bus, &message, TEXT(destination), TEXT(path),
                                                       TEXT(interface), TEXT(member));
    if (error >= 0) dbus->library->message_set_auto_start(message, 0);
    return made(dbus, error, message);
}

relay_dbus_message *relay_dbus_answer(relay_dbus *dbus, relay_dbus_message *call) {
    sd_bus_message *message = NULL;
    int error = dbus->library->message_new_method_return(call, &message);
    return made(dbus, error, message);
}

relay_dbus_message *relay_dbus_refusal(relay_dbus *dbus, relay_dbus_message *call, relay_text name, relay_text why) {
    sd_bus_message *message = NULL;
    sd_bus_error said = {TEXT(name), TEXT(why), 0};
    int error = dbus->library->message_new_method_error(call, &message, &said);
    return made(dbus, error, message);
}

static void note(relay_dbus *dbus, int error) {
    if (error < 0 && dbus->failed == 0) dbus->failed = error;
}

void relay_dbus_open(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text contents) {
    if (message != NULL) note(dbus, dbus->library->message_open_container(message, (char)type, TEXT(contents)));
}

void relay_dbus_close(relay_dbus *dbus, relay_dbus_message *message) {
    if (message != NULL) note(dbus, dbus->library->message_close_container(message));
}

void relay_dbus_add_text(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text text) {
    if (message != NULL) note(dbus, dbus->library->message_append_basic(message, (char)type, text));
}

void relay_dbus_add_flags(relay_dbus *dbus, relay_dbus_message *message, uint32_t flags) {
    if (message != NULL) note(dbus, dbus->library->message_append_basic(message, 'u', &flags));
}

void relay_dbus_add_value(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text payload) {
    if (message == NULL) return;
    union {
        int boolean;
        int64_t integer;
        double real;
    } value = {0};
    const void *pointer = &value;
    switch (type) {
    case 'b':
        value.boolean = strcmp(TEXT(payload), "true") == 0;
        break;
    case 'x':
        value.integer = strtoll(TEXT(payload), NULL, 10);
        break;
    case 'd':
        relay_read_double(payload, strlen(TEXT(payload)), &value.real);
        break;
    default:
        pointer = payload;
    }
    note(dbus, dbus->library->message_append_basic(message, (char)type, pointer));
}

int64_t relay_dbus_send(relay_dbus *dbus, relay_dbus_message *message, bool is_answered) {
    uint64_t number = 0;
    if (message == NULL) return -1;
    int error = dbus->failed;
    if (error >= 0) {
        error = dbus->library->send(dbus->bus, message, is_answered ? &number : NULL);
        if (error < 0) lose(dbus, error);
    }
    dbus->library->message_unref(message);
    return error < 0 ? -1 : (int64_t)number;
}

/* ---- reading messages ---- */

void relay_dbus_keep(relay_dbus *dbus, relay_dbus_message *message) { dbus->library->message_ref(message); }
void relay_dbus_let_go(relay_dbus *dbus, relay_dbus_message *message) { dbus->library->message_unref(message); }

bool relay_dbus_wants_answer(relay_dbus *dbus, relay_dbus_message *message) {
    return dbus->library->message_get_expect_reply(message) > 0;
}

bool relay_dbus_enter(relay_dbus *dbus, relay_dbus_message *message, uint8_t type, relay_text contents) {
    return dbus->library->message_enter_container(message, (char)type, TEXT(contents)) > 0;
}

void relay_dbus_leave(relay_dbus *dbus, relay_dbus_message *message) { dbus->library->message_exit_container(message); }

void relay_dbus_skip(relay_dbus *dbus, relay_dbus_message *message, relay_text types) {
    dbus->library->message_skip(message, TEXT(types));
}

const char *relay_dbus_read_text(relay_dbus *dbus, relay_dbus_message *message, uint8_t type) {
    const char *text = NULL;
    return dbus->library->message_read_basic(message, (char)type, &text) > 0 ? text : NULL;
}

uint32_t relay_dbus_read_number(relay_dbus *dbus, relay_dbus_message *message) {
    uint32_t number = 0;
    return dbus->library->message_read_basic(message, 'u', &number) > 0 ? number : 0;
}

/* The payload that a basic value stands for. */
static relay_dbus_value value_at(relay_dbus *dbus, relay_dbus_message *message, char type) {
    relay_dbus_value value = {.type = (uint8_t)type};
    union {
        const char *text;
        int boolean;
        uint8_t y;
        int16_t n;
        uint16_t q;
        int32_t i;
        uint32_t u;
        int64_t x;
        uint64_t t;
        double d;
    } read = {0};
    static const char relayed[] = "bynqiuxtdsog";
    if (strchr(relayed, type) == NULL || dbus->library->message_read_basic(message, type, &read) <= 0) {
        value.type = 0;
        return value;
    }
    char *out = value.characters;
    size_t size = sizeof value.characters;
    switch (type) {
    case 'b':
        value.size = (size_t)snprintf(out, size, "%s", read.boolean ? "true" : "false");
        break;
    case 'y':
        value.size = (size_t)snprintf(out, size, "%u", read.y);
        break;
    case 'n':
        value.size = (size_t)snprintf(out, size, "%d", read.n);
        break;
    case 'q':
        value.size = (size_t)snprintf(out, size, "%u", read.q);
        break;
    case 'i':
        value.size = (size_t)snprintf(out, size, "%d", read.i);
        break;
    case 'u':
        value.size = (size_t)snprintf(out, size, "%u", read.u);
        break;
    case 'x':
        value.size = (size_t)snprintf(out, size, "%lld", (long long)read.x);
        break;
    case 't':
        value.size = (size_t)snprintf(out, size, "%llu", (unsigned long long)read.t);
        break;
    case 'd':
        value.size = relay_write_double(read.d, out);
        break;
    default:
        /* The empty text is one zero, as everywhere in relays. */
        value.text = read.text;
        value.size = *read.text ? strlen(read.text) : 1;
    }
    return value;
}

relay_dbus_value relay_dbus_read_value(relay_dbus *dbus, relay_dbus_message *message) {
    relay_dbus_value none = {0};
    char type = 0;
    const char *contents = NULL;
    int found = dbus->library->message_peek_type(message, &type, &contents);
    /* A signal without anything in it is null. */
    if (found == 0) none.type = '0';
    if (found <= 0) return none;
    return value_at(dbus, message, type);
}

relay_dbus_value relay_dbus_read_variant(relay_dbus *dbus, relay_dbus_message *message) {
    const struct sdbus_functions *library = dbus->library;
    relay_dbus_value none = {0};
    char type = 0;
    const char *contents = NULL;
    if (library->message_peek_type(message, &type, &contents) <= 0 || type != 'v') return none;
    /* Of one letter: a basic type. */
    if (contents[1] != 0 || strchr("bynqiuxtdsog", contents[0]) == NULL) {
        library->message_skip(message, "v");
        return none;
    }
    char basic = contents[0];
    if (library->message_enter_container(message, 'v', contents) <= 0) return none;
    relay_dbus_value value = value_at(dbus, message, basic);
    library->message_exit_container(message);
    return value;
}
