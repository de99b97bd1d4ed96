/* SPDX-License-Identifier: MIT */
/* Transforms: what map, filter and new make of messages, by the same author. */
#include "support.h"

static swo_status times_ten(void *context, const swo_value *message, swo_value *out) {
    must(out->kind == SWO_KIND_NULL);
    *out = swo_int64(message->as.int64 * 10);
    return SWO_OK;
}

static bool is_even(void *context, const swo_value *message) { return message->as.int64 % 2 == 0; }

/*  source   1  2  3
 *  n * 10  10 20 30  */
TEST(a_map_sends_what_its_mapper_makes) {
    struct probe a = {.name = "", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map;
    assert_int_equal(swo_map(messenger, times_ten, NULL, NULL, &map), SWO_OK);
    observe(map, NULL, &a);
    for (int i = 1; i <= 3; i++) send_number(messenger, i);
    assert_journal(&journal, "10 20 30");
}

/*  source  1 2 3 4
 *  even      2   4  */
TEST(a_filter_passes_on_what_its_predicate_accepts) {
    struct probe a = {.name = "", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *filter;
    assert_int_equal(swo_filter(messenger, is_even, NULL, NULL, &filter), SWO_OK);
    observe(filter, NULL, &a);
    for (int i = 1; i <= 4; i++) send_number(messenger, i);
    assert_journal(&journal, "2 4");
}

/*  source  (0,1) (1,5)
 *  new         1     5  */
TEST(new_passes_on_the_new_value_of_an_update) {
    struct probe a = {.name = "", .journal = &journal};
    OWN_OBSERVABLE *variable = number_variable(0), *values;
    assert_int_equal(swo_new(variable, &values), SWO_OK);
    observe(values, NULL, &a);
    set_number(variable, 1);
    set_number(variable, 5);
    assert_journal(&journal, "1 5");
}

TEST(new_passes_on_what_is_no_update_as_it_is) {
    struct probe a = {.name = "", .journal = &journal};
    swo_update update = {swo_text("old"), swo_text("new")};
    const swo_value messages[] = {swo_int64(1), swo_update_value(&update), swo_null(), swo_text("text")};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *values;
    assert_int_equal(swo_new(messenger, &values), SWO_OK);
    observe(values, NULL, &a);
    for (int i = 0; i < 4; i++) assert_int_equal(swo_send(messenger, &messages[i], NULL), SWO_OK);
    assert_journal(&journal, "1 new null text");
}

TEST(transforms_can_be_chained_and_shared) {
    struct probe a = {.name = "even", .journal = &journal}, b = {.name = "tens", .journal = &journal},
                 c = {.name = "hundreds", .journal = &journal};
    OWN_OBSERVABLE *variable = number_variable(0), *values, *even, *tens, *hundreds;
    assert_int_equal(swo_new(variable, &values), SWO_OK);
    assert_int_equal(swo_filter(values, is_even, NULL, NULL, &even), SWO_OK);
    assert_int_equal(swo_map(even, times_ten, NULL, NULL, &tens), SWO_OK);
    assert_int_equal(swo_map(tens, times_ten, NULL, NULL, &hundreds), SWO_OK);
    observe(hundreds, NULL, &c);
    observe(tens, NULL, &b);
    observe(even, NULL, &a);
    for (int i = 1; i <= 4; i++) set_number(variable, i);
    /* Hundreds began to observe tens before b did, tens to observe even before a did. */
    assert_journal(&journal, "hundreds200 tens20 even2 hundreds400 tens40 even4");
}

static void send_next_to_source(struct probe *probe, const swo_value *message, const void *author) {
    if (message->as.int64 < 30) send_number(probe->other->observable, message->as.int64 / 10 + 1);
}

/* Laws 1 and 3 */
TEST(a_transform_keeps_the_order_of_its_source) {
    struct probe source = {.name = "source", .journal = &journal};
    struct probe a = {.name = "a", .journal = &journal, .action = send_next_to_source, .other = &source};
    struct probe b = {.name = "b", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map;
    assert_int_equal(swo_map(messenger, times_ten, NULL, NULL, &map), SWO_OK);
    observe(messenger, NULL, &source);
    observe(map, NULL, &a);
    observe(map, NULL, &b);
    send_number(messenger, 1);
    assert_journal(&journal, "a10 b10 source1 a20 b20 source2 a30 b30 source3");
}

/* Law 22 */
TEST(a_transform_passes_the_author_on) {
    struct probe a = {.name = "a"};
    int author = 0;
    OWN_OBSERVABLE *variable = number_variable(0), *values, *even, *tens;
    assert_int_equal(swo_new(variable, &values), SWO_OK);
    assert_int_equal(swo_filter(values, is_even, NULL, NULL, &even), SWO_OK);
    assert_int_equal(swo_map(even, times_ten, NULL, NULL, &tens), SWO_OK);
    observe(tens, NULL, &a);
    swo_value value = swo_int64(2);
    assert_int_equal(swo_variable_set(variable, &value, &author), SWO_OK);
    assert_ptr_equal(a.author, &author);
    set_number(variable, 4);
    assert_ptr_equal(a.author, variable);
}

static bool is_new(void *context, const swo_value *message) {
    int64_t *before = context;
    bool is = message->as.int64 != *before;
    *before = message->as.int64;
    return is;
}

/* Law 22 */
TEST(the_state_of_a_transform_is_its_own) {
    struct probe a = {.name = "early", .journal = &journal}, b = {.name = "late", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *early, *late;
    int64_t before_early = 0, before_late = 0;
    assert_int_equal(swo_filter(messenger, is_new, &before_early, NULL, &early), SWO_OK);
    observe(early, NULL, &a);
    send_number(messenger, 1);
    send_number(messenger, 1);
    assert_int_equal(swo_filter(messenger, is_new, &before_late, NULL, &late), SWO_OK);
    observe(late, NULL, &b);
    send_number(messenger, 1);
    send_number(messenger, 2);
    assert_journal(&journal, "early1 late1 early2 late2");
}

TEST(what_is_sent_to_a_transform_goes_to_those_who_observe_it) {
    struct probe source = {.name = "source", .journal = &journal}, a = {.name = "a", .journal = &journal};
    OWN_OBSERVABLE *messenger = swo_messenger_new(), *map;
    assert_int_equal(swo_map(messenger, times_ten, NULL, NULL, &map), SWO_OK);
    observe(messenger, NULL, &source);
    observe(map, NULL, &a);
    send_number(map, 5);
    assert_journal(&journal, "a5");
    assert_ptr_equal(a.author, map);
}
