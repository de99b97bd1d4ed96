/* SPDX-License-Identifier: MIT */
/* One connection to a broker by libmosquitto, used by one thread alone: libmosquitto's own thread would call out. */
#define _GNU_SOURCE
#include "CRelay.h"
#include "mosquitto.h"
#include "refusal.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* How much is read in a turn. The kernel takes at least four times as many bytes from the broker before that has to
 * wait. */
enum { MOST_PACKETS = 64, A_LOT = 16384 };
/* How long a broker may take to close a connection, in milliseconds. */
enum { MOST_PATIENCE = 1000 };

struct relay_mqtt {
    const struct mosquitto_functions *library;
    mosquitto *client;
    relay_mqtt_events events;
    void *context;
    bool is_lost;
    size_t taken; /* bytes of payloads in this turn */
    char where[256];
    char said[192]; /* by OpenSSL */
};

static void lose(relay_mqtt *mqtt, const char *reason) {
    if (mqtt->is_lost) return;
    mqtt->is_lost = true;
    mqtt->events.lost(mqtt->context, reason);
}

/* Says why an error happened. What libmosquitto says of TLS is in its log alone. */
static void explain(relay_mqtt *mqtt, int error, int number, char *out, size_t size) {
    if (error == ERR_ERRNO)
        snprintf(out, size, "%s: %s", mqtt->where, strerror(number));
    else if (error == ERR_KEEPALIVE)
        snprintf(out, size, "%s did not answer in time", mqtt->where);
    else if (error == ERR_CONN_LOST)
        snprintf(out, size, "%s closed the connection%s%s", mqtt->where, *mqtt->said ? ": " : "", mqtt->said);
    else if (*mqtt->said)
        snprintf(out, size, "%s: %s", mqtt->where, mqtt->said);
    else
        snprintf(out, size, "%s: %s", mqtt->where, mqtt->library->strerror(error));
    size_t length = strlen(out);
    if (length > 0 && out[length - 1] == '.') out[length - 1] = 0;
}

static void lose_by(relay_mqtt *mqtt, int error) {
    char reason[512];
    explain(mqtt, error, errno, reason, sizeof reason);
    lose(mqtt, reason);
}

/* ---- callbacks of libmosquitto ---- */

static void on_connect(mosquitto *client, void *context, int reason, int flags, const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client, (void)flags, (void)properties;
    if (reason == 0) {
        mqtt->events.connected(mqtt->context);
        return;
    }
    char why[512];
    snprintf(why, sizeof why, "%s refused the connection: %s", mqtt->where, mqtt->library->reason_string(reason));
    lose(mqtt, why);
}

static void on_disconnect(mosquitto *client, void *context, int reason, const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client, (void)properties;
    /* What the broker says, or an error of the library's own. */
    if (reason < REFUSED) {
        lose_by(mqtt, reason == 0 ? ERR_CONN_LOST : reason);
        return;
    }
    char why[512];
    snprintf(why, sizeof why, "%s ended the connection: %s", mqtt->where, mqtt->library->reason_string(reason));
    lose(mqtt, why);
}

static void on_publish(mosquitto *client, void *context, int id, int reason, const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client, (void)properties;
    mqtt->events.published(mqtt->context, id, reason >= REFUSED ? mqtt->library->reason_string(reason) : NULL,
                           reason == NO_ONE_SUBSCRIBES);
}

static void on_subscribe(mosquitto *client, void *context, int id, int count, const int *granted,
                         const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client, (void)properties;
    const char *refused = NULL;
    for (int i = 0; i < count; i++)
        if (granted[i] >= REFUSED) refused = mqtt->library->reason_string(granted[i]);
    mqtt->events.subscribed(mqtt->context, id, refused);
}

static void on_message(mosquitto *client, void *context, const message *message, const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client;
    char *author = NULL, *seq = NULL, *name, *value;
    const property *next = properties;
    for (bool skip = false; next != NULL; skip = true) {
        name = value = NULL;
        next = mqtt->library->property_read_string_pair(next, USER_PROPERTY, &name, &value, skip);
        if (next == NULL) break;
        char **wanted = strcmp(name, "author") == 0 ? &author : strcmp(name, "seq") == 0 ? &seq : NULL;
        if (wanted != NULL && *wanted == NULL)
            *wanted = value;
        else
            free(value);
        free(name);
    }
    /* One copy may be for several subscriptions. */
    const property *named = properties;
    bool is_first = true;
    do {
        uint32_t subscription = 0;
        named =
            mqtt->library->property_read_varint(named, SUBSCRIPTION_IDENTIFIER, &subscription, !is_first);
        if (named != NULL || is_first)
            mqtt->events.received(mqtt->context, message->topic, strlen(message->topic), message->payload,
                                  (size_t)message->payloadlen, message->retain, subscription, author, seq);
        is_first = false;
    } while (named != NULL);
    mqtt->taken += (size_t)message->payloadlen;
    free(author);
    free(seq);
}

