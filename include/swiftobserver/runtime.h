/* SPDX-License-Identifier: MIT */
/** @file swiftobserver/runtime.h
 *  What the C interface of SwiftObserver has for the runtimes of languages.
 *
 *  A language whose functions take objects, answer and fail needs no callback of its own between the library and a
 *  handler: the library calls the runtime's functions itself. Everything here is in the same library, and what
 *  swiftobserver.h says of every function holds here, too. Programs in C need none of it.
 */
#ifndef SWIFTOBSERVER_RUNTIME_H
#define SWIFTOBSERVER_RUNTIME_H

#include "../swiftobserver.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------- answering handlers */

/** How the functions of a runtime are called, and what becomes of their answers. It must outlive the observations that
 *  name it; a static constant does. Begin with SWO_ANSWERS_INIT. */
typedef struct swo_answers {
    size_t size; /**< sizeof(swo_answers); later versions append fields */
    /** The type of the objects that handlers take. */
    const swo_object_type *SWO_NULLABLE type;
    /** Calls a handler: `function` with the object of the message, before which comes what `resolve` made, if the
     *  observation has a reference. `names` is NULL. What it returns is the answer. The shape of
     *  PyObject_Vectorcall(). */
    void *SWO_NULLABLE (*SWO_NULLABLE call)(void *SWO_NULLABLE function,
                                            void *SWO_NULLABLE const *SWO_NONNULL arguments, size_t count,
                                            void *SWO_NULLABLE names);
    /** Makes an object of any other message, which is borrowed, once for each handler; `release` ends it. If it
     *  returns NULL, the handler has failed. NULL: other messages are not delivered. */
    void *SWO_NULLABLE (*SWO_NULLABLE convert)(void *SWO_NULLABLE context, const swo_value *SWO_NONNULL message);
    /** Called with each answer that is not NULL, and with what `convert` and `resolve` made. NULL: nothing is done. */
    void (*SWO_NULLABLE release)(void *SWO_NULLABLE answer);
    /** Called first when a handler answers NULL: takes out of the runtime what it has pending, so that `failed` can run
     *  as if nothing had happened. The shape of PyErr_Fetch(). NULL: nothing is called. */
    void (*SWO_NULLABLE take)(void *SWO_NULLABLE *SWO_NONNULL kind, void *SWO_NULLABLE *SWO_NONNULL error,
                              void *SWO_NULLABLE *SWO_NONNULL trace);
    /** Called with the handler's context and the three pointers of `take` (else NULL) when it answers NULL, before any
     *  other handler is called; the send returns SWO_CALLBACK_FAILED. NULL: NULL is an answer like any other. */
    void (*SWO_NULLABLE failed)(void *SWO_NULLABLE context, void *SWO_NULLABLE const *SWO_NONNULL taken);
    /** Makes the object of a weak reference. If it returns NULL, the handler has failed. NULL: no observation has a
     *  reference. The shape of PyObject_CallNoArgs(). */
    void *SWO_NULLABLE (*SWO_NULLABLE resolve)(void *SWO_NULLABLE reference);
    /** What `resolve` returns when the object is gone: then the handler is not called. */
    void *SWO_NULLABLE absent;
} swo_answers;

