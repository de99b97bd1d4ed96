/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/gobject.h
 *  Properties of GObjects as variables, their signals as messages, and GObjects themselves as messages and values.
 *
 *      swo_gobject_bind(G_OBJECT(scale), "value", volume, NULL, NULL);   // both follow each other from now on
 *      swo_gobject_bind_property(busy, G_OBJECT(button), "sensitive", &options, NULL); // one way, inverted
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
static inline void swo_gobject_retain(void *object) { g_object_ref(object); }

/** A GObject as a value, borrowed; NULL is the null value. Whatever keeps the value takes a reference: a message that
 *  waits, a variable, a cache. Any thread; the last reference may go on any thread, too. Two such values are equal if
 *  they are one object. */
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
    *out = SWO_CAST(GObject *, value->as.object.pointer);
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
    SWO_UNUSED static inline name *name##_new(void) { return SWO_RECAST(name *, swo_messenger_new()); }                \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_send(name *messenger, type *message, const void *author) {              \
        if (!G_TYPE_CHECK_INSTANCE_TYPE(message, (gtype))) return SWO_WRONG_KIND;                                      \
        return swo_gobject_send(name##_observable(messenger), SWO_RECAST(GObject *, message), author);                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline void name##_receive(void *context, const swo_value *value, const void *author) {          \
        struct name##_handling *handling = SWO_CAST(struct name##_handling *, context);                                \
        GObject *message;                                                                                              \
        if (swo_gobject_get(value, (gtype), &message) == SWO_OK)                                                       \
            handling->handler(handling->context, SWO_RECAST(type *, message), author);                                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_TYPED_OBSERVING(name)

/** Reads a GValue, and borrows from it: booleans, integers that fit, enums and flags, floats, texts and GObjects,
 *  also those of an interface such as GFile; a text or an object that is NULL is the null value. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND for all else; `out` is as it was then. */
static inline swo_status swo_gobject_read(const GValue *value, swo_value *out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    switch (G_TYPE_FUNDAMENTAL(value->g_type)) {
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
        if (number > SWO_CAST(guint64, INT64_MAX)) return SWO_WRONG_KIND;
        *out = swo_int64(SWO_CAST(int64_t, number));
        return SWO_OK;
    }
    case G_TYPE_ENUM:
        *out = swo_int64(g_value_get_enum(value));
        return SWO_OK;
    case G_TYPE_FLAGS:
        *out = swo_int64(g_value_get_flags(value));
        return SWO_OK;
    case G_TYPE_FLOAT:
        *out = swo_double(SWO_CAST(double, g_value_get_float(value)));
        return SWO_OK;
    case G_TYPE_DOUBLE:
        *out = swo_double(g_value_get_double(value));
        return SWO_OK;
    case G_TYPE_STRING: {
        const char *text = g_value_get_string(value);
        *out = text == NULL ? swo_null() : swo_text(text);
        return SWO_OK;
    }
    case G_TYPE_INTERFACE:
    case G_TYPE_OBJECT:
        if (!G_VALUE_HOLDS_OBJECT(value)) return SWO_WRONG_KIND;
        *out = swo_gobject_value(SWO_CAST(GObject *, g_value_get_object(value)));
        return SWO_OK;
    default:
        return SWO_WRONG_KIND;
    }
}

/* Whether a GValue of that type holds integers, of an enum or not. */
static inline gboolean swo_gobject_is_integer(GType type) {
    switch (G_TYPE_FUNDAMENTAL(type)) {
    case G_TYPE_CHAR:
    case G_TYPE_UCHAR:
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_ENUM:
    case G_TYPE_FLAGS:
        return TRUE;
    default:
        return FALSE;
    }
}

/** Puts a copy of what is in a value into a GValue that has been initialised: a boolean, a number or a text, as GLib
 *  transforms it into the type that the GValue has, or a GObject, of which it takes a reference. A number that does not
 *  fit into that type, and a text with a zero byte in it, are refused. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND if there is no way; the GValue is as it was then. */
