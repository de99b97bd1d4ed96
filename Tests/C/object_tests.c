/* SPDX-License-Identifier: MIT */
/* Objects of the caller's: every retain of the library's is paired with a release, and it retains only what has to wait
 * or stay. */
#include "support.h"

struct thing {
    int number;
    atomic_long retained, released;
};

static void retain_thing(void *object) { ((struct thing *)object)->retained++; }

static void release_thing(void *object) {
    struct thing *thing = object;
    must(thing->released++ < thing->retained);
}

static bool things_are_equal(void *one, void *other) {
    return ((struct thing *)one)->number == ((struct thing *)other)->number;
}

static bool always_equal(void *one, void *other) { return true; }

static const swo_object_type plain = {.size = sizeof plain};
static const swo_object_type counted = {.size = sizeof counted, .retain = retain_thing, .release = release_thing};
static const swo_object_type comparable = {sizeof comparable, retain_thing, release_thing, things_are_equal};

static bool are_equal(swo_value one, swo_value other) {
    bool equal;
    ok(swo_value_equal(&one, &other, &equal));
    return equal;
}

static long held(const struct thing *thing) { return thing->retained - thing->released; }

TEST(objects_without_equality_are_equal_if_identical) {
    struct thing one = {.number = 1}, same = {.number = 1};
    assert_true(are_equal(swo_object(&one, &plain), swo_object(&one, &plain)));
    assert_false(are_equal(swo_object(&one, &plain), swo_object(&same, &plain)));
    assert_true(are_equal(swo_object(NULL, &plain), swo_object(NULL, &plain)));
}

TEST(objects_with_equality_are_asked) {
    struct thing one = {.number = 1}, same = {.number = 1}, other = {.number = 2};
    assert_true(are_equal(swo_object(&one, &comparable), swo_object(&same, &comparable)));
    assert_false(are_equal(swo_object(&one, &comparable), swo_object(&other, &comparable)));
    assert_int_equal(one.retained + same.retained + other.retained, 0);
}

TEST(objects_of_different_types_differ) {
    static const swo_object_type one_type = {.size = sizeof one_type, .equal = always_equal};
    static const swo_object_type other_type = {.size = sizeof other_type, .equal = always_equal};
    struct thing one = {.number = 1}, other = {.number = 1};
    assert_true(are_equal(swo_object(&one, &one_type), swo_object(&other, &one_type)));
    assert_false(are_equal(swo_object(&one, &one_type), swo_object(&other, &other_type)));
}

TEST(an_object_type_of_no_size_is_refused) {
    static const swo_object_type sizeless = {.retain = retain_thing, .release = release_thing};
    struct thing thing = {.number = 1};
    swo_value value = swo_object(&thing, &sizeless), copy;
    assert_int_equal(swo_value_check(&value), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_value_copy(&value, &copy), SWO_INVALID_ARGUMENT);
    assert_int_equal(thing.retained, 0);
}

TEST(an_object_type_that_knows_more_than_the_library_is_fine) {
    static const struct {
        swo_object_type type;
        void (*later)(void);
    } longer = {{sizeof longer, retain_thing, release_thing, NULL}, NULL};
    struct thing thing = {.number = 1};
    swo_value value = swo_object(&thing, &longer.type), copy;
    ok(swo_value_copy(&value, &copy));
    swo_value_clear(&copy);
    assert_int_equal(thing.retained, 1);
    assert_int_equal(thing.released, 1);
}

static const char *name_thing(void) { return "thing"; }
static const char *name_another(void) { return "another"; }
static const char *name_none(void) { return NULL; }

