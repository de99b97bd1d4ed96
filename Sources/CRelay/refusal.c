/* SPDX-License-Identifier: MIT */
/* Why there is no connection. libmosquitto 2.1 asks for the peer of the socket that it has just closed, and so loses
 * that. */
#define _GNU_SOURCE
#include "refusal.h"
#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* As long as an answer takes that has come at once before. */
enum { PATIENCE = 1000 };

static int knock(const struct addrinfo *address) {
    int socket_ = socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), number = 0;
    if (socket_ < 0) return errno;
    if (connect(socket_, address->ai_addr, address->ai_addrlen) != 0) number = errno;
    if (number == EINPROGRESS) {
        socklen_t size = sizeof number;
        number = ETIMEDOUT;
        if (poll(&(struct pollfd){.fd = socket_, .events = POLLOUT}, 1, PATIENCE) == 1)
            getsockopt(socket_, SOL_SOCKET, SO_ERROR, &number, &size);
    }
    close(socket_);
    /* What answers by now is tried again soon. */
    return number == 0 ? EAGAIN : number;
}

int relay_refusal(const char *host, int port, int number) {
    if (number != EBADF) return number;
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *addresses = NULL;
    if (getaddrinfo(host, service, &hints, &addresses) != 0) return number;
    for (const struct addrinfo *next = addresses; next != NULL; next = next->ai_next) number = knock(next);
    freeaddrinfo(addresses);
    return number;
}
