/* SPDX-License-Identifier: MIT */
/* Observables of several others, and what adds messages up. */
#include "support.h"

static swo_observable *combined(swo_observable *one, swo_observable *other) {
    swo_observable *made, *both[] = {one, other};
    ok(swo_combine(both, 2, &made));
    return made;
}

static swo_observable *zipped(swo_observable *one, swo_observable *other) {
    swo_observable *made, *both[] = {one, other};
    ok(swo_zip(both, 2, &made));
    return made;
}

static swo_observable *values_of(swo_observable *variable) {
    swo_observable *made;
    ok(swo_new_values(variable, &made));
    return made;
}

/* ---- what each passes on ---- */

TEST(combine_sends_the_latest_of_each_once_all_have_sent) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *both = combined(one, other);
    observe(both, NULL, &a);
    send_number(one, 1);
    EXPECT_TRACE("");
    send_number(other, 5);
    send_number(one, 2);
    send_number(other, 6);
    EXPECT_TRACE("a[1 5] a[2 5] a[2 6]");
}

TEST(combine_knows_what_was_sent_before_it_was_observed) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *both = combined(one, other);
    send_number(one, 1);
    observe(both, NULL, &a);
    send_number(other, 5);
    EXPECT_TRACE("a[1 5]");
}

TEST(combine_begins_with_the_present_values) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(5), *first = values_of(one),
                   *second = values_of(other), *both = combined(first, second);
    ok(swo_observe_with(both, WITH(.replay = 1), probe_receive, &a, probe_destroy, &a.observation));
    EXPECT_TRACE("a[1 5]");
    set_number(one, 2);
    EXPECT_TRACE("a[2 5]");
    swo_value latest;
    ok(swo_latest(both, &latest));
    assert_int_equal(latest.as.list.count, 2);
    assert_int_equal(latest.as.list.values[0].as.int64, 2);
    assert_int_equal(latest.as.list.values[1].as.int64, 5);
    swo_value_clear(&latest);
}

TEST(combine_of_variables_sends_updates) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(5), *both = combined(one, other);
    observe(both, NULL, &a);
    set_number(one, 2);
    EXPECT_TRACE("a[(1,2) (5,5)]");
}

TEST(combine_has_no_latest_message_before_all_have_one) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = number_variable(1), *other = swo_messenger_new(), *both = combined(one, other);
    swo_value latest = swo_int64(7);
    assert_int_equal(swo_latest(both, &latest), SWO_NOT_FOUND);
    assert_int_equal(latest.as.int64, 7);
    ok(swo_observe_with(both, WITH(.replay = 1), probe_receive, &a, probe_destroy, &a.observation));
    EXPECT_TRACE("");
    assert_int_equal(swo_observable_refused(both), 0);
    send_number(other, 5);
    EXPECT_TRACE("a[(1,1) 5]");
    ok(swo_latest(both, &latest));
    swo_value_clear(&latest);
}

MAPPER(add_up, context, list) {
    int64_t sum = 0;
    must(list->kind == SWO_KIND_LIST);
    for (size_t i = 0; i < list->as.list.count; i++) sum += list->as.list.values[i].as.int64;
    GIVE(swo_int64(sum));
}

TEST(what_is_combined_can_be_mapped_combined_replayed_queued_and_named) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *one = number_variable(1), *other = number_variable(5), *third = number_variable(10),
                   *first = values_of(one), *second = values_of(other), *both = combined(first, second), *sum, *all,
                   *last = values_of(third);
    ok(swo_map(both, add_up, NULL, NULL, &sum));
    all = combined(sum, last);
    ok(swo_observable_set_name(all, "all"));
    swo_executor executor;
    OWN_QUEUE *queue = new_queue(&executor);
    ok(swo_observe_with(all, WITH(.replay = 1, .executor = &executor), probe_receive, &a, probe_destroy, NULL));
    ok(swo_observe_with(all, WITH(.replay = 1, .once = true), probe_receive, &b, probe_destroy, NULL));
    EXPECT_TRACE("b[6 10]");
    set_number(other, 6);
    EXPECT_TRACE("");
    drain(queue, 0);
    EXPECT_TRACE("a[6 10] a[7 10]");
}

