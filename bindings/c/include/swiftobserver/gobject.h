/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/gobject.h
 *  Properties of GObjects as variables, their signals as messages, and GObjects themselves as messages and values.
 *
 *      swo_gobject_bind(G_OBJECT(scale), "value", volume, NULL, NULL);   // both follow each other from now on
 *      swo_gobject_connect(G_OBJECT(socket), "incoming", messages);      // each emission is a message
 *      swo_gobject_send(windows, G_OBJECT(window), NULL);                // the object is the message
 *
 *  Compile with `pkg-config --cflags --libs swiftobserver gobject-2.0` (2.36 or later).
 *  C99 to C23, C++11 to C++20.
 */
#ifndef SWIFTOBSERVER_GOBJECT_H
#define SWIFTOBSERVER_GOBJECT_H

#include <glib-object.h>
#include <swiftobserver/typed.h>

/* How the library keeps a GObject. Each file that includes this has its own; all have one `release`, by which a GObject
 * is known. */
static inline void swo_gobject_retain(void *object) { g_object_ref((GObject *)object); }

/** A GObject as a value, borrowed; NULL is the null value. Whatever keeps the value takes a reference: a message that
 *  waits, a variable, a cache. Any thread; the last reference may go on any thread, too. Two such values are equal if
 * they are one object. */
static inline swo_value swo_gobject_value(GObject *object) {
    static const swo_object_type type = {sizeof(swo_object_type), swo_gobject_retain, g_object_unref, NULL};
    return object == NULL ? swo_null() : swo_object(object, &type);
}

/** The GObject in a value, borrowed from it. Any thread.
 *  @param type  what it has to be, such as GTK_TYPE_WIDGET; an interface, too.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND; `out` is as it was then. */
static inline swo_status swo_gobject_get(const swo_value *value, GType type, GObject **out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_OBJECT || value->as.object.type == NULL ||
        value->as.object.type->release != g_object_unref)
        return SWO_WRONG_KIND;
    if (!G_TYPE_CHECK_INSTANCE_TYPE(value->as.object.pointer, type)) return SWO_WRONG_KIND;
    *out = (GObject *)value->as.object.pointer;
    return SWO_OK;
}

/** Sends a GObject, of which a reference is held as long as the message waits. Threads and errors as swo_send(). */
static inline swo_status swo_gobject_send(swo_observable *observable, GObject *object, const void *author) {
    swo_value message = swo_gobject_value(object);
    return swo_send(observable, &message, author);
}

/** Defines the type `name`, a messenger whose messages are GObjects of `type` and what derives from it, at file scope,
 *  without a semicolon: `SWO_DEFINE_GOBJECT_MESSENGER(clicks, GtkButton, GTK_TYPE_BUTTON)`. The functions are those of
 *  SWO_DEFINE_MESSENGER(), except that messages are of `type *`, not `const type *`, and that sending anything else, or
 *  NULL, returns SWO_WRONG_KIND. */
