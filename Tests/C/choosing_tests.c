/* SPDX-License-Identifier: MIT */
/* Transforms that choose among messages, that remember some, and that merge several sources. */
#include "support.h"

#define TEXT(letters) swo_text(letters)

/* A source, a transform of it that was just made, and what it passes on. */
struct stage {
    swo_observable *source, *transform;
    struct journal journal;
    struct probe probe;
};

static void begin(struct stage *stage, swo_status made) {
    must(made == SWO_OK);
    stage->probe = (struct probe){.name = "", .journal = &stage->journal};
    observe(stage->transform, NULL, &stage->probe);
}

static void end(struct stage *stage) {
    RELEASE(stage->transform, stage->source);
    assert_int_equal(stage->probe.destroyed, 1);
}

static void send(struct stage *stage, swo_value message) { ok(swo_send(stage->source, &message, NULL)); }

static void send_all_numbers(struct stage *stage, const int *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) send(stage, swo_int64(numbers[i]));
}

TEST(unwrap_or_puts_its_stand_in_for_what_is_null) {
    struct stage stage = {.source = swo_messenger_new()};
    char letters[] = "nobody";
    swo_value stand_in = TEXT(letters);
    begin(&stage, swo_unwrap_or(stage.source, &stand_in, &stage.transform));
    memset(letters, 'x', sizeof letters - 1); /* it has its own copy */
    send(&stage, TEXT("anna"));
    send(&stage, swo_null());
    assert_journal(&stage.journal, "anna nobody");
    end(&stage);
}

TEST(select_sends_null_for_what_equals_its_value) {
    struct stage stage = {.source = swo_messenger_new()};
    char letters[] = "a";
    swo_value selected = TEXT(letters);
    begin(&stage, swo_select(stage.source, &selected, &stage.transform));
    letters[0] = 'b';
    const char *sent[] = {"a", "b", "a", "c"};
    for (size_t i = 0; i < COUNT(sent); i++) send(&stage, TEXT(sent[i]));
    send(&stage, swo_int64(1));
    assert_journal(&stage.journal, "null null");
    end(&stage);
}

TEST(without_an_author_from_means_the_source_itself) {
    int me = 0;
    swo_value message = swo_int64(1);
    struct stage own = {.source = swo_messenger_new()}, others = {.source = swo_observable_retain(own.source)};
    begin(&own, swo_from(own.source, NULL, &own.transform));
    begin(&others, swo_not_from(own.source, NULL, &others.transform));
    send_number(own.source, 2);
    ok(swo_send(own.source, &message, &me));
    assert_journal(&own.journal, "2");
    assert_journal(&others.journal, "1");
    end(&own);
    end(&others);
}