static void on_log(mosquitto *client, void *context, int level, const char *line) {
    relay_mqtt *mqtt = context;
    (void)client;
    if (level == LOG_ERR && strstr(line, "OpenSSL") != NULL) snprintf(mqtt->said, sizeof mqtt->said, "%s", line);
}

/* ---- connecting ---- */

static int set_up(relay_mqtt *mqtt, const relay_mqtt_settings *settings) {
    const struct mosquitto_functions *library = mqtt->library;
    mosquitto *client = mqtt->client;
    library->int_option(client, OPT_PROTOCOL_VERSION, PROTOCOL_V5);
    library->int_option(client, OPT_TCP_NODELAY, 1);
    library->connect_v5_callback_set(client, on_connect);
    library->disconnect_v5_callback_set(client, on_disconnect);
    library->publish_v5_callback_set(client, on_publish);
    library->message_v5_callback_set(client, on_message);
    library->subscribe_v5_callback_set(client, on_subscribe);
    library->log_callback_set(client, on_log);
    int error = ERR_SUCCESS;
    if (settings->user != NULL) error = library->username_pw_set(client, settings->user, settings->password);
    if (error == ERR_SUCCESS && settings->encrypted) {
        const char *system = settings->ca_file == NULL ? "/etc/ssl/certs" : NULL;
        error =
            library->tls_set(client, settings->ca_file, system, settings->certificate_file, settings->key_file, NULL);
    }
    if (error == ERR_SUCCESS && settings->will_topic != NULL) {
        property *properties = NULL;
        library->property_add_string_pair(&properties, USER_PROPERTY, "author", settings->author);
        error = library->will_set_v5(client, settings->will_topic, (int)strlen(settings->will), settings->will, 1, true,
                                     properties);
        if (error != ERR_SUCCESS) library->property_free_all(&properties);
    }
    return error;
}

relay_mqtt *relay_mqtt_connect(const relay_mqtt_settings *settings, const relay_mqtt_events *events, void *context,
                               char *problem, size_t size) {
    const char *failure;
    const struct mosquitto_functions *library = load_mosquitto(&failure);
    if (library == NULL) {
        snprintf(problem, size, "%s", failure);
        return NULL;
    }
    snprintf(problem, size, "there is no memory for a connection");
    relay_mqtt *mqtt = calloc(1, sizeof *mqtt);
    if (mqtt == NULL) return NULL;
    *mqtt = (relay_mqtt){.library = library, .events = *events, .context = context};
    snprintf(mqtt->where, sizeof mqtt->where, "the broker at %s:%d", settings->host, settings->port);
    mqtt->client = library->new (settings->client, true, mqtt);
    if (mqtt->client == NULL) {
        free(mqtt);
        return NULL;
    }
    int error = set_up(mqtt, settings);
    if (error == ERR_SUCCESS)
        error =
            library->connect_bind_v5(mqtt->client, settings->host, settings->port, settings->keep_alive, NULL, NULL);
    if (error == ERR_SUCCESS) return mqtt;
    explain(mqtt, error, error == ERR_ERRNO ? relay_refusal(settings->host, settings->port, errno) : 0, problem, size);
    mqtt->is_lost = true;
    relay_mqtt_free(mqtt, false);
    return NULL;
}

/* Closes a connection when the broker has closed it, too. One that is closed with bytes unread is reset: the broker may
 * not get what was sent last, and takes the client for lost. */
static void close_after(int socket) {
    char unread[4096];
    int64_t until = relay_milliseconds() + MOST_PATIENCE;
    shutdown(socket, SHUT_WR);
    for (;;) {
        int64_t left = until - relay_milliseconds();
        ssize_t count = left > 0 ? recv(socket, unread, sizeof unread, MSG_DONTWAIT) : 0;
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) break;
        if (count < 0) relay_wait(-1, socket, false, (int)left);
    }
    close(socket);
}

