/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "passage.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What is read at once, and what is kept while nothing comes. */
enum { PORTION = 16384, KEPT = 4 * PORTION };
/* What a message may have before its payload: its topic and its properties. */
enum { LARGEST_HEAD = 128 << 10 };
enum { LARGEST_PACKET = 268435460 };

bool passage_open(passage *passage, stream *stream, size_t largest_payload) {
    *passage = (struct passage){.stream = stream, .inside = -1, .capacity = PORTION, .out_capacity = 2 * PORTION};
    passage->largest_payload = largest_payload;
    passage->largest_packet = largest_payload + LARGEST_HEAD;
    passage->in = malloc(passage->capacity);
    passage->out = malloc(passage->out_capacity);
    return passage->in != NULL && passage->out != NULL;
}

void passage_free(passage *passage) {
    if (passage->inside >= 0) close(passage->inside);
    free(passage->in);
    free(passage->out);
}

/* What is a little too large is counted and reported, for which it has to come. */
uint32_t passage_limit(const passage *passage) {
    size_t limit = 2 * passage->largest_packet + (16 << 20);
    return limit < LARGEST_PACKET ? (uint32_t)limit : LARGEST_PACKET;
}

/* ---- out ---- */

int passage_send(passage *passage) {
    for (;;) {
        if (passage->out_first == passage->out_count) {
            ssize_t taken = recv(passage->inside, passage->out, passage->out_capacity, MSG_DONTWAIT);
            if (taken <= 0) return 0;
            passage->out_first = 0;
            passage->out_count = (size_t)taken;
        }
        ssize_t sent =
            stream_write(passage->stream, passage->out + passage->out_first, passage->out_count - passage->out_first);
        if (sent < 0 && errno == EPIPE) {
            /* It has closed. Reading says that, and maybe why. */
            passage->out_first = passage->out_count;
            return 0;
        }
        if (sent < 0) return errno == EAGAIN ? 0 : -1;
        passage->out_first += (size_t)sent;
        /* That was all. */
        if (passage->out_first == passage->out_count && passage->out_count < passage->out_capacity) return 0;
    }
}

bool passage_is_full(const passage *passage) {
    return passage->out_first < passage->out_count || stream_is_blocked(passage->stream);
}

/* ---- in ---- */

static void resize(passage *passage, size_t capacity) {
    uint8_t *in = realloc(passage->in, capacity);
    if (in == NULL) return;
    passage->in = in;
    passage->capacity = capacity;
}

/* Where what comes next is put. */
static void make_room(passage *passage) {
    size_t count = passage->count - passage->first;
    if (passage->first > 0) memmove(passage->in, passage->in + passage->first, count);
    passage->first = 0;
    passage->count = count;
    if (count == 0 && passage->capacity > KEPT) resize(passage, PORTION);
    if (count == passage->capacity) resize(passage, 2 * passage->capacity);
}

static void skip(passage *passage) {
    size_t count = passage->count - passage->first;
    size_t skipped = passage->to_skip < count ? passage->to_skip : count;
    passage->first += skipped;
    passage->to_skip -= skipped;
}

ssize_t passage_receive(passage *passage) {
    make_room(passage);
    size_t room = passage->capacity - passage->count;
    if (room == 0) {
        errno = ENOMEM;
        return -1;
    }
    ssize_t received = stream_read(passage->stream, passage->in + passage->count, room);
    /* What is encrypted comes in portions, of which the socket does not tell. */
    passage->may_have_more = received > 0 && ((size_t)received == room || stream_is_encrypted(passage->stream));
    if (received > 0) passage->count += (size_t)received;
    skip(passage);
    return received;
}

/* The size of the packet that begins `offset` after the first one. 0: it has not come yet. */
static int64_t size_at(const passage *passage, size_t offset) {
    size_t count = passage->count - passage->first - offset;
    if (count == 0) return 0;
    return packet_size(passage->in + passage->first + offset, count);
}

bool passage_has_next(const passage *passage) {
    int64_t size = size_at(passage, 0);
    return passage->to_skip == 0 && size != 0 && (uint64_t)size <= passage->count - passage->first;
}

/* A message without its payload. */
static uint8_t *without_payload(const uint8_t *packet, size_t head, size_t *size) {
    uint8_t header[5] = {packet[0]};
    size_t body, at = 1, length = head;
    for (size_t i = 1; packet[i] >= 128; i++) length--;
    body = length -= 2;
    do {
        header[at++] = (uint8_t)(length % 128 | (length >= 128 ? 128 : 0));
        length /= 128;
    } while (length > 0);
    uint8_t *made = malloc(at + body);
    if (made == NULL) return NULL;
    memcpy(made, header, at);
    memcpy(made + at, packet + head - body, body);
    *size = at + body;
    return made;
}

/* A packet that is larger than any that is wanted. */
static const char *cut(passage *passage, size_t size, passage_run *run) {
    const uint8_t *packet = passage->in + passage->first;
    size_t count = passage->count - passage->first;
    if (packet_kind(packet) != PACKET_PUBLISH) return "more than such a packet has";
    int64_t head = packet_head(packet, count);
    if (head < 0) return "a message that is none";
    if (head == 0) return count > LARGEST_HEAD ? "a topic and properties that are too large" : NULL;
    run->made = without_payload(packet, (size_t)head, &run->size);
    if (run->made == NULL) return "more than there is memory for";
    run->bytes = run->made;
    run->packets = 1;
    run->cut = passage->to_skip = size - (size_t)head;
    passage->first += (size_t)head;
    skip(passage);
    return NULL;
}

/* What is wrong with the packet `offset` after the first one, as far as it has come. */
static const char *problem_at(const passage *passage, size_t offset, int64_t size) {
    const uint8_t *packet = passage->in + passage->first + offset;
    size_t count = passage->count - passage->first - offset;
    /* Who is no broker is not waited for. */
    if (count > 0 && !passage->is_let_in && packet[0] != PACKET_CONNACK << 4) return "no answer to CONNECT";
    if (size < 0) return "bytes that are no packet";
    if (size == 0 || (uint64_t)size > count) return NULL;
    return packet_problem(packet, (size_t)size, !passage->is_let_in);
}

const char *passage_next(passage *passage, int most, size_t enough, passage_run *run) {
    *run = (passage_run){.bytes = passage->in + passage->first};
    while (passage->to_skip == 0 && run->packets < most && run->size < enough) {
        int64_t size = size_at(passage, run->size);
        if (size > 0 && (uint64_t)size > passage->largest_packet && passage->is_let_in)
            return run->packets == 0 ? cut(passage, (size_t)size, run) : NULL;
        const char *problem = problem_at(passage, run->size, size);
        /* What is right before it comes first. */
        if (problem != NULL) return run->packets == 0 ? problem : NULL;
        if (size == 0 || (uint64_t)size > passage->count - passage->first - run->size) break;
        packet_mend(passage->in + passage->first + run->size, (size_t)size);
        passage->is_let_in = true;
        run->size += (size_t)size;
        run->packets++;
    }
    return NULL;
}

void passage_done(passage *passage, passage_run *run) {
    if (run->made == NULL) passage->first += run->size;
    free(run->made);
}
