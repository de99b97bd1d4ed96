/* SPDX-License-Identifier: MIT */
/* A child process goes on with what no other thread was using, whatever the others were doing when it was made. */
#include "deriving.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool is_over;

/* Takes every sort of lock, as often as it can, of objects that lie anywhere. */
TASK(keep_busy, unused) {
    swo_executor executor;
    swo_queue *queue = new_queue(&executor);
    while (!is_over) {
        swo_observable *messengers[16];
        swo_observer *observer = swo_observer_new();
        for (int i = 0; i < 16; i++) {
            messengers[i] = swo_messenger_new();
            ok(swo_observe(messengers[i], observer, ignore_message, NULL, NULL, NULL));
            ok(swo_observe_on(messengers[i], observer, &executor, ignore_message, NULL, NULL, NULL));
            send_number(messengers[i], i);
        }
        ok(swo_queue_drain(queue, 0, NULL));
        swo_observer_release(observer);
        for (int i = 0; i < 16; i++) swo_observable_release(messengers[i]);
    }
    swo_queue_release(queue);
}

HANDLER(count, calls) { ++*(int *)calls; }

enum { QUIET = 64 };

/* An exit would have valgrind look for what the threads of the parent have left. */
static void end_child(bool is_well) {
    if (is_well) raise(SIGKILL);
    _exit(1);
}

static bool ends_well(pid_t child) {
    int status;
    return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

/* What the child does with what it has inherited, and with what it makes. */
static void use_everything(swo_observable *const inherited[QUIET], const swo_observation ids[QUIET], int *calls) {
    alarm(WATCHDOG);
    *calls = 0;
    for (int i = 0; i < QUIET; i++) {
        send_number(inherited[i], i);
        ok(swo_stop_and_wait(ids[i]));
        send_number(inherited[i], i);
        swo_observable *own = number_variable(i);
        swo_observer *observer = swo_observer_new();
        ok(swo_observe(own, observer, count, calls, NULL, NULL));
        set_number(own, i + 1);
        swo_observer_release(observer);
        set_number(own, i + 2);
        swo_observable_release(own);
    }
    end_child(*calls == 2 * QUIET);
}

TEST(a_child_goes_on_whatever_the_other_threads_were_doing) {
    int calls = 0;
    swo_observable *quiet[QUIET];
    swo_observation ids[QUIET];
    pthread_t busy[3];
    is_over = false;
    for (int i = 0; i < QUIET; i++) {
        quiet[i] = swo_messenger_new();
        ok(swo_observe(quiet[i], NULL, count, &calls, NULL, &ids[i]));
    }
    for (int i = 0; i < 3; i++) busy[i] = begin_thread(keep_busy, NULL);
    for (long i = scaled(300); i > 0; i--) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) use_everything(quiet, ids, &calls);
        assert_true(ends_well(child));
    }
    is_over = true;
    for (int i = 0; i < 3; i++) join_thread(busy[i]);
    for (int i = 0; i < QUIET; i++) swo_observable_release(quiet[i]);
    assert_int_equal(calls, 0);
}

HANDLER(fork_here, calls) {
    pid_t child = fork();
    must(child >= 0);
    if (child > 0) must(ends_well(child));
    *(int *)calls += child == 0 ? 10 : 1;
}

/* Within a delivery, parent and child each finish it. */
TEST(a_handler_may_fork) {
    int calls = 0;
    pid_t parent = getpid();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, fork_here, &calls, NULL, NULL));
    ok(swo_observe(messenger, NULL, count, &calls, NULL, NULL));
    send_number(messenger, 1);
    if (getpid() != parent) end_child(calls == 11);
    assert_int_equal(calls, 2);
}

TASK(send_many, observable) {
    for (int number = 0; number < 100; number++) send_number(observable, number);
}

TEST(a_child_process_goes_on_with_what_a_thread_of_its_parent_has_used_for_long) {
    int received = 0;
    swo_observable *of_this = swo_messenger_new(), *of_another = swo_messenger_new();
    ok(swo_observe(of_this, NULL, count, &received, NULL, NULL));
    ok(swo_observe(of_another, NULL, count, &received, NULL, NULL));
    send_many(of_this);
    join_thread(begin_thread(send_many, of_another));
    pid_t child = fork();
    if (child == 0) {
        send_many(of_another);
        join_thread(begin_thread(send_many, of_this));
        send_many(of_this);
        end_child(received == 500);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    swo_observable_release(of_this);
    swo_observable_release(of_another);
}

TASK(read_until_over, variable) {
    while (!is_over) must(number_of(variable) == 7);
}

/* Reading leaves nothing half done, so a variable that is only read is not in use. */
TEST(a_child_process_reads_and_sets_what_a_thread_of_its_parent_was_reading) {
    OWN_OBSERVABLE *variable = number_variable(7);
    is_over = false;
    pthread_t reader = begin_thread(read_until_over, variable);
    for (long i = scaled(300); i > 0; i--) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(WATCHDOG);
            must(number_of(variable) == 7);
            set_number(variable, 8);
            end_child(number_of(variable) == 8);
        }
        assert_true(ends_well(child));
    }
    is_over = true;
    join_thread(reader);
}

TASK(set_until_over, variable) {
    for (int64_t n = 0; !is_over; n++) set_number(variable, n);
}