void relay_mqtt_free(relay_mqtt *mqtt, bool politely) {
    int socket = -1;
    if (politely && !mqtt->is_lost) {
        mqtt->is_lost = true;
        /* libmosquitto closes its own as soon as it has sent. */
        socket = fcntl(mqtt->library->socket(mqtt->client), F_DUPFD_CLOEXEC, 0);
        mqtt->library->disconnect_v5(mqtt->client, 0, NULL);
    }
    mqtt->is_lost = true;
    mqtt->library->destroy(mqtt->client);
    free(mqtt);
    if (socket >= 0) close_after(socket);
}

/* ---- sending ---- */

/* What a call returned: the id, or -1. What is wrong with one message leaves the connection as it is. */
static int id_or_error(relay_mqtt *mqtt, int error, int id) {
    if (error == ERR_SUCCESS) return id;
    if (error != ERR_PAYLOAD_SIZE && error != ERR_OVERSIZE_PACKET && error != ERR_INVAL && error != ERR_BAD_TEXT)
        lose_by(mqtt, error);
    return -1;
}

int relay_mqtt_publish(relay_mqtt *mqtt, const char *topic, const void *payload, size_t size, bool reliably,
                       bool retained, const char *author, uint64_t seq) {
    property *properties = NULL;
    char number[24], *digit = number + sizeof number - 1;
    mqtt->library->property_add_string_pair(&properties, USER_PROPERTY, "author", author);
    if (seq != 0) {
        for (*digit = 0; seq != 0; seq /= 10) *--digit = (char)('0' + seq % 10);
        mqtt->library->property_add_string_pair(&properties, USER_PROPERTY, "seq", digit);
    }
    int id = 0, quality = reliably ? 1 : 0;
    int error = mqtt->library->publish_v5(mqtt->client, &id, topic, (int)size, payload, quality, retained, properties);
    mqtt->library->property_free_all(&properties);
    return id_or_error(mqtt, error, id);
}

int relay_mqtt_subscribe(relay_mqtt *mqtt, const char *const *topics, size_t count, bool reliably, bool with_retained,
                         bool of_others, uint32_t subscription) {
    property *properties = NULL;
    if (subscription != 0) mqtt->library->property_add_varint(&properties, SUBSCRIPTION_IDENTIFIER, subscription);
    int id = 0, options = (with_retained ? 0 : SEND_RETAIN_NEVER) | (of_others ? NO_LOCAL : 0);
    int error = mqtt->library->subscribe_multiple(mqtt->client, &id, (int)count, (char *const *)topics,
                                                  reliably ? 1 : 0, options, properties);
    mqtt->library->property_free_all(&properties);
    return id_or_error(mqtt, error, id);
}

int relay_mqtt_unsubscribe(relay_mqtt *mqtt, const char *topic) {
    int id = 0;
    int error = mqtt->library->unsubscribe(mqtt->client, &id, topic);
    return id_or_error(mqtt, error, id);
}

bool relay_mqtt_is_full(relay_mqtt *mqtt) { return mqtt->library->want_write(mqtt->client); }

/* Reads packets until there is none left, without asking each time whether there is; but what there is to send is not
 * kept waiting for long. */
static int read_packets(relay_mqtt *mqtt) {
    int error = ERR_SUCCESS;
    mqtt->taken = 0;
    for (int packets = 0; packets < MOST_PACKETS && mqtt->taken < A_LOT; packets++) {
        errno = 0;
        error = mqtt->library->loop_read(mqtt->client, 1);
        if (error != ERR_SUCCESS || mqtt->is_lost || errno == EAGAIN) break;
    }
    return error;
}

bool relay_mqtt_turn(relay_mqtt *mqtt, int event, relay_lock *lock, int milliseconds) {
    const struct mosquitto_functions *library = mqtt->library;
    int unread = 0, socket = library->socket(mqtt->client);
    bool wants_write = library->want_write(mqtt->client);
    if (mqtt->is_lost) return false;
    relay_lock_leave(lock);
    int found = relay_wait(event, socket, wants_write, milliseconds);
    relay_lock_enter(lock);
    if (mqtt->is_lost) return false;
    int error = ERR_SUCCESS;
    if (found & RELAY_READABLE) {
        if (ioctl(socket, FIONREAD, &unread) != 0) unread = 0;
        error = read_packets(mqtt);
    }
    if (error == ERR_SUCCESS && found & RELAY_WRITABLE) error = library->loop_write(mqtt->client, 1);
    if (error == ERR_SUCCESS) error = library->loop_misc(mqtt->client);
    /* The library has said so already, in most cases. */
    if (error != ERR_SUCCESS) lose_by(mqtt, error);
    return unread >= 2 * A_LOT;
}
