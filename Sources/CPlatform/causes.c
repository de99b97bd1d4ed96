/* SPDX-License-Identifier: MIT */
/* What has changed an observable, and what that was done in: see tracing.h. */
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"
#ifdef __linux__
#include <sys/prctl.h>
#endif

uint32_t platform_tracing_reasons, platform_birth_bits;
static uint32_t values_allowed;
static uint64_t causes_made;
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
    char thread_name[16], kind[32], name[LONGEST_NAME], handler[48];
};

uint32_t platform_tracing_begin(uint32_t reason) {
    uint32_t before = __atomic_fetch_or(&platform_tracing_reasons, reason, __ATOMIC_SEQ_CST);
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
                                   platform_cause *parent) {
    platform_cause *made = malloc(sizeof *made);
    if (made == NULL) return NULL;
    if (parent == NULL) parent = here.cause;
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

void platform_cause_tell(platform_cause *cause, char *old_value, char *new_value) {
    if (cause == NULL) {
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

platform_cause *platform_cause_last(void **last) { return platform_cause_retain(*last); }

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
    here.began = 0;
    if (slice != PLATFORM_NO_SLICE && platform_tracing() & PLATFORM_INSPECTION) {
        here.began = platform_inspect_now();
        if (slice == PLATFORM_SEND) platform_inspect_note(cause, false, core, before.observation, here.began, 0);
    }
    here.slice = platform_tracing() & PLATFORM_TRACE ? slice : PLATFORM_NO_SLICE;
    if (here.slice != PLATFORM_NO_SLICE) trace_slice(cause);
    return before;
}

void platform_context_leave(const platform_context *before) {
    platform_cause *cause = here.cause;
    int slice = here.slice;
    if (here.began != 0 && here.kind == PLATFORM_HANDLER)
        platform_inspect_note(cause, true, here.core, here.observation, here.began,
                              platform_inspect_now() - here.began);
    here = *before;
    if (slice != PLATFORM_NO_SLICE) platform_trace_end();
    platform_cause_release(cause);
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

struct text {
    char *bytes;
    size_t count, capacity;
    bool is_lost;
};

static void append(struct text *text, const char *bytes, size_t count) {
    if (text->is_lost) return;
    if (text->count + count + 1 > text->capacity) {
        size_t capacity = 2 * (text->count + count + 128);
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
    text->bytes[text->count] = 0;
}

static void say(struct text *text, const char *words) { append(text, words, strlen(words)); }

/* What a name has in it ends no quotes, begins no line and moves no cursor. */
static void quote(struct text *text, const char *words) {
    char escaped[8];
    say(text, "\"");
    for (; *words != 0; words++) {
        if (*words == '"' || *words == '\\') {
            append(text, "\\", 1);
            append(text, words, 1);
        } else if ((unsigned char)*words < 32 || *words == 127) {
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned char)*words);
            say(text, escaped);
        } else {
            append(text, words, 1);
        }
    }
    say(text, "\"");
}

static void say_number(struct text *text, long long number) {
    char digits[24];
    snprintf(digits, sizeof digits, "%lld", number);
    say(text, digits);
}

static void say_pointer(struct text *text, const void *pointer) {
    char digits[24];
    snprintf(digits, sizeof digits, "\"%p\"", pointer);
    say(text, digits);
}

static void say_observable(struct text *text, const platform_cause *cause) {
    say(text, cause->kind);
    say(text, " ");
    if (cause->name[0] != 0)
        quote(text, cause->name);
    else
        say_pointer(text, cause->core);
}

/* The handler in which a change was made is known with it, and is one of the change before. */
static void say_text(struct text *text, const platform_cause *cause) {
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        say(text, one == cause ? "" : "  because ");
        say_observable(text, one);
        say(text, one->new_value == NULL ? " changed" : one->old_value == NULL ? " sent " : " changed from ");
        if (one->old_value != NULL && one->new_value != NULL) {
            say(text, one->old_value);
            say(text, " to ");
        }
        if (one->new_value != NULL) say(text, one->new_value);
        if (one->author != NULL) {
            say(text, ", by author ");
            say_pointer(text, one->author);
        }
        say(text, ", on thread ");
        say_number(text, one->thread);
        if (one->thread_name[0] != 0) {
            say(text, " ");
            quote(text, one->thread_name);
        }
        if (one->observation != 0) {
            say(text, ", in handler ");
            if (one->handler[0] != 0)
                quote(text, one->handler);
            else
                say_number(text, (long long)one->observation);
        }
        say(text, "\n");
        if (one->is_cut) say(text, "  because of more than are kept\n");
    }
}

static void say_json(struct text *text, const platform_cause *cause) {
    say(text, "[");
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        if (one != cause) say(text, ", ");
        say(text, "{\"number\": ");
        say_number(text, (long long)one->number);
        say(text, ", \"kind\": ");
        quote(text, one->kind);
        say(text, ", \"observable\": ");
        say_pointer(text, one->core);
        if (one->name[0] != 0) say(text, ", \"name\": "), quote(text, one->name);
        if (one->old_value != NULL) say(text, ", \"old\": "), quote(text, one->old_value);
        if (one->new_value != NULL) say(text, ", \"new\": "), quote(text, one->new_value);
        if (one->author != NULL) say(text, ", \"author\": "), say_pointer(text, one->author);
        say(text, ", \"thread\": ");
        say_number(text, one->thread);
        if (one->thread_name[0] != 0) say(text, ", \"thread_name\": "), quote(text, one->thread_name);
        if (one->observation != 0) say(text, ", \"observation\": "), say_number(text, (long long)one->observation);
        if (one->handler[0] != 0) say(text, ", \"handler\": "), quote(text, one->handler);
        if (one->is_cut) say(text, ", \"cut\": true");
        say(text, "}");
    }
    say(text, "]\n");
}

