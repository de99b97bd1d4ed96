/* SPDX-License-Identifier: MIT */
/** @file swiftobserver.h
 *  Objects observe other objects: the C interface of SwiftObserver.
 *
 *      static void greet(void *context, const swo_value *message, const void *author) {
 *          printf("hello, %.*s\n", (int)message->as.bytes.size, (const char *)message->as.bytes.data);
 *      }
 *
 *      swo_observable *names = swo_messenger_new();
 *      swo_observation greeting;
 *      swo_observe(names, NULL, greet, NULL, NULL, &greeting);
 *
 *      swo_value world = swo_text("world");
 *      swo_send(names, &world, NULL);               // hello, world
 *
 *      swo_stop(greeting);
 *      swo_observable_release(names);
 *
 *  An *observable* sends *messages*: a messenger whatever it is told to send, a variable an update (old and new value)
 *  whenever its value changes, a transform what it makes of the messages of its source. An *observation* is one handler
 *  that receives the messages of one observable. An *observer* ends all its observations when it is released.
 *
 *  Every function keeps this:
 *
 *  - Order. An observable delivers one message at a time, in the order sent, to its handlers in the order in which they
 *    began. What a handler sends is delivered after the current message, before the outermost send returns.
 *  - Threads. Every function may be called on any thread, also from inside handlers. A send that finds another thread
 *    delivering hands its message over to that thread and returns.
 *  - Stopping. Once swo_stop() has returned, no call of the handler begins.
 *  - Callbacks. The library holds no lock while a callback runs. Callbacks must return: no longjmp, no exception may
 *    leave them, no thread may end inside of one. If an exception leaves one, the library ends the process with
 *    "SwiftObserver: ...", before anything is unwound.
 *  - Contexts. Every `context` comes with a `destroy` function (or NULL), which is called exactly once, after the last
 *    callback with that context has returned, also when the call that was given the context fails. It runs on the
 *    thread that ends the use: the one that stops, releases or fails, or, where a delivery is in progress, the one that
 *    delivers.
 *  - Errors. What can fail returns a swo_status. A call that fails has changed nothing, and its results (`out`
 *    parameters) are left untouched.
 *  - Memory. A call that makes or begins something returns SWO_NO_MEMORY where there is none, and so does one that
 *    needs a copy of a text, of bytes or of an update. The library finishes what it has begun from a reserve of 64 KB;
 *    where that is not enough, and where a function returns no status, the process ends with "SwiftObserver: out of
 *    memory". (The static runtime has no reserve, and a message of its own.)
 *  - Busy senders. A thread that delivers for others offers them the rest of the queue after every thousand messages
 *    (swo_observable_set_budget()): a thread that sends then goes on with the delivery. The order stays. Where messages
 *    come faster than they are delivered, the sender of the 32nd, 64th, 128th, ... waiting message first waits some
 *    tens of microseconds, so that the delivering thread catches up.
 *  - Chains. The stack does not grow with the length of a chain of transforms. After 64 transforms in a row, where
 *    something chosen is passed on (swo_switch_to_latest(), swo_flat_map()), and at a transform whose source was
 *    changed, the message waits until the transforms before have sent it to all; then it goes on, before the outermost
 *    send returns. So does what a handler behind one of these sends through another.
 *  - Costs. The time of a call does not depend on how many other observations, observables, messages and sources there
 *    are or were (on average: now and then a call makes room for many that follow). Where a call takes time for each of
 *    many, its document says so. To check, compare or copy a value takes time for each of its bytes.
 *  - Forks. A child process can use everything that no other thread was using. In the child, messages that another
 *    thread was delivering are lost, and so is all that is sent to an observable to which another thread was sending.
 *    Queues remain the parent's: the two processes share the descriptor.
 *  - Signals. They disturb nothing. A signal handler must not call the library, because it may have interrupted a
 *    thread that holds a lock: let it write to a descriptor that a loop watches.
 *  - Threads that end. If a thread leaves a callback by longjmp(), pthread_exit() or a cancellation, its observable
 *    stays silent for ever, as if the callback still ran. If it leaves one in the turn of a derived variable or an
 *    effect, those that depend on the same variables stay silent, too; their values can be read. Everything else goes
 *    on. But longjmp() must not leave the function of a derived variable or an effect: the thread would count as
 *    inside of it for ever. A cancelled thread ends in the library only where it holds nothing: at the beginning of
 *    swo_queue_drain(), of a send to a queue or of a set that reaches one, before anything has been sent, and while
 *    swo_stop_and_wait() or swo_observer_stop_and_wait() wait, when the observation has been stopped. So it leaves no
 *    lock, message or observable half done (while it waits for an observer's handlers, it leaves some bytes of
 *    memory). A thread does not end where it reads, or while it waits for room in a queue. A callback that makes such
 *    calls can be left there; to prevent that, it disables cancellation (pthread_setcancelstate()). A thread that is
 *    in the library must not be cancelled asynchronously.
 *  - Releases take NULL. The library keeps no pointer longer than its document says.
 *  - Released pointers must not be used again. The library does not check that, because it would slow each send; the
 *    debugging library, libswiftobserver-debug.so.0, does. Link with it instead, or load it first:
 *    `LD_PRELOAD=libswiftobserver-debug.so.0 ./program`. It ends the process if a function is called with a pointer
 *  that was released, or never was an observable, observer or queue, and names the function, the observable, and the
 *  place where the last owner released it (addresses for addr2line; link with -rdynamic to see names). It frees memory
 *    later, and its calls take microseconds.
 *
 *  Static probes (USDT, provider `swiftobserver`) tell tracers and debuggers of sends, sets, deliveries, handlers,
 *  computations and turns: `bpftrace -l 'usdt:/path/to/libswiftobserver.so.0:*'`. A probe that nothing listens to is a
 *  `nop`. Scripts for bpftrace and perf are with the examples, in `tracing`.
 *
 *  Functions that only the runtimes of languages need are declared in swiftobserver/runtime.h.
 *
 *  ABI: what is declared in both keeps its meaning as long as the library is named libswiftobserver.so.0; the soname
 *  changes if and only if something declared is removed or changes meaning.
 */
#ifndef SWIFTOBSERVER_H
#define SWIFTOBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define SWO_API __attribute__((visibility("default")))
#define SWO_NODISCARD __attribute__((warn_unused_result))
#else
#define SWO_API
#define SWO_NODISCARD
#endif

#if defined(__clang__)
#define SWO_NULLABLE _Nullable
#define SWO_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define SWO_NULLABLE
#define SWO_NONNULL
#endif

/* A conversion, as each of the two languages has it. */
#ifdef __cplusplus
#define SWO_CAST(type, value) static_cast<type>(value)
#else
#define SWO_CAST(type, value) ((type)(value))
#endif
#define SWO_RECAST(type, pointer) SWO_CAST(type, SWO_CAST(void *, pointer))

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------- version */

/** The version of this header. The whole project reads it here. */
#define SWO_VERSION_MAJOR 0
#define SWO_VERSION_MINOR 1
#define SWO_VERSION_PATCH 0

/** The version as one number, for comparisons: 0.1.0 is 100. */
#define SWO_VERSION (SWO_VERSION_MAJOR * 10000 + SWO_VERSION_MINOR * 100 + SWO_VERSION_PATCH)

/** The version as text: "0.1.0". */
#define SWO_VERSION_TEXT                                                                                               \
    SWO_TEXT_OF(SWO_VERSION_MAJOR) "." SWO_TEXT_OF(SWO_VERSION_MINOR) "." SWO_TEXT_OF(SWO_VERSION_PATCH)
#define SWO_TEXT_OF(macro) SWO_TEXT_OF_EXPANDED(macro)
#define SWO_TEXT_OF_EXPANDED(macro) #macro

/** The version of the library that is loaded, as SWO_VERSION. Any thread. */
SWO_API int32_t swo_version(void);

/** The version of the library that is loaded, as "0.1.0". Static text. Any thread. */
SWO_API const char *SWO_NONNULL swo_version_text(void);

/** The Swift runtime inside the library: "embedded" or "static". Static text. Any thread. */
SWO_API const char *SWO_NONNULL swo_runtime_text(void);

/* ----------------------------------------------------------------- status */

/** The result of a call: 0 is success, every error is negative. */
typedef int32_t swo_status;

#define SWO_OK ((swo_status)0)                /**< done */
#define SWO_INVALID_ARGUMENT ((swo_status)-1) /**< an argument is NULL that must not be, or out of bounds */
#define SWO_WRONG_KIND ((swo_status)-2)       /**< a value or an observable is of a kind that does not serve here */
#define SWO_NOT_FOUND ((swo_status)-3)        /**< no such observation or property, no block, batch or transaction */
#define SWO_INVALID_TEXT ((swo_status)-4)     /**< a text is not valid UTF-8 */
#define SWO_NO_MEMORY ((swo_status)-5)        /**< there is no memory left */
#define SWO_CALLBACK_FAILED ((swo_status)-6)  /**< a handler or another callback failed, or made no valid value */
#define SWO_WRONG_THREAD ((swo_status)-7)     /**< the observable is confined to another thread */
#define SWO_CYCLE ((swo_status)-8)            /**< a derived variable needs its own value */
#define SWO_CONFLICT ((swo_status)-9)         /**< another thread has changed what a transaction has read */
#define SWO_COMPUTING ((swo_status)-10)       /**< a function of a derived variable must not set anything */
#define SWO_REFUSED ((swo_status)-11)         /**< an executor or a full queue has refused a message */
#define SWO_NO_RESOURCES ((swo_status)-12)    /**< the system has no descriptor or thread, or could not wait */
#define SWO_DECLINED ((swo_status)-13)        /**< for updaters: the variable is left as it is */

#ifdef __cplusplus /* the same, without a cast of which compilers may warn */
#undef SWO_OK
#undef SWO_INVALID_ARGUMENT
#undef SWO_WRONG_KIND
#undef SWO_NOT_FOUND
#undef SWO_INVALID_TEXT
#undef SWO_NO_MEMORY
#undef SWO_CALLBACK_FAILED
#undef SWO_WRONG_THREAD
#undef SWO_CYCLE
#undef SWO_CONFLICT
#undef SWO_COMPUTING
#undef SWO_REFUSED
#undef SWO_NO_RESOURCES
#undef SWO_DECLINED
#define SWO_OK 0
#define SWO_INVALID_ARGUMENT (-1)
#define SWO_WRONG_KIND (-2)
#define SWO_NOT_FOUND (-3)
#define SWO_INVALID_TEXT (-4)
#define SWO_NO_MEMORY (-5)
#define SWO_CALLBACK_FAILED (-6)
#define SWO_WRONG_THREAD (-7)
#define SWO_CYCLE (-8)
#define SWO_CONFLICT (-9)
#define SWO_COMPUTING (-10)
#define SWO_REFUSED (-11)
#define SWO_NO_RESOURCES (-12)
#define SWO_DECLINED (-13)
#endif

/** A sentence for a status, in English. Static text, also for unknown numbers. Any thread. */
SWO_API const char *SWO_NONNULL swo_status_text(swo_status status);

/* ----------------------------------------------------------------- values */

/** The kinds of value. A `kind` other than these is refused with SWO_WRONG_KIND. */
#define SWO_KIND_NULL 0   /**< nothing */
#define SWO_KIND_BOOL 1   /**< as.boolean */
#define SWO_KIND_INT64 2  /**< as.int64 */
#define SWO_KIND_DOUBLE 3 /**< as.float64 */
#define SWO_KIND_TEXT 4   /**< as.bytes: UTF-8, without a terminating zero in its size */
#define SWO_KIND_BYTES 5  /**< as.bytes */
#define SWO_KIND_OBJECT 6 /**< as.object: a pointer of the caller's, with functions that manage it */
#define SWO_KIND_UPDATE 7 /**< as.update: the message of a variable */
#define SWO_KIND_LIST 8   /**< as.list: messages that belong together, such as those of swo_combine() */

typedef struct swo_value swo_value;
typedef struct swo_update swo_update;

