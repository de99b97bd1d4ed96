/* SPDX-License-Identifier: MIT */
/* What it costs to begin and stop an observation beside others, and how much memory one takes. */
#include "measure.h"
#include <malloc.h>
#include <swiftobserver.h>

typedef struct {
    swo_observable *messenger;
    swo_observer *observer;
} scene;

static void ignore(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void observe_and_stop(void *context, long count) {
    scene *scene = context;
    for (long one = 0; one < count; one++) {
        swo_observation id;
        if (swo_observe(scene->messenger, scene->observer, ignore, NULL, NULL, &id) != SWO_OK) abort();
        if (swo_stop(id) != SWO_OK) abort();
    }
}

static scene scene_with(long others, swo_observer *observer) {
    scene scene = {swo_messenger_new(), observer};
    for (long one = 0; one < others; one++)
        if (swo_observe(scene.messenger, observer, ignore, NULL, NULL, NULL) != SWO_OK) abort();
    return scene;
}

static void report_times(const char *subject_name, swo_observer *observer) {
    scene scenes[2] = {scene_with(0, observer), scene_with(1000, observer)};
    double result[2];
    measure(2, (subject[]){observe_and_stop, observe_and_stop}, (void *[]){&scenes[0], &scenes[1]}, 100000, result);
    report("observe + stop", subject_name, 0, result[0], "ns");
    report("observe + stop", subject_name, 1000, result[1], "ns");
    for (int one = 0; one < 2; one++) swo_observable_release(scenes[one].messenger);
}

static void report_memory(const char *subject_name, swo_observer *observer, long count) {
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    scene scene = scene_with(count, observer);
    size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    report("memory", subject_name, count, (double)(after - before) / (double)count, "bytes");
    swo_observable_release(scene.messenger);
}

int main(void) {
    park_a_thread();
    swo_observer *observer = swo_observer_new();
    report_times("swiftobserver, bare", NULL);
    report_times("swiftobserver, kept by an observer", observer);
    for (long count = 1000; count <= 100000; count *= 10) {
        report_memory("swiftobserver, bare", NULL, count);
        swo_observer *fresh = swo_observer_new();
        report_memory("swiftobserver, kept by an observer", fresh, count);
        swo_observer_release(fresh);
    }
    swo_observer_release(observer);
    return 0;
}
