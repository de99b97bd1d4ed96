/* SPDX-License-Identifier: MIT */
/* Writes a trace in Perfetto's format: a track for each thread, a slice for each send and handler, a flow from each
 * send to what it has caused, a counter of messages. Each thread fills a buffer of its own, and writes it when it is
 * full. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "CPlatform.h"

enum { BUFFER = 1 << 16, LONGEST_EVENT = 1024, LONGEST_TITLE = 128, TITLES = 64 };

/* What slices are called: written once, and named by a number from then on. */
typedef struct title {
    uint32_t number;
    uint32_t count; /* 0: there is none */
    char text[LONGEST_TITLE];
} title;

typedef struct buffer {
    pthread_mutex_t lock;
    struct buffer *next, *previous;
    uint32_t generation; /* of the trace that this is for */
    uint32_t sequence;
    uint32_t depth; /* of slices that have begun and not ended */
    uint32_t titles_made;
    title titles[TITLES]; /* by what they are made of; the later one stays */
    long thread;
    size_t count;
    uint8_t bytes[BUFFER];
} buffer;

/* Guards the trace and the list of buffers. Taken before the lock of a buffer. */
static pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;
static struct {
    int descriptor;
    int error;
    uint32_t generation, sequences;
    pid_t process;
    bool is_open;
} trace = {.descriptor = -1};
static uint64_t messages;
static buffer *buffers;
static __thread buffer *mine __attribute__((tls_model("initial-exec")));

/* ---- Protocol Buffers, as far as they are needed ---- */

/* Each writes at an address, and returns that behind it. */
static uint8_t *put_number(uint8_t *to, uint64_t number) {
    for (; number > 127; number >>= 7) *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    return to;
}

static uint8_t *put(uint8_t *to, uint32_t field, uint64_t number) {
    return put_number(put_number(to, field << 3), number);
}

static uint8_t *put_fixed(uint8_t *to, uint32_t field, uint64_t number) {
    to = put_number(to, field << 3 | 1);
    for (int byte = 0; byte < 8; byte++) *to++ = (uint8_t)(number >> (8 * byte));
    return to;
}

static uint8_t *put_text(uint8_t *to, uint32_t field, const char *text, size_t count) {
    to = put_number(put_number(to, field << 3 | 2), count);
    memcpy(to, text, count);
    return to + count;
}

/* A message inside another one. Its length is written when it ends, into two bytes. */
static uint8_t *begin_message(uint8_t *to, uint32_t field) { return put_number(to, field << 3 | 2) + 2; }

static uint8_t *end_message(uint8_t *opened, uint8_t *to) {
    size_t count = (size_t)(to - opened);
    opened[-2] = (uint8_t)(count | 128);
    opened[-1] = (uint8_t)(count >> 7);
    return to;
}

/* Fields of Perfetto's trace_packet.proto, and of what is inside. */
enum {
    PACKET = 1,
    TIMESTAMP = 8,
    SEQUENCE = 10,
    TRACK_EVENT = 11,
    INTERNED = 12,
    SEQUENCE_FLAGS = 13,
    DEFAULTS = 59,
    TRACK_DESCRIPTOR = 60,
    DEFAULT_TRACK_EVENT = 11,
    INTERNED_CATEGORY = 1,
    INTERNED_NAME = 2,
    INTERNED_NUMBER = 1,
    INTERNED_TEXT = 2,
    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_COUNTER = 30,
    EVENT_FLOW = 47,
    ANNOTATION_TEXT = 6,
    ANNOTATION_NAME = 10,
    BEGINS_NUMBERS = 1,
    NEEDS_NUMBERS = 2,
    SLICE_BEGIN = 1,
    SLICE_END = 2,
    COUNTER = 4
};

/* A thread may still be writing an event of the trace before. */
static uint64_t this_process(void) { return (uint64_t)__atomic_load_n(&trace.process, __ATOMIC_RELAXED); }
static uint64_t process_track(void) { return this_process() << 32; }
static uint64_t counter_track(void) { return process_track() | 0x80000000U; }
static uint64_t thread_track(long thread) { return process_track() | (uint64_t)thread; }

/* ---- writing ---- */

