/* SPDX-License-Identifier: MIT */
/* Threads that are cancelled: wherever one ends, it leaves no lock, and no observable that it was sending to. */
#include "deriving.h"

#include <sched.h>

static struct {
    swo_observable *messenger, *map, *variable, *deferred, *confined;
    swo_queue *queue;
    struct gate *gate;
    atomic_long received;
    atomic_int ended;
    atomic_bool has_begun, is_done;
} scene;

HANDLER(count, unused) { scene.received++; }

static void begin_scene(size_t bound, int32_t policy) {
    swo_executor executor;
    memset(&scene, 0, sizeof scene);
    scene.queue = queue_of(bound, policy, &executor);
    scene.gate = gate_new();
    scene.messenger = swo_messenger_new();
    ok(swo_map(scene.messenger, map_to_same, NULL, NULL, &scene.map));
    scene.variable = number_variable(0);
    scene.deferred = deferred_variable(0);
    scene.confined = swo_messenger_new();
    ok(swo_observe_on_queue(scene.messenger, NULL, scene.queue, count, NULL, NULL, NULL));
    ok(swo_observe_on_queue(scene.map, NULL, scene.queue, count, NULL, NULL, NULL));
    ok(swo_observe_on_queue(scene.variable, NULL, scene.queue, count, NULL, NULL, NULL));
    ok(swo_observe_on_queue(scene.deferred, NULL, scene.queue, count, NULL, NULL, NULL));
    ok(swo_observe(scene.confined, NULL, count, NULL, NULL, NULL));
    ok(swo_observable_confine(scene.confined, &executor));
}

/* Nothing is silent, and no lock is taken: there are some hundreds. */
static void everything_goes_on(void) {
    long count_of_all = 4;
    ok(swo_queue_drain(scene.queue, SIZE_MAX, NULL));
    scene.received = 0;
    send_number(scene.messenger, 1);
    drain(scene.queue, 0);
    set_number(scene.variable, number_of(scene.variable) + 1);
    drain(scene.queue, 0);
    set_number(scene.deferred, number_of(scene.deferred) + 1);
    drain(scene.queue, 0);
    assert_int_equal(scene.received, count_of_all);
    send_number(scene.confined, 1);
    assert_int_equal(scene.received, count_of_all + 1);
    for (int i = 0; i < 200; i++) {
        struct probe a = {.name = "a"};
        OWN_OBSERVABLE *messenger = swo_messenger_new();
        OWN_OBSERVER *observer = swo_observer_new();
        observe(messenger, observer, &a);
        send_number(messenger, 1);
        ok(swo_stop_and_wait(a.observation));
        assert_true(a.calls == 1 && a.destroyed == 1);
    }
}

static void end_scene(void) {
    RELEASE(scene.map, scene.messenger, scene.variable, scene.deferred, scene.confined);
    swo_queue_release(scene.queue);
    gate_free(scene.gate);
}

/* ---- cancelled before it begins ---- */

static void send_to_queue(void) { send_number(scene.messenger, 1); }
static void send_a_text(void) { (void)swo_send(scene.messenger, VALUE(swo_text("a text")), NULL); }
static void send_to_map(void) { send_number(scene.map, 1); }
static void set_variable(void) { set_number(scene.variable, number_of(scene.variable) + 1); }
static void set_deferred(void) { set_number(scene.deferred, number_of(scene.deferred) + 1); }
static void set_in_batch(void) {
    ok(swo_variable_begin_batch(scene.variable));
    set_variable();
    ok(swo_variable_end_batch(scene.variable));
}
static void hand_over(void) { (void)swo_send(scene.confined, VALUE(swo_int64(1)), NULL); }
static void drain_all(void) { drain(scene.queue, 0); }
static void begin_and_end(void) {
    swo_observation id;
    ok(swo_observe_on_queue(scene.messenger, NULL, scene.queue, ignore_message, NULL, NULL, &id));
    ok(swo_stop_and_wait(id));
}
static void make_and_end_queue(void) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    swo_queue *queue = new_queue(NULL);
    ok(swo_observe_on_queue(messenger, NULL, queue, ignore_message, NULL, NULL, NULL));
    send_number(messenger, 1);
    swo_queue_release(queue);
}

static void (*present_act)(void);

THREAD(act_cancelled, unused) {
    pthread_cancel(pthread_self());
    present_act();
    scene.is_done = true;
    pthread_testcancel();
    return NULL;
}

