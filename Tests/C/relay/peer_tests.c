/* SPDX-License-Identifier: MIT */
/* What answers at a broker's address is no broker, or one that means harm: no answer ends the program. */
#include "relay_support.h"
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/socket.h>

/* ---- chance that can be repeated ---- */

static uint64_t state;

static uint32_t up_to(uint32_t most) { return chance(&state, most + 1); }

static bool one_in(uint32_t count) { return up_to(count - 1) == 0; }

/* ---- answers ---- */

struct answer {
    uint8_t bytes[4096];
    size_t size;
};

static void put(struct answer *answer, const void *bytes, size_t size) {
    if (answer->size + size > sizeof answer->bytes) return;
    memcpy(answer->bytes + answer->size, bytes, size);
    answer->size += size;
}

static void put_byte(struct answer *answer, uint32_t byte) { put(answer, &(uint8_t){(uint8_t)byte}, 1); }

static void put_number(struct answer *answer, uint32_t number, int size) {
    while (size-- > 0) put_byte(answer, number >> 8 * size);
}

static void put_varying(struct answer *answer, uint32_t number) {
    do put_byte(answer, number % 128 | (number >= 128 ? 128 : 0));
    while ((number /= 128) > 0);
}

static void put_noise(struct answer *answer, uint32_t count) {
    while (count-- > 0) put_byte(answer, up_to(255));
}

static void put_text(struct answer *answer) {
    static const char *const texts[] = {
        "", "a", "author", "seq", "homie/5/k/a/b", "homie/5/a/b/c", "\xff\xfe", "0123456789abcdef"};
    const char *text = texts[up_to(7)];
    put_number(answer, (uint32_t)strlen(text), 2);
    put(answer, text, strlen(text));
}

static void put_property(struct answer *answer) {
    static const uint8_t bytes[] = {1, 36, 37, 40, 41, 42, 23, 25}, twos[] = {19, 33, 34, 35},
                         fours[] = {2, 17, 24, 39}, texts[] = {3, 8, 9, 18, 21, 22, 26, 28, 31};
    switch (up_to(7)) {
    case 0:
        put_byte(answer, bytes[up_to(sizeof bytes - 1)]);
        put_byte(answer, up_to(2));
        break;
    case 1:
        put_byte(answer, twos[up_to(sizeof twos - 1)]);
        put_number(answer, up_to(3), 2);
        break;
    case 2:
        put_byte(answer, fours[up_to(sizeof fours - 1)]);
        put_number(answer, up_to(300), 4);
        break;
    case 3:
        put_byte(answer, texts[up_to(sizeof texts - 1)]);
        put_text(answer);
        break;
    case 4:
        put_byte(answer, 11);
        put_varying(answer, up_to(3) ? up_to(5) : up_to(1 << 28));
        break;
    case 5:
        put_byte(answer, up_to(255));
        put_noise(answer, up_to(8));
        break;
    default:
        put_byte(answer, 38);
        put_text(answer);
        put_text(answer);
    }
}

static void put_properties(struct answer *answer) {
    struct answer properties = {.size = 0};
    while (one_in(2)) put_property(&properties);
    put_varying(answer, (uint32_t)properties.size + (one_in(20) ? up_to(4) : 0));
    put(answer, properties.bytes, properties.size);
}

/* Of any kind, as it should be or nearly. */
static void put_packet(struct answer *answer) {
    static const uint8_t kinds[] = {0x20, 0x30, 0x31, 0x32, 0x33, 0x3a, 0x34, 0x36, 0x40, 0x50,
                                    0x62, 0x70, 0x90, 0xb0, 0xd0, 0xe0, 0xf0, 0x10, 0x82};
    struct answer body = {.size = 0};
    uint8_t kind = kinds[one_in(2) ? up_to(4) : up_to(sizeof kinds - 1)];
    if (kind >> 4 == 3) {
        put_text(&body);
        if (kind & 6) put_number(&body, up_to(3), 2);
        put_properties(&body);
        put_noise(&body, up_to(9));
    } else if (kind == 0xd0) {
        if (one_in(9)) put_noise(&body, 1);
    } else {
        if (kind != 0xe0 && kind != 0xf0) put_number(&body, up_to(9), 2);
        if ((kind == 0xe0 || kind == 0xf0 || kind == 0x40) && one_in(2)) put_byte(&body, up_to(255));
        if (!one_in(3)) put_properties(&body);
        if (kind == 0x90 || kind == 0xb0) put_noise(&body, up_to(4));
    }
    if (one_in(30)) put_noise(&body, up_to(3));
    if (one_in(30) && body.size > 0) body.size = up_to((uint32_t)body.size);
    put_byte(answer, one_in(60) ? up_to(255) : kind);
    put_varying(answer, one_in(60) ? up_to(1 << 28) : (uint32_t)body.size);
    put(answer, body.bytes, body.size);
}

