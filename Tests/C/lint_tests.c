/* SPDX-License-Identifier: MIT */
/* What looks wrong with the observables of a program. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "support.h"

/* ---- what was found ---- */

enum { MOST = 16 };
static struct found {
    int count;
    int32_t kinds[MOST];
    const swo_observable *observables[MOST];
    char sentences[MOST][256];
} found;

static void note(void *context, int32_t kind, const swo_observable *observable, const char *sentence) {
    assert_ptr_equal(context, &found);
    assert_true(found.count < MOST);
    found.kinds[found.count] = kind;
    found.observables[found.count] = observable;
    snprintf(found.sentences[found.count++], sizeof *found.sentences, "%s", sentence);
}

static void lint(int64_t slow) {
    const swo_lint_options options = {sizeof options, slow};
    memset(&found, 0, sizeof found);
    assert_int_equal(swo_lint(&options, note, &found), SWO_OK);
}

#define assert_finds_nothing()                                                                                         \
    do {                                                                                                               \
        lint(INT64_MAX);                                                                                               \
        if (found.count != 0) fail_msg("found: %s", found.sentences[0]);                                               \
    } while (0)
#define assert_finds(kind, observable, sentence)                                                                       \
    do {                                                                                                               \
        lint(INT64_MAX);                                                                                               \
        assert_int_equal(found.count, 1);                                                                              \
        assert_string_equal(found.sentences[0], sentence);                                                             \
        assert_int_equal(found.kinds[0], kind);                                                                        \
        assert_ptr_equal(found.observables[0], observable);                                                            \
    } while (0)

/* ---- what is looked at ---- */

static swo_observable *named(swo_observable *observable, const char *name) {
    assert_int_equal(swo_observable_set_name(observable, name), SWO_OK);
    return observable;
}

static swo_observable *variable(const char *name, int64_t number) {
    const swo_value value = swo_int64(number);
    swo_observable *made;
    assert_int_equal(swo_variable_new(&value, &made), SWO_OK);
    return named(made, name);
}

static swo_observation begin(swo_observable *observable, const char *name, swo_handler handler, void *context,
                             const swo_executor *executor) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    swo_observation id;
    options.name = name;
    options.executor = executor;
    assert_int_equal(swo_observe_with(observable, &options, handler, context, NULL, &id), SWO_OK);
    return id;
}

static void hear_nothing(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void set_to(void *variable, const swo_value *message, const void *author) {
    (void)author;
    swo_variable_set(variable, message, NULL);
}

static swo_status same(void *context, const swo_value *message, swo_value *out) {
    (void)context;
    return swo_value_copy(message, out);
}

static void *send_one(void *clicks) {
    const swo_value message = swo_int64(1);
    assert_int_equal(swo_send(clicks, &message, NULL), SWO_OK);
    return NULL;
}

static void *drain_all(void *queue) {
    assert_int_equal(swo_queue_drain(queue, SIZE_MAX, NULL), SWO_OK);
    return NULL;
}

static void on_another_thread(void *(*function)(void *), void *context) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, function, context), 0);
    pthread_join(thread, NULL);
}

TEST(nothing_is_wrong_with_a_program_that_is_well) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks"), *width = variable("width", 1), *doubled;
    assert_int_equal(swo_map(clicks, same, NULL, NULL, &doubled), SWO_OK);
    int one, other;
    begin(clicks, "one", hear_nothing, &one, NULL);
    begin(clicks, "other", hear_nothing, &other, NULL);
    begin(clicks, "one of others", set_to, width, NULL);
    begin(doubled, "doubled", hear_nothing, &one, NULL);
    assert_int_equal(swo_bind(clicks, width, NULL, NULL, NULL, NULL, NULL, NULL), SWO_OK);
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    send_one(clicks);
    assert_finds_nothing();
    swo_why_stop();
    swo_observable_release(doubled);
    swo_observable_release(clicks);
    swo_observable_release(width);
    assert_finds_nothing();
}

