/* SPDX-License-Identifier: MIT */
/* What a block declares ends with it. */
#include "queues.h"
#include <swiftobserver/scoped.h>

TEST(an_observation_ends_with_its_block) {
    struct probe a = {.name = "a"};
    SWO_SCOPED(swo_observable) messenger = swo_messenger_new();
    {
        SWO_SCOPED(swo_observation) id = observe(messenger, NULL, &a);
        assert_true(swo_is_living(id));
        send_number(messenger, 1);
    }
    send_number(messenger, 2);
    assert_int_equal(a.calls, 1);
    assert_int_equal(a.destroyed, 1);
}

TEST(an_observer_ends_with_its_block) {
    struct probe a = {.name = "a"};
    SWO_SCOPED(swo_observable) messenger = swo_messenger_new();
    {
        SWO_SCOPED(swo_observer) observer = swo_observer_new();
        observe(messenger, observer, &a);
    }
    assert_int_equal(a.destroyed, 1);
}

static int leave_early(struct probe *probe, int way) {
    for (int turn = 0; turn < 1; turn++) {
        SWO_SCOPED(swo_observable) messenger = swo_messenger_new();
        observe(messenger, NULL, probe);
        if (way == 0) return 0;
        if (way == 1) break;
        if (way == 2) continue;
        if (way == 3) goto out;
    }
out:
    return way;
}

TEST(a_block_may_be_left_in_any_way) {
    for (int way = 0; way <= 4; way++) {
        struct probe a = {.name = "a"};
        assert_int_equal(leave_early(&a, way), way);
        assert_int_equal(a.destroyed, 1);
    }
}

static swo_observable *make_messenger(struct probe *probe) {
    SWO_SCOPED(swo_observable) messenger = swo_messenger_new();
    SWO_SCOPED(swo_observation) id = observe(messenger, NULL, probe);
    swo_take_observation(&id);
    return swo_take_observable(&messenger);
}

TEST(what_is_taken_outlives_the_block) {
    struct probe a = {.name = "a"};
    SWO_SCOPED(swo_observable) messenger = make_messenger(&a);
    send_number(messenger, 1);
    assert_int_equal(a.calls, 1);
    assert_int_equal(a.destroyed, 0);
}

TEST(nothing_is_released_of_what_is_empty) {
    SWO_SCOPED(swo_observable) observable = NULL;
    SWO_SCOPED(swo_observer) observer = NULL;
    SWO_SCOPED(swo_queue) queue = NULL;
    SWO_SCOPED(swo_observation) observation = 0;
    SWO_SCOPED(swo_value) value = swo_null();
    assert_null(swo_take_observable(&observable));
    assert_null(swo_take_observer(&observer));
    assert_null(swo_take_queue(&queue));
    assert_int_equal(swo_take_observation(&observation), 0);
    assert_int_equal(swo_take_value(&value).kind, SWO_KIND_NULL);
}

/* What is not freed is a leak, which the sanitizers and valgrind report. */
TEST(values_and_queues_are_freed) {
    swo_value text = swo_text("a text that is too long to lie anywhere but in memory of its own");
    swo_value taken;
    {
        SWO_SCOPED(swo_queue) queue = new_queue(NULL);
        SWO_SCOPED(swo_value) copy = swo_null();
        SWO_SCOPED(swo_value) kept = swo_null();
        ok(swo_value_copy(&text, &copy));
        ok(swo_value_copy(&text, &kept));
        assert_true(swo_queue_fd(queue) >= 0);
        taken = swo_take_value(&kept);
    }
    assert_string_equal(taken.as.bytes.data, text.as.bytes.data);
    swo_value_clear(&taken);
}