#define SWO_DEFINE_GOBJECT_MESSENGER(name, type, gtype)                                                                \
    typedef void (*name##_handler)(void *context, type *message, const void *author);                                  \
    SWO_TYPED_LIFETIME(name)                                                                                           \
                                                                                                                       \
    SWO_UNUSED static inline name *name##_new(void) { return (name *)swo_messenger_new(); }                            \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_send(name *messenger, type *message, const void *author) {              \
        if (!G_TYPE_CHECK_INSTANCE_TYPE(message, (gtype))) return SWO_WRONG_KIND;                                      \
        return swo_gobject_send(name##_observable(messenger), (GObject *)message, author);                             \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline void name##_receive(void *context, const swo_value *value, const void *author) {          \
        struct name##_handling *handling = (struct name##_handling *)context;                                          \
        GObject *message;                                                                                              \
        if (swo_gobject_get(value, (gtype), &message) == SWO_OK)                                                       \
            handling->handler(handling->context, (type *)message, author);                                             \
    }                                                                                                                  \
                                                                                                                       \
    SWO_TYPED_OBSERVING(name)

/** What is in a GValue, borrowed from it: booleans, integers that fit, enums and flags, floats, texts and GObjects; a
 *  text or an object that is NULL is the null value. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND for all else; `out` is as it was then. */
static inline swo_status swo_gobject_read(const GValue *value, swo_value *out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    switch (G_TYPE_FUNDAMENTAL(G_VALUE_TYPE(value))) {
    case G_TYPE_BOOLEAN:
        *out = swo_bool(g_value_get_boolean(value) != FALSE);
        return SWO_OK;
    case G_TYPE_CHAR:
        *out = swo_int64(g_value_get_schar(value));
        return SWO_OK;
    case G_TYPE_UCHAR:
        *out = swo_int64(g_value_get_uchar(value));
        return SWO_OK;
    case G_TYPE_INT:
        *out = swo_int64(g_value_get_int(value));
        return SWO_OK;
    case G_TYPE_UINT:
        *out = swo_int64(g_value_get_uint(value));
        return SWO_OK;
    case G_TYPE_LONG:
        *out = swo_int64(g_value_get_long(value));
        return SWO_OK;
    case G_TYPE_INT64:
        *out = swo_int64(g_value_get_int64(value));
        return SWO_OK;
    case G_TYPE_ULONG:
    case G_TYPE_UINT64: {
        guint64 number = G_VALUE_HOLDS_UINT64(value) ? g_value_get_uint64(value) : g_value_get_ulong(value);
        if (number > (guint64)INT64_MAX) return SWO_WRONG_KIND;
        *out = swo_int64((int64_t)number);
        return SWO_OK;
    }
    case G_TYPE_ENUM:
        *out = swo_int64(g_value_get_enum(value));
        return SWO_OK;
    case G_TYPE_FLAGS:
        *out = swo_int64(g_value_get_flags(value));
        return SWO_OK;
    case G_TYPE_FLOAT:
        *out = swo_double((double)g_value_get_float(value));
        return SWO_OK;
    case G_TYPE_DOUBLE:
        *out = swo_double(g_value_get_double(value));
        return SWO_OK;
    case G_TYPE_STRING: {
        const char *text = g_value_get_string(value);
        *out = text == NULL ? swo_null() : swo_text(text);
        return SWO_OK;
    }
    case G_TYPE_OBJECT:
        *out = swo_gobject_value((GObject *)g_value_get_object(value));
        return SWO_OK;
    default:
        return SWO_WRONG_KIND;
    }
}

/** Puts a copy of what is in a value into a GValue that has been initialised: a boolean, a number or a text, as GLib
 *  transforms it into the type that the GValue has, or a GObject, of which it takes a reference. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND if there is no way; the GValue is as it was then. */
static inline swo_status swo_gobject_write(const swo_value *value, GValue *out) {
    GValue from = G_VALUE_INIT;
    GObject *object = NULL;
    if (value == NULL || out == NULL || !G_IS_VALUE(out)) return SWO_INVALID_ARGUMENT;
    if (G_VALUE_HOLDS_OBJECT(out)) {
        if (value->kind != SWO_KIND_NULL && swo_gobject_get(value, G_VALUE_TYPE(out), &object) != SWO_OK)
            return SWO_WRONG_KIND;
        g_value_set_object(out, object);
        return SWO_OK;
    }
    switch (value->kind) {
    case SWO_KIND_BOOL:
        g_value_init(&from, G_TYPE_BOOLEAN);
        g_value_set_boolean(&from, value->as.boolean);
        break;
    case SWO_KIND_INT64:
        g_value_init(&from, G_TYPE_INT64);
        g_value_set_int64(&from, value->as.int64);
        break;
    case SWO_KIND_DOUBLE:
        g_value_init(&from, G_TYPE_DOUBLE);
        g_value_set_double(&from, value->as.float64);
        break;
    case SWO_KIND_NULL:
    case SWO_KIND_TEXT:
        g_value_init(&from, G_TYPE_STRING);
        if (value->kind == SWO_KIND_TEXT)
            g_value_take_string(&from, g_strndup((const char *)value->as.bytes.data, value->as.bytes.size));
        break;
    default:
        return SWO_WRONG_KIND;
    }
    /* GLib would make a text of any number, and a number of none. */
    gboolean is_text = G_VALUE_HOLDS_STRING(&from), is_done = FALSE;
    if (is_text == (gboolean)G_VALUE_HOLDS_STRING(out)) is_done = g_value_transform(&from, out);
    g_value_unset(&from);
    return is_done ? SWO_OK : SWO_WRONG_KIND;
}

/* A property and a variable that follow each other. The observation and the signal's closure own it. */
typedef struct swo_gobject_binding {
    gint owners;
    GWeakRef object;
    GParamSpec *property;
    swo_observable *variable;
    swo_observation observation;
    gulong handler;
} swo_gobject_binding;

static inline void swo_gobject_leave(swo_gobject_binding *binding) {
    if (!g_atomic_int_dec_and_test(&binding->owners)) return;
    g_weak_ref_clear(&binding->object);
    g_param_spec_unref(binding->property);
    swo_observable_release(binding->variable);
    g_free(binding);
}

/* The object dies, or its handler is disconnected. */
static inline void swo_gobject_unbound(gpointer data, GClosure *closure) {
    (void)closure;
    swo_stop(((swo_gobject_binding *)data)->observation);
    swo_gobject_leave((swo_gobject_binding *)data);
}

/* The observation has ended. */
static inline void swo_gobject_stopped(void *context) {
    swo_gobject_binding *binding = (swo_gobject_binding *)context;
    GObject *object = (GObject *)g_weak_ref_get(&binding->object);
    if (object != NULL) {
        if (binding->handler != 0 && g_signal_handler_is_connected(object, binding->handler))
            g_signal_handler_disconnect(object, binding->handler);
        g_object_unref(object);
    }
    swo_gobject_leave(binding);
}

static inline void swo_gobject_notified(GObject *object, GParamSpec *property, gpointer data) {
    swo_gobject_binding *binding = (swo_gobject_binding *)data;
    GValue value = G_VALUE_INIT;
    swo_value made;
    g_value_init(&value, property->value_type);
    g_object_get_property(object, property->name, &value);
    if (swo_gobject_read(&value, &made) == SWO_OK) swo_variable_set(binding->variable, &made, object);
    g_value_unset(&value);
}

static inline void swo_gobject_follow(void *context, const swo_value *message, const void *author) {
    swo_gobject_binding *binding = (swo_gobject_binding *)context;
    GValue now = G_VALUE_INIT, next = G_VALUE_INIT;
    (void)author;
    GObject *object = (GObject *)g_weak_ref_get(&binding->object);
    if (object == NULL || message->kind != SWO_KIND_UPDATE) {
        if (object != NULL) g_object_unref(object);
        return;
    }
    g_value_init(&now, binding->property->value_type);
    g_value_init(&next, binding->property->value_type);
    g_object_get_property(object, binding->property->name, &now);
    if (swo_gobject_write(&message->as.update->new_value, &next) == SWO_OK &&
        g_param_values_cmp(binding->property, &now, &next) != 0)
        g_object_set_property(object, binding->property->name, &next);
    g_value_unset(&now);
    g_value_unset(&next);
    g_object_unref(object);
}

/** Binds a property to a variable, both ways: the variable gets the property's value at once, and with each
 *  notification; the property that of the variable with each update. What the one cannot hold (see swo_gobject_read(),
 *  swo_gobject_write()) does not reach it. The object is the author of what comes from it, and it keeps the variable;
 * the binding ends when the object dies or the observation is stopped.
 *
 *  Objects of GTK want to be set in their thread: with `executor` the property is set there.
 *  @param property  readable and writable.
 *  @param executor  NULL: the property is set by whatever sets the variable.
 *  @param out       the observation; may be NULL.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_NOT_FOUND if there is no such property, SWO_WRONG_KIND if it is of a type
 *          that is no value, or cannot be read and written, or if `variable` is none. */
static inline swo_status swo_gobject_bind(GObject *object, const char *property, swo_observable *variable,
                                          const swo_executor *executor, swo_observation *out) {
    if (object == NULL || property == NULL || variable == NULL) return SWO_INVALID_ARGUMENT;
    GParamSpec *found = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
    if (found == NULL) return SWO_NOT_FOUND;
    if ((found->flags & G_PARAM_READWRITE) != G_PARAM_READWRITE) return SWO_WRONG_KIND;

    GValue value = G_VALUE_INIT;
    swo_value initial;
    g_value_init(&value, found->value_type);
    g_object_get_property(object, found->name, &value);
    swo_status status = swo_gobject_read(&value, &initial);
    if (status == SWO_OK) status = swo_variable_set(variable, &initial, object);
    g_value_unset(&value);
    if (status != SWO_OK) return status;

    swo_gobject_binding *binding = g_new0(swo_gobject_binding, 1);
    binding->owners = 2;
    g_weak_ref_init(&binding->object, object);
    binding->property = g_param_spec_ref(found);
    binding->variable = swo_observable_retain(variable);
    gchar *detailed = g_strconcat("notify::", found->name, NULL);
    binding->handler = g_signal_connect_data(object, detailed, G_CALLBACK(swo_gobject_notified), binding,
                                             swo_gobject_unbound, (GConnectFlags)0);
    g_free(detailed);
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.executor = executor;
    /* Where it fails, the end of the context disconnects. */
    status =
        swo_observe_with(variable, &options, swo_gobject_follow, binding, swo_gobject_stopped, &binding->observation);
    if (status == SWO_OK && out != NULL) *out = binding->observation;
    return status;
}

/* The first argument of a signal, or null. */
static inline void swo_gobject_emitted(GClosure *closure, GValue *result, guint count, const GValue *values,
                                       gpointer hint, gpointer unused) {
    swo_value message = swo_null();
    (void)result, (void)hint, (void)unused;
    if (count < 2 || swo_gobject_read(&values[1], &message) == SWO_OK)
        swo_send((swo_observable *)closure->data, &message, g_value_get_object(&values[0]));
}

static inline void swo_gobject_disconnected(gpointer messenger, GClosure *closure) {
    (void)closure;
    swo_observable_release((swo_observable *)messenger);
}

/** Sends each emission of a signal to a messenger: its first argument, or null if it has none; the object is the
 * author. An argument that is no value (see swo_gobject_read()) is not sent. The object keeps the messenger.
 *  @param signal  its name, with a detail or without.
 *  @return for g_signal_handler_disconnect(); 0 if a pointer is NULL or there is no such signal. */
static inline gulong swo_gobject_connect(GObject *object, const char *signal, swo_observable *messenger) {
    guint id;
    GQuark detail;
    if (object == NULL || signal == NULL || messenger == NULL) return 0;
    if (!g_signal_parse_name(signal, G_OBJECT_TYPE(object), &id, &detail, TRUE)) return 0;
    GClosure *closure = g_closure_new_simple(sizeof(GClosure), swo_observable_retain(messenger));
    g_closure_add_finalize_notifier(closure, messenger, swo_gobject_disconnected);
    g_closure_set_marshal(closure, swo_gobject_emitted);
    return g_signal_connect_closure_by_id(object, id, detail, closure, FALSE);
}

#endif