TEST(a_handler_that_observes_several_times_is_found) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks"), *keys = named(swo_messenger_new(), "keys");
    swo_queue *queue;
    swo_executor executor;
    assert_int_equal(swo_queue_new(0, SWO_QUEUE_DROP_OLDEST, &queue), SWO_OK);
    assert_int_equal(swo_queue_executor(queue, &executor), SWO_OK);
    int context;
    begin(clicks, "draw", hear_nothing, &context, NULL);
    begin(keys, "draw", hear_nothing, &context, NULL);
    begin(clicks, "another", hear_nothing, NULL, NULL);
    assert_finds_nothing();
    swo_observation again = begin(clicks, "draw", hear_nothing, &context, NULL);
    assert_finds(SWO_LINT_REPEATED, clicks, "handler \"draw\" observes messenger \"clicks\" 2 times");
    /* Also where an executor runs it. */
    begin(clicks, "later", hear_nothing, &context, &executor);
    assert_finds(SWO_LINT_REPEATED, clicks, "handler \"draw\" observes messenger \"clicks\" 3 times");
    swo_stop(again);
    assert_finds(SWO_LINT_REPEATED, clicks, "handler \"draw\" observes messenger \"clicks\" 2 times");
    swo_observable_release(clicks);
    assert_finds_nothing();
    swo_observable_release(keys);
    swo_queue_release(queue);
}

TEST(what_nothing_observes_is_found) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks"), *half, *both;
    assert_int_equal(swo_map(clicks, same, NULL, NULL, &half), SWO_OK);
    named(half, "half");
    assert_finds(SWO_LINT_UNOBSERVED, half, "nothing observes map \"half\", which is made from another observable");
    swo_observable *const sources[] = {clicks, half};
    assert_int_equal(swo_combine(sources, 2, &both), SWO_OK);
    named(both, "both");
    assert_finds(SWO_LINT_UNOBSERVED, both, "nothing observes combine \"both\", which is made from another observable");
    swo_observation id = begin(both, "shown", hear_nothing, NULL, NULL);
    assert_finds_nothing();
    swo_stop(id);
    swo_observable_release(both);
    swo_observable_release(half);
    swo_observable_release(clicks);
}

/* Sends one less to another messenger, until nothing is left. */
static void send_less(void *other, const swo_value *message, const void *author) {
    (void)author;
    const swo_value less = swo_int64(message->as.int64 - 1);
    if (message->as.int64 > 0) swo_send(other, &less, NULL);
}

TEST(a_change_that_comes_back_is_found) {
    swo_observable *here = named(swo_messenger_new(), "here"), *there = named(swo_messenger_new(), "there");
    begin(here, "send there", send_less, there, NULL);
    begin(there, "send back", send_less, here, NULL);
    const swo_value one = swo_int64(1), two = swo_int64(2);
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    assert_int_equal(swo_send(here, &one, NULL), SWO_OK);
    assert_finds_nothing();
    assert_int_equal(swo_send(here, &two, NULL), SWO_OK);
    assert_finds(SWO_LINT_CYCLE, here,
                 "a change of messenger \"here\" has led to another one of it, through \"send back\", \"send there\"");
    swo_why_stop();
    assert_finds_nothing();
    swo_observable_release(here);
    swo_observable_release(there);
}

TEST(a_handler_that_several_threads_have_called_is_found) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks");
    swo_queue *queue;
    swo_executor executor;
    assert_int_equal(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue), SWO_OK);
    assert_int_equal(swo_queue_executor(queue, &executor), SWO_OK);
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    begin(clicks, "draw", hear_nothing, NULL, NULL);
    begin(clicks, "later", hear_nothing, queue, &executor);
    send_one(clicks);
    send_one(clicks);
    assert_int_equal(swo_queue_drain(queue, SIZE_MAX, NULL), SWO_OK);
    assert_finds_nothing();
    on_another_thread(send_one, clicks);
    on_another_thread(drain_all, queue);
    lint(INT64_MAX);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.kinds[0], SWO_LINT_THREADS);
    assert_non_null(strstr(found.sentences[0], "handler \"draw\" of messenger \"clicks\" has been called on thread "));
    assert_non_null(strstr(found.sentences[0], " and on thread "));
    swo_why_stop();
    swo_observable_release(clicks);
    swo_queue_release(queue);
}

