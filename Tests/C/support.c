/* SPDX-License-Identifier: MIT */
/* What the C tests share: see support.h. */
#include "support.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

void must_fail(const char *file, int line, const char *condition) {
    fprintf(stderr, "%s:%d: violated: %s\n", file, line, condition);
    abort();
}

void must_be_ok(const char *file, int line, const char *call, swo_status status) {
    if (status == SWO_OK) return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, swo_status_text(status));
    abort();
}

long scaled(long count) {
    const char *scale = getenv("SWO_TEST_SCALE");
    long result = scale == NULL ? count : (long)((double)count * atof(scale));
    return result < 4 ? 4 : result;
}

static void give_up(int number) {
    static const char sentence[] = "a test has been running for half an hour: something waits for ever\n";
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) >= 0) _exit(EXIT_FAILURE);
    _exit(EXIT_FAILURE);
}

/* ---- the run ---- */

enum { MOST_TESTS = 300 };
static struct CMUnitTest tests[MOST_TESTS];
static size_t test_count;
static atomic_long living_probes;

static int begin_test(void **state) {
    /* A test that failed leaves them as they were. */
    journal_clear(&journal);
    living_probes = 0;
    if (set_up != NULL) set_up();
    return 0;
}

static int end_test(void **state) {
    if (tear_down != NULL) tear_down();
    EXPECT_TRACE("");
    assert_int_equal(living_probes, 0);
    return 0;
}

void add_test_of(const char *name, CMUnitTestFunction test, void *subject) {
    must(test_count < MOST_TESTS);
    tests[test_count++] = (struct CMUnitTest){name, test, begin_test, end_test, subject};
}

void add_test(const char *name, CMUnitTestFunction test) { add_test_of(name, test, NULL); }

/* Those of the tests that match one of the patterns, in the order of these. */
static size_t choose(char **patterns, struct CMUnitTest *chosen) {
    size_t count = 0;
    for (; *patterns != NULL; patterns++)
        for (size_t i = 0; i < test_count && count < MOST_TESTS; i++)
            if (strcmp(*patterns, tests[i].name) == 0 || fnmatch(*patterns, tests[i].name, 0) == 0)
                chosen[count++] = tests[i];
    return count;
}

/* The program dies after half an hour, so that a deadlock is a failure. Its arguments are patterns of names, or
 * `--list`. */