/** How the library handles the caller's objects. It must outlive every value that names it; a static constant does. */
typedef struct swo_object_type {
    size_t size; /**< sizeof(swo_object_type), or of what begins with one: see swo_named_type */
    /** Called for each copy that the library keeps. NULL: objects outlive their use. Any thread may call it. */
    void (*SWO_NULLABLE retain)(void *SWO_NULLABLE object);
    /** Called once for each retain, on any thread. NULL as above. */
    void (*SWO_NULLABLE release)(void *SWO_NULLABLE object);
    /** Whether two objects of this type are equal. NULL: only identical ones are. */
    bool (*SWO_NULLABLE equal)(void *SWO_NULLABLE one, void *SWO_NULLABLE other);
} swo_object_type;

/** An object type with a name, by which it is known in all parts of a process, of which each may have a constant of its
 *  own for it: a program and the libraries that it loads. Objects of two types are of one type where both types have a
 *  name and the names are equal. */
typedef struct swo_named_type {
    swo_object_type type; /**< its `size` is sizeof(swo_named_type), which says that there is a name */
    /** Returns the name, a static text; or NULL: only the address says what the type is. */
    const char *SWO_NULLABLE (*SWO_NULLABLE name)(void);
} swo_named_type;

/** Whether two pointers name one type of objects: they are equal, or both types have the same name. Any thread. */
static inline bool swo_is_same_type(const swo_object_type *SWO_NULLABLE one,
                                    const swo_object_type *SWO_NULLABLE other) {
    const char *name, *other_name;
    if (one == other) return true;
    if (one == NULL || other == NULL || one->size < sizeof(swo_named_type) || other->size < sizeof(swo_named_type))
        return false;
    const swo_named_type *named = SWO_CAST(const swo_named_type *, SWO_CAST(const void *, one));
    const swo_named_type *other_named = SWO_CAST(const swo_named_type *, SWO_CAST(const void *, other));
    if (named->name == NULL || other_named->name == NULL) return false;
    name = named->name();
    other_name = other_named->name();
    return name != NULL && other_name != NULL && strcmp(name, other_name) == 0;
}

/** A value: plain data that *borrows* the bytes or the object it points at, unless swo_value_copy() or
 *  swo_variable_get() made it. Initialise it with the functions below, or zero it: that is the null value. */
struct swo_value {
    int32_t kind;  /**< SWO_KIND_... */
    int32_t owned; /**< not 0 if swo_value_clear() has something to free; the library's own */
    union {
        bool boolean;
        int64_t int64;
        double float64;
        struct {
            const void *SWO_NULLABLE data; /**< may be NULL where size is 0 */
            size_t size;
        } bytes;
        struct {
            void *SWO_NULLABLE pointer;
            const swo_object_type *SWO_NULLABLE type;
        } object;
        const swo_update *SWO_NULLABLE update;
        struct {
            const swo_value *SWO_NULLABLE values; /**< may be NULL where count is 0 */
            size_t count;
        } list;
    } as;
};

/** The message of a variable: the value before and the value after. Neither is itself an update. */
struct swo_update {
    swo_value old_value;
    swo_value new_value;
};

static inline swo_value swo_null(void) {
    swo_value value;
    value.kind = SWO_KIND_NULL;
    value.owned = 0;
    /* Both halves of the union, and not by memset(): GCC would build each value in one place and copy it to another,
     * which takes longer than a send without observers. */
    value.as.bytes.size = 0;
    value.as.int64 = 0;
    return value;
}

static inline swo_value swo_bool(bool boolean) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_BOOL;
    value.as.boolean = boolean;
    return value;
}

static inline swo_value swo_int64(int64_t number) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_INT64;
    value.as.int64 = number;
    return value;
}

static inline swo_value swo_double(double number) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_DOUBLE;
    value.as.float64 = number;
    return value;
}

/** Borrows `size` bytes of UTF-8, zeros included. */
static inline swo_value swo_text_sized(const char *SWO_NULLABLE text, size_t size) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_TEXT;
    value.as.bytes.data = text;
    value.as.bytes.size = size;
    return value;
}

/** Borrows a text that ends with a zero. */
static inline swo_value swo_text(const char *SWO_NONNULL text) { return swo_text_sized(text, strlen(text)); }

static inline swo_value swo_bytes(const void *SWO_NULLABLE data, size_t size) {
    swo_value value = swo_text_sized(SWO_CAST(const char *, data), size);
    value.kind = SWO_KIND_BYTES;
    return value;
}

static inline swo_value swo_object(void *SWO_NULLABLE object, const swo_object_type *SWO_NONNULL type) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_OBJECT;
    value.as.object.pointer = object;
    value.as.object.type = type;
    return value;
}

/** Borrows an update. */
static inline swo_value swo_update_value(const swo_update *SWO_NONNULL update) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_UPDATE;
    value.as.update = update;
    return value;
}

/** Borrows values of any kind, updates included. Lists in lists can be 16 deep. */
static inline swo_value swo_list(const swo_value *SWO_NULLABLE values, size_t count) {
    swo_value value = swo_null();
    value.kind = SWO_KIND_LIST;
    value.as.list.values = values;
    value.as.list.count = count;
    return value;
}

/** Reads a value, if it is of the kind that is asked for; numbers are not converted. A text, bytes and an object
 *  are borrowed from it. Any thread.
 *
 *      int64_t number;
 *      if (swo_value_int64(message, &number) == SWO_OK) total += number;
 *
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_WRONG_KIND; `out` is as it was then. */
static inline swo_status swo_value_bool(const swo_value *SWO_NULLABLE value, bool *SWO_NULLABLE out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_BOOL) return SWO_WRONG_KIND;
    *out = value->as.boolean;
    return SWO_OK;
}

/** As swo_value_bool(). */
static inline swo_status swo_value_int64(const swo_value *SWO_NULLABLE value, int64_t *SWO_NULLABLE out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_INT64) return SWO_WRONG_KIND;
    *out = value->as.int64;
    return SWO_OK;
}

/** As swo_value_bool(). */
static inline swo_status swo_value_double(const swo_value *SWO_NULLABLE value, double *SWO_NULLABLE out) {
    if (value == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_DOUBLE) return SWO_WRONG_KIND;
    *out = value->as.float64;
    return SWO_OK;
}

/** As swo_value_bool(): UTF-8, followed by a zero only if the value is a copy that the library made. */
static inline swo_status swo_value_text(const swo_value *SWO_NULLABLE value, const char *SWO_NULLABLE *SWO_NULLABLE out,
                                        size_t *SWO_NULLABLE size) {
    if (value == NULL || out == NULL || size == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_TEXT) return SWO_WRONG_KIND;
    *out = SWO_CAST(const char *, value->as.bytes.data);
    *size = value->as.bytes.size;
    return SWO_OK;
}

/** As swo_value_bool(). */
static inline swo_status swo_value_bytes(const swo_value *SWO_NULLABLE value,
                                         const void *SWO_NULLABLE *SWO_NULLABLE out, size_t *SWO_NULLABLE size) {
    if (value == NULL || out == NULL || size == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_BYTES) return SWO_WRONG_KIND;
    *out = value->as.bytes.data;
    *size = value->as.bytes.size;
    return SWO_OK;
}

/** As swo_value_bool(), for objects of one type. */
static inline swo_status swo_value_object(const swo_value *SWO_NULLABLE value, const swo_object_type *SWO_NULLABLE type,
                                          void *SWO_NULLABLE *SWO_NULLABLE out) {
    if (value == NULL || type == NULL || out == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_OBJECT || !swo_is_same_type(value->as.object.type, type)) return SWO_WRONG_KIND;
    *out = value->as.object.pointer;
    return SWO_OK;
}

/** As swo_value_bool(): the value before and the value after, which are borrowed from it. */
static inline swo_status swo_value_update(const swo_value *SWO_NULLABLE value,
                                          const swo_value *SWO_NULLABLE *SWO_NULLABLE old_value,
                                          const swo_value *SWO_NULLABLE *SWO_NULLABLE new_value) {
    if (value == NULL || old_value == NULL || new_value == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_UPDATE || value->as.update == NULL) return SWO_WRONG_KIND;
    *old_value = &value->as.update->old_value;
    *new_value = &value->as.update->new_value;
    return SWO_OK;
}

/** As swo_value_bool(): the values of a list, which are borrowed from it. */
static inline swo_status swo_value_list(const swo_value *SWO_NULLABLE value,
                                        const swo_value *SWO_NULLABLE *SWO_NULLABLE out, size_t *SWO_NULLABLE count) {
    if (value == NULL || out == NULL || count == NULL) return SWO_INVALID_ARGUMENT;
    if (value->kind != SWO_KIND_LIST) return SWO_WRONG_KIND;
    *out = value->as.list.values;
    *count = value->as.list.count;
    return SWO_OK;
}

/** Whether a value is well formed: a known kind, sizes within bounds, valid UTF-8, an update of two well formed values,
 *  a list of well formed ones. Every function that takes a value checks this. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND or SWO_INVALID_TEXT. */
SWO_API SWO_NODISCARD swo_status swo_value_check(const swo_value *SWO_NULLABLE value);

/** Whether two values are equal: of one kind, and equal by number, by bytes, by the object type's `equal`, update by
 *  update, or list by list. Doubles compare as IEEE 754 does. Any thread.
 *  @return SWO_OK, or what swo_value_check() says of either. */
SWO_API swo_status swo_value_equal(const swo_value *SWO_NULLABLE one, const swo_value *SWO_NULLABLE other,
                                   bool *SWO_NULLABLE out);

/** Makes a copy that owns what it points at; end it with swo_value_clear(). A copied text is followed by a zero byte.
 *  Numbers allocate nothing. Any thread.
 *  @return SWO_OK, what swo_value_check() says, or SWO_NO_MEMORY. */
SWO_API swo_status swo_value_copy(const swo_value *SWO_NULLABLE value, swo_value *SWO_NULLABLE out);

/** Frees what a copy owns and makes it null. Values that only borrow become null, too. NULL is ignored. Any thread, one
 *  at a time for the same value. */
SWO_API void swo_value_clear(swo_value *SWO_NULLABLE value);

/* ------------------------------------------------------------ observables */

/** A messenger, a variable or a transform. Counted: every `new` and `retain` is paired with a release. At the last
 *  release all its observations stop, after the delivery in progress (queued messages included) has completed. */
typedef struct swo_observable swo_observable;

/** Makes a messenger: the minimal observable. The caller owns the result. Any thread. */
SWO_API SWO_NODISCARD swo_observable *SWO_NONNULL swo_messenger_new(void);

/** Adds an owner. Returns its argument; NULL for NULL. Any thread. */
SWO_API swo_observable *SWO_NULLABLE swo_observable_retain(swo_observable *SWO_NULLABLE observable);

/** Ends one ownership. The last one takes time for each observation that ends with it, for each transform that nothing
 *  else keeps, and for each message that those remember. NULL is ignored. Any thread, also inside a handler of this
 *  very observable. */
SWO_API void swo_observable_release(swo_observable *SWO_NULLABLE observable);

/** Sends a message to all that observe. It takes time for each observation that receives it, or what a transform makes
 *  of it.
 *
 *  The message is borrowed for the length of the call; it is copied only if it has to wait because a delivery is in
 *  progress. Any thread.
 *  @param author  who caused the message; handlers get this pointer, the library never follows it. NULL: the observable
 *                 itself. An executor may call a handler after the observable has died: then the address may belong to
 *                 something else.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT, SWO_WRONG_KIND (also: to a variable, what is not an update), SWO_INVALID_TEXT,
 *          SWO_NO_MEMORY, SWO_WRONG_THREAD (see swo_observable_confine()): nothing was sent; SWO_CALLBACK_FAILED: it
 *          was sent, and a handler has reported that it failed (swo_observable_fail()), or a transform could not pass
 *  it on; SWO_REFUSED: it was sent, nothing has failed, and an executor, or a queue that is full, did not take it over
 *  for an observation, of this observable or of one that is made from it. A send that hands its message over, or that
 *  is made from inside a handler, returns before that is known: see swo_observable_refused(). */
SWO_API swo_status swo_send(swo_observable *SWO_NULLABLE observable, const swo_value *SWO_NULLABLE message,
                            const void *SWO_NULLABLE author);