#define SWO_ANSWERS_INIT                                                                                               \
    { sizeof(swo_answers), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

/** Begins an observation by a function of a runtime. Everything else as swo_observe(). Any thread.
 *  @param function   what `call` of the answers is given. It must stay valid until `context` is destroyed.
 *  @param reference  a weak reference to the object that comes before the message's, as that of a method does. It must
 *                    stay valid as long. The observation does not end with that object: the runtime, which learns of
 *                    its death, stops it. NULL: there is none.
 *  @return SWO_OK; SWO_INVALID_ARGUMENT (also: `answers` has no type, no `call`, no `resolve` for the reference, or a
 *          size that is too small) or SWO_NO_MEMORY, and the context has been destroyed. */
SWO_API swo_status swo_observe_answering(swo_observable *SWO_NULLABLE observable, swo_observer *SWO_NULLABLE observer,
                                         const swo_answers *SWO_NULLABLE answers, void *SWO_NULLABLE function,
                                         void *SWO_NULLABLE reference, void *SWO_NULLABLE context,
                                         swo_destroy SWO_NULLABLE destroy, swo_observation *SWO_NULLABLE out);

/** Whether this thread is inside the handler of an observation that has been stopped, at any depth: there
 *  swo_stop_and_wait() returns at once. For runtimes that have another thread wait, where it would not. It takes time
 *  as that does. Any thread.
 *  @return Also false: the id names no observation, or one whose handler has returned everywhere. */
SWO_API bool swo_is_called_here(swo_observation observation);

/* ------------------------------------------------------------------ calls */

/** How swo_call_send() sends: for runtimes that call C functions with an object of theirs in front, under a lock of
 *  their own, which the caller holds. Begin with SWO_CALL_INIT. */
typedef struct swo_call {
    size_t size; /**< sizeof(swo_call); later versions append fields */
    /** The observable to send to. It must be alive as long as it stands here. NULL: nothing can be sent. */
    swo_observable *SWO_NULLABLE observable;
    /** The type of the objects that are sent. */
    const swo_object_type *SWO_NULLABLE type;
    /** What the call returns if all went well, and what otherwise: retained, as the type has it. */
    void *SWO_NULLABLE success, *SWO_NULLABLE failure;
    /** Goes up by one while an object is being sent. NULL: it is not counted. */
    size_t *SWO_NULLABLE progress;
    /** The status of the latest call that returned `failure`; see swo_send(). The library writes it. */
    swo_status status;
} swo_call;

#define SWO_CALL_INIT                                                                                                  \
    { sizeof(swo_call), NULL, NULL, NULL, NULL, NULL, SWO_OK }

/** An object of a runtime that refers to a call: two words that are the runtime's own, and then this. */
typedef struct swo_caller {
    void *SWO_NULLABLE runtime[2];
    swo_call *SWO_NULLABLE call;
} swo_caller;

/** Sends an object. The shape of a PyCFunction that takes one argument, so that a program in Python sends without
 *  anything in between. It takes time as swo_send() does. Any thread that holds the runtime's lock, which protects the
 *  call.
 *  @return `success` or `failure`; NULL if `caller` has no call, or the call no type, or one of them a size that is too
 *          small. */
SWO_API void *SWO_NULLABLE swo_call_send(const swo_caller *SWO_NULLABLE caller, void *SWO_NULLABLE object);

/* ------------------------------------------------------------- interrupts */

/** Lets a delivery end early, with nothing lost: for runtimes where what a handler raises can end a program. The
 *  message in hand is still offered to all. What waits stays in line, until another send takes the delivery over, or
 *  a replay that begins, or the release of the observable. Called inside a handler of this observable, or of one that
 *  is made from it, on the thread that delivers; at any other time nothing happens. Any thread.
 *  @param observable  what the handler observes. NULL is ignored. */
SWO_API void swo_observable_interrupt(swo_observable *SWO_NULLABLE observable);

/** Puts a message in line, in its turn after what waits there, and delivers nothing: for what a delivery that ends
 *  early still has to send. Something else takes that over, as above; until then nothing else is delivered either.
 *  Where messages keep no order, the message is delivered at once. Any thread.
 *  @return as swo_send(). */
SWO_API swo_status swo_send_later(swo_observable *SWO_NULLABLE observable, const swo_value *SWO_NULLABLE message,
                                  const void *SWO_NULLABLE author);

/* ------------------------------------------------------------------ hooks */

/** What is done around each call of a handler (see swo_observe_options), or around each delivery, on the thread that
 *  makes it: for runtimes with a lock of their own. Begin with SWO_HOOKS_INIT. */
struct swo_hooks {
    size_t size; /**< sizeof(swo_hooks); later versions append fields */
    /** Called before. NULL: nothing is called. */
    void (*SWO_NULLABLE enter)(void *SWO_NULLABLE context);
    /** Called after. NULL as above. */
    void (*SWO_NULLABLE leave)(void *SWO_NULLABLE context);
    /** Must outlive the observation, or the observable and the delivery in progress. */
    void *SWO_NULLABLE context;
};

#define SWO_HOOKS_INIT                                                                                                 \
    { sizeof(swo_hooks), NULL, NULL, NULL }

/** Sets what is done around each delivery of an observable that begins from now on. A delivery is all that one thread
 *  delivers in one go: a message or a replay, and the messages that came meanwhile, with the contexts that are
 *  destroyed at its end. An observable that is not observed makes none, and what an executor does later is not part of
 *  it. A send with hooks takes the lock of the observable; one without hooks costs no more for them. Any thread.
 *  @param hooks  copied. NULL: nothing is done any more.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT (also: a size that is too small). */
SWO_API swo_status swo_observable_set_hooks(swo_observable *SWO_NULLABLE observable,
                                            const swo_hooks *SWO_NULLABLE hooks);

/* ------------------------------------------------------------------- lock */

/** The lock that threads of a runtime hold while they send, such as that of an interpreter. */
typedef struct swo_runtime_lock {
    size_t size; /**< sizeof(swo_runtime_lock); later versions append fields */
    /** Whether this thread holds it: not 0. The shape of PyGILState_Check(). */
    int (*SWO_NULLABLE is_held)(void);
    /** Lets go of it. The shape of PyEval_SaveThread(). */
    void *SWO_NULLABLE (*SWO_NULLABLE release)(void);
    /** Takes it again, with what `release` returned. The shape of PyEval_RestoreThread(). */
    void (*SWO_NULLABLE acquire)(void *SWO_NULLABLE released);
} swo_runtime_lock;

/** Names the lock of this process. A thread that has delivered for other threads for long, and that holds it, lets go
 *  of it for some microseconds between two messages, so that one of them can send, and take the delivery over. Any
 *  thread.
 *  @param lock  copied; some bytes stay with the process each time. NULL: there is none, as at first.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT (also: a function that is NULL, or a size that is too small). */
SWO_API swo_status swo_set_runtime_lock(const swo_runtime_lock *SWO_NULLABLE lock);

/* ------------------------------------------------------------------ trace */

/** Begins a slice of the trace that swo_trace_start() writes: the calling thread computes something that the runtime
 *  derives itself, because of what it does now. End it on the same thread with swo_trace_end_computation(). Slices
 *  nest.
 *  @param kind  "derived" and so on.
 *  @param name  NULL: it has none. With the kind it is cut after 120 bytes.
 *  @return False: there is no trace, or `kind` is NULL; then there is nothing to end. */
SWO_API bool swo_trace_begin_computation(const char *SWO_NULLABLE kind, const char *SWO_NULLABLE name);

/** Ends the slice that the thread has begun last. Without one it does nothing. */
SWO_API void swo_trace_end_computation(void);

/* -------------------------------------------------------------- live page */

/** What a runtime says of its observables, handlers and objects to a live page (see SWIFTOBSERVER_INSPECT in
 *  swiftobserver(7)), where it knows more than the library. Each text is UTF-8, in `room` bytes, and ends with a zero;
 *  an empty one says nothing. */
typedef struct swo_inspection {
    size_t size; /**< sizeof(swo_inspection); later versions append fields */
    /** Says what kind of observable this is, and what it holds. Called on a thread of the library's.
     *  @param observable  to be compared, not used: it may have been released.
     *  @return Whether the page may set it. */
    bool (*SWO_NULLABLE describe)(const swo_observable *SWO_NONNULL observable, char *SWO_NONNULL kind,
                                  char *SWO_NONNULL value, size_t room);
    /** Sets it to what a text says, or says what the problem is. Called on a thread of the library's.
     *  @return False: the runtime does not know it, and the library tries. */
    bool (*SWO_NULLABLE set)(const swo_observable *SWO_NONNULL observable, const char *SWO_NONNULL text,
                             char *SWO_NONNULL problem, size_t room);
    /** Says what the handler of an observation is called, and perhaps, behind the character 31, where it is written, as
     *  "file:line". Called on a thread of the library's. */
    void (*SWO_NULLABLE name)(swo_observation observation, char *SWO_NONNULL name, size_t room);
    /** Says what an object is; of an update, the old value, the character 31, and the new one. Called by the thread
     *  that sends it. */
    void (*SWO_NULLABLE text)(const void *SWO_NONNULL object, char *SWO_NONNULL text, size_t room);
    /** Calls `each` with every derived observable of the runtime and each that it has read; both live for the length of
     *  that call. Called on a thread of the library's. */
    void (*SWO_NULLABLE read)(void (*SWO_NONNULL each)(void *SWO_NULLABLE context,
                                                       const swo_observable *SWO_NONNULL source,
                                                       const swo_observable *SWO_NONNULL derived),
                              void *SWO_NULLABLE context);
} swo_inspection;

/** Names what describes the observables of this process. Any thread.
 *  @param inspection  copied; some bytes stay with the process each time. NULL: there is none, as at first; no function
 *                     is called, or still running, when this has returned.
 *  @return SWO_OK, or SWO_INVALID_ARGUMENT (also: a function that is NULL, or a size that is too small). */
SWO_API swo_status swo_set_inspection(const swo_inspection *SWO_NULLABLE inspection);

/* ------------------------------------------------------------- exceptions */

#if defined(__GNUC__) && !defined(__swift__)

/** What is kept of a thread for a runtime whose handlers throw, and whose calls rethrow what was thrown in them: for
 *  the C++ headers, of which every part of a process has a copy. swo_this_thread is that of the calling thread, zero at
 *  first; the library does nothing with it. It is reached without a call, also from libraries that are loaded later. */
typedef struct swo_thread {
    int32_t
        calls; /**< how many calls are being made, one inside the other; less than zero while `thrown` is not NULL */
    int32_t draining;          /**< the number that the innermost of them has that runs jobs; 0: none does */
    void *SWO_NULLABLE thrown; /**< what handlers have thrown, the innermost call's first; the runtime's own */
} swo_thread;

extern SWO_API __thread swo_thread swo_this_thread __attribute__((tls_model("initial-exec")));

#endif

#ifdef __cplusplus
}
#endif

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