TEST(object_types_of_one_name_are_one_type) {
    const swo_named_type one = {{sizeof one, NULL, NULL, things_are_equal}, name_thing}, same = one,
                         identical = {{sizeof one, NULL, NULL, NULL}, name_thing},
                         another = {{sizeof one, NULL, NULL, things_are_equal}, name_another},
                         unnamed = {{sizeof one, NULL, NULL, things_are_equal}, name_none}, unnamed_too = unnamed,
                         absent = {{sizeof one, NULL, NULL, things_are_equal}, NULL};
    struct thing first = {.number = 1}, second = {.number = 1};
    const struct {
        const swo_object_type *one, *other;
        void *object;
        bool are_one_type, are_same;
    } pairs[] = {
        {&one.type, &one.type, &second, true, true},      {&one.type, &same.type, &second, true, true},
        {&one.type, &another.type, &first, false, false}, {&one.type, &unnamed.type, &first, false, false},
        {&one.type, &absent.type, &first, false, false},  {&one.type, &counted, &first, false, false},
        {&counted, &one.type, &first, false, false},      {&unnamed.type, &unnamed_too.type, &first, false, false},
        {&identical.type, &one.type, &first, true, true}, {&identical.type, &one.type, &second, true, false},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(swo_is_same_type(pairs[i].one, pairs[i].other), pairs[i].are_one_type);
        swo_value value = swo_object(&first, pairs[i].one), other = swo_object(pairs[i].object, pairs[i].other);
        bool are_same;
        ok(swo_value_equal(&value, &other, &are_same));
        assert_int_equal(are_same, pairs[i].are_same);
        void *found = NULL;
        assert_int_equal(swo_value_object(&value, pairs[i].other, &found),
                         pairs[i].are_one_type ? SWO_OK : SWO_WRONG_KIND);
    }
    assert_false(swo_is_same_type(NULL, &one.type) || swo_is_same_type(&one.type, NULL));
}

TEST(a_copy_retains_and_its_end_releases) {
    struct thing thing = {.number = 1};
    swo_value value = swo_object(&thing, &counted), copy, second;
    ok(swo_value_copy(&value, &copy));
    ok(swo_value_copy(&copy, &second));
    assert_int_equal(thing.retained, 2);
    swo_value_clear(&copy);
    assert_int_equal(thing.released, 1);
    assert_true(second.as.object.pointer == &thing && second.as.object.type == &counted);
    swo_value_clear(&second);
    swo_value_clear(&value); /* only borrows */
    assert_int_equal(thing.released, 2);
}

TEST(a_copied_update_retains_both_objects) {
    struct thing old_thing = {.number = 1}, new_thing = {.number = 2};
    swo_update update = {swo_object(&old_thing, &counted), swo_object(&new_thing, &counted)};
    swo_value value = swo_update_value(&update), copy;
    ok(swo_value_copy(&value, &copy));
    assert_true(held(&old_thing) == 1 && held(&new_thing) == 1);
    swo_value_clear(&copy);
    assert_true(held(&old_thing) == 0 && held(&new_thing) == 0);
}

TEST(a_message_that_need_not_wait_is_not_retained) {
    struct probe probes[3] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
    struct thing thing = {.number = 1};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    for (int i = 0; i < 3; i++) observe(messenger, NULL, &probes[i]);
    ok(swo_send(messenger, VALUE(swo_object(&thing, &counted)), NULL));
    assert_int_equal(probes[2].calls, 1);
    assert_int_equal(thing.retained, 0);
}

static struct thing waiting;

ACTION(send_waiting) {
    if (message->kind == SWO_KIND_OBJECT) {
        must(message->as.object.pointer == &waiting && held(&waiting) == 1);
        return;
    }
    swo_value object = swo_object(&waiting, &counted);
    ok(swo_send(probe->observable, &object, NULL));
    must(held(&waiting) == 1);
}

TEST(a_message_that_waits_is_retained_until_it_is_delivered) {
    struct probe probe = {.name = "a", .action = send_waiting};
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    waiting = (struct thing){.number = 1};
    observe(messenger, NULL, &probe);
    send_number(messenger, 1);
    assert_int_equal(probe.calls, 2);
    assert_int_equal(waiting.retained, 1);
    assert_int_equal(waiting.released, 1);
}

TEST(a_variable_holds_its_object_until_the_next_or_its_end) {
    struct thing first = {.number = 1}, second = {.number = 2};
    swo_value initial = swo_object(&first, &counted), next = swo_object(&second, &counted), got;
    swo_observable *variable;
    struct probe probe = {.name = "a"};
    ok(swo_variable_new(&initial, &variable));
    observe(variable, NULL, &probe);
    assert_int_equal(held(&first), 1);
    ok(swo_variable_get(variable, &got));
    assert_int_equal(held(&first), 2);
    swo_value_clear(&got);
    ok(swo_variable_set(variable, &next, NULL));
    assert_int_equal(probe.calls, 1);
    assert_true(held(&first) == 0 && held(&second) == 1);
    swo_observable_release(variable);
    assert_int_equal(held(&second), 0);
}

