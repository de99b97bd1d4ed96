/* SPDX-License-Identifier: MIT */
/* The packets of MQTT 5 that a broker sends to a client that asks for qualities 0 and 1 and knows no topic aliases. */
#include "packets.h"
#include <string.h>

enum { PUBACK = 4, SUBACK = 9, UNSUBACK = 11, PINGRESP = 13, DISCONNECT = 14 };

/* What is left of a packet. */
struct rest {
    const uint8_t *next, *end;
    bool is_short; /* more was read than there is */
};

static size_t left(const struct rest *rest) { return (size_t)(rest->end - rest->next); }

static const uint8_t *take(struct rest *rest, size_t count) {
    if (rest->is_short || left(rest) < count) {
        rest->is_short = true;
        return NULL;
    }
    const uint8_t *taken = rest->next;
    rest->next += count;
    return taken;
}

static uint32_t take_number(struct rest *rest, size_t size) {
    const uint8_t *bytes = take(rest, size);
    uint32_t number = 0;
    for (size_t i = 0; bytes != NULL && i < size; i++) number = number << 8 | bytes[i];
    return number;
}

/* A number that takes as few bytes as it needs, at most four. */
static uint32_t take_varying(struct rest *rest) {
    uint32_t number = 0;
    for (int shift = 0; shift < 28; shift += 7) {
        uint32_t byte = take_number(rest, 1);
        number |= (byte & 127) << shift;
        if (byte < 128) return number;
    }
    rest->is_short = true;
    return 0;
}

/* ---- properties ---- */

/* How a property is written: B, H, W: numbers of one, two and four bytes; V: one of varying size; T: a text, or other
 * bytes; P: a pair of texts. And in which packets it stands. */
static char property_form(uint32_t property, int kind) {
    bool is_let_in = kind == PACKET_CONNACK, is_message = kind == PACKET_PUBLISH;
    switch (property) {
    case 1: /* whether the payload is text */
        return is_message ? 'B' : 0;
    case 2: /* when the message is too old */
        return is_message ? 'W' : 0;
    case 3: /* of what type it is */
    case 8: /* where to answer */
    case 9: /* what it answers */
        return is_message ? 'T' : 0;
    case 11: /* the subscription */
        return is_message ? 'V' : 0;
    case 17: /* how long the session lasts */
    case 39: /* the largest packet */
        return is_let_in ? 'W' : 0;
    case 18: /* the client's name */
    case 21: /* how to prove who one is */
    case 22:
    case 26: /* where answers go */
        return is_let_in ? 'T' : 0;
    case 28: /* another broker */
        return is_let_in || kind == DISCONNECT ? 'T' : 0;
    case 31: /* why */
        return is_message ? 0 : 'T';
    case 19: /* after how many seconds of silence */
    case 33: /* how many messages at once */
    case 34: /* how many aliases */
        return is_let_in ? 'H' : 0;
    case 36: /* the best quality, and what the broker can do */
    case 37:
    case 40:
    case 41:
    case 42:
        return is_let_in ? 'B' : 0;
    case 38: /* of the user */
        return 'P';
    default:
        return 0;
    }
}

static const char *property_problem(struct rest *rest, int kind, uint64_t *seen) {
    uint32_t property = take_number(rest, 1), number = 1;
    char form = property_form(property, kind);
    switch (form) {
    case 'B':
        number = take_number(rest, 1) <= 1;
        break;
    case 'H':
        number = take_number(rest, 2) != 0 || property == 19 || property == 34;
        break;
    case 'W':
        number = take_number(rest, 4) != 0 || property != 39;
        break;
    case 'V':
        number = take_varying(rest) != 0;
        break;
    case 'P':
        take(rest, take_number(rest, 2));
        /* fall through */
    case 'T':
        take(rest, take_number(rest, 2));
        break;
    default:
        return "a property that does not belong there";
    }
    if (number == 0) return "a property with a value that it cannot have";
    if (form != 'P' && form != 'V' && *seen >> property & 1) return "a property that stands there twice";
    *seen |= (uint64_t)1 << property;
    return NULL;
}

static const char *properties_problem(struct rest *rest, int kind) {
    uint32_t size = take_varying(rest);
    const uint8_t *first = take(rest, size);
    if (first == NULL) return "properties that are longer than it";
    struct rest properties = {first, first + size, false};
    uint64_t seen = 0;
    while (left(&properties) > 0) {
        const char *problem = property_problem(&properties, kind, &seen);
        if (problem != NULL) return problem;
        if (properties.is_short) return "a property that is cut off";
    }
    return NULL;
}

