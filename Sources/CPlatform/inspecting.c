/* SPDX-License-Identifier: MIT */
/* Keeps what happens for a live page, and loads what serves it, where SWIFTOBSERVER_INSPECT asks for that. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

/* ---- events ---- */

enum { MOST = 1 << 14 };

typedef struct kept {
    platform_cause *cause;
    const void *core;
    uint64_t observation, began, took;
    long thread;
    bool is_call;
} kept;

/* Guards the rest. Nothing else is called with it. */
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;
static kept *events;
static size_t count, lost;

uint64_t platform_inspect_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void platform_inspect_note(platform_cause *cause, bool is_call, const void *core, uint64_t observation, uint64_t began,
                           uint64_t took) {
    long thread = platform_thread_seen()->id;
    pthread_mutex_lock(&keeping);
    if (events != NULL && count < MOST)
        events[count++] = (kept){platform_cause_retain(cause), core, observation, began, took, thread, is_call};
    else
        lost++;
    pthread_mutex_unlock(&keeping);
}

void platform_inspect_alone(void) { pthread_mutex_init(&keeping, NULL); }

static size_t take(const platform_viewer *viewer) {
    kept *fresh = malloc(MOST * sizeof *fresh);
    pthread_mutex_lock(&keeping);
    kept *taken = fresh == NULL ? NULL : events;
    size_t length = taken == NULL ? 0 : count, missing = lost;
    lost = 0;
    if (taken != NULL || events == NULL) {
        events = fresh;
        count = 0;
        fresh = NULL;
    }
    pthread_mutex_unlock(&keeping);
    free(fresh);
    for (size_t index = 0; index < length; index++) {
        const kept *one = &taken[index];
        platform_shown_event event = {.is_call = one->is_call,
                                      .observation = one->observation,
                                      .began = one->began,
                                      .took = one->took,
                                      .core = one->core,
                                      .thread = one->thread};
        platform_cause_show(one->cause, &event, viewer);
        platform_cause_release(one->cause);
    }
    free(taken);
    return missing;
}

/* ---- stopping ---- */

static const void *awaited;

void platform_stop_at(const void *core) { __atomic_store_n(&awaited, core, __ATOMIC_RELAXED); }

