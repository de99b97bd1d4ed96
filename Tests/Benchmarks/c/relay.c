/* SPDX-License-Identifier: MIT */
/* A relay beside the bare client library, over one broker on the loopback: what a value takes to another connection,
 * how fast a burst is, what 10,000 mirrored variables cost that change once a second, and how much memory one takes. */
#include "measure.h"
#include <arpa/inet.h>
#include <malloc.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <swiftobserver/relay.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define must(condition)                                                                                                \
    ((condition) ? (void)0 : (fprintf(stderr, "error: %s, line %d\n", #condition, __LINE__), exit(1)))

enum { BURST = 500, MIRRORED = 10000 };
/* How long the mirrored variables are watched, in seconds. */
static int seconds = 4;

static double processor_time(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

/* ---- the broker ---- */

static int port;
static char folder[] = "/tmp/swo-bench-XXXXXX";
static pid_t broker;

static bool can_connect(void) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
    int probe = socket(AF_INET, SOCK_STREAM, 0);
    bool connected = connect(probe, (struct sockaddr *)&address, sizeof address) == 0;
    close(probe);
    return connected;
}

static void begin_broker(void) {
    char path[64];
    must(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/conf", folder);
    do port = 10000 + (int)(getpid() * 7919L % 20000 + port % 97);
    while (can_connect());
    FILE *file = fopen(path, "w");
    must(file != NULL);
    fprintf(file, "listener %d 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\nlog_dest none\n", port);
    fclose(file);
    broker = fork();
    if (broker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("PATH", "/usr/sbin:/usr/bin:/bin", 1);
        execlp("mosquitto", "mosquitto", "-c", path, NULL);
        _exit(127);
    }
    while (!can_connect()) {
        must(waitpid(broker, NULL, WNOHANG) == 0);
        usleep(1000);
    }
}

static void end_broker(void) {
    char path[64];
    kill(broker, SIGKILL);
    waitpid(broker, NULL, 0);
    snprintf(path, sizeof path, "%s/conf", folder);
    unlink(path);
    rmdir(folder);
}

/* ---- what has arrived ---- */

static sem_t arrived;
static atomic_long count, wanted;

static void note_arrival(void) {
    if (atomic_fetch_add(&count, 1) + 1 == wanted) sem_post(&arrived);
}

static void expect(long number) {
    count = 0;
    wanted = number;
}

static void await_arrival(void) {
    while (sem_wait(&arrived) != 0) {}
}

static void name_of(int number, char *out) { sprintf(out, "homie/5/bench/node-%d/value", number); }

/* ---- the bare library, as its programs use it: with its own thread ---- */

static struct mosquitto *sender, *receiver;
static int quality;

static void on_message(struct mosquitto *client, void *context, const struct mosquitto_message *message,
                       const mosquitto_property *properties) {
    (void)client, (void)context, (void)message, (void)properties;
    note_arrival();
}

static void on_subscribe(struct mosquitto *client, void *context, int id, int granted, const int *which,
                         const mosquitto_property *properties) {
    (void)client, (void)context, (void)id, (void)granted, (void)which, (void)properties;
    sem_post(&arrived);
}

static struct mosquitto *begin_bare(void) {
    struct mosquitto *client = mosquitto_new(NULL, true, NULL);
    must(client != NULL);
    mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5);
    mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1);
    mosquitto_message_v5_callback_set(client, on_message);
    mosquitto_subscribe_v5_callback_set(client, on_subscribe);
    must(mosquitto_connect(client, "127.0.0.1", port, 60) == MOSQ_ERR_SUCCESS);
    must(mosquitto_loop_start(client) == MOSQ_ERR_SUCCESS);
    return client;
}

static void end_bare(struct mosquitto *client) {
    mosquitto_disconnect(client);
    mosquitto_loop_stop(client, false);
    mosquitto_destroy(client);
}

static void publish_bare(int number, long value) {
    char topic[64], text[32];
    name_of(number, topic);
    int size = sprintf(text, "%ld", value);
    must(mosquitto_publish_v5(sender, NULL, topic, size, text, quality, quality == 0, NULL) == MOSQ_ERR_SUCCESS);
}

static void subscribe_bare(const char *filter) {
    must(mosquitto_subscribe(receiver, NULL, filter, quality) == MOSQ_ERR_SUCCESS);
    await_arrival();
}

/* ---- relays ---- */

static swo_relay *owner, *other;
static swo_observable *variables[MIRRORED], *mirrors[MIRRORED], *messenger, *mirrored_messenger;

static void hear(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
    note_arrival();
}

static swo_relay *begin_relay(const char *device) {
    char address[64];
    snprintf(address, sizeof address, "mqtt://127.0.0.1:%d", port);
    swo_relay_options options = SWO_RELAY_OPTIONS_INIT;
    options.address = address;
    options.device = device;
    swo_relay *relay;
    must(swo_relay_new(&options, &relay) == SWO_OK);
    return relay;
}

static void await_ready(swo_relay *relay) {
    while (!swo_relay_is_ready(relay)) usleep(1000);
}

static void publish_variables(int number) {
    char name[64];
    for (int one = 0; one < number; one++) {
        swo_value value = swo_int64(0);
        sprintf(name, "node-%d/value", one);
        must(swo_variable_new(&value, &variables[one]) == SWO_OK);
        must(swo_relay_publish(owner, name, variables[one], SWO_KIND_INT64, false) == SWO_OK);
    }
}

static void mirror_variables(int number) {
    char name[64];
    for (int one = 0; one < number; one++) {
        sprintf(name, "bench/node-%d/value", one);
        must(swo_relay_mirror(other, name, SWO_KIND_INT64, &mirrors[one]) == SWO_OK);
    }
}

static void set_variable(int number, long to) {
    swo_value value = swo_int64(to);
    must(swo_variable_set(variables[number], &value, NULL) == SWO_OK);
}

/* Waits until all mirrors have a value, the last one that was set. */
static void await_values(int number, long value) {
    for (int one = 0; one < number; one++)
        for (swo_value held = {0}; held.kind != SWO_KIND_INT64 || held.as.int64 != value; usleep(100))
            must(swo_variable_get(mirrors[one], &held) == SWO_OK);
}

/* ---- one value at a time, and bursts: the subjects of measure() ---- */

static long next = 1;

static void value_bare(void *context, long number) {
    (void)context;
    for (quality = 0; number > 0; number--) {
        expect(1);
        publish_bare(0, next++);
        await_arrival();
    }
}

static void value_relayed(void *context, long number) {
    (void)context;
    for (; number > 0; number--) {
        expect(1);
        set_variable(0, next++);
        await_arrival();
    }
}

static void burst_of_values_bare(void *context, long number) {
    (void)context;
    for (quality = 0; number > 0; number--, next++) {
        expect(BURST);
        for (int one = 0; one < BURST; one++) publish_bare(one, next);
        await_arrival();
    }
}

static void burst_of_values_relayed(void *context, long number) {
    (void)context;
    for (; number > 0; number--, next++) {
        expect(BURST);
        for (int one = 0; one < BURST; one++) set_variable(one, next);
        await_arrival();
    }
}

static void burst_of_events_bare(void *context, long number) {
    (void)context;
    for (quality = 1; number > 0; number--, next++) {
        expect(BURST);
        for (int one = 0; one < BURST; one++) publish_bare(MIRRORED, next);
        await_arrival();
    }
}

static void burst_of_events_relayed(void *context, long number) {
    (void)context;
    for (; number > 0; number--, next++) {
        expect(BURST);
        for (int one = 0; one < BURST; one++) {
            swo_value value = swo_int64(next);
            must(swo_send(messenger, &value, NULL) == SWO_OK);
        }
        await_arrival();
    }
}

/* What both sides of a connection take together, without the broker: it repeats on a busy machine, too. */
static void compare_processor_time(const char *measured, subject bare, subject relayed, long units, long rounds) {
    double begin = processor_time();
    bare(NULL, rounds);
    double between = processor_time();
    relayed(NULL, rounds);
    double end = processor_time(), each = 1e6 / (double)(rounds * units);
    report(measured, "libmosquitto", units, (between - begin) * each, "us of processor time");
    report(measured, "swiftobserver", units, (end - between) * each, "us of processor time");
}

static void compare(const char *measured, subject bare, subject relayed, long units) {
    double result[2];
    measure(2, (subject[]){bare, relayed}, (void *[]){NULL, NULL}, result);
    if (units == 1) {
        report(measured, "libmosquitto", 1, result[0] / 1e3, "us");
        report(measured, "swiftobserver", 1, result[1] / 1e3, "us");
    } else {
        report(measured, "libmosquitto", units, (double)units / result[0] * 1e6, "thousand/s");
        report(measured, "swiftobserver", units, (double)units / result[1] * 1e6, "thousand/s");
    }
}

static void measure_on_the_way(void) {
    char topic[64];
    sender = begin_bare();
    receiver = begin_bare();
    owner = begin_relay("device");
    other = begin_relay(NULL);
    messenger = swo_messenger_new();
    must(swo_relay_publish(owner, "node/events", messenger, SWO_KIND_INT64, false) == SWO_OK);
    must(swo_relay_mirror_messenger(other, "device/node/events", SWO_KIND_INT64, &mirrored_messenger) == SWO_OK);
    must(swo_observe(mirrored_messenger, NULL, hear, NULL, NULL, NULL) == SWO_OK);
    publish_variables(BURST);
    for (int one = 0; one < BURST; one++) {
        sprintf(topic, "device/node-%d/value", one);
        must(swo_relay_mirror(other, topic, SWO_KIND_INT64, &mirrors[one]) == SWO_OK);
    }
    await_ready(owner);
    await_ready(other);
    await_values(BURST, 0);
    expect(0);
    for (int one = 0; one < BURST; one++) must(swo_observe(mirrors[one], NULL, hear, NULL, NULL, NULL) == SWO_OK);
    quality = 0;
    for (int one = 0; one < BURST; one++) {
        name_of(one, topic);
        subscribe_bare(topic);
    }
    quality = 1;
    name_of(MIRRORED, topic);
    subscribe_bare(topic);
    compare("Relays, a value to another connection", value_bare, value_relayed, 1);
    compare("Relays, values in a burst", burst_of_values_bare, burst_of_values_relayed, BURST);
    compare("Relays, events in a burst", burst_of_events_bare, burst_of_events_relayed, BURST);
    compare_processor_time("Relays, processor time of a value", value_bare, value_relayed, 1, 2000);
    compare_processor_time("Relays, processor time of a value in a burst", burst_of_values_bare,
                           burst_of_values_relayed, BURST, 40);
    compare_processor_time("Relays, processor time of an event in a burst", burst_of_events_bare,
                           burst_of_events_relayed, BURST, 40);
    swo_relay_release(owner);
    swo_relay_release(other);
    swo_observable_release(messenger);
    swo_observable_release(mirrored_messenger);
    for (int one = 0; one < BURST; one++) {
        swo_observable_release(variables[one]);
        swo_observable_release(mirrors[one]);
    }
    end_bare(sender);
    end_bare(receiver);
}

/* ---- many variables, each once a second ---- */

static double now(void) { return nanoseconds() / 1e9; }

/* In a process of its own: publishes all of them, and sets each once a second, until it is ended. Says that it goes on.
 */
static void keep_setting(int begun) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    owner = begin_relay("bench");
    publish_variables(MIRRORED);
    await_ready(owner);
    must(write(begun, "b", 1) == 1);
    double start = now();
    for (long set = 0;; usleep(1000))
        for (long due = (long)((now() - start) * MIRRORED); set < due; set++)
            set_variable((int)(set % MIRRORED), set / MIRRORED + 1);
}

/* Processor time of this process while so many values come to it, as a share of the time at which each variable would
 * have come once a second. */
static double share_of_a_core(void) {
    expect(-1);
    usleep(1000000);
    double begin = processor_time();
    long from = count;
    usleep((useconds_t)seconds * 1000000);
    double used = processor_time() - begin;
    return 100 * used / ((double)(count - from) / MIRRORED);
}

static double heap(void) {
    struct mallinfo2 all = mallinfo2();
    return (double)(all.uordblks + all.hblkhd);
}

static double resident(void) {
    long pages = 0, unused;
    FILE *file = fopen("/proc/self/statm", "r");
    must(file != NULL && fscanf(file, "%ld %ld", &unused, &pages) == 2);
    fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static void measure_many(void) {
    int begun[2];
    must(pipe(begun) == 0);
    pid_t child = fork();
    if (child == 0) keep_setting(begun[1]);
    char byte;
    must(read(begun[0], &byte, 1) == 1);

    /* The bare library first, whose memory is its own. */
    sem_init(&arrived, 0, 0);
    receiver = begin_bare();
    quality = 0;
    subscribe_bare("homie/5/bench/+/value");
    double bare = share_of_a_core();
    end_bare(receiver);
    report("Relays, processor time of mirrored variables at 1 Hz", "libmosquitto", MIRRORED, bare, "percent of a core");

    other = begin_relay(NULL);
    await_ready(other);
    double heap_before = heap(), resident_before = resident();
    mirror_variables(MIRRORED);
    for (int one = 0; one < MIRRORED; one++)
        for (swo_value held = {0}; held.kind != SWO_KIND_INT64; usleep(100))
            must(swo_variable_get(mirrors[one], &held) == SWO_OK);
    double heap_each = (heap() - heap_before) / MIRRORED, resident_each = (resident() - resident_before) / MIRRORED;
    report("Relays, memory of a mirrored variable", "swiftobserver", MIRRORED, heap_each, "bytes");
    report("Relays, resident memory of a mirrored variable", "swiftobserver", MIRRORED, resident_each, "bytes");
    for (int one = 0; one < MIRRORED; one++) must(swo_observe(mirrors[one], NULL, hear, NULL, NULL, NULL) == SWO_OK);
    double relayed = share_of_a_core();
    report("Relays, processor time of mirrored variables at 1 Hz", "swiftobserver", MIRRORED, relayed,
           "percent of a core");
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    swo_relay_release(other);
    for (int one = 0; one < MIRRORED; one++) swo_observable_release(mirrors[one]);
}

int main(int argument_count, char **arguments) {
    if (argument_count > 1) seconds = atoi(arguments[1]);
    signal(SIGPIPE, SIG_IGN);
    mosquitto_lib_init();
    sem_init(&arrived, 0, 0);
    begin_broker();
    measure_many();
    park_a_thread();
    measure_on_the_way();
    end_broker();
    return 0;
}
