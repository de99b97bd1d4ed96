/* SPDX-License-Identifier: MIT */
/* The way between libmosquitto and a broker: what libmosquitto writes goes out as it is, and what comes from the broker
 * goes in packet by packet, each looked at first.
 *
 *     libmosquitto <--> one end of a pair of sockets, the other end <--> passage <--> stream <--> broker
 */
#ifndef CRELAY_PASSAGE_H
#define CRELAY_PASSAGE_H

#include "packets.h"
#include "stream.h"

typedef struct passage {
    stream *stream;
    int inside; /* what libmosquitto has the other end of; -1: not yet */
    size_t largest_payload, largest_packet;
    bool is_let_in; /* the broker has answered */

    uint8_t *in; /* from the broker; what libmosquitto has not got is from `first` to `count` */
    size_t first, count, capacity;
    size_t to_skip; /* of a payload that is too large */
    bool may_have_more;

    uint8_t *out; /* to the broker */
    size_t out_first, out_count, out_capacity;
} passage;

/* Packets that libmosquitto is to read. */
typedef struct passage_run {
    const uint8_t *bytes;
    size_t size;
    int packets;
    size_t cut; /* how large the payload was that has been left out; 0: none */
    uint8_t *made;
} passage_run;

/* Takes the stream. False: there is no memory. */
bool passage_open(passage *passage, stream *stream, size_t largest_payload);
void passage_free(passage *passage);

/* What a broker is told not to exceed. */
uint32_t passage_limit(const passage *passage);

/* Sends what libmosquitto has written. -1: it cannot, and stream_problem() is why. Afterwards what is left waits for
 * the broker. */
int passage_send(passage *passage);
bool passage_is_full(const passage *passage);

/* Receives what there is: how much, 0: the broker has closed, or -1 as read() does. */
ssize_t passage_receive(passage *passage);
/* The next packets, at most so many. NULL, or what is wrong with what the broker has sent. */
const char *passage_next(passage *passage, int most, size_t enough, passage_run *run);
/* After libmosquitto has read them. */
void passage_done(passage *passage, passage_run *run);
/* Whether passage_next() has something now. */
bool passage_has_next(const passage *passage);

#endif