/* The whole process, by this thread: a debugger that attaches finds what it was doing. */
void platform_stop_if_wanted(const void *core) {
    const void *expected = core;
    if (__atomic_load_n(&awaited, __ATOMIC_RELAXED) != core ||
        !__atomic_compare_exchange_n(&awaited, &expected, NULL, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    syscall(SYS_tgkill, getpid(), (pid_t)syscall(SYS_gettid), SIGSTOP);
}

/* ---- what the engine and the languages know ---- */

__attribute__((weak)) void observer_inspect_record(bool is_wanted, bool values);
__attribute__((weak)) void observer_inspect_show(const platform_viewer *viewer, bool values);
__attribute__((weak)) char *observer_inspect_core_name(const void *core);
__attribute__((weak)) void observer_inspect_stop_at(const void *core);
#pragma weak observer_inspect_describe
#pragma weak observer_inspect_name
#pragma weak observer_inspect_read
#pragma weak observer_inspect_set

void platform_show_edge(const platform_viewer *viewer, platform_shown_edge *edge) {
    const char *name = edge->name;
    if (name == NULL && edge->target == NULL && observer_inspect_name != NULL) observer_inspect_name(edge);
    viewer->edge(viewer->context, edge);
    if (edge->name != name) free((void *)edge->name);
    free((void *)edge->place);
}

void platform_show_node(const platform_viewer *viewer, platform_shown_node *node, bool values) {
    const char *kind = node->kind;
    if (observer_inspect_describe != NULL) observer_inspect_describe(node, values);
    viewer->node(viewer->context, node);
    if (node->kind != kind) free((void *)node->kind);
    free((void *)node->value);
}

struct reading {
    const platform_viewer *viewer;
    bool values;
};

/* Nothing may observe it. */
static void show_read(const struct reading *reading, const void *core) {
    char *name = observer_inspect_core_name(core);
    platform_shown_node node = {.core = core, .kind = "observable", .name = name};
    platform_show_node(reading->viewer, &node, reading->values);
    free(name);
}

static void show_reading(void *context, struct swo_observable *source, struct swo_observable *derived) {
    const struct reading *reading = context;
    const platform_shown_edge edge = {.source = source, .target = derived};
    show_read(reading, source);
    show_read(reading, derived);
    reading->viewer->edge(reading->viewer->context, &edge);
}

void platform_show_derived(const platform_viewer *viewer, bool values) {
    struct reading reading = {viewer, values};
    if (observer_inspect_read != NULL) observer_inspect_read(show_reading, &reading);
}

static platform_inspection inspection;

bool platform_is_inspected(void) { return inspection.address != NULL; }

static void record(bool is_wanted) { observer_inspect_record(is_wanted, inspection.shows_values); }

static void show(const platform_viewer *viewer) { observer_inspect_show(viewer, inspection.shows_values); }

static const char *set(const void *core, const char *text) {
    if (!inspection.may_set) return "this program allows no page to set anything";
    if (observer_inspect_set == NULL) return "in this language a page sets nothing";
    platform_context before = platform_context_enter(NULL, NULL, PLATFORM_NO_SLICE, 0, "the page");
    const char *problem = observer_inspect_set(core, text);
    platform_context_leave(&before);
    return problem;
}

static const char *stop_at(const void *core) {
    if (!inspection.may_stop) return "this program allows no page to stop it";
    observer_inspect_stop_at(core);
    return NULL;
}

bool platform_read_int(const char *text, int64_t *out) {
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    return end != text && *end == 0 && errno == 0;
}

bool platform_read_double(const char *text, double *out) {
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == 0;
}

/* ---- the environment ---- */

/* By names that each glibc has, wherever they lie; a program that is linked statically has none. */
#if defined(__GLIBC__) && defined(__x86_64__)
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5\n.symver dlsym, dlsym@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__aarch64__)
__asm__(".symver dlopen, dlopen@GLIBC_2.17\n.symver dlsym, dlsym@GLIBC_2.17");
#endif
__attribute__((weak)) void *dlopen(const char *file, int mode);
__attribute__((weak)) void *dlsym(void *library, const char *name);
enum { NOW = 2, NEVER_UNLOADED = 0x1000 };

static void complain(const char *why) {
    fprintf(stderr, "swiftobserver: no page can show this program, as SWIFTOBSERVER_INSPECT asks: %s\n", why);
}

__attribute__((constructor)) static void begin(void) {
    const char *address = secure_getenv("SWIFTOBSERVER_INSPECT"),
               *allowed = secure_getenv("SWIFTOBSERVER_INSPECT_ALLOW");
    if (address == NULL || address[0] == 0 || observer_inspect_show == NULL) return;
    if (dlopen == NULL || dlsym == NULL) return complain("it is linked without the dynamic linker");
    void *library = dlopen("libswiftobserver-relay.so.0", NOW | NEVER_UNLOADED);
    platform_attach *attach = NULL;
    if (library != NULL) {
        void *found = dlsym(library, "swo_inspect_attach");
        memcpy(&attach, &found, sizeof attach);
    }
    if (attach == NULL) return complain("libswiftobserver-relay.so.0, which serves it, cannot be loaded");
    inspection = (platform_inspection){.size = sizeof inspection,
                                       .address = address,
                                       .shows_values = allowed != NULL && strstr(allowed, "values") != NULL,
                                       .may_set = allowed != NULL && strstr(allowed, "set") != NULL,
                                       .may_stop = allowed != NULL && strstr(allowed, "stop") != NULL,
                                       .record = record,
                                       .take = take,
                                       .show = show,
                                       .set = set,
                                       .stop_at = stop_at};
    const char *problem = attach(&inspection);
    if (problem != NULL) complain(problem);
}
