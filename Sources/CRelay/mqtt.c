/* SPDX-License-Identifier: MIT */
/* One connection to a broker by libmosquitto, used by one thread alone: libmosquitto's own thread would call out. It
 * speaks with the broker through a passage, which it takes for its socket. */
#define _GNU_SOURCE
#include "CRelay.h"
#include "mosquitto.h"
#include "passage.h"
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* How much is read in a step. The kernel takes at least four times as many bytes from the broker before that has to
 * wait. */
enum { MOST_PACKETS = 64, A_LOT = 16384 };
/* How long a broker may take to close a connection, in milliseconds. */
enum { MOST_PATIENCE = 1000 };

struct relay_mqtt {
    const struct mosquitto_functions *library;
    mosquitto *client;
    relay_mqtt_events events;
    void *context;
    passage passage;
    bool is_lost;
    int64_t alive_at; /* when libmosquitto was told last that the broker lives */
    bool has_written; /* libmosquitto, what has not been sent */
    uint32_t largest; /* packet that the broker takes; 0: any */
    size_t cut;       /* how large the payload was that the message which is read has no more */
    char where[256];
};

static void lose(relay_mqtt *mqtt, const char *reason) {
    if (mqtt->is_lost) return;
    mqtt->is_lost = true;
    mqtt->events.lost(mqtt->context, reason);
}

/* Says why libmosquitto ends a connection. */
static void explain(relay_mqtt *mqtt, int error, char *out, size_t size) {
    if (error == ERR_ERRNO)
        snprintf(out, size, "%s: %s", mqtt->where, strerror(errno));
    else if (error == ERR_KEEPALIVE)
        snprintf(out, size, "%s did not answer in time", mqtt->where);
    else if (error == ERR_CONN_LOST)
        snprintf(out, size, "%s closed the connection", mqtt->where);
    else
        snprintf(out, size, "%s: %s", mqtt->where, mqtt->library->strerror(error));
    size_t length = strlen(out);
    if (length > 0 && out[length - 1] == '.') out[length - 1] = 0;
}

static void lose_by(relay_mqtt *mqtt, int error) {
    char reason[512];
    explain(mqtt, error, reason, sizeof reason);
    lose(mqtt, reason);
}

/* After reading, with 0, or reading or writing, with -1. */
static void lose_stream(relay_mqtt *mqtt, ssize_t result) {
    if (result == 0 || errno == ECONNRESET) {
        lose_by(mqtt, ERR_CONN_LOST);
        return;
    }
    char reason[640];
    snprintf(reason, sizeof reason, "%s: %s", mqtt->where, stream_problem(mqtt->passage.stream));
    lose(mqtt, reason);
}

/* ---- callbacks of libmosquitto ---- */

static void on_connect(mosquitto *client, void *context, int reason, int flags, const property *properties) {
    relay_mqtt *mqtt = context;
    (void)client, (void)flags;
    if (reason == 0) {
        mqtt->library->property_read_int32(properties, MAXIMUM_PACKET_SIZE, &mqtt->largest, false);
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
    size_t size = mqtt->cut > 0 ? mqtt->cut : (size_t)message->payloadlen;
    const void *payload = mqtt->cut > 0 ? "" : message->payload;
    /* One copy may be for several subscriptions. */
    const property *named = properties;
    bool is_first = true;
    do {
        uint32_t subscription = 0;
        named = mqtt->library->property_read_varint(named, SUBSCRIPTION_IDENTIFIER, &subscription, !is_first);
        if (named != NULL || is_first)
            mqtt->events.received(mqtt->context, message->topic, strlen(message->topic), payload, size, message->retain,
                                  subscription, author, seq);
        is_first = false;
    } while (named != NULL);
    free(author);
    free(seq);
}

/* ---- connecting ---- */

static int set_up(relay_mqtt *mqtt, const relay_mqtt_settings *settings) {
    const struct mosquitto_functions *library = mqtt->library;
    mosquitto *client = mqtt->client;
    library->int_option(client, OPT_PROTOCOL_VERSION, PROTOCOL_V5);
    library->connect_v5_callback_set(client, on_connect);
    library->disconnect_v5_callback_set(client, on_disconnect);
    library->publish_v5_callback_set(client, on_publish);
    library->message_v5_callback_set(client, on_message);
    library->subscribe_v5_callback_set(client, on_subscribe);
    int error = ERR_SUCCESS;
    if (settings->user != NULL) error = library->username_pw_set(client, settings->user, settings->password);
    if (error == ERR_SUCCESS && settings->will_topic != NULL) {
        property *properties = NULL;
        library->property_add_string_pair(&properties, USER_PROPERTY, "author", settings->author);
        error = library->will_set_v5(client, settings->will_topic, (int)strlen(settings->will), settings->will, 1, true,
                                     properties);
        if (error != ERR_SUCCESS) library->property_free_all(&properties);
    }
    return error;
}

/* libmosquitto connects by itself alone: to this socket, on the loopback. */
static int listen_for_it(struct sockaddr_in *address) {
    *address = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof *address;
    int listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0) return -1;
    if (bind(listening, (struct sockaddr *)address, size) == 0 && listen(listening, 8) == 0 &&
        getsockname(listening, (struct sockaddr *)address, &size) == 0)
        return listening;
    close(listening);
    return -1;
}

