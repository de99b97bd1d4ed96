/* SPDX-License-Identifier: MIT */
/* Stop and wait, across threads: it returns when the handler runs nowhere else, and waits for nothing else. */
#include "support.h"

#include <sched.h>

/* A handler that is held, and a thread that stops its observation and waits. */
static struct {
    swo_observable *messenger;
    swo_observer *observer;
    struct gate *gate;
    struct probe held;
    atomic_bool handler_has_finished, waiter_has_returned;
    atomic_int status;
} scene;

ACTION(hold_and_finish) {
    pass_gate(probe, message, author);
    if (probe->running == 1) scene.handler_has_finished = true;
}

static void begin_scene(bool ordered) {
    memset(&scene, 0, sizeof scene);
    scene.messenger = swo_messenger_new();
    scene.observer = swo_observer_new();
    scene.gate = gate_new();
    scene.held = (struct probe){.name = "held", .action = hold_and_finish, .gate = scene.gate};
    ok(swo_observable_set_ordered(scene.messenger, ordered));
}

static void end_scene(void) {
    swo_observable_release(scene.messenger);
    swo_observer_release(scene.observer);
    assert_int_equal(scene.held.destroyed, 1);
    gate_free(scene.gate);
}

THREAD(stop_and_wait, observer) {
    scene.status = observer == NULL ? swo_stop_and_wait(scene.held.observation) : swo_observer_stop_and_wait(observer);
    must(scene.handler_has_finished);
    scene.waiter_has_returned = true;
    return NULL;
}

/* The handler is held in as many calls, and as many threads wait for it. Should they not wait, they find it unfinished.
 */
static void wait_for_held(int calls, int waiting, void (*stop_before)(void)) {
    pthread_t senders[3], waiters[3];
    begin_scene(calls == 1);
    observe(scene.messenger, scene.observer, &scene.held);
    for (int i = 0; i < calls; i++) senders[i] = begin_held(send_one_number, scene.messenger, scene.gate);
    if (stop_before != NULL) stop_before();
    for (int i = 0; i < waiting; i++) waiters[i] = begin_thread(stop_and_wait, NULL);
    for (int i = 0; i < calls; i++) {
        give_way(&scene.waiter_has_returned);
        assert_false(scene.waiter_has_returned);
        gate_open(scene.gate);
    }
    for (int i = 0; i < waiting; i++) join_thread(waiters[i]);
    for (int i = 0; i < calls; i++) join_thread(senders[i]);
    if (stop_before == NULL && waiting == 1) assert_int_equal(scene.status, SWO_OK);
    assert_int_equal(swo_stop_and_wait(scene.held.observation), SWO_NOT_FOUND);
    end_scene();
}

static void stop_held(void) { ok(swo_stop(scene.held.observation)); }
static void let_observer_die(void) {
    swo_observer_release(scene.observer);
    scene.observer = NULL;
}

/* Laws 5 and 7 */
TEST(stop_and_wait_waits_for_a_handler_on_another_thread) { wait_for_held(1, 1, NULL); }
TEST(stop_and_wait_waits_for_what_another_thread_has_stopped) { wait_for_held(1, 1, stop_held); }
TEST(stop_and_wait_waits_for_what_stopped_with_its_observer) { wait_for_held(1, 1, let_observer_die); }
TEST(several_threads_can_wait_for_one_handler) { wait_for_held(1, 3, NULL); }
TEST(stop_and_wait_waits_for_all_calls_of_parallel_deliveries) { wait_for_held(2, 1, NULL); }

TASK(drain_on_thread, queue) { ok(swo_queue_drain(queue, 0, NULL)); }

static void wait_for_drain(size_t bound) {
    swo_executor executor;
    OWN_QUEUE *queue = queue_of(bound, SWO_QUEUE_BLOCK, &executor);
    begin_scene(true);
    ok(swo_observe_on(scene.messenger, NULL, &executor, probe_receive, &scene.held, probe_destroy,
                      &scene.held.observation));
    send_number(scene.messenger, 1);
    pthread_t drainer = begin_held(drain_on_thread, queue, scene.gate);
    pthread_t waiter = begin_thread(stop_and_wait, NULL);
    give_way(&scene.waiter_has_returned);
    assert_false(scene.waiter_has_returned);
    gate_open(scene.gate);
    join_threads(drainer, waiter);
    assert_int_equal(scene.status, SWO_OK);
    end_scene();
}

