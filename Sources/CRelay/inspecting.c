/* SPDX-License-Identifier: MIT */
/* Shows this process to a live page, where SWIFTOBSERVER_INSPECT asks for that: answers what programs of the same user
 * ask at a Unix socket, a line of JSON for each line.
 *
 *     graph               all observables that something observes or reads, and what observes and reads them
 *     events              what has happened since the last one: changes, and calls of handlers
 *     set ADDRESS TEXT    sets a variable, if the program allows it
 *     stop ADDRESS        stops the program at the next change of an observable, if it allows that; 0: at none
 *
 * Events are kept only while somebody asks for them, and no more of the time than costs the program a 25th of it: an
 * event costs it about two microseconds, with the slower sends around it. Then they are a sample, and the answer says
 * so. */
#define _GNU_SOURCE
#include "../CPlatform/include/inspecting.h"
#include "CRelay.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_INSPECTED = 4, MOST_CLIENTS = 8, LONGEST_LINE = 1 << 16, MOST_KEPT = 8 << 20 };
enum { SHARE = 25, COST_OF_EVENT = 2000, TICK = 10, PATIENCE = 3000 };

struct text {
    char *bytes;
    size_t count, capacity;
    bool is_lost;
};

struct client {
    int socket; /* -1: there is none */
    char line[LONGEST_LINE];
    size_t count;
    struct text answer;
    size_t sent;
};

/* Guards `inspected`, to which each image of the library in this process adds itself. */
static pthread_mutex_t attaching = PTHREAD_MUTEX_INITIALIZER;
static platform_inspection inspected[MOST_INSPECTED];
static int inspected_count;

/* Of the thread alone, once it has begun. */
static struct client clients[MOST_CLIENTS];
static int listener = -1, ender = -1;
static struct text kept;
static size_t kept_count, lost;
static bool is_recording, is_sample, is_stopping;
static int64_t asked = -PATIENCE, budgeted;
static int64_t budget; /* in nanoseconds: what events may cost */
static pthread_t server;
static pid_t process;
static char path[sizeof((struct sockaddr_un *)0)->sun_path];

/* ---- JSON ---- */

static void append(struct text *text, const char *bytes, size_t count) {
    if (text->is_lost) return;
    if (text->count + count > text->capacity) {
        size_t capacity = 2 * (text->count + count + 512);
        char *larger = realloc(text->bytes, capacity);
        if (larger == NULL) {
            text->is_lost = true;
            return;
        }
        text->bytes = larger;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->count, bytes, count);
    text->count += count;
}

static void say(struct text *text, const char *words) { append(text, words, strlen(words)); }

static void say_key(struct text *text, const char *key) {
    char last = text->count == 0 ? 0 : text->bytes[text->count - 1];
    if (last != '{' && last != '[' && last != 0) say(text, ",");
    say(text, "\"");
    say(text, key);
    say(text, "\":");
}

static void say_number(struct text *text, const char *key, uint64_t number) {
    char digits[24];
    if (number == 0) return;
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    say_key(text, key);
    say(text, digits);
}

static void say_bool(struct text *text, const char *key, bool value) {
    if (!value) return;
    say_key(text, key);
    say(text, "true");
}

/* In quotes, for 64 bits are more than numbers of JavaScript have. */
static void say_id(struct text *text, const char *key, uint64_t number) {
    char digits[24];
    if (number == 0) return;
    snprintf(digits, sizeof digits, "\"%llx\"", (unsigned long long)number);
    say_key(text, key);
    say(text, digits);
}

static void say_pointer(struct text *text, const char *key, const void *pointer) {
    say_id(text, key, (uint64_t)(uintptr_t)pointer);
}

static void say_text(struct text *text, const char *key, const char *words) {
    char escaped[8];
    if (words == NULL) return;
    say_key(text, key);
    say(text, "\"");
    for (const char *from = words;; words++) {
        unsigned char one = (unsigned char)*words;
        if (one >= 32 && one != '"' && one != '\\' && one != 127) continue;
        append(text, from, (size_t)(words - from));
        from = words + 1;
        if (one == 0) break;
        snprintf(escaped, sizeof escaped, "\\u%04x", one);
        say(text, escaped);
    }
    say(text, "\"");
}

static void begin_object(struct text *text) {
    say(text, text->count > 0 && text->bytes[text->count - 1] == '}' ? ",{" : "{");
}

