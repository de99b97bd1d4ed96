/* SPDX-License-Identifier: MIT */
/* The C side of test_c_side.py: an observer that writes down what it is told, and senders. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <swiftobserver.h>

static char heard[4096];
static size_t heard_size;
static const void *last_author;
static int retained, released;

static void write_down(const swo_value *message) {
    char *end = heard + heard_size;
    size_t room = sizeof heard - heard_size;
    int written = 0;
    switch (message->kind) {
    case SWO_KIND_NULL:
        written = snprintf(end, room, "null;");
        break;
    case SWO_KIND_BOOL:
        written = snprintf(end, room, "bool %d;", message->as.boolean);
        break;
    case SWO_KIND_INT64:
        written = snprintf(end, room, "int64 %" PRId64 ";", message->as.int64);
        break;
    case SWO_KIND_DOUBLE:
        written = snprintf(end, room, "double %g;", message->as.float64);
        break;
    case SWO_KIND_TEXT:
        written = snprintf(end, room, "text %.*s;", (int)message->as.bytes.size, (const char *)message->as.bytes.data);
        break;
    case SWO_KIND_BYTES:
        written = snprintf(end, room, "%zu bytes;", message->as.bytes.size);
        break;
    case SWO_KIND_OBJECT:
        written = snprintf(end, room, "object %p;", message->as.object.pointer);
        break;
    case SWO_KIND_UPDATE:
        write_down(&message->as.update->old_value);
        write_down(&message->as.update->new_value);
        return;
    }
    heard_size += (size_t)written;
}

static void hear(void *context, const swo_value *message, const void *author) {
    (void)context;
    last_author = author;
    write_down(message);
}

uint64_t begin(swo_observable *observable) {
    swo_observation observation = 0;
    heard_size = 0;
    heard[0] = 0;
    return swo_observe(observable, NULL, hear, NULL, NULL, &observation) == SWO_OK ? observation : 0;
}

const char *what_was_heard(void) {
    heard_size = 0;
    return heard;
}

const void *by_whom(void) { return last_author; }

static void retain(void *object) {
    (void)object;
    retained++;
}
static void release(void *object) {
    (void)object;
    released++;
}
static bool same_sign(void *one, void *other) { return (*(int *)one < 0) == (*(int *)other < 0); }
static const swo_object_type numbers = {sizeof numbers, retain, release, same_sign};

int32_t send_object(swo_observable *observable, int *number, const void *author) {
    swo_value value = swo_object(number, &numbers);
    return swo_send(observable, &value, author);
}

int32_t send_int64(swo_observable *observable, int64_t number) {
    swo_value value = swo_int64(number);
    return swo_send(observable, &value, NULL);
}

int32_t send_each_kind(swo_observable *observable) {
    swo_update update = {swo_int64(1), swo_text("two")};
    const swo_value both[] = {swo_int64(1), swo_update_value(&update)};
    const swo_value values[] = {swo_list(both, 2),        swo_list(NULL, 0),       swo_null(),
                                swo_bool(true),           swo_int64(-5),           swo_double(0.5),
                                swo_text("t\xc3\xa4xt"),  swo_text_sized(NULL, 0), swo_bytes("\0\xff", 2),
                                swo_update_value(&update)};
    int32_t status = SWO_OK;
    for (size_t index = 0; index < sizeof values / sizeof *values && status == SWO_OK; index++)
        status = swo_send(observable, &values[index], NULL);
    return status;
}

int still_retained(void) { return retained - released; }

struct task {
    swo_observable *observable;
    int64_t count;
};

static void *send_all(void *context) {
    const struct task *task = context;
    for (int64_t number = 0; number < task->count; number++) send_int64(task->observable, number);
    return NULL;
}

void send_from_two_threads(swo_observable *observable, int64_t count) {
    struct task task = {observable, count};
    pthread_t threads[2];
    for (int index = 0; index < 2; index++) pthread_create(&threads[index], NULL, send_all, &task);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
}

static swo_status refuse(void *context, const swo_value *message, swo_value *out) {
    (void)context, (void)message, (void)out;
    return SWO_INVALID_TEXT;
}

swo_observable *refusing_map(swo_observable *source) {
    swo_observable *map = NULL;
    return swo_map(source, refuse, NULL, NULL, &map) == SWO_OK ? map : NULL;
}

void drop(swo_observable *observable) { swo_observable_release(observable); }
swo_observable *keep(swo_observable *observable) { return swo_observable_retain(observable); }