TEST(stop_and_wait_waits_for_a_handler_on_a_thread_that_drains) {
    wait_for_drain(0);
    wait_for_drain(1);
}

static swo_status hold_and_drop(void *unused, swo_job *job) {
    gate_pass(scene.gate);
    swo_job_drop(job);
    scene.handler_has_finished = true;
    return SWO_OK;
}

TEST(stop_and_wait_waits_for_an_executor_that_is_given_a_message) {
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.execute = hold_and_drop;
    begin_scene(true);
    ok(swo_observe_on(scene.messenger, NULL, &executor, probe_receive, &scene.held, probe_destroy,
                      &scene.held.observation));
    pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
    pthread_t waiter = begin_thread(stop_and_wait, NULL);
    give_way(&scene.waiter_has_returned);
    assert_false(scene.waiter_has_returned);
    gate_open(scene.gate);
    join_threads(sender, waiter);
    end_scene();
}

/* Stopping alone does not wait, and nothing of the test goes on until it has returned. */
TEST(stop_does_not_wait) {
    begin_scene(true);
    observe(scene.messenger, NULL, &scene.held);
    pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
    ok(swo_stop(scene.held.observation));
    assert_int_equal(scene.held.running, 1);
    assert_int_equal(scene.held.destroyed, 0);
    release_held(sender, scene.gate);
    end_scene();
}

TEST(stop_and_wait_does_not_wait_for_other_handlers) {
    begin_scene(true);
    struct probe before = {.name = "before"}, after = {.name = "after"};
    observe(scene.messenger, NULL, &before, &scene.held, &after);
    pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
    send_number(scene.messenger, 2);
    ok(swo_stop_and_wait(before.observation));
    ok(swo_stop_and_wait(after.observation));
    assert_int_equal(scene.held.running, 1);
    gate_open(scene.gate);
    gate_await(scene.gate);
    release_held(sender, scene.gate);
    assert_true(before.calls == 1 && after.calls == 0);
    end_scene();
}

static struct {
    swo_observation stopped;
    swo_observable *deeper;
} asked;

ACTION(must_be_inside) { must(swo_is_called_here(asked.stopped)); }

TASK(must_be_outside, nothing) { must(!swo_is_called_here(asked.stopped)); }

ACTION(stop_and_ask_where_it_is_called) {
    asked.stopped = probe->observation;
    ok(swo_stop(asked.stopped));
    must(swo_is_called_here(asked.stopped));
    join_thread(begin_thread(must_be_outside, NULL));
    send_number(asked.deeper, 1);
}

static void ask_where_it_is_called(bool ordered, bool on_queue) {
    begin_scene(ordered);
    asked.deeper = swo_messenger_new();
    struct probe inside = {.action = must_be_inside};
    scene.held = (struct probe){.action = stop_and_ask_where_it_is_called};
    observe(asked.deeper, NULL, &inside);
    swo_executor executor;
    OWN_QUEUE *queue = queue_of(0, SWO_QUEUE_BLOCK, &executor);
    if (on_queue) {
        ok(swo_observe_on(scene.messenger, NULL, &executor, probe_receive, &scene.held, probe_destroy,
                          &scene.held.observation));
    } else {
        observe(scene.messenger, NULL, &scene.held);
    }
    send_number(scene.messenger, 1);
    ok(swo_queue_drain(queue, 0, NULL));
    assert_true(scene.held.calls == 1 && inside.calls == 1);
    must_be_outside(NULL);
    swo_observable_release(asked.deeper);
    end_scene();
}

/* Law 7: who would not wait is told so. */
TEST(a_thread_is_told_whether_it_is_inside_a_handler) {
    ask_where_it_is_called(true, false);
    ask_where_it_is_called(false, false);
    ask_where_it_is_called(true, true);
    assert_false(swo_is_called_here(0));
}

ACTION(stop_self_and_wait) { ok(swo_stop_and_wait(probe->observation)); }

static struct probe waited_for;

