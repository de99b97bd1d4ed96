/* SPDX-License-Identifier: MIT */
#include "proxy.h"
#include "relay_support.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

struct stream {
    unsigned char *bytes;
    size_t size, capacity;
};

struct proxy {
    int listener, broker_port, order;
    char address[64];
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* Guarded by the mutex. */
    bool is_over, cuts_now, has_cut;
    int kind; /* 0: none is to be cut */
    enum way way;
    enum part part;
    int swallowed; /* a kind of packet that does not pass to the relay; 0: none */
    size_t most;   /* bytes that pass to the relay in a millisecond; 0: all */
    struct stream passed[2];
    long cuts;
};

static void add(struct stream *stream, const void *bytes, size_t size) {
    if (stream->size + size > stream->capacity) {
        stream->capacity = 2 * (stream->size + size);
        must((stream->bytes = realloc(stream->bytes, stream->capacity)) != NULL);
    }
    memcpy(stream->bytes + stream->size, bytes, size);
    stream->size += size;
}

/* The size of the packet that a stream begins with; 0: it is not there yet. */
static size_t packet_size(const unsigned char *bytes, size_t size) {
    size_t length = 0;
    for (size_t at = 1; at < 5 && at < size; at++) {
        length |= (size_t)(bytes[at] & 127) << 7 * (at - 1);
        if (bytes[at] < 128) return size >= at + 1 + length ? at + 1 + length : 0;
    }
    return 0;
}

static size_t passing(enum part part, size_t size) {
    const size_t passing[] = {1, 2, size / 2, size - 1};
    return passing[part] < size ? passing[part] : size - 1;
}

static bool write_all(int to, const unsigned char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = send(to, bytes, size, MSG_NOSIGNAL);
        if (written <= 0) return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Passes on what is there of whole packets. False: the connection is to be cut. */
static bool pass(struct proxy *proxy, enum way way, int to, struct stream *waiting) {
    size_t size, done = 0;
    bool goes_on = true;
    while (goes_on && (size = packet_size(waiting->bytes + done, waiting->size - done)) > 0) {
        const unsigned char *packet = waiting->bytes + done;
        pthread_mutex_lock(&proxy->mutex);
        add(&proxy->passed[way], packet, size);
        bool cuts = proxy->kind == packet[0] >> 4 && proxy->way == way;
        enum part part = proxy->part;
        bool swallows = way == TO_RELAY && proxy->swallowed == packet[0] >> 4;
        pthread_mutex_unlock(&proxy->mutex);
        goes_on = swallows || (write_all(to, packet, cuts ? passing(part, size) : size) && !cuts);
        if (cuts) {
            pthread_mutex_lock(&proxy->mutex);
            proxy->kind = 0;
            proxy->has_cut = true;
            pthread_cond_broadcast(&proxy->changed);
            pthread_mutex_unlock(&proxy->mutex);
        }
        done += size;
    }
    memmove(waiting->bytes, waiting->bytes + done, waiting->size - done);
    waiting->size -= done;
    return goes_on;
}

/* With little room for what the broker sends, so that it waits in the broker. */
static int dial(int port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    int socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), room = 8192;
    setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
    if (connect(socket_, (struct sockaddr *)&address, sizeof address) == 0) return socket_;
    close(socket_);
    return -1;
}

/* False: the proxy is to end. */
static bool obey(struct proxy *proxy, bool *is_cut) {
    uint64_t count;
    (void)!read(proxy->order, &count, sizeof count);
    pthread_mutex_lock(&proxy->mutex);
    if (proxy->cuts_now) *is_cut = true;
    proxy->cuts_now = false;
    bool goes_on = !proxy->is_over;
    pthread_mutex_unlock(&proxy->mutex);
    return goes_on;
}