int main(int count, char **arguments) {
    static struct CMUnitTest chosen[MOST_TESTS];
    const char *name = strrchr(arguments[0], '/');
    if (count > 1 && strcmp(arguments[1], "--list") == 0) {
        for (size_t i = 0; i < test_count; i++) puts(tests[i].name);
        return EXIT_SUCCESS;
    }
    signal(SIGALRM, give_up);
    alarm(WATCHDOG);
    /* Which test was running is known also of a program that is ended. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    name = name == NULL ? arguments[0] : name + 1;
    if (count == 1) return _cmocka_run_group_tests(name, tests, test_count, NULL, NULL);
    return _cmocka_run_group_tests(name, chosen, choose(arguments + 1, chosen), NULL, NULL);
}

void send_number(swo_observable *observable, int64_t number) {
    swo_value message = swo_int64(number);
    ok(swo_send(observable, &message, NULL));
}

void set_number(swo_observable *variable, int64_t number) {
    swo_value value = swo_int64(number);
    ok(swo_variable_set(variable, &value, NULL));
}

int64_t number_of(swo_observable *variable) {
    swo_value value;
    ok(swo_variable_get(variable, &value));
    must(value.kind == SWO_KIND_INT64);
    return value.as.int64;
}

swo_observable *number_variable(int64_t number) {
    swo_value initial = swo_int64(number);
    swo_observable *variable;
    ok(swo_variable_new(&initial, &variable));
    return variable;
}

swo_observable *deferred_variable(int64_t number) {
    swo_value initial = swo_int64(number);
    swo_observable *variable = NULL;
    ok(swo_deferred_variable_new(&initial, &variable));
    return variable;
}

swo_queue *new_queue(swo_executor *executor) { return queue_of(0, SWO_QUEUE_BLOCK, executor); }

swo_queue *queue_of(size_t bound, int32_t policy, swo_executor *executor) {
    swo_queue *queue;
    ok(swo_queue_new(bound, policy, &queue));
    if (executor) ok(swo_queue_executor(queue, executor));
    return queue;
}

size_t drain(swo_queue *queue, size_t most) {
    size_t run = 0;
    ok(swo_queue_drain(queue, most, &run));
    return run;
}

static bool poll_queue(swo_queue *queue, int timeout) {
    struct pollfd watched = {.fd = swo_queue_fd(queue), .events = POLLIN};
    return poll(&watched, 1, timeout) == 1;
}

bool is_readable(swo_queue *queue) { return poll_queue(queue, 0); }

void await_readable(swo_queue *queue) { must(poll_queue(queue, -1)); }

void ignore_message(void *context, const swo_value *message, const void *author) {}

void ignore_all(void *context, const swo_value *messages, size_t count, const void *author) {}

swo_status times_ten(void *context, const swo_value *message, swo_value *out) {
    must(out->kind == SWO_KIND_NULL);
    GIVE(swo_int64(message->as.int64 * 10));
}

swo_status map_to_same(void *context, const swo_value *message, swo_value *out) { GIVE(*message); }
swo_status plus_one(void *context, const swo_value *message, swo_value *out) { GIVE(swo_int64(message->as.int64 + 1)); }
swo_status always_fail(void *context, const swo_value *message, swo_value *out) { return SWO_CALLBACK_FAILED; }

bool accept_all(void *context, const swo_value *message) { return true; }

/* One lock for all journals: they are short, and a zeroed one is ready for use. */
struct journal journal;
static pthread_mutex_t journal_lock = PTHREAD_MUTEX_INITIALIZER;

static void append(struct journal *journal, const char *text, size_t length) {
    if (journal->capacity <= journal->length + length) {
        journal->capacity = 2 * (journal->length + length + 1);
        journal->text = realloc(journal->text, journal->capacity);
        must(journal->text != NULL);
    }
    memcpy(journal->text + journal->length, text, length);
    journal->length += length;
    journal->text[journal->length] = '\0';
}

static void append_value(struct journal *journal, const swo_value *value) {
    char text[64];
    switch (value->kind) {
    case SWO_KIND_NULL: append(journal, "null", 4); return;
    case SWO_KIND_BOOL: snprintf(text, sizeof text, "%s", value->as.boolean ? "true" : "false"); break;
    case SWO_KIND_INT64: snprintf(text, sizeof text, "%" PRId64, value->as.int64); break;
    case SWO_KIND_DOUBLE: snprintf(text, sizeof text, "%g", value->as.float64); break;
    case SWO_KIND_TEXT:
    case SWO_KIND_BYTES: append(journal, value->as.bytes.data, value->as.bytes.size); return;
    case SWO_KIND_OBJECT: snprintf(text, sizeof text, "object"); break;
    case SWO_KIND_LIST:
        append(journal, "[", 1);
        for (size_t i = 0; i < value->as.list.count; i++) {
            if (i > 0) append(journal, " ", 1);
            append_value(journal, &value->as.list.values[i]);
        }
        append(journal, "]", 1);
        return;
    default:
        append(journal, "(", 1);
        append_value(journal, &value->as.update->old_value);
        append(journal, ",", 1);
        append_value(journal, &value->as.update->new_value);
        append(journal, ")", 1);
        return;
    }
    append(journal, text, strlen(text));
}

void journal_note(struct journal *journal, const char *name, const swo_value *message) {
    pthread_mutex_lock(&journal_lock);
    if (journal->length > 0) append(journal, " ", 1);
    append(journal, name, strlen(name));
    if (message != NULL) append_value(journal, message);
    pthread_mutex_unlock(&journal_lock);
}

const char *journal_text(struct journal *journal) { return journal->text == NULL ? "" : journal->text; }

void journal_clear(struct journal *journal) {
    free(journal->text);
    *journal = (struct journal){0};
}

struct gate *gate_new(void) {
    struct gate *gate = malloc(sizeof *gate);
    must(gate != NULL && sem_init(&gate->arrived, 0, 0) == 0 && sem_init(&gate->opened, 0, 0) == 0);
    return gate;
}

void gate_free(struct gate *gate) {
    sem_destroy(&gate->arrived);
    sem_destroy(&gate->opened);
    free(gate);
}

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) != 0) continue; /* interrupted */
}