TEST(zip_sends_the_first_of_each_then_the_second) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *pairs = zipped(one, other);
    observe(pairs, NULL, &a);
    send_numbers(one, 1, 2, 3);
    send_number(other, 5);
    send_numbers(other, 6, 7, 8);
    send_number(one, 4);
    EXPECT_TRACE("a[1 5] a[2 6] a[3 7] a[4 8]");
}

TEST(with_latest_from_sends_for_each_message_of_its_source) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *other = swo_messenger_new(), *variable = number_variable(9),
                   *values = values_of(variable), *made;
    ok(swo_with_latest_from(source, (swo_observable *[]){other, values}, 2, &made));
    observe(made, NULL, &a);
    send_number(source, 1);
    send_number(other, 5);
    EXPECT_TRACE("");
    send_number(source, 2);
    set_number(variable, 8);
    send_number(source, 3);
    EXPECT_TRACE("a[2 5 9] a[3 5 8]");
}

/* ---- what cannot be fetched ---- */

static swo_observable *number;

/* Of odd numbers there is none. */
static swo_status half_of_number(void *unused, swo_value *out) {
    (void)unused;
    int64_t whole = number_of(number);
    *out = swo_int64(whole / 2);
    return whole % 2 == 0 ? SWO_OK : SWO_CALLBACK_FAILED;
}

static swo_status half(void *unused, const swo_value *whole, swo_value *out) {
    (void)unused;
    *out = swo_int64(whole->as.int64 / 2);
    return whole->as.int64 % 2 == 0 ? SWO_OK : SWO_CALLBACK_FAILED;
}

static swo_observable *derived_half(void) {
    OWN_OBSERVABLE *derived;
    ok(swo_derived_new(half_of_number, NULL, NULL, &derived));
    return values_of(derived);
}

static swo_observable *mapped_half(void) {
    OWN_OBSERVABLE *values = values_of(number);
    swo_observable *mapped;
    ok(swo_map(values, half, NULL, NULL, &mapped));
    return mapped;
}

static swo_observable *combined_half(void) {
    OWN_OBSERVABLE *mapped = mapped_half(), *values = values_of(number);
    return combined(mapped, values);
}

/* A message is not lost in silence because what is to go with it fails. */
TEST(the_sender_hears_of_what_cannot_be_fetched) {
    swo_observable *(*const making[])(void) = {derived_half, mapped_half, combined_half};
    const char *const passed[] = {"a[4 1] a[5 1] b[5 1]", "a[4 1] a[5 1] b[5 1]",
                                  "a[4 [1 2]] a[4 [1 2]] a[5 [1 2]] b[5 [1 2]]"};
    for (size_t i = 0; i < sizeof making / sizeof *making; i++) {
        struct probe a = PROBE("a"), b = PROBE("b");
        number = number_variable(1);
        OWN_OBSERVABLE *source = swo_messenger_new(), *other = making[i](), *both = combined(source, other), *made;
        ok(swo_with_latest_from(source, &other, 1, &made));
        observe(both, NULL, &a);
        observe(made, NULL, &b);
        assert_int_equal(swo_send(source, VALUE(swo_int64(4)), NULL), SWO_CALLBACK_FAILED);
        EXPECT_TRACE("");
        set_number(number, 2);
        send_number(source, 5);
        EXPECT_TRACE(passed[i]);
        swo_observable_release(number);
    }
}

TEST(sample_sends_what_is_new_when_the_sampler_sends) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *sampler = swo_messenger_new(), *made;
    ok(swo_sample(source, sampler, &made));
    observe(made, NULL, &a);
    send_number(sampler, 0);
    int author = 0;
    ok(swo_send(source, VALUE(swo_int64(1)), NULL));
    ok(swo_send(source, VALUE(swo_int64(2)), &author));
    send_numbers(sampler, 0, 0);
    assert_ptr_equal(a.author, &author);
    send_number(source, 3);
    send_number(sampler, 0);
    EXPECT_TRACE("a2 a3");
}

