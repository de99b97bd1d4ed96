/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/glib.h
 *  Deliver messages on a thread that runs a GLib main loop: that of GTK, GStreamer, GIO.
 *
 *      guint source = swo_glib_attach(queue, NULL);
 *      swo_observe_on_queue(observable, observer, queue, show, label, NULL, NULL);
 *      g_main_loop_run(loop);                        // any thread sends, this one shows
 *      g_source_remove(source);
 *
 *  Compile with `pkg-config --cflags --libs swiftobserver glib-2.0` (2.36 or later).
 *  C99 to C23, C++11 to C++20.
 */
#ifndef SWIFTOBSERVER_GLIB_H
#define SWIFTOBSERVER_GLIB_H

#include <glib-unix.h>
#include <swiftobserver.h>

/* A source of the loop, longer than GLib's by what it needs. */
typedef struct swo_glib_source {
    GSource source;
    swo_queue *queue;
} swo_glib_source;

static inline gboolean swo_glib_dispatch(GSource *source, GSourceFunc unused, gpointer data) {
    (void)unused, (void)data;
    swo_queue_drain(SWO_RECAST(swo_glib_source *, source)->queue, 0, NULL);
    return G_SOURCE_CONTINUE;
}

static inline void swo_glib_finalize(GSource *source) {
    swo_queue_release(SWO_RECAST(swo_glib_source *, source)->queue);
}

/** Makes a source that drains a queue: with each turn of the loop what waits when the turn begins, so that the loop
 *  gets on with other things. It retains the queue until it is destroyed and released. The priority is
 *  G_PRIORITY_DEFAULT. The source takes no callback. Handlers may destroy it; those whose messages wait in this turn
 *  are still called.
 *  @return a source to g_source_attach() and g_source_unref(); NULL for NULL. Any thread. */
static inline GSource *swo_glib_source_new(swo_queue *queue) {
    static GSourceFuncs functions = {NULL, NULL, swo_glib_dispatch, swo_glib_finalize, NULL, NULL};
    if (queue == NULL) return NULL;
    GSource *source = g_source_new(&functions, sizeof(swo_glib_source));
    SWO_RECAST(swo_glib_source *, source)->queue = swo_queue_retain(queue);
    g_source_add_unix_fd(source, swo_queue_fd(queue), G_IO_IN);
    g_source_set_name(source, "swiftobserver");
    return source;
}

/** Makes a source and attaches it to `main_context`, or to the default one where that is NULL. Any thread.
 *  @return the source's id in that context, which keeps it until it is removed; 0 for a queue that is NULL. */
static inline guint swo_glib_attach(swo_queue *queue, GMainContext *main_context) {
    GSource *source = swo_glib_source_new(queue);
    if (source == NULL) return 0;
    guint id = g_source_attach(source, main_context);
    g_source_unref(source);
    return id;
}

#endif