void gate_pass(struct gate *gate) {
    sem_post(&gate->arrived);
    wait_for(&gate->opened);
}

void gate_await(struct gate *gate) { wait_for(&gate->arrived); }

void gate_open(struct gate *gate) { sem_post(&gate->opened); }

swo_observation observe_all(swo_observable *observable, swo_observer *observer, struct probe **probes) {
    swo_observation last = 0;
    for (struct probe *probe; (probe = *probes) != NULL; probes++) {
        probe->observable = observable;
        probe->observer = observer;
        probe->is_counted = true;
        living_probes++;
        ok(swo_observe(observable, observer, probe_receive, probe, probe_destroy, &probe->observation));
        last = probe->observation;
    }
    return last;
}

void probe_receive(void *context, const swo_value *message, const void *author) {
    struct probe *probe = context;
    must(probe->destroyed == 0);
    probe->running++;
    probe->calls++;
    probe->author = author;
    if (probe->journal != NULL) journal_note(probe->journal, probe->name, message);
    if (probe->action != NULL) probe->action(probe, message, author);
    must(probe->destroyed == 0);
    probe->running--;
}

void probe_destroy(void *context) {
    struct probe *probe = context;
    must(probe->running == 0);
    must(probe->destroyed++ == 0);
    if (probe->is_counted) living_probes--;
    if (probe->at_end != NULL) probe->at_end(probe);
}

void stop_self(struct probe *probe, const swo_value *message, const void *author) { ok(swo_stop(probe->observation)); }

void pass_gate(struct probe *probe, const swo_value *message, const void *author) { gate_pass(probe->gate); }

unsigned chance(uint64_t *random, unsigned choices) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(*random >> 33) % choices;
}

pthread_t begin_thread(void *(*body)(void *), void *context) {
    pthread_t thread;
    must(pthread_create(&thread, NULL, body, context) == 0);
    return thread;
}

void join_thread(pthread_t thread) { must(pthread_join(thread, NULL) == 0); }

pthread_t begin_held(void *(*body)(void *), void *context, struct gate *gate) {
    pthread_t thread = begin_thread(body, context);
    gate_await(gate);
    return thread;
}

void release_held(pthread_t thread, struct gate *gate) {
    gate_open(gate);
    join_thread(thread);
}

void run_tasks(const struct task *tasks, size_t count) {
    pthread_t threads[16];
    must(count <= 16);
    for (size_t i = 0; i < count; i++) threads[i] = begin_thread(tasks[i].body, tasks[i].context);
    for (size_t i = 0; i < count; i++) join_thread(threads[i]);
}

void run_with_all(void *(*body)(void *), void *array, size_t count, size_t size) {
    struct task tasks[16];
    must(count <= 16);
    for (size_t i = 0; i < count; i++) tasks[i] = (struct task){body, (char *)array + i * size};
    run_tasks(tasks, count);
}

void run_on_threads(int count, void *(*body)(void *), void *context) {
    struct task tasks[16];
    must(count <= 16);
    for (int i = 0; i < count; i++) tasks[i] = (struct task){body, context};
    run_tasks(tasks, (size_t)count);
}

void *send_one_number(void *observable) {
    send_number(observable, 1);
    return NULL;
}

void *release_on_thread(void *observable) {
    swo_observable_release(observable);
    return NULL;
}

void give_way(atomic_bool *done) {
    /* Few turns: where every processor is busy, each costs a time slice. */
    for (int turn = 0; turn < 10; turn++) {
        for (int look = 0; look < 10000; look++)
            if (*done) return;
        sched_yield();
    }
}
