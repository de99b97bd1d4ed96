/* SPDX-License-Identifier: MIT */
/* Law 11: no lock is held while foreign code runs. Each test holds a callback of one sort on another thread and uses
 * the same observable for everything meanwhile; a lock that were held would be waited for until the time is up. */
#include "support.h"

static struct gate *gate;
static atomic_bool is_held;

/* Every callback calls this; the first call is the one that is held. */
static void hold_once(void) {
    bool expected = false;
    if (gate != NULL && atomic_compare_exchange_strong(&is_held, &expected, true)) gate_pass(gate);
}

HANDLER(receive, context) { hold_once(); }
static void destroy(void *context) { hold_once(); }

MAPPER(map, context, message) {
    hold_once();
    GIVE(*message);
}

PREDICATE(accept, context) {
    hold_once();
    return true;
}

static void retain(void *object) { hold_once(); }
static void release(void *object) { hold_once(); }

static bool equal(void *one, void *other) {
    hold_once();
    return one == other;
}

static void pass_over(void *object) { (void)object; }

static const swo_object_type retaining = {.size = sizeof retaining, .retain = retain, .release = pass_over};
static const swo_object_type releasing = {.size = sizeof releasing, .retain = pass_over, .release = release};
static const swo_object_type comparing = {.size = sizeof comparing, .equal = equal};
static char objects[3];

static swo_value object(int number, const swo_object_type *type) { return swo_object(&objects[number], type); }

/* Whatever can be done to an observable, but for ending it. */
static void use(swo_observable *observable) {
    swo_observer *observer = swo_observer_new();
    swo_observation observations[3];
    swo_observable *transforms[3];
    for (int i = 0; i < 3; i++)
        ok(swo_observe(observable, i == 0 ? NULL : observer, ignore_message, NULL, NULL, &observations[i]));
    must(swo_is_living(observations[0]));
    must(swo_observer_is_observing(observer, observable));
    ok(swo_stop(observations[0]));
    ok(swo_stop_and_wait(observations[1]));
    ok(swo_observer_stop(observer, observable));
    ok(swo_observe(observable, observer, ignore_message, NULL, NULL, NULL));
    swo_observer_release(observer);
    ok(swo_new_values(observable, &transforms[0]));
    ok(swo_map(observable, map, NULL, NULL, &transforms[1]));
    ok(swo_filter(observable, accept, NULL, NULL, &transforms[2]));
    for (int i = 0; i < 3; i++) swo_observable_release(transforms[i]);
    ok(swo_observable_set_ordered(observable, true));
    ok(swo_observable_block(observable));
    ok(swo_observable_unblock(observable));
    ok(swo_observable_set_name(observable, "used"));
    must(swo_observable_count(observable) < 100);
    swo_observable_release(swo_observable_retain(observable));

    swo_update update = {swo_null(), swo_int64(1)};
    swo_value message = swo_update_value(&update), value;
    ok(swo_graph_dot(&observable, 1, &value));
    swo_value_clear(&value);
    ok(swo_send(observable, &message, NULL));
    if (swo_variable_get(observable, &value) != SWO_OK) return;
    swo_value_clear(&value);
    must(swo_variable_set(observable, &message, NULL) == SWO_WRONG_KIND);
    value = swo_int64(123456);
    ok(swo_variable_set(observable, &value, NULL));
}

/* Lets another thread do what runs the callback, and uses the observable while that is held. */
static void use_while_held(swo_observable *observable, void *(*body)(void *), void *context) {
    gate = gate_new();
    is_held = false;
    pthread_t thread = begin_held(body, context, gate);
    use(observable);
    release_held(thread, gate);
    gate_free(gate);
    gate = NULL;
}

TEST(no_lock_is_held_in_a_handler) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, receive, NULL, NULL, NULL));
    use_while_held(messenger, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_handler_without_order) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observable_set_ordered(messenger, false));
    ok(swo_observe(messenger, NULL, receive, NULL, NULL, NULL));
    use_while_held(messenger, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_mapper) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *mapped;
    ok(swo_map(messenger, map, NULL, NULL, &mapped));
    use_while_held(messenger, send_one_number, messenger);
    use_while_held(mapped, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_predicate) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *filtered;
    ok(swo_filter(messenger, accept, NULL, NULL, &filtered));
    use_while_held(messenger, send_one_number, messenger);
    use_while_held(filtered, send_one_number, messenger);
}

MAPPER(update, context, old_value) {
    hold_once();
    GIVE(swo_int64(7));
}

TASK(update_variable, variable) { ok(swo_variable_update(variable, update, NULL, NULL)); }

TEST(no_lock_is_held_in_an_updater) {
    OWN_OBSERVABLE *variable = number_variable(1);
    use_while_held(variable, update_variable, variable);
    assert_int_equal(number_of(variable), 7);
}

struct assignment {
    swo_observable *variable;
    swo_value value;
};

TASK(assign, context) {
    struct assignment *assignment = context;
    ok(swo_variable_set(assignment->variable, &assignment->value, NULL));
}

TASK(get, variable) {
    swo_value value;
    ok(swo_variable_get(variable, &value));
    swo_value_clear(&value);
}

static swo_observable *object_variable(const swo_object_type *type) {
    swo_value initial = object(0, type);
    swo_observable *variable;
    ok(swo_variable_new(&initial, &variable));
    ok(swo_observe(variable, NULL, ignore_message, NULL, NULL, NULL));
    return variable;
}

static void use_while_assigning(const swo_object_type *type) {
    OWN_OBSERVABLE *variable = object_variable(type);
    struct assignment assignment = {variable, object(1, type)};
    use_while_held(variable, assign, &assignment);
}

TEST(no_lock_is_held_in_an_equality) { use_while_assigning(&comparing); }