static inline swo_status swo_gobject_write(const swo_value *value, GValue *out) {
    GValue from = G_VALUE_INIT, made = G_VALUE_INIT;
    GObject *object = NULL;
    gboolean is_text, is_done = FALSE;
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
        if (swo_gobject_is_integer(G_VALUE_TYPE(out))) {
            /* Between 2^63 and its negative; what is no number is not. */
            if (!(value->as.float64 >= -9223372036854775808.0 && value->as.float64 < 9223372036854775808.0))
                return SWO_WRONG_KIND;
            g_value_init(&from, G_TYPE_INT64);
            g_value_set_int64(&from, SWO_CAST(gint64, value->as.float64));
        } else {
            g_value_init(&from, G_TYPE_DOUBLE);
            g_value_set_double(&from, value->as.float64);
        }
        break;
    case SWO_KIND_NULL:
    case SWO_KIND_TEXT:
        if (value->kind == SWO_KIND_TEXT && value->as.bytes.size > 0 &&
            memchr(value->as.bytes.data, 0, value->as.bytes.size) != NULL)
            return SWO_WRONG_KIND;
        g_value_init(&from, G_TYPE_STRING);
        if (value->kind == SWO_KIND_TEXT)
            g_value_take_string(&from, g_strndup(SWO_CAST(const char *, value->as.bytes.data), value->as.bytes.size));
        break;
    default:
        return SWO_WRONG_KIND;
    }
    /* GLib would make a text of any number, and a number of none, and cut an integer. */
    g_value_init(&made, G_VALUE_TYPE(out));
    is_text = G_VALUE_HOLDS_STRING(&from);
    if (is_text == G_VALUE_HOLDS_STRING(out)) is_done = g_value_transform(&from, &made);
    if (is_done && G_VALUE_HOLDS_INT64(&from) && swo_gobject_is_integer(G_VALUE_TYPE(out))) {
        swo_value fits;
        is_done = swo_gobject_read(&made, &fits) == SWO_OK && fits.as.int64 == g_value_get_int64(&from);
    }
    if (is_done) g_value_copy(&made, out);
    g_value_unset(&made);
    g_value_unset(&from);
    return is_done ? SWO_OK : SWO_WRONG_KIND;
}

/** How a property and a variable are bound. Begin with SWO_GOBJECT_BIND_OPTIONS_INIT: one way, without anything else.
 */
typedef struct swo_gobject_bind_options {
    size_t size; /**< sizeof(swo_gobject_bind_options); later versions append fields */
    /** As for g_object_bind_property(): G_BINDING_BIDIRECTIONAL: the source follows the target, too;
     *  G_BINDING_SYNC_CREATE: the target gets the source's value at once; G_BINDING_INVERT_BOOLEAN: it is the opposite,
     *  of a boolean property and a variable that holds a boolean. */
    GBindingFlags flags;
    const swo_executor *executor; /**< sets the property; NULL: whatever sets the variable does. Copied */
    /** Makes the variable's value of the property's. NULL: it is the same. If it fails, the variable stays as it is. */
    swo_mapper to_variable;
    /** Makes the property's value of the variable's. NULL as above. */
    swo_mapper to_property;
    void *context;       /**< of both functions, whose calls may overlap */
    swo_destroy destroy; /**< called once when the binding has ended, or cannot begin; may be NULL */
} swo_gobject_bind_options;

/** The options of a binding one way that begins with the next change: no flags, no executor, no functions. */
#define SWO_GOBJECT_BIND_OPTIONS_INIT                                                                                  \
    { sizeof(swo_gobject_bind_options), G_BINDING_DEFAULT, NULL, NULL, NULL, NULL, NULL }

/* A property and a variable that follow each other. The observation and the signal's closure own it. */
typedef struct swo_gobject_binding {
    gint owners;
    GWeakRef object;
    GParamSpec *property;
    swo_observable *variable;
    swo_observation observation;
    gulong handler;
    swo_gobject_bind_options options;
    gboolean sets_variable, sets_property;
    gpointer setting; /* the thread that is setting the property because the variable has changed */
} swo_gobject_binding;

static inline void swo_gobject_leave(swo_gobject_binding *binding) {
    if (!g_atomic_int_dec_and_test(&binding->owners)) return;
    g_weak_ref_clear(&binding->object);
    g_param_spec_unref(binding->property);
    swo_observable_release(binding->variable);
    if (binding->options.destroy != NULL) binding->options.destroy(binding->options.context);
    g_free(binding);
}