/* ---- answers ---- */

static void node(void *context, const platform_shown_node *node) {
    begin_object(context);
    say_pointer(context, "id", node->core);
    say_text(context, "kind", node->kind);
    say_text(context, "name", node->name);
    say_text(context, "value", node->value);
    say_bool(context, "settable", node->is_settable);
    say(context, "}");
}

static void edge(void *context, const platform_shown_edge *edge) {
    begin_object(context);
    say_pointer(context, "from", edge->source);
    say_pointer(context, "to", edge->target);
    say_id(context, "observation", edge->observation);
    say_text(context, "name", edge->name);
    say_text(context, "place", edge->place);
    if (edge->place == NULL) say_id(context, "function", edge->handler[0]);
    say(context, "}");
}

static void ignore_node(void *context, const platform_shown_node *node) { (void)context, (void)node; }
static void ignore_edge(void *context, const platform_shown_edge *edge) { (void)context, (void)edge; }

static void event(void *context, const platform_shown_event *event) {
    if (kept.count > MOST_KEPT) {
        lost++;
        return;
    }
    begin_object(context);
    say_number(context, "number", event->number);
    say_bool(context, "call", event->is_call);
    say_number(context, "because", event->parent);
    say_pointer(context, "of", event->core);
    say_id(context, "observation", event->observation);
    say_text(context, "handler", event->handler);
    say_pointer(context, "author", event->author);
    say_text(context, "kind", event->kind);
    say_text(context, "name", event->name);
    say_text(context, "old", event->old_value);
    say_text(context, "new", event->new_value);
    say_number(context, "thread", (uint64_t)event->thread);
    say_text(context, "thread_name", event->thread_name);
    say_number(context, "began", event->began);
    say_number(context, "took", event->took);
    say(context, "}");
    kept_count++;
}

static int inspected_now(void) {
    pthread_mutex_lock(&attaching);
    int count = inspected_count;
    pthread_mutex_unlock(&attaching);
    return count;
}

static void answer_graph(struct text *text) {
    const platform_viewer nodes = {text, node, ignore_edge, NULL}, edges = {text, ignore_node, edge, NULL};
    char program[64] = "";
    FILE *file = fopen("/proc/self/comm", "re");
    if (file != NULL) {
        if (fgets(program, sizeof program, file) != NULL) program[strcspn(program, "\n")] = 0;
        fclose(file);
    }
    int count = inspected_now();
    say(text, "{");
    say_text(text, "program", program);
    say_number(text, "process", (uint64_t)getpid());
    say_bool(text, "values", inspected[0].shows_values);
    say_bool(text, "settable", inspected[0].may_set);
    say_bool(text, "stoppable", inspected[0].may_stop);
    say_key(text, "nodes");
    say(text, "[");
    for (int index = 0; index < count; index++) inspected[index].show(&nodes);
    say(text, "],\"edges\":[");
    for (int index = 0; index < count; index++) inspected[index].show(&edges);
    say(text, "]}\n");
}

/* ---- events ---- */

static size_t take(void) {
    const platform_viewer viewer = {&kept, ignore_node, ignore_edge, event};
    size_t before = kept_count, missing = 0;
    for (int index = 0, count = inspected_now(); index < count; index++) missing += inspected[index].take(&viewer);
    lost += missing;
    return kept_count - before + missing;
}

static void record(bool is_wanted) {
    for (int index = 0, count = inspected_now(); index < count; index++) inspected[index].record(is_wanted);
    is_recording = is_wanted;
}

/* How long it is until there is something to do, in milliseconds; -1: for ever. */
static int keep(void) {
    enum { MOST_BUDGET = 20000000, BEGINS_WITH = 10000000 };
    int64_t now = relay_milliseconds();
    bool is_wanted = now - asked < PATIENCE;
    budget += (now - budgeted) * 1000000 / SHARE;
    if (budget > MOST_BUDGET) budget = MOST_BUDGET;
    budgeted = now;
    if (is_recording) budget -= (int64_t)take() * COST_OF_EVENT;
    bool may = is_recording ? budget > 0 : budget > BEGINS_WITH;
    if (is_recording && !may) is_sample = true;
    if (is_recording != (is_wanted && may)) {
        struct timespec began, ended;
        clock_gettime(CLOCK_MONOTONIC, &began);
        record(!is_recording);
        clock_gettime(CLOCK_MONOTONIC, &ended);
        budget -= (ended.tv_sec - began.tv_sec) * 1000000000 + ended.tv_nsec - began.tv_nsec;
    }
    if (!is_wanted) {
        kept.count = kept_count = 0;
        /* Only what was begun: to end it takes time for each observation of the program. */
        for (int index = 0, count = inspected_now(); is_stopping && index < count; index++)
            inspected[index].stop_at(NULL);
        is_stopping = false;
        return -1;
    }
    return TICK;
}

