/* SPDX-License-Identifier: MIT */
/* What happens without memory: a status where there is one, else the end of the program with a sentence that says so.
 * In a child process one allocation after the other fails, inside one call of the library. */
#include "support.h"
#include <errno.h>
#include <operators.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- allocations that fail ---- */

static bool counting, all_fail;
static long failing, allocations;

/* Sanitizers have allocators of their own, in front of which these cannot stand. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OWN_ALLOCATOR 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define OWN_ALLOCATOR 0
#endif
#endif
#ifndef OWN_ALLOCATOR
#define OWN_ALLOCATOR 1
static bool fails(void) { return counting && (all_fail || ++allocations == failing); }

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) { return fails() ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
    if (fails()) return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return 0;
}
#endif

/* ---- calls ---- */

/* What the calls use: made before, with all the memory in the world. */
struct world {
    swo_observable *messenger, *variable, *deferred, *map, *pair[2];
    swo_observer *observer;
    swo_queue *queue, *full;
    swo_clock *hand;
    swo_executor executor;
    swo_value text, copied;
    swo_observation observation;
    /* What a call has made. */
    swo_observable *made;
    void *other;
    swo_status nested;
    swo_status (*in_handler)(struct world *world);
};

HANDLER(ignore, context) {}
static swo_status add_nothing(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    return SWO_OK;
}
static swo_status choose_nothing(void *context, const swo_value *message, swo_observable **out) { return SWO_OK; }
static void wake_nothing(void *context, int64_t time) {}
MAPPER(pass, context, message) { GIVE(*message); }

MAPPER(make_text, context, old_value) { GIVE(*(const swo_value *)context); }

PREDICATE(accept, context) { return true; }
static void begin(void *context) { (void)context; }

/* Whether there was memory for what has no status. */
static swo_status unless_null(const void *made) { return made == NULL ? SWO_NO_MEMORY : SWO_OK; }

static struct {
    const char *name;
    swo_status (*call)(struct world *world);
} calls[100];
static size_t call_count;

#define CALL(what, ...)                                                                                                \
    static swo_status call_##what(struct world *w) { __VA_ARGS__ }                                                     \
    __attribute__((constructor)) static void add_##what(void) {                                                        \
        must(call_count < COUNT(calls));                                                                               \
        calls[call_count].name = #what;                                                                                \
        calls[call_count++].call = call_##what;                                                                        \
    }

CALL(messenger, return unless_null(w->made = swo_messenger_new());)
CALL(observer, return unless_null(w->other = swo_observer_new());)
CALL(variable, return swo_variable_new(&w->text, &w->made);)
CALL(deferred, return swo_deferred_variable_new(&w->text, &w->made);)
CALL(value_copy, return swo_value_copy(&w->text, &w->copied);)
CALL(get, return swo_variable_get(w->variable, &w->copied);)
CALL(set, return swo_variable_set(w->variable, &w->text, NULL);)
CALL(set_deferred, return swo_variable_set(w->deferred, &w->text, NULL);)
CALL(update, return swo_variable_update(w->variable, make_text, &w->text, NULL);)
CALL(begin_batch, return swo_variable_begin_batch(w->variable);)
CALL(send, return swo_send(w->messenger, &w->text, NULL);)
CALL(latest, return swo_latest(w->map, &w->copied);)
CALL(send_latest, return swo_send_latest(w->map, NULL);)
CALL(observe, return swo_observe(w->messenger, NULL, ignore, NULL, NULL, NULL);)
CALL(observe_many, swo_status status = SWO_OK;
     for (int i = 0; i < 20 && status == SWO_OK; i++)
         status = swo_observe(w->messenger, w->observer, ignore, NULL, NULL, NULL);
     return status;)
CALL(observe_by, return swo_observe(w->messenger, w->observer, ignore, NULL, NULL, NULL);)
CALL(observe_on, return swo_observe_on(w->messenger, w->observer, &w->executor, ignore, NULL, NULL, NULL);)
CALL(observe_with, swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
     options.name = "a name of more than some bytes"; options.replay = 1; options.keeps_observable = true;
     return swo_observe_with(w->variable, &options, ignore, NULL, NULL, NULL);)