/* The object dies, or its handler is disconnected. */
static inline void swo_gobject_unbound(gpointer data, GClosure *closure) {
    (void)closure;
    swo_stop(SWO_CAST(swo_gobject_binding *, data)->observation);
    swo_gobject_leave(SWO_CAST(swo_gobject_binding *, data));
}

/* The observation has ended. */
static inline void swo_gobject_stopped(void *context) {
    swo_gobject_binding *binding = SWO_CAST(swo_gobject_binding *, context);
    GObject *object = SWO_CAST(GObject *, g_weak_ref_get(&binding->object));
    if (object != NULL) {
        if (binding->handler != 0 && g_signal_handler_is_connected(object, binding->handler))
            g_signal_handler_disconnect(object, binding->handler);
        g_object_unref(object);
    }
    swo_gobject_leave(binding);
}

/* What one side's value is on the other side: `out` borrows from `value`, or from what the function has made. */
static inline swo_status swo_gobject_convert(const swo_gobject_binding *binding, swo_mapper function,
                                             const swo_value *value, swo_value *out) {
    if (function != NULL) {
        *out = swo_null();
        return function(binding->options.context, value, out);
    }
    *out = *value;
    out->owned = 0;
    if ((binding->options.flags & G_BINDING_INVERT_BOOLEAN) == 0) return SWO_OK;
    if (value->kind != SWO_KIND_BOOL) return SWO_WRONG_KIND;
    out->as.boolean = !value->as.boolean;
    return SWO_OK;
}

/* Whether a number is the same as another one, of whatever kinds. */
static inline gboolean swo_gobject_is_same_number(const swo_value *one, const swo_value *other) {
    double numbers[2] = {0, 1};
    bool are_equal = false;
    const swo_value *values[2];
    int i;
    values[0] = one;
    values[1] = other;
    if (one->kind == other->kind) return swo_value_equal(one, other, &are_equal) == SWO_OK && are_equal;
    for (i = 0; i < 2; i++) {
        if (values[i]->kind == SWO_KIND_BOOL)
            numbers[i] = values[i]->as.boolean ? 1 : 0;
        else if (values[i]->kind == SWO_KIND_INT64)
            numbers[i] = SWO_CAST(double, values[i]->as.int64);
        else if (values[i]->kind == SWO_KIND_DOUBLE)
            numbers[i] = values[i]->as.float64;
        else
            return FALSE;
    }
    return memcmp(&numbers[0], &numbers[1], sizeof *numbers) == 0;
}

/* Whether the property has what it takes of the variable's value: then there is nothing to tell the variable. A float
 * is compared as one; an integer that was cut is told. */
static inline gboolean swo_gobject_has(const swo_gobject_binding *binding, const GValue *property,
                                       const swo_value *value) {
    GValue wanted = G_VALUE_INIT;
    swo_value there, read;
    gboolean has = FALSE;
    if (swo_gobject_convert(binding, binding->options.to_property, value, &there) != SWO_OK) return FALSE;
    g_value_init(&wanted, binding->property->value_type);
    if (swo_gobject_write(&there, &wanted) == SWO_OK && g_param_values_cmp(binding->property, &wanted, property) == 0) {
        has = binding->options.to_property != NULL || G_VALUE_HOLDS_FLOAT(property) || G_VALUE_HOLDS_DOUBLE(property) ||
              (swo_gobject_read(property, &read) == SWO_OK && swo_gobject_is_same_number(&read, &there));
    }
    g_value_unset(&wanted);
    return has;
}

/* Tells the variable what the property has. With `instead`, only as long as the variable has that value. */
typedef struct swo_gobject_telling {
    const swo_value *made, *instead;
} swo_gobject_telling;

static inline swo_status swo_gobject_tell_now(void *context, const swo_value *present, swo_value *out) {
    const swo_gobject_telling *telling = SWO_CAST(const swo_gobject_telling *, context);
    bool is_present = false;
    if (swo_value_equal(present, telling->instead, &is_present) != SWO_OK || !is_present) return SWO_NOT_FOUND;
    *out = *telling->made;
    return SWO_OK;
}

