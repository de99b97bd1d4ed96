// SPDX-License-Identifier: MIT
#include "probe.hpp"
#include <glib-object.h>

static guint signal_id;

static GType emitter_type() {
    static const GType type = [] {
        GTypeQuery query;
        g_type_query(G_TYPE_OBJECT, &query);
        GType made = g_type_register_static_simple(G_TYPE_OBJECT, "Emitter", guint16(query.class_size), nullptr,
                                                   guint16(query.instance_size), nullptr, GTypeFlags(0));
        signal_id =
            g_signal_new("sent", made, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr, G_TYPE_NONE, 1, G_TYPE_INT);
        return made;
    }();
    return type;
}

struct peer {
    using handler_type = std::function<void(int)>;
    using connection = gulong;
    GObject *emitter = G_OBJECT(g_object_new(emitter_type(), nullptr));
    ~peer() { g_object_unref(emitter); }
    connection connect(handler_type handler) {
        return g_signal_connect_data(
            emitter, "sent", G_CALLBACK(+[](GObject *, int number, gpointer context) {
                (*static_cast<handler_type *>(context))(number);
            }),
            new handler_type(std::move(handler)),
            [](gpointer context, GClosure *) { delete static_cast<handler_type *>(context); }, GConnectFlags(0));
    }
    void send(int number) { g_signal_emit(emitter, signal_id, 0, number); }
    void stop(connection &connection) {
        if (connection) g_signal_handler_disconnect(emitter, connection);
        connection = 0;
    }
    std::unique_ptr<GObject, void (*)(gpointer)> object(handler_type handler) {
        GObject *object = G_OBJECT(g_object_new(G_TYPE_OBJECT, nullptr));
        g_object_set_data_full(object, "handler", new handler_type(std::move(handler)),
                               [](gpointer context) { delete static_cast<handler_type *>(context); });
        g_signal_connect_object(emitter, "sent", G_CALLBACK(+[](GObject *, int number, gpointer known) {
                                    (*static_cast<handler_type *>(g_object_get_data(G_OBJECT(known), "handler")))(
                                        number);
                                }),
                                object, GConnectFlags(0));
        return {object, g_object_unref};
    }
};

int main() {
    std::printf("version: %u.%u.%u\n", glib_major_version, glib_minor_version, glib_micro_version);
    probe::askAllButFailing<peer>();
    probe::absent("failure"); /* a handler in C cannot fail */
    probe::absent("computed");
}
