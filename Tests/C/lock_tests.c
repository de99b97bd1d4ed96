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

static void receive(void *context, const swo_value *message, const void *author) { hold_once(); }

static void destroy(void *context) { hold_once(); }

static swo_status map(void *context, const swo_value *message, swo_value *out) {
    hold_once();
    *out = *message;
    return SWO_OK;
}

static bool accept(void *context, const swo_value *message) {
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
        must(swo_observe(observable, i == 0 ? NULL : observer, ignore_message, NULL, NULL, &observations[i]) == SWO_OK);
    must(swo_is_living(observations[0]));
    must(swo_observer_is_observing(observer, observable));
    must(swo_stop(observations[0]) == SWO_OK);
    must(swo_stop_and_wait(observations[1]) == SWO_OK);
    must(swo_observer_stop(observer, observable) == SWO_OK);
    must(swo_observe(observable, observer, ignore_message, NULL, NULL, NULL) == SWO_OK);
    swo_observer_release(observer);
    must(swo_new(observable, &transforms[0]) == SWO_OK);
    must(swo_map(observable, map, NULL, NULL, &transforms[1]) == SWO_OK);
    must(swo_filter(observable, accept, NULL, NULL, &transforms[2]) == SWO_OK);
    for (int i = 0; i < 3; i++) swo_observable_release(transforms[i]);
    must(swo_observable_set_ordered(observable, true) == SWO_OK);
    must(swo_observable_block(observable) == SWO_OK);
    must(swo_observable_unblock(observable) == SWO_OK);
    must(swo_observable_set_name(observable, "used") == SWO_OK);
    must(swo_observable_count(observable) < 100);
    swo_observable_release(swo_observable_retain(observable));

    swo_update update = {swo_null(), swo_int64(1)};
    swo_value message = swo_update_value(&update), value;
    must(swo_graph_dot(&observable, 1, &value) == SWO_OK);
    swo_value_clear(&value);
    must(swo_send(observable, &message, NULL) == SWO_OK);
    if (swo_variable_get(observable, &value) != SWO_OK) return;
    swo_value_clear(&value);
    must(swo_variable_set(observable, &message, NULL) == SWO_WRONG_KIND);
    value = swo_int64(123456);
    must(swo_variable_set(observable, &value, NULL) == SWO_OK);
}

/* Lets another thread do what runs the callback, and uses the observable while that is held. */
static void use_while_held(swo_observable *observable, void *(*body)(void *), void *context) {
    gate = gate_new();
    is_held = false;
    pthread_t thread = begin_thread(body, context);
    gate_await(gate);
    use(observable);
    gate_open(gate);
    join_thread(thread);
    gate_free(gate);
    gate = NULL;
}

TEST(no_lock_is_held_in_a_handler) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    must(swo_observe(messenger, NULL, receive, NULL, NULL, NULL) == SWO_OK);
    use_while_held(messenger, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_handler_without_order) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    must(swo_observable_set_ordered(messenger, false) == SWO_OK);
    must(swo_observe(messenger, NULL, receive, NULL, NULL, NULL) == SWO_OK);
    use_while_held(messenger, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_mapper) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *mapped;
    must(swo_map(messenger, map, NULL, NULL, &mapped) == SWO_OK);
    use_while_held(messenger, send_one_number, messenger);
    use_while_held(mapped, send_one_number, messenger);
}

TEST(no_lock_is_held_in_a_predicate) {
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *filtered;
    must(swo_filter(messenger, accept, NULL, NULL, &filtered) == SWO_OK);
    use_while_held(messenger, send_one_number, messenger);
    use_while_held(filtered, send_one_number, messenger);
}

static swo_status update(void *context, const swo_value *old_value, swo_value *out) {
    hold_once();
    *out = swo_int64(7);
    return SWO_OK;
}

static void *update_variable(void *variable) {
    must(swo_variable_update(variable, update, NULL, NULL) == SWO_OK);
    return NULL;
}

TEST(no_lock_is_held_in_an_updater) {
    OWN_OBSERVABLE *variable = number_variable(1);
    use_while_held(variable, update_variable, variable);
    assert_int_equal(number_of(variable), 7);
}

struct assignment {
    swo_observable *variable;
    swo_value value;
};

static void *assign(void *context) {
    struct assignment *assignment = context;
    must(swo_variable_set(assignment->variable, &assignment->value, NULL) == SWO_OK);
    return NULL;
}

static void *get(void *variable) {
    swo_value value;
    must(swo_variable_get(variable, &value) == SWO_OK);
    swo_value_clear(&value);
    return NULL;
}

static swo_observable *object_variable(const swo_object_type *type) {
    swo_value initial = object(0, type);
    swo_observable *variable;
    must(swo_variable_new(&initial, &variable) == SWO_OK);
    must(swo_observe(variable, NULL, ignore_message, NULL, NULL, NULL) == SWO_OK);
    return variable;
}

static void use_while_assigning(const swo_object_type *type) {
    swo_observable *variable = object_variable(type);
    struct assignment assignment = {variable, object(1, type)};
    use_while_held(variable, assign, &assignment);
    swo_observable_release(variable);
}

TEST(no_lock_is_held_in_an_equality) { use_while_assigning(&comparing); }

TEST(no_lock_is_held_in_a_retain) {
    use_while_assigning(&retaining);
    OWN_OBSERVABLE *variable = object_variable(&retaining);
    use_while_held(variable, get, variable);
}

TEST(no_lock_is_held_in_a_release) { use_while_assigning(&releasing); }

static swo_observable *object_messenger;

static void send_object_at_one(void *context, const swo_value *message, const void *author) {
    swo_value waits = object(0, context);
    if (message->kind == SWO_KIND_INT64) must(swo_send(object_messenger, &waits, NULL) == SWO_OK);
}