static inline void swo_gobject_tell(swo_gobject_binding *binding, GObject *object, const GValue *property,
                                    const swo_value *instead) {
    swo_value read, made;
    if (swo_gobject_read(property, &read) != SWO_OK ||
        swo_gobject_convert(binding, binding->options.to_variable, &read, &made) != SWO_OK)
        return;
    if (instead != NULL) {
        swo_gobject_telling telling;
        telling.made = &made;
        telling.instead = instead;
        /* A deferred variable cannot be updated, but has the update's value until the handlers have returned. */
        if (swo_variable_update(binding->variable, swo_gobject_tell_now, &telling, object) != SWO_WRONG_KIND) return;
    }
    swo_variable_set(binding->variable, &made, object);
}

static inline void swo_gobject_notified(GObject *object, GParamSpec *property, gpointer data) {
    swo_gobject_binding *binding = SWO_CAST(swo_gobject_binding *, data);
    GValue value = G_VALUE_INIT;
    swo_value present;
    (void)property;
    if (!binding->sets_variable || g_atomic_pointer_get(&binding->setting) == SWO_CAST(gpointer, g_thread_self()))
        return;
    g_value_init(&value, binding->property->value_type);
    g_object_get_property(object, binding->property->name, &value);
    if (swo_variable_get(binding->variable, &present) == SWO_OK) {
        if (!binding->sets_property || !swo_gobject_has(binding, &value, &present))
            swo_gobject_tell(binding, object, &value, NULL);
        swo_value_clear(&present);
    }
    g_value_unset(&value);
}

/* Writes a number that is too large or too small as the nearest one that the type has. */
static inline swo_status swo_gobject_write_nearest(const swo_value *value, GValue *out) {
    static const int64_t limits[] = {INT64_MAX, UINT32_MAX, INT32_MAX, UINT8_MAX, INT8_MAX,
                                     0,         INT8_MIN,   INT32_MIN, INT64_MIN};
    const size_t count = sizeof limits / sizeof *limits;
    swo_status status = swo_gobject_write(value, out);
    double number;
    size_t i;
    if (status != SWO_WRONG_KIND || !swo_gobject_is_integer(G_VALUE_TYPE(out))) return status;
    if (value->kind == SWO_KIND_INT64)
        number = SWO_CAST(double, value->as.int64);
    else if (value->kind == SWO_KIND_DOUBLE)
        number = value->as.float64;
    else
        return status;
    /* The first limit on the way to zero that fits. */
    for (i = 0; i < count && status != SWO_OK; i++) {
        const swo_value limit = swo_int64(limits[number > 0 ? i : count - 1 - i]);
        if (number > 0 ? SWO_CAST(double, limit.as.int64) <= number
                       : number < 0 && SWO_CAST(double, limit.as.int64) >= number)
            status = swo_gobject_write(&limit, out);
    }
    return status;
}

static inline void swo_gobject_follow(void *context, const swo_value *message, const void *author) {
    swo_gobject_binding *binding = SWO_CAST(swo_gobject_binding *, context);
    const gboolean is_readable = (binding->property->flags & G_PARAM_READABLE) != 0;
    GValue now = G_VALUE_INIT, next = G_VALUE_INIT;
    const swo_value *new_value;
    swo_value there;
    GObject *object;
    (void)author;
    if (!binding->sets_property || message->kind != SWO_KIND_UPDATE) return;
    object = SWO_CAST(GObject *, g_weak_ref_get(&binding->object));
    if (object == NULL) return;
    new_value = &message->as.update->new_value;
    g_value_init(&now, binding->property->value_type);
    g_value_init(&next, binding->property->value_type);
    if (is_readable) g_object_get_property(object, binding->property->name, &now);
    if (swo_gobject_convert(binding, binding->options.to_property, new_value, &there) == SWO_OK &&
        swo_gobject_write_nearest(&there, &next) == SWO_OK) {
        g_param_value_validate(binding->property, &next);
        if (!is_readable || g_param_values_cmp(binding->property, &now, &next) != 0) {
            const gpointer outer = g_atomic_pointer_get(&binding->setting);
            g_atomic_pointer_set(&binding->setting, SWO_CAST(gpointer, g_thread_self()));
            g_object_set_property(object, binding->property->name, &next);
            g_atomic_pointer_set(&binding->setting, outer);
            if (is_readable) g_object_get_property(object, binding->property->name, &now);
        }
        /* It may have taken something else. */
        if (binding->sets_variable && !swo_gobject_has(binding, &now, new_value))
            swo_gobject_tell(binding, object, &now, new_value);
    }
    g_value_unset(&now);
    g_value_unset(&next);
    g_object_unref(object);
}

