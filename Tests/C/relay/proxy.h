/* SPDX-License-Identifier: MIT */
/** @file proxy.h
 *  Stands between a relay and its broker, and cuts their connection in the middle of a packet. */
#ifndef SWIFTOBSERVER_TESTS_PROXY_H
#define SWIFTOBSERVER_TESTS_PROXY_H

#include <stdbool.h>
#include <stddef.h>

enum way { TO_BROKER, TO_RELAY };

/** Kinds of packets, as MQTT numbers them. */
enum packet {
    CONNECT = 1,
    CONNACK,
    PUBLISH,
    PUBACK,
    SUBSCRIBE = 8,
    SUBACK,
    UNSUBSCRIBE,
    UNSUBACK,
    PINGREQ,
    PINGRESP,
    DISCONNECT
};

/** Passes packets on, for one relay at a time. */
struct proxy *proxy_start(int broker_port);
void proxy_free(struct proxy *proxy);
#define OWN_PROXY __attribute__((cleanup(drop_proxy))) struct proxy
static inline void drop_proxy(struct proxy **proxy) { proxy_free(*proxy); }

/** Where a relay finds it. */
const char *proxy_address(struct proxy *proxy);

/** How much of a packet still passes. */
enum part { FIRST_BYTE, LENGTH, HALF, ALL_BUT_ONE, PARTS };

/** Cuts the connection in the next packet of a kind, both ways at once. */
void proxy_cut_in(struct proxy *proxy, enum way way, enum packet kind, enum part part);
/** Keeps packets of a kind from the relay. */
void proxy_swallow(struct proxy *proxy, enum packet kind);
/** Passes so many bytes to the relay in a millisecond, at most. */
void proxy_slow_down(struct proxy *proxy, size_t most);
/** Cuts the connection that there is. */
void proxy_cut(struct proxy *proxy);
/** Whether what `proxy_cut_in` asked for has happened. */
bool proxy_has_cut(struct proxy *proxy);
void proxy_await_cut(struct proxy *proxy);

/** In how many packets of a kind a text has passed. */
long proxy_count(struct proxy *proxy, enum way way, enum packet kind, const char *text);

#endif
