/* SPDX-License-Identifier: MIT */
/* How often the threads of the process have to pass a fence, because something was one thread's own: an observable
 * is biased to the thread that has sent 32 messages in a row, and again to the same one after 32 * 128; without order
 * the threads that send have reader slots after as many. The library finds the syscall() below, which counts. */
#define _GNU_SOURCE
#include "support.h"
#include <dlfcn.h>
#include <sys/syscall.h>

enum { FIRST = 32, AGAIN = 32 * 128, PRIVATE_EXPEDITED = 8 };

static atomic_int fences;

long syscall(long number, ...) {
    static _Atomic(void *) next;
    long arguments[6];
    va_list list;
    if (next == NULL) next = dlsym(RTLD_NEXT, "syscall");
    va_start(list, number);
    for (int i = 0; i < 6; i++) arguments[i] = va_arg(list, long);
    va_end(list);
    if (number == SYS_membarrier && arguments[0] == PRIVATE_EXPEDITED) fences++;
    long (*real)(long, ...);
    *(void **)&real = next;
    return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

static swo_observable *messenger;

static void send_many(int count) {
    for (int one = 0; one < count; one++) send_number(messenger, one);
}

TASK(send_some, count) { send_many(*(int *)count); }

static void let_another_send(int count) { join_thread(begin_thread(send_some, &count)); }

TASK(observe_and_stop, nothing) {
    swo_observation observation;
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &observation));
    ok(swo_stop(observation));
}

static void let_another_observe(void) { join_thread(begin_thread(observe_and_stop, NULL)); }

/* Not where everything is biased at once, and not without membarrier(2). */
static bool is_counting;

/* Asks for the fences since the last time. */
#define EXPECT_FENCES(count)                                                                                           \
    do {                                                                                                               \
        if (is_counting) assert_int_equal(atomic_exchange(&fences, 0), count);                                         \
    } while (0)

static void make_messenger(void) {
    swo_observable_release(messenger);
    messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, NULL));
}

void set_up(void) {
    make_messenger();
    send_many(FIRST);
    let_another_send(1);
    const int early = atomic_exchange(&fences, 0);
    send_many(FIRST + 1 + AGAIN);
    let_another_send(1);
    is_counting = early == 0 && atomic_load(&fences) > 0;
    make_messenger();
    /* The first fence of a process is asked for twice. */
    atomic_store(&fences, 0);
}

void tear_down(void) {
    swo_observable_release(messenger);
    messenger = NULL;
}

/* The first send of a thread finds that it is another one, and is not counted. */
static void become_biased(void) {
    send_many(1 + FIRST);
    let_another_send(1);
    EXPECT_FENCES(1);
}

TEST(a_thread_that_has_sent_few_messages_has_nothing_of_its_own) {
    send_many(FIRST);
    let_another_send(1);
    EXPECT_FENCES(0);
}

TEST(another_thread_fences_once_and_not_again_before_many_messages) {
    become_biased();
    for (int times = 0; times < 3; times++) {
        send_many(AGAIN);
        let_another_send(1);
        EXPECT_FENCES(0);
        send_many(1 + AGAIN);
        let_another_send(1);
        EXPECT_FENCES(1);
    }
}

TEST(messages_of_another_thread_end_the_row) {
    become_biased();
    for (int times = 0; times < 4; times++) {
        send_many(AGAIN - FIRST);
        let_another_send(1);
    }
    EXPECT_FENCES(0);
}

TEST(an_observable_is_one_threads_own_or_none_s) {
    become_biased();
    let_another_send(3 * AGAIN);
    send_many(1);
    EXPECT_FENCES(0);
}

TEST(threads_that_send_in_turn_do_not_fence) {
    for (int times = 0; times < 2 * AGAIN; times++) send_many(1), let_another_send(1);
    EXPECT_FENCES(0);
}

TEST(who_only_observes_is_no_sender_and_fences_as_seldom) {
    send_many(1 + FIRST);
    let_another_observe();
    EXPECT_FENCES(1);
    for (int times = 0; times < 3; times++) {
        send_many(AGAIN - 1);
        let_another_observe();
        EXPECT_FENCES(0);
        send_many(1);
        let_another_observe();
        EXPECT_FENCES(1);
    }
}

ACTION(stop_at_zero) {
    if (message->as.int64 == 0) ok(swo_stop(probe->observation));
}

TEST(a_handler_that_takes_the_lock_leaves_the_observable_to_its_thread) {
    struct probe a = {.name = "a", .action = stop_at_zero};
    observe(messenger, NULL, &a);
    send_number(messenger, 1);
    for (int one = 0; one < FIRST; one++) send_number(messenger, 1);
    send_number(messenger, 0);
    assert_int_equal(a.destroyed, 1);
    EXPECT_FENCES(0);
    let_another_send(1);
    EXPECT_FENCES(1);
}

ACTION(let_others_send) {
    if (message->as.int64 != -1) return;
    for (int times = 0; times < 3; times++) let_another_send(1);
}

TEST(a_delivery_is_taken_over_once) {
    struct probe a = {.name = "a", .action = let_others_send};
    observe(messenger, NULL, &a);
    send_many(1 + FIRST);
    send_number(messenger, -1);
    EXPECT_FENCES(1);
    swo_observable_release(messenger);
    messenger = NULL;
}

TEST(giving_up_order_gives_up_what_is_one_threads_own) {
    send_many(1 + FIRST);
    ok(swo_observable_set_ordered(messenger, false));
    let_another_observe();
    EXPECT_FENCES(0);
}

/* ---- without order ---- */

static void begin_lanes(void) {
    ok(swo_observable_set_ordered(messenger, false));
    send_many(FIRST);
    let_another_observe();
    EXPECT_FENCES(1);
}

TEST(lanes_are_there_after_few_messages_and_again_after_many) {
    ok(swo_observable_set_ordered(messenger, false));
    send_many(FIRST - 1);
    let_another_observe();
    EXPECT_FENCES(0);
    send_many(1);
    let_another_observe();
    EXPECT_FENCES(1);
    for (int times = 0; times < 3; times++) {
        send_many(AGAIN - 1);
        let_another_observe();
        EXPECT_FENCES(0);
        send_many(1);
        let_another_observe();
        EXPECT_FENCES(1);
    }
}

TEST(lanes_are_there_after_few_messages_also_where_it_was_one_threads_own) {
    become_biased();
    begin_lanes();
}
