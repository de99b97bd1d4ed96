/* SPDX-License-Identifier: MIT */
/* Variables: the value is there at once, its update takes its turn, and no change sends nothing. */
#include "support.h"

#include <math.h>

TEST(a_variable_holds_a_value_of_any_kind_but_update) {
    static const swo_object_type type = {.size = sizeof type};
    int object;
    const swo_value values[] = {swo_null(),
                                swo_bool(true),
                                swo_int64(-1),
                                swo_double(0.5),
                                swo_text_sized("a\0b", 3),
                                swo_text(""),
                                swo_bytes("\xFF", 1),
                                swo_object(&object, &type)};
    for (size_t i = 0; i < COUNT(values); i++) {
        swo_observable *variable;
        swo_value got;
        bool equal = false;
        ok(swo_variable_new(&values[i], &variable));
        ok(swo_variable_get(variable, &got));
        ok(swo_value_equal(&got, &values[i], &equal));
        assert_true(equal);
        swo_value_clear(&got);
        swo_observable_release(variable);
    }
}

TEST(a_variable_without_an_initial_value_is_null) {
    struct probe a = PROBE("a");
    swo_value got = swo_int64(7);
    OWN_OBSERVABLE *variable;
    ok(swo_variable_new(NULL, &variable));
    observe(variable, NULL, &a);
    ok(swo_variable_get(variable, &got));
    assert_int_equal(got.kind, SWO_KIND_NULL);
    set_number(variable, 1);
    EXPECT_TRACE("a(null,1)");
}

