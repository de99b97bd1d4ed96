/* SPDX-License-Identifier: MIT */
/* Long chains and fans of transforms, chains of bindings, and of contexts that own one another: nothing recurses along
 * them, and nothing takes the square of their length. Each test is a process of its own, because a stack that overflows
 * ends it: it has five bytes for each transform. */
#include "support.h"
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

static long length(void) { return scaled(200000); }

/* Runs in a child. */
static int status_of(void (*body)(void)) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    must(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGSEGV, SIG_DFL);
        const struct rlimit megabyte = {1 << 20, 1 << 20};
        must(setrlimit(RLIMIT_STACK, &megabyte) == 0);
        body();
        _exit(0);
    }
    must(waitpid(child, &status, 0) == child);
    return status;
}

/* A variable, and the last of as many transforms, which alone keeps all of them. */
struct chain {
    swo_observable *variable, *first, *last;
};

static struct chain new_chain(void) {
    struct chain chain = {number_variable(0), NULL, NULL};
    chain.last = swo_observable_retain(chain.variable);
    for (long i = 0; i < length(); i++) {
        swo_observable *next;
        ok(swo_new_values(chain.last, &next));
        if (i == 0) chain.first = swo_observable_retain(next);
        swo_observable_release(chain.last);
        chain.last = next;
    }
    return chain;
}

static void release(struct chain chain) { RELEASE(chain.variable, chain.first, chain.last); }

static void send_through(void) {
    struct chain chain = new_chain();
    struct probe a = {.name = "a"};
    observe(chain.last, NULL, &a);
    set_number(chain.variable, 1);
    must(a.calls == 1);
    release(chain);
}

static void fetch_latest(void) {
    struct chain chain = new_chain();
    swo_value latest;
    ok(swo_latest(chain.last, &latest));
    must(latest.kind == SWO_KIND_INT64 && latest.as.int64 == 0);
    release(chain);
}

static void replay(void) {
    struct chain chain = new_chain();
    struct probe a = {.name = "a"};
    ok(swo_observe_with(chain.last, WITH(.replay = 1), probe_receive, &a, NULL, NULL));
    must(a.calls == 1);
    release(chain);
}

static long seen;

static void see_observable(void *context, size_t index, const char *kind, const char *name) { seen++; }

static void see_observation(void *context, size_t source, size_t target, swo_observation id, const char *name) {
    seen++;
}

static void must_draw(swo_observable *observable, long observables, long observations) {
    const swo_graph_visitor visitor = {sizeof visitor, see_observable, see_observation};
    swo_value text;
    seen = 0;
    ok(swo_graph_walk(&observable, 1, &visitor, NULL));
    must(seen == observables + observations);
    ok(swo_graph_dot(&observable, 1, &text));
    must(text.as.bytes.size > (size_t)(observables + observations));
    swo_value_clear(&text);
}

static void walk_from_its_end(void) {
    struct chain chain = new_chain();
    must_draw(chain.last, length() + 1, length());
    release(chain);
}

static void walk_from_its_beginning(void) {
    struct chain chain = new_chain();
    must_draw(chain.variable, length() + 1, length());
    release(chain);
}

static void walk_fan(void) {
    static struct probe a = {.name = "a"};
    const long count = length() / 2;
    swo_observable *messenger = swo_messenger_new(), **made = calloc((size_t)count, sizeof *made);
    for (long i = 0; i < count; i++) {
        ok(swo_new_values(messenger, &made[i]));
        ok(swo_observe(made[i], NULL, probe_receive, &a, NULL, NULL));
    }
    must_draw(messenger, count + 1, count * 2);
    for (long i = 0; i < count; i++) swo_observable_release(made[i]);
    free(made);
    swo_observable_release(messenger);
}

static void close_cycle(void) {
    struct chain chain = new_chain();
    must(swo_transform_set_source(chain.first, chain.last) == SWO_INVALID_ARGUMENT);
    ok(swo_transform_set_source(chain.last, chain.variable));
    release(chain);
}

