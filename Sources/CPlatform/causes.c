/* SPDX-License-Identifier: MIT */
/* What has changed an observable, and what that was done in: see tracing.h. */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"
#include "texts.h"
#ifdef __linux__
#include <sys/prctl.h>
#endif

uint32_t platform_tracing_reasons, platform_birth_bits;
static uint32_t values_allowed;
/* Answers know of no cause that was made before they were asked for. */
static uint64_t causes_made, causes_forgotten;
/* Guards the values of causes, and what waits. Nothing else is called with it. */
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;

enum { LONGEST_NAME = 64, LONGEST_PATH = 32 };

struct platform_cause {
    uint64_t references, number;
    platform_cause *parent;
    uint32_t depth;
    bool is_cut;
    const void *core, *author;
    uint64_t observation; /* in whose handler it was done */
    long thread;
    char *old_value, *new_value;
    char thread_name[16], kind[32], name[LONGEST_NAME], handler[48], author_type[32];
};

uint32_t platform_tracing_begin(uint32_t reason) {
    uint32_t before = __atomic_fetch_or(&platform_tracing_reasons, reason, __ATOMIC_SEQ_CST);
    if (reason & ~before & PLATFORM_ANSWERS)
        __atomic_store_n(&causes_forgotten, __atomic_load_n(&causes_made, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&platform_birth_bits, PLATFORM_TRACED, __ATOMIC_SEQ_CST);
    return before;
}

static void drop_pending(void);

uint32_t platform_tracing_end(uint32_t reason) {
    uint32_t left = __atomic_and_fetch(&platform_tracing_reasons, ~reason, __ATOMIC_SEQ_CST);
    platform_trace_values(reason, false);
    if (left != 0) return left;
    __atomic_store_n(&platform_birth_bits, 0, __ATOMIC_SEQ_CST);
    drop_pending();
    return left;
}

bool platform_traces_values(void) { return __atomic_load_n(&values_allowed, __ATOMIC_RELAXED) != 0; }

void platform_trace_values(uint32_t reason, bool allowed) {
    if (allowed)
        __atomic_fetch_or(&values_allowed, reason, __ATOMIC_RELAXED);
    else
        __atomic_fetch_and(&values_allowed, ~reason, __ATOMIC_RELAXED);
}

const platform_seen_thread *platform_thread_seen(void) {
    static __thread platform_seen_thread seen __attribute__((tls_model("initial-exec")));
    static __thread uint32_t forks __attribute__((tls_model("initial-exec")));
    if (seen.id == 0 || forks != platform_forks()) {
        forks = platform_forks();
#ifdef __linux__
        seen.id = syscall(SYS_gettid);
        prctl(PR_GET_NAME, seen.name, 0, 0, 0);
#else
        seen.id = 1;
#endif
    }
    return &seen;
}

static __thread platform_context here __attribute__((tls_model("initial-exec")));

platform_context *platform_context_here(void) { return &here; }

size_t platform_text_count(const char *text, size_t room) {
    size_t count = strnlen(text, room + 1);
    if (count > room)
        for (count = room; count > 0 && (text[count] & 0xC0) == 0x80;) count--;
    return count;
}

static void copy_text(char *to, size_t room, const char *from) {
    size_t count = from == NULL ? 0 : platform_text_count(from, room - 1);
    if (count != 0) memcpy(to, from, count);
    to[count] = 0;
}

platform_cause *platform_cause_retain(platform_cause *cause) {
    if (cause != NULL) __atomic_fetch_add(&cause->references, 1, __ATOMIC_RELAXED);
    return cause;
}

void platform_cause_release(platform_cause *cause) {
    while (cause != NULL && __atomic_fetch_sub(&cause->references, 1, __ATOMIC_ACQ_REL) == 1) {
        platform_cause *parent = cause->parent;
        free(cause->old_value);
        free(cause->new_value);
        free(cause);
        cause = parent;
    }
}

platform_cause *platform_cause_new(const void *core, const char *kind, const char *name, const void *author,
                                   const char *author_type) {
    platform_cause *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    platform_cause *parent = here.cause;
    made->references = 1;
    made->number = __atomic_add_fetch(&causes_made, 1, __ATOMIC_RELAXED);
    made->depth = parent == NULL ? 0 : parent->depth + 1;
    /* What goes round and round is not kept for ever. */
    made->is_cut = made->depth == LONGEST_PATH;
    if (made->is_cut) {
        made->depth = 0;
        parent = NULL;
    }
    made->parent = platform_cause_retain(parent);
    made->core = core;
    made->author = author == core ? NULL : author;
    copy_text(made->author_type, sizeof made->author_type, author_type);
    copy_text(made->kind, sizeof made->kind, kind);
    made->observation = here.observation;
    made->old_value = made->new_value = NULL;
    copy_text(made->name, sizeof made->name, name);
    copy_text(made->handler, sizeof made->handler, here.handler);
    made->thread = platform_thread_seen()->id;
    memcpy(made->thread_name, platform_thread_seen()->name, sizeof made->thread_name);
    return made;
}

const char *platform_cause_name(const platform_cause *cause) { return cause == NULL ? "" : cause->name; }

uint64_t platform_cause_number(const platform_cause *cause) { return cause == NULL ? 0 : cause->number; }

/* The message of an effect is its run, and no value. */
static bool is_run(const platform_cause *cause) { return strcasecmp(cause->kind, "effect") == 0; }

void platform_cause_tell(platform_cause *cause, char *old_value, char *new_value) {
    if (cause == NULL || is_run(cause)) {
        free(old_value);
        free(new_value);
        return;
    }
    pthread_mutex_lock(&noting);
    char *old_before = cause->old_value, *new_before = cause->new_value;
    cause->old_value = old_value;
    cause->new_value = new_value;
    pthread_mutex_unlock(&noting);
    free(old_before);
    free(new_before);
}

void platform_cause_tell_message(platform_cause *cause, char *message) {
    char *between = message == NULL ? NULL : strchr(message, 31);
    char *new_value = between == NULL ? message : strdup(between + 1);
    if (between != NULL) *between = 0;
    platform_cause_tell(cause, between == NULL ? NULL : message, new_value);
}

void platform_cause_note(void **last, platform_cause *cause) {
    platform_cause *before = *last;
    if (cause == NULL || (before != NULL && before->number >= cause->number)) return;
    *last = platform_cause_retain(cause);
    platform_cause_release(before);
}

platform_cause *platform_cause_last(void **last) {
    platform_cause *cause = *last;
    bool is_forgotten = platform_cause_number(cause) <= __atomic_load_n(&causes_forgotten, __ATOMIC_RELAXED);
    return is_forgotten ? NULL : platform_cause_retain(cause);
}

void platform_cause_show(const platform_cause *cause, platform_shown_event *event, const platform_viewer *viewer) {
    if (cause == NULL) return viewer->event(viewer->context, event);
    pthread_mutex_lock(&noting);
    event->number = cause->number;
    event->parent = cause->parent == NULL ? 0 : cause->parent->number;
    event->author = cause->author;
    event->kind = cause->kind;
    event->name = cause->name[0] == 0 ? NULL : cause->name;
    if (!event->is_call) {
        event->thread_name = cause->thread_name[0] == 0 ? NULL : cause->thread_name;
        event->handler = cause->handler[0] == 0 ? NULL : cause->handler;
        event->old_value = cause->old_value;
        event->new_value = cause->new_value;
    }
    viewer->event(viewer->context, event);
    pthread_mutex_unlock(&noting);
}

void platform_cause_forget(void **last) {
    platform_cause_release(*last);
    *last = NULL;
}

/* ---- calls of a handler ---- */

struct platform_calls {
    void *last;
    long thread, other_thread;
    uint64_t slowest;
};

void platform_calls_begin(platform_calls **calls, platform_cause *cause, bool runs_anywhere) {
    if (*calls == NULL) *calls = calloc(1, sizeof **calls);
    platform_calls *these = *calls;
    if (these == NULL) return;
    platform_cause_note(&these->last, cause);
    if (!runs_anywhere) return;
    long thread = platform_thread_seen()->id;
    if (these->thread == 0)
        these->thread = thread;
    else if (thread != these->thread)
        these->other_thread = thread;
}

void platform_calls_end(platform_calls *calls, uint64_t took) {
    if (calls != NULL && took > calls->slowest) calls->slowest = took;
}

platform_cause *platform_calls_last(platform_calls *calls) {
    return calls == NULL ? NULL : platform_cause_last(&calls->last);
}

void platform_calls_show(const platform_calls *calls, platform_shown_edge *edge) {
    if (calls == NULL) return;
    edge->thread = calls->thread;
    edge->other_thread = calls->other_thread;
    edge->slowest = calls->slowest;
}

void platform_calls_forget(platform_calls **calls) {
    if (*calls == NULL) return;
    platform_cause_forget(&(*calls)->last);
    free(*calls);
    *calls = NULL;
}

/* ---- what a thread does ---- */

/* A handler that has no name is called by what it observes. */
static void trace_slice(const platform_cause *cause) {
    const char *kind = cause == NULL ? "message" : cause->kind, *name = cause == NULL ? "" : cause->name;
    const char *const parts[] = {here.slice == PLATFORM_HANDLER ? "handler of " : "", kind, name[0] == 0 ? "" : " ",
                                 name};
    const char *const handler[] = {here.handler};
    bool is_named = here.slice == PLATFORM_HANDLER && here.handler[0] != 0;
    platform_trace_begin(here.slice, platform_cause_number(cause), is_named ? handler : parts, is_named ? 1 : 4,
                         cause == NULL ? NULL : cause->new_value);
}

void platform_trace_compute(const char *kind, const char *name) {
    const char *const parts[] = {kind, name == NULL ? "" : " ", name == NULL ? "" : name};
    platform_trace_begin(PLATFORM_COMPUTATION, platform_cause_number(here.cause), parts, 3, NULL);
}

platform_context platform_context_enter(platform_cause *cause, const void *core, int slice, uint64_t observation,
                                        const char *handler) {
    platform_context before = here;
    here.cause = platform_cause_retain(cause);
    here.core = core;
    here.observation = observation;
    copy_text(here.handler, sizeof here.handler, handler);
    here.kind = slice;
    if (slice == PLATFORM_INNER_SEND) slice = PLATFORM_NO_SLICE;
    here.began = 0;
    uint32_t reasons = platform_tracing();
    if (slice != PLATFORM_NO_SLICE && reasons & (PLATFORM_INSPECTION | PLATFORM_ANSWERS))
        here.began = platform_inspect_now();
    if (slice == PLATFORM_SEND && reasons & PLATFORM_INSPECTION)
        platform_inspect_note(cause, false, core, before.observation, here.began, 0);
    here.slice = reasons & PLATFORM_TRACE ? slice : PLATFORM_NO_SLICE;
    if (here.slice != PLATFORM_NO_SLICE) trace_slice(cause);
    return before;
}

uint64_t platform_context_leave(const platform_context *before) {
    platform_cause *cause = here.cause;
    int slice = here.slice;
    uint64_t took = here.began == 0 ? 0 : platform_inspect_now() - here.began;
    if (here.began != 0 && here.kind == PLATFORM_HANDLER && platform_tracing() & PLATFORM_INSPECTION)
        platform_inspect_note(cause, true, here.core, here.observation, here.began, took);
    here = *before;
    if (slice != PLATFORM_NO_SLICE) platform_trace_end();
    platform_cause_release(cause);
    return took;
}

/* ---- what waits ---- */

/* A place holds what was put there last: what is never taken goes when another comes. */
enum { PENDING = 4096 };
static struct pending {
    const void *queue;
    uint64_t number;
    platform_cause *cause;
} * pending;

static struct pending *place(const void *queue, uint64_t number) {
    return &pending[((uintptr_t)queue / 16 * 31 + number) % PENDING];
}

void platform_pending_put(const void *queue, uint64_t number, platform_cause *cause) {
    platform_cause *before = NULL;
    pthread_mutex_lock(&noting);
    if (pending == NULL) pending = calloc(PENDING, sizeof *pending);
    if (pending != NULL) {
        struct pending *one = place(queue, number);
        before = one->cause;
        *one = (struct pending){queue, number, platform_cause_retain(cause)};
    }
    pthread_mutex_unlock(&noting);
    platform_cause_release(before);
}

platform_cause *platform_pending_take(const void *queue, uint64_t number) {
    platform_cause *found = NULL;
    pthread_mutex_lock(&noting);
    if (pending != NULL) {
        struct pending *one = place(queue, number);
        if (one->queue == queue && one->number == number) {
            found = one->cause;
            *one = (struct pending){0};
        }
    }
    pthread_mutex_unlock(&noting);
    return found;
}

static void drop_pending(void) {
    pthread_mutex_lock(&noting);
    struct pending *before = pending;
    pending = NULL;
    pthread_mutex_unlock(&noting);
    if (before == NULL) return;
    for (int index = 0; index < PENDING; index++) platform_cause_release(before[index].cause);
    free(before);
}

void platform_causes_be_alone(void) {
    pthread_mutex_init(&noting, NULL);
    platform_inspect_alone();
}

/* ---- answers ---- */

/* A change that has led to another one of the same observable, with the handlers on the way. */
bool platform_say_cycle(platform_text *text, const platform_cause *cause) {
    const platform_cause *first = cause;
    if (cause == NULL) return false;
    do first = first->parent;
    while (first != NULL && first->core != cause->core);
    if (first == NULL) return false;
    platform_say(text, "a change of ");
    platform_say_observable(text, cause->kind, cause->name, cause->core);
    platform_say(text, " has led to another one of it");
    const char *between = ", through ";
    for (; cause != first; cause = cause->parent) {
        if (cause->handler[0] == 0) continue;
        platform_say(text, between);
        platform_say_quoted(text, cause->handler);
        between = ", ";
    }
    return true;
}

/* Whether the author is an observable on the way, whose sender has named none. In Swift it has another address than
 * what it sends from, but the type is known. */
static bool is_on_the_way(const platform_cause *cause) {
    for (const platform_cause *one = cause->parent; one != NULL; one = one->parent) {
        if (one->core == cause->author) return true;
        if (one->author == NULL && cause->author_type[0] != 0 && strcmp(one->kind, cause->author_type) == 0)
            return true;
    }
    return false;
}

/* What has changed, or sent, or run; and by whom, unless it says so itself. */
static void say_what(platform_text *text, const platform_cause *cause) {
    platform_say_observable(text, cause->kind, cause->name, cause->core);
    /* In Swift the kind is a type. */
    if (is_run(cause)) return platform_say(text, " ran");
    platform_say(text, cause->new_value == NULL ? " changed" : cause->old_value == NULL ? " sent " : " changed from ");
    if (cause->old_value != NULL && cause->new_value != NULL) {
        platform_say(text, cause->old_value);
        platform_say(text, " to ");
    }
    if (cause->new_value != NULL) platform_say(text, cause->new_value);
    if (cause->author == NULL || is_on_the_way(cause)) return;
    platform_say(text, ", by author ");
    platform_say(text, cause->author_type);
    platform_say(text, cause->author_type[0] == 0 ? "" : " ");
    platform_say_pointer(text, cause->author);
}

/* The handler in which a change was made is known with it, and is one of the change before. */
static void say_text(platform_text *text, const platform_cause *cause) {
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        platform_say(text, one == cause ? "" : "  because ");
        say_what(text, one);
        platform_say(text, ", on thread ");
        platform_say_number(text, one->thread);
        if (one->thread_name[0] != 0) {
            platform_say(text, " ");
            platform_say_quoted(text, one->thread_name);
        }
        if (one->observation != 0) {
            platform_say(text, ", in handler ");
            if (one->handler[0] != 0)
                platform_say_quoted(text, one->handler);
            else
                platform_say_number(text, (long long)one->observation);
        } else if (one->handler[0] != 0) {
            platform_say(text, ", by ");
            platform_say(text, one->handler);
        }
        platform_say(text, "\n");
        if (one->is_cut) platform_say(text, "  because of more than are kept\n");
    }
}

