/* SPDX-License-Identifier: MIT */
/* The debugging library says which handle was used after its release, by which function, and where it was released. */
#define _GNU_SOURCE
#include "../support.h"
#include <operators.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what a child process says when it ends ---- */

static char said[16384];

/** Whether a child process that calls `body` aborts; `said` is what it said. */
static bool aborts(void (*body)(void)) {
    int words[2], status;
    must(pipe(words) == 0);
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        dup2(words[1], STDERR_FILENO);
        signal(SIGABRT, SIG_DFL);
        body();
        _exit(0);
    }
    close(words[1]);
    size_t length = 0;
    for (ssize_t size; (size = read(words[0], said + length, sizeof said - 1 - length)) > 0;) length += (size_t)size;
    said[length] = 0;
    close(words[0]);
    must(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void assert_said(const char *words) {
    if (strstr(said, words) == NULL) fail_msg("\"%s\" is not in what was said: %s", words, said);
}

/* ---- each function, with a handle that was released ---- */

static swo_observable *messenger, *variable, *lying, *made;
static swo_observer *observer, *lying_observer;
static swo_queue *lying_queue;
static swo_clock *hand, *lying_clock, *made_clock;
static swo_value number, result;
static swo_executor executor;

static swo_status refuse_job(void *context, swo_job *job) { return SWO_CALLBACK_FAILED; }
static swo_status count_up(void *context, const swo_value *old, swo_value *next) {
    *next = swo_int64(old->as.int64 + 1);
    return SWO_OK;
}
static swo_status add_nothing(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    return SWO_OK;
}
static swo_status choose_nothing(void *context, const swo_value *message, swo_observable **out) { return SWO_OK; }
static void *answer(void *function, void *const *arguments, size_t count, void *names) { return function; }

static const swo_object_type any_object = {.size = sizeof any_object};
static const swo_answers answers = {.size = sizeof answers, .type = &any_object, .call = answer};
static const swo_graph_visitor visitor = {.size = sizeof visitor};
static swo_observe_options observed_by;
static swo_bind_options bound_by;
static swo_call call;
static swo_caller caller = {.call = &call};

#define USES_OF_AN_OBSERVABLE(X)                                                                                       \
    X(swo_observable_retain, lying)                                                                                    \
    X(swo_observable_release, lying)                                                                                   \
    X(swo_send, lying, &number, NULL)                                                                                  \
    X(swo_observable_set_ordered, lying, true)                                                                         \
    X(swo_observable_is_ordered, lying)                                                                                \
    X(swo_observable_set_budget, lying, 1)                                                                             \
    X(swo_observable_count, lying)                                                                                     \
    X(swo_observable_refused, lying)                                                                                   \
    X(swo_observable_block, lying)                                                                                     \
    X(swo_observable_unblock, lying)                                                                                   \
    X(swo_observable_is_blocked, lying)                                                                                \
    X(swo_variable_get, lying, &result)                                                                                \
    X(swo_variable_set, lying, &number, NULL)                                                                          \
    X(swo_variable_update, lying, count_up, NULL, NULL)                                                                \
    X(swo_variable_begin_batch, lying)                                                                                 \
    X(swo_variable_end_batch, lying)                                                                                   \
    X(swo_observer_stop, observer, lying)                                                                              \
    X(swo_observer_is_observing, observer, lying)                                                                      \
    X(swo_observe, lying, NULL, ignore_message, NULL, NULL, NULL)                                                      \
    X(swo_observe_on, lying, NULL, &executor, ignore_message, NULL, NULL, NULL)                                        \
    X(swo_observe_with, lying, NULL, ignore_message, NULL, NULL, NULL)                                                 \
    X(swo_observe_combined, &lying, 1, NULL, ignore_all, NULL, NULL, NULL)                                             \
    X(swo_combine, &lying, 1, &made)                                                                                   \
    X(swo_zip, &lying, 1, &made)                                                                                       \
    X(swo_with_latest_from, messenger, &lying, 1, &made)                                                               \
    X(swo_sample, messenger, lying, &made)                                                                             \
    X(swo_scan, lying, NULL, add_nothing, NULL, NULL, &made)                                                           \
    X(swo_switch_to_latest, lying, choose_nothing, NULL, NULL, &made)                                                  \
    X(swo_flat_map, lying, 2, choose_nothing, NULL, NULL, &made)                                                       \
    X(swo_debounce, lying, 1, hand, &made)                                                                             \
    X(swo_throttle, lying, 1, SWO_THROTTLE_BOTH, hand, &made)                                                          \
    X(swo_delay, lying, 1, hand, &made)                                                                                \
    X(swo_timeout, lying, 1, NULL, hand, &made)                                                                        \
    X(swo_buffer, lying, 1, 1, hand, &made)                                                                            \
    X(swo_bind, messenger, lying, NULL, NULL, NULL, NULL, NULL, NULL)                                                  \
    X(swo_transform_set_source, lying, messenger)                                                                      \
    X(swo_latest, lying, &result)                                                                                      \
    X(swo_send_later, lying, &number, NULL)                                                                            \
    X(swo_send_latest, lying, NULL)                                                                                    \
    X(swo_derived_failure, lying, &result)                                                                             \
    X(swo_observable_on_demand, lying, NULL, NULL, NULL, NULL)                                                         \
    X(swo_observable_confine, lying, NULL)                                                                             \
    X(swo_observable_set_name, lying, "name")                                                                          \
    X(swo_observable_name, lying, &result)                                                                             \
    X(swo_graph_walk, &lying, 1, &visitor, NULL)                                                                       \
    X(swo_graph_dot, &lying, 1, &result)                                                                               \
    X(swo_why, lying, SWO_WHY_TEXT, &result)                                                                           \
    X(swo_observe_answering, lying, NULL, &answers, NULL, NULL, NULL, NULL, NULL)                                      \
    X(swo_call_send, &caller, NULL)                                                                                    \
    X(swo_observable_set_hooks, lying, NULL)
#define USES_OF_AN_OBSERVER(X)                                                                                         \
    X(swo_observer_retain, lying_observer)                                                                             \
    X(swo_observer_release, lying_observer)                                                                            \
    X(swo_observer_stop, lying_observer, NULL)                                                                         \
    X(swo_observer_stop_and_wait, lying_observer)                                                                      \
    X(swo_observer_is_observing, lying_observer, messenger)                                                            \
    X(swo_observer_count, lying_observer)                                                                              \
    X(swo_observe, messenger, lying_observer, ignore_message, NULL, NULL, NULL)                                        \
    X(swo_observe_on, messenger, lying_observer, &executor, ignore_message, NULL, NULL, NULL)                          \
    X(swo_observe_with, messenger, &observed_by, ignore_message, NULL, NULL, NULL)                                     \
    X(swo_observe_answering, messenger, lying_observer, &answers, NULL, NULL, NULL, NULL, NULL)                        \
    X(swo_observe_combined, &variable, 1, lying_observer, ignore_all, NULL, NULL, NULL)                                \
    X(swo_bind, messenger, variable, NULL, NULL, NULL, NULL, &bound_by, NULL)
#define USES_OF_A_QUEUE(X)                                                                                             \
    X(swo_queue_retain, lying_queue)                                                                                   \
    X(swo_queue_release, lying_queue)                                                                                  \
    X(swo_queue_fd, lying_queue)                                                                                       \
    X(swo_queue_executor, lying_queue, &executor)                                                                      \
    X(swo_queue_clock, lying_queue, &made_clock)                                                                       \
    X(swo_queue_drain, lying_queue, 0, NULL)
#define USES_OF_A_CLOCK(X)                                                                                             \
    X(swo_clock_retain, lying_clock)                                                                                   \
    X(swo_clock_release, lying_clock)                                                                                  \
    X(swo_clock_set_default, lying_clock)                                                                              \
    X(swo_clock_now, lying_clock)                                                                                      \
    X(swo_clock_waiting, lying_clock)                                                                                  \
    X(swo_clock_advance, lying_clock, 1)                                                                               \
    X(swo_clock_run, lying_clock)                                                                                      \
    X(swo_clock_end, lying_clock)                                                                                      \
    X(swo_debounce, messenger, 1, lying_clock, &made)                                                                  \
    X(swo_throttle, messenger, 1, SWO_THROTTLE_BOTH, lying_clock, &made)                                               \
    X(swo_delay, messenger, 1, lying_clock, &made)                                                                     \
    X(swo_timeout, messenger, 1, NULL, lying_clock, &made)                                                             \
    X(swo_buffer, messenger, 1, 1, lying_clock, &made)                                                                 \
    X(swo_ticks, 1, lying_clock, &made)

/* Not static, so that a backtrace has their names. */
void release_the_observable(void);
__attribute__((noinline)) void release_the_observable(void) { swo_observable_release(lying); }
void release_the_observer(void);
__attribute__((noinline)) void release_the_observer(void) { swo_observer_release(lying_observer); }
void release_the_queue(void);
__attribute__((noinline)) void release_the_queue(void) { swo_queue_release(lying_queue); }
void release_the_clock(void);
__attribute__((noinline)) void release_the_clock(void) { swo_clock_release(lying_clock); }

static void make_all(void) {
    number = swo_int64(1);
    messenger = swo_messenger_new();
    variable = number_variable(1);
    observer = swo_observer_new();
    lying = swo_messenger_new();
    ok(swo_observable_set_name(lying, "temperature"));
    lying_observer = swo_observer_new();
    lying_queue = new_queue(NULL);
    hand = swo_clock_new();
    lying_clock = swo_clock_new();
    executor = (swo_executor){.size = sizeof executor, .execute = refuse_job};
    observed_by = (swo_observe_options)OPTIONS(.observer = lying_observer);
    bound_by = (swo_bind_options){.size = sizeof bound_by, .observer = lying_observer};
    call = (swo_call){.size = sizeof call, .observable = lying, .type = &any_object};
}

static void release_all(void) {
    RELEASE(messenger, variable);
    swo_observer_release(observer);
    swo_clock_release(hand);
}

/* What uses each kind, by number. */
#define CASE(function, ...)                                                                                            \
    if (number_of_use-- == 0) {                                                                                        \
        used = #function;                                                                                              \
        if (calls) (void)(function(__VA_ARGS__));                                                                      \
        return true;                                                                                                   \
    }
static const char *used;
static int which;
#define A_SOURCE lying
#define SOURCES &lying, 1
#define A_MAPPER map_to_same, NULL, NULL
#define A_PREDICATE accept_all, NULL, NULL
#define A_NUMBER 1
#define A_VALUE &number
#define AN_INITIAL NULL
#define AN_AUTHOR NULL
#define OPERATOR_CASE(name, ...) CASE(swo_##name, __VA_ARGS__, &made)
static bool use_observable(int number_of_use, bool calls) {
    USES_OF_AN_OBSERVABLE(CASE)
    EVERY_OPERATOR(OPERATOR_CASE)
    return false;
}
static bool use_observer(int number_of_use, bool calls) {
    USES_OF_AN_OBSERVER(CASE)
    return false;
}
static bool use_queue(int number_of_use, bool calls) {
    USES_OF_A_QUEUE(CASE)
    return false;
}
static bool use_clock(int number_of_use, bool calls) {
    USES_OF_A_CLOCK(CASE)
    return false;
}
static void use_released_observable(void) { use_observable(which, true); }
static void use_released_observer(void) { use_observer(which, true); }
static void use_released_queue(void) { use_queue(which, true); }
static void use_released_clock(void) { use_clock(which, true); }

static void assert_each_is_named(bool (*use)(int, bool), void (*use_released)(void), const char *what,
                                 const char *place) {
    char sentence[100];
    for (which = 0; use(which, false); which++) {
        if (!aborts(use_released)) fail_msg("%s() went on, or crashed: %s", used, said);
        snprintf(sentence, sizeof sentence, "SwiftObserver: %s() was called with the %s ", used, what);
        assert_said(sentence);
        assert_said("which was released here:\n");
        assert_said(place);
    }
    assert_true(which > 4);
}

TEST(each_function_that_is_called_with_a_released_observable_names_itself_and_the_place) {
    make_all();
    release_the_observable();
    assert_each_is_named(use_observable, use_released_observable, "messenger", "release_the_observable");
    assert_said("(\"temperature\")");
    swo_observer_release(lying_observer);
    swo_queue_release(lying_queue);
    swo_clock_release(lying_clock);
    release_all();
}

TEST(each_function_that_is_called_with_a_released_observer_names_itself_and_the_place) {
    make_all();
    release_the_observer();
    assert_each_is_named(use_observer, use_released_observer, "observer", "release_the_observer");
    swo_observable_release(lying);
    swo_queue_release(lying_queue);
    swo_clock_release(lying_clock);
    release_all();
}

TEST(each_function_that_is_called_with_a_released_queue_names_itself_and_the_place) {
    make_all();
    release_the_queue();
    assert_each_is_named(use_queue, use_released_queue, "queue", "release_the_queue");
    swo_observable_release(lying);
    swo_observer_release(lying_observer);
    swo_clock_release(lying_clock);
    release_all();
}

TEST(each_function_that_is_called_with_a_released_clock_names_itself_and_the_place) {
    make_all();
    release_the_clock();
    assert_each_is_named(use_clock, use_released_clock, "clock", "release_the_clock");
    swo_observable_release(lying);
    swo_observer_release(lying_observer);
    swo_queue_release(lying_queue);
    release_all();
}

/* ---- in other ways ---- */

HANDLER(release_and_send_again, unused) {
    swo_observable_release(lying);
    swo_value next = swo_int64(2);
    (void)!swo_send(lying, &next, NULL);
}

static void send_where_it_was_released(void) {
    lying = swo_messenger_new();
    ok(swo_observe(lying, NULL, release_and_send_again, NULL, NULL, NULL));
    send_number(lying, 1);
}

TEST(a_handler_that_sends_to_what_it_has_released_is_told) {
    assert_true(aborts(send_where_it_was_released));
    assert_said("SwiftObserver: swo_send() was called with the messenger ");
    assert_said("which was released here:\n");
}

HANDLER(release_and_fail, unused) {
    swo_observable_release(lying);
    swo_observable_interrupt(lying);
    swo_observable_fail(lying);
}

TEST(a_handler_may_interrupt_and_report_that_it_failed_after_it_has_released_its_observable) {
    swo_value message = swo_int64(1);
    lying = swo_messenger_new();
    ok(swo_observe(lying, NULL, release_and_fail, NULL, NULL, NULL));
    assert_int_equal(swo_send(lying, &message, NULL), SWO_CALLBACK_FAILED);
}

static void release_once_more_than_owned(void) {
    release_the_observable();
    release_the_observable();
}

TEST(what_a_transform_keeps_alive_cannot_be_released_by_who_does_not_own_it) {
    OWN_OBSERVABLE *map = NULL;
    lying = swo_messenger_new();
    ok(swo_map(lying, map_to_same, NULL, NULL, &map));
    assert_true(aborts(release_once_more_than_owned));
    assert_said("swo_observable_release() was called with the messenger ");
    assert_said("whose last owner released it here:\n");
    assert_said("release_the_observable");
    /* Used it can be. */
    release_the_observable();
    send_number(lying, 1);
}

static void send_to_an_observer(void) { (void)!swo_send((swo_observable *)lying_observer, &number, NULL); }
static void send_to_nothing(void) { (void)!swo_send((swo_observable *)&number, &number, NULL); }

TEST(what_is_no_observable_is_refused_with_what_it_is) {
    make_all();
    assert_true(aborts(send_to_an_observer));
    assert_said("swo_send() was called with the observer ");
    assert_said(" where it takes an observable\n");
    assert_true(aborts(send_to_nothing));
    assert_said(", which is no observable: it never was one, or was released long ago\n");
    swo_observable_release(lying);
    swo_observer_release(lying_observer);
    swo_queue_release(lying_queue);
    swo_clock_release(lying_clock);
    release_all();
}

/* ---- addresses ---- */

static void use_what_was_released_before_many(void) {
    lying = swo_messenger_new();
    release_the_observable();
    for (int i = 0; i < 1000; i++) swo_observable_release(swo_messenger_new());
    send_number(lying, 1);
}

TEST(what_comes_later_does_not_take_the_place_of_what_was_released) {
    assert_true(aborts(use_what_was_released_before_many));
    assert_said("release_the_observable");
}

static void use_what_was_released_long_ago(void) {
    lying = swo_messenger_new();
    release_the_observable();
    /* Each frees more than one block. */
    for (int i = 0; i < 70000; i++) swo_observable_release(swo_messenger_new());
    send_number(lying, 1);
}

TEST(what_was_released_long_ago_is_forgotten) {
    if (!aborts(use_what_was_released_long_ago)) return; /* something living has its address */
    assert_said("swo_send() was called with ");
}

THREAD(make_and_release, unused) {
    for (long i = scaled(20000); i > 0; i--) {
        OWN_OBSERVABLE *own = swo_messenger_new();
        OWN_OBSERVER *keeper = swo_observer_new();
        ok(swo_observe(own, keeper, ignore_message, NULL, NULL, NULL));
        send_number(own, i);
    }
    return NULL;
}

TEST(threads_that_make_and_release_share_the_book) { run_on_threads(3, make_and_release, NULL); }