/* Binds either way round. */
static inline swo_status swo_gobject_bind_both(GObject *object, const char *property, swo_observable *variable,
                                               const swo_gobject_bind_options *options, gboolean property_is_source,
                                               swo_observation *out) {
    const gboolean is_bidirectional = options != NULL && (options->flags & G_BINDING_BIDIRECTIONAL) != 0;
    const gboolean sets_variable = property_is_source || is_bidirectional;
    const gboolean sets_property = !property_is_source || is_bidirectional;
    swo_gobject_binding *binding = NULL;
    GParamSpec *found = NULL;
    GValue value = G_VALUE_INIT;
    swo_value read;
    swo_status status = SWO_OK;
    if (object == NULL || property == NULL || variable == NULL || options == NULL ||
        options->size < sizeof(swo_gobject_bind_options)) {
        status = SWO_INVALID_ARGUMENT;
    } else {
        found = g_object_class_find_property(G_OBJECT_GET_CLASS(object), property);
        if (found == NULL) status = SWO_NOT_FOUND;
    }
    if (status == SWO_OK &&
        ((sets_variable && (found->flags & G_PARAM_READABLE) == 0) ||
         (sets_property && (found->flags & (G_PARAM_WRITABLE | G_PARAM_CONSTRUCT_ONLY)) != G_PARAM_WRITABLE) ||
         ((options->flags & G_BINDING_INVERT_BOOLEAN) != 0 && found->value_type != G_TYPE_BOOLEAN)))
        status = SWO_WRONG_KIND;
    if (status == SWO_OK) {
        /* Nothing of a type that is no value can be read. */
        g_value_init(&value, found->value_type);
        status = swo_gobject_read(&value, &read);
        if (status == SWO_OK) status = swo_variable_get(variable, &read);
        if (status == SWO_OK) swo_value_clear(&read);
    }
    if (status == SWO_OK) {
        binding = g_new0(swo_gobject_binding, 1);
        binding->owners = 2;
        g_weak_ref_init(&binding->object, object);
        binding->property = g_param_spec_ref(found);
        binding->variable = swo_observable_retain(variable);
        binding->options = *options;
        binding->sets_variable = sets_variable;
        binding->sets_property = sets_property;
        if (property_is_source && (options->flags & G_BINDING_SYNC_CREATE) != 0) {
            swo_value made;
            g_object_get_property(object, found->name, &value);
            status = swo_gobject_read(&value, &read);
            if (status == SWO_OK) status = swo_gobject_convert(binding, options->to_variable, &read, &made);
            if (status == SWO_OK) status = swo_variable_set(variable, &made, object);
            /* A handler of the variable may have failed, or an executor refused: it is set nevertheless. */
            if (status == SWO_CALLBACK_FAILED || status == SWO_REFUSED) status = SWO_OK;
        }
    }
    if (found != NULL && G_IS_VALUE(&value)) g_value_unset(&value);
    if (status != SWO_OK) {
        if (binding != NULL) {
            binding->owners = 1;
            swo_gobject_leave(binding);
        } else if (options != NULL && options->size >= sizeof(swo_gobject_bind_options) && options->destroy != NULL) {
            options->destroy(options->context);
        }
        return status;
    }
    {
        gchar *detailed = g_strconcat("notify::", found->name, SWO_CAST(char *, NULL));
        swo_observe_options how = SWO_OBSERVE_OPTIONS_INIT;
        swo_observation begun = 0;
        binding->handler = g_signal_connect_data(object, detailed, G_CALLBACK(swo_gobject_notified), binding,
                                                 swo_gobject_unbound, SWO_CAST(GConnectFlags, 0));
        g_free(detailed);
        how.executor = options->executor;
        /* The present value, as an update of the property. */
        how.replay = !property_is_source && (options->flags & G_BINDING_SYNC_CREATE) != 0;
        /* Where it fails, the end of the context disconnects. */
        g_atomic_int_inc(&binding->owners);
        status =
            swo_observe_with(variable, &how, swo_gobject_follow, binding, swo_gobject_stopped, &binding->observation);
        begun = binding->observation;
        swo_gobject_leave(binding);
        if (status == SWO_OK && out != NULL) *out = begun;
    }
    return status;
}