static void wait_a_little(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
    const struct timespec little = {0, 2000000};
    nanosleep(&little, NULL);
}

static void stop_this(void *id, const swo_value *message, const void *author) {
    (void)message, (void)author;
    swo_stop(*(swo_observation *)id);
}

TEST(a_handler_that_takes_long_is_found) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks");
    swo_observation once;
    begin(clicks, "save", wait_a_little, NULL, NULL);
    once = begin(clicks, "once", stop_this, &once, NULL);
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    send_one(clicks);
    assert_finds_nothing();
    lint(1000000);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.kinds[0], SWO_LINT_SLOW);
    assert_ptr_equal(found.observables[0], clicks);
    assert_non_null(strstr(found.sentences[0], "handler \"save\" of messenger \"clicks\" has taken 0.0"));
    swo_why_stop();
    lint(0);
    assert_int_equal(found.count, 0);
    swo_observable_release(clicks);
}

TEST(a_name_ends_no_quotes_and_no_line) {
    swo_observable *clicks = named(swo_messenger_new(), "a \"b\"\nc"), *same_again;
    assert_int_equal(swo_map(clicks, same, NULL, NULL, &same_again), SWO_OK);
    named(same_again, "d\\e\x1b[2J");
    assert_finds(SWO_LINT_UNOBSERVED, same_again,
                 "nothing observes map \"d\\\\e\\u001b[2J\", which is made from another observable");
    swo_observable_release(same_again);
    swo_observable_release(clicks);
}

TEST(what_is_no_question_is_refused) {
    swo_lint_options options = SWO_LINT_OPTIONS_INIT;
    assert_int_equal(options.slow, 100000000);
    assert_int_equal(swo_lint(NULL, NULL, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_lint(NULL, note, &found), SWO_OK);
    options.slow = -1;
    assert_int_equal(swo_lint(&options, note, &found), SWO_INVALID_ARGUMENT);
    options.slow = 0;
    options.size--;
    assert_int_equal(swo_lint(&options, note, &found), SWO_INVALID_ARGUMENT);
}

static pthread_barrier_t both;
static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;

static void *observe_and_stop(void *clicks) {
    for (int round = 0; round < 300; round++) {
        swo_observation id = begin(clicks, "again", hear_nothing, clicks, NULL);
        send_one(clicks);
        swo_stop(id);
    }
    /* Both live, and each delivers once at least: else one might have delivered all. */
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&alone);
    send_one(clicks);
    pthread_mutex_unlock(&alone);
    pthread_barrier_wait(&both);
    return NULL;
}

static void count_only(void *context, int32_t kind, const swo_observable *observable, const char *sentence) {
    (void)observable;
    assert_in_range(kind, SWO_LINT_REPEATED, SWO_LINT_SLOW);
    assert_true(strlen(sentence) > 0);
    ++*(long *)context;
}

TEST(it_is_asked_while_threads_send_observe_and_stop) {
    swo_observable *clicks = named(swo_messenger_new(), "clicks");
    pthread_t threads[2];
    long seen = 0;
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    begin(clicks, "stays", hear_nothing, clicks, NULL);
    assert_int_equal(pthread_barrier_init(&both, NULL, 2), 0);
    for (int index = 0; index < 2; index++)
        assert_int_equal(pthread_create(&threads[index], NULL, observe_and_stop, clicks), 0);
    for (int round = 0; round < 100; round++) assert_int_equal(swo_lint(NULL, count_only, &seen), SWO_OK);
    for (int index = 0; index < 2; index++) pthread_join(threads[index], NULL);
    pthread_barrier_destroy(&both);
    lint(INT64_MAX);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.kinds[0], SWO_LINT_THREADS);
    swo_why_stop();
    swo_observable_release(clicks);
}