/** Whether messages keep the order in which they were sent (the default). Unordered, a send delivers at once on its own
 *  thread: nested inside a delivery in progress, and in parallel with other threads; all but the promise of order still
 *  holds. The context of an observation that ends is destroyed when the deliveries that had begun by then are over.
 *  Threads that send for a while take no lock, until something else than sending happens. A change comes into force as
 *  soon as no delivery is in progress: called from a handler, when the outermost send returns. A change takes time for
 *  each observation. Any thread.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_observable_set_ordered(swo_observable *SWO_NULLABLE observable, bool ordered);

/** Whether messages keep their order, as asked for last. False for NULL. Any thread. */
SWO_API bool swo_observable_is_ordered(swo_observable *SWO_NULLABLE observable);

/** Sets how many waiting messages one thread delivers before it offers the rest to another thread that sends; at first
 *  1000. The order stays. A small number shortens the longest send, a large one makes all sends together faster. A
 *  delivery in progress may go on with the old number. Any thread.
 *  @param messages  0: it never offers, and delivers until nothing waits.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_observable_set_budget(swo_observable *SWO_NULLABLE observable, size_t messages);

/** How many observations of an observable are living, those of transforms included. 0 for NULL. Any thread. */
SWO_API size_t swo_observable_count(swo_observable *SWO_NULLABLE observable);

/** How many messages the executors of an observable's observations have refused, in all. A send whose own message is
 *  refused returns SWO_REFUSED; one whose message waits, because another one is being delivered, has returned
 *  by then, and finds the refusal here. So does one that was handed over (swo_observable_confine()) and then lost, and
 *  a replay that could not be fetched. What has been stopped refuses nothing. 0 for NULL. Any thread. */
SWO_API size_t swo_observable_refused(swo_observable *SWO_NULLABLE observable);

/** Reports that a handler has failed. A handler that is called directly reports it during its call: the send that
 *  delivers returns SWO_CALLBACK_FAILED when all handlers have received the message, also if another thread or a
 *  handler has sent it. At any other time, the next send returns SWO_CALLBACK_FAILED. Any thread.
 *
 *      static void save(void *log, const swo_value *message, const void *author) {
 *          if (fwrite(message->as.bytes.data, message->as.bytes.size, 1, file) != 1) swo_observable_fail(log);
 *      }
 *
 *  @param observable  what the handler observes. NULL is ignored. */
SWO_API void swo_observable_fail(swo_observable *SWO_NULLABLE observable);

/** Blocks an observable: what is sent is dropped, until it has been unblocked as often as it was blocked. What was sent
 *  before still arrives. A variable can be set as usual, only its updates are dropped. Any thread.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_observable_block(swo_observable *SWO_NULLABLE observable);

/** Takes one block back. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND if it was not blocked. */
SWO_API swo_status swo_observable_unblock(swo_observable *SWO_NULLABLE observable);

/** Whether an observable is blocked. False for NULL. Any thread. */
SWO_API bool swo_observable_is_blocked(swo_observable *SWO_NULLABLE observable);

/* -------------------------------------------------------------- variables */

/** Makes a variable: an observable that holds a value. It keeps a copy of `initial` (NULL: the null value), which must
 *  not be an update. The caller owns the result. Any thread.
 *  @return SWO_OK, what swo_value_check() says, SWO_WRONG_KIND or SWO_NO_MEMORY. */
SWO_API swo_status swo_variable_new(const swo_value *SWO_NULLABLE initial,
                                    swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes a variable whose assignments take their turn among its messages: each is made when all that observe have been
 *  offered the update before. So the value that a handler reads is the new one of the update that it was given, also if
 *  another handler or thread has set the variable meanwhile. Everything else as swo_variable_new().
 *
 *      set inside the handler of (0, 1)   2 3
 *      read there                         1 1
 *      sent                               (0, 1) (1, 2) (2, 3)
 *
 *  Batches begin and end, and replays are received, in their turn, too. It cannot be updated: swo_variable_update()
 *  returns SWO_WRONG_KIND. If the copy for an assignment that waited cannot be had, the send that it waited for returns
 *  SWO_CALLBACK_FAILED. In a transaction it cannot be set, which returns SWO_WRONG_KIND: it changes in a turn of its
 *  own. */
SWO_API swo_status swo_deferred_variable_new(const swo_value *SWO_NULLABLE initial,
                                             swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Copies the present value into `out`; end it with swo_value_clear(). Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND if this is no variable, SWO_NO_MEMORY; of a derived variable
 *          also SWO_CALLBACK_FAILED and SWO_CYCLE: see swo_derived_new(). */
SWO_API swo_status swo_variable_get(swo_observable *SWO_NULLABLE variable, swo_value *SWO_NULLABLE out);

/** Sets the value. It can be read at once, unless the variable defers its assignments; if it differs from the old one
 *  (swo_value_equal()), an update is sent in its turn, which takes time as swo_send() does, and for each function of a
 *  derived variable or an effect that it makes run, and each of their reads. Values of different kinds differ. Any
 *  thread.
 *  @param author  as for swo_send().
 *  @return as swo_send(); SWO_WRONG_KIND also if this is no variable or the value is an update; SWO_WRONG_THREAD also
 *          in a transaction, where the variable is confined to another thread; SWO_COMPUTING in a function of a derived
 *          variable. */
SWO_API swo_status swo_variable_set(swo_observable *SWO_NULLABLE variable, const swo_value *SWO_NULLABLE value,
                                    const void *SWO_NULLABLE author);

/** Makes the new value from the old one, which is borrowed. `*out` starts as null. What `*out` points at must stay
 *  valid until swo_variable_update() returns. An updater must not set the same variable.
 *  @return SWO_OK to set it, anything else to leave the variable as it is: SWO_DECLINED says just that. */
typedef swo_status (*swo_updater)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL old_value,
                                  swo_value *SWO_NONNULL out);

/** Reads, modifies and writes a variable as one step. No lock is held while `updater` runs: if another thread sets the
 *  variable meanwhile, it is called again with the newer value. `updater` is not called after this returns. It takes
 *  time as swo_variable_set() does. Any thread.
 *  @return as swo_variable_set(); what the updater returned, if that is not SWO_OK; SWO_CALLBACK_FAILED if it made no
 *          valid value; SWO_WRONG_KIND also if the variable defers its assignments. */
SWO_API swo_status swo_variable_update(swo_observable *SWO_NULLABLE variable, swo_updater SWO_NULLABLE updater,
                                       void *SWO_NULLABLE context, const void *SWO_NULLABLE author);

/** Begins a batch: the variable changes as usual, but sends nothing until every batch that was begun has ended. Any
 *  thread; the batch belongs to the variable, not to the thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND if this is no variable, or SWO_WRONG_THREAD. */
SWO_API swo_status swo_variable_begin_batch(swo_observable *SWO_NULLABLE variable);

/** Ends a batch. The last end sends one update, from the value before the first change to the value after the last, by
 *  the author of the last, unless the two are equal (swo_value_equal()). It takes time as swo_variable_set() does. Any
 *  thread.
 *
 *      set          1 2 3
 *      sent       (0, 3)
 *
 *  @return as swo_send(); SWO_WRONG_KIND if this is no variable, SWO_NOT_FOUND if no batch was begun. */
SWO_API swo_status swo_variable_end_batch(swo_observable *SWO_NULLABLE variable);

/* -------------------------------------------------------------- observers */

/** Keeps observations alive: they all stop at its last release. Counted like observables. */
typedef struct swo_observer swo_observer;

/** Makes an observer. The caller owns the result. Any thread. */
SWO_API SWO_NODISCARD swo_observer *SWO_NONNULL swo_observer_new(void);

/** Adds an owner. Returns its argument; NULL for NULL. Any thread. */
SWO_API swo_observer *SWO_NULLABLE swo_observer_retain(swo_observer *SWO_NULLABLE observer);

/** Ends one ownership; the last one stops all its observations, and takes time for each of them. NULL is ignored. Any
 *  thread, also inside a handler of this very observer. */
SWO_API void swo_observer_release(swo_observer *SWO_NULLABLE observer);

/** Stops all observations of `observable` by `observer`, or of everything where `observable` is NULL. It takes time for
 *  each that it stops, and for no other. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND if there was none. */
SWO_API swo_status swo_observer_stop(swo_observer *SWO_NULLABLE observer, swo_observable *SWO_NULLABLE observable);

/** Stops all observations of `observer`, and waits until none of their handlers is running on any other thread: then
 *  what they use can be freed. What the handlers begin meanwhile with the same observer ends, too. It takes time for
 *  each observation, and for each unordered delivery that its handler may be running in.
 *
 *  Any thread. From inside one of these handlers (at any depth) it returns at once, and waits for none of the others.
 *  Two handlers that wait for each other wait for ever. Handlers that are still running although their observations
 *  were stopped before are waited for, too.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, or SWO_NOT_FOUND if there was no living observation. */
SWO_API swo_status swo_observer_stop_and_wait(swo_observer *SWO_NULLABLE observer);

/** Whether `observer` has a living observation of `observable`. False for NULL. Any thread. */
SWO_API bool swo_observer_is_observing(swo_observer *SWO_NULLABLE observer, swo_observable *SWO_NULLABLE observable);

/** How many living observations `observer` has. 0 for NULL. Any thread. It takes time for each of them. */
SWO_API size_t swo_observer_count(swo_observer *SWO_NULLABLE observer);

/* ----------------------------------------------------------- observations */

/** Names an observation. Never 0, never used again. */
typedef uint64_t swo_observation;

/** Receives a message, which is borrowed until the handler returns: swo_value_copy() keeps it.
 *  @param author  what the sender named, or the observable that was sent to. */
typedef void (*swo_handler)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL message,
                            const void *SWO_NULLABLE author);

/** Ends a context. Where each context owns the next one, so that one ends inside the other, those beyond the 64th end
 *  when that has returned: the stack does not grow with such a chain. */
typedef void (*swo_destroy)(void *SWO_NULLABLE context);

/** Begins an observation. It lasts until it is stopped, until `observer` dies, or until the observable dies; it keeps
 *  neither of them alive. Begun during a delivery it receives the next message first. The same observer may observe the
 *  same observable any number of times. Any thread.
 *  @param observer  who keeps the observation. NULL: it lasts until it is stopped.
 *  @param out       the id; NULL if the caller does not need it.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT or SWO_NO_MEMORY, and the context has been destroyed. */
SWO_API swo_status swo_observe(swo_observable *SWO_NULLABLE observable, swo_observer *SWO_NULLABLE observer,
                               swo_handler SWO_NULLABLE handler, void *SWO_NULLABLE context,
                               swo_destroy SWO_NULLABLE destroy, swo_observation *SWO_NULLABLE out);

/** Ends an observation. Once this has returned, no call of its handler begins, not even in a delivery in progress; a
 *  call that is running on another thread may finish. Any thread.
 *  @return SWO_OK, or SWO_NOT_FOUND if the id names no living observation. */
SWO_API swo_status swo_stop(swo_observation observation);

/** Ends an observation and waits until its handler is not running on any other thread. It takes time for each unordered
 *  delivery that its handler may be running in.
 *
 *  Any thread. From inside that very handler (at any depth) it returns at once, and the observation ends when the
 *  handler returns. Two handlers that wait for each other wait for ever. A handler that is still running although its
 *  observation was stopped before is waited for, too.
 *  @return SWO_OK, or SWO_NOT_FOUND if the id names no living observation. */
SWO_API swo_status swo_stop_and_wait(swo_observation observation);

/** Whether the id names a living observation. Any thread. */
SWO_API bool swo_is_living(swo_observation observation);

/** Blocks an observation: messages are lost to its handler, until it has been unblocked as often as it was blocked.
 *  Messages that wait for an executor are lost, too, if their turn comes before. Any thread. While one of its
 *  observations is blocked, every send of an observable takes a little longer.
 *  @return SWO_OK, SWO_NOT_FOUND if the id names no living observation, or SWO_INVALID_ARGUMENT if it has been blocked
 *          127 times. */
SWO_API swo_status swo_block(swo_observation observation);

/** Takes one block back. Any thread.
 *  @return SWO_OK, or SWO_NOT_FOUND if the id names no living observation that is blocked. */
SWO_API swo_status swo_unblock(swo_observation observation);

/** Whether the id names a living observation that is blocked. Any thread. */
SWO_API bool swo_is_blocked(swo_observation observation);

/* --------------------------------------------------------------- delivery */

/** The delivery of one message to one handler, or the beginning of an observation, to be made later. */
typedef struct swo_job swo_job;

