/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/typed.h
 *  Messages and values by their C types.
 *
 *      SWO_SEND_VALUE(names, "world");
 *      SWO_SET_VALUE(temperature, 21.5);
 *      double degrees;
 *      if (SWO_GET_VALUE(temperature, &degrees) == SWO_OK) ...
 *
 *  and messengers whose messages are structs, checked by the compiler:
 *
 *      struct reading { double celsius; int64_t time; };
 *      SWO_DEFINE_MESSENGER(readings, struct reading)
 *
 *      static void show(void *context, const struct reading *reading, const void *author) { ... }
 *
 *      readings *all = readings_new();
 *      readings_observe(all, NULL, show, NULL, NULL, NULL);
 *      readings_send(all, &(struct reading){21.5, 0}, NULL);
 *      readings_release(all);
 *
 *  likewise variables whose values are structs:
 *
 *      SWO_DEFINE_VARIABLE(state, struct reading)
 *
 *      static void changed(void *context, const struct reading *before, const struct reading *now, const void *author);
 *
 *      state *latest = NULL;
 *      if (state_new(&(struct reading){0}, &latest) != SWO_OK) abort();
 *      state_observe(latest, NULL, changed, NULL, NULL, NULL);
 *      state_set(latest, &(struct reading){21.5, 1}, NULL);
 *
 *  SWO_VALUE() and what is made from it choose by `_Generic`: C11 to C23. C++11 to C++20 choose by overloading.
 *  In C99 there are SWO_DEFINE_MESSENGER() and SWO_DEFINE_VARIABLE() alone.
 */
#ifndef SWIFTOBSERVER_TYPED_H
#define SWIFTOBSERVER_TYPED_H

#include <stdlib.h>
#include <swiftobserver.h>

#if defined(__GNUC__)
#define SWO_UNUSED __attribute__((unused))
#else
#define SWO_UNUSED
#endif

/* ------------------------------------------------------------- values by type */

/* A value, too, is the value of something. */
static inline swo_value swo_value_of_value(swo_value value) { return value; }

#if defined(__cplusplus)

extern "C++" {
inline swo_value swo_value_of(bool boolean) { return swo_bool(boolean); }
inline swo_value swo_value_of(signed char number) { return swo_int64(number); }
inline swo_value swo_value_of(unsigned char number) { return swo_int64(number); }
inline swo_value swo_value_of(short number) { return swo_int64(number); }
inline swo_value swo_value_of(unsigned short number) { return swo_int64(number); }
inline swo_value swo_value_of(int number) { return swo_int64(number); }
inline swo_value swo_value_of(unsigned number) { return swo_int64(number); }
inline swo_value swo_value_of(long number) { return swo_int64(number); }
inline swo_value swo_value_of(long long number) { return swo_int64(number); }
inline swo_value swo_value_of(float number) { return swo_double(static_cast<double>(number)); }
inline swo_value swo_value_of(double number) { return swo_double(number); }
inline swo_value swo_value_of(const char *text) { return swo_text(text); }
inline swo_value swo_value_of(swo_value value) { return value; }
/* Without these, pointers would be true, and large numbers negative. */
swo_value swo_value_of(const void *pointer) = delete;
swo_value swo_value_of(unsigned long number) = delete;
swo_value swo_value_of(unsigned long long number) = delete;
swo_value swo_value_of(char letter) = delete;
}
#define SWO_VALUE(expression) swo_value_of(expression)

#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L

/** The value of an expression, by its type: bool; signed integers, and unsigned ones of at most 32 bits; float and
 *  double; `char *` that ends with a zero, borrowed; swo_value. Nothing else compiles: a pointer is no number, an
 *  unsigned number of 64 bits may not fit, and a `char` may be a letter. Before C23 `true` is an int: write
 *  `(bool)true`. */
#define SWO_VALUE(expression)                                                                                          \
    _Generic((expression),                                                                                             \
        _Bool: swo_bool,                                                                                               \
        signed char: swo_int64,                                                                                        \
        unsigned char: swo_int64,                                                                                      \
        short: swo_int64,                                                                                              \
        unsigned short: swo_int64,                                                                                     \
        int: swo_int64,                                                                                                \
        unsigned: swo_int64,                                                                                           \
        long: swo_int64,                                                                                               \
        long long: swo_int64,                                                                                          \
        float: swo_double,                                                                                             \
        double: swo_double,                                                                                            \
        char *: swo_text,                                                                                              \
        const char *: swo_text,                                                                                        \
        swo_value: swo_value_of_value)(expression)

#endif

#if defined(SWO_VALUE)