static void say_dot(struct text *text, const platform_cause *cause) {
    say(text, "digraph {\n    rankdir=LR;\n    node [shape=box, style=rounded];\n");
    for (const platform_cause *one = cause; one != NULL; one = one->parent) {
        struct text label = {0};
        say(text, "    c");
        say_number(text, (long long)one->number);
        say(text, " [label=");
        say(&label, one->kind);
        say(&label, " ");
        say(&label, one->name);
        if (one->old_value != NULL && one->new_value != NULL)
            say(&label, ": "), say(&label, one->old_value), say(&label, " to ");
        if (one->new_value != NULL) say(&label, one->old_value == NULL ? ": " : ""), say(&label, one->new_value);
        if (label.is_lost)
            text->is_lost = true;
        else
            quote(text, label.bytes);
        free(label.bytes);
        say(text, "];\n");
        if (one->parent == NULL) continue;
        say(text, "    c");
        say_number(text, (long long)one->parent->number);
        say(text, " -> c");
        say_number(text, (long long)one->number);
        if (one->handler[0] != 0) say(text, " [label="), quote(text, one->handler), say(text, "]");
        say(text, ";\n");
    }
    say(text, "}\n");
}

char *platform_cause_text(platform_cause *cause, int format) {
    struct text text = {0};
    pthread_mutex_lock(&noting);
    if (format == PLATFORM_JSON)
        say_json(&text, cause);
    else if (format == PLATFORM_DOT)
        say_dot(&text, cause);
    else if (cause == NULL)
        say(&text, "nothing is known\n");
    else
        say_text(&text, cause);
    pthread_mutex_unlock(&noting);
    if (!text.is_lost) return text.bytes;
    free(text.bytes);
    return NULL;
}

/* ---- values ---- */

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
    struct text text = {0};
    if (!quoted) {
        snprintf(digits, sizeof digits, "%zu bytes", count);
        return strdup(digits);
    }
    size_t shown = count < LONGEST ? count : LONGEST - 1;
    while (shown < count && shown > 0 && (((const char *)bytes)[shown] & 0xC0) == 0x80) shown--;
    if (shown > 0) memcpy(copy, bytes, shown);
    copy[shown < LONGEST ? shown : LONGEST - 1] = 0;
    quote(&text, copy);
    if (shown < count) say(&text, "...");
    if (!text.is_lost) return text.bytes;
    free(text.bytes);
    return NULL;
}
