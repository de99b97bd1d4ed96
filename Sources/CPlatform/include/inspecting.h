/* SPDX-License-Identifier: MIT */
/* What a live page asks of the program that it shows. Sources/CRelay/inspecting.c, which the program loads only where
 * SWIFTOBSERVER_INSPECT asks for it, answers the page by these functions. */
#ifndef PLATFORM_INSPECTING_H
#define PLATFORM_INSPECTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A change of an observable, or a call of a handler because of one. Texts are borrowed; NULL: not known. */
typedef struct platform_shown_event {
    bool is_call;
    uint64_t number, parent; /* of the change, and of the one that it was made because of; 0: none */
    uint64_t observation;    /* whose handler was called, or in whose handler it was done; 0: none */
    uint64_t began, took;    /* in nanoseconds */
    const void *core, *author;
    long thread;
    const char *kind, *name, *thread_name, *handler, *old_value, *new_value;
} platform_shown_event;

typedef struct platform_shown_node {
    const void *core;
    const char *kind, *name, *value; /* NULL: there is none, or it may not be shown */
    bool is_settable;
    bool is_observable;          /* else it is what observes several, and sends to its own handler alone */
    struct platform_cause *last; /* what has changed it last; NULL: not known */
} platform_shown_node;

/* What observes or reads: a handler, where there is no target. */
typedef struct platform_shown_edge {
    const void *source, *target;
    uint64_t observation;
    const char *name, *place;  /* where the handler is written, as "file:line"; NULL: not known */
    uintptr_t handler[2];      /* where two are the same, the handlers are; 0, 0: not known */
    long thread, other_thread; /* that have called the handler, where any thread may; 0: not known */
    uint64_t slowest;          /* what its slowest call took, in nanoseconds; 0: not known */
} platform_shown_edge;

typedef struct platform_viewer {
    void *context;
    void (*node)(void *context, const platform_shown_node *node);
    void (*edge)(void *context, const platform_shown_edge *edge);
    void (*event)(void *context, const platform_shown_event *event);
} platform_viewer;

typedef struct platform_inspection {
    size_t size;
    const char *address;                           /* where a page connects, as SWIFTOBSERVER_INSPECT says it */
    bool shows_values, may_set, may_stop;          /* as SWIFTOBSERVER_INSPECT_ALLOW says */
    void (*record)(bool is_wanted);                /* begins and ends to keep events */
    size_t (*take)(const platform_viewer *viewer); /* hands the events out; returns how many were lost */
    void (*show)(const platform_viewer *viewer);   /* all observables that something observes or reads */
    const char *(*set)(const void *core, const char *text); /* NULL: done; else why not, in a sentence that lasts */
    /* Stops the process at the next change of an observable; at none any more: NULL. Returns as `set` does. */
    const char *(*stop_at)(const void *core);
} platform_inspection;

/* What the library exports that serves pages. Returns NULL, or why not, in a sentence that lasts. */
typedef const char *platform_attach(const platform_inspection *inspection);

/* ---- inside of the program ---- */

/* What a language may have; weak in inspecting.c. All texts are in memory of malloc, but that of a problem. */
struct swo_observable;
/* Sets `value` and, if it is another one, `kind`. */
void observer_inspect_describe(platform_shown_node *node, bool values);
/* Sets `name`, and perhaps `place`. */
void observer_inspect_name(platform_shown_edge *edge);
/* Calls with each derived observable of the language, and each that it has read; both live for the length of the call.
 */
void observer_inspect_read(void (*each)(void *context, struct swo_observable *source, struct swo_observable *derived),
                           void *context);
const char *observer_inspect_set(const void *core, const char *text);

/* Keeps an event, if that is asked for. */
struct platform_cause;
void platform_inspect_note(struct platform_cause *cause, bool is_call, const void *core, uint64_t observation,
                           uint64_t began, uint64_t took);
uint64_t platform_inspect_now(void);
void platform_inspect_alone(void);
/* Whether a page may look. */
bool platform_is_inspected(void);
/* Names the observable at whose next change the process stops; NULL: at none. */
void platform_stop_at(const void *core);
/* This one has changed. */
void platform_stop_if_wanted(const void *core);
/* Whether a text is a number and no more. */
bool platform_read_int(const char *text, int64_t *out);
bool platform_read_double(const char *text, double *out);
/* Shows a node or an edge, with what its language knows of it. */
void platform_show_node(const platform_viewer *viewer, platform_shown_node *node, bool values);
void platform_show_edge(const platform_viewer *viewer, platform_shown_edge *edge);
/* What a lint finds. */
enum { PLATFORM_REPEATED = 1, PLATFORM_UNOBSERVED = 2, PLATFORM_CYCLE = 3, PLATFORM_THREADS = 4, PLATFORM_SLOW = 5 };
typedef void (*platform_finding)(void *context, int kind, const void *core, const char *sentence);
/* Calls with each thing that looks wrong. Returns false without memory. */
bool platform_lint(uint64_t slow, platform_finding found, void *context);
/* Shows what the language knows of derived observables. */
void platform_show_derived(const platform_viewer *viewer, bool values);

#endif
