/* SPDX-License-Identifier: MIT */
/** @file support.h
 *  What the C tests share. Include it first. Every test is a sentence about the library:
 *
 *      TEST(an_observer_receives_what_is_sent) {
 *          struct probe a = PROBE("a");
 *          OWN_OBSERVABLE *messenger = swo_messenger_new();
 *          observe(messenger, NULL, &a);
 *          send_number(messenger, 1);
 *          EXPECT_TRACE("a1");
 *      }
 */
#ifndef SWIFTOBSERVER_TESTS_SUPPORT_H
#define SWIFTOBSERVER_TESTS_SUPPORT_H

#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
/* A macro of cmocka 2. */
#undef stop

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <swiftobserver/runtime.h>

/** An assertion for handlers and for other threads. They must not be left by longjmp, so it ends the program. */
#define must(condition) ((condition) ? (void)0 : must_fail(__FILE__, __LINE__, #condition))
_Noreturn void must_fail(const char *file, int line, const char *condition);

/** What a call of the library has to return anywhere: SWO_OK. Otherwise the program ends. */
#define ok(call) must_be_ok(__FILE__, __LINE__, #call, call)
void must_be_ok(const char *file, int line, const char *call, swo_status status);

/** Does something with `*each` of some values. */
#define WITH_EACH(type, action, ...)                                                                                   \
    do {                                                                                                               \
        type list_of_each[] = {__VA_ARGS__};                                                                           \
        for (type *each = list_of_each; each < list_of_each + COUNT(list_of_each); each++) action;                     \
    } while (0)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/** How often to repeat something: `count` times the environment variable SWO_TEST_SCALE (1 without it), at least 4. */
long scaled(long count);

/** So many seconds that no machine, however busy, needs them: a test that takes longer waits for ever. */
enum { WATCHDOG = 1800 };

/** A test: `TEST(a_sentence_that_is_promised) { ... }`. main() stands in support.c: it runs a file's tests in the order
 *  in which they stand there, or those whose names match the patterns that are its arguments. Before each the journal
 *  is empty, and so it has to be after it; every probe that observe() gave to an observation has ended by then. */
#define TEST(name)                                                                                                     \
    static void name(void **state);                                                                                    \
    __attribute__((constructor)) static void name##_is_a_test(void) { add_test(#name, name); }                         \
    static void name(void **state)
void add_test(const char *name, CMUnitTestFunction test);
void add_test_of(const char *name, CMUnitTestFunction test, void *subject); /**< which it gets as its `*state` */

/** What a file does before and after each of its tests, if it defines them: its fixture. */
void set_up(void) __attribute__((weak));
void tear_down(void) __attribute__((weak));

/* Handlers need not look at all that they get. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

/* ---- lifetimes ---- */

/** A variable that releases what it holds at the end of its block. It stands behind what the contexts of its
 *  observations are, because these end with it. */
#define OWN_OBSERVABLE __attribute__((cleanup(drop_observable))) swo_observable
#define OWN_OBSERVER __attribute__((cleanup(drop_observer))) swo_observer
#define OWN_QUEUE __attribute__((cleanup(drop_queue))) swo_queue
static inline void drop_observable(swo_observable **observable) { swo_observable_release(*observable); }
static inline void drop_observer(swo_observer **observer) { swo_observer_release(*observer); }
#define OWN_GATE __attribute__((cleanup(drop_gate))) struct gate
static inline void drop_queue(swo_queue **queue) { swo_queue_release(*queue); }

/** Releases observables, one after the other. */
#define RELEASE(...) WITH_EACH(swo_observable *, swo_observable_release(*each), __VA_ARGS__)

/* ---- messages ---- */

/** Sends a number, or several, without an author. */
void send_number(swo_observable *observable, int64_t number);
#define send_numbers(observable, ...) WITH_EACH(int64_t, send_number(observable, *each), __VA_ARGS__)

/** Sets a variable to a number, or to several, without an author. */
void set_number(swo_observable *variable, int64_t number);
#define set_numbers(variable, ...) WITH_EACH(int64_t, set_number(variable, *each), __VA_ARGS__)

/** The number a variable holds. */
int64_t number_of(swo_observable *variable);

/** A variable that holds a number. */
swo_observable *number_variable(int64_t number);
swo_observable *deferred_variable(int64_t number);

/* ---- callbacks ---- */

/** `ACTION(stop_self) { ... }`: what a probe does with a `message` of an `author`. The others name their context. */
#define ACTION(name) static void name(struct probe *probe, const swo_value *message, const void *author)
#define HANDLER(name, context) static void name(void *context, const swo_value *message, const void *author)
#define COMBINED_HANDLER(name, context)                                                                                \
    static void name(void *context, const swo_value *messages, size_t count, const void *author)