static void say_json(platform_text *text, const platform_cause *cause) {
    platform_say(text, "[");
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        if (one != cause) platform_say(text, ", ");
        platform_say(text, "{\"number\": ");
        platform_say_number(text, (long long)one->number);
        platform_say(text, ", \"kind\": ");
        platform_say_quoted(text, one->kind);
        platform_say(text, ", \"observable\": ");
        platform_say_pointer(text, one->core);
        if (one->name[0] != 0) platform_say(text, ", \"name\": "), platform_say_quoted(text, one->name);
        if (one->old_value != NULL) platform_say(text, ", \"old\": "), platform_say_quoted(text, one->old_value);
        if (one->new_value != NULL) platform_say(text, ", \"new\": "), platform_say_quoted(text, one->new_value);
        if (one->author != NULL) platform_say(text, ", \"author\": "), platform_say_pointer(text, one->author);
        if (one->author_type[0] != 0)
            platform_say(text, ", \"author_type\": "), platform_say_quoted(text, one->author_type);
        platform_say(text, ", \"thread\": ");
        platform_say_number(text, one->thread);
        if (one->thread_name[0] != 0)
            platform_say(text, ", \"thread_name\": "), platform_say_quoted(text, one->thread_name);
        if (one->observation != 0)
            platform_say(text, ", \"observation\": "), platform_say_number(text, (long long)one->observation);
        if (one->handler[0] != 0) platform_say(text, ", \"handler\": "), platform_say_quoted(text, one->handler);
        if (one->is_cut) platform_say(text, ", \"cut\": true");
        platform_say(text, "}");
    }
    platform_say(text, "]\n");
}