static void let_in(struct answer *answer) {
    struct answer body = {.size = 0};
    put_number(&body, one_in(9) ? up_to(2) : 0, 1);
    put_number(&body, one_in(9) ? up_to(255) : 0, 1);
    if (one_in(2)) put_byte(&body, 0);
    else put_properties(&body);
    put_byte(answer, 0x20);
    put_varying(answer, (uint32_t)body.size);
    put(answer, body.bytes, body.size);
}

static const char *const greetings[] = {
    "* OK [CAPABILITY IMAP4rev1 SASL-IR LOGIN-REFERRALS ID ENABLE IDLE LITERAL+ STARTTLS] Dovecot ready.\r\n",
    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n",
    "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n",
    "\x15\x03\x01\x00\x02\x02\x46", /* an alert of TLS */
    "\x16\x03\x03\x00\x31\x02\x00\x00\x2d\x03\x03",
    "220 mail ESMTP Postfix\r\n",
    "220 (vsFTPd 3.0.3)\r\n",
    "+OK Dovecot ready.\r\n",
    "RFB 003.008\n",
    "-ERR unknown command\r\n",
};
enum { GREETINGS = sizeof greetings / sizeof *greetings };

enum kind { OTHERS, NOISE, LET_IN_AND_NOISE, PACKETS, KINDS };
static const char *const kind_names[KINDS] = {"other servers", "noise", "let in, then noise", "packets"};

static enum kind make_answer(struct answer *answer) {
    answer->size = 0;
    uint32_t which = up_to(19);
    if (which == 0) {
        const char *greeting = greetings[up_to(GREETINGS - 1)];
        size_t size = greeting[0] == 0x15 ? 7 : greeting[0] == 0x16 ? 11 : strlen(greeting);
        put(answer, greeting, size);
        if (greeting[0] < 32) put_noise(answer, up_to(100));
        return OTHERS;
    }
    if (which == 1) {
        put_noise(answer, up_to(300));
        return NOISE;
    }
    let_in(answer);
    if (which == 2) {
        put_noise(answer, up_to(300));
        return LET_IN_AND_NOISE;
    }
    for (uint32_t count = 1 + up_to(6); count > 0; count--) put_packet(answer);
    if (one_in(10)) answer->bytes[up_to((uint32_t)answer->size - 1)] ^= (uint8_t)(1 << up_to(7));
    return PACKETS;
}

/* ---- a server that gives them ---- */

static struct {
    int listening, port;
    long wanted;
    _Atomic long answered;
    long of_kind[KINDS];
    pthread_t thread;
} peer;

static void *answer_all(void *unused) {
    (void)unused;
    while (peer.answered < peer.wanted) {
        int accepted = accept(peer.listening, NULL, NULL);
        if (accepted < 0) continue;
        struct answer answer;
        char connect[4096];
        state = 1000003u * (uint64_t)peer.answered + 1;
        peer.of_kind[make_answer(&answer)]++;
        /* What has not been read would reset the connection, and the answer would be lost. */
        if (recv(accepted, connect, sizeof connect, 0) > 0) {
            send(accepted, answer.bytes, answer.size, MSG_NOSIGNAL);
            shutdown(accepted, SHUT_WR);
            while (recv(accepted, connect, sizeof connect, 0) > 0) {}
        }
        close(accepted);
        peer.answered++;
    }
    return NULL;
}

static void peer_start(long wanted) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    peer.listening = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    must(bind(peer.listening, (struct sockaddr *)&address, size) == 0 && listen(peer.listening, 64) == 0);
    must(getsockname(peer.listening, (struct sockaddr *)&address, &size) == 0);
    peer.port = ntohs(address.sin_port);
    peer.wanted = wanted;
    must(pthread_create(&peer.thread, NULL, answer_all, NULL) == 0);
}