#define MAPPER(name, context, message) static swo_status name(void *context, const swo_value *message, swo_value *out)
#define PREDICATE(name, context) static bool name(void *context, const swo_value *message)
/** Makes a value, as the last thing that a mapper does. */
#define GIVE(value) return *out = (value), SWO_OK
#define THREAD(name, context) static void *name(void *context)
/** What a thread does, and answers nothing: `run_threads({name, context})`. */
#define TASK(name, context)                                                                                            \
    static void name##_task(void *context);                                                                            \
    THREAD(name, argument) { return name##_task(argument), NULL; }                                                     \
    static void name##_task(void *context)

void ignore_message(void *context, const swo_value *message, const void *author);            /**< a handler */
void ignore_all(void *context, const swo_value *messages, size_t count, const void *author); /**< a combined one */
swo_status times_ten(void *context, const swo_value *message, swo_value *out);               /**< a mapper */
swo_status map_to_same(void *context, const swo_value *message, swo_value *out);             /**< a mapper */
swo_status plus_one(void *context, const swo_value *message, swo_value *out);                /**< a mapper */
swo_status always_fail(void *context, const swo_value *message, swo_value *out);             /**< a mapper */
bool accept_all(void *context, const swo_value *message);                                    /**< a predicate */

/* ---- journal ---- */

/** What was received, in order, as words such as "a1", "b(1,2)", "c[1 2]" or "dtext". Zeroed it is empty. */
struct journal {
    char *text;
    size_t length, capacity;
};

/** That of the present test. */
extern struct journal journal;

void journal_note(struct journal *journal, const char *name, const swo_value *message);

/** Compares all that the test's journal says, and empties it. */
#define EXPECT_TRACE(expected) assert_journal(&journal, expected)

/** Compares all that a journal says, and empties it. */
#define assert_journal(journal, expected)                                                                              \
    do {                                                                                                               \
        assert_string_equal(journal_text(journal), expected);                                                          \
        journal_clear(journal);                                                                                        \
    } while (0)
const char *journal_text(struct journal *journal);
void journal_clear(struct journal *journal);

/** Options other than the plain ones: `swo_observe_options options = OPTIONS(.replay = 1, .once = true)`. */
#define OPTIONS(...)                                                                                                   \
    { .size = sizeof(swo_observe_options), __VA_ARGS__ }

/** Options, or a value, for one call: `swo_observe_with(variable, WITH(.replay = 1), ...)`. */
#define WITH(...) (&(const swo_observe_options)OPTIONS(__VA_ARGS__))
#define VALUE(value) ((const swo_value[]){value})

/** A queue without a bound, or another one, and the executor that delivers by it, unless that is NULL. */
swo_queue *new_queue(swo_executor *executor);
swo_queue *queue_of(size_t bound, int32_t policy, swo_executor *executor);
size_t drain(swo_queue *queue, size_t most);
bool is_readable(swo_queue *queue);    /**< whether its descriptor is */
void await_readable(swo_queue *queue); /**< sleeps until it is */

/* ---- gate ---- */

/** Holds a handler or a thread until it is let on. */
struct gate {
    sem_t arrived, opened;
};

struct gate *gate_new(void);
void gate_free(struct gate *gate);
void gate_pass(struct gate *gate);  /**< says that it arrived, waits until the gate is opened */
void gate_await(struct gate *gate); /**< waits for one arrival */
void gate_open(struct gate *gate);  /**< lets one pass */
static inline void drop_gate(struct gate **gate) { gate_free(*gate); }

/* ---- probe ---- */

/** The context of an observation or of a transform. Called after it was destroyed, destroyed while a call is
 *  running, or destroyed twice, it ends the program (law 12). */
struct probe {
    const char *name;
    struct journal *journal; /**< where each call is noted; may be NULL */
    /** Part of each call; may be NULL. */
    void (*action)(struct probe *probe, const swo_value *message, const void *author);
    void (*at_end)(struct probe *probe); /**< part of being destroyed; may be NULL */

    swo_observable *observable; /**< what it observes, for actions */
    swo_observer *observer;     /**< who keeps the observation; may be NULL */
    swo_observation observation;
    _Atomic(const void *) author; /**< that of the latest call */
    struct probe *other;
    struct gate *gate;
    long number;

    atomic_long calls, running, destroyed;
    bool is_counted;
};

/** A probe that notes in the test's journal what it receives: `PROBE("a", .action = stop_self)`. */
#define PROBE(...)                                                                                                     \
    { .journal = &journal, .name = __VA_ARGS__ }

/** Begins observations whose contexts are the probes, and returns that of the last. */
#define observe(observable, observer, ...) observe_all(observable, observer, (struct probe *[]){__VA_ARGS__, NULL})
swo_observation observe_all(swo_observable *observable, swo_observer *observer, struct probe **probes);

void probe_receive(void *probe, const swo_value *message, const void *author);     /**< a handler */
void probe_destroy(void *probe);                                                   /**< the destroy function */
void stop_self(struct probe *probe, const swo_value *message, const void *author); /**< an action */
void pass_gate(struct probe *probe, const swo_value *message, const void *author); /**< an action */

/** The next of a row of choices that only looks like chance: a number below `choices`. */
unsigned chance(uint64_t *random, unsigned choices);

/* ---- threads ---- */

pthread_t begin_thread(void *(*body)(void *), void *context);
void join_thread(pthread_t thread);
#define join_threads(...) WITH_EACH(pthread_t, join_thread(*each), __VA_ARGS__)
pthread_t begin_held(void *(*body)(void *), void *context, struct gate *gate); /**< returns when one has arrived */
void release_held(pthread_t thread, struct gate *gate);                        /**< lets one pass, and joins */

/** Runs bodies to their end, each on a thread of its own: `run_threads({send_many, messenger}, {stop, &a})`. */
#define run_threads(...)                                                                                               \
    run_tasks((const struct task[]){__VA_ARGS__}, sizeof((const struct task[]){__VA_ARGS__}) / sizeof(struct task))
void run_on_threads(int count, void *(*body)(void *), void *context); /**< the same on each */
/** The same on each, with an element of an array that is its context. */
#define run_with_each(body, array) run_with_all(body, array, COUNT(array), sizeof *(array))
void run_with_all(void *(*body)(void *), void *array, size_t count, size_t size);
struct task {
    void *(*body)(void *);
    void *context;
};
void run_tasks(const struct task *tasks, size_t count);

void *send_one_number(void *observable);   /**< a thread's body: sends 1 */
void *release_on_thread(void *observable); /**< a thread's body */

/** Lets another thread run on until `*done` or until it has had ample opportunity. What a test asserts afterwards
 *  holds either way; the pause makes it likely that a violation shows. */
void give_way(atomic_bool *done);

#endif
