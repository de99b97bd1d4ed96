/* SPDX-License-Identifier: MIT */
/* What it costs to deliver a message, and to begin and stop observing, beside GObject. */
#include "measure.h"
#include <glib-object.h>
#include <malloc.h>
#include <swiftobserver.h>

static guint number_sent;

/* A GObject that emits a number, and has a property that is one. */
typedef struct {
    GObject parent;
    gint64 number;
} Sender;
typedef struct {
    GObjectClass parent;
} SenderClass;
G_DEFINE_TYPE(Sender, sender, G_TYPE_OBJECT)

static void sender_init(Sender *sender) { sender->number = 0; }
static void sender_get(GObject *object, guint id, GValue *value, GParamSpec *spec) {
    (void)id, (void)spec;
    g_value_set_int64(value, ((Sender *)object)->number);
}
static GParamSpec *number_property;
static void sender_class_init(SenderClass *class) {
    G_OBJECT_CLASS(class)->get_property = sender_get;
    number_sent = g_signal_new("number", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                               1, G_TYPE_INT64);
    number_property = g_param_spec_int64("value", "value", "value", 0, G_MAXINT64, 0, G_PARAM_READABLE);
    g_object_class_install_property(G_OBJECT_CLASS(class), 1, number_property);
}

typedef struct {
    swo_observable *messenger;
    Sender *emitting, *notifying;
} scene;

static void count_message(void *sum, const swo_value *message, const void *author) {
    (void)author;
    *(int64_t *)sum += message->as.int64;
}
static void count_number(Sender *sender, gint64 number, gpointer sum) {
    (void)sender;
    *(int64_t *)sum += number;
}
static void count_notified(Sender *sender, GParamSpec *spec, gpointer sum) {
    (void)spec;
    *(int64_t *)sum += sender->number;
}

static void swiftobserver(void *context, long count) {
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        if (swo_send(((scene *)context)->messenger, &message, NULL) != SWO_OK) abort();
    }
}
static void emit(void *context, long count) {
    for (long sent = 0; sent < count; sent++) g_signal_emit(((scene *)context)->emitting, number_sent, 0, (gint64)sent);
}
static void notify(void *context, long count) {
    Sender *sender = ((scene *)context)->notifying;
    for (long sent = 0; sent < count; sent++) {
        sender->number = sent;
        g_object_notify_by_pspec(G_OBJECT(sender), number_property);
    }
}

static void observe_and_stop(void *context, long count) {
    int64_t sum;
    for (long one = 0; one < count; one++) {
        swo_observation id;
        if (swo_observe(((scene *)context)->messenger, NULL, count_message, &sum, NULL, &id) != SWO_OK) abort();
        swo_stop(id);
    }
}
static void connect_and_disconnect(void *context, long count) {
    int64_t sum;
    for (long one = 0; one < count; one++) {
        gulong id = g_signal_connect(((scene *)context)->emitting, "number", G_CALLBACK(count_number), &sum);
        g_signal_handler_disconnect(((scene *)context)->emitting, id);
    }
}

int main(void) {
    park_a_thread();
    static const char *const names[] = {"swiftobserver", "GObject, emit", "GObject, notify"};
    static const long sizes[] = {0, 1, 10, 100, 1000};
    for (size_t index = 0; index < sizeof sizes / sizeof *sizes; index++) {
        long observers = sizes[index], divisor = observers > 0 ? observers : 1;
        scene scene = {swo_messenger_new(), g_object_new(sender_get_type(), NULL),
                       g_object_new(sender_get_type(), NULL)};
        int64_t *sums = calloc((size_t)observers + 1, sizeof *sums);
        for (long one = 0; one < observers; one++) {
            if (swo_observe(scene.messenger, NULL, count_message, &sums[one], NULL, NULL) != SWO_OK) abort();
            g_signal_connect(scene.emitting, "number", G_CALLBACK(count_number), &sums[one]);
            g_signal_connect(scene.notifying, "notify::value", G_CALLBACK(count_notified), &sums[one]);
        }
        double result[3];
        void *contexts[] = {&scene, &scene, &scene};
        measure(3, (subject[]){swiftobserver, emit, notify}, contexts, 200000 / divisor, result);
        for (int one = 0; one < 3; one++)
            report("delivery beside GObject", names[one], observers, result[one] / (double)divisor, "ns");
        if (observers == 0 || observers == 1000) {
            measure(2, (subject[]){observe_and_stop, connect_and_disconnect}, contexts, 20000, result);
            for (int one = 0; one < 2; one++)
                report("observe + stop beside GObject", one == 0 ? "swiftobserver" : "GObject", observers, result[one],
                       "ns");
        }
        swo_observable_release(scene.messenger);
        g_object_unref(scene.emitting);
        g_object_unref(scene.notifying);
        free(sums);
    }
    return 0;
}