/** Binds a property to a variable, both ways: the variable gets the property's value at once, and with each
 *  notification; the property that of the variable with each update. The object is the author of what comes from it,
 *  and it keeps the variable; the binding ends when the object dies or the observation is stopped.
 *
 *  What the property cannot hold does not reach it: a value that swo_gobject_write() refuses leaves it as it is, and
 *  the variable, too. A number that is out of its range becomes the nearest in it (g_param_value_validate()), and the
 *  variable becomes what the property took. A float is compared as a float: the variable keeps the more exact number.
 *
 *  Objects of GTK want to be set in their thread: with `executor` the property is set there.
 *  @param property  readable and writable, also after construction.
 *  @param executor  NULL: the property is set by whatever sets the variable.
 *  @param out       the observation; may be NULL.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_NOT_FOUND if there is no such property, SWO_WRONG_KIND if it is of a type
 *          that is no value, or cannot be read and written, or if `variable` is none; and what swo_observe_with()
 *          returns. */
static inline swo_status swo_gobject_bind(GObject *object, const char *property, swo_observable *variable,
                                          const swo_executor *executor, swo_observation *out) {
    swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
    options.flags = SWO_CAST(GBindingFlags, G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
    options.executor = executor;
    return swo_gobject_bind_both(object, property, variable, &options, TRUE, out);
}

/** Binds a variable to a property, which is the source, as g_object_bind_property() binds a target: without flags the
 *  variable follows the property, from its next notification on.
 *
 *      swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
 *      options.flags = G_BINDING_SYNC_CREATE;
 *      swo_gobject_bind_variable(G_OBJECT(scale), "value", volume, &options, NULL);    // volume follows the scale
 *
 *  Everything else as swo_gobject_bind(). Of a binding one way, the source need not take anything, and is never set.
 *  @param options  borrowed for the length of the call; it has a context that is destroyed in each case.
 *  @return as swo_gobject_bind(), and what the functions return. */
static inline swo_status swo_gobject_bind_variable(GObject *object, const char *property, swo_observable *variable,
                                                   const swo_gobject_bind_options *options, swo_observation *out) {
    return swo_gobject_bind_both(object, property, variable, options, TRUE, out);
}

/** Binds a property to a variable, which is the source: without flags the property follows the variable, from its next
 *  update on.
 *
 *      swo_gobject_bind_options options = SWO_GOBJECT_BIND_OPTIONS_INIT;
 *      options.flags = (GBindingFlags)(G_BINDING_SYNC_CREATE | G_BINDING_INVERT_BOOLEAN);
 *      swo_gobject_bind_property(busy, G_OBJECT(button), "sensitive", &options, NULL); // sensitive while not busy
 *
 *  Everything else as swo_gobject_bind_variable(). */
static inline swo_status swo_gobject_bind_property(swo_observable *variable, GObject *object, const char *property,
                                                   const swo_gobject_bind_options *options, swo_observation *out) {
    return swo_gobject_bind_both(object, property, variable, options, FALSE, out);
}

/* The first argument of a signal, or null. */
static inline void swo_gobject_emitted(GClosure *closure, GValue *result, guint count, const GValue *values,
                                       gpointer hint, gpointer unused) {
    swo_value message = swo_null();
    (void)result, (void)hint, (void)unused;
    if (count < 2 || swo_gobject_read(&values[1], &message) == SWO_OK)
        swo_send(SWO_CAST(swo_observable *, closure->data), &message, g_value_get_object(&values[0]));
}

static inline void swo_gobject_disconnected(gpointer messenger, GClosure *closure) {
    (void)closure;
    swo_observable_release(SWO_CAST(swo_observable *, messenger));
}

/** Sends each emission of a signal to a messenger: its first argument, or null if it has none; the object is the
 *  author. An argument that is no value (see swo_gobject_read()) is not sent. The object keeps the messenger.
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