CALL(observe_later, swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT; options.executor = &w->executor;
     options.begins_on_executor = true; return swo_observe_with(w->variable, &options, ignore, NULL, NULL, NULL);)
CALL(combine, return swo_observe_combined(w->pair, 2, w->observer, ignore_all, NULL, NULL, NULL);)
CALL(block, return swo_block(w->observation);)
CALL(block_observable, return swo_observable_block(w->messenger);)
CALL(unordered, return swo_observable_set_ordered(w->messenger, false);)
CALL(hooks, const swo_hooks none = SWO_HOOKS_INIT; return swo_observable_set_hooks(w->messenger, &none);)
CALL(on_demand, return swo_observable_on_demand(w->messenger, begin, begin, NULL, NULL);)
#define A_SOURCE w->messenger
#define SOURCES w->pair, 2
#define A_MAPPER pass, NULL, NULL
#define A_PREDICATE accept, NULL, NULL
#define A_NUMBER 2
#define A_VALUE &w->text
#define AN_INITIAL &w->text
#define AN_AUTHOR NULL
#define OPERATOR(name, ...) CALL(name, return swo_##name(__VA_ARGS__, &w->made);)
EVERY_OPERATOR(OPERATOR)
CALL(combine_all, return swo_combine(w->pair, 2, &w->made);)
CALL(zip, return swo_zip(w->pair, 2, &w->made);)
CALL(with_latest_from, return swo_with_latest_from(w->messenger, w->pair, 2, &w->made);)
CALL(sample, return swo_sample(w->messenger, w->variable, &w->made);)
CALL(scan, return swo_scan(w->messenger, &w->text, add_nothing, NULL, NULL, &w->made);)
CALL(switch_to_latest, return swo_switch_to_latest(w->messenger, choose_nothing, NULL, NULL, &w->made);)
CALL(flat_map, return swo_flat_map(w->messenger, 2, choose_nothing, NULL, NULL, &w->made);)
CALL(debounce, return swo_debounce(w->messenger, 1, w->hand, &w->made);)
CALL(throttle, return swo_throttle(w->messenger, 1, SWO_THROTTLE_BOTH, w->hand, &w->made);)
CALL(delay, return swo_delay(w->messenger, 1, w->hand, &w->made);)
CALL(timeout, return swo_timeout(w->messenger, 1, &w->text, w->hand, &w->made);)
CALL(buffer, return swo_buffer(w->messenger, 2, 1, w->hand, &w->made);)
CALL(ticks, return swo_ticks(1, w->hand, &w->made);)
CALL(bind, swo_bind_options options = SWO_BIND_OPTIONS_INIT; options.observer = w->observer; options.both = true;
     return swo_bind(w->variable, w->deferred, NULL, NULL, NULL, NULL, &options, NULL);)
CALL(clock_of_queue, return swo_queue_clock(w->queue, (swo_clock **)&w->other);)
CALL(clock_with_timer, swo_timer timer = SWO_TIMER_INIT; timer.wake_at = wake_nothing;
     return swo_clock_with_timer(&timer, NULL, NULL, (swo_clock **)&w->other);)
CALL(set_source, return swo_transform_set_source(w->map, w->messenger);)
CALL(name, return swo_observable_set_name(w->messenger, "a name of more than some bytes");)
CALL(queue, return swo_queue_new(0, SWO_QUEUE_BLOCK, (swo_queue **)&w->other);)
CALL(bounded_queue, return swo_queue_new(5, SWO_QUEUE_BLOCK, (swo_queue **)&w->other);)
CALL(walk, const swo_graph_visitor nothing = SWO_GRAPH_VISITOR_INIT; return swo_graph_walk(w->pair, 2, &nothing, NULL);)
CALL(dot, return swo_graph_dot(w->pair, 2, &w->copied);)
CALL(why, return swo_why(w->messenger, SWO_WHY_TEXT, &w->copied);)
CALL(stop, return swo_stop(w->observation);)
CALL(drain, return swo_queue_drain(w->queue, 0, NULL);)

