/* SPDX-License-Identifier: MIT */
#include "relay_support.h"
#include <arpa/inet.h>
#include <dlfcn.h>
#include <ftw.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

const char *meeting = "memory:tests";
bool is_on_a_bus;
static struct broker shared;

/* Before the tests, not before each: a broker takes a while to start. */
__attribute__((constructor)) static void choose_meeting(void) {
    const char *engine = getenv("SWO_RELAY_ENGINE");
    if (engine == NULL) return;
    is_on_a_bus = strcmp(engine, "dbus") == 0;
    /* Without it, a relay says so and goes on to try, and each test would wait for ever. */
    must(dlopen(is_on_a_bus ? "libsystemd.so.0" : "libmosquitto.so.1", RTLD_NOW) != NULL);
    shared = is_on_a_bus ? bus_start(NULL) : broker_start(NULL);
    meeting = shared.address;
}

__attribute__((destructor)) static void leave_meeting(void) {
    if (shared.process != 0 && getpid() != shared.process) broker_end(&shared);
}

/* ---- brokers ---- */

/* Whether this program is the only one of the tests that starts a broker there, as long as it lives. Two that look for
 * a free port at the same time find the same one; then the second meets the broker of the first, which may end before.
 */
static bool reserve(int port) {
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    /* After a zero it is no file. */
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "swiftobserver-tests-%d", port);
    int held = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_ours = bind(held, (struct sockaddr *)&name, (socklen_t)(sizeof name.sun_family + 1 + (size_t)length)) == 0;
    if (!is_ours) close(held);
    return is_ours;
}

/* Not one of those that the kernel gives to connections, which could take it while a broker is down. */
static int free_port(void) {
    static unsigned next;
    if (next == 0) next = (unsigned)getpid();
    for (;;) {
        int port = 10000 + (int)(next++ * 7919 % 20000);
        if (!reserve(port)) continue;
        struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)port)};
        int socket_ = socket(AF_INET, SOCK_STREAM, 0);
        bool is_free = bind(socket_, (struct sockaddr *)&address, sizeof address) == 0;
        close(socket_);
        if (is_free) return port;
    }
}

static bool is_listening(const struct broker *broker) {
    struct sockaddr_in port = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons((uint16_t)broker->port)};
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    snprintf(path.sun_path, sizeof path.sun_path, "%s/bus", broker->folder);
    bool is_bus = broker->port == 0;
    int socket_ = socket(is_bus ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    bool connected = connect(socket_, is_bus ? (void *)&path : (void *)&port, is_bus ? sizeof path : sizeof port) == 0;
    close(socket_);
    return connected;
}

void broker_start_again(struct broker *broker) {
    char path[128], option[160];
    snprintf(path, sizeof path, "%s/broker.conf", broker->folder);
    snprintf(option, sizeof option, "--config-file=%s", path);
    broker->process = fork();
    must(broker->process >= 0);
    if (broker->process == 0) {
        /* Also where a test is killed. */
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        char log[128];
        snprintf(log, sizeof log, "%s/log", broker->folder);
        must(freopen(log, "a", stderr) != NULL);
        setenv("PATH", "/usr/sbin:/usr/bin:/bin:/usr/local/sbin", 1);
        if (broker->port == 0) execlp("dbus-daemon", "dbus-daemon", "--nofork", "--nopidfile", option, NULL);
        else execlp("mosquitto", "mosquitto", "-c", path, NULL);
        _exit(127);
    }
    while (!is_listening(broker)) {
        int status;
        must(waitpid(broker->process, &status, WNOHANG) == 0);
        usleep(1000);
    }
}

struct broker broker_start(const char *configuration) {
    struct broker broker = {.port = free_port(), .folder = "/tmp/swo-relay-XXXXXX"};
    must(mkdtemp(broker.folder) != NULL);
    snprintf(broker.address, sizeof broker.address, "mqtt://127.0.0.1:%d", broker.port);
    char path[128];
    snprintf(path, sizeof path, "%s/broker.conf", broker.folder);
    FILE *file = fopen(path, "w");
    must(file != NULL);
    fprintf(file, "listener %d 127.0.0.1\nuser root\nset_tcp_nodelay true\n", broker.port);
    if (configuration == NULL || strstr(configuration, "allow_anonymous") == NULL)
        fprintf(file, "allow_anonymous true\n");
    /* Of a burst, a broker drops what a slow reader has not taken beyond 1000 messages. */
    if (configuration == NULL || strstr(configuration, "max_queued_messages") == NULL)
        fprintf(file, "max_queued_messages 100000\n");
    /* %s stands for the folder. */
    for (const char *next = configuration; next != NULL && *next;) {
        const char *place = strstr(next, "%s");
        fprintf(file, "%.*s", place ? (int)(place - next) : (int)strlen(next), next);
        if (place) fputs(broker.folder, file);
        next = place ? place + 2 : NULL;
    }
    fclose(file);
    broker_start_again(&broker);
    return broker;
}

