/* SPDX-License-Identifier: MIT */
/* A libmosquitto that loses why it could not connect, as 2.1 does: whatever frees addresses leaves another error. */
#include "relay_support.h"
#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>

/* This takes the place of libc's, for the libraries, too: the program exports it. */
#pragma GCC visibility push(default)

void freeaddrinfo(struct addrinfo *addresses) {
    ((void (*)(struct addrinfo *))dlsym(RTLD_NEXT, "freeaddrinfo"))(addresses);
    errno = EBADF;
}

#pragma GCC visibility pop

TEST(why_a_broker_cannot_be_reached_is_said_where_libmosquitto_has_lost_it) {
    OWN_BROKER broker = broker_start(NULL);
    char expected[128];
    snprintf(expected, sizeof expected, "lost: the broker at 127.0.0.1:%d: Connection refused", broker.port);
    broker_kill(&broker);
    OWN_RELAY *relay = relay_at(broker.address, "alone");
    await_state(relay, expected);
}