static void answer_events(struct text *text) {
    asked = relay_milliseconds();
    if (is_recording) take();
    say(text, "{");
    say_number(text, "lost", lost);
    say_bool(text, "sampled", is_sample || lost > 0);
    is_sample = is_sample && !is_recording;
    say_key(text, "events");
    say(text, "[");
    append(text, kept.bytes, kept.count);
    say(text, "]}\n");
    kept.count = kept_count = lost = 0;
    kept.is_lost = false;
}

static void answer_set(struct text *text, char *line) {
    char *end;
    const void *core = (const void *)(uintptr_t)strtoull(line, &end, 16);
    const char *problem = "there is no such observable";
    if (end != line && *end == ' ') {
        for (int index = 0, count = inspected_now(); index < count && problem != NULL; index++) {
            problem = inspected[index].set(core, end + 1);
        }
    }
    say(text, "{");
    if (problem == NULL)
        say_bool(text, "set", true);
    else
        say_text(text, "problem", problem);
    say(text, "}\n");
}

static void answer_stop(struct text *text, const char *line) {
    const void *core = (const void *)(uintptr_t)strtoull(line, NULL, 16);
    const char *problem = NULL;
    /* A page looks, from now on. */
    asked = relay_milliseconds();
    for (int index = 0, count = inspected_now(); index < count && problem == NULL; index++)
        problem = inspected[index].stop_at(core);
    is_stopping = core != NULL && problem == NULL;
    say(text, "{");
    say_text(text, "problem", problem);
    say(text, "}\n");
}

static void answer(struct client *client, char *line) {
    if (strcmp(line, "graph") == 0)
        answer_graph(&client->answer);
    else if (strcmp(line, "events") == 0)
        answer_events(&client->answer);
    else if (strncmp(line, "set ", 4) == 0)
        answer_set(&client->answer, line + 4);
    else if (strncmp(line, "stop ", 5) == 0)
        answer_stop(&client->answer, line + 5);
    else
        say(&client->answer, "{\"problem\":\"not understood\"}\n");
}

/* ---- the socket ---- */

static void drop(struct client *client) {
    close(client->socket);
    client->socket = -1;
    client->count = client->sent = client->answer.count = 0;
    client->answer.is_lost = false;
}

static void receive(struct client *client) {
    ssize_t count = recv(client->socket, client->line + client->count, LONGEST_LINE - client->count, 0);
    if (count <= 0) {
        if (count == 0 || (errno != EAGAIN && errno != EINTR)) drop(client);
        return;
    }
    client->count += (size_t)count;
    char *begin = client->line, *end;
    while ((end = memchr(begin, '\n', client->count - (size_t)(begin - client->line))) != NULL) {
        *end = 0;
        answer(client, begin);
        begin = end + 1;
    }
    client->count -= (size_t)(begin - client->line);
    memmove(client->line, begin, client->count);
    if (client->count == LONGEST_LINE || client->answer.is_lost) drop(client);
}

static void reply(struct client *client) {
    ssize_t count =
        send(client->socket, client->answer.bytes + client->sent, client->answer.count - client->sent, MSG_NOSIGNAL);
    if (count < 0) {
        if (errno != EAGAIN && errno != EINTR) drop(client);
        return;
    }
    client->sent += (size_t)count;
    if (client->sent == client->answer.count) client->sent = client->answer.count = 0;
}

/* Of the same user, or of root. */
static void admit(void) {
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (socket < 0) return;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && (peer.uid == geteuid() || peer.uid == 0)) {
        for (int index = 0; index < MOST_CLIENTS; index++) {
            if (clients[index].socket >= 0) continue;
            clients[index].socket = socket;
            return;
        }
    }
    close(socket);
}