/* What waits in a queue is retained before, and released after it was delivered. */
TEST(no_lock_is_held_in_the_retain_and_release_of_a_message_that_waits) {
    const swo_object_type *types[] = {&retaining, &releasing};
    for (int i = 0; i < 2; i++) {
        object_messenger = swo_messenger_new();
        must(swo_observe(object_messenger, NULL, send_object_at_one, (void *)types[i], NULL, NULL) == SWO_OK);
        use_while_held(object_messenger, send_one_number, object_messenger);
        swo_observable_release(object_messenger);
    }
}

static void *stop(void *observation) {
    must(swo_stop(*(swo_observation *)observation) == SWO_OK);
    return NULL;
}

TEST(no_lock_is_held_in_a_destroy_function) {
    swo_observation observation;
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    must(swo_observe(messenger, NULL, receive, NULL, destroy, &observation) == SWO_OK);
    use_while_held(messenger, stop, &observation);
}

static void *release_observer(void *observer) {
    swo_observer_release(observer);
    return NULL;
}

static void *release_observable(void *observable) {
    swo_observable_release(observable);
    return NULL;
}

TEST(no_lock_is_held_in_a_destroy_function_of_a_dying_observer) {
    swo_observer *observer = swo_observer_new();
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    must(swo_observe(messenger, observer, receive, NULL, destroy, NULL) == SWO_OK);
    use_while_held(messenger, release_observer, observer);
}

/* The source lives on, the transform's destroy function is held. */
TEST(no_lock_is_held_in_a_destroy_function_of_a_dying_transform) {
    swo_observable *messenger = swo_messenger_new(), *mapped;
    must(swo_map(messenger, map, NULL, destroy, &mapped) == SWO_OK);
    use_while_held(messenger, release_observable, mapped);
    swo_observable_release(messenger);
}

static void *fetch_latest(void *observable) {
    swo_value latest;
    must(swo_latest(observable, &latest) == SWO_OK);
    swo_value_clear(&latest);
    return NULL;
}

TEST(no_lock_is_held_in_a_mapper_that_computes_the_latest_message) {
    OWN_OBSERVABLE *variable = number_variable(1), *mapped;
    must(swo_map(variable, map, NULL, NULL, &mapped) == SWO_OK);
    use_while_held(variable, fetch_latest, mapped);
    use_while_held(mapped, fetch_latest, mapped);
}

static void *set_next(void *variable) {
    static int64_t number;
    set_number(variable, ++number);
    return NULL;
}

static void receive_all(void *context, const swo_value *messages, size_t count, const void *author) {
    receive(context, messages, author);
}

TEST(no_lock_is_held_in_a_handler_of_several_observables) {
    swo_observation both;
    swo_observable *observables[2] = {number_variable(-1), number_variable(-1)};
    must(swo_observe_combined(observables, 2, NULL, receive_all, NULL, destroy, &both) == SWO_OK);
    for (int i = 0; i < 2; i++) use_while_held(observables[i], set_next, observables[0]);
    use_while_held(observables[0], stop, &both);
    for (int i = 0; i < 2; i++) swo_observable_release(observables[i]);
}

TEST(no_lock_is_held_in_hooks) {
    for (int leaving = 0; leaving < 2; leaving++) {
        const swo_hooks hooks = {sizeof hooks, leaving ? NULL : destroy, leaving ? destroy : NULL, NULL};
        swo_observable *messenger = swo_messenger_new();
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        swo_observation observation;
        options.hooks = &hooks;
        must(swo_observe_with(messenger, &options, ignore_message, NULL, NULL, &observation) == SWO_OK);
        use_while_held(messenger, send_one_number, messenger);
        swo_observable_release(messenger);
    }
}

struct sending {
    swo_observable *messenger;
    const swo_object_type *type;
};

static void *send_objects(void *context) {
    struct sending *sending = context;
    for (int i = 0; i < 3; i++) {
        swo_value message = object(i, sending->type);
        must(swo_send(sending->messenger, &message, NULL) == SWO_OK);
    }
    return NULL;
}

static swo_status remember_last(swo_observable *source, swo_observable **out) { return swo_replay(source, 1, out); }
static swo_status cache(swo_observable *source, swo_observable **out) { return swo_cache(source, NULL, out); }

TEST(no_lock_is_held_while_messages_are_remembered_compared_and_forgotten) {
    static const struct {
        swo_status (*make)(swo_observable *source, swo_observable **out);
        const swo_object_type *type;
    } cases[] = {
        {swo_skip_repeats, &retaining},
        {swo_skip_repeats, &releasing},
        {swo_skip_repeats, &comparing},
        {swo_unique_values, &retaining},
        {swo_unique_values, &comparing},
        {swo_with_previous, &retaining},
        {swo_with_previous, &releasing},
        {remember_last, &retaining},
        {remember_last, &releasing},
        {cache, &retaining},
        {cache, &releasing},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sending sending = {swo_messenger_new(), cases[i].type};
        swo_observable *transform;
        must(cases[i].make(sending.messenger, &transform) == SWO_OK);
        use_while_held(sending.messenger, send_objects, &sending);
        use_while_held(transform, send_objects, &sending);
        swo_observable_release(transform);
        swo_observable_release(sending.messenger);
    }
}

static void visit(void *context, size_t index, const char *kind, const char *name) { hold_once(); }

static void *walk(void *observable) {
    swo_observable *const observables[1] = {observable};
    const swo_graph_visitor visitor = {sizeof visitor, visit, NULL};
    must(swo_graph_walk(observables, 1, &visitor, NULL) == SWO_OK);
    return NULL;
}

TEST(no_lock_is_held_in_a_visitor) {
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    use_while_held(messenger, walk, messenger);
}