static void must_be_cancelled(pthread_t thread) {
    void *result;
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* What is asked for is done to its end, although each call of the C library on the way could end the thread. */
TEST(what_a_cancelled_thread_has_begun_it_brings_to_its_end) {
    static void (*const acts[])(void) = {send_to_queue, send_a_text, send_to_map, set_variable,  set_deferred,
                                         set_in_batch,  hand_over,   drain_all,   begin_and_end, make_and_end_queue};
    for (size_t way = 0; way < 8 * COUNT(acts); way++) {
        begin_scene(way & 1 ? 100 : 0, SWO_QUEUE_BLOCK);
        if (way & 2) send_to_queue();
        if (way & 4) drain_all();
        OWN_OBSERVABLE *other = swo_messenger_new();
        send_number(other, 1); /* which looks for a cancellation, so that the act need not */
        present_act = acts[way / 8];
        must_be_cancelled(begin_thread(act_cancelled, NULL));
        bool may_end = present_act == make_and_end_queue || present_act == set_in_batch || present_act == drain_all;
        if (!may_end) assert_true(scene.is_done);
        (void)swo_variable_end_batch(scene.variable); /* which belongs to the variable */
        everything_goes_on();
        end_scene();
    }
}

DERIVING(read_twice, unused) {
    swo_value value;
    ok(swo_variable_get(scene.variable, &value));
    return swo_variable_get(scene.deferred, out);
}

/* By then the queue of the variable has woken its loop. */
TEST(a_function_that_reads_is_not_left) {
    for (int round = 0; round < 10; round++) {
        begin_scene(0, SWO_QUEUE_BLOCK);
        OWN_OBSERVABLE *derived;
        ok(swo_derived_new(read_twice, NULL, NULL, &derived));
        ok(swo_observe(derived, NULL, ignore_message, NULL, NULL, NULL));
        present_act = set_variable;
        must_be_cancelled(begin_thread(act_cancelled, NULL));
        assert_true(scene.is_done);
        everything_goes_on();
        end_scene();
    }
}

/* ---- cancelled in the middle of many ---- */

static void note_end(void *unused) { scene.ended++; }

THREAD(act_for_ever, unused) {
    pthread_cleanup_push(note_end, NULL);
    for (;;) {
        present_act();
        scene.has_begun = true;
    }
    pthread_cleanup_pop(0);
    return NULL;
}

/* These functions alone are called: there the thread ends. */
TEST(a_thread_that_does_nothing_but_send_or_drain_ends_when_it_is_cancelled) {
    static void (*const acts[])(void) = {send_to_queue, send_to_map, set_variable, set_deferred, hand_over, drain_all};
    for (size_t way = 0; way < 6 * COUNT(acts); way++) {
        int count = way % 2 + 1;
        pthread_t threads[2];
        begin_scene(way % 3 == 0 ? 0 : 4, way % 3 == 1 ? SWO_QUEUE_DROP_OLDEST : SWO_QUEUE_BLOCK);
        present_act = acts[way / 6];
        for (int one = 0; one < count; one++) threads[one] = begin_thread(act_for_ever, NULL);
        while (!scene.has_begun) drain_all();
        for (int one = 0; one < count; one++) pthread_cancel(threads[one]);
        while (scene.ended < count) drain_all();
        for (int one = 0; one < count; one++) must_be_cancelled(threads[one]);
        everything_goes_on();
        end_scene();
    }
}

/* ---- cancelled while it waits ---- */

ACTION(hold_and_finish) { pass_gate(probe, message, author); }

THREAD(wait_for_one, probe) {
    ok(swo_stop_and_wait(((struct probe *)probe)->observation));
    return NULL;
}
static void await_stop(struct probe *probe) {
    while (swo_is_living(probe->observation)) sched_yield();
}

TEST(a_thread_that_is_cancelled_while_it_waits_for_a_handler_leaves_nothing) {
    for (int way = 0; way < 2; way++) {
        begin_scene(0, SWO_QUEUE_BLOCK);
        struct probe held = {.name = "held", .action = hold_and_finish, .gate = scene.gate};
        ok(swo_observable_set_ordered(scene.messenger, way % 2 == 0));
        observe(scene.messenger, NULL, &held);
        pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
        pthread_t waiter = begin_thread(wait_for_one, &held);
        await_stop(&held);
        pthread_cancel(waiter);
#if !defined(__arm__)
        must_be_cancelled(waiter);
        assert_int_equal(held.destroyed, 0);
#endif
        if (way % 2) everything_goes_on();
        release_held(sender, scene.gate);
#if defined(__arm__)
        pthread_join(waiter, NULL);
#endif
        assert_int_equal(held.destroyed, 1);
        assert_int_equal(swo_stop_and_wait(held.observation), SWO_NOT_FOUND);
        everything_goes_on();
        end_scene();
    }
}

THREAD(set_many, unused) {
    for (int one = 1; one <= 100; one++) set_number(scene.variable, one);
    scene.is_done = true;
    return NULL;
}

/* It ends when there is room. */
TEST(a_thread_that_is_cancelled_while_it_waits_for_room_has_its_message_taken) {
    begin_scene(2, SWO_QUEUE_BLOCK);
    pthread_t sender = begin_thread(set_many, NULL);
    while (number_of(scene.variable) < 3) sched_yield();
    pthread_cancel(sender);
    while (scene.received < 3) drain_all();
    must_be_cancelled(sender);
    assert_false(scene.is_done);
    everything_goes_on();
    end_scene();
}