/* The other end of its socket. Anyone on this machine may have connected, too. */
static int accept_it(int listening, int its) {
    struct sockaddr_in own, other;
    socklen_t size = sizeof own;
    if (getsockname(its, (struct sockaddr *)&own, &size) != 0) return -1;
    for (;;) {
        size = sizeof other;
        int accepted = accept4(listening, (struct sockaddr *)&other, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (accepted < 0 && errno != EINTR && errno != ECONNABORTED) return -1;
        if (accepted < 0) continue;
        if (other.sin_port == own.sin_port && other.sin_addr.s_addr == own.sin_addr.s_addr) return accepted;
        close(accepted);
    }
}

/* What it has written as it connected, which is one packet, is what the broker gets first. */
static bool take_first(relay_mqtt *mqtt, int accepted) {
    passage *passage = &mqtt->passage;
    for (;;) {
        int64_t size = packet_size(passage->out, passage->out_count);
        if (size < 0) return false;
        if (size > 0 && (size_t)size == passage->out_count) return true;
        if (passage->out_count == passage->out_capacity) {
            uint8_t *out = realloc(passage->out, 2 * passage->out_capacity);
            if (out == NULL) return false;
            passage->out = out;
            passage->out_capacity *= 2;
        }
        ssize_t taken =
            recv(accepted, passage->out + passage->out_count, passage->out_capacity - passage->out_count, MSG_DONTWAIT);
        if (taken > 0)
            passage->out_count += (size_t)taken;
        else if (taken == 0 || (errno != EAGAIN && errno != EINTR) || mqtt->library->loop_write(mqtt->client, 1) != 0)
            return false;
    }
}

/* Its socket becomes one end of a pair, which is faster than the loopback. */
static bool give_pair(relay_mqtt *mqtt, int its) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return false;
    mqtt->passage.inside = pair[1];
    bool given = dup3(pair[0], its, O_CLOEXEC) == its;
    close(pair[0]);
    return given;
}

/* ERR_SUCCESS, an error of libmosquitto's, or ERR_ERRNO. */
static int open_passage(relay_mqtt *mqtt, const relay_mqtt_settings *settings) {
    const struct mosquitto_functions *library = mqtt->library;
    struct sockaddr_in address;
    int listening = listen_for_it(&address), accepted = -1;
    if (listening < 0) return ERR_ERRNO;
    property *properties = NULL;
    library->property_add_int32(&properties, MAXIMUM_PACKET_SIZE, passage_limit(&mqtt->passage));
    int error = library->connect_bind_v5(mqtt->client, "127.0.0.1", ntohs(address.sin_port), settings->keep_alive, NULL,
                                         properties);
    library->property_free_all(&properties);
    if (error == ERR_SUCCESS) {
        int its = library->socket(mqtt->client);
        accepted = accept_it(listening, its);
        if (accepted < 0 || !take_first(mqtt, accepted) || !give_pair(mqtt, its)) error = ERR_ERRNO;
    }
    int number = errno;
    if (accepted >= 0) close(accepted);
    close(listening);
    errno = number;
    return error;
}

static void free_all(relay_mqtt *mqtt) {
    mqtt->is_lost = true;
    if (mqtt->client != NULL) mqtt->library->destroy(mqtt->client);
    passage_free(&mqtt->passage);
    free(mqtt);
}