TASK(stop_and_wait_for_it, nothing) { ok(swo_stop_and_wait(waited_for.observation)); }

static void let_another_stop_and_wait(void *nothing) { join_thread(begin_thread(stop_and_wait_for_it, NULL)); }

ACTION(end_another) {
    swo_observation id;
    ok(swo_observe(probe->observable, NULL, ignore_message, NULL, let_another_stop_and_wait, &id));
    ok(swo_stop(id));
}

ACTION(observe_and_stop_another) {
    if (message->as.int64 != 1) return;
    send_number(probe->observable, 2);
    end_another(probe, message, author);
}

/* So that one more needs no other block of memory, in which a handler stands elsewhere. */
static void make_room(swo_observable *messenger) {
    swo_observation ids[3];
    for (int i = 0; i < 3; i++) ok(swo_observe(messenger, NULL, ignore_message, NULL, NULL, &ids[i]));
    for (int i = 0; i < 3; i++) ok(swo_stop(ids[i]));
}

/* What ended is destroyed behind the last handler of a message, by the thread that has another one to deliver. */
static void stop_and_wait_between_two_messages(bool many) {
    struct probe first = {.name = "first", .action = observe_and_stop_another};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    waited_for = (struct probe){.name = "last", .action = many ? NULL : observe_and_stop_another};
    make_room(messenger);
    if (many) observe(messenger, NULL, &first);
    observe(messenger, NULL, &waited_for);
    send_number(messenger, 1);
    assert_int_equal(waited_for.calls, 1);
    assert_int_equal(waited_for.destroyed, 1);
}

TEST(stop_and_wait_does_not_wait_for_a_delivery_whose_handler_has_returned) {
    stop_and_wait_between_two_messages(false);
    stop_and_wait_between_two_messages(true);
}

static void observe_with_replay(struct probe *probe) {
    ok(swo_observe_with(probe->observable, WITH(.replay = 1), probe_receive, probe, probe_destroy,
                        &probe->observation));
}

ACTION(change_and_end_another) {
    set_number(probe->observable, 2);
    end_another(probe, message, author);
}

TEST(stop_and_wait_does_not_wait_for_a_replay_whose_handler_has_returned) {
    OWN_OBSERVABLE *variable = number_variable(1);
    waited_for = (struct probe){.name = "a", .action = change_and_end_another, .observable = variable};
    make_room(variable);
    observe_with_replay(&waited_for);
    assert_int_equal(waited_for.calls, 1);
    assert_int_equal(waited_for.destroyed, 1);
}

static swo_observable *source;
static bool waits;

static void keep(void *object) {}
static void release_while_another_waits(void *object) {
    if (!waits || waited_for.running > 0) return;
    waits = false;
    let_another_stop_and_wait(NULL);
}

/* Then the replay alone has the message that it began with. */
ACTION(replace_message) {
    if (waits) return;
    waits = true;
    send_number(source, 2);
}

static void stop_and_wait_behind_a_replay(bool ordered) {
    static const swo_object_type type = {sizeof type, keep, release_while_another_waits, NULL};
    OWN_OBSERVABLE *replaying;
    source = swo_messenger_new();
    ok(swo_replay(source, 1, &replaying));
    ok(swo_observable_set_ordered(replaying, ordered));
    ok(swo_send(source, VALUE(swo_object(&waits, &type)), NULL));
    waited_for = (struct probe){.name = "a", .action = replace_message, .observable = replaying};
    make_room(replaying);
    waits = false;
    observe_with_replay(&waited_for);
    assert_false(waits);
    assert_int_equal(waited_for.destroyed, 1);
    swo_observable_release(source);
}

TEST(stop_and_wait_does_not_wait_for_the_messages_of_a_replay_to_be_released) { /* Laws 7 and 11 */
    stop_and_wait_behind_a_replay(true);
    stop_and_wait_behind_a_replay(false);
}

TASK(observe_there_with_replay, probe) { observe_with_replay(probe); }

ACTION(stop_self_and_wait_beside_another) {
    join_thread(begin_thread(observe_there_with_replay, probe->other));
    ok(swo_stop_and_wait(probe->observation));
}