/** Does the job and ends it. An executor calls either this or swo_job_drop(), once for each job that it accepted, on
 *  any thread. Jobs of one observation that run side by side still deliver one message at a time, in order. NULL is
 *  ignored. */
SWO_API void swo_job_run(swo_job *SWO_NULLABLE job);

/** Ends the job without doing it. NULL is ignored. Any thread. */
SWO_API void swo_job_drop(swo_job *SWO_NULLABLE job);

/** Something that runs jobs later or elsewhere: an event loop, a pool of threads. Begin with SWO_EXECUTOR_INIT. */
typedef struct swo_executor {
    size_t size; /**< sizeof(swo_executor); later versions append fields */
    /** Takes a job over and returns SWO_OK, or refuses it by returning anything else: then the message is lost for this
     *  handler and the send returns SWO_REFUSED. The sender calls it, on any thread; it must not run the job itself. */
    swo_status (*SWO_NULLABLE execute)(void *SWO_NULLABLE context, swo_job *SWO_NONNULL job);
    void *SWO_NULLABLE context;
    /** Called when an observation begins that uses the executor. NULL: nothing is called. */
    void (*SWO_NULLABLE retain)(void *SWO_NULLABLE context);
    /** Called once for each retain, when such an observation has ended and delivered its last message. */
    void (*SWO_NULLABLE release)(void *SWO_NULLABLE context);
} swo_executor;

#define SWO_EXECUTOR_INIT                                                                                              \
    { sizeof(swo_executor), NULL, NULL, NULL, NULL }

/** Begins an observation whose handler is called by an executor, with a copy of each message. Once it is stopped
 *  nothing is delivered any more, also not what waits; what waits when the observable dies is still delivered, and
 *  until then the id is living and can be stopped. Everything else as swo_observe(). Any thread.
 *  @param executor  copied.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT or SWO_NO_MEMORY, and the context has been destroyed. */
SWO_API swo_status swo_observe_on(swo_observable *SWO_NULLABLE observable, swo_observer *SWO_NULLABLE observer,
                                  const swo_executor *SWO_NULLABLE executor, swo_handler SWO_NULLABLE handler,
                                  void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                                  swo_observation *SWO_NULLABLE out);

/** An executor with a file descriptor, for programs with an event loop: any thread sends, the descriptor becomes
 *  readable, and the loop's thread drains. Counted like observables. */
typedef struct swo_queue swo_queue;

/** Policies of a full queue: let the sender wait until there is room (a thread that is draining the queue does not
 *  wait, but exceeds the bound); give up the oldest job; refuse the new one. */
#define SWO_QUEUE_BLOCK 0
#define SWO_QUEUE_DROP_OLDEST 1
#define SWO_QUEUE_REFUSE 2

/** Makes a queue. The caller owns the result. Any thread.
 *  @param bound   how many jobs may wait; 0: any number. Of the memory that bursts have taken, up to 3 MB are kept a
 *                 while for the next ones.
 *  @param policy  SWO_QUEUE_...
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: a bound beyond PTRDIFF_MAX), SWO_NO_MEMORY, or SWO_NO_RESOURCES if no
 *          descriptor is available. */
SWO_API swo_status swo_queue_new(size_t bound, int32_t policy, swo_queue *SWO_NULLABLE *SWO_NULLABLE out);

/** Adds an owner. Returns its argument; NULL for NULL. Any thread. */
SWO_API swo_queue *SWO_NULLABLE swo_queue_retain(swo_queue *SWO_NULLABLE queue);

/** Ends one ownership; with the last one what waits is dropped, and what still comes for the queue is refused. The
 *  descriptor is closed then, or when the last observation that uses it has ended. It takes time for each job that is
 *  dropped. NULL is ignored. Any thread. */
SWO_API void swo_queue_release(swo_queue *SWO_NULLABLE queue);

/** A descriptor that is readable while jobs wait, to be watched for reading, not to be read. It belongs to the queue.
 *  -1 for NULL. Any thread. */
SWO_API int swo_queue_fd(swo_queue *SWO_NULLABLE queue);

/** The executor that puts jobs into the queue. Any thread.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_queue_executor(swo_queue *SWO_NULLABLE queue, swo_executor *SWO_NULLABLE out);

/** Begins an observation whose handler is called by what drains the queue: swo_observe_on() with the queue's executor.
 *  Any thread.
 *  @return as swo_observe_on(). */
static inline swo_status swo_observe_on_queue(swo_observable *SWO_NULLABLE observable,
                                              swo_observer *SWO_NULLABLE observer, swo_queue *SWO_NULLABLE queue,
                                              swo_handler SWO_NULLABLE handler, void *SWO_NULLABLE context,
                                              swo_destroy SWO_NULLABLE destroy, swo_observation *SWO_NULLABLE out) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    (void)swo_queue_executor(queue, &executor); /* without a queue it has no function, and is refused */
    return swo_observe_on(observable, observer, &executor, handler, context, destroy, out);
}

/** Runs jobs that wait, in their order. It takes time for each job that it runs. Any thread, several may drain at once.
 *  @param most  how many to run at most; 0: as many as wait when it begins, so that a loop gets on with other things;
 *               SIZE_MAX: all, those that come meanwhile included.
 *  @param out   how many have run; may be NULL.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_queue_drain(swo_queue *SWO_NULLABLE queue, size_t most, size_t *SWO_NULLABLE out);

/** Confines an observable to the thread that calls this, such as that of a loop: only there it sends. So the handlers
 *  that observe it directly are called on that thread alone, and need no lock. Elsewhere these calls return
 *  SWO_WRONG_THREAD, and nothing has happened: swo_send(), swo_send_later(), swo_send_latest(), swo_variable_set(),
 *  swo_variable_update(), the beginning and the end of a batch, and swo_observe_with() with a replay. Everything else
 *  is for any thread as before.
 *
 *  With an executor, swo_send(), swo_send_later(), swo_send_latest() and swo_variable_set() hand their message over
 *  instead, copied, and return SWO_OK; a job of the executor sends it or sets the variable. Each sender's messages keep
 *  their order if the executor keeps that of its jobs, as a queue does:
 *
 *      swo_executor loop;
 *      if (swo_queue_executor(queue, &loop) != SWO_OK) abort();         // this thread drains the queue
 *      if (swo_observable_confine(messages, &loop) != SWO_OK) abort();
 *
 *  Whether the observable is blocked is decided by the call: what is sent while it is blocked is dropped, what was sent
 *  before arrives. All else is decided by the job: which value a variable changes from, which batch that belongs to,
 *  and what the latest message is.
 *
 *  In a transaction a variable that is confined to another thread cannot be set: that returns SWO_WRONG_THREAD, because
 *  it would change in a turn of its own. Nor is a job that sets one a part of the transaction in which it is run.
 *
 *  If the executor refuses, the call returns SWO_REFUSED, and nothing has happened. A message whose job is dropped, or
 *  run on another thread than this one, is lost, and counted by swo_observable_refused(). Until its job has ended, a
 *  message keeps the observable alive.
 *
 *  What waits in line for the next send (swo_send_later(), swo_observable_interrupt()) is delivered by this thread
 *  alone, too. If another thread releases the observable for the last time, a job of the executor delivers it and ends
 *  the observations; without an executor, or where that refuses or drops the job, what waits is lost.
 *
 *  It stays confined as long as it lives: once this thread has ended, every thread is another one. Call this before
 *  other threads send: what they are sending meanwhile may be delivered as ever.
 *  @param executor  copied, and retained until the observable dies. NULL: nothing is handed over.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: it is confined already, or the executor has no function or too small a
 *          size), SWO_WRONG_KIND if this is a transform, which sends where its source does, or a variable that defers
 *          its assignments; SWO_NO_MEMORY. */
SWO_API swo_status swo_observable_confine(swo_observable *SWO_NULLABLE observable,
                                          const swo_executor *SWO_NULLABLE executor);

/* ------------------------------------------------------------- transforms */

/** Makes a message from a message, which is borrowed. `*out` starts as null; what it points at must stay valid until
 *  the mapper is called again or destroyed (pointing into `message` is fine). Calls never overlap, except for those
 *  that fetch a latest message (see "buffers").
 *  @return SWO_OK to pass `*out` on; anything else passes nothing on, and the send returns SWO_CALLBACK_FAILED. */
typedef swo_status (*swo_mapper)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL message,
                                 swo_value *SWO_NONNULL out);

/** Whether a message is to be passed on. Calls never overlap. */
typedef bool (*swo_predicate)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL message);

/** Makes an observable that sends what `mapper` makes of each message of `source`, by the same author. It keeps
 *  `source` alive; the caller owns the result. Any thread.
 *
 *      source   1  2  3
 *      n * 10  10 20 30
 *
 *  @return SWO_OK; SWO_INVALID_ARGUMENT or SWO_NO_MEMORY, and the context has been destroyed. */