/* Law 16: by bytes, by kind, and for doubles as IEEE 754 has it. */
TEST(change_is_what_is_not_equal) {
    const struct {
        swo_value from, to;
        bool is_change;
    } cases[] = {{swo_text("a"), swo_text("a"), false},
                 {swo_text("a"), swo_text("b"), true},
                 {swo_text("a"), swo_bytes("a", 1), true},
                 {swo_bytes("a\0", 2), swo_bytes("a\0", 2), false},
                 {swo_bytes("a\0", 2), swo_bytes("a", 1), true},
                 {swo_int64(1), swo_double(1), true},
                 {swo_int64(0), swo_bool(false), true},
                 {swo_int64(0), swo_null(), true},
                 {swo_null(), swo_null(), false},
                 {swo_bool(true), swo_bool(true), false},
                 {swo_double(0.0), swo_double(-0.0), false},
                 {swo_double(1), swo_double(1), false},
                 {swo_double(1), swo_double(NAN), true},
                 {swo_double(NAN), swo_double(NAN), true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        swo_observable *variable;
        struct probe a = {.name = "a"};
        ok(swo_variable_new(&cases[i].from, &variable));
        observe(variable, NULL, &a);
        ok(swo_variable_set(variable, &cases[i].to, NULL));
        assert_int_equal(a.calls, cases[i].is_change);
        swo_observable_release(variable);
    }
}

TEST(a_variable_keeps_a_copy) {
    char text[] = "text";
    swo_value value = swo_text(text), got;
    swo_observable *variable;
    ok(swo_variable_new(&value, &variable));
    memset(text, 'x', 4);
    ok(swo_variable_get(variable, &got));
    assert_string_equal(got.as.bytes.data, "text");
    swo_value_clear(&got);
    memcpy(text, "next", 4);
    ok(swo_variable_set(variable, &value, NULL));
    memset(text, 'x', 4);
    ok(swo_variable_get(variable, &got));
    assert_string_equal(got.as.bytes.data, "next");
    swo_observable_release(variable);
    assert_string_equal(got.as.bytes.data, "next"); /* a copy of its own */
    swo_value_clear(&got);
}

TEST(an_update_can_be_sent_without_a_change) {
    struct probe a = PROBE("a");
    swo_update update = {swo_int64(5), swo_int64(6)};
    swo_value message = swo_update_value(&update), plain = swo_int64(6);
    OWN_OBSERVABLE *variable = number_variable(1);
    observe(variable, NULL, &a);
    ok(swo_send(variable, &message, NULL));
    assert_int_equal(swo_send(variable, &plain, NULL), SWO_WRONG_KIND);
    EXPECT_TRACE("a(5,6)");
    assert_int_equal(number_of(variable), 1);
}

/* ---- replays beside what is sent straight to a variable (law 19) ---- */

enum { STRAIGHT = 1000000 }; /* numbers from here on are sent straight, and never set */

static swo_status send_straight(swo_observable *variable, int64_t number, bool later) {
    const swo_update update = {swo_int64(number), swo_int64(number + 1)};
    return later ? swo_send_later(variable, VALUE(swo_update_value(&update)), NULL)
                 : swo_send(variable, VALUE(swo_update_value(&update)), NULL);
}

/* `number` says in which order. */
ACTION(send_straight_and_begin_a_replay) {
    if (message->as.update->new_value.as.int64 != 1) return;
    if (probe->number % 3 == 1) set_number(probe->observable, 2);
    ok(send_straight(probe->observable, STRAIGHT, probe->number >= 3));
    ok(swo_observe_with(probe->observable, WITH(.replay = 1), probe_receive, probe->other, probe_destroy, NULL));
    if (probe->number % 3 == 2) set_number(probe->observable, 2);
}

TEST(a_replay_knows_nothing_of_what_was_sent_straight_to_a_variable_and_waits) {
    static const char *const expected[] = {
        "late(1,1) late(1000000,1000001)",
        "late(1,1) late(1,2) late(1000000,1000001)",
        "late(1,1) late(1000000,1000001) late(1,2)",
    };
    for (int way = 0; way < 6; way++) {
        struct probe late = PROBE("late"),
                     first = {.action = send_straight_and_begin_a_replay, .other = &late, .number = way};
        OWN_OBSERVABLE *variable = number_variable(0);
        observe(variable, NULL, &first);
        set_number(variable, 1);
        EXPECT_TRACE(expected[way % 3]);
    }
}

static struct {
    int64_t delivered, next, straight;
    long replays;
    uint64_t random;
} mixed;

HANDLER(must_begin_with_what_was_delivered, began) {
    if (*(bool *)began) return;
    *(bool *)began = true;
    must(message->as.update->old_value.as.int64 == mixed.delivered);
    must(message->as.update->new_value.as.int64 == mixed.delivered);
    mixed.replays++;
}

ACTION(do_anything) {
    if (message->as.update->new_value.as.int64 < STRAIGHT) mixed.delivered = message->as.update->new_value.as.int64;
    if (mixed.next + mixed.straight > scaled(20000)) return;
    for (unsigned count = chance(&mixed.random, 4); count > 0; count--) {
        swo_observation observation;
        switch (chance(&mixed.random, 6)) {
        case 0:
        case 1: set_number(probe->observable, ++mixed.next); break;
        case 2: ok(send_straight(probe->observable, STRAIGHT + ++mixed.straight, chance(&mixed.random, 2))); break;
        case 3:
            ok(swo_variable_begin_batch(probe->observable));
            set_number(probe->observable, ++mixed.next);
            set_number(probe->observable, ++mixed.next);
            ok(swo_variable_end_batch(probe->observable));
            break;
        case 4:
            ok(swo_observe_with(probe->observable, WITH(.replay = 1, .once = true), must_begin_with_what_was_delivered,
                                calloc(1, sizeof(bool)), free, &observation));
            break;
        default:
            if (chance(&mixed.random, 8) == 0) swo_observable_interrupt(probe->observable);
        }
    }
}

TEST(whatever_waits_a_replay_is_the_value_of_the_last_update_that_was_delivered) {
    memset(&mixed, 0, sizeof mixed);
    for (int round = 0; round < 200; round++) {
        mixed.delivered = mixed.next = mixed.straight = 0;
        struct probe first = {.action = do_anything};
        OWN_OBSERVABLE *variable = number_variable(0);
        swo_observation id = observe(variable, NULL, &first);
        for (int i = 0; i < 20; i++) set_number(variable, ++mixed.next);
        /* What an interrupt has left is delivered when the variable is gone already. */
        ok(swo_stop(id));
    }
    assert_true(mixed.replays > 0);
}