static void say_dot(platform_text *text, const platform_cause *cause) {
    platform_say(text, "digraph {\n    rankdir=LR;\n    node [shape=box, style=rounded];\n");
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        platform_text label = {0};
        platform_say(text, "    c");
        platform_say_number(text, (long long)one->number);
        platform_say(text, " [label=");
        platform_say(&label, one->kind);
        platform_say(&label, " ");
        platform_say(&label, one->name);
        if (one->old_value != NULL && one->new_value != NULL)
            platform_say(&label, ": "), platform_say(&label, one->old_value), platform_say(&label, " to ");
        if (one->new_value != NULL)
            platform_say(&label, one->old_value == NULL ? ": " : ""), platform_say(&label, one->new_value);
        if (label.is_lost)
            text->is_lost = true;
        else
            platform_say_quoted(text, label.bytes);
        free(label.bytes);
        platform_say(text, "];\n");
        if (one->parent == NULL) continue;
        platform_say(text, "    c");
        platform_say_number(text, (long long)one->parent->number);
        platform_say(text, " -> c");
        platform_say_number(text, (long long)one->number);
        if (one->handler[0] != 0)
            platform_say(text, " [label="), platform_say_quoted(text, one->handler), platform_say(text, "]");
        platform_say(text, ";\n");
    }
    platform_say(text, "}\n");
}

