/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "stream.h"
#include "tls.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct stream {
    int socket;
    tls *tls;            /* NULL: it is not encrypted */
    char crossing[8192]; /* what is encrypted on its way out */
    size_t first, count;
    bool is_blocked;
    char problem[256];
};

/* ---- connecting ---- */

static int connect_to(const struct addrinfo *address) {
    int made = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
    if (made < 0) return -1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(made, address->ai_addr, address->ai_addrlen) == 0 && fcntl(made, F_SETFL, O_NONBLOCK) == 0) return made;
    int error = errno;
    close(made);
    errno = error;
    return -1;
}

static int connect_by_name(const char *host, int port, char *problem, size_t size) {
    char service[16];
    snprintf(service, sizeof service, "%d", port);
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *addresses = NULL;
    int error = getaddrinfo(host, service, &hints, &addresses), made = -1;
    if (error != 0) {
        snprintf(problem, size, "%s", error == EAI_SYSTEM ? strerror(errno) : gai_strerror(error));
        return -1;
    }
    for (const struct addrinfo *next = addresses; next != NULL && made < 0; next = next->ai_next) {
        made = connect_to(next);
        if (made < 0) snprintf(problem, size, "%s", strerror(errno));
    }
    freeaddrinfo(addresses);
    return made;
}

stream *stream_connect(const relay_mqtt_settings *settings, char *problem, size_t size) {
    snprintf(problem, size, "there is no memory for a connection");
    stream *stream = malloc(sizeof *stream);
    if (stream == NULL) return NULL;
    *stream = (struct stream){.socket = -1};
    /* Files are read first: what is wrong with them is wrong anyhow. */
    if (settings->encrypted)
        stream->tls =
            tls_new(settings->host, settings->ca_file, settings->certificate_file, settings->key_file, problem, size);
    if (stream->tls != NULL || !settings->encrypted)
        stream->socket = connect_by_name(settings->host, settings->port, problem, size);
    if (stream->socket >= 0) return stream;
    stream_free(stream);
    return NULL;
}

void stream_free(stream *stream) {
    if (stream->tls != NULL) tls_free(stream->tls);
    if (stream->socket >= 0) close(stream->socket);
    free(stream);
}

/* ---- reading and writing ---- */

int stream_socket(stream *stream) { return stream->socket; }

bool stream_is_encrypted(stream *stream) { return stream->tls != NULL; }

const char *stream_problem(stream *stream) { return stream->problem; }

static ssize_t noted(stream *stream, ssize_t result, const char *problem) {
    int error = errno;
    if (result < 0 && error != EAGAIN)
        snprintf(stream->problem, sizeof stream->problem, "%s", problem != NULL ? problem : strerror(error));
    errno = error;
    return result;
}

static ssize_t receive(stream *stream, void *bytes, size_t count) {
    ssize_t result;
    do result = recv(stream->socket, bytes, count, MSG_DONTWAIT);
    while (result < 0 && errno == EINTR);
    return noted(stream, result, NULL);
}

static ssize_t transmit(stream *stream, const void *bytes, size_t count) {
    ssize_t result;
    do result = send(stream->socket, bytes, count, MSG_DONTWAIT | MSG_NOSIGNAL);
    while (result < 0 && errno == EINTR);
    stream->is_blocked = result < 0 && errno == EAGAIN;
    return noted(stream, result, NULL);
}

/* Sends what is encrypted. 0, or -1 with why not. */
static ssize_t push(stream *stream) {
    for (;;) {
        if (stream->first == stream->count) {
            stream->first = 0;
            stream->count = tls_take(stream->tls, stream->crossing, sizeof stream->crossing);
            if (stream->count == 0) return 0;
        }
        ssize_t sent = transmit(stream, stream->crossing + stream->first, stream->count - stream->first);
        if (sent < 0) return -1;
        stream->first += (size_t)sent;
    }
}

/* Receives what has to be decrypted. How much, 0 at the end, or -1 with why not. */
static ssize_t pull(stream *stream) {
    char bytes[16384];
    ssize_t received = receive(stream, bytes, sizeof bytes);
    if (received > 0) tls_put(stream->tls, bytes, (size_t)received);
    return received;
}

ssize_t stream_read(stream *stream, void *bytes, size_t count) {
    if (stream->tls == NULL) return receive(stream, bytes, count);
    for (;;) {
        ssize_t result = tls_read(stream->tls, bytes, count);
        if (result >= 0) return result;
        int error = errno;
        /* Also what is said of a failure. */
        if (push(stream) < 0 && errno != EAGAIN) return -1;
        errno = error;
        if (error != EAGAIN) return noted(stream, -1, tls_problem(stream->tls));
        ssize_t received = pull(stream);
        if (received <= 0) return received;
    }
}

ssize_t stream_write(stream *stream, const void *bytes, size_t count) {
    if (stream->tls == NULL) return transmit(stream, bytes, count);
    for (;;) {
        if (push(stream) < 0) return -1;
        ssize_t result = tls_write(stream->tls, bytes, count);
        int error = errno;
        if (push(stream) < 0 && errno != EAGAIN) return -1;
        if (result > 0) return result;
        errno = error;
        if (result == 0 || error != EAGAIN) return noted(stream, -1, tls_problem(stream->tls));
        /* It is still being agreed on. */
        ssize_t received = pull(stream);
        if (received == 0) errno = ECONNRESET;
        if (received <= 0) return noted(stream, -1, NULL);
    }
}

bool stream_is_blocked(stream *stream) { return stream->is_blocked; }

/* ---- ending ---- */

/* One that is closed with bytes unread is reset: the other side may not get what was sent last. */
void stream_end(stream *stream, int patience) {
    char unread[4096];
    int64_t until = relay_milliseconds() + patience;
    if (stream->tls != NULL) {
        tls_end(stream->tls);
        push(stream);
    }
    shutdown(stream->socket, SHUT_WR);
    for (;;) {
        int64_t left = until - relay_milliseconds();
        ssize_t count = left > 0 ? receive(stream, unread, sizeof unread) : 0;
        if (count == 0 || (count < 0 && errno != EAGAIN)) break;
        if (count < 0) relay_wait(-1, stream->socket, false, (int)left);
    }
    stream_free(stream);
}