/* The context is how often it is called. */
HANDLER(count_call, calls) { ++*(int *)calls; }

static void observe_on(swo_queue *queue, swo_observable *observable, int *calls) {
    swo_executor executor;
    ok(swo_queue_executor(queue, &executor));
    ok(swo_observe_on(observable, NULL, &executor, count_call, calls, NULL, NULL));
}

TEST(an_object_is_held_while_it_waits_in_a_queue) {
    struct thing thing = {.number = 1};
    int calls = 0;
    swo_value message = swo_object(&thing, &counted);
    OWN_QUEUE *queue = new_queue(NULL);
    OWN_OBSERVABLE *messenger = swo_messenger_new();
    observe_on(queue, messenger, &calls);
    ok(swo_send(messenger, &message, NULL));
    ok(swo_send(messenger, &message, NULL));
    assert_int_equal(held(&thing), 2);
    assert_int_equal(drain(queue, 0), 2);
    assert_int_equal(held(&thing), 0);
    assert_int_equal(calls, 2);
}

TEST(both_objects_of_an_update_are_held_while_it_waits_in_a_queue) {
    struct thing first = {.number = 1}, second = {.number = 2};
    int calls = 0;
    swo_value initial = swo_object(&first, &counted), next = swo_object(&second, &counted);
    OWN_QUEUE *queue = new_queue(NULL);
    swo_observable *variable;
    ok(swo_variable_new(&initial, &variable));
    observe_on(queue, variable, &calls);
    ok(swo_variable_set(variable, &next, NULL));
    assert_true(held(&first) == 1 && held(&second) == 2);
    assert_int_equal(drain(queue, 0), 1);
    assert_true(held(&first) == 0 && held(&second) == 1);
    swo_observable_release(variable);
    assert_int_equal(held(&second), 0);
    assert_int_equal(calls, 1);
}

static swo_observable *batched;
static struct thing late;
static int comparisons;

/* The second comparison is that of the end of the batch. */
static bool set_late_while_comparing(void *one, void *other);
static const swo_object_type slowly_comparable = {sizeof slowly_comparable, retain_thing, release_thing,
                                                  set_late_while_comparing};
static bool set_late_while_comparing(void *one, void *other) {
    if (++comparisons == 2) {
        ok(swo_variable_set(batched, VALUE(swo_object(&late, &slowly_comparable)), NULL));
    }
    return things_are_equal(one, other);
}

HANDLER(note_update, objects) {
    ((void **)objects)[0] = message->as.update->old_value.as.object.pointer;
    ((void **)objects)[1] = message->as.update->new_value.as.object.pointer;
}

TEST(what_is_set_while_the_end_of_a_batch_compares_belongs_to_the_batch) {
    struct thing first = {.number = 1}, second = {.number = 2};
    void *objects[2] = {NULL, NULL};
    swo_value initial = swo_object(&first, &slowly_comparable), next = swo_object(&second, &slowly_comparable);
    late = (struct thing){.number = 3};
    comparisons = 0;
    ok(swo_variable_new(&initial, &batched));
    ok(swo_observe(batched, NULL, note_update, objects, NULL, NULL));
    ok(swo_variable_begin_batch(batched));
    ok(swo_variable_set(batched, &next, NULL));
    ok(swo_variable_end_batch(batched));
    assert_ptr_equal(objects[0], &first);
    assert_ptr_equal(objects[1], &late);
    swo_observable_release(batched);
    assert_true(held(&first) == 0 && held(&second) == 0 && held(&late) == 0);
}

TEST(a_variable_does_not_keep_an_equal_object) {
    struct thing first = {.number = 1}, equal = {.number = 1};
    swo_value initial = swo_object(&first, &comparable), same = swo_object(&equal, &comparable);
    swo_observable *variable;
    struct probe probe = {.name = "a"};
    ok(swo_variable_new(&initial, &variable));
    observe(variable, NULL, &probe);
    ok(swo_variable_set(variable, &same, NULL));
    assert_int_equal(probe.calls, 0);
    swo_observable_release(variable);
    assert_true(held(&first) == 0 && held(&equal) == 0);
}