struct broker bus_start(const char *configuration) {
    struct broker bus = {.folder = "/tmp/swo-relay-XXXXXX"};
    must(mkdtemp(bus.folder) != NULL && chmod(bus.folder, 0755) == 0);
    snprintf(bus.address, sizeof bus.address, "dbus:unix:path=%s/bus", bus.folder);
    char path[128];
    snprintf(path, sizeof path, "%s/broker.conf", bus.folder);
    FILE *file = fopen(path, "w");
    must(file != NULL);
    fprintf(file, "<busconfig><listen>unix:path=%s/bus</listen><auth>EXTERNAL</auth>%s</busconfig>", bus.folder,
            configuration != NULL ? configuration
                                  : "<type>session</type><policy context='default'><allow send_destination='*'/>"
                                    "<allow eavesdrop='true'/><allow own='*'/></policy>");
    fclose(file);
    broker_start_again(&bus);
    return bus;
}

struct broker network_start(void) {
    return is_on_a_bus ? bus_start(NULL) : broker_start(NULL);
}

void broker_kill(struct broker *broker) {
    if (broker->process == 0) return;
    kill(broker->process, SIGKILL);
    waitpid(broker->process, NULL, 0);
    broker->process = 0;
}

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *walk) {
    (void)status, (void)flag, (void)walk;
    return remove(path);
}