relay_mqtt *relay_mqtt_connect(const relay_mqtt_settings *settings, const relay_mqtt_events *events, void *context,
                               char *problem, size_t size) {
    const char *failure;
    char why[448];
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
    stream *stream = stream_connect(settings, why, sizeof why);
    if (stream == NULL) {
        snprintf(problem, size, "%s: %s", mqtt->where, why);
        free(mqtt);
        return NULL;
    }
    int error = ERR_SUCCESS;
    if (passage_open(&mqtt->passage, stream, settings->largest_payload))
        mqtt->client = library->new (settings->client, true, mqtt);
    if (mqtt->client != NULL) {
        error = set_up(mqtt, settings);
        if (error == ERR_SUCCESS) error = open_passage(mqtt, settings);
        mqtt->has_written = true;
        if (error == ERR_SUCCESS) return mqtt;
        explain(mqtt, error, problem, size);
    }
    free_all(mqtt);
    stream_free(stream);
    return NULL;
}

/* Sends what waits, as long as the broker takes it, for some time. */
static void send_last(relay_mqtt *mqtt, int64_t until) {
    passage *passage = &mqtt->passage;
    while (passage_send(passage) == 0 && passage_is_full(passage)) {
        int64_t left = until - relay_milliseconds();
        if (left <= 0) break;
        relay_wait(-1, stream_socket(passage->stream), true, (int)left);
    }
}

void relay_mqtt_free(relay_mqtt *mqtt, bool politely) {
    stream *stream = mqtt->passage.stream;
    int64_t until = relay_milliseconds() + MOST_PATIENCE;
    bool is_polite = politely && !mqtt->is_lost;
    mqtt->is_lost = true;
    if (is_polite) {
        mqtt->library->disconnect_v5(mqtt->client, 0, NULL);
        send_last(mqtt, until);
    }
    free_all(mqtt);
    if (is_polite)
        stream_end(stream, (int)(until - relay_milliseconds()));
    else
        stream_free(stream);
}

/* ---- sending ---- */

/* What a call returned: the id, or -1. What is wrong with one message leaves the connection as it is. */
static int id_or_error(relay_mqtt *mqtt, int error, int id) {
    mqtt->has_written = true;
    if (error == ERR_SUCCESS) return id;
    if (error != ERR_PAYLOAD_SIZE && error != ERR_OVERSIZE_PACKET && error != ERR_INVAL && error != ERR_BAD_TEXT)
        lose_by(mqtt, error);
    return -1;
}

static size_t varying(size_t number) { return number < 128 ? 1 : number < 16384 ? 2 : number < 2097152 ? 3 : 4; }

/* Whether the broker takes a packet with so many bytes beside its properties. libmosquitto counts too few, and some of
 * its versions then end the program. */
static bool fits(const relay_mqtt *mqtt, size_t size, size_t properties) {
    size_t rest = size + varying(properties) + properties;
    return mqtt->largest == 0 || 1 + varying(rest) + rest <= mqtt->largest;
}

int relay_mqtt_publish(relay_mqtt *mqtt, const char *topic, const void *payload, size_t size, bool reliably,
                       bool retained, const char *author, uint64_t seq) {
    property *properties = NULL;
    char number[24] = "", *digit = number + sizeof number - 1;
    bool is_numbered = seq != 0;
    for (; seq != 0; seq /= 10) *--digit = (char)('0' + seq % 10);
    size_t length = 5 + strlen("author") + strlen(author) + (is_numbered ? 5 + strlen("seq") + strlen(digit) : 0);
    if (!fits(mqtt, 2 + strlen(topic) + (reliably ? 2 : 0) + size, length)) return -1;
    mqtt->library->property_add_string_pair(&properties, USER_PROPERTY, "author", author);
    if (is_numbered) mqtt->library->property_add_string_pair(&properties, USER_PROPERTY, "seq", digit);
    int id = 0, quality = reliably ? 1 : 0;
    int error = mqtt->library->publish_v5(mqtt->client, &id, topic, (int)size, payload, quality, retained, properties);
    mqtt->library->property_free_all(&properties);
    return id_or_error(mqtt, error, id);
}