static void release_end(void) {
    struct chain chain = new_chain();
    struct probe a = {.name = "a"};
    observe(chain.last, NULL, &a);
    RELEASE(chain.first, chain.last);
    must(a.destroyed == 1);
    must(swo_observable_count(chain.variable) == 0);
    swo_observable_release(chain.variable);
}

static void release_beginning(void) {
    struct chain chain = new_chain();
    OWN_OBSERVABLE *weak;
    ok(swo_weak(chain.last, &weak));
    RELEASE(chain.variable, chain.first, chain.last);
}

/* Each follows the one before, or each two follow each other; bound from the first on, or from the last. */
static void bind_in_a_row(bool both, bool from_last) {
    const swo_bind_options options = {sizeof options, .both = both};
    const long count = length() / 2;
    struct probe last = {.name = "a"}, middle = {.name = "b"};
    swo_observable **variables = calloc((size_t)count, sizeof *variables);
    for (long i = 0; i < count; i++) variables[i] = number_variable(0);
    for (long i = 1; i < count; i++) {
        long second = from_last ? count - i : i;
        ok(swo_bind(variables[second - 1], variables[second], NULL, NULL, NULL, NULL, &options, NULL));
    }
    observe(variables[count - 1], NULL, &last);
    observe(variables[count / 2], NULL, &middle);
    for (int64_t number = 1; number < 4; number++) {
        set_number(variables[0], number);
        must(last.calls == number && middle.calls == number && number_of(variables[count - 1]) == number);
    }
    if (both) {
        set_number(variables[count - 1], 9);
        must(middle.calls == 4 && number_of(variables[0]) == 9);
    }
    for (long i = 0; i < count; i++) swo_observable_release(variables[i]);
    must(last.destroyed == 1 && middle.destroyed == 1);
    free(variables);
}

/* ---- chains in which the context of each owns the one before (law 35) ---- */

static swo_status compute(void *source, swo_value *out) { return swo_variable_get(source, out); }
static void let_go(void *observable) { swo_observable_release(observable); }
static void let_go_of_observer(void *observer) { swo_observer_release(observer); }
static void nothing(void *context) { (void)context; }
PREDICATE(accept, context) { return true; }

static swo_status choose(void *context, const swo_value *message, swo_observable **out) {
    *out = swo_observable_retain(context);
    return SWO_OK;
}

static swo_status choose_none(void *context, const swo_value *message, swo_observable **out) { return SWO_OK; }

/* Each makes the next one, which takes the one before over. */
typedef swo_observable *owner_of(swo_observable *before);

static swo_observable *chosen(swo_observable *before, size_t most) {
    OWN_OBSERVABLE *source = swo_messenger_new();
    swo_observable *made;
    ok(swo_flat_map(source, most, choose, before, NULL, &made));
    for (size_t i = 0; i < most; i++) send_number(source, 1);
    swo_observable_release(before);
    return made;
}

static swo_observable *chosen_once(swo_observable *before) { return chosen(before, 1); }
static swo_observable *chosen_twice(swo_observable *before) { return chosen(before, 2); }

static swo_observable *with_chooser(swo_observable *before) {
    OWN_OBSERVABLE *source = swo_messenger_new();
    swo_observable *made;
    ok(swo_switch_to_latest(source, choose_none, before, let_go, &made));
    return made;
}

static swo_observable *with_predicate(swo_observable *before) {
    OWN_OBSERVABLE *source = swo_messenger_new();
    swo_observable *made;
    ok(swo_filter(source, accept, before, let_go, &made));
    return made;
}

static swo_observable *with_handler(swo_observable *before) {
    swo_observable *made = swo_messenger_new();
    ok(swo_observe(made, NULL, ignore_message, before, let_go, NULL));
    return made;
}