TEST(no_answer_of_a_broker_ends_the_program) {
    enum { RELAYS = 8 };
    peer_start(scaled(2000));
    char address[64];
    snprintf(address, sizeof address, "mqtt://127.0.0.1:%d", peer.port);
    swo_relay *relays[RELAYS];
    OWN_OBSERVABLE *variable = number_variable(1);
    for (int i = 0; i < RELAYS; i++) {
        swo_relay_options options = options_at(address, "k");
        options.first_retry = options.last_retry = 1;
        relays[i] = relay_with(options);
        ok(swo_relay_publish(relays[i], "a/b", variable, SWO_KIND_INT64, true));
        swo_observable_release(mirror_of(relays[i], "a/b/c", SWO_KIND_INT64));
    }
    pthread_join(peer.thread, NULL);
    close(peer.listening);
    uint64_t let_in = 0, received = 0, dropped = 0;
    for (int i = 0; i < RELAYS; i++) {
        await_state(relays[i], "lost: the broker at 127.0.0.1");
        let_in += counts_of(relays[i]).connections;
        received += counts_of(relays[i]).received;
        dropped += counts_of(relays[i]).dropped;
        swo_relay_release(relays[i]);
    }
    /* So they have come as far as they were to. */
    assert_true(let_in > (uint64_t)peer.wanted / 10 && received > let_in / 10);
    printf("peers: %ld answers (", peer.wanted);
    for (int kind = 0; kind < KINDS; kind++) printf("%s%ld %s", kind ? ", " : "", peer.of_kind[kind], kind_names[kind]);
    printf("); %" PRIu64 " let in, %" PRIu64 " messages received, %" PRIu64 " dropped\n", let_in, received, dropped);
}

/* A server that gives this to everyone, and says nothing after it. */
static void *greet(void *greeting) {
    struct answer answer = {.size = 0};
    put(&answer, greeting, strlen(greeting));
    for (;;) {
        int accepted = accept(peer.listening, NULL, NULL);
        if (accepted < 0) return NULL;
        send(accepted, answer.bytes, answer.size, MSG_NOSIGNAL);
        /* Kept open: what is no broker is not waited for. */
        char connect[4096];
        while (recv(accepted, connect, sizeof connect, 0) > 0) {}
        close(accepted);
    }
}

TEST(a_server_that_is_no_broker_is_said_to_be_none) {
    for (int i = 0; i < GREETINGS; i++) {
        peer_start(0);
        pthread_join(peer.thread, NULL);
        must(pthread_create(&peer.thread, NULL, greet, (void *)greetings[i]) == 0);
        char address[64];
        snprintf(address, sizeof address, "mqtt://127.0.0.1:%d", peer.port);
        swo_relay *relay = relay_at(address, "k");
        char expected[160];
        snprintf(expected, sizeof expected,
                 "lost: the broker at 127.0.0.1:%d sent what is no MQTT 5: no answer to CONNECT", peer.port);
        await_state(relay, expected);
        swo_relay_release(relay);
        shutdown(peer.listening, SHUT_RDWR);
        pthread_join(peer.thread, NULL);
        close(peer.listening);
    }
}

/* The most memory that the program has had, in kilobytes. */
static long most_memory(void) {
    char line[256];
    long most = 0;
    FILE *file = fopen("/proc/self/status", "re");
    must(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) sscanf(line, "VmHWM: %ld", &most);
    fclose(file);
    return most;
}

TEST(what_others_retain_costs_no_memory) {
    OWN_BROKER broker = broker_start(NULL);
    /* What is far too large does not come; what is too large comes, and is dropped on the way. */
    free(run_command(&broker,
                     "head -c 100000000 /dev/zero | mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/k/a/far -s"));
    free(run_command(
        &broker, "head -c 10000000 /dev/zero | mosquitto_pub -h 127.0.0.1 -p $PORT -r -q 1 -t homie/5/k/a/near -s"));
    free(run_command(&broker, "mosquitto_pub -h 127.0.0.1 -p $PORT -r -t homie/5/k/a/right -m 7"));
    long before = most_memory();
    OWN_RELAY *relay = relay_at(broker.address, NULL);
    OWN_OBSERVABLE *far = mirror_of(relay, "k/a/far", SWO_KIND_TEXT),
                   *near = mirror_of(relay, "k/a/near", SWO_KIND_TEXT),
                   *right = mirror_of(relay, "k/a/right", SWO_KIND_INT64);
    await_number(right, 7);
    await_state(relay, "ready");
    assert_int_equal(counts_of(relay).dropped, 1);
    assert_int_equal(counts_of(relay).received, 2);
    await_null(far);
    await_null(near);
    assert_true(most_memory() - before < 8000);
}