static swo_status add(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    if (message->as.int64 < 0) return SWO_CALLBACK_FAILED;
    GIVE(swo_int64(value->as.int64 + message->as.int64));
}

TEST(scan_adds_up) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *sums;
    ok(swo_scan(source, VALUE(swo_int64(10)), add, NULL, NULL, &sums));
    observe(sums, NULL, &a);
    send_numbers(source, 1, 2);
    assert_int_equal(swo_send(source, VALUE(swo_int64(-1)), NULL), SWO_CALLBACK_FAILED);
    send_number(source, 3);
    EXPECT_TRACE("a11 a13 a16");
}

static swo_status append_text(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    char *text = context;
    size_t size = value->kind == SWO_KIND_TEXT ? value->as.bytes.size : 0;
    must(size + message->as.bytes.size < 64);
    memcpy(text + size, message->as.bytes.data, message->as.bytes.size);
    GIVE(swo_text_sized(text, size + message->as.bytes.size));
}

TEST(scan_keeps_a_copy_of_what_it_made) {
    static char text[64];
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *texts;
    ok(swo_scan(source, NULL, append_text, text, NULL, &texts));
    observe(texts, NULL, &a);
    ok(swo_send(source, VALUE(swo_text("ab")), NULL));
    ok(swo_send(source, VALUE(swo_text("c")), NULL));
    EXPECT_TRACE("aab aabc");
}

/* ---- switching ---- */

static swo_observable *choices[2];
static swo_status choose(void *context, const swo_value *message, swo_observable **out) {
    if (message->as.int64 > 2) return SWO_CALLBACK_FAILED;
    *out = message->as.int64 < 2 ? swo_observable_retain(choices[message->as.int64]) : NULL;
    return SWO_OK;
}

TEST(switch_to_latest_passes_on_what_was_chosen_last) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *one = swo_messenger_new(), *other = swo_messenger_new(), *made;
    choices[0] = one, choices[1] = other;
    ok(swo_switch_to_latest(source, choose, NULL, NULL, &made));
    observe(made, NULL, &a);
    send_number(one, 1);
    EXPECT_TRACE("");
    send_number(source, 0);
    send_numbers(one, 2, 3);
    send_number(other, 4);
    send_number(source, 1);
    send_number(one, 5);
    send_number(other, 6);
    EXPECT_TRACE("a2 a3 a6");
    send_number(source, 2);
    send_number(other, 7);
    EXPECT_TRACE("");
    assert_int_equal(swo_send(source, VALUE(swo_int64(3)), NULL), SWO_CALLBACK_FAILED);
    send_number(source, 0);
    send_number(one, 8);
    EXPECT_TRACE("a8");
    assert_int_equal(swo_observable_count(other), 0);
}

static swo_observable *itself;
static swo_status choose_itself(void *context, const swo_value *message, swo_observable **out) {
    *out = swo_observable_retain(itself);
    return SWO_OK;
}

TEST(switch_to_latest_never_chooses_what_gets_its_messages) {
    OWN_OBSERVABLE *source = swo_messenger_new(), *made;
    ok(swo_switch_to_latest(source, choose_itself, NULL, NULL, &made));
    itself = made;
    assert_int_equal(swo_send(source, VALUE(swo_int64(1)), NULL), SWO_CALLBACK_FAILED);
}

static swo_observable *last_choice;
static swo_status choose_new(void *context, const swo_value *message, swo_observable **out) {
    *out = last_choice = swo_messenger_new();
    return SWO_OK;
}

TEST(switch_to_latest_keeps_what_was_chosen_and_no_other) {
    struct probe a = PROBE("a"), b = PROBE("b");
    OWN_OBSERVABLE *source = swo_messenger_new(), *made;
    ok(swo_switch_to_latest(source, choose_new, NULL, NULL, &made));
    observe(made, NULL, &a);
    send_number(source, 1);
    observe(last_choice, NULL, &b);
    send_number(last_choice, 1);
    EXPECT_TRACE("a1 b1");
    send_number(source, 2);
    assert_int_equal(b.destroyed, 1);
}