char *platform_cause_text(platform_cause *cause, int format) {
    platform_text text = {0};
    pthread_mutex_lock(&noting);
    if (format == PLATFORM_JSON)
        say_json(&text, cause);
    else if (format == PLATFORM_DOT)
        say_dot(&text, cause);
    else if (cause == NULL)
        platform_say(&text, "nothing is known\n");
    else
        say_text(&text, cause);
    pthread_mutex_unlock(&noting);
    return platform_text_take(&text);
}

/* ---- values ---- */

char *platform_text_list(char **texts, size_t count, bool is_cut) {
    platform_text list = {0};
    platform_say(&list, "[");
    for (size_t index = 0; index < count; index++) {
        platform_say(&list, index == 0 ? "" : ", ");
        platform_say(&list, texts[index] == NULL ? "?" : texts[index]);
        free(texts[index]);
    }
    platform_say(&list, is_cut ? ", ...]" : "]");
    return platform_text_take(&list);
}

char *platform_text_int(int64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", (long long)value);
    return strdup(digits);
}

char *platform_text_double(double value) {
    char digits[32];
    snprintf(digits, sizeof digits, "%.15g", value);
    return strdup(digits);
}

char *platform_text_pointer(const void *value) {
    char digits[32];
    snprintf(digits, sizeof digits, "object %p", value);
    return strdup(digits);
}

char *platform_text_bytes(const void *bytes, size_t count, bool quoted) {
    enum { LONGEST = 200 };
    char digits[40], copy[LONGEST];
    platform_text text = {0};
    if (!quoted) {
        snprintf(digits, sizeof digits, "%zu bytes", count);
        return strdup(digits);
    }
    size_t shown = count < LONGEST ? count : LONGEST - 1;
    while (shown < count && shown > 0 && (((const char *)bytes)[shown] & 0xC0) == 0x80) shown--;
    if (shown > 0) memcpy(copy, bytes, shown);
    copy[shown < LONGEST ? shown : LONGEST - 1] = 0;
    platform_say_quoted(&text, copy);
    if (shown < count) platform_say(&text, "...");
    return platform_text_take(&text);
}