TEST(no_lock_is_held_in_a_retain) {
    use_while_assigning(&retaining);
    OWN_OBSERVABLE *variable = object_variable(&retaining);
    use_while_held(variable, get, variable);
}

TEST(no_lock_is_held_in_a_release) { use_while_assigning(&releasing); }

static swo_observable *object_messenger;

HANDLER(send_object_at_one, context) {
    swo_value waits = object(0, context);
    if (message->kind == SWO_KIND_INT64) ok(swo_send(object_messenger, &waits, NULL));
}

/* What waits in a queue is retained before, and released after it was delivered. */
TEST(no_lock_is_held_in_the_retain_and_release_of_a_message_that_waits) {
    const swo_object_type *types[] = {&retaining, &releasing};
    for (int i = 0; i < 2; i++) {
        object_messenger = swo_messenger_new();
        ok(swo_observe(object_messenger, NULL, send_object_at_one, (void *)types[i], NULL, NULL));
        use_while_held(object_messenger, send_one_number, object_messenger);
        swo_observable_release(object_messenger);
    }
}

TASK(stop, observation) { ok(swo_stop(*(swo_observation *)observation)); }

TEST(no_lock_is_held_in_a_destroy_function) {
    swo_observation observation;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, NULL, receive, NULL, destroy, &observation));
    use_while_held(messenger, stop, &observation);
}

TASK(release_observer, observer) { swo_observer_release(observer); }

TASK(release_observable, observable) { swo_observable_release(observable); }

TEST(no_lock_is_held_in_a_destroy_function_of_a_dying_observer) {
    swo_observer *observer = swo_observer_new();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    ok(swo_observe(messenger, observer, receive, NULL, destroy, NULL));
    use_while_held(messenger, release_observer, observer);
}

/* The source lives on, the transform's destroy function is held. */
TEST(no_lock_is_held_in_a_destroy_function_of_a_dying_transform) {
    swo_observable *messenger = swo_messenger_new(), *mapped;
    ok(swo_map(messenger, map, NULL, destroy, &mapped));
    use_while_held(messenger, release_observable, mapped);
    swo_observable_release(messenger);
}

TASK(fetch_latest, observable) {
    swo_value latest;
    ok(swo_latest(observable, &latest));
    swo_value_clear(&latest);
}

TEST(no_lock_is_held_in_a_mapper_that_computes_the_latest_message) {
    OWN_OBSERVABLE *variable = number_variable(1), *mapped;
    ok(swo_map(variable, map, NULL, NULL, &mapped));
    use_while_held(variable, fetch_latest, mapped);
    use_while_held(mapped, fetch_latest, mapped);
}

TASK(set_next, variable) {
    static int64_t number;
    set_number(variable, ++number);
}

COMBINED_HANDLER(receive_all, context) { receive(context, messages, author); }

TEST(no_lock_is_held_in_a_handler_of_several_observables) {
    swo_observation both;
    swo_observable *observables[2] = {number_variable(-1), number_variable(-1)};
    ok(swo_observe_combined(observables, 2, NULL, receive_all, NULL, destroy, &both));
    for (int i = 0; i < 2; i++) use_while_held(observables[i], set_next, observables[0]);
    use_while_held(observables[0], stop, &both);
    for (int i = 0; i < 2; i++) swo_observable_release(observables[i]);
}

TEST(no_lock_is_held_in_hooks) {
    for (int leaving = 0; leaving < 2; leaving++) {
        const swo_hooks hooks = {sizeof hooks, leaving ? NULL : destroy, leaving ? destroy : NULL, NULL};
        swo_observable *messenger = swo_messenger_new();
        swo_observation observation;
        ok(swo_observe_with(messenger, WITH(.hooks = &hooks), ignore_message, NULL, NULL, &observation));
        use_while_held(messenger, send_one_number, messenger);
        swo_observable_release(messenger);
    }
}

struct sending {
    swo_observable *messenger;
    const swo_object_type *type;
};

TASK(send_objects, context) {
    struct sending *sending = context;
    for (int i = 0; i < 3; i++) {
        swo_value message = object(i, sending->type);
        ok(swo_send(sending->messenger, &message, NULL));
    }
}

static swo_status remember_last(swo_observable *source, swo_observable **out) { return swo_replay(source, 1, out); }
static swo_status cache(swo_observable *source, swo_observable **out) { return swo_cache(source, NULL, out); }

TEST(no_lock_is_held_while_messages_are_remembered_compared_and_forgotten) {
    static const struct {
        swo_status (*make)(swo_observable *source, swo_observable **out);
        const swo_object_type *type;
    } cases[] = {{swo_skip_repeats, &retaining},
                 {swo_skip_repeats, &releasing},
                 {swo_skip_repeats, &comparing},
                 {swo_unique_values, &retaining},
                 {swo_unique_values, &comparing},
                 {swo_with_previous, &retaining},
                 {swo_with_previous, &releasing},
                 {remember_last, &retaining},
                 {remember_last, &releasing},
                 {cache, &retaining},
                 {cache, &releasing}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sending sending = {swo_messenger_new(), cases[i].type};
        swo_observable *transform;
        ok(cases[i].make(sending.messenger, &transform));
        use_while_held(sending.messenger, send_objects, &sending);
        use_while_held(transform, send_objects, &sending);
        RELEASE(transform, sending.messenger);
    }
}

static void visit(void *context, size_t index, const char *kind, const char *name) { hold_once(); }

TASK(walk, observable) {
    swo_observable *const observables[1] = {observable};
    const swo_graph_visitor visitor = {sizeof visitor, visit, NULL};
    ok(swo_graph_walk(observables, 1, &visitor, NULL));
}

TEST(no_lock_is_held_in_a_visitor) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    use_while_held(messenger, walk, messenger);
}