/* A reader that goes away ends the trace, not the program. The lock of the trace is held. */
static void write_out(const uint8_t *bytes, size_t count) {
    /* The mask of this thread: pthread_sigmask() by a name that each glibc has. */
    sigset_t pipe, before, waiting;
    sigpending(&waiting);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    sigprocmask(SIG_BLOCK, &pipe, &before);
    while (count > 0 && trace.error == 0) {
        /* No cancellation point, unlike write(). */
        long written = syscall(SYS_write, trace.descriptor, bytes, count);
        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno == EAGAIN) {
            struct pollfd one = {trace.descriptor, POLLOUT, 0};
            const struct timespec for_ever = {1 << 20, 0};
            syscall(SYS_ppoll, &one, 1, &for_ever, NULL, 0);
        } else if (errno != EINTR) {
            trace.error = errno;
        }
    }
    if (trace.error == EPIPE && !sigismember(&waiting, SIGPIPE)) {
        const struct timespec at_once = {0, 0};
        syscall(SYS_rt_sigtimedwait, &pipe, NULL, &at_once, _NSIG / 8);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Both locks are held. */
static void flush(buffer *one) {
    if (one->generation == trace.generation && trace.is_open) write_out(one->bytes, one->count);
    one->count = 0;
}

/* The lock of the trace is held. */
static void drop(buffer *one) {
    if (one->next != NULL) one->next->previous = one->previous;
    if (one->previous != NULL)
        one->previous->next = one->next;
    else
        buffers = one->next;
    pthread_mutex_destroy(&one->lock);
    free(one);
}

void platform_trace_end_thread(void) {
    buffer *one = mine;
    if (one == NULL) return;
    mine = NULL;
    pthread_mutex_lock(&tracing);
    flush(one);
    drop(one);
    pthread_mutex_unlock(&tracing);
}

/* A text that is named by a number from then on. */
static uint8_t *put_interned(uint8_t *to, uint32_t field, uint64_t number, const char *text, size_t count) {
    uint8_t *one = begin_message(to, field);
    return end_message(one, put_text(put(one, INTERNED_NUMBER, number), INTERNED_TEXT, text, count));
}

/* The first packets of a thread: its track, on which its events are, and the categories. */
static void describe_thread(buffer *one) {
    static const char *const categories[] = {
        [PLATFORM_SEND] = "send", [PLATFORM_HANDLER] = "handler", [PLATFORM_COMPUTATION] = "compute"};
    const char *name = platform_thread_seen()->name;
    uint8_t *packet = begin_message(one->bytes, PACKET),
            *track = begin_message(put(packet, SEQUENCE, one->sequence), TRACK_DESCRIPTOR);
    uint8_t *at = put(put(track, 1, thread_track(one->thread)), 5, process_track()), *thread = begin_message(at, 4);
    at = put(put(thread, 1, this_process()), 2, (uint64_t)one->thread);
    at = end_message(packet, end_message(track, end_message(thread, put_text(at, 5, name, strlen(name)))));

    packet = begin_message(at, PACKET);
    at = put(put(packet, SEQUENCE, one->sequence), SEQUENCE_FLAGS, BEGINS_NUMBERS);
    uint8_t *defaults = begin_message(at, DEFAULTS), *events = begin_message(defaults, DEFAULT_TRACK_EVENT);
    at = end_message(defaults, end_message(events, put(events, EVENT_TRACK, thread_track(one->thread))));
    uint8_t *interned = at = begin_message(at, INTERNED);
    for (uint64_t kind = PLATFORM_SEND; kind <= PLATFORM_COMPUTATION; kind++)
        at = put_interned(at, INTERNED_CATEGORY, kind, categories[kind], strlen(categories[kind]));
    one->count = (size_t)(end_message(packet, end_message(interned, at)) - one->bytes);
}

/* That of this thread, locked; NULL without memory. */
static buffer *acquire(void) {
    buffer *one = mine;
    if (one == NULL) {
        one = malloc(sizeof *one);
        if (one == NULL) return NULL;
        memset(one, 0, offsetof(buffer, bytes));
        pthread_mutex_init(&one->lock, NULL);
        pthread_mutex_lock(&tracing);
        one->next = buffers;
        if (buffers != NULL) buffers->previous = one;
        buffers = one;
        pthread_mutex_unlock(&tracing);
        mine = one;
        platform_note_thread();
    }
    pthread_mutex_lock(&one->lock);
    if (one->count + 2 * LONGEST_EVENT > BUFFER) {
        pthread_mutex_unlock(&one->lock);
        pthread_mutex_lock(&tracing);
        pthread_mutex_lock(&one->lock);
        flush(one);
        pthread_mutex_unlock(&tracing);
    }
    uint32_t generation = __atomic_load_n(&trace.generation, __ATOMIC_ACQUIRE);
    if (one->generation != generation) {
        one->generation = generation;
        one->count = one->depth = one->titles_made = 0;
        for (int place = 0; place < TITLES; place++) one->titles[place].count = 0;
        one->thread = platform_thread_seen()->id;
        one->sequence = __atomic_add_fetch(&trace.sequences, 1, __ATOMIC_RELAXED);
        describe_thread(one);
    }
    return one;
}

/* What an event is in, while it is written. */
typedef struct event {
    uint8_t *packet, *event;
} event;

static uint8_t *begin_event(event *begun, buffer *to, uint32_t type) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    uint8_t *at = begun->packet = begin_message(to->bytes + to->count, PACKET);
    at = put(at, TIMESTAMP, (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec);
    at = put(at, SEQUENCE, to->sequence);
    at = put(at, SEQUENCE_FLAGS, NEEDS_NUMBERS);
    begun->event = begin_message(at, TRACK_EVENT);
    return put(begun->event, EVENT_TYPE, type);
}

static void end_packet(buffer *to, uint8_t *packet, uint8_t *at) {
    to->count = (size_t)(end_message(packet, at) - to->bytes);
}

/* Joins texts, and returns how long they are; whole words of zeros follow. */
static size_t join(char *title, const char *const parts[], int count) {
    size_t length = 0;
    for (int part = 0; part < count; part++) {
        size_t more = platform_text_count(parts[part], LONGEST_TITLE - 8 - length);
        memcpy(title + length, parts[part], more);
        length += more;
    }
    memset(title + length, 0, 8);
    return length;
}

/* The place of a title in a buffer. */
static title *place(buffer *in, const char *text, size_t count) {
    uint64_t hash = count, word;
    for (size_t at = 0; at < count; at += sizeof word) {
        memcpy(&word, text + at, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 32;
    }
    return &in->titles[hash % TITLES];
}

void platform_trace_begin(int kind, uint64_t flow, const char *const parts[], int count, const char *value) {
    buffer *to = acquire();
    if (to == NULL) return;
    char text[LONGEST_TITLE];
    size_t length = join(text, parts, count);
    title *known = place(to, text, length);
    bool is_new = known->count != length || memcmp(known->text, text, length) != 0;
    if (is_new) {
        known->number = ++to->titles_made;
        known->count = (uint32_t)length;
        memcpy(known->text, text, length);
    }
    event begun;
    uint8_t *at = begin_event(&begun, to, SLICE_BEGIN);
    at = put(at, EVENT_CATEGORY, (uint64_t)kind);
    at = put(at, EVENT_NAME, known->number);
    if (flow != 0) at = put_fixed(at, EVENT_FLOW, flow);
    if (value != NULL) {
        uint8_t *annotation = begin_message(at, EVENT_ANNOTATION);
        at = put_text(annotation, ANNOTATION_NAME, "value", 5);
        size_t count = platform_text_count(value, LONGEST_EVENT / 2);
        at = end_message(annotation, put_text(at, ANNOTATION_TEXT, value, count));
    }
    at = end_message(begun.event, at);
    if (is_new) {
        uint8_t *interned = begin_message(at, INTERNED);
        at = end_message(interned, put_interned(interned, INTERNED_NAME, known->number, text, length));
    }
    end_packet(to, begun.packet, at);
    to->depth++;
    if (kind == PLATFORM_SEND) {
        uint64_t sent = __atomic_add_fetch(&messages, 1, __ATOMIC_RELAXED);
        if (sent % 64 == 1) {
            at = begin_event(&begun, to, COUNTER);
            at = put(at, EVENT_TRACK, counter_track());
            end_packet(to, begun.packet, end_message(begun.event, put(at, EVENT_COUNTER, sent)));
        }
    }
    pthread_mutex_unlock(&to->lock);
}

void platform_trace_end(void) {
    buffer *to = acquire();
    if (to == NULL) return;
    /* What has begun before the trace is not in it. */
    if (to->depth > 0) {
        event begun;
        to->depth--;
        uint8_t *at = begin_event(&begun, to, SLICE_END);
        end_packet(to, begun.packet, end_message(begun.event, at));
    }
    pthread_mutex_unlock(&to->lock);
}

void platform_trace_be_alone(void) {
    platform_causes_be_alone();
    pthread_mutex_init(&tracing, NULL);
    for (buffer *one = buffers; one != NULL;) {
        buffer *next = one->next;
        if (one == mine) {
            pthread_mutex_init(&one->lock, NULL);
            one->generation = 0;
        } else {
            drop(one);
        }
        one = next;
    }
    platform_tracing_end(PLATFORM_INSPECTION);
    if (!trace.is_open) return;
    platform_tracing_end(PLATFORM_TRACE);
    trace.is_open = false;
    syscall(SYS_close, trace.descriptor);
}

int platform_trace_start(int descriptor) {
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    if (copy < 0) return errno;
    pthread_mutex_lock(&tracing);
    if (trace.is_open) {
        pthread_mutex_unlock(&tracing);
        syscall(SYS_close, copy);
        return PLATFORM_TRACE_STATE;
    }
    trace.descriptor = copy;
    trace.error = 0;
    __atomic_store_n(&trace.process, getpid(), __ATOMIC_RELAXED);
    __atomic_store_n(&trace.sequences, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&messages, 0, __ATOMIC_RELAXED);
    __atomic_add_fetch(&trace.generation, 1, __ATOMIC_RELEASE);
    trace.is_open = true;
    uint8_t bytes[256], *packet = begin_message(bytes, PACKET);
    uint8_t *track = begin_message(put(packet, SEQUENCE, 1), TRACK_DESCRIPTOR), *at = put(track, 1, process_track());
    uint8_t *process = begin_message(at, 3);
    at = end_message(packet, end_message(track, end_message(process, put(process, 1, this_process()))));
    packet = begin_message(at, PACKET);
    track = begin_message(put(packet, SEQUENCE, 1), TRACK_DESCRIPTOR);
    at = put_text(put(put(track, 1, counter_track()), 5, process_track()), 2, "messages", 8);
    at = end_message(packet, end_message(track, put_text(at, 8, "", 0)));
    write_out(bytes, (size_t)(at - bytes));
    int error = trace.error;
    if (error != 0) {
        trace.is_open = false;
        syscall(SYS_close, copy);
    }
    pthread_mutex_unlock(&tracing);
    return error;
}

int platform_trace_stop(void) {
    pthread_mutex_lock(&tracing);
    if (!trace.is_open) {
        pthread_mutex_unlock(&tracing);
        return PLATFORM_TRACE_STATE;
    }
    for (buffer *one = buffers; one != NULL; one = one->next) {
        pthread_mutex_lock(&one->lock);
        flush(one);
        pthread_mutex_unlock(&one->lock);
    }
    trace.is_open = false;
    if (syscall(SYS_close, trace.descriptor) != 0 && trace.error == 0) trace.error = errno;
    trace.descriptor = -1;
    int error = trace.error;
    pthread_mutex_unlock(&tracing);
    return error;
}

/* ---- the environment ---- */

static bool is_asked_for;

__attribute__((constructor)) static void begin(void) {
    const char *path = secure_getenv("SWIFTOBSERVER_TRACE"), *why = secure_getenv("SWIFTOBSERVER_WHY");
    if (why != NULL && why[0] != 0 && strcmp(why, "0") != 0) {
        platform_trace_values(PLATFORM_ANSWERS, strcmp(why, "values") == 0);
        platform_tracing_begin(PLATFORM_ANSWERS);
    }
    if (path == NULL || path[0] == 0) return;
    long descriptor = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0) return;
    is_asked_for = platform_trace_start((int)descriptor) == 0;
    syscall(SYS_close, descriptor);
    if (is_asked_for) platform_tracing_begin(PLATFORM_TRACE);
}

__attribute__((destructor)) static void end(void) {
    if (is_asked_for) platform_tracing_end(PLATFORM_TRACE);
    platform_trace_stop();
}