/* The thread goes where the variables are without a lock, as it alone sets them. */
TEST(a_child_process_reads_and_sets_what_depends_on_what_a_thread_of_its_parent_was_setting) {
    OWN_OBSERVABLE *variable = number_variable(0);
    struct formula of_twice = FORMULA(add, variable, variable), of_more = FORMULA(add, variable);
    of_more.number = 1;
    OWN_OBSERVABLE *twice = derive(&of_twice), *more = derive(&of_more);
    ok(swo_observe(twice, NULL, ignore_message, NULL, NULL, NULL));
    is_over = false;
    pthread_t setter = begin_thread(set_until_over, variable);
    while (number_of(more) < 1000) sched_yield();
    for (long i = scaled(300); i > 0; i--) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(WATCHDOG);
            must(number_of(more) > 1000);
            set_number(variable, -7);
            end_child(number_of(twice) == -14 && number_of(more) == -6 && number_of(variable) == -7);
        }
        assert_true(ends_well(child));
    }
    is_over = true;
    join_thread(setter);
    assert_int_equal(number_of(twice), 2 * number_of(variable));
}

/* ---- forking in every kind of callback ---- */

static pid_t forking_parent;
static int children;

/* In the child everything goes on, or it becomes another program. */
static void fork_or_exec(void) {
    if (getpid() != forking_parent) return;
    for (int execs = 0; execs < 2; execs++) {
        pid_t child = fork();
        must(child >= 0);
        if (child == 0 && execs) execl("/bin/sh", "sh", "-c", "kill -9 $$", (char *)NULL);
        if (child == 0) return;
        must(ends_well(child));
        children++;
    }
}

HANDLER(fork_in_handler, unused) { fork_or_exec(); }
COMBINED_HANDLER(fork_in_combined, unused) { fork_or_exec(); }
MAPPER(fork_in_mapper, unused, old) {
    *out = *old;
    fork_or_exec();
    return SWO_OK;
}
PREDICATE(fork_in_predicate, unused) {
    fork_or_exec();
    return true;
}
static void fork_in_callback(void *unused) { fork_or_exec(); }

/* Both processes finish what they had begun, and can do the same again. */
TEST(any_callback_may_fork) {
    forking_parent = getpid();
    children = 0;
    for (int again = 0; again < 2; again++) {
        int calls = 0;
        swo_executor executor;
        swo_queue *queue = new_queue(&executor);
        swo_observable *variable = number_variable(0), *map, *filter, *pair[2];
        swo_observation observation;
        ok(swo_map(variable, fork_in_mapper, NULL, NULL, &map));
        ok(swo_filter(map, fork_in_predicate, NULL, NULL, &filter));
        ok(swo_observable_on_demand(filter, fork_in_callback, fork_in_callback, NULL, NULL));
        pair[0] = variable, pair[1] = map;
        ok(swo_observe_combined(pair, 2, NULL, fork_in_combined, NULL, NULL, NULL));
        ok(swo_observe_with(variable, WITH(.replay = 1), fork_in_handler, NULL, fork_in_callback, &observation));
        ok(swo_observe_on(filter, NULL, &executor, fork_in_handler, NULL, NULL, NULL));
        ok(swo_observe(filter, NULL, count, &calls, NULL, NULL));
        set_number(variable, again + 1);
        drain(queue, 0);
        ok(swo_stop(observation));
        must(calls == 1);
        RELEASE(filter, map, variable);
        swo_queue_release(queue);
    }
    if (getpid() != forking_parent) end_child(true);
    assert_true(children > 20);
}

TEST(a_child_turns_a_clock_of_its_own_and_leaves_that_of_a_queue_to_its_parent) {
    int calls = 0, late = 0;
    OWN_QUEUE *queue = queue_of(0, SWO_QUEUE_BLOCK, NULL);
    swo_clock *hand = swo_clock_new(), *clock_of_queue;
    ok(swo_queue_clock(queue, &clock_of_queue));
    OWN_OBSERVABLE *source = swo_messenger_new(), *early = NULL, *later = NULL;
    ok(swo_delay(source, 2, hand, &early));
    ok(swo_delay(source, SWO_MILLISECONDS(1), clock_of_queue, &later));
    swo_observation stopped;
    ok(swo_observe(early, NULL, count, &calls, NULL, NULL));
    ok(swo_observe(later, NULL, count, &late, NULL, &stopped));
    send_number(source, 1);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        ok(swo_clock_advance(hand, 2));
        ok(swo_stop(stopped)); /* which ends what waits here alone */
        end_child(calls == 1 && late == 0);
    }
    assert_true(ends_well(child));
    assert_int_equal(calls, 0);
    while (late == 0) {
        await_readable(queue);
        drain(queue, 0);
    }
    swo_clock_release(hand);
    swo_clock_release(clock_of_queue);
}

/* Law 33: a child has the transaction of the thread that forked. */
TEST(a_transaction_that_is_open_at_a_fork_is_one_in_each_process) {
    int calls = 0;
    OWN_OBSERVABLE *variable = number_variable(1);
    ok(swo_observe(variable, NULL, count, &calls, NULL, NULL));
    ok(swo_transaction_begin());
    set_number(variable, 2);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        must(swo_transaction_depth() == 1 && number_of(variable) == 2 && calls == 0);
        must(swo_transaction_commit() == SWO_OK);
        end_child(calls == 1 && number_of(variable) == 2);
    }
    assert_true(ends_well(child));
    ok(swo_transaction_abort());
    assert_int_equal(number_of(variable), 1);
    assert_int_equal(calls, 0);
}