/* Inside a handler of the messenger, the variable or the deferred variable, where much has to wait. */
HANDLER(act, context) {
    struct world *world = context;
    if (world->in_handler == NULL) return;
    swo_status (*call)(struct world *) = world->in_handler;
    world->in_handler = NULL;
    counting = true;
    world->nested = call(world);
}

static swo_status inside(struct world *w, swo_observable *observable, swo_status (*call)(struct world *)) {
    swo_value one = swo_int64(1);
    counting = false; /* until the handler is called */
    ok(swo_observe(observable, NULL, act, w, NULL, NULL));
    w->in_handler = call;
    swo_status status =
        observable == w->messenger ? swo_send(observable, &one, NULL) : swo_variable_set(observable, &one, NULL);
    return w->nested == SWO_OK ? status : w->nested;
}

CALL(nested_send, return inside(w, w->messenger, call_send);)
CALL(nested_observe, return inside(w, w->messenger, call_observe_many);)
CALL(nested_stop, return inside(w, w->messenger, call_stop);)
CALL(nested_map, return inside(w, w->messenger, call_map);)
CALL(nested_set, return inside(w, w->variable, call_set);)
CALL(nested_update, return inside(w, w->variable, call_update);)
CALL(nested_deferred, return inside(w, w->deferred, call_set_deferred);)
CALL(nested_replay, return inside(w, w->variable, call_observe_with);)
CALL(batch, swo_status status = swo_variable_begin_batch(w->variable);
     if (status == SWO_OK) status = swo_variable_set(w->variable, &w->text, NULL);
     swo_status end = swo_variable_end_batch(w->variable); return status == SWO_OK ? end : status;)
CALL(send_to_queue, swo_status status = SWO_OK;
     for (int i = 0; i < 40 && status == SWO_OK; i++) status = swo_send(w->pair[0], &w->text, NULL); return status;)

static void make_world(struct world *w) {
    *w = (struct world){0};
    w->text = swo_text("a text of more than thirty-two bytes, which is long enough to need memory");
    swo_value zero = swo_text("zero, and more than thirty-two bytes, so that it needs memory, too");
    w->messenger = swo_messenger_new();
    w->observer = swo_observer_new();
    ok(swo_variable_new(&zero, &w->variable));
    ok(swo_deferred_variable_new(&zero, &w->deferred));
    ok(swo_new_values(w->variable, &w->map));
    ok(swo_queue_new(0, SWO_QUEUE_BLOCK, &w->queue));
    w->hand = swo_clock_new();
    ok(swo_queue_executor(w->queue, &w->executor));
    ok(swo_observe(w->messenger, NULL, ignore, NULL, NULL, &w->observation));
    ok(swo_observe(w->variable, NULL, ignore, NULL, NULL, NULL));
    ok(swo_observe(w->deferred, NULL, ignore, NULL, NULL, NULL));
    ok(swo_cache(w->messenger, &zero, &w->pair[0]));
    w->pair[1] = w->map;
    ok(swo_observe_on(w->pair[0], NULL, &w->executor, ignore, NULL, NULL, NULL));
}

/* ---- what becomes of them ---- */

enum { DONE = 10, TOLD = 11, NEVER_FAILED = 12, TOLD_OTHERWISE = 13 };

/* Makes one call, whose allocation number `number` fails. After that, the library has to be as good as before. */
static void make_call(size_t which, long number) {
    struct world world;
    make_world(&world);
    failing = number;
    allocations = 0;
    counting = true;
    swo_status status = calls[which].call(&world);
    counting = false;
    if (allocations < number) _exit(NEVER_FAILED);
    /* A send without memory for the copies of an executor has been refused by that. */
    if (status != SWO_OK && status != SWO_NO_MEMORY && status != SWO_CALLBACK_FAILED && status != SWO_REFUSED)
        _exit(TOLD_OTHERWISE);
    must(status == SWO_OK || world.made == NULL);
    world.nested = SWO_OK;
    must(calls[which].call(&world) == SWO_OK || calls[which].call == call_stop ||
         calls[which].call == call_nested_stop);
    send_number(world.messenger, 5);
    ok(swo_variable_set(world.variable, &world.text, NULL));
    ok(swo_queue_drain(world.queue, 0, NULL));
    /* Unloading, and what else comes at the end, goes well, too. */
    exit(status == SWO_OK ? DONE : TOLD);
}