static bool serve(struct proxy *proxy, int relay) {
    int broker = dial(proxy->broker_port), one = 1;
    struct stream waiting[2] = {{0}, {0}};
    bool is_cut = broker < 0, goes_on = true;
    setsockopt(relay, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (!is_cut) setsockopt(broker, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    while (goes_on && !is_cut) {
        struct pollfd watched[] = {{proxy->order, POLLIN, 0}, {relay, POLLIN, 0}, {broker, POLLIN, 0}};
        must(poll(watched, 3, -1) > 0);
        if (watched[0].revents) goes_on = obey(proxy, &is_cut);
        for (enum way way = TO_BROKER; way <= TO_RELAY && !is_cut; way++) {
            if (!watched[1 + way].revents) continue;
            unsigned char bytes[65536];
            pthread_mutex_lock(&proxy->mutex);
            size_t most = way == TO_RELAY && proxy->most != 0 ? proxy->most : sizeof bytes;
            pthread_mutex_unlock(&proxy->mutex);
            ssize_t size = recv(way == TO_BROKER ? relay : broker, bytes, most, 0);
            if (most != sizeof bytes) usleep(1000);
            if (size <= 0) {
                is_cut = true;
            } else {
                add(&waiting[way], bytes, (size_t)size);
                is_cut = !pass(proxy, way, way == TO_BROKER ? broker : relay, &waiting[way]);
            }
        }
    }
    /* In turn as if a cable were cut, and as if a program had ended. */
    struct linger at_once = {1, 0};
    if (proxy->cuts++ % 2) setsockopt(relay, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(relay);
    if (broker >= 0) close(broker);
    free(waiting[0].bytes);
    free(waiting[1].bytes);
    return goes_on;
}

static void *run(void *context) {
    struct proxy *proxy = context;
    for (bool goes_on = true, is_cut = false; goes_on;) {
        struct pollfd watched[] = {{proxy->order, POLLIN, 0}, {proxy->listener, POLLIN, 0}};
        must(poll(watched, 2, -1) > 0);
        if (watched[0].revents) goes_on = obey(proxy, &is_cut);
        if (!goes_on || !watched[1].revents) continue;
        int relay = accept4(proxy->listener, NULL, NULL, SOCK_CLOEXEC);
        if (relay >= 0) goes_on = serve(proxy, relay);
    }
    return NULL;
}

struct proxy *proxy_start(int broker_port) {
    struct proxy *proxy = calloc(1, sizeof *proxy);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    proxy->broker_port = broker_port;
    proxy->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(proxy->listener, (struct sockaddr *)&address, size) == 0 && listen(proxy->listener, 8) == 0);
    must(getsockname(proxy->listener, (struct sockaddr *)&address, &size) == 0);
    snprintf(proxy->address, sizeof proxy->address, "mqtt://127.0.0.1:%d", ntohs(address.sin_port));
    must((proxy->order = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0);
    pthread_mutex_init(&proxy->mutex, NULL);
    pthread_cond_init(&proxy->changed, NULL);
    must(pthread_create(&proxy->thread, NULL, run, proxy) == 0);
    return proxy;
}

static void order(struct proxy *proxy, bool *what) {
    uint64_t one = 1;
    pthread_mutex_lock(&proxy->mutex);
    *what = true;
    pthread_mutex_unlock(&proxy->mutex);
    must(write(proxy->order, &one, sizeof one) == sizeof one);
}

void proxy_free(struct proxy *proxy) {
    order(proxy, &proxy->is_over);
    pthread_join(proxy->thread, NULL);
    close(proxy->listener);
    close(proxy->order);
    free(proxy->passed[TO_BROKER].bytes);
    free(proxy->passed[TO_RELAY].bytes);
    free(proxy);
}

const char *proxy_address(struct proxy *proxy) { return proxy->address; }

void proxy_cut_in(struct proxy *proxy, enum way way, enum packet kind, enum part part) {
    pthread_mutex_lock(&proxy->mutex);
    proxy->way = way;
    proxy->part = part;
    proxy->kind = (int)kind;
    proxy->has_cut = false;
    pthread_mutex_unlock(&proxy->mutex);
}

void proxy_swallow(struct proxy *proxy, enum packet kind) {
    pthread_mutex_lock(&proxy->mutex);
    proxy->swallowed = (int)kind;
    pthread_mutex_unlock(&proxy->mutex);
}

void proxy_slow_down(struct proxy *proxy, size_t most) {
    pthread_mutex_lock(&proxy->mutex);
    proxy->most = most;
    pthread_mutex_unlock(&proxy->mutex);
}

void proxy_cut(struct proxy *proxy) { order(proxy, &proxy->cuts_now); }

bool proxy_has_cut(struct proxy *proxy) {
    pthread_mutex_lock(&proxy->mutex);
    bool has_cut = proxy->has_cut;
    pthread_mutex_unlock(&proxy->mutex);
    return has_cut;
}

void proxy_await_cut(struct proxy *proxy) {
    pthread_mutex_lock(&proxy->mutex);
    while (!proxy->has_cut) pthread_cond_wait(&proxy->changed, &proxy->mutex);
    pthread_mutex_unlock(&proxy->mutex);
}

long proxy_count(struct proxy *proxy, enum way way, enum packet kind, const char *text) {
    long count = 0;
    pthread_mutex_lock(&proxy->mutex);
    const struct stream *passed = &proxy->passed[way];
    for (size_t at = 0, size; at < passed->size; at += size) {
        size = packet_size(passed->bytes + at, passed->size - at);
        if (passed->bytes[at] >> 4 == (int)kind && memmem(passed->bytes + at, size, text, strlen(text)) != NULL)
            count++;
    }
    pthread_mutex_unlock(&proxy->mutex);
    return count;
}