TEST(flat_map_passes_on_what_was_chosen_for_the_latest_messages) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *source = swo_messenger_new(), *one = swo_messenger_new(), *other = swo_messenger_new(), *made;
    choices[0] = one, choices[1] = other;
    ok(swo_flat_map(source, 2, choose, NULL, NULL, &made));
    observe(made, NULL, &a);
    send_number(source, 0);
    send_number(source, 1);
    send_number(one, 1);
    send_number(other, 2);
    EXPECT_TRACE("a1 a2");
    /* Twice the same, which is passed on once, and the other one no more. */
    send_number(source, 1);
    send_number(one, 3);
    send_number(other, 4);
    EXPECT_TRACE("a4");
    assert_int_equal(swo_observable_count(one), 0);
    assert_int_equal(swo_observable_count(other), 1);
    send_number(source, 0);
    send_number(other, 5);
    send_number(one, 6);
    EXPECT_TRACE("a5 a6");
    /* Where none is chosen, one less is passed on; a chooser that fails changes nothing. */
    send_number(source, 2);
    send_number(other, 7);
    assert_int_equal(swo_send(source, VALUE(swo_int64(3)), NULL), SWO_CALLBACK_FAILED);
    send_number(one, 8);
    EXPECT_TRACE("a8");
    send_number(source, 2);
    send_number(one, 9);
    EXPECT_TRACE("");
    assert_int_equal(swo_flat_map(source, 0, choose, NULL, NULL, &made), SWO_INVALID_ARGUMENT);
}

TEST(flat_map_keeps_what_it_passes_on_and_no_other) {
    struct probe a = PROBE("a"), of[4];
    OWN_OBSERVABLE *source = swo_messenger_new();
    swo_observable *made;
    ok(swo_flat_map(source, 2, choose_new, NULL, NULL, &made));
    observe(made, NULL, &a);
    for (int number = 0; number < 4; number++) {
        of[number] = (struct probe)PROBE("b");
        send_number(source, number);
        observe(last_choice, NULL, &of[number]);
    }
    assert_int_equal(of[0].destroyed + of[1].destroyed, 2);
    assert_int_equal(of[2].destroyed + of[3].destroyed, 0);
    swo_observable_release(made);
    assert_int_equal(of[2].destroyed + of[3].destroyed, 2);
}

TEST(flat_map_never_chooses_what_gets_its_messages) {
    OWN_OBSERVABLE *source = swo_messenger_new(), *made;
    ok(swo_flat_map(source, 3, choose_itself, NULL, NULL, &made));
    itself = made;
    for (int number = 0; number < 4; number++)
        assert_int_equal(swo_send(source, VALUE(swo_int64(number)), NULL), SWO_CALLBACK_FAILED);
}

/* ---- lifetime ---- */

TEST(what_is_combined_keeps_its_sources) {
    struct probe a = PROBE("a"), b = PROBE("b");
    swo_observable *one = swo_messenger_new(), *other = swo_messenger_new(), *both = combined(one, other);
    observe(one, NULL, &b);
    observe(both, NULL, &a);
    RELEASE(one, other);
    assert_int_equal(b.destroyed, 0);
    swo_observable_release(both);
    assert_int_equal(b.destroyed, 1);
    assert_int_equal(a.destroyed, 1);
}

TEST(what_is_stopped_receives_nothing) {
    struct probe a = PROBE("a");
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *both = combined(one, other);
    observe(both, NULL, &a);
    send_numbers(one, 1);
    ok(swo_stop(a.observation));
    send_number(other, 5);
    EXPECT_TRACE("");
}

TEST(a_long_chain_of_what_is_combined_takes_no_stack) {
    enum { LONG = 20000 };
    OWN_OBSERVABLE *one = number_variable(1), *first = values_of(one);
    swo_observable *last = swo_observable_retain(first);
    struct probe a = {.name = "a"};
    for (int i = 0; i < LONG; i++) {
        swo_observable *both = combined(last, first), *sum;
        ok(swo_map(both, add_up, NULL, NULL, &sum));
        swo_observable *value;
        ok(swo_map(sum, map_to_same, NULL, NULL, &value));
        RELEASE(both, sum, last);
        last = value;
    }
    swo_value latest;
    ok(swo_latest(last, &latest));
    assert_int_equal(latest.as.int64, LONG + 1);
    observe(last, NULL, &a);
    ok(swo_stop(a.observation));
    swo_observable_release(last);
}