int relay_mqtt_subscribe(relay_mqtt *mqtt, const char *const *topics, size_t count, bool reliably, bool with_retained,
                         bool of_others, uint32_t subscription) {
    size_t size = 2;
    for (size_t i = 0; i < count; i++) size += 2 + strlen(topics[i]) + 1;
    if (!fits(mqtt, size, subscription != 0 ? 1 + varying(subscription) : 0)) return -1;
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

/* What libmosquitto has written, and what it could not write yet. */
static void send_written(relay_mqtt *mqtt) {
    const struct mosquitto_functions *library = mqtt->library;
    while (!mqtt->is_lost) {
        if (passage_send(&mqtt->passage) < 0) lose_stream(mqtt, -1);
        mqtt->has_written = false;
        if (mqtt->is_lost || passage_is_full(&mqtt->passage) || !library->want_write(mqtt->client)) return;
        int error = library->loop_write(mqtt->client, 1);
        if (error != ERR_SUCCESS) lose_by(mqtt, error);
    }
}

bool relay_mqtt_is_full(relay_mqtt *mqtt) {
    if (mqtt->has_written) send_written(mqtt);
    return passage_is_full(&mqtt->passage) || mqtt->library->want_write(mqtt->client);
}

/* ---- receiving ---- */

/* Has libmosquitto read some packets. */
static int read_run(relay_mqtt *mqtt, const passage_run *run) {
    const struct mosquitto_functions *library = mqtt->library;
    int error = ERR_SUCCESS, its = library->socket(mqtt->client), unread = 0;
    size_t given = 0;
    mqtt->cut = run->cut;
    do {
        ssize_t sent = send(mqtt->passage.inside, run->bytes + given, run->size - given, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return ERR_ERRNO;
        if (sent > 0) given += (size_t)sent;
        /* Where the pair takes all at once, each call reads a packet. */
        for (int i = 0; i < run->packets && error == ERR_SUCCESS && !mqtt->is_lost; i++)
            error = library->loop_read(mqtt->client, 1);
        if (error == ERR_SUCCESS && !mqtt->is_lost && ioctl(its, FIONREAD, &unread) != 0) unread = 0;
    } while (error == ERR_SUCCESS && !mqtt->is_lost && (given < run->size || unread > 0));
    return error;
}

/* What comes shows that the broker lives. Its answer to a ping may be behind a lot that waits for a slow connection,
 * for longer than libmosquitto waits. */
static void note_life(relay_mqtt *mqtt) {
    static const uint8_t answer[] = {0xD0, 0};
    int64_t now = relay_milliseconds();
    if (!mqtt->passage.is_let_in || mqtt->is_lost || now - mqtt->alive_at < 1000) return;
    mqtt->alive_at = now;
    int error = read_run(mqtt, &(passage_run){.bytes = answer, .size = sizeof answer, .packets = 1});
    if (error != ERR_SUCCESS) lose_by(mqtt, error);
}

/* Reads what has come, without asking each time whether there is more; but what there is to send is not kept waiting
 * for long. */
static void receive(relay_mqtt *mqtt) {
    passage *passage = &mqtt->passage;
    ssize_t received = -1;
    int number = EAGAIN, packets = 0;
    if (!passage_has_next(passage)) {
        received = passage_receive(passage);
        number = errno;
    }
    for (size_t taken = 0; packets < MOST_PACKETS && taken < A_LOT && !mqtt->is_lost;) {
        passage_run run;
        const char *problem = passage_next(passage, MOST_PACKETS - packets, A_LOT - taken, &run);
        if (problem != NULL) {
            char reason[512];
            snprintf(reason, sizeof reason, "%s sent what is no MQTT 5: %s", mqtt->where, problem);
            lose(mqtt, reason);
        }
        if (problem != NULL || run.packets == 0) break;
        int error = read_run(mqtt, &run);
        packets += run.packets;
        taken += run.size + run.cut;
        passage_done(passage, &run);
        /* The library has said so already, in most cases. */
        if (error != ERR_SUCCESS) lose_by(mqtt, error);
    }
    if (received > 0) note_life(mqtt);
    mqtt->has_written = true;
    errno = number;
    if (received == 0 || (received < 0 && number != EAGAIN)) lose_stream(mqtt, received);
}

bool relay_mqtt_step(relay_mqtt *mqtt, int event, relay_lock *lock, int milliseconds) {
    passage *passage = &mqtt->passage;
    int unread = 0, socket = stream_socket(passage->stream);
    if (mqtt->has_written) send_written(mqtt);
    if (mqtt->is_lost) return false;
    bool has_more = passage->may_have_more || passage_has_next(passage),
         is_blocked = stream_is_blocked(passage->stream);
    relay_lock_leave(lock);
    int found = relay_wait(event, socket, is_blocked, has_more ? 0 : milliseconds);
    relay_lock_enter(lock);
    if (mqtt->is_lost) return false;
    if (found & RELAY_READABLE || has_more) {
        if (ioctl(socket, FIONREAD, &unread) != 0) unread = 0;
        receive(mqtt);
    }
    if (!mqtt->is_lost) {
        int error = mqtt->library->loop_misc(mqtt->client);
        if (error != ERR_SUCCESS) lose_by(mqtt, error);
    }
    send_written(mqtt);
    return unread >= 2 * A_LOT;
}