static swo_observable *with_observer(swo_observable *before) {
    swo_observable *made = swo_messenger_new();
    swo_observer *observer = swo_observer_new();
    ok(swo_observe(before, observer, ignore_message, before, let_go, NULL));
    ok(swo_observe(made, NULL, ignore_message, observer, let_go_of_observer, NULL));
    return made;
}

static swo_observable *with_function(swo_observable *before) {
    swo_observable *made;
    ok(swo_derived_new(compute, before, let_go, &made));
    return made;
}

static swo_observable *with_function_that_ran(swo_observable *before) {
    swo_observable *made = with_function(before);
    must(number_of(made) == 1);
    return made;
}

static swo_observable *on_demand(swo_observable *before) {
    swo_observable *made = swo_messenger_new();
    ok(swo_observable_on_demand(made, nothing, nothing, before, let_go));
    return made;
}

static void hold(void *observable) { swo_observable_retain(observable); }

static swo_observable *with_object(swo_observable *before) {
    static const swo_object_type type = {sizeof type, hold, let_go, NULL};
    swo_observable *made;
    ok(swo_variable_new(VALUE(swo_object(before, &type)), &made));
    swo_observable_release(before);
    return made;
}

static const struct {
    const char *name;
    owner_of *make;
} owners[] = {
    {"chosen", chosen_once},
    {"chosen twice", chosen_twice},
    {"a chooser's context", with_chooser},
    {"a predicate's context", with_predicate},
    {"a handler's context", with_handler},
    {"an observer in a handler's context", with_observer},
    {"a function's context", with_function},
    {"the context of a function that ran", with_function_that_ran},
    {"the context of what is done on demand", on_demand},
    {"the value of a variable", with_object},
};
static size_t owned;

static void make_and_release(void) {
    swo_observable *last = number_variable(1);
    for (long i = 0; i < length() / 4; i++) last = owners[owned].make(last);
    swo_observable_release(last);
}

TEST(chains_in_which_each_owns_the_one_before_are_released_in_a_loop) {
    for (owned = 0; owned < COUNT(owners); owned++)
        if (status_of(make_and_release) != 0) fail_msg("each is kept by %s: the stack overflows", owners[owned].name);
}

static void follow_in_a_row(void) { bind_in_a_row(false, false); }
static void follow_from_the_last(void) { bind_in_a_row(false, true); }
static void follow_each_other(void) { bind_in_a_row(true, false); }

TEST(a_change_passes_100000_bindings) { assert_int_equal(status_of(follow_in_a_row), 0); }
TEST(a_change_passes_100000_bindings_made_from_the_last_on) { assert_int_equal(status_of(follow_from_the_last), 0); }
TEST(a_change_passes_100000_variables_that_follow_each_other) { assert_int_equal(status_of(follow_each_other), 0); }

TEST(a_message_passes_200000_transforms) { assert_int_equal(status_of(send_through), 0); }
TEST(the_latest_message_is_fetched_through_200000_transforms) { assert_int_equal(status_of(fetch_latest), 0); }
TEST(a_replay_comes_through_200000_transforms) { assert_int_equal(status_of(replay), 0); }
TEST(a_graph_has_200000_transforms_one_after_another_seen_from_the_last) {
    assert_int_equal(status_of(walk_from_its_end), 0);
}
TEST(a_graph_has_200000_transforms_one_after_another_seen_from_the_first) {
    assert_int_equal(status_of(walk_from_its_beginning), 0);
}
TEST(a_graph_has_200000_transforms_side_by_side) { assert_int_equal(status_of(walk_fan), 0); }
TEST(a_cycle_of_200000_transforms_is_refused) { assert_int_equal(status_of(close_cycle), 0); }
TEST(two_hundred_thousand_transforms_can_be_released_from_their_end) { assert_int_equal(status_of(release_end), 0); }
TEST(two_hundred_thousand_transforms_can_be_released_when_their_source_is_gone) {
    assert_int_equal(status_of(release_beginning), 0);
}