TEST(stop_and_wait_returns_inside_its_own_handler_while_another_thread_awaits_a_replay) { /* Law 7 */
    OWN_OBSERVABLE *variable = number_variable(0);
    struct probe late = {.name = "late", .observable = variable};
    struct probe probe = {.name = "a", .action = stop_self_and_wait_beside_another, .other = &late};
    observe(variable, NULL, &probe);
    set_number(variable, 1);
    assert_int_equal(probe.destroyed, 1);
    assert_int_equal(late.calls, 1);
    swo_observable_release(variable);
    variable = NULL;
}

TASK(set_next, variable) { set_number(variable, number_of(variable) + 1); }

/* On this thread, although another one was the last that used the variable. */
static void stop_and_wait_in_handler(swo_observable *observed, swo_observable *variable) {
    struct probe probe = {.name = "a", .action = stop_self_and_wait};
    observe(observed, NULL, &probe);
    ok(swo_variable_begin_batch(variable));
    join_thread(begin_thread(set_next, variable));
    ok(swo_variable_end_batch(variable));
    assert_true(probe.calls == 1 && probe.destroyed == 1);
}

TEST(stop_and_wait_returns_inside_its_own_handler_however_the_message_came) { /* Law 7 */
    OWN_OBSERVABLE *variable = number_variable(0), *deferred = deferred_variable(0);
    stop_and_wait_in_handler(variable, variable);
    stop_and_wait_in_handler(deferred, deferred);
    /* A message goes through many transforms in stretches. */
    swo_observable *end = swo_observable_retain(variable);
    for (int i = 0; i < 200; i++) {
        swo_observable *next;
        ok(swo_new_values(end, &next));
        swo_observable_release(end);
        end = next;
        stop_and_wait_in_handler(end, variable);
    }
    swo_observable_release(end);
}

ACTION(stop_self_and_wait_at_two) {
    if (message->as.int64 == 1) pass_gate(probe, message, author);
    else ok(swo_stop_and_wait(probe->observation));
}

ACTION(hold_and_finish_at_one) {
    if (message->as.int64 == 1) hold_and_finish(probe, message, author);
}
ACTION(hold_at_two) {
    if (message->as.int64 == 2) pass_gate(probe, message, author);
}
TASK(send_two, messenger) { send_number(messenger, 2); }

/* What is delivered beside it has begun later, and is with another handler. */
TEST(stop_and_wait_waits_for_a_handler_on_another_thread_whatever_is_delivered_beside_it) { /* Laws 5 and 7 */
    OWN_GATE *gate = gate_new();
    struct probe beside = {.name = "beside", .action = hold_at_two, .gate = gate};
    begin_scene(false);
    scene.held.action = hold_and_finish_at_one;
    observe(scene.messenger, scene.observer, &scene.held, &beside);
    pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
    pthread_t other = begin_held(send_two, scene.messenger, gate);
    pthread_t waiter = begin_thread(stop_and_wait, NULL);
    give_way(&scene.waiter_has_returned);
    assert_false(scene.waiter_has_returned);
    gate_open(scene.gate);
    join_threads(sender, waiter);
    release_held(other, gate);
    end_scene();
}

/* Inside its own handler it returns at once, though another thread is in that handler, too: it might wait for this one.
 */
TEST(stop_and_wait_returns_inside_its_own_handler_though_others_are_inside) {
    begin_scene(false);
    scene.held.action = stop_self_and_wait_at_two;
    observe(scene.messenger, NULL, &scene.held);
    pthread_t sender = begin_held(send_one_number, scene.messenger, scene.gate);
    send_number(scene.messenger, 2);
    assert_true(scene.held.calls == 2 && scene.held.destroyed == 0);
    release_held(sender, scene.gate);
    end_scene();
}

/* ---- all observations of an observer ---- */

static swo_observable *parts[2];