TEST(counts_may_be_zero_or_beyond_every_number_of_messages) {
    const struct {
        swo_status (*make)(swo_observable *, size_t, swo_observable **);
        size_t count;
        const char *expected;
    } cases[] = {{swo_take, 0, ""}, {swo_take, SIZE_MAX, "1 2"}, {swo_skip, 0, "1 2"}, {swo_skip, SIZE_MAX, ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct stage stage = {.source = swo_messenger_new()};
        begin(&stage, cases[i].make(stage.source, cases[i].count, &stage.transform));
        send_all_numbers(&stage, (int[]){1, 2}, 2);
        assert_journal(&stage.journal, cases[i].expected);
        end(&stage);
    }
}

TEST(with_previous_sends_each_message_with_the_one_before_it) {
    struct stage stage = {.source = swo_messenger_new()};
    begin(&stage, swo_with_previous(stage.source, &stage.transform));
    char letters[] = "a";
    for (; letters[0] < 'd'; letters[0]++) send(&stage, TEXT(letters));
    assert_journal(&stage.journal, "(null,a) (a,b) (b,c)");
    end(&stage);
}

TEST(with_previous_takes_the_new_value_of_an_update) {
    struct stage stage = {.source = number_variable(0)};
    begin(&stage, swo_with_previous(stage.source, &stage.transform));
    for (int i = 1; i < 4; i++) set_number(stage.source, i);
    assert_journal(&stage.journal, "(null,1) (1,2) (2,3)");
    end(&stage);
}

TEST(skip_repeats_leaves_out_what_equals_the_message_before) {
    struct stage stage = {.source = swo_messenger_new()};
    begin(&stage, swo_skip_repeats(stage.source, &stage.transform));
    send_all_numbers(&stage, (int[]){1, 1, 2, 2, 1}, 5);
    send(&stage, swo_double(1));
    char letters[] = "a";
    send(&stage, TEXT(letters));
    send(&stage, TEXT(letters));
    letters[0] = 'b';
    send(&stage, TEXT(letters));
    swo_update update = {TEXT("b"), TEXT("c")};
    send(&stage, swo_update_value(&update));
    send(&stage, swo_update_value(&update));
    assert_journal(&stage.journal, "1 2 1 1 a b (b,c)");
    end(&stage);
}

TEST(unique_values_passes_on_what_was_never_sent_before) {
    struct stage stage = {.source = swo_messenger_new()};
    begin(&stage, swo_unique_values(stage.source, &stage.transform));
    send_all_numbers(&stage, (int[]){1, 2, 1, 3, 2}, 5);
    char letters[] = "a";
    send(&stage, TEXT(letters));
    letters[0] = 'b';
    send(&stage, TEXT(letters));
    letters[0] = 'a';
    send(&stage, TEXT(letters));
    assert_journal(&stage.journal, "1 2 3 a b");
    end(&stage);
}

static atomic_long held;
static void hold(void *object) { held++; }
static void let_go(void *object) { held--; }

TEST(objects_that_are_remembered_are_retained_and_released) {
    static const swo_object_type type = {sizeof type, hold, let_go, NULL};
    int objects[3];
    swo_status (*const makers[])(swo_observable *, swo_observable **) = {swo_with_previous, swo_skip_repeats,
                                                                         swo_unique_values};
    for (size_t i = 0; i < COUNT(makers); i++) {
        struct stage stage = {.source = swo_messenger_new()};
        begin(&stage, makers[i](stage.source, &stage.transform));
        for (int object = 0; object < 3; object++) send(&stage, swo_object(&objects[object], &type));
        assert_true(held >= 1 && held <= 3);
        assert_int_equal(stage.probe.calls, 3);
        end(&stage);
        assert_int_equal(held, 0);
        journal_clear(&stage.journal);
    }
}

TEST(merge_keeps_its_sources_alive) {
    swo_observable *source = swo_messenger_new(), *sources[] = {source, source};
    struct stage stage = {.source = swo_messenger_new()};
    begin(&stage, swo_merge(sources, 2, &stage.transform));
    swo_observable_release(source);
    send_number(source, 1);
    assert_journal(&stage.journal, "1 1");
    end(&stage);
}

TEST(weak_may_die_before_its_source) {
    struct stage stage = {.source = swo_messenger_new()};
    begin(&stage, swo_weak(stage.source, &stage.transform));
    swo_observable_release(stage.transform);
    stage.transform = NULL;
    send_number(stage.source, 1);
    assert_journal(&stage.journal, "");
    end(&stage);
}

THREAD(send_many, messenger) {
    for (long i = 0; i < scaled(2000); i++) send_number(messenger, i);
    return NULL;
}

/* Law 5: without order messages are sent side by side, but a transform takes them one by one. */
TEST(without_order_nothing_is_miscounted) {
    long all = 2 * scaled(2000);
    const struct {
        swo_status (*make)(swo_observable *, size_t, swo_observable **);
        long count, expected;
    } cases[] = {{swo_take, all / 3, all / 3}, {swo_skip, all / 3, all - all / 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct stage stage = {.source = swo_messenger_new()};
        ok(swo_observable_set_ordered(stage.source, false));
        begin(&stage, cases[i].make(stage.source, (size_t)cases[i].count, &stage.transform));
        stage.probe.journal = NULL;
        run_threads({send_many, stage.source}, {send_many, stage.source});
        assert_int_equal(stage.probe.calls, cases[i].expected);
        end(&stage);
    }
}