/** Sends the value of an expression, without an author. Threads and errors as swo_send(). */
#define SWO_SEND_VALUE(observable, expression) swo_typed_send((observable), SWO_VALUE(expression), NULL)

/** Sends the value of an expression, on behalf of an author. Threads and errors as swo_send(). */
#define SWO_SEND_VALUE_BY(observable, expression, author) swo_typed_send((observable), SWO_VALUE(expression), (author))

/** Sets a variable to the value of an expression, without an author. Threads and errors as swo_variable_set(). */
#define SWO_SET_VALUE(variable, expression) swo_typed_set((variable), SWO_VALUE(expression), NULL)

/** Sets a variable to the value of an expression, on behalf of an author. Threads and errors as swo_variable_set(). */
#define SWO_SET_VALUE_BY(variable, expression, author) swo_typed_set((variable), SWO_VALUE(expression), (author))

static inline swo_status swo_typed_send(swo_observable *observable, swo_value message, const void *author) {
    return swo_send(observable, &message, author);
}

static inline swo_status swo_typed_set(swo_observable *variable, swo_value value, const void *author) {
    return swo_variable_set(variable, &value, author);
}

/* Gets a value of one kind; one of another kind is cleared. */
static inline swo_status swo_typed_get_kind(swo_observable *variable, int32_t kind, swo_value *out) {
    swo_value value = swo_null();
    swo_status status = swo_variable_get(variable, &value);
    if (status != SWO_OK) return status;
    if (value.kind == kind) {
        *out = value;
        return SWO_OK;
    }
    swo_value_clear(&value);
    return SWO_WRONG_KIND;
}

static inline swo_status swo_typed_get_bool(swo_observable *variable, bool *out) {
    swo_value value = swo_null();
    swo_status status = out == NULL ? SWO_INVALID_ARGUMENT : swo_typed_get_kind(variable, SWO_KIND_BOOL, &value);
    if (status == SWO_OK) *out = value.as.boolean;
    return status;
}

static inline swo_status swo_typed_get_int64(swo_observable *variable, int64_t *out) {
    swo_value value = swo_null();
    swo_status status = out == NULL ? SWO_INVALID_ARGUMENT : swo_typed_get_kind(variable, SWO_KIND_INT64, &value);
    if (status == SWO_OK) *out = value.as.int64;
    return status;
}

static inline swo_status swo_typed_get_double(swo_observable *variable, double *out) {
    swo_value value = swo_null();
    swo_status status = out == NULL ? SWO_INVALID_ARGUMENT : swo_typed_get_kind(variable, SWO_KIND_DOUBLE, &value);
    if (status == SWO_OK) *out = value.as.float64;
    return status;
}

/** Reads a variable into a bool, an int64_t, a double, or a swo_value, which is to be cleared as by swo_variable_get().
 *  @return as swo_variable_get(); SWO_WRONG_KIND also if the value is of another kind: numbers are not converted. */
#if defined(__cplusplus)
extern "C++" {
inline swo_status swo_typed_get(swo_observable *variable, bool *out) { return swo_typed_get_bool(variable, out); }
inline swo_status swo_typed_get(swo_observable *variable, int64_t *out) { return swo_typed_get_int64(variable, out); }
inline swo_status swo_typed_get(swo_observable *variable, double *out) { return swo_typed_get_double(variable, out); }
inline swo_status swo_typed_get(swo_observable *variable, swo_value *out) { return swo_variable_get(variable, out); }
}
#define SWO_GET_VALUE(variable, out) swo_typed_get((variable), (out))
#else
#define SWO_GET_VALUE(variable, out)                                                                                   \
    _Generic((out), _Bool *: swo_typed_get_bool, int64_t *: swo_typed_get_int64, double *: swo_typed_get_double,                         \
        swo_value *: swo_variable_get)((variable), (out))
#endif

#endif

/* ------------------------------------------------------- typed messengers, variables */

/** Defines the type `name`, a messenger whose messages are of `type`: a struct, or anything else that may be copied
 *  byte by byte. What pointers in it point at is the sender's affair. At file scope, without a semicolon.
 *
 *      name *name_new(void);
 *      name *name_retain(name *messenger);
 *      void name_release(name *messenger);
 *      swo_status name_send(name *messenger, const type *message, const void *author);
 *      swo_status name_observe(name *messenger, swo_observer *observer,
 *                              void (*handler)(void *context, const type *message, const void *author),
 *                              void *context, swo_destroy destroy, swo_observation *out);
 *      swo_status name_observe_on(name *messenger, swo_observer *observer, const swo_executor *executor, ...);
 *      swo_observable *name_observable(name *messenger);
 *
 *  These are swo_messenger_new(), swo_send(), swo_observe() and so forth, with their threads, lifetimes and errors.
 *  A handler gets its message aligned, as a copy of its own. The last function is for whatever else an observable can
 *  do; its messages are SWO_KIND_BYTES, and those of another size or kind do not reach the typed handlers. Each
 *  observation allocates its handler and context: SWO_NO_MEMORY if that fails, and the context has been destroyed. */