static void observe_with_observer(void) { observe(scene.messenger, scene.observer, &scene.held); }
static void observe_once(void) {
    ok(swo_observe_with(scene.messenger, WITH(.observer = scene.observer, .once = true), probe_receive, &scene.held,
                        probe_destroy, &scene.held.observation));
}
COMBINED_HANDLER(receive_combined, probe) { probe_receive(probe, &messages[0], author); }
static void observe_as_part(void) {
    ok(swo_observe_combined(parts, 2, scene.observer, receive_combined, &scene.held, probe_destroy,
                            &scene.held.observation));
}
static void stop_all(void) { ok(swo_observer_stop(scene.observer, NULL)); }
static void stop_held_and_begin_many_others(void) {
    ok(swo_stop(scene.held.observation));
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 1000; i++) {
        swo_observation id;
        ok(swo_observe(messenger, scene.observer, ignore_message, NULL, NULL, &id));
        ok(swo_stop(id));
    }
}
static void stop_all_of_messenger(void) { ok(swo_observer_stop(scene.observer, scene.messenger)); }

TASK(set_first_part, unused) { set_number(parts[0], 1); }

/* The handler is held by a thread, and another one ends the observer. Should it not wait, it finds it unfinished. */
static void wait_for_all(bool ordered, void (*begin)(void), void (*stop_before)(void), swo_status expected) {
    begin_scene(ordered);
    OWN_OBSERVABLE *first = number_variable(0), *second = number_variable(0);
    parts[0] = first, parts[1] = second;
    struct probe other = {.name = "other"};
    observe(second, scene.observer, &other);
    begin();
    pthread_t sender = begin == observe_as_part ? begin_held(set_first_part, NULL, scene.gate)
                                                : begin_held(send_one_number, scene.messenger, scene.gate);
    if (stop_before != NULL) stop_before();
    pthread_t waiter = begin_thread(stop_and_wait, scene.observer);
    give_way(&scene.waiter_has_returned);
    assert_false(scene.waiter_has_returned);
    gate_open(scene.gate);
    join_threads(sender, waiter);
    assert_int_equal(scene.status, expected);
    assert_int_equal(other.destroyed, 1);
    assert_int_equal(swo_observer_count(scene.observer), 0);
    assert_int_equal(swo_observer_stop_and_wait(scene.observer), SWO_NOT_FOUND);
    end_scene();
}

/* Laws 7 and 8 */
TEST(stop_and_wait_of_an_observer_waits_for_each_of_its_handlers) {
    wait_for_all(true, observe_with_observer, NULL, SWO_OK);
    wait_for_all(false, observe_with_observer, NULL, SWO_OK);
    wait_for_all(true, observe_as_part, NULL, SWO_OK);
}

TEST(stop_and_wait_of_an_observer_waits_for_what_was_stopped_before) {
    wait_for_all(true, observe_once, NULL, SWO_OK);
    wait_for_all(true, observe_with_observer, stop_held, SWO_OK);
    wait_for_all(true, observe_with_observer, stop_held_and_begin_many_others, SWO_OK);
    wait_for_all(true, observe_with_observer, stop_all, SWO_NOT_FOUND);
    wait_for_all(false, observe_with_observer, stop_all, SWO_NOT_FOUND);
    wait_for_all(true, observe_with_observer, stop_all_of_messenger, SWO_OK);
    wait_for_all(true, observe_as_part, stop_all, SWO_NOT_FOUND);
    wait_for_all(true, observe_as_part, stop_held, SWO_OK);
}

static void forget_nothing(size_t bound) {
    swo_executor executor;
    OWN_QUEUE *queue = queue_of(bound, SWO_QUEUE_BLOCK, &executor);
    begin_scene(true);
    ok(swo_observe_on(scene.messenger, scene.observer, &executor, probe_receive, &scene.held, probe_destroy,
                      &scene.held.observation));
    send_number(scene.messenger, 1);
    pthread_t drainer = begin_held(drain_on_thread, queue, scene.gate);
    stop_held_and_begin_many_others();
    pthread_t waiter = begin_thread(stop_and_wait, scene.observer);
    give_way(&scene.waiter_has_returned);
    assert_false(scene.waiter_has_returned);
    gate_open(scene.gate);
    join_threads(drainer, waiter);
    assert_int_equal(scene.status, SWO_NOT_FOUND);
    end_scene();
}

TEST(an_observer_forgets_nothing_whose_handler_still_runs) {
    forget_nothing(0);
    forget_nothing(1);
}

ACTION(stop_own_observer_and_wait) { ok(swo_observer_stop_and_wait(probe->observer)); }