void broker_end(struct broker *broker) {
    broker_kill(broker);
    nftw(broker->folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

char *run_command(struct broker *broker, const char *command) {
    char line[4096];
    snprintf(line, sizeof line, "PORT=%d; BUS=unix:path=%s/bus; %s", broker->port, broker->folder, command);
    FILE *pipe = popen(line, "r");
    must(pipe != NULL);
    char *said = calloc(1, 1 << 20);
    size_t size = fread(said, 1, (1 << 20) - 1, pipe);
    said[size] = 0;
    pclose(pipe);
    return said;
}

/* ---- relays ---- */

swo_relay_options options_at(const char *address, const char *device) {
    swo_relay_options options = SWO_RELAY_OPTIONS_INIT;
    options.address = address;
    options.device = device;
    options.first_retry = 5;
    options.last_retry = 20;
    return options;
}

swo_relay *relay_with(swo_relay_options options) {
    swo_relay *relay = NULL;
    ok(swo_relay_new(&options, &relay));
    return relay;
}

swo_relay *relay_at(const char *address, const char *device) { return relay_with(options_at(address, device)); }
swo_relay *new_relay(const char *device) { return relay_at(meeting, device); }

swo_relay *ready_relay(const char *device) {
    swo_relay *relay = new_relay(device);
    await_state(relay, "ready");
    return relay;
}

uint64_t unconfirmed(swo_relay *relay, const char *name) {
    uint64_t milliseconds = 0;
    ok(swo_relay_unconfirmed(relay, name, &milliseconds));
    return milliseconds;
}

void await_confirmed(swo_relay *relay, const char *name) {
    while (unconfirmed(relay, name) != 0) sched_yield();
}

swo_observable *mirror_of(swo_relay *relay, const char *name, int32_t kind) {
    swo_observable *mirror = NULL;
    ok(swo_relay_mirror(relay, name, kind, &mirror));
    return mirror;
}

void await_subscribed(swo_relay *relay, const char *device) {
    static int times;
    char name[64];
    snprintf(name, sizeof name, "%s/none/none-%d", device, times++);
    OWN_OBSERVABLE *nothing = mirror_of(relay, name, SWO_KIND_INT64);
    await_confirmed(relay, name);
    ok(swo_relay_forget(relay, name));
}

swo_relay_counts counts_of(swo_relay *relay) {
    swo_relay_counts counts = SWO_RELAY_COUNTS_INIT;
    ok(swo_relay_count(relay, &counts));
    return counts;
}

/* ---- waiting ---- */

struct wish {
    int32_t kind;
    int64_t number;
    const char *beginning;
    sem_t fulfilled;
};

HANDLER(check_wish, context) {
    struct wish *wish = context;
    const swo_value *value = &message->as.update->new_value;
    if (value->kind != wish->kind) return;
    if (value->kind == SWO_KIND_INT64 && value->as.int64 != wish->number) return;
    if (value->kind == SWO_KIND_TEXT && (value->as.bytes.size < strlen(wish->beginning) ||
                                         memcmp(value->as.bytes.data, wish->beginning, strlen(wish->beginning)) != 0))
        return;
    sem_post(&wish->fulfilled);
}

static void await_wish(swo_observable *variable, struct wish *wish) {
    swo_observation observation;
    swo_observe_options options = OPTIONS(.replay = 1);
    sem_init(&wish->fulfilled, 0, 0);
    ok(swo_observe_with(variable, &options, check_wish, wish, NULL, &observation));
    while (sem_wait(&wish->fulfilled) != 0) {}
    ok(swo_stop_and_wait(observation));
    sem_destroy(&wish->fulfilled);
}

void await_number(swo_observable *variable, int64_t number) {
    await_wish(variable, &(struct wish){.kind = SWO_KIND_INT64, .number = number});
}

void await_text(swo_observable *variable, const char *beginning) {
    await_wish(variable, &(struct wish){.kind = SWO_KIND_TEXT, .beginning = beginning});
}

void await_null(swo_observable *variable) { await_wish(variable, &(struct wish){.kind = SWO_KIND_NULL}); }

void await_equal(swo_observable *one, swo_observable *other) {
    for (bool are_equal = false; !are_equal;) {
        swo_value first, second;
        ok(swo_variable_get(one, &first));
        ok(swo_variable_get(other, &second));
        ok(swo_value_equal(&first, &second, &are_equal));
        swo_value_clear(&first);
        swo_value_clear(&second);
        if (!are_equal) sched_yield();
    }
}

HANDLER(note_line, context) {
    struct listener *listener = context;
    const swo_value *value = message->kind == SWO_KIND_UPDATE ? &message->as.update->new_value : message;
    pthread_mutex_lock(&listener->mutex);
    size_t length = strlen(listener->text);
    if (value->kind == SWO_KIND_INT64)
        snprintf(listener->text + length, sizeof listener->text - length, "%lld\n", (long long)value->as.int64);
    else if (value->kind == SWO_KIND_TEXT)
        snprintf(listener->text + length, sizeof listener->text - length, "%.*s\n", (int)value->as.bytes.size,
                 (const char *)value->as.bytes.data);
    pthread_cond_broadcast(&listener->changed);
    pthread_mutex_unlock(&listener->mutex);
}

struct listener *listen_to(swo_observable *observable) {
    struct listener *listener = calloc(1, sizeof *listener);
    pthread_mutex_init(&listener->mutex, NULL);
    pthread_cond_init(&listener->changed, NULL);
    ok(swo_observe(observable, NULL, note_line, listener, NULL, &listener->observation));
    return listener;
}

static bool has_line(const char *text, const char *line) {
    size_t length = strlen(line);
    for (const char *at = text; (at = strstr(at, line)) != NULL; at++)
        if ((at == text || at[-1] == '\n') && at[length] == '\n') return true;
    return false;
}

void await_heard(struct listener *listener, const char *line) {
    pthread_mutex_lock(&listener->mutex);
    while (!has_line(listener->text, line)) pthread_cond_wait(&listener->changed, &listener->mutex);
    pthread_mutex_unlock(&listener->mutex);
}

const char *heard(struct listener *listener) { return listener->text; }

void listener_free(struct listener *listener) {
    swo_stop_and_wait(listener->observation);
    free(listener);
}

void share_many(swo_relay *many, swo_relay *other, int count, swo_observable *variables[], swo_observable *mirrors[]) {
    char name[64];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "node-%d/value", i);
        variables[i] = number_variable(i);
        ok(swo_relay_publish(many, name, variables[i], SWO_KIND_INT64, false));
    }
    await_state(many, "ready");
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "many/node-%d/value", i);
        mirrors[i] = mirror_of(other, name, SWO_KIND_INT64);
    }
    for (int i = 0; i < count; i++) await_number(mirrors[i], i);
}