/* ---- packets ---- */

int64_t packet_size(const uint8_t *bytes, size_t count) {
    uint32_t length = 0;
    for (size_t i = 1; i < 5; i++) {
        if (i >= count) return 0;
        length |= (uint32_t)(bytes[i] & 127) << (7 * (i - 1));
        if (bytes[i] < 128) return (int64_t)(1 + i + length);
    }
    return -1;
}

/* What comes after the kind and the length. */
static struct rest body_of(const uint8_t *packet, size_t size) {
    struct rest rest = {packet, packet + size, false};
    take(&rest, 1);
    take_varying(&rest);
    return rest;
}

static const char *message_problem(struct rest *rest, int quality) {
    uint32_t size = take_number(rest, 2);
    if (size == 0) return "a message without a topic";
    take(rest, size);
    if (quality == 1 && take_number(rest, 2) == 0) return "a message without a number";
    if (rest->is_short) return "a message that is cut off";
    return properties_problem(rest, PACKET_PUBLISH);
}

/* The answer to a message or to subscriptions: a number, reasons, properties. */
static const char *answer_problem(struct rest *rest, int kind) {
    if (take_number(rest, 2) == 0) return "an answer to nothing";
    if (kind == PUBACK) {
        /* What is left out is no reason, and no properties. */
        if (left(rest) > 0) take(rest, 1);
        return left(rest) > 0 ? properties_problem(rest, kind) : NULL;
    }
    const char *problem = properties_problem(rest, kind);
    if (problem == NULL && left(rest) == 0) return "an answer that says nothing";
    rest->next = rest->end;
    return problem;
}

static const char *body_problem(struct rest *rest, int kind, int flags) {
    switch (kind) {
    case PACKET_CONNACK:
        if (take_number(rest, 1) > 1) return "flags that there are not";
        /* Older brokers refuse without properties. */
        if (take_number(rest, 1) != 0 && left(rest) == 0) return NULL;
        return properties_problem(rest, kind);
    case PACKET_PUBLISH:
        if (flags >> 1 & 2) return "a message of a quality that was not asked for";
        const char *problem = message_problem(rest, flags >> 1 & 1);
        rest->next = rest->end;
        return problem;
    case PUBACK:
    case SUBACK:
    case UNSUBACK:
        return answer_problem(rest, kind);
    case PINGRESP:
        return NULL;
    case DISCONNECT:
        if (left(rest) > 0) take(rest, 1);
        return left(rest) > 0 ? properties_problem(rest, kind) : NULL;
    default:
        return "a kind that brokers do not send";
    }
}

const char *packet_problem(const uint8_t *packet, size_t size, bool is_first) {
    int kind = packet_kind(packet), flags = packet[0] & 15;
    if (is_first != (kind == PACKET_CONNACK)) return is_first ? "no answer to CONNECT" : "a second answer to CONNECT";
    if (flags != 0 && kind != PACKET_PUBLISH) return "flags that there are not";
    struct rest rest = body_of(packet, size);
    const char *problem = body_problem(&rest, kind, flags);
    if (problem != NULL) return problem;
    if (rest.is_short) return "less than what belongs to it";
    return left(&rest) > 0 ? "more than what belongs to it" : NULL;
}

void packet_mend(uint8_t *packet, size_t size) {
    static const uint8_t known[] = {0x83, 0x87, 0x90, 0x91, 0x97, 0x99};
    enum { UNSPECIFIED = 0x80 };
    if (packet_kind(packet) != PUBACK) return;
    struct rest rest = body_of(packet, size);
    take(&rest, 2);
    const uint8_t *reason = take(&rest, 1);
    if (reason == NULL || *reason < UNSPECIFIED || memchr(known, *reason, sizeof known) != NULL) return;
    packet[reason - packet] = UNSPECIFIED;
}

int64_t packet_head(const uint8_t *bytes, size_t count) {
    if (packet_kind(bytes) != PACKET_PUBLISH || packet_size(bytes, count) <= 0) return 0;
    struct rest rest = body_of(bytes, count), probe = rest;
    int flags = bytes[0] & 15;
    if (flags >> 1 & 2) return -1;
    /* Whether all of it has come. */
    take(&probe, take_number(&probe, 2));
    take(&probe, flags >> 1 & 1 ? 2 : 0);
    take(&probe, take_varying(&probe));
    if (probe.is_short) return 0;
    if (message_problem(&rest, flags >> 1 & 1) != NULL) return -1;
    return rest.next - bytes;
}