ACTION(be_held_and_stop_own_observer) {
    pass_gate(probe, message, author);
    must(swo_observer_stop_and_wait(probe->observer) == SWO_NOT_FOUND);
}

/* Two handlers of one observer each end it: neither waits for the other. */
TEST(inside_a_handler_of_its_own_stop_and_wait_of_an_observer_waits_for_none) {
    OWN_GATE *gate = gate_new();
    OWN_OBSERVER *observer = swo_observer_new();
    struct probe held = {.name = "held", .action = be_held_and_stop_own_observer, .gate = gate},
                 ending = {.name = "ending", .action = stop_own_observer_and_wait}, behind = {.name = "behind"};
    OWN_OBSERVABLE *first = swo_messenger_new(), *second = swo_messenger_new();
    observe(first, observer, &held);
    observe(second, observer, &ending, &behind);
    pthread_t sender = begin_held(send_one_number, first, gate);
    send_number(second, 1);
    assert_true(ending.calls == 1 && ending.destroyed == 1 && behind.calls == 0 && behind.destroyed == 1);
    assert_true(held.running == 1 && held.destroyed == 0);
    release_held(sender, gate);
    assert_int_equal(held.destroyed, 1);
}

static struct probe begun_meanwhile;

ACTION(be_held_and_begin_another) {
    pass_gate(probe, message, author);
    observe(probe->observable, probe->observer, &begun_meanwhile);
}

TEST(stop_and_wait_of_an_observer_ends_what_its_handlers_begin_meanwhile) {
    OWN_GATE *gate = gate_new();
    OWN_OBSERVER *observer = swo_observer_new();
    begun_meanwhile = (struct probe){.name = "begun meanwhile"};
    struct probe held = {.name = "held", .action = be_held_and_begin_another, .gate = gate};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe(messenger, observer, &held);
    scene = (typeof(scene)){.handler_has_finished = true};
    pthread_t sender = begin_held(send_one_number, messenger, gate);
    pthread_t waiter = begin_thread(stop_and_wait, observer);
    give_way(&scene.waiter_has_returned);
    gate_open(gate);
    join_threads(sender, waiter);
    send_number(messenger, 2);
    assert_int_equal(begun_meanwhile.calls, 0);
    assert_int_equal(swo_observer_count(observer), 0);
}

/* What a handler without a destroy function reads. Only stop and wait says when it may be written to. */
struct short_lived {
    atomic_bool is_called;
    atomic_long value;
};

HANDLER(read_context, context) {
    struct short_lived *memory = context;
    memory->is_called = true;
    for (int i = 0; i < 20; i++) must(memory->value == 42);
}

static atomic_bool senders_go_on;

TASK(send_until_told, messenger) {
    for (int64_t i = 0; senders_go_on; i++) {
        send_number(messenger, i);
        if (i % 16 == 0) sched_yield(); /* or other threads wait long on a test machine with few processors */
    }
}

/* Where there is order one sender is enough: a second one would only fill the queue. */
static void use_memory_again(bool ordered, bool stops_observer) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    OWN_OBSERVER *observer = stops_observer ? swo_observer_new() : NULL;
    ok(swo_observable_set_ordered(messenger, ordered));
    senders_go_on = true;
    pthread_t first = begin_thread(send_until_told, messenger), second = first;
    if (!ordered) second = begin_thread(send_until_told, messenger);
    for (long round = 0; round < scaled(4000); round++) {
        struct short_lived *memory = malloc(sizeof *memory);
        swo_observation observation;
        memory->is_called = false;
        memory->value = 42;
        ok(swo_observe(messenger, observer, read_context, memory, NULL, &observation));
        give_way(&memory->is_called);
        ok(stops_observer ? swo_observer_stop_and_wait(observer) : swo_stop_and_wait(observation));
        memory->value = 13;
        free(memory);
    }
    senders_go_on = false;
    join_thread(first);
    if (!ordered) join_thread(second);
}

TEST(after_stop_and_wait_the_memory_of_a_context_may_be_used_again) {
    use_memory_again(true, false);
    use_memory_again(true, true);
}

/* Law 5 */
TEST(after_stop_and_wait_memory_may_be_used_again_without_order_too) {
    use_memory_again(false, false);
    use_memory_again(false, true);
}
