/* SPDX-License-Identifier: MIT */
/* What it costs to deliver a message, beside a bare loop over {function, context}. */
#include "measure.h"
#include <swiftobserver.h>

typedef struct {
    swo_handler handler;
    void *context;
} entry;

typedef struct {
    long observers;
    entry *entries;
    swo_observable *messenger;
} scene;

static void count_message(void *context, const swo_value *message, const void *author) {
    (void)author;
    *(int64_t *)context += message->as.int64;
}

/* Not inlined, as no library's loop would be. */
__attribute__((noinline)) static void send_raw(const entry *entries, long count, const swo_value *message,
                                               const void *author) {
    for (long one = 0; one < count; one++) entries[one].handler(entries[one].context, message, author);
}

static void raw_loop(void *context, long count) {
    scene *scene = context;
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        send_raw(scene->entries, scene->observers, &message, scene);
    }
}

static void swiftobserver(void *context, long count) {
    scene *scene = context;
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        if (swo_send(scene->messenger, &message, NULL) != SWO_OK) abort();
    }
}

int main(void) {
    park_a_thread();
    static const long sizes[] = {0, 1, 10, 100, 1000};
    for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) {
        long observers = sizes[index];
        scene scene = {observers, calloc((size_t)observers + 1, sizeof(entry)), swo_messenger_new()};
        int64_t *sums = calloc((size_t)observers + 1, sizeof *sums);
        for (long one = 0; one < observers; one++) {
            scene.entries[one] = (entry){count_message, &sums[one]};
            if (swo_observe(scene.messenger, NULL, count_message, &sums[one], NULL, NULL) != SWO_OK) abort();
        }
        double result[2];
        long divisor = observers > 0 ? observers : 1;
        measure(2, (subject[]){raw_loop, swiftobserver}, (void *[]){&scene, &scene}, 1000000 / divisor, result);
        report("delivery", "raw loop", observers, result[0] / (double)divisor, "ns");
        report("delivery", "swiftobserver", observers, result[1] / (double)divisor, "ns");
        swo_observable_release(scene.messenger);
        free(scene.entries);
        free(sums);
    }
    return 0;
}