#define SWO_DEFINE_MESSENGER(name, type)                                                                               \
    typedef void (*name##_handler)(void *context, const type *message, const void *author);                            \
    SWO_TYPED_LIFETIME(name)                                                                                           \
                                                                                                                       \
    SWO_UNUSED static inline name *name##_new(void) { return SWO_RECAST(name *, swo_messenger_new()); }                \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_send(name *messenger, const type *message, const void *author) {        \
        swo_value bytes = swo_bytes(message, sizeof(type));                                                            \
        return swo_send(name##_observable(messenger), &bytes, author);                                                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline void name##_receive(void *context, const swo_value *bytes, const void *author) {          \
        struct name##_handling *handling = SWO_CAST(struct name##_handling *, context);                                \
        if (bytes->kind != SWO_KIND_BYTES || bytes->as.bytes.size != sizeof(type)) return;                             \
        type message;                                                                                                  \
        memcpy(&message, bytes->as.bytes.data, sizeof message);                                                        \
        handling->handler(handling->context, &message, author);                                                        \
    }                                                                                                                  \
                                                                                                                       \
    SWO_TYPED_OBSERVING(name)

/** Defines the type `name`, a variable whose value is of `type`, as SWO_DEFINE_MESSENGER() does a messenger.
 *
 *      swo_status name_new(const type *initial, name **out);
 *      name *name_retain(name *variable);
 *      void name_release(name *variable);
 *      swo_status name_get(name *variable, type *out);
 *      swo_status name_set(name *variable, const type *value, const void *author);
 *      swo_status name_update(name *variable, bool (*updater)(void *context, type *value), void *context,
 *                             const void *author);
 *      swo_status name_observe(name *variable, swo_observer *observer,
 *                              void (*handler)(void *context, const type *old_value, const type *new_value,
 *                                              const void *author),
 *                              void *context, swo_destroy destroy, swo_observation *out);
 *      swo_status name_observe_on(name *variable, swo_observer *observer, const swo_executor *executor, ...);
 *      swo_observable *name_observable(name *variable);
 *
 *  An updater changes the value in its place and returns true, or false to leave the variable as it is (the status is
 *  SWO_DECLINED then); it is called again if another thread sets the variable meanwhile. Two values are equal if
 *  their bytes are: zero a struct that has gaps between its members before you fill it. name_get() and name_update()
 *  return SWO_WRONG_KIND if the value is no `type`. */
#define SWO_DEFINE_VARIABLE(name, type)                                                                                \
    typedef void (*name##_handler)(void *context, const type *old_value, const type *new_value, const void *author);   \
    typedef bool (*name##_updater)(void *context, type *value);                                                        \
    SWO_TYPED_LIFETIME(name)                                                                                           \
                                                                                                                       \
    SWO_UNUSED static inline bool name##_read(const swo_value *bytes, type *out) {                                     \
        if (bytes->kind != SWO_KIND_BYTES || bytes->as.bytes.size != sizeof(type)) return false;                       \
        memcpy(out, bytes->as.bytes.data, sizeof(type));                                                               \
        return true;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_new(const type *initial, name **out) {                                  \
        swo_observable *made = NULL;                                                                                   \
        swo_value bytes = swo_bytes(initial, sizeof(type));                                                            \
        swo_status status = out == NULL ? SWO_INVALID_ARGUMENT : swo_variable_new(&bytes, &made);                      \
        if (status == SWO_OK) *out = SWO_RECAST(name *, made);                                                         \
        return status;                                                                                                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_get(name *variable, type *out) {                                        \
        swo_value value = swo_null();                                                                                  \
        swo_status status =                                                                                            \
            out == NULL ? SWO_INVALID_ARGUMENT : swo_variable_get(name##_observable(variable), &value);                \
        if (status == SWO_OK && !name##_read(&value, out)) status = SWO_WRONG_KIND;                                    \
        swo_value_clear(&value);                                                                                       \
        return status;                                                                                                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_set(name *variable, const type *value, const void *author) {            \
        swo_value bytes = swo_bytes(value, sizeof(type));                                                              \
        return swo_variable_set(name##_observable(variable), &bytes, author);                                          \
    }                                                                                                                  \
                                                                                                                       \
    struct name##_updating {                                                                                           \
        name##_updater updater;                                                                                        \
        void *context;                                                                                                 \
        type value;                                                                                                    \
    };                                                                                                                 \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_change(void *context, const swo_value *old_value, swo_value *out) {     \
        struct name##_updating *updating = SWO_CAST(struct name##_updating *, context);                                \
        if (!name##_read(old_value, &updating->value)) return SWO_WRONG_KIND;                                          \
        if (!updating->updater(updating->context, &updating->value)) return SWO_DECLINED;                              \
        *out = swo_bytes(&updating->value, sizeof(type));                                                              \
        return SWO_OK;                                                                                                 \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_update(name *variable, name##_updater updater, void *context,           \
                                                      const void *author) {                                            \
        struct name##_updating updating;                                                                               \
        updating.updater = updater;                                                                                    \
        updating.context = context;                                                                                    \
        return swo_variable_update(name##_observable(variable), updater == NULL ? NULL : name##_change, &updating,     \
                                   author);                                                                            \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline void name##_receive(void *context, const swo_value *message, const void *author) {        \
        struct name##_handling *handling = SWO_CAST(struct name##_handling *, context);                                \
        type old_value, new_value;                                                                                     \
        if (message->kind != SWO_KIND_UPDATE || !name##_read(&message->as.update->old_value, &old_value) ||            \
            !name##_read(&message->as.update->new_value, &new_value))                                                  \
            return;                                                                                                    \
        handling->handler(handling->context, &old_value, &new_value, author);                                          \
    }                                                                                                                  \
                                                                                                                       \
    SWO_TYPED_OBSERVING(name)

/* What both have in common: the type with its owners, and how it is observed. */
#define SWO_TYPED_LIFETIME(name)                                                                                       \
    typedef struct name name;                                                                                          \
    struct name##_handling {                                                                                           \
        name##_handler handler;                                                                                        \
        void *context;                                                                                                 \
        swo_destroy destroy;                                                                                           \
    };                                                                                                                 \
                                                                                                                       \
    SWO_UNUSED static inline swo_observable *name##_observable(name *typed) {                                          \
        return SWO_RECAST(swo_observable *, typed);                                                                    \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline name *name##_retain(name *typed) {                                                        \
        return SWO_RECAST(name *, swo_observable_retain(name##_observable(typed)));                                    \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline void name##_release(name *typed) { swo_observable_release(name##_observable(typed)); }

#define SWO_TYPED_OBSERVING(name)                                                                                      \
    SWO_UNUSED static inline void name##_end(void *context) {                                                          \
        struct name##_handling *handling = SWO_CAST(struct name##_handling *, context);                                \
        if (handling->destroy != NULL) handling->destroy(handling->context);                                           \
        free(handling);                                                                                                \
    }                                                                                                                  \
                                                                                                                       \
    /* A handling of its own for an observation, or NULL, and the context has been destroyed. */                       \
    SWO_UNUSED static inline struct name##_handling *name##_handle(name##_handler handler, void *context,              \
                                                                   swo_destroy destroy) {                              \
        struct name##_handling *handling = NULL;                                                                       \
        if (handler != NULL) handling = SWO_CAST(struct name##_handling *, malloc(sizeof *handling));                  \
        if (handling == NULL) {                                                                                        \
            if (destroy != NULL) destroy(context);                                                                     \
            return NULL;                                                                                               \
        }                                                                                                              \
        handling->handler = handler;                                                                                   \
        handling->context = context;                                                                                   \
        handling->destroy = destroy;                                                                                   \
        return handling;                                                                                               \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_observe(name *typed, swo_observer *observer, name##_handler handler,    \
                                                       void *context, swo_destroy destroy, swo_observation *out) {     \
        struct name##_handling *handling = name##_handle(handler, context, destroy);                                   \
        if (handling == NULL) return handler == NULL ? SWO_INVALID_ARGUMENT : SWO_NO_MEMORY;                           \
        return swo_observe(name##_observable(typed), observer, name##_receive, handling, name##_end, out);             \
    }                                                                                                                  \
                                                                                                                       \
    SWO_UNUSED static inline swo_status name##_observe_on(name *typed, swo_observer *observer,                         \
                                                          const swo_executor *executor, name##_handler handler,        \
                                                          void *context, swo_destroy destroy, swo_observation *out) {  \
        struct name##_handling *handling = name##_handle(handler, context, destroy);                                   \
        if (handling == NULL) return handler == NULL ? SWO_INVALID_ARGUMENT : SWO_NO_MEMORY;                           \
        return swo_observe_on(name##_observable(typed), observer, executor, name##_receive, handling, name##_end,      \
                              out);                                                                                    \
    }

#endif