SWO_API swo_status swo_map(swo_observable *SWO_NULLABLE source, swo_mapper SWO_NULLABLE mapper,
                           void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                           swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source` that `predicate` accepts. Lifetime, threads and errors
 *  as swo_map().
 *
 *      source  1 2 3 4
 *      even      2   4
 */
SWO_API swo_status swo_filter(swo_observable *SWO_NULLABLE source, swo_predicate SWO_NULLABLE predicate,
                              void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                              swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on only the new value of each update of `source`; messages that are no updates pass
 *  unchanged. Lifetime, threads and errors as swo_map().
 *
 *      source  (0, 1) (1, 5)
 *      new         1      5
 */
SWO_API swo_status swo_new_values(swo_observable *SWO_NULLABLE source, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source` that are not null. Lifetime, threads and errors of this
 *  and of what follows: as swo_map(), and what is named in addition.
 *
 *      source  1 null 3
 *      unwrap  1      3
 */
SWO_API swo_status swo_unwrap(swo_observable *SWO_NULLABLE source, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source`, and a stand-in for each that is null.
 *
 *      source        1 null 3
 *      unwrap or 0   1  0   3
 *
 *  @param stand_in  copied; no update.
 *  @return also what swo_value_check() says of it, SWO_WRONG_KIND or SWO_NO_MEMORY. */
SWO_API swo_status swo_unwrap_or(swo_observable *SWO_NULLABLE source, const swo_value *SWO_NULLABLE stand_in,
                                 swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends null whenever `source` sends one particular message (swo_value_equal()): nothing but
 *  the fact.
 *
 *      source      a  b  a  c
 *      select a  null  null
 *
 *  @param selected  copied; no update.
 *  @return also what swo_value_check() says of it, SWO_WRONG_KIND or SWO_NO_MEMORY. */
SWO_API swo_status swo_select(swo_observable *SWO_NULLABLE source, const swo_value *SWO_NULLABLE selected,
                              swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on what was sent by one author.
 *
 *      source, by   1 me   2 you   3 me
 *      from you            2 you
 *
 *  @param author  only compared, never followed. NULL: `source` itself, as in swo_send(). */
SWO_API swo_status swo_from(swo_observable *SWO_NULLABLE source, const void *SWO_NULLABLE author,
                            swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on what was sent by any author but one; see swo_from(). */
SWO_API swo_status swo_not_from(swo_observable *SWO_NULLABLE source, const void *SWO_NULLABLE author,
                                swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends each message of `source` together with the one before it, as an update. A message
 *  that is an update counts as its new value. A copy of the latest message is kept.
 *
 *      source             1         2       3
 *      with previous  (null, 1)  (1, 2)  (2, 3)
 */
SWO_API swo_status swo_with_previous(swo_observable *SWO_NULLABLE source,
                                     swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the first messages of `source` and no others.
 *
 *      source  1 2 3 4
 *      take 2  1 2
 */
SWO_API swo_status swo_take(swo_observable *SWO_NULLABLE source, size_t count,
                            swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that leaves out the first messages of `source`.
 *
 *      source  1 2 3 4
 *      skip 2      3 4
 */
SWO_API swo_status swo_skip(swo_observable *SWO_NULLABLE source, size_t count,
                            swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on each message of `source` that does not equal the one before it
 *  (swo_value_equal()). A copy of the latest message is kept.
 *
 *      source        1 1 2 2 1
 *      skip repeats  1   2   1
 */
SWO_API swo_status swo_skip_repeats(swo_observable *SWO_NULLABLE source,
                                    swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on each message of `source` that equals none before it (swo_value_equal()). It keeps
 *  a copy of each that it passes on, without a bound, and compares every message with all of them.
 *
 *      source         1 2 1 3 2
 *      unique values  1 2   3
 */
SWO_API swo_status swo_unique_values(swo_observable *SWO_NULLABLE source,
                                     swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends the messages of several, as they come in. It keeps them all alive, and takes time for
 *  each of them.
 *
 *      first   1   2
 *      second    5
 *      merge   1 5 2
 *
 *  @param sources  `count` observables, borrowed for the length of the call; one that occurs twice sends twice.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: there are none, or one of them is NULL) or SWO_NO_MEMORY. */
SWO_API swo_status swo_merge(swo_observable *SWO_NULLABLE const *SWO_NULLABLE sources, size_t count,
                             swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source` without keeping it alive: when the source dies, it falls
 *  silent. A graph that begins with it shows it without its source. */
SWO_API swo_status swo_weak(swo_observable *SWO_NULLABLE source, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes a transform take in the messages of another source from now on.
 *
 *      first      1 2 3
 *      second     7 8 9
 *      transform  1 8 9       set to `second` after the first message
 *
 *  Its observations go on, and it remembers what it remembered. What the old source has sent still arrives, before what
 *  the new one sends; of that nothing is lost, and nothing comes twice where the old one is set again. The change
 *  itself sends nothing. The transform keeps the new source alive as it kept the old one (see swo_weak()), which it
 *  releases. A transform that is buffered because its source is follows the new one; swo_from() and swo_not_from() keep
 *  the author that they were made with. No thread waits for another. What is set many times to the same sources while
 *  these deliver takes time for each time before. Any thread, also inside handlers and callbacks of the transform.
 *  @param transform  made by any function of this section but swo_merge(), or by swo_cache() or swo_replay().
 *  @param source     NULL: none, until another one is set.
 *  @return SWO_OK, also if this is its source already; SWO_INVALID_ARGUMENT, also if the source is the transform itself
 *          or gets messages from it; SWO_WRONG_KIND if this is no transform, or one of several sources. */
SWO_API swo_status swo_transform_set_source(swo_observable *SWO_NULLABLE transform,
                                            swo_observable *SWO_NULLABLE source);

/* ---------------------------------------------------------------- buffers */

/* An observable is *buffered* if it can say at any time what its latest message is: a variable (an update from its
 * present value to that value), a cache, and what swo_map(), swo_new_values() and swo_unwrap_or() make of what is
 * buffered. A mapper is called also for this, on the thread that asks: such a call can overlap with others. */

/** Copies the latest message of a buffered observable into `out`; end it with swo_value_clear(). It takes time for each
 *  transform that the message passes. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND if it is not buffered, SWO_CALLBACK_FAILED if a mapper failed,
 *          SWO_NO_MEMORY. */
SWO_API swo_status swo_latest(swo_observable *SWO_NULLABLE observable, swo_value *SWO_NULLABLE out);

/** Sends the latest message of a buffered observable to all that observe. That of a variable has its place among the
 *  updates, whatever threads set: it begins where the one before it ended. In a transaction it is the one that is there
 *  outside. It takes time as swo_latest() and swo_send() do. Any thread.
 *  @param author  as for swo_send().
 *  @return as swo_latest(), and as swo_send(). */
SWO_API swo_status swo_send_latest(swo_observable *SWO_NULLABLE observable, const void *SWO_NULLABLE author);

/** Makes an observable that passes on the messages of `source` and keeps a copy of the latest one: a buffered
 *  observable of any observable. What is sent straight to it is its latest message, too. Lifetime and threads as
 *  swo_map().
 *  @param initial  the latest message until there is one, copied. NULL: the null value.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, what swo_value_check() says of `initial`, SWO_NO_MEMORY. */
SWO_API swo_status swo_cache(swo_observable *SWO_NULLABLE source, const swo_value *SWO_NULLABLE initial,
                             swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source` and keeps copies of the last ones, with their authors,
 *  for those that begin to observe it with a replay (swo_observe_with()). It is not buffered. Lifetime and threads as
 *  swo_map().
 *
 *      source                  1 2         3
 *      begun late, replay 2        1 2     3
 *
 *  @param count  how many messages it remembers of those sent since it was made; SIZE_MAX: all, without a bound.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT or SWO_NO_MEMORY. */
SWO_API swo_status swo_replay(swo_observable *SWO_NULLABLE source, size_t count,
                              swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Receives the messages of several observables, in the order in which these were given. The messages are borrowed
 *  until the handler returns: swo_value_copy() keeps one.
 *  @param author  of the message that came in. */
typedef void (*swo_combined_handler)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL messages, size_t count,
                                     const void *SWO_NULLABLE author);

/** Reports that a combined handler has failed, while it is being called: the send that delivers to it returns
 *  SWO_CALLBACK_FAILED. See swo_observable_fail().
 *  @param messages  what the handler was given. */
static inline void swo_combined_fail(const swo_value *SWO_NONNULL messages) {
    swo_value *own;
    memcpy(&own, &messages, sizeof own); /* they are the library's, which lets them be written to */
    own->owned = -1;
}

/** Begins an observation of several buffered observables: when one of them sends, the latest messages of the others are
 *  fetched, at the moment when the handler is about to be called. The handler is called for one message at a time, in
 *  the order in which they come in.
 *
 *      a      (0, 1)                 (1, 2)
 *      b                 (7, 8)
 *      both   (0,1)(7,7) (1,1)(7,8)  (1,2)(8,8)
 *
 *  It keeps none of them alive, and ends when the first of them dies. To an observer it counts as an observation of
 *  each; stopping those of one observable ends it. To begin takes time for each of them and for each transform that its
 *  latest message passes; so does each message. Everything else as swo_observe(). Any thread.
 *  @param observables  `count` observables, borrowed for the length of the call.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT (also: there are none, or one of them is NULL), SWO_WRONG_KIND if one is not
 *          buffered, or SWO_NO_MEMORY, and the context has been destroyed. If a latest message cannot be fetched, the
 *  handler is not called, and the send returns SWO_CALLBACK_FAILED. */
SWO_API swo_status swo_observe_combined(swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                                        swo_observer *SWO_NULLABLE observer, swo_combined_handler SWO_NULLABLE handler,
                                        void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                                        swo_observation *SWO_NULLABLE out);

/* ------------------------------------------------------------ combination */

/* What other libraries have names for, and here is made of others:
 *
 *  - startWith: swo_cache() with the first message, observed with a replay.
 *  - pairwise: swo_skip() one of swo_with_previous().
 *  - first(where:): swo_take() one of swo_filter(), or an observation with `once`.
 *  - share: every transform is one, however many observe it. */

/** Makes an observable that sends a list whenever one of several observables sends: the latest message of each, in the
 *  order in which they were given, by the author of the one that came in. The latest messages of those that are
 *  buffered are fetched at that moment; of the others it remembers the last one, and sends nothing until each has sent.
 *
 *      a      1     2
 *      b         5     6
 *      both      1  2  2
 *                5  5  6
 *
 *  It is buffered: a replay begins with the present messages, if there is one of each; swo_latest() returns
 *  SWO_NOT_FOUND where there is not. Where a latest message cannot be fetched, because a function fails, nothing is
 *  sent, and the send returns SWO_CALLBACK_FAILED. Of variables swo_new_values() makes values. It keeps its sources
 *  alive, and takes time for each of them, as each message does. Lifetime, threads and errors of this section: as
 *  swo_map(), and what is named in addition.
 *  @param observables  `count` observables, borrowed for the length of the call.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: there are none, or one of them is NULL), SWO_NO_MEMORY. */
SWO_API swo_status swo_combine(swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                               swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends the first messages of several observables as one list, then the second ones, and so
 *  on, each by the author of the one that came last. What has no partners yet it keeps, without a bound.
 *
 *      a      1 2     3
 *      b          5      6
 *      zip        1      2
 *                 5      6
 *
 *  @param observables  as for swo_combine().
 *  @return as swo_combine(). */
SWO_API swo_status swo_zip(swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                           swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends a list for each message of `source`: the message, and the latest messages of others,
 *  as swo_combine() knows them. What they send is not passed on; what `source` sends before each of them has sent is
 *  lost.
 *
 *      source   1     2     3
 *      other       5     6
 *      sent           2     3
 *                     5     6
 *
 *  @param observables  the others, as for swo_combine().
 *  @return as swo_combine(). */
SWO_API swo_status swo_with_latest_from(swo_observable *SWO_NULLABLE source,
                                        swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                                        swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the latest message of `source` whenever `sampler` sends, unless it has passed
 *  that on already; by the author of the message.
 *
 *      source   1 2       3
 *      sampler      x  x     x
 *      sent         2        3
 *
 *  @return as swo_combine(). */
SWO_API swo_status swo_sample(swo_observable *SWO_NULLABLE source, swo_observable *SWO_NULLABLE sampler,
                              swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes a value from the value before and a message, which are borrowed. `*out` starts as null; what it points at must
 *  stay valid until the function returns to the library and is called again, or is destroyed. Calls never overlap.
 *  @return SWO_OK; anything else passes nothing on, the value stays, and the send returns SWO_CALLBACK_FAILED. */
typedef swo_status (*swo_accumulator)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL value,
                                      const swo_value *SWO_NONNULL message, swo_value *SWO_NONNULL out);

/** Makes an observable that sends what all messages of `source` until then add up to.
 *
 *      source      1 2 3
 *      sum from 0  1 3 6
 *
 *  @param initial      the value before the first message, copied; no update. NULL: the null value.
 *  @param accumulator  what it makes is no update.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, what swo_value_check() says of `initial`, SWO_WRONG_KIND or SWO_NO_MEMORY; and
 *          the context has been destroyed unless it is SWO_OK. */
SWO_API swo_status swo_scan(swo_observable *SWO_NULLABLE source, const swo_value *SWO_NULLABLE initial,
                            swo_accumulator SWO_NULLABLE accumulator, void *SWO_NULLABLE context,
                            swo_destroy SWO_NULLABLE destroy, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Chooses an observable for a message, which is borrowed. `*out` starts as NULL, which stands for none; the library
 *  takes over an ownership of what is put there. Calls never overlap.
 *  @return SWO_OK; anything else changes nothing, and the send returns SWO_CALLBACK_FAILED. So it does where what was
 *          chosen comes from the transform that is to pass it on. */
typedef swo_status (*swo_chooser)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL message,
                                  swo_observable *SWO_NULLABLE *SWO_NONNULL out);

/** Makes an observable that passes on what the observable sends that was chosen for the latest message of `source`. It
 *  lets go of the one before, as swo_transform_set_source() does, and keeps the one that was chosen alive.
 *
 *      source      a       b
 *      of a          1 2     3
 *      of b        7         8
 *      sent          1 2     8
 *
 *  @param chooser  called once for each message, on the thread that delivers it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT or SWO_NO_MEMORY, and the context has been destroyed unless it is SWO_OK. */
SWO_API swo_status swo_switch_to_latest(swo_observable *SWO_NULLABLE source, swo_chooser SWO_NULLABLE chooser,
                                        void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                                        swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on what those observables send that were chosen for the latest `most` messages of
 *  `source`. One that was chosen for several of these is passed on once. Where none was chosen, one less is.
 *
 *      source            a      b        c
 *      of a                1 2      3       4
 *      of b              7        8         9
 *      sent, of two        1 2    8 3       9
 *
 *  @param most     how many; 1 is what swo_switch_to_latest() does. Each message takes time for each of them.
 *  @param chooser  called once for each message, on the thread that delivers it.
 *  @return as swo_switch_to_latest(); SWO_INVALID_ARGUMENT also for none, or more than SIZE_MAX / 2. */
SWO_API swo_status swo_flat_map(swo_observable *SWO_NULLABLE source, size_t most, swo_chooser SWO_NULLABLE chooser,
                                void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                                swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/* ------------------------------------------------------------------- time */

/* What waits for time waits on a *clock*: that of a queue, so that the loop that watches its descriptor wakes up; that
 * of a loop of your own; or one that a test turns by hand, with which nothing depends on how busy the machine is:
 *
 *      swo_clock *clock = swo_clock_new();
 *      if (swo_debounce(keys, SWO_MILLISECONDS(300), clock, &settled) != SWO_OK) abort();
 *      ...
 *      swo_clock_advance(clock, SWO_MILLISECONDS(300));      // what is due by then is sent, here and now
 *
 *  - Times are int64_t nanoseconds, of a clock that only goes on: a suspended machine, or a date that is set back,
 *    delivers nothing twice and nothing early. An interval that is not positive, or is INT64_MAX, is refused when the
 *    observable is made.
 *  - What is due at the same time comes in the order in which it began to wait.
 *  - Nothing waits for an observable that nothing observes, and what waits there ends with its last observation: what
 *    comes while it is not observed is lost. A clock on which nothing waits wakes nothing. Each observable waits at
 * most once at a time, however many messages come; where these put it off, the clock wakes once an interval.
 *  - What waited is sent by the thread that runs the clock: the one that drains the queue, or advances it. One thread
 * at a time does; another one leaves it to that. What passes at once is sent by the sender. The order stays.
 *  - Where NULL is given, it is the clock that the program has named with swo_clock_set_default().
 *  - A clock is kept by what waits on it. When the queue or the loop that it belongs to is gone, what waits is dropped,
 *    and a send that would have to wait returns SWO_CALLBACK_FAILED.
 *  - Forks. A child has a copy of what waits: on a clock that is turned by hand, for the child to turn. The clock of a
 *    queue remains the parent's, as the queue does: in the child it wakes nothing. */

/** Intervals in nanoseconds. */
#define SWO_MILLISECONDS(count) (SWO_CAST(int64_t, count) * 1000000)
#define SWO_SECONDS(count) (SWO_CAST(int64_t, count) * 1000000000)

/** Says what time it is, and what waits for which. Counted like observables. */
typedef struct swo_clock swo_clock;

/** Makes a clock that is turned by hand, for tests. It stands at 0. The caller owns the result. Any thread. */
SWO_API SWO_NODISCARD swo_clock *SWO_NONNULL swo_clock_new(void);

/** Adds an owner. Returns its argument; NULL for NULL. Any thread. */
SWO_API swo_clock *SWO_NULLABLE swo_clock_retain(swo_clock *SWO_NULLABLE clock);

/** Ends one ownership; the clock lasts as long as something uses it. NULL is ignored. Any thread. */
SWO_API void swo_clock_release(swo_clock *SWO_NULLABLE clock);

/** Names the clock that serves wherever an observable is made with none: that of the program's main loop, or, in a
 *  test, one that is turned by hand. The library itself starts no thread, so until then there is none. An
 *  observable that was made before goes on with its own clock. For programs; a library takes a clock from its caller.
 *  Any thread.
 *  @param clock  kept until another one is named; NULL: none. */
SWO_API void swo_clock_set_default(swo_clock *SWO_NULLABLE clock);

/** The present time; 0 for NULL. While what is due is sent, a clock that is turned by hand shows when it was due. Any
 *  thread. */
SWO_API int64_t swo_clock_now(swo_clock *SWO_NULLABLE clock);

/** How many observables wait on a clock; 0 for NULL. Any thread. */
SWO_API size_t swo_clock_waiting(swo_clock *SWO_NULLABLE clock);

/** Turns a clock on, and sends what is due by then, each at its time. It takes time for each, and as swo_send() does.
 *  From inside a handler that this calls, or while another thread turns it, it says how much further it is to be
 *  turned, and returns. Any thread.
 *  @param interval  0: only what is due now is sent.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: the interval is negative), SWO_WRONG_KIND if the clock is not turned by
 *          hand, or SWO_CALLBACK_FAILED: it was turned, and a handler or a transform has reported that it failed. */
SWO_API swo_status swo_clock_advance(swo_clock *SWO_NULLABLE clock, int64_t interval);

/** The clock of a queue: the descriptor becomes readable when something is due, too, and swo_queue_drain() sends that,
 *  before it runs jobs, and counts each. The caller owns the result. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_NO_MEMORY, or SWO_NO_RESOURCES if no descriptor is available. */
SWO_API swo_status swo_queue_clock(swo_queue *SWO_NULLABLE queue, swo_clock *SWO_NULLABLE *SWO_NULLABLE out);

/** The timer of a loop, for a clock that waits with it. Begin with SWO_TIMER_INIT. */
typedef struct swo_timer {
    size_t size; /**< sizeof(swo_timer); later versions append fields */
    /** The present time in nanoseconds, which never goes back. NULL: the monotonic clock of the system. Any thread may
     *  call it. */
    int64_t (*SWO_NULLABLE now)(void *SWO_NULLABLE context);
    /** Has the loop call swo_clock_run() once, at a time or soon after it, instead of the time that was asked for
     *  before; INT64_MAX: not at all. Called on any thread, by one at a time, without a lock. */
    void (*SWO_NULLABLE wake_at)(void *SWO_NULLABLE context, int64_t time);
} swo_timer;

#define SWO_TIMER_INIT                                                                                                 \
    { sizeof(swo_timer), NULL, NULL }

/** Makes a clock that waits with the timer of a loop. The caller owns the result. Any thread.
 *  @param timer    copied.
 *  @param destroy  called when nothing uses the clock any more; or NULL.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: the size is too small, or `wake_at` is NULL) or SWO_NO_MEMORY, and the
 *          context has been destroyed unless it is SWO_OK. */
SWO_API swo_status swo_clock_with_timer(const swo_timer *SWO_NULLABLE timer, void *SWO_NULLABLE context,
                                        swo_destroy SWO_NULLABLE destroy, swo_clock *SWO_NULLABLE *SWO_NULLABLE out);

/** Sends what is due: what the timer of a loop calls. It takes time for each, and as swo_send() does. Any thread; while
 *  another one does, it leaves that to it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND if the clock was not made with a timer, or SWO_CALLBACK_FAILED:
 *          it was sent, and a handler or a transform has reported that it failed. */
SWO_API swo_status swo_clock_run(swo_clock *SWO_NULLABLE clock);

/** Says that the loop of a clock is gone: what waits is dropped, and nothing waits there any more. Any thread.
 *  @return SWO_OK or SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_clock_end(swo_clock *SWO_NULLABLE clock);

/** Makes an observable that passes on the latest message of `source` when none has come for a while. Lifetime of this
 *  and of what follows: as swo_map().
 *
 *      source            1 2 3 . . . 4 . . .
 *      debounced by 2            3       4
 *
 *  @param clock  on which it waits, and which it keeps; NULL: the program's default one.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: the interval is not positive, or INT64_MAX, or there is no clock) or
 *          SWO_NO_MEMORY. A send whose message could not be copied, or that finds the loop of the clock gone, returns
 *          SWO_CALLBACK_FAILED. */
SWO_API swo_status swo_debounce(swo_observable *SWO_NULLABLE source, int64_t interval, swo_clock *SWO_NULLABLE clock,
                                swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Which messages of an interval swo_throttle() passes on. */
#define SWO_THROTTLE_BOTH 0   /**< the first at once, and the latest at the end, which begins another interval */
#define SWO_THROTTLE_FIRST 1  /**< the first at once. Nothing waits for time */
#define SWO_THROTTLE_LATEST 2 /**< the latest at the end; the next message begins another interval */

/** Makes an observable that passes on few messages of `source` in so much time.
 *
 *      source       1 2 3 . . 4 . . . .
 *      both, 3      1     3     4
 *      first, 3     1         4
 *      latest, 3          3       4
 *
 *  @param which  SWO_THROTTLE_...
 *  @return as swo_debounce(); SWO_INVALID_ARGUMENT also for another number. */
SWO_API swo_status swo_throttle(swo_observable *SWO_NULLABLE source, int64_t interval, int32_t which,
                                swo_clock *SWO_NULLABLE clock, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on each message of `source` a while later, by the same author. It keeps a copy of
 *  each until then, without a bound.
 *
 *      source        1 2 . . 3
 *      delayed by 2      1 2     3
 *
 *  @return as swo_debounce(). */
SWO_API swo_status swo_delay(swo_observable *SWO_NULLABLE source, int64_t interval, swo_clock *SWO_NULLABLE clock,
                             swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source`, and sends another one when none has come for a while,
 *  since the last message or since it has been observed: once, until the next message. Its author is the observable.
 *
 *      source           1 . . . . . 2 3 . . . .
 *      timeout after 3  1     x     2 3     x
 *
 *  @param message  what it sends then, copied. NULL: the null value.
 *  @return as swo_debounce(), and what swo_value_check() says of `message`. */
SWO_API swo_status swo_timeout(swo_observable *SWO_NULLABLE source, int64_t interval,
                               const swo_value *SWO_NULLABLE message, swo_clock *SWO_NULLABLE clock,
                               swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that passes on the messages of `source` together, as lists: when there are so many, or when so
 *  much time has passed since the first of them; by the author of the last.
 *
 *      source              1 2 3 . 4 . . . .
 *      so many, 2            12      34
 *      in so much time, 3        123      4
 *
 *  @param count     0: any number.
 *  @param interval  0: any time; then no clock is needed, and messages also gather while it is not observed.
 *  @param clock     as for swo_debounce().
 *  @return as swo_debounce(), but for an interval of 0; SWO_INVALID_ARGUMENT also if both are 0. */
SWO_API swo_status swo_buffer(swo_observable *SWO_NULLABLE source, size_t count, int64_t interval,
                              swo_clock *SWO_NULLABLE clock, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Makes an observable that sends at regular intervals while it is observed: how many of them have passed since then,
 *  an int64. Where the clock runs late, several are sent as one, and the next comes in time.
 *
 *      time     0 . 2 . 4 . 6
 *      every 2      1   2   3
 *
 *  @return as swo_debounce(). */
SWO_API swo_status swo_ticks(int64_t interval, swo_clock *SWO_NULLABLE clock,
                             swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/* ---------------------------------------------------------------- options */

/** Functions of a language's runtime around calls and deliveries: see swiftobserver/runtime.h. */
typedef struct swo_hooks swo_hooks;

/** All that an observation can be told. Begin with SWO_OBSERVE_OPTIONS_INIT, which is what swo_observe() does. */
typedef struct swo_observe_options {
    size_t size;                               /**< sizeof(swo_observe_options); later versions append fields */
    swo_observer *SWO_NULLABLE observer;       /**< who keeps the observation, as for swo_observe() */
    const swo_executor *SWO_NULLABLE executor; /**< who calls the handler, as for swo_observe_on(); or NULL. Copied */
    const swo_hooks *SWO_NULLABLE hooks;       /**< what is done around each call, or NULL. Copied */
    /** How many of the last messages are received first, by this handler alone, in their order and before any later
     *  message; SIZE_MAX: all that are remembered. A buffered observable has one, one made by swo_replay() as many as
     *  it remembers. If nothing is being delivered, they have been received when the call returns, else after the
     *  message that is (an executor apart). Of a variable in a batch, it is the value of that moment. */
    size_t replay;
    bool once;             /**< the observation ends with its first message, a replayed one included */
    bool keeps_observable; /**< the observable lives as long as the observation does */
    /** The observation begins in a job of the executor, without which it is refused: there its replay is fetched, and
     *  what is done on demand begins. The handler does not receive messages that were sent before. The observation
     *  counts as living from this call on: if it is stopped before the job runs, it never begins, and if the executor
     *  drops the job, it ends. The job keeps the observable alive until it has run. */
    bool begins_on_executor;
    /** The name of the observation in graphs (see "introspection"): UTF-8, copied; or NULL. */
    const char *SWO_NULLABLE name;
} swo_observe_options;

#define SWO_OBSERVE_OPTIONS_INIT                                                                                       \
    { sizeof(swo_observe_options), NULL, NULL, NULL, 0, false, false, false, NULL }

/** Begins an observation with options. A replay takes time for each message. Everything else as swo_observe(). Any
 *  thread.
 *
 *  With `keeps_observable` transforms can be made for one observation only, and be released at once; they die with it:
 *
 *      swo_observable *values, *even;
 *      if (swo_new_values(variable, &values) != SWO_OK) abort();
 *      if (swo_filter(values, is_even, NULL, NULL, &even) != SWO_OK) abort();
 *      swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
 *      options.keeps_observable = true;
 *      if (swo_observe_with(even, &options, print, NULL, NULL, &printing) != SWO_OK) abort();
 *      swo_observable_release(even);
 *      swo_observable_release(values);
 *
 *  Transforms keep their sources alive, so the variable lives as long, too, unless the chain begins with swo_weak().
 *  @param options  borrowed for the length of the call. NULL: those of SWO_OBSERVE_OPTIONS_INIT.
 *  @param out      written before the replay is received.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT (also: a struct's size is too small, the executor has no function, or the name
 *          is no UTF-8), SWO_WRONG_KIND if there can be no replay, SWO_WRONG_THREAD if there is to be one of what is
 *          confined to another thread, SWO_NO_MEMORY, or SWO_REFUSED if the executor refuses the job in which the
 *          observation begins, and the context has been destroyed. If that job is run elsewhere, such an observation
 *  ends in it. */
SWO_API swo_status swo_observe_with(swo_observable *SWO_NULLABLE observable,
                                    const swo_observe_options *SWO_NULLABLE options, swo_handler SWO_NULLABLE handler,
                                    void *SWO_NULLABLE context, swo_destroy SWO_NULLABLE destroy,
                                    swo_observation *SWO_NULLABLE out);

/* --------------------------------------------------------------- bindings */

/** All that a binding can be told. Begin with SWO_BIND_OPTIONS_INIT. */
typedef struct swo_bind_options {
    size_t size;                         /**< sizeof(swo_bind_options); later versions append fields */
    swo_observer *SWO_NULLABLE observer; /**< who keeps the binding, as for swo_observe() */
    bool both;                           /**< the source follows the target, too */
} swo_bind_options;

#define SWO_BIND_OPTIONS_INIT                                                                                          \
    { sizeof(swo_bind_options), NULL, false }

/** Lets a variable follow an observable: now, if that is buffered, and with each of its messages (the new value, where
 *  that is an update). With `both` each follows the other; the source has its way at first.
 *
 *      swo_bind_options options = SWO_BIND_OPTIONS_INIT;
 *      options.both = true;
 *      if (swo_bind(celsius, fahrenheit, to_fahrenheit, to_celsius, NULL, NULL, &options, &binding) != SWO_OK) abort();
 *
 *  Nothing that it sets comes back: its author is a pointer that names the binding and nothing else, and the library
 *  never follows it. In both directions it copies present values, one at a time; so whatever threads set meanwhile,
 *  both sides agree when all is quiet. To follow several, bind what combines them.
 *
 *  It is an observation for everything that takes one: it keeps neither side alive, and ends when it is stopped, or
 *  with the first that dies; to an observer it counts as an observation of each side. Once stopped, it
 *  sets nothing any more. Any thread.
 *  @param convert  makes a value for the target of one of the source. NULL: it is the same. Calls never overlap.
 *  @param back     makes a value for the source, with `both`; given with `convert` or not at all. NULL as above.
 *  @param context  of both functions.
 *  @param options  borrowed for the length of the call. NULL: those of SWO_BIND_OPTIONS_INIT.
 *  @param out      the id; NULL if the caller does not need it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: both sides are the same, `back` without `both`, or one function of two),
 *          SWO_WRONG_KIND if the target, or with `both` one of them, is no variable that can be set; SWO_NO_MEMORY,
 *          SWO_CALLBACK_FAILED if the first value could not be set; and the context has been destroyed. Later, the send
 *          whose value could not be set returns SWO_CALLBACK_FAILED: where a function fails, makes no value, or the
 *  side is confined to another thread. */
SWO_API swo_status swo_bind(swo_observable *SWO_NULLABLE source, swo_observable *SWO_NULLABLE target,
                            swo_mapper SWO_NULLABLE convert, swo_mapper SWO_NULLABLE back, void *SWO_NULLABLE context,
                            swo_destroy SWO_NULLABLE destroy, const swo_bind_options *SWO_NULLABLE options,
                            swo_observation *SWO_NULLABLE out);

/* ------------------------------------------------------ derived variables */

/* A *derived variable* has the value of a function. What the function reads while it runs (swo_variable_get(),
 * swo_latest() of what is buffered) is what it depends on until it runs again.
 *
 *      static swo_status multiply(void *context, swo_value *out) {
 *          swo_value width, height;
 *          if (swo_variable_get(rectangle.width, &width) != SWO_OK) return SWO_CALLBACK_FAILED;
 *          if (swo_variable_get(rectangle.height, &height) != SWO_OK) return SWO_CALLBACK_FAILED;
 *          *out = swo_double(width.as.float64 * height.as.float64);
 *          return SWO_OK;
 *      }
 *
 *      swo_observable *area;
 *      if (swo_derived_new(multiply, NULL, NULL, &area) != SWO_OK) abort();
 *
 *  - Consistent. A function sees its sources as of one moment, from its first read to its last, whatever other threads
 * set meanwhile. A read returns the function's value of one moment between the call and its return.
 *  - Once. After a set, or a transaction, what is observed is computed at most once, and sends at most one update,
 * before the outermost set or commit returns, or by the thread that is handling changes already. If the value is equal
 * to the one before (swo_value_equal(), and two doubles that are no number are equal), it sends nothing, and nothing
 * that reads it is computed.
 *  - Lazy. What is not observed, directly or through others, is computed when it is read, and not again until something
 * that it depends on has changed. It depends on variables, and on what is mapped from them. What swo_cache() and the
 * like remember of messages is none: a function that reads it does not run again for that.
 *  - The function runs without a lock, on the thread that reads or on the one that sets. Two threads may run it at
 * once, and it may run again although nothing has changed. It changes nothing: swo_variable_set() and
 * swo_transaction_begin() return SWO_COMPUTING there, and do nothing. */

/** Makes the value of a derived variable, or what an effect, a snapshot or swo_untracked() does. `*out` starts as null.
 *  A value that swo_value_copy() or swo_variable_get() has made is taken over; anything else is copied when the
 *  function has returned, so what it points at has to outlast the call, and calls of the same function on other threads
 *  must not overwrite it.
 *  @return SWO_OK; anything else is the failure, which is the value until a source changes. Then `*out` may say more
 *  about it (swo_derived_failure()). A function that fails because a read has failed leaves it as it is. */
typedef swo_status (*swo_deriving)(void *SWO_NULLABLE context, swo_value *SWO_NONNULL out);

/** Makes a derived variable: an observable that has the value of a function, and sends an update when that changes. It
 *  is a variable for everything that takes one, except that it cannot be set, batched or confined: that returns
 *  SWO_WRONG_KIND. It keeps what it depends on alive; nothing that it depends on keeps it. The function first runs when
 *  the value is needed. The caller owns the result. Any thread. To begin and to end to observe it, and to release it,
 *  takes time for each variable that it alone keeps observed.
 *
 *  swo_variable_get() returns SWO_CALLBACK_FAILED where the function has failed, and SWO_CYCLE where it needs its own
 *  value; a set whose turn it fails in, while it is observed, returns SWO_CALLBACK_FAILED. The update after a failure
 *  begins with the last value.
 *  @param destroy  called once, when the last run on any thread has returned.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT or SWO_NO_MEMORY, and the context has been destroyed. */
SWO_API swo_status swo_derived_new(swo_deriving SWO_NULLABLE function, void *SWO_NULLABLE context,
                                   swo_destroy SWO_NULLABLE destroy, swo_observable *SWO_NULLABLE *SWO_NULLABLE out);

/** Copies what a derived variable's function has said about its failure into `out`; end it with swo_value_clear().
 *  Where it needs its own value, that is a text of the names of the variables on the way (swo_observable_set_name()):
 *  "a -> b -> a". It reads the variable, as swo_variable_get() does. Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_WRONG_KIND if this is no derived variable, SWO_NOT_FOUND if it has a
 *  value, SWO_NO_MEMORY. */
SWO_API swo_status swo_derived_failure(swo_observable *SWO_NULLABLE derived, swo_value *SWO_NULLABLE out);

/** A function that is called once, with a context. Its caller returns what it returns. */
typedef swo_status (*swo_procedure)(void *SWO_NULLABLE context);

/** Calls a function whose reads are not noted: what is being computed does not depend on them. They are of the same
 *  moment as the others. So it is with what handlers read that a function calls, by a send or a replay. Any thread;
 *  outside of functions it only calls.
 *  @return what the function returns; SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_untracked(swo_procedure SWO_NULLABLE function, void *SWO_NULLABLE context);

/** Calls a function that reads any number of variables at one moment, derived ones included. It makes no other thread
 *  wait. While it runs, what it may still read is kept: one old value of a variable at most, and what is released
 *  meanwhile. Any thread; inside of a function or another snapshot it is the moment of that.
 *  @return what the function returns; SWO_INVALID_ARGUMENT. */
SWO_API swo_status swo_snapshot(swo_procedure SWO_NULLABLE function, void *SWO_NULLABLE context);

/** Begins a transaction on the calling thread: what that sets until it commits is one turn. It reads what it has set
 *  itself, in derived variables, too; every other thread sees all of it or nothing: in reads, in functions, in
 *  snapshots, in updates. Each variable sends at most one update, from the value before to the value after, when all
 *  values are in place, in the order in which the variables were first set.
 *
 *      for (swo_status status = SWO_CONFLICT; status == SWO_CONFLICT;) {
 *          if (swo_transaction_begin() != SWO_OK) abort();
 *          move(from, to, amount);
 *          status = swo_transaction_commit();
 *      }
 *
 *  A transaction inside another joins it. It belongs to its thread, whose end aborts it. Nothing is locked while it is
 *  open. Any thread.
 *  @return SWO_OK, or SWO_COMPUTING in a function of a derived variable. */
SWO_API swo_status swo_transaction_begin(void);

/** Ends a transaction. If it joins another one, that goes on; else all that was set changes now. It takes time as the
 *  sets do.
 *  @return as swo_send(); SWO_CONFLICT if another thread has changed what was read in it: nothing has happened, and the
 *  program begins again; of the threads that conflict one at least has committed. SWO_NOT_FOUND if none is open on this
 *  thread: also where it was begun on another one. SWO_COMPUTING in a function of a derived variable. */
SWO_API swo_status swo_transaction_commit(void);

/** Ends a transaction as if nothing had happened. If it joins another one, only what was set in it is taken back. It
 *  takes time for each set.
 *  @return SWO_OK; SWO_NOT_FOUND if none is open on this thread; SWO_COMPUTING in a function of a derived variable. */
SWO_API swo_status swo_transaction_abort(void);

/** How many transactions are open on the calling thread, those that have joined included. Any thread. */
SWO_API size_t swo_transaction_depth(void);

/* ---------------------------------------------------------------- effects */

/** All that an effect can be told. Begin with SWO_EFFECT_OPTIONS_INIT. */
typedef struct swo_effect_options {
    size_t size;                               /**< sizeof(swo_effect_options); later versions append fields */
    swo_observer *SWO_NULLABLE observer;       /**< who keeps the effect, as for swo_observe() */
    const swo_executor *SWO_NULLABLE executor; /**< who runs the function, as for swo_observe_on(); or NULL. Copied */
    /** Called with the context before each further run, and when the effect has ended, after a run that has not failed.
     *  What it reads the effect does not depend on. Or NULL. */
    void (*SWO_NULLABLE clean_up)(void *SWO_NULLABLE context);
    const char *SWO_NULLABLE name; /**< for people to read: UTF-8, copied; or NULL */
} swo_effect_options;

#define SWO_EFFECT_OPTIONS_INIT                                                                                        \
    { sizeof(swo_effect_options), NULL, NULL, NULL, NULL }

/** Begins an effect: runs a function now, and again after each turn in which something that it has read has changed, at
 *  most once a turn, after the updates of that turn. It is an observation for everything that takes one; it keeps what
 *  it depends on alive. What it reads is of one moment until it sets something itself, and then of the moment after
 *  that. What it sets is handled when it has returned. Effects of one turn run in the order in which they were begun.
 *
 *  A later run that fails is reported as a handler that fails: the set returns SWO_CALLBACK_FAILED, and the effect
 *  stays. So is an effect that causes itself a hundred times in a row; it rests until a change comes that is not its
 *  own. So does one whose run is lost, because it is blocked, its executor refuses, or the job is dropped. Any thread.
 *  @param options  borrowed for the length of the call. NULL: those of SWO_EFFECT_OPTIONS_INIT.
 *  @param out      the id; written before the first run. NULL if the caller does not need it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_NO_MEMORY, SWO_COMPUTING in a function of a derived variable, or what the
 *  first run returned, unless it ran on an executor: then there is no effect, and the context has been destroyed. */
SWO_API swo_status swo_effect(swo_procedure SWO_NULLABLE function, void *SWO_NULLABLE context,
                              swo_destroy SWO_NULLABLE destroy, const swo_effect_options *SWO_NULLABLE options,
                              swo_observation *SWO_NULLABLE out);

/* -------------------------------------------------------------- on demand */

/** Begins or ends what an observable does on demand. */
typedef void (*swo_on_demand)(void *SWO_NULLABLE context);

/** Makes an observable do something only while it is observed. What it did on demand before ends first.
 *
 *      observations  0    1  2  1   0        1
 *      calls            begin      end     begin
 *
 *  `begin` is called when the first observation has begun (of a handler or a transform), or at once if it is observed
 *  already; `end` when the last one has stopped, or the observable has died. They alternate, and never overlap. The
 *  thread that begins or stops the observation makes the call before it goes on; but while another thread is in such a
 *  call, that one makes the next one, too, and what both begins and stops meanwhile passes unnoticed. A new observation
 *  has received its replay when `begin` is called. With the last release of the observable `end` is called at once,
 *  also inside a delivery, whose messages still arrive. Any thread, also inside `begin` and `end`.
 *
 *      static void begin(void *timer) { timer_start(timer); }
 *      static void end(void *timer) { timer_stop(timer); }
 *
 *      swo_observable *ticks = swo_messenger_new();
 *      if (swo_observable_on_demand(ticks, begin, end, timer, NULL) != SWO_OK) abort();
 *
 *  The observable is not kept alive for this, except while `begin` runs; `end` must not use it.
 *  @param begin  NULL: nothing is called.
 *  @param end    NULL as above.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT, and the context has been destroyed. */
SWO_API swo_status swo_observable_on_demand(swo_observable *SWO_NULLABLE observable, swo_on_demand SWO_NULLABLE begin,
                                            swo_on_demand SWO_NULLABLE end, void *SWO_NULLABLE context,
                                            swo_destroy SWO_NULLABLE destroy);

/* ---------------------------------------------------------- introspection */

/** Gives an observable a name, for people to read. Any thread.
 *  @param name  UTF-8, copied. NULL takes the name away.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_INVALID_TEXT or SWO_NO_MEMORY. */
SWO_API swo_status swo_observable_set_name(swo_observable *SWO_NULLABLE observable, const char *SWO_NULLABLE name);

/** Copies the name of an observable into `out`, or null if it has none; end it with swo_value_clear(). Any thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT or SWO_NO_MEMORY. */
SWO_API swo_status swo_observable_name(swo_observable *SWO_NULLABLE observable, swo_value *SWO_NULLABLE out);

/** Functions that are called while a graph is walked: first for each observable, then for each observation. */
typedef struct swo_graph_visitor {
    size_t size; /**< sizeof(swo_graph_visitor); later versions append fields */
    /** @param index  counts the observables from 0; first come those that were given.
     *  @param kind   "messenger", "variable", "map", "combined" and so on. Static text.
     *  @param name   borrowed until this returns; or NULL. */
    void (*SWO_NULLABLE observable)(void *SWO_NULLABLE context, size_t index, const char *SWO_NONNULL kind,
                                    const char *SWO_NULLABLE name);
    /** @param source  the index of the observable.
     *  @param target  the index of the transform that observes, or SIZE_MAX: it is a handler.
     *  @param id      0: the target is a derived variable, which has read the source in its last run.
     *  @param name    of the observation; borrowed until this returns; or NULL. */
    void (*SWO_NULLABLE observation)(void *SWO_NULLABLE context, size_t source, size_t target, swo_observation id,
                                     const char *SWO_NULLABLE name);
} swo_graph_visitor;

#define SWO_GRAPH_VISITOR_INIT                                                                                         \
    { sizeof(swo_graph_visitor), NULL, NULL }

/** Walks the graph of some observables: these, all that they are made from, and all that observes any of them or is
 *  made from one that does. The visitor is called when the walk is over; what other threads change meanwhile may be
 *  seen or not. A name that cannot be copied, because there is no memory, is left out, here and wherever names stand in
 *  texts. It takes time for each observable and each observation that it meets. Any thread.
 *  @param observables  `count` observables, borrowed for the length of the call.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT (also: there are none, one of them is NULL, or the visitor's size is too
 *          small). */
SWO_API swo_status swo_graph_walk(swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                                  const swo_graph_visitor *SWO_NULLABLE visitor, void *SWO_NULLABLE context);

/** Writes the graph of some observables in the language of Graphviz: `dot -Tsvg` draws it. It takes time as
 *  swo_graph_walk() does.
 *  @param out  the text; end it with swo_value_clear(). A zero byte follows it.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT as swo_graph_walk(), or SWO_NO_MEMORY. */
SWO_API swo_status swo_graph_dot(swo_observable *SWO_NULLABLE const *SWO_NULLABLE observables, size_t count,
                                 swo_value *SWO_NULLABLE out);

/* -------------------------------------------------------- why, and traces */

/** Options of answers and traces. */
typedef struct swo_trace_options {
    size_t size; /**< sizeof(swo_trace_options); later versions append fields */
    bool values; /**< whether values are written down: they may be secret. At first they are not */
} swo_trace_options;

#define SWO_TRACE_OPTIONS_INIT                                                                                         \
    { sizeof(swo_trace_options), false }

/** How swo_why() answers: a line for each change, the last one first; a JSON array of them; the language of Graphviz.
 */
#define SWO_WHY_TEXT 0
#define SWO_WHY_JSON 1
#define SWO_WHY_DOT 2

/** Begins to keep what has changed each observable last, for swo_why(). Sends and sets take some hundred nanoseconds
 *  more until swo_why_stop(), and the 64 transforms of a chain (see "Chains" above) half as much stack again; where
 *  neither this nor a trace is on, they take nothing for it. A switch: it is not
 *  counted. A program that starts with SWIFTOBSERVER_WHY=1 in its environment has begun (SWIFTOBSERVER_WHY=values: with
 *  values). Takes time for each observation there is. Any thread.
 *  @param options  NULL: those of SWO_TRACE_OPTIONS_INIT.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT (the size is too small). */
SWO_API swo_status swo_why_start(const swo_trace_options *SWO_NULLABLE options);

/** Ends that, and forgets what was kept. Takes time for each observation there is. Any thread. */
SWO_API void swo_why_stop(void);

/** Answers why an observable has changed last: on which thread, by which author, from which value to which (if that is
 *  allowed), and in the handler of which observation; then, what that handler was called for, and so on, over threads
 *  and queues, and over all that waits for a clock. A derived variable has changed because of the source that changed
 *  last; nothing is known of one that nothing observes. The update of a batch and a replay come from the last change.
 *
 *      variable "width" changed from 1 to 2, on thread 7 "main", in handler "resize"
 *        because messenger "clicks" sent 2, on thread 7 "main"
 *
 *  The library remembers the last change of each observable, and no earlier one. Of an observable that was there before
 *  swo_why_start(), and that nothing observed or read, it remembers changes from this call on. Names are cut after 63
 *  bytes, values after 200, a path after 32 changes. Takes time for each of these. Any thread.
 *  @param format  SWO_WHY_TEXT, SWO_WHY_JSON or SWO_WHY_DOT.
 *  @param out     the text; end it with swo_value_clear(). A zero byte follows it. Where nothing is known: the text
 *  says so, the array or the graph is empty.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT or SWO_NO_MEMORY. */
SWO_API swo_status swo_why(swo_observable *SWO_NULLABLE observable, int32_t format, swo_value *SWO_NULLABLE out);

/** Answers why the handler of an observation was called last: as swo_why() of the message that it was called with. Any
 *  thread.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT, SWO_NOT_FOUND if the id names no living observation, or SWO_NO_MEMORY. */
SWO_API swo_status swo_why_called(swo_observation observation, int32_t format, swo_value *SWO_NULLABLE out);

/** What swo_lint() finds: a handler observes one observable several times; nothing observes what is made from another
 *  observable; a change has led to another one of the same observable; several threads have called a handler that has
 *  no executor; a call of a handler took long. */
#define SWO_LINT_REPEATED 1
#define SWO_LINT_UNOBSERVED 2
#define SWO_LINT_CYCLE 3
#define SWO_LINT_THREADS 4
#define SWO_LINT_SLOW 5

/** How swo_lint() judges. */
typedef struct swo_lint_options {
    size_t size;  /**< sizeof(swo_lint_options); later versions append fields */
    int64_t slow; /**< in nanoseconds: what a call of a handler may take. At first a tenth of a second */
} swo_lint_options;

#define SWO_LINT_OPTIONS_INIT                                                                                          \
    { sizeof(swo_lint_options), 100000000 }

/** Is told what swo_lint() has found.
 *  @param kind        SWO_LINT_REPEATED and so on.
 *  @param observable  that it is found at. To be compared, not used: it may have been released.
 *  @param sentence    borrowed until this returns: what it is, with the names of observables and handlers. */
typedef void (*swo_finding)(void *SWO_NULLABLE context, int32_t kind, const swo_observable *SWO_NULLABLE observable,
                            const char *SWO_NONNULL sentence);

/** Finds what looks wrong with the observables that something observes or reads, and what is made from them.
 *
 *      handler "draw" observes messenger "clicks" 2 times
 *      nothing observes map "half", which is made from another observable
 *      a change of variable "a" has led to another one of it, through "copy to b", "copy to a"
 *      handler "draw" of messenger "clicks" has been called on thread 7 and on thread 9
 *      handler "save" of messenger "clicks" has taken 0.25 seconds
 *
 *  The last three are known of what has happened since swo_why_start(); of changes, the last one of each observable.
 *  Handlers are the same where their functions and their contexts are. What nothing holds is not found: it has ended,
 *  with its observations. Takes time for each observable and each observation; what other threads change meanwhile is
 *  seen or not. Any thread.
 *  @param options  NULL: those of SWO_LINT_OPTIONS_INIT.
 *  @param found    is called for each thing that is found, when it has all been found.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (also: `slow` is less than 0, or the size is too small), or SWO_NO_MEMORY: then
 *          `found` has not been called. */
SWO_API swo_status swo_lint(const swo_lint_options *SWO_NULLABLE options, swo_finding SWO_NULLABLE found,
                            void *SWO_NULLABLE context);

/** Does nothing, for debuggers to stop in: while swo_why_start() or a trace is on, it is called for each change, by the
 *  function that makes it, when the value is in place and no handler has been called.
 *
 *      break swo_changed if $_streq(name, "width")
 *
 *  @param name  of the observable; empty without one. */
SWO_API void swo_changed(const swo_observable *SWO_NULLABLE observable, const char *SWO_NULLABLE name);

/** Begins to write a trace of the whole process, which ui.perfetto.dev shows: a track for each thread, a slice for each
 *  send, each handler and each function of a derived variable, and a flow from each send to what it has caused, over
 *  threads and queues. Each thread fills a buffer of 64 KB and writes it when it is full: where the reader of a pipe is
 *  slow, it waits then. If nothing can be written any more (a full disk, a reader that has gone), the program goes on,
 *  and swo_trace_stop() says so. A program that starts with SWIFTOBSERVER_TRACE=FILE in its environment writes one to
 *  its end. A child process writes none. The beginning and the end of a slice take about 100 nanoseconds each, and 20
 *  to 50 bytes of the file. Takes time for each observation there is. Any thread.
 *  @param fd       is duplicated: close yours when you like.
 *  @param options  NULL: those of SWO_TRACE_OPTIONS_INIT.
 *  @return SWO_OK, SWO_INVALID_ARGUMENT (`fd` cannot be written, or the size is too small), or SWO_CONFLICT: there is a
 *          trace already. */
SWO_API swo_status swo_trace_start(int fd, const swo_trace_options *SWO_NULLABLE options);

/** Writes what is left of the trace, and ends it. Takes time for each thread and each observation there is. Any thread.
 *  @return SWO_OK, SWO_NOT_FOUND: there is none, or SWO_CALLBACK_FAILED: some of it could not be written. */
SWO_API swo_status swo_trace_stop(void);

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
