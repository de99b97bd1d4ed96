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

enum { BUFFER = 1 << 16, LONGEST_PACKET = 1024 };

typedef struct buffer {
    pthread_mutex_t lock;
    struct buffer *next, *previous;
    uint32_t generation; /* of the trace that this is for */
    uint32_t sequence;
    uint32_t depth; /* of slices that have begun and not ended */
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

typedef struct packet {
    size_t count;
    uint8_t bytes[LONGEST_PACKET];
} packet;

static void put_number(packet *to, uint64_t number) {
    while (number > 127) {
        to->bytes[to->count++] = (uint8_t)(number | 128);
        number >>= 7;
    }
    to->bytes[to->count++] = (uint8_t)number;
}

static void put(packet *to, uint32_t field, uint64_t number) {
    put_number(to, field << 3);
    put_number(to, number);
}

static void put_fixed(packet *to, uint32_t field, uint64_t number) {
    put_number(to, field << 3 | 1);
    for (int byte = 0; byte < 8; byte++) to->bytes[to->count++] = (uint8_t)(number >> (8 * byte));
}

static void put_bytes(packet *to, uint32_t field, const void *bytes, size_t count) {
    put_number(to, field << 3 | 2);
    put_number(to, count);
    memcpy(to->bytes + to->count, bytes, count);
    to->count += count;
}

/* No more than so much, and whole characters. */
static void put_text(packet *to, uint32_t field, const char *text) {
    size_t count = 0;
    while (text[count] != 0 && count < 220) count++;
    if (count == 220)
        while (count > 0 && (text[count] & 0xC0) == 0x80) count--;
    put_bytes(to, field, text, count);
}

static void put_packet(packet *to, uint32_t field, const packet *inner) {
    put_bytes(to, field, inner->bytes, inner->count);
}

enum {
    TIMESTAMP = 8,
    SEQUENCE = 10,
    TRACK_EVENT = 11,
    TRACK_DESCRIPTOR = 60,
    EVENT_TYPE = 9,
    EVENT_TRACK = 11,
    EVENT_CATEGORY = 22,
    EVENT_NAME = 23,
    EVENT_COUNTER = 30,
    EVENT_FLOW = 47,
    EVENT_ANNOTATION = 4,
    SLICE_BEGIN = 1,
    SLICE_END = 2,
    COUNTER = 4
};

static uint64_t process_track(void) { return (uint64_t)trace.process << 32; }
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

/* A packet of the whole trace, in front of all others. */
static void frame(packet *framed, const packet *inner) {
    framed->count = 0;
    put_packet(framed, 1, inner);
}

static void append(buffer *to, const packet *one) {
    packet framed;
    frame(&framed, one);
    if (to->count + framed.count > BUFFER) return;
    memcpy(to->bytes + to->count, framed.bytes, framed.count);
    to->count += framed.count;
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
    if (one->count + 4 * LONGEST_PACKET > BUFFER) {
        pthread_mutex_unlock(&one->lock);
        pthread_mutex_lock(&tracing);
        pthread_mutex_lock(&one->lock);
        flush(one);
        pthread_mutex_unlock(&tracing);
    }
    uint32_t generation = __atomic_load_n(&trace.generation, __ATOMIC_RELAXED);
    if (one->generation != generation) {
        one->generation = generation;
        one->count = one->depth = 0;
        one->thread = platform_thread_seen()->id;
        one->sequence = __atomic_add_fetch(&trace.sequences, 1, __ATOMIC_RELAXED);
        packet thread, track, whole;
        thread.count = track.count = whole.count = 0;
        put(&thread, 1, (uint64_t)trace.process);
        put(&thread, 2, (uint64_t)one->thread);
        put_text(&thread, 5, platform_thread_seen()->name);
        put(&track, 1, thread_track(one->thread));
        put(&track, 5, process_track());
        put_packet(&track, 4, &thread);
        put(&whole, SEQUENCE, one->sequence);
        put_packet(&whole, TRACK_DESCRIPTOR, &track);
        append(one, &whole);
    }
    return one;
}

static void append_event(buffer *to, const packet *event) {
    struct timespec now;
    packet whole;
    whole.count = 0;
    clock_gettime(CLOCK_BOOTTIME, &now);
    put(&whole, TIMESTAMP, (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec);
    put(&whole, SEQUENCE, to->sequence);
    put_packet(&whole, TRACK_EVENT, event);
    append(to, &whole);
}

void platform_trace_begin(uint64_t flow, const char *kind, const char *name, const char *handler, const char *value) {
    buffer *to = acquire();
    if (to == NULL) return;
    packet event, title;
    event.count = title.count = 0;
    put(&event, EVENT_TYPE, SLICE_BEGIN);
    put(&event, EVENT_TRACK, thread_track(to->thread));
    put_text(&event, EVENT_CATEGORY, handler == NULL ? "send" : "handler");
    if (handler != NULL && handler[0] != 0) {
        put_text(&event, EVENT_NAME, handler);
    } else {
        char text[128];
        const char *before = handler == NULL ? "" : "handler of ";
        const char *parts[] = {before, kind, name[0] == 0 ? "" : " ", name};
        size_t count = 0;
        for (int part = 0; part < 4; part++) {
            size_t more = strnlen(parts[part], sizeof text - 1 - count);
            memcpy(text + count, parts[part], more);
            count += more;
        }
        text[count] = 0;
        put_text(&event, EVENT_NAME, text);
    }
    if (flow != 0) put_fixed(&event, EVENT_FLOW, flow);
    if (value != NULL) {
        put_text(&title, 10, "value");
        put_text(&title, 6, value);
        put_packet(&event, EVENT_ANNOTATION, &title);
    }
    append_event(to, &event);
    to->depth++;
    if (handler == NULL) {
        uint64_t count = __atomic_add_fetch(&messages, 1, __ATOMIC_RELAXED);
        if (count % 64 == 1) {
            event.count = 0;
            put(&event, EVENT_TYPE, COUNTER);
            put(&event, EVENT_TRACK, counter_track());
            put(&event, EVENT_COUNTER, count);
            append_event(to, &event);
        }
    }
    pthread_mutex_unlock(&to->lock);
}

void platform_trace_end(void) {
    buffer *to = acquire();
    if (to == NULL) return;
    /* What has begun before the trace is not in it. */
    if (to->depth > 0) {
        packet event;
        event.count = 0;
        to->depth--;
        put(&event, EVENT_TYPE, SLICE_END);
        put(&event, EVENT_TRACK, thread_track(to->thread));
        append_event(to, &event);
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
    trace.process = getpid();
    trace.sequences = 0;
    messages = 0;
    __atomic_add_fetch(&trace.generation, 1, __ATOMIC_RELAXED);
    trace.is_open = true;
    packet process, track, whole, framed;
    process.count = track.count = whole.count = framed.count = 0;
    put(&process, 1, (uint64_t)trace.process);
    put(&track, 1, process_track());
    put_packet(&track, 3, &process);
    put(&whole, SEQUENCE, __atomic_add_fetch(&trace.sequences, 1, __ATOMIC_RELAXED));
    put_packet(&whole, TRACK_DESCRIPTOR, &track);
    frame(&framed, &whole);
    write_out(framed.bytes, framed.count);
    whole.count = track.count = 0;
    put(&track, 1, counter_track());
    put(&track, 5, process_track());
    put_text(&track, 2, "messages");
    put_bytes(&track, 8, "", 0);
    put(&whole, SEQUENCE, 1);
    put_packet(&whole, TRACK_DESCRIPTOR, &track);
    frame(&framed, &whole);
    write_out(framed.bytes, framed.count);
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
