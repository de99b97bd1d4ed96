/* SPDX-License-Identifier: MIT */
/* A Python interpreter in a C program with threads: C sends while Python runs, and the other way round. */
#include "../support.h"
#include <interpreter.h>
#include <swiftobserver/poll.h>

MAPPER(add_one, context, old_value) {
    *out = swo_int64(old_value->as.int64 + 1);
    return SWO_OK;
}

struct adder {
    swo_observable *number;
    long rounds;
};

THREAD(add_ones, context) {
    struct adder *adder = context;
    for (long round = 0; round < adder->rounds; round++)
        must(swo_variable_update(adder->number, add_one, NULL, NULL) == SWO_OK);
    return NULL;
}

/* Law 4, on whatever thread. */
static void count(void *context, const swo_value *update, const void *author) {
    long *calls = context;
    must(update->as.update->old_value.as.int64 == *calls);
    must(update->as.update->new_value.as.int64 == ++*calls);
}

TEST(both_sides_see_in_order_what_threads_of_both_sides_set) {
    long rounds = scaled(3000), goal = 4 * rounds, calls = 0, calls_here = 0;
    swo_observable *variables[] = {number_variable(0), number_variable(0), number_variable(rounds)};
    swo_observable *number = variables[0], *seen_by_python = variables[1];
    struct adder adder = {number, rounds};
    swo_executor here;
    OWN_QUEUE *queue;
    must(swo_queue_new(0, SWO_QUEUE_BLOCK, &queue) == SWO_OK);
    must(swo_queue_executor(queue, &here) == SWO_OK);
    must(swo_observe(number, NULL, count, &calls, NULL, NULL) == SWO_OK);
    must(swo_observe_on(number, NULL, &here, count, &calls_here, NULL, NULL) == SWO_OK);

    pthread_t one = begin_thread(add_ones, &adder), other = begin_thread(add_ones, &adder);
    assert_true(interpreter_load("Tests/C/plugin/counting.py", variables, 3));
    while (calls_here < goal) assert_int_equal(swo_poll_drain(queue, -1, NULL), SWO_OK);
    join_threads(one, other);
    assert_true(interpreter_load("Tests/C/plugin/joining.py", NULL, 0));
    assert_int_equal(calls, goal);
    assert_int_equal(number_of(number), goal);
    assert_int_equal(number_of(seen_by_python), goal);
    assert_false(interpreter_has_failed());
    for (int each = 0; each < 3; each++) swo_observable_release(variables[each]);
}

THREAD(answer, context) {
    swo_observable *const *variables = context;
    set_number(variables[1], 1);
    return NULL;
}

struct asked {
    swo_observable *const *variables;
    pthread_t thread;
};

static void answer_elsewhere(void *context, const swo_value *update, const void *author) {
    struct asked *asked = context;
    asked->thread = begin_thread(answer, (void *)asked->variables);
}

TEST(python_on_the_main_thread_hears_what_another_thread_sends_meanwhile) {
    swo_observable *variables[] = {number_variable(0), number_variable(0)};
    struct asked asked = {.variables = variables};
    must(swo_observe(variables[0], NULL, answer_elsewhere, &asked, NULL, NULL) == SWO_OK);
    assert_true(interpreter_load("Tests/C/plugin/waiting.py", variables, 2));
    join_thread(asked.thread);
    assert_false(interpreter_has_failed());
    for (int each = 0; each < 2; each++) swo_observable_release(variables[each]);
}

static void end(void) { interpreter_end(); }

void set_up(void) {
    static bool is_begun;
    if (is_begun) return;
    must(interpreter_begin());
    must(atexit(end) == 0);
    is_begun = true;
}