TEST(lists_that_are_too_deep_are_refused) {
    swo_value deepest[20] = {swo_int64(1)};
    for (int i = 1; i < 20; i++) deepest[i] = swo_list(&deepest[i - 1], 1);
    assert_int_equal(swo_value_check(&deepest[16]), SWO_OK);
    assert_int_equal(swo_value_check(&deepest[17]), SWO_WRONG_KIND);
    OWN_OBSERVABLE *source = swo_messenger_new();
    swo_observable *lists = swo_observable_retain(source);
    for (int i = 0; i < 17; i++) {
        swo_observable *deeper;
        ok(swo_combine((swo_observable *[]){lists}, 1, &deeper));
        swo_observable_release(lists);
        lists = deeper;
        if (i == 15) assert_int_equal(swo_send(source, VALUE(swo_int64(1)), NULL), SWO_OK);
    }
    struct probe a = PROBE("a");
    observe(lists, NULL, &a);
    assert_int_equal(swo_send(source, VALUE(swo_int64(1)), NULL), SWO_CALLBACK_FAILED);
    EXPECT_TRACE("");
    swo_observable_release(lists);
}

TEST(lists_are_copied_compared_and_cleared) {
    swo_update update = {swo_text("old"), swo_text("new")};
    swo_value values[] = {swo_text("a"), swo_update_value(&update), swo_list(NULL, 0)}, list = swo_list(values, 3),
              copy, short_list = swo_list(values, 2);
    ok(swo_value_copy(&list, &copy));
    bool equal = false;
    ok(swo_value_equal(&list, &copy, &equal));
    assert_true(equal);
    ok(swo_value_equal(&short_list, &copy, &equal));
    assert_false(equal);
    assert_ptr_not_equal(copy.as.list.values[0].as.bytes.data, values[0].as.bytes.data);
    const swo_value *read;
    size_t count;
    ok(swo_value_list(&copy, &read, &count));
    assert_int_equal(count, 3);
    swo_value_clear(&copy);
    assert_int_equal(copy.kind, SWO_KIND_NULL);
    values[1] = (swo_value){.kind = 99};
    assert_int_equal(swo_value_check(&list), SWO_WRONG_KIND);
    list.as.list.values = NULL;
    assert_int_equal(swo_value_check(&list), SWO_INVALID_ARGUMENT);
    list.as.list.count = SIZE_MAX;
    assert_int_equal(swo_value_check(&list), SWO_INVALID_ARGUMENT);
}

/* ---- threads ---- */

enum { MANY = 20000 };
THREAD(send_many, messenger) {
    for (int64_t i = 0; i < scaled(MANY); i++) send_number(messenger, i);
    return NULL;
}

static int64_t before[2];
HANDLER(never_go_back, context) {
    for (int i = 0; i < 2; i++) {
        must(message->as.list.values[i].as.int64 >= before[i]);
        before[i] = message->as.list.values[i].as.int64;
    }
}

TEST(what_threads_send_is_combined_in_the_order_of_each) {
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *both = combined(one, other);
    before[0] = before[1] = -1;
    ok(swo_observe(both, NULL, never_go_back, NULL, NULL, NULL));
    run_threads({send_many, one}, {send_many, other});
    assert_int_equal(before[0], scaled(MANY) - 1);
    assert_int_equal(before[1], scaled(MANY) - 1);
}

static int64_t zips;
HANDLER(check_pair, context) {
    must(message->as.list.values[0].as.int64 == zips && message->as.list.values[1].as.int64 == zips);
    zips++;
}

TEST(what_threads_send_is_zipped_in_order) {
    OWN_OBSERVABLE *one = swo_messenger_new(), *other = swo_messenger_new(), *pairs = zipped(one, other);
    zips = 0;
    ok(swo_observe(pairs, NULL, check_pair, NULL, NULL, NULL));
    run_threads({send_many, one}, {send_many, other});
    assert_int_equal(zips, scaled(MANY));
}
