/* SPDX-License-Identifier: MIT */
/* Transforms that choose among messages, that remember some, and that merge several sources. */
#include "support.h"

static swo_observable *source, *transform;
static struct probe a;

void set_up(void) { source = swo_messenger_new(), transform = NULL; }

void tear_down(void) {
    RELEASE(transform, source);
    transform = source = NULL;
}

/* A text in memory that is overwritten as soon as the call that takes it has returned: what is remembered is a copy. */
static char letters[16];

static swo_value own(const char *text) {
    strcpy(letters, text);
    return swo_text(letters);
}

static void send(swo_value message) {
    if (message.kind == SWO_KIND_TEXT) message = own(message.as.bytes.data);
    ok(swo_send(source, &message, NULL));
    memset(letters, '-', sizeof letters - 1);
}

/* Observes a transform that was just made. */
static void listen(swo_status made) {
    must(made == SWO_OK);
    memset(letters, '-', sizeof letters - 1);
    a = (struct probe)PROBE("");
    observe(transform, NULL, &a);
}

/* What a transform passes on of some messages; then there is another source. */
#define PASSES_ON(expected, made, ...)                                                                                 \
    do {                                                                                                               \
        listen(made);                                                                                                  \
        WITH_EACH(swo_value, send(*each), __VA_ARGS__);                                                                \
        EXPECT_TRACE(expected);                                                                                        \
        tear_down(), set_up();                                                                                         \
    } while (0)
#define N swo_int64
#define T swo_text

TEST(each_passes_on_what_it_says_of_texts_that_are_gone_by_then) {
    swo_update update = {T("b"), T("c")};
    swo_value nobody = own("nobody");
    PASSES_ON("anna nobody", swo_unwrap_or(source, &nobody, &transform), T("anna"), swo_null());
    swo_value letter = own("a");
    PASSES_ON("null null", swo_select(source, &letter, &transform), T("a"), T("b"), T("a"), T("c"), N(1));
    PASSES_ON("(null,a) (a,b) (b,c)", swo_with_previous(source, &transform), T("a"), T("b"), T("c"));
    PASSES_ON("1 2 1 1 a b (b,c)", swo_skip_repeats(source, &transform), N(1), N(1), N(2), N(2), N(1), swo_double(1),
              T("a"), T("a"), T("b"), swo_update_value(&update), swo_update_value(&update));
    PASSES_ON("1 c null text", swo_new_values(source, &transform), N(1), swo_update_value(&update), swo_null(),
              T("text"));
    PASSES_ON("1 2 3 a b", swo_unique_values(source, &transform), N(1), N(2), N(1), N(3), N(2), T("a"), T("b"), T("a"));
}

TEST(counts_may_be_zero_or_beyond_every_number_of_messages) {
    PASSES_ON("", swo_take(source, 0, &transform), N(1), N(2));
    PASSES_ON("1 2", swo_take(source, SIZE_MAX, &transform), N(1), N(2));
    PASSES_ON("1 2", swo_skip(source, 0, &transform), N(1), N(2));
    PASSES_ON("", swo_skip(source, SIZE_MAX, &transform), N(1), N(2));
}

TEST(with_previous_takes_the_new_value_of_an_update) {
    OWN_OBSERVABLE *variable = number_variable(0);
    listen(swo_with_previous(variable, &transform));
    set_numbers(variable, 1, 2, 3);
    EXPECT_TRACE("(null,1) (1,2) (2,3)");
}

TEST(without_an_author_from_means_the_source_itself) {
    int me = 0;
    swo_value one = N(1);
    struct probe others = PROBE("not ");
    OWN_OBSERVABLE *not_from;
    listen(swo_from(source, NULL, &transform));
    ok(swo_not_from(source, NULL, &not_from));
    observe(not_from, NULL, &others);
    send(N(2));
    ok(swo_send(source, &one, &me));
    EXPECT_TRACE("2 not 1");
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
        listen(makers[i](source, &transform));
        a.journal = NULL;
        for (int object = 0; object < 3; object++) send(swo_object(&objects[object], &type));
        assert_true(held >= 1 && held <= 3);
        assert_int_equal(a.calls, 3);
        tear_down(), set_up();
        assert_int_equal(held, 0);
    }
}

TEST(merge_keeps_its_sources_alive) {
    swo_observable *other = swo_messenger_new(), *sources[] = {other, other};
    listen(swo_merge(sources, 2, &transform));
    swo_observable_release(other);
    send_number(other, 1);
    EXPECT_TRACE("1 1");
}

TEST(weak_may_die_before_its_source) {
    listen(swo_weak(source, &transform));
    swo_observable_release(transform);
    transform = NULL;
    send(N(1));
}

TASK(send_many, unused) {
    for (long i = 0; i < scaled(2000); i++) send_number(source, i);
}

/* Law 5: without order messages are sent side by side, but a transform takes them one by one. */
TEST(without_order_nothing_is_miscounted) {
    const long all = 2 * scaled(2000);
    for (int skips = 0; skips < 2; skips++) {
        ok(swo_observable_set_ordered(source, false));
        listen((skips ? swo_skip : swo_take)(source, (size_t)(all / 3), &transform));
        a.journal = NULL;
        run_on_threads(2, send_many, NULL);
        assert_int_equal(a.calls, skips ? all - all / 3 : all / 3);
        tear_down(), set_up();
    }
}