/* Makes the call in a child. What it writes to its standard error comes back. */
static int status_of_child(size_t which, long number, char *said, size_t size) {
    int ends[2], status;
    must(pipe(ends) == 0);
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        static const int deadly[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
        for (size_t i = 0; i < COUNT(deadly); i++) signal(deadly[i], SIG_DFL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_DUMPABLE, 0);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        make_call(which, number);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t more; (more = read(ends[0], said + length, size - 1 - length)) > 0;) length += (size_t)more;
    said[length] = '\0';
    close(ends[0]);
    must(waitpid(child, &status, 0) == child);
    return status;
}

/* Valgrind, too, has an allocator in front of these. And the ordinary Swift runtime allocates by itself, and ends the
 * process with words of its own. */
static bool can_fail(void) {
    if (!OWN_ALLOCATOR || strcmp(swo_runtime_text(), "embedded") != 0) return false;
    allocations = 0;
    counting = true;
    swo_observable_release(swo_messenger_new());
    counting = false;
    return allocations > 0;
}

TEST(a_call_without_memory_says_so) {
    if (!can_fail()) skip();
    long crashed = 0, unclear = 0, done = 0, told = 0, ended = 0, otherwise = 0;
    for (size_t which = 0; which < call_count; which++) {
        for (long number = 1;; number++) {
            char said[2000];
            int status = status_of_child(which, number, said, sizeof said);
            bool exited = WIFEXITED(status);
            if (exited && WEXITSTATUS(status) == NEVER_FAILED) break;
            const char *what = NULL;
            if (exited && WEXITSTATUS(status) == DONE) {
                done++;
            } else if (exited && WEXITSTATUS(status) == TOLD) {
                told++;
            } else if (exited) {
                otherwise++, what = "returned another status";
            } else if (WTERMSIG(status) != SIGABRT && WTERMSIG(status) != SIGILL && WTERMSIG(status) != SIGTRAP) {
                crashed++, what = "crashed";
            } else if (strstr(said, "out of memory") == NULL) {
                unclear++, what = "ended without a word about memory";
            } else {
                ended++;
            }
            if (what != NULL) print_error("%s, allocation %ld %s: %.120s\n", calls[which].name, number, what, said);
        }
    }
    print_message("%ld told, %ld done without, %ld ended with a sentence, %ld without, %ld otherwise, %ld crashed\n",
                  told, done, ended, unclear, otherwise, crashed);
    assert_int_equal(crashed, 0);
    assert_int_equal(unclear, 0);
    assert_int_equal(otherwise, 0);
}

/* What is called when the library lives on its reserve. */
static void begin_without_memory(void) {
    static swo_status (*const beginnings[])(struct world *) = {
        call_observe, call_observe_by, call_observe_on, call_observe_with, call_observe_later, call_combine,
        call_map,     call_merge,      call_cache,      call_replay,       call_variable,      call_deferred};
    struct world world;
    make_world(&world);
    counting = all_fail = true;
    swo_status status = SWO_OK;
    for (int i = 0; i < 1000 && status == SWO_OK; i++) status = call_observe(&world);
    must(status == SWO_NO_MEMORY);
    for (size_t i = 0; i < COUNT(beginnings); i++) must(beginnings[i](&world) == SWO_NO_MEMORY);
    counting = false;
    for (size_t i = 0; i < COUNT(beginnings); i++) must(beginnings[i](&world) == SWO_OK);
    exit(DONE);
}

TEST(while_the_reserve_is_in_use_nothing_begins) {
    int status;
    if (!can_fail()) skip();
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) begin_without_memory();
    must(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DONE);
}
