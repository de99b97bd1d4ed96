/* SPDX-License-Identifier: MIT */
/* What a broker sends, packet by packet, judged by the standard of MQTT 5 before libmosquitto reads it: some of its
 * versions end the program over a property that they do not know. */
#ifndef CRELAY_PACKETS_H
#define CRELAY_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of the packet that these bytes begin with. 0: that needs more of them; -1: it is none. */
int64_t packet_size(const uint8_t *bytes, size_t count);

/* What is wrong with a whole packet, as the end of a sentence, or NULL. The first one of a connection lets the client
 * in, or says why not; no other one does. */
const char *packet_problem(const uint8_t *packet, size_t size, bool is_first);

/* Replaces the reason of a refusal that the standard does not have: mosquitto 2.0.21 says of a message that it is too
 * large, and libmosquitto of the same version ends the connection over it. */
void packet_mend(uint8_t *packet, size_t size);

/* How many of these bytes, which a message begins with, come before its payload. 0: that needs more of them, or it is
 * no message; -1: something is wrong with them. */
int64_t packet_head(const uint8_t *bytes, size_t count);

enum { PACKET_CONNACK = 2, PACKET_PUBLISH = 3 };
static inline int packet_kind(const uint8_t *packet) { return packet[0] >> 4; }

#endif