static void *serve(void *unused) {
    (void)unused;
    budgeted = relay_milliseconds();
    while (true) {
        struct pollfd watched[2 + MOST_CLIENTS] = {{ender, POLLIN, 0}, {listener, POLLIN, 0}};
        for (int index = 0; index < MOST_CLIENTS; index++) {
            const struct client *client = &clients[index];
            /* Who does not read what was answered is not listened to. */
            watched[2 + index] = (struct pollfd){client->socket, client->answer.count > 0 ? POLLOUT : POLLIN, 0};
        }
        int wait = keep();
        if (poll(watched, 2 + MOST_CLIENTS, wait) < 0) continue;
        if (watched[0].revents != 0) break;
        for (int index = 0; index < MOST_CLIENTS; index++) {
            struct client *client = &clients[index];
            if (client->socket < 0 || watched[2 + index].revents == 0) continue;
            if (client->answer.count > 0)
                reply(client);
            else
                receive(client);
        }
        if (watched[1].revents != 0) admit();
    }
    if (is_recording) record(false);
    return NULL;
}

static const char *listen_at(const char *address) {
    struct sockaddr_un there = {.sun_family = AF_UNIX};
    char before[sizeof path];
    if (strncmp(address, "unix:", 5) != 0 || address[5] == 0) return "an address is unix:PATH";
    const char *place = strstr(address, "%p");
    int count = place == NULL ? snprintf(before, sizeof before, "%s", address + 5)
                              : snprintf(before, sizeof before, "%.*s%d%s", (int)(place - address - 5), address + 5,
                                         (int)getpid(), place + 2);
    if (count < 0 || (size_t)count >= sizeof before) return "the path is too long";
    memcpy(there.sun_path, before, sizeof before);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (made < 0) return "there are no sockets left";
    struct stat found;
    if (lstat(before, &found) == 0 && S_ISSOCK(found.st_mode) &&
        connect(made, (struct sockaddr *)&there, sizeof there) != 0 && errno == ECONNREFUSED) {
        /* Of a program that has been killed. */
        unlink(before);
    }
    close(made);
    made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    mode_t mask = umask(0177);
    int failed =
        made < 0 || bind(made, (struct sockaddr *)&there, sizeof there) != 0 || listen(made, MOST_CLIENTS) != 0;
    umask(mask);
    if (failed) {
        if (made >= 0) close(made);
        return "the path cannot be made, or is in use";
    }
    memcpy(path, before, sizeof before);
    listener = made;
    return NULL;
}

/* A child process has not the thread: the page goes on to show its parent. */
static void be_alone(void) {
    pthread_mutex_init(&attaching, NULL);
    if (listener >= 0) close(listener);
    if (ender >= 0) close(ender);
    for (int index = 0; index < MOST_CLIENTS; index++)
        if (clients[index].socket >= 0) drop(&clients[index]);
    listener = ender = -1;
}

static const char *begin(const char *address) {
    for (int index = 0; index < MOST_CLIENTS; index++) clients[index].socket = -1;
    ender = eventfd(0, EFD_CLOEXEC);
    const char *problem = ender < 0 ? "there are no descriptors left" : listen_at(address);
    if (problem != NULL) return problem;
    process = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(&server, NULL, serve, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed == 0) {
        pthread_atfork(NULL, NULL, be_alone);
        return NULL;
    }
    unlink(path);
    be_alone();
    return "there are no threads left";
}

__attribute__((visibility("default"))) const char *swo_inspect_attach(const void *given) {
    const platform_inspection *inspection = given;
    if (inspection == NULL || inspection->size != sizeof *inspection) return "its version is another one";
    const char *problem = NULL;
    pthread_mutex_lock(&attaching);
    if (inspected_count == MOST_INSPECTED)
        problem = "there are too many copies of the library in it";
    else
        inspected[inspected_count++] = *inspection;
    bool is_first = inspected_count == 1 && problem == NULL;
    pthread_mutex_unlock(&attaching);
    if (!is_first) return problem;
    problem = begin(inspection->address);
    if (problem != NULL) inspected_count = 0;
    return problem;
}

/* Before the library ends that is shown. A handler that a page has called may never return. */
__attribute__((destructor)) static void end(void) {
    if (listener < 0 || getpid() != process) return;
    unlink(path);
    eventfd_write(ender, 1);
    if (pthread_equal(pthread_self(), server)) return;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    pthread_timedjoin_np(server, NULL, &until);
}
