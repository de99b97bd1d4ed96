/* SPDX-License-Identifier: MIT */
/* Every declared function, with every bad argument and every pair of them: it returns what its document says, nothing
 * has happened, results stay as they were, and contexts are destroyed. With good arguments it succeeds.
 *
 * A row names the kinds of a function's parameters; a kind has one good argument and some bad ones, each with the
 * status that it earns. All arguments are integers and pointers, so one type of function stands for all. */
#include <fcntl.h>

#include "support.h"
#include <operators.h>

enum { MOST_PARAMETERS = 9, MOST_BAD = 20 };

typedef intptr_t (*function)(intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t, intptr_t);

/* ---- the world in which each call is made ---- */

static struct {
    swo_observable *messenger, *variable, *map, *failing;
    swo_effect_options effect;
    swo_observable *observables[2], *with_null[2], *with_messenger[2];
    swo_observer *observer;
    swo_queue *queue;
    swo_clock *clock, *queue_clock, *timer_clock;
    swo_observation living, stopped, never;
    long heard, destroyed;
} world;

HANDLER(hear, context) { world.heard++; }
COMBINED_HANDLER(hear_all, context) { world.heard++; }
static void *answer(void *function, void *const *arguments, size_t count, void *names) {
    world.heard++;
    return NULL;
}
static void note_destroy(void *context) {
    must(context == &world);
    world.destroyed++;
}

static swo_status fail_to_derive(void *context, swo_value *out) { return SWO_CALLBACK_FAILED; }
static swo_status do_nothing(void *context) { return SWO_OK; }
/* It would last beyond its world. With the parameters of `function`, as the sanitizer wants it. */
static intptr_t keep_and_forget(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g,
                                intptr_t h, intptr_t i) {
    swo_status begun = swo_why_start((const swo_trace_options *)a);
    swo_why_stop();
    return begun;
}

/* The id is larger than pointers may be. */
static intptr_t ask_why(intptr_t unused, intptr_t format, intptr_t out, intptr_t d, intptr_t e, intptr_t f, intptr_t g,
                        intptr_t h, intptr_t i) {
    return swo_why_called(world.living, (int32_t)format, (swo_value *)out);
}

static intptr_t trace_and_end(intptr_t fd, intptr_t options, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g,
                              intptr_t h, intptr_t i) {
    swo_status begun = swo_trace_start((int)fd, (const swo_trace_options *)options);
    if (begun == SWO_OK) ok(swo_trace_stop());
    return begun;
}

static void note_finding(void *context, int32_t kind, const swo_observable *observable, const char *sentence) {
    must(sentence != NULL);
}

static intptr_t begin_and_abort(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g,
                                intptr_t h, intptr_t i) {
    swo_status begun = swo_transaction_begin();
    ok(swo_transaction_abort());
    return begun;
}

static swo_status add_nothing(void *context, const swo_value *value, const swo_value *message, swo_value *out) {
    return SWO_OK;
}
static swo_status choose_nothing(void *context, const swo_value *message, swo_observable **out) { return SWO_OK; }
static void wake_nothing(void *context, int64_t time) {}
static const swo_timer timer = {.size = sizeof timer, .wake_at = wake_nothing},
                       small_timer = {.size = 8, .wake_at = wake_nothing}, idle_timer = {.size = sizeof timer};

/* Intervals are larger than pointers may be. */
#define WITH_INTERVAL(name, ...)                                                                                       \
    static intptr_t call_##name(intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g,    \
                                intptr_t h, intptr_t i) {                                                              \
        return swo_##name(__VA_ARGS__);                                                                                \
    }
#define OBSERVABLE(argument) ((swo_observable *)(argument))
#define CLOCK(argument) ((swo_clock *)(argument))
#define OUT(argument) ((swo_observable **)(argument))
WITH_INTERVAL(clock_advance, CLOCK(a), b)
WITH_INTERVAL(debounce, OBSERVABLE(a), b, CLOCK(c), OUT(d))
WITH_INTERVAL(throttle, OBSERVABLE(a), b, (int32_t)c, CLOCK(d), OUT(e))
WITH_INTERVAL(delay, OBSERVABLE(a), b, CLOCK(c), OUT(d))
WITH_INTERVAL(timeout, OBSERVABLE(a), b, (const swo_value *)c, CLOCK(d), OUT(e))
WITH_INTERVAL(buffer, OBSERVABLE(a), (size_t)b, c, CLOCK(d), OUT(e))
WITH_INTERVAL(ticks, a, CLOCK(b), OUT(c))

static void begin_world(void) {
    memset(&world, 0, sizeof world);
    world.messenger = swo_messenger_new();
    world.variable = number_variable(1);
    ok(swo_map(world.variable, map_to_same, NULL, NULL, &world.map));
    world.observables[0] = world.variable, world.observables[1] = world.map;
    world.with_null[0] = world.variable;
    world.with_messenger[0] = world.variable, world.with_messenger[1] = world.messenger;
    ok(swo_derived_new(fail_to_derive, NULL, NULL, &world.failing));
    world.observer = swo_observer_new();
    world.effect = (swo_effect_options){.size = sizeof world.effect, .observer = world.observer};
    ok(swo_queue_new(4, SWO_QUEUE_REFUSE, &world.queue));
    world.clock = swo_clock_new();
    ok(swo_queue_clock(world.queue, &world.queue_clock));
    ok(swo_clock_with_timer(&timer, NULL, NULL, &world.timer_clock));
    ok(swo_observe(world.messenger, world.observer, hear, NULL, NULL, &world.stopped));
    ok(swo_stop(world.stopped));
    ok(swo_observe(world.messenger, world.observer, hear, NULL, NULL, &world.living));
    world.never = world.living ^ (1ull << 63);
    ok(swo_observe(world.variable, world.observer, hear, NULL, NULL, NULL));
}

static void assert_nothing_has_happened(void) {
    assert_int_equal(world.heard, 0);
    assert_int_equal(number_of(world.variable), 1);
    assert_int_equal(swo_observable_count(world.messenger), 1);
    assert_int_equal(swo_observable_refused(world.messenger), 0);
    assert_int_equal(swo_observable_count(world.variable), 2);
    assert_int_equal(swo_observable_count(world.map), 0);
    assert_int_equal(swo_observer_count(world.observer), 2);
    assert_true(swo_is_living(world.living) && !swo_is_blocked(world.living));
    assert_true(swo_observable_is_ordered(world.messenger) && !swo_observable_is_blocked(world.messenger));
}

static void end_world(void) {
    WITH_EACH(swo_clock *, swo_clock_release(*each), world.clock, world.queue_clock, world.timer_clock);
    swo_queue_release(world.queue);
    swo_observer_release(world.observer);
    RELEASE(world.failing, world.map, world.variable, world.messenger);
}

/* ---- the arguments ---- */

/* Where results go: filled with a pattern that has to stay. */
static union {
    swo_value value;
    swo_observable *observable;
    swo_queue *queue;
    swo_clock *clock;
    swo_executor executor;
    unsigned char bytes[64];
} result;

static const swo_object_type object_type = {sizeof object_type, NULL, NULL, NULL};
static const swo_update plain = {{0}, {0}}, nested = {{SWO_KIND_UPDATE, 0, {.update = &plain}}, {0}},
                        nested_behind = {{0}, {SWO_KIND_UPDATE, 0, {.update = &plain}}},
                        invalid = {{0}, {SWO_KIND_TEXT, 0, {.bytes = {"\xFF", 1}}}},
                        invalid_before = {{SWO_KIND_BYTES, 0, {.bytes = {NULL, 1}}}, {0}},
                        unknown_behind = {{0}, {77, 0, {0}}};
static const swo_value number = {SWO_KIND_INT64, 0, {.int64 = 5}}, update = {SWO_KIND_UPDATE, 0, {.update = &plain}};
static const swo_value unknown = {SWO_KIND_LIST + 1, 0, {0}}, negative = {-1, 0, {0}}, lowest = {INT32_MIN, 0, {0}},
                       broken_text = {SWO_KIND_TEXT, 0, {.bytes = {"\xC0\x80", 2}}},
                       nowhere = {SWO_KIND_BYTES, 0, {.bytes = {NULL, 1}}},
                       endless = {SWO_KIND_TEXT, 0, {.bytes = {"a", SIZE_MAX}}},
                       too_long = {SWO_KIND_BYTES, 0, {.bytes = {"a", (size_t)PTRDIFF_MAX + 1}}},
                       nested_update_behind = {SWO_KIND_UPDATE, 0, {.update = &nested_behind}},
                       invalid_update_before = {SWO_KIND_UPDATE, 0, {.update = &invalid_before}},
                       unknown_update_behind = {SWO_KIND_UPDATE, 0, {.update = &unknown_behind}},
                       typeless = {SWO_KIND_OBJECT, 0, {0}}, no_update = {SWO_KIND_UPDATE, 0, {0}},
                       nested_update = {SWO_KIND_UPDATE, 0, {.update = &nested}},
                       invalid_update = {SWO_KIND_UPDATE, 0, {.update = &invalid}};

static swo_status execute(void *context, swo_job *job) {
    swo_job_drop(job);
    return SWO_OK;
}
static const swo_executor executor = {sizeof executor, execute, NULL, NULL, NULL},
                          small_executor = {8, execute, NULL, NULL, NULL},
                          endless_executor = {SIZE_MAX, execute, NULL, NULL, NULL},
                          idle_executor = {sizeof executor, NULL, NULL, NULL, NULL};
static const swo_answers answers = {.size = sizeof answers, .type = &object_type, .call = answer},
                         small_answers = {.size = 8, .type = &object_type, .call = answer},
                         typeless_answers = {.size = sizeof answers, .call = answer},
                         idle_answers = {.size = sizeof answers, .type = &object_type};
static swo_call typeless_call = SWO_CALL_INIT, small_call = {8, NULL, &object_type, NULL, NULL, NULL, SWO_OK},
                useless_call = {sizeof useless_call, NULL, &object_type, NULL, NULL, NULL, SWO_OK};
static const swo_caller caller = {{NULL, NULL}, &useless_call}, idle_caller = {{NULL, NULL}, NULL},
                        small_caller = {{NULL, NULL}, &small_call}, typeless_caller = {{NULL, NULL}, &typeless_call};
static const swo_inspection small_inspection = {.size = 8}, idle_inspection = {.size = sizeof idle_inspection};
static const swo_runtime_lock small_lock = {8, NULL, NULL, NULL}, idle_lock = {sizeof idle_lock, NULL, NULL, NULL};
static const swo_hooks small_hooks = {8, NULL, NULL, NULL};
static const swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT, small_options = {.size = 8},
                                 endless_options = {.size = SIZE_MAX},
                                 options_small_executor = {.size = sizeof options, .executor = &small_executor},
                                 options_idle_executor = {.size = sizeof options, .executor = &idle_executor},
                                 options_small_hooks = {.size = sizeof options, .hooks = &small_hooks},
                                 options_broken_name = {.size = sizeof options, .name = "\xFF"},
                                 options_no_executor = {.size = sizeof options, .begins_on_executor = true};
static const swo_effect_options small_effect = {.size = 8},
                                effect_small_executor = {.size = sizeof small_effect, .executor = &small_executor},
                                effect_broken_name = {.size = sizeof small_effect, .name = "\xFF"};
static const swo_bind_options small_binding = {.size = 8};
static const swo_graph_visitor visitor = SWO_GRAPH_VISITOR_INIT, small_visitor = {8, NULL, NULL};
static const swo_trace_options small_trace = {1, false};
static const swo_lint_options small_lint = {1, 0}, negative_lint = {sizeof negative_lint, -1};
static int null_device = -1;

static const swo_observation no_id = 0, last_id = UINT64_MAX;

struct argument {
    intptr_t value;
    swo_status earned;
};

struct choice {
    struct argument good;
    struct argument bad[MOST_BAD];
    size_t bad_count;
};

#define GOOD(argument) .good = {(intptr_t)(argument), SWO_OK}
#define BAD(...) .bad = {__VA_ARGS__}, .bad_count = COUNT(((struct argument[]){__VA_ARGS__}))
#define ARGUMENT(value, status)                                                                                        \
    { (intptr_t)(value), (status) }
#define INVALID(value) ARGUMENT(value, SWO_INVALID_ARGUMENT)
#define OF_WRONG_KIND(value) ARGUMENT(value, SWO_WRONG_KIND)
#define NOWHERE INVALID(NULL)
#define MALFORMED                                                                                                      \
    OF_WRONG_KIND(&unknown), OF_WRONG_KIND(&negative), ARGUMENT(&broken_text, SWO_INVALID_TEXT), INVALID(&nowhere),    \
        INVALID(&endless), INVALID(&typeless), OF_WRONG_KIND(&lowest), INVALID(&too_long)
#define MALFORMED_UPDATES                                                                                              \
    INVALID(&no_update), OF_WRONG_KIND(&nested_update), ARGUMENT(&invalid_update, SWO_INVALID_TEXT),                   \
        OF_WRONG_KIND(&nested_update_behind), INVALID(&invalid_update_before), OF_WRONG_KIND(&unknown_update_behind)
#define CHOICE(good, ...) ((struct choice){GOOD(good), BAD(__VA_ARGS__)})

/* The kinds of parameters, by letter. */
static struct choice choice_of(char kind) {
    if (null_device < 0) must((null_device = open("/dev/null", O_WRONLY)) >= 0);
    switch (kind) {
    case 'o': /* an observable */ return CHOICE(world.messenger, NOWHERE);
    case 'v': /* a variable */
        return CHOICE(world.variable, NOWHERE, OF_WRONG_KIND(world.messenger), OF_WRONG_KIND(world.map));
    case 'b': /* a buffered observable */ return CHOICE(world.map, NOWHERE, OF_WRONG_KIND(world.messenger));
    case 'T': /* a transform */
        return CHOICE(world.map, NOWHERE, OF_WRONG_KIND(world.messenger), OF_WRONG_KIND(world.variable));
    case 'a': /* two observables */ return CHOICE(world.observables, NOWHERE, INVALID(world.with_null));
    case 'B': /* two buffered observables */
        return CHOICE(world.observables, NOWHERE, INVALID(world.with_null), OF_WRONG_KIND(world.with_messenger));
    case '2': /* how many */ return CHOICE(2, INVALID(0), INVALID(SIZE_MAX));
    case 'r': /* an observer */ return CHOICE(world.observer, NOWHERE);
    case 'q': /* a queue */ return CHOICE(world.queue, NOWHERE);
    case '0': /* what may be NULL, and is */ return (struct choice){GOOD(NULL)};
    case 'n': /* any number */ return (struct choice){GOOD(SIZE_MAX)};
    case '1': /* true */ return (struct choice){GOOD(true)};
    case 'w': /* how many at most */ return CHOICE(3, INVALID(SIZE_MAX));
    case 'k': /* a policy */
        return CHOICE(SWO_QUEUE_REFUSE, INVALID(-1), INVALID(3), INVALID(INT32_MIN), INVALID(INT32_MAX));
    case '!': /* what a trace may hold, or NULL */ return CHOICE(NULL, INVALID(&small_trace));
    case '?': /* how to judge, or NULL */ return CHOICE(NULL, INVALID(&small_lint), INVALID(&negative_lint));
    case '@': return CHOICE(note_finding, NOWHERE);
    case '>': /* a descriptor to write to */ return CHOICE(null_device, INVALID(-1), INVALID(INT32_MAX));
    case 'm': /* a message */ return CHOICE(&update, NOWHERE, MALFORMED, MALFORMED_UPDATES);
    case 'V': /* a value */ return CHOICE(&number, NOWHERE, MALFORMED, OF_WRONG_KIND(&update));
    case 'i': /* a message, or NULL */ return CHOICE(NULL, MALFORMED, MALFORMED_UPDATES);
    case 'I': /* a value, or NULL */ return CHOICE(NULL, MALFORMED, OF_WRONG_KIND(&update));
    case 's': /* the id of an observation, which is larger than pointers may be: make() reads it here */
        return CHOICE(&world.living, ARGUMENT(&no_id, SWO_NOT_FOUND), ARGUMENT(&last_id, SWO_NOT_FOUND),
                      ARGUMENT(&world.stopped, SWO_NOT_FOUND), ARGUMENT(&world.never, SWO_NOT_FOUND));
    case 'H': return CHOICE(hear, NOWHERE);
    case 'C': return CHOICE(hear_all, NOWHERE);
    case 'M': return CHOICE(map_to_same, NOWHERE);
    case 'P': return CHOICE(accept_all, NOWHERE);
    case 'c': /* a context */ return (struct choice){GOOD(&world)};
    case 'd': /* what destroys it */ return (struct choice){GOOD(note_destroy)};
    case 'e':
        return CHOICE(&executor, NOWHERE, INVALID(&small_executor), INVALID(&endless_executor),
                      INVALID(&idle_executor));
    case 'x': /* an executor, or NULL */ return CHOICE(NULL, INVALID(&small_executor), INVALID(&idle_executor));
    case 'f': /* what is no transform */ return CHOICE(world.messenger, NOWHERE, OF_WRONG_KIND(world.map));
    case 'z':
        return CHOICE(&answers, NOWHERE, INVALID(&small_answers), INVALID(&typeless_answers), INVALID(&idle_answers));
    case 'y': /* a reference, which these answers cannot resolve */ return CHOICE(NULL, INVALID(&world));
    case 'l': /* who calls */
        return CHOICE(&caller, NOWHERE, INVALID(&idle_caller), INVALID(&small_caller), INVALID(&typeless_caller));
    case 'L': /* the lock of a runtime, or NULL */ return CHOICE(NULL, INVALID(&small_lock), INVALID(&idle_lock));
    case '4': /* what a runtime says to a live page, or NULL */
        return CHOICE(NULL, INVALID(&small_inspection), INVALID(&idle_inspection));
    case 'u': /* hooks, or NULL */ return CHOICE(NULL, INVALID(&small_hooks));
    case 'p':
        return CHOICE(&options, INVALID(&small_options), INVALID(&endless_options), INVALID(&options_small_executor),
                      INVALID(&options_idle_executor), INVALID(&options_small_hooks), INVALID(&options_broken_name),
                      INVALID(&options_no_executor));
    case 'S': /* a derived variable */
        return CHOICE(world.failing, NOWHERE, OF_WRONG_KIND(world.variable), OF_WRONG_KIND(world.messenger));
    case 'D': return CHOICE(fail_to_derive, NOWHERE);
    case 'j': return CHOICE(do_nothing, NOWHERE);
    case 'E':
        return CHOICE(&world.effect, INVALID(&small_effect), INVALID(&effect_small_executor),
                      INVALID(&effect_broken_name));
    case 'h': /* a clock that is turned by hand */
        return CHOICE(world.clock, NOWHERE, OF_WRONG_KIND(world.queue_clock), OF_WRONG_KIND(world.timer_clock));
    case 'R': /* a clock that a loop runs */
        return CHOICE(world.timer_clock, NOWHERE, OF_WRONG_KIND(world.clock), OF_WRONG_KIND(world.queue_clock));
    case 'K': /* any clock */ return CHOICE(world.clock, NOWHERE);
    case 'N': /* an interval */ return CHOICE(1, INVALID(0), INVALID(-1), INVALID(INTPTR_MIN));
    case 'F': /* how far to turn */
    case 'G': /* an interval, or none */ return CHOICE(1, INVALID(-1), INVALID(INTPTR_MIN));
    case 'W': /* which messages */ return CHOICE(SWO_THROTTLE_BOTH, INVALID(-1), INVALID(3), INVALID(INT32_MAX));
    case '3': /* options of a binding, or NULL */ return CHOICE(NULL, INVALID(&small_binding));
    case 'A': return CHOICE(add_nothing, NOWHERE);
    case 'U': return CHOICE(choose_nothing, NOWHERE);
    case 'Z': /* a timer */ return CHOICE(&timer, NOWHERE, INVALID(&small_timer), INVALID(&idle_timer));
    case 'g': return CHOICE(&visitor, NOWHERE, INVALID(&small_visitor));
    case 't': /* a name */
        return CHOICE("name", ARGUMENT("\xFF", SWO_INVALID_TEXT), ARGUMENT("a\xC3", SWO_INVALID_TEXT));
    default: /* where the result goes: O an observable, Y a value, Q a queue, J a clock, X anything else */
        must(strchr("OYQJX", kind) != NULL);
        return CHOICE(&result, NOWHERE);
    }
}

/* ---- the functions ---- */

/* What a bad argument makes a function return: the status that it earned, or always the same. */
enum returns { STATUS, FALSE_OR_ZERO, NOTHING, MINUS_ONE };

struct row {
    const char *name;
    function call;
    enum returns returns;
    const char *parameters;
    swo_status good; /* what good arguments earn */
};

/* By way of a type that compilers let every function be cast to. */
#define FUNCTION(name) ((function)(void (*)(void))(name))
#define ROW(name, returns, parameters)                                                                                 \
    { #name, FUNCTION(name), returns, parameters, SWO_OK }
#define ROW_GOOD(name, parameters, good)                                                                               \
    { #name, FUNCTION(name), STATUS, parameters, good }

/* What an operator takes, in the order of its declaration; the last is its result. */
#define A_SOURCE 'o'
#define SOURCES 'a', '2'
#define A_MAPPER 'M', 'c', 'd'
#define A_PREDICATE 'P', 'c', 'd'
#define A_NUMBER 'n'
#define A_VALUE 'V'
#define AN_INITIAL 'i'
#define AN_AUTHOR '0'
#define OPERATOR(name, ...)                                                                                            \
    {"swo_" #name, FUNCTION(swo_##name), STATUS, (const char[]){__VA_ARGS__, 'O', '\0'}, SWO_OK},

static const struct row rows[] = {
    EVERY_OPERATOR(OPERATOR) ROW(swo_version, NOTHING, ""),
    ROW(swo_version_text, NOTHING, ""),
    ROW(swo_runtime_text, NOTHING, ""),
    ROW(swo_status_text, NOTHING, "n"),
    ROW(swo_value_check, STATUS, "m"),
    ROW(swo_value_equal, STATUS, "mmX"),
    ROW(swo_value_copy, STATUS, "mY"),
    ROW(swo_value_clear, NOTHING, "0"),
    ROW(swo_messenger_new, NOTHING, ""),
    ROW(swo_observable_retain, NOTHING, "0"),
    ROW(swo_observable_release, NOTHING, "0"),
    ROW(swo_send, STATUS, "om0"),
    ROW(swo_observable_set_ordered, STATUS, "o1"),
    ROW(swo_observable_set_budget, STATUS, "o1"),
    ROW(swo_observable_set_hooks, STATUS, "ou"),
    ROW(swo_observable_is_ordered, FALSE_OR_ZERO, "o"),
    ROW(swo_observable_count, FALSE_OR_ZERO, "o"),
    ROW(swo_observable_refused, FALSE_OR_ZERO, "o"),
    ROW(swo_observable_fail, NOTHING, "o"),
    ROW(swo_observable_interrupt, NOTHING, "o"),
    ROW(swo_send_later, STATUS, "om0"),
    ROW(swo_observable_block, STATUS, "o"),
    ROW_GOOD(swo_observable_unblock, "o", SWO_NOT_FOUND),
    ROW(swo_observable_is_blocked, FALSE_OR_ZERO, "o"),
    ROW(swo_variable_new, STATUS, "IO"),
    ROW(swo_deferred_variable_new, STATUS, "IO"),
    ROW(swo_variable_get, STATUS, "vY"),
    ROW(swo_variable_set, STATUS, "vV0"),
    ROW(swo_variable_update, STATUS, "vM00"),
    ROW(swo_variable_begin_batch, STATUS, "v"),
    ROW_GOOD(swo_variable_end_batch, "v", SWO_NOT_FOUND),
    ROW(swo_observer_new, NOTHING, ""),
    ROW(swo_observer_retain, NOTHING, "0"),
    ROW(swo_observer_release, NOTHING, "0"),
    ROW(swo_observer_stop, STATUS, "r0"),
    ROW(swo_observer_stop_and_wait, STATUS, "r"),
    ROW(swo_observer_is_observing, FALSE_OR_ZERO, "ro"),
    ROW(swo_observer_count, FALSE_OR_ZERO, "r"),
    ROW(swo_observe, STATUS, "o0Hcd0"),
    ROW(swo_observe_answering, STATUS, "o0z0ycd0"),
    ROW(swo_call_send, FALSE_OR_ZERO, "l0"),
    ROW(swo_set_runtime_lock, STATUS, "L"),
    ROW(swo_set_inspection, STATUS, "4"),
    ROW(swo_stop, STATUS, "s"),
    ROW(swo_stop_and_wait, STATUS, "s"),
    ROW(swo_is_living, FALSE_OR_ZERO, "s"),
    ROW(swo_is_called_here, FALSE_OR_ZERO, "s"),
    ROW(swo_block, STATUS, "s"),
    ROW_GOOD(swo_unblock, "s", SWO_NOT_FOUND),
    ROW(swo_is_blocked, FALSE_OR_ZERO, "s"),
    ROW(swo_job_run, NOTHING, "0"),
    ROW(swo_job_drop, NOTHING, "0"),
    ROW(swo_observe_on, STATUS, "o0eHcd0"),
    ROW(swo_queue_new, STATUS, "wkQ"),
    ROW(swo_queue_retain, NOTHING, "0"),
    ROW(swo_queue_release, NOTHING, "0"),
    ROW(swo_queue_fd, MINUS_ONE, "q"),
    ROW(swo_queue_executor, STATUS, "qX"),
    ROW(swo_queue_drain, STATUS, "qn0"),
    ROW(swo_observable_confine, STATUS, "fx"),
    ROW(swo_transform_set_source, STATUS, "T0"),
    ROW(swo_latest, STATUS, "bY"),
    ROW(swo_send_latest, STATUS, "b0"),
    ROW(swo_observe_combined, STATUS, "B20Ccd0"),
    ROW(swo_observe_with, STATUS, "opHcd0"),
    ROW(swo_derived_new, STATUS, "DcdO"),
    ROW(swo_derived_failure, STATUS, "SY"),
    ROW(swo_untracked, STATUS, "j0"),
    ROW(swo_snapshot, STATUS, "j0"),
    {"swo_transaction_begin", FUNCTION(begin_and_abort), STATUS, "", SWO_OK},
    ROW_GOOD(swo_transaction_commit, "", SWO_NOT_FOUND),
    ROW_GOOD(swo_transaction_abort, "", SWO_NOT_FOUND),
    ROW(swo_transaction_depth, NOTHING, ""),
    ROW(swo_effect, STATUS, "jcdE0"),
    ROW(swo_combine, STATUS, "a2O"),
    ROW(swo_zip, STATUS, "a2O"),
    ROW(swo_with_latest_from, STATUS, "oa2O"),
    ROW(swo_sample, STATUS, "ooO"),
    ROW(swo_scan, STATUS, "oIAcdO"),
    ROW(swo_switch_to_latest, STATUS, "oUcdO"),
    ROW(swo_flat_map, STATUS, "owUcdO"),
    ROW(swo_bind, STATUS, "ov00cd30"),
    ROW(swo_clock_new, NOTHING, ""),
    ROW(swo_clock_retain, NOTHING, "0"),
    ROW(swo_clock_release, NOTHING, "0"),
    ROW(swo_clock_set_default, NOTHING, "0"),
    ROW(swo_clock_now, FALSE_OR_ZERO, "K"),
    ROW(swo_clock_waiting, FALSE_OR_ZERO, "K"),
    {"swo_clock_advance", FUNCTION(call_clock_advance), STATUS, "hF", SWO_OK},
    ROW(swo_clock_with_timer, STATUS, "ZcdJ"),
    ROW(swo_clock_run, STATUS, "R"),
    ROW(swo_clock_end, STATUS, "K"),
    ROW(swo_queue_clock, STATUS, "qJ"),
    {"swo_debounce", FUNCTION(call_debounce), STATUS, "oNKO", SWO_OK},
    {"swo_throttle", FUNCTION(call_throttle), STATUS, "oNWKO", SWO_OK},
    {"swo_delay", FUNCTION(call_delay), STATUS, "oNKO", SWO_OK},
    {"swo_timeout", FUNCTION(call_timeout), STATUS, "oNiKO", SWO_OK},
    {"swo_buffer", FUNCTION(call_buffer), STATUS, "onGKO", SWO_OK},
    {"swo_ticks", FUNCTION(call_ticks), STATUS, "NKO", SWO_OK},
    ROW(swo_observable_on_demand, STATUS, "o00cd"),
    ROW(swo_observable_set_name, STATUS, "ot"),
    ROW(swo_observable_name, STATUS, "oY"),
    ROW(swo_graph_walk, STATUS, "a2g0"),
    ROW(swo_graph_dot, STATUS, "a2Y"),
    {"swo_why_start", FUNCTION(keep_and_forget), STATUS, "!", SWO_OK},
    ROW(swo_why_stop, NOTHING, ""),
    ROW(swo_why, STATUS, "okY"),
    {"swo_why_called", FUNCTION(ask_why), STATUS, "0kY", SWO_OK},
    ROW(swo_lint, STATUS, "?@0"),
    ROW(swo_changed, NOTHING, "00"),
    {"swo_trace_start", FUNCTION(trace_and_end), STATUS, ">!", SWO_OK},
    ROW_GOOD(swo_trace_stop, "", SWO_NOT_FOUND),
    ROW(swo_trace_begin_computation, FALSE_OR_ZERO, "tt"),
    ROW(swo_trace_end_computation, NOTHING, ""),
};

/* ---- the calls ---- */

struct call {
    const struct row *row;
    struct choice choices[MOST_PARAMETERS];
    struct argument arguments[MOST_PARAMETERS];
    size_t count;
};

static struct call begin_call(const struct row *row) {
    struct call call = {.row = row, .count = strlen(row->parameters)};
    begin_world();
    memset(&result, 0x5A, sizeof result);
    for (size_t i = 0; i < call.count; i++) {
        call.choices[i] = choice_of(row->parameters[i]);
        call.arguments[i] = call.choices[i].good;
    }
    return call;
}

static intptr_t make(const struct call *call) {
    const struct argument *of = call->arguments;
    if (strcmp(call->row->parameters, "s") == 0)
        return ((intptr_t(*)(swo_observation))(void (*)(void))call->row->call)(*(swo_observation *)of[0].value);
    assert_null(strchr(call->row->parameters, 's'));
    return call->row->call(of[0].value, of[1].value, of[2].value, of[3].value, of[4].value, of[5].value, of[6].value,
                           of[7].value, of[8].value);
}

static bool has(const struct row *row, char kind) { return strchr(row->parameters, kind) != NULL; }

static bool earns(const struct call *call, swo_status status) {
    bool any = false;
    for (size_t i = 0; i < call->count; i++) any = any || (status != SWO_OK && call->arguments[i].earned == status);
    return any;
}

/* Makes a call with bad arguments. */
static void assert_refused(const struct call *call) {
    intptr_t returned = make(call);
    bool is_right = true;
    switch (call->row->returns) {
    case STATUS: is_right = earns(call, (swo_status)returned); break;
    case FALSE_OR_ZERO: is_right = (returned & 0xFF) == 0; break;
    case MINUS_ONE: is_right = (int)returned == -1; break;
    case NOTHING: break;
    }
    if (!is_right) fail_msg("%s returns %ld", call->row->name, (long)(int32_t)returned);
    for (size_t i = 0; i < sizeof result; i++) assert_int_equal(result.bytes[i], 0x5A);
    assert_int_equal(world.destroyed, has(call->row, 'd') ? 1 : 0);
    assert_nothing_has_happened();
    end_world();
}

TEST(every_bad_argument_is_refused) {
    size_t calls = 0;
    for (size_t row = 0; row < COUNT(rows); row++) {
        for (size_t one = 0; one < strlen(rows[row].parameters); one++) {
            size_t count = 1;
            for (size_t bad = 0; bad < count; bad++) {
                struct call call = begin_call(&rows[row]);
                count = call.choices[one].bad_count;
                if (bad == count) {
                    end_world();
                    break;
                }
                call.arguments[one] = call.choices[one].bad[bad];
                assert_refused(&call);
                calls++;
            }
        }
    }
    assert_true(calls > 200);
}

TEST(every_pair_of_bad_arguments_is_refused) {
    for (size_t row = 0; row < COUNT(rows); row++) {
        size_t parameters = strlen(rows[row].parameters);
        for (size_t one = 0; one < parameters; one++) {
            for (size_t other = one + 1; other < parameters; other++) {
                begin_world();
                size_t ones = choice_of(rows[row].parameters[one]).bad_count;
                size_t others = choice_of(rows[row].parameters[other]).bad_count;
                end_world();
                for (size_t pair = 0; pair < ones * others; pair++) {
                    struct call call = begin_call(&rows[row]);
                    call.arguments[one] = call.choices[one].bad[pair / others];
                    call.arguments[other] = call.choices[other].bad[pair % others];
                    assert_refused(&call);
                }
            }
        }
    }
}

/* So that it is the bad arguments that were refused. */
TEST(good_arguments_are_not_refused) {
    for (size_t row = 0; row < COUNT(rows); row++) {
        struct call call = begin_call(&rows[row]);
        intptr_t returned = make(&call);
        if (rows[row].returns == STATUS && (swo_status)returned != rows[row].good)
            fail_msg("%s returns %ld", rows[row].name, (long)(int32_t)returned);
        assert_int_equal(world.destroyed, 0);
        if (strcmp(rows[row].parameters, "0") == 0 && strstr(rows[row].name, "_retain") != NULL)
            assert_int_equal(returned, 0);
        if (has(&rows[row], 'O')) swo_observable_release(result.observable);
        if (has(&rows[row], 'Y')) swo_value_clear(&result.value);
        if (has(&rows[row], 'Q')) swo_queue_release(result.queue);
        if (has(&rows[row], 'J')) swo_clock_release(result.clock);
        if (rows[row].call == FUNCTION(swo_clock_new)) swo_clock_release((swo_clock *)returned);
        if (rows[row].call == FUNCTION(swo_messenger_new)) swo_observable_release((swo_observable *)returned);
        if (rows[row].call == FUNCTION(swo_observer_new)) swo_observer_release((swo_observer *)returned);
        end_world();
        assert_int_equal(world.destroyed, has(&rows[row], 'd') ? 1 : 0);
    }
}

/* Whether the table has a function with so many parameters. */
static bool is_tested(const char *name, size_t length, size_t parameters) {
    bool any = false;
    for (size_t row = 0; row < COUNT(rows); row++)
        any = any || (strlen(rows[row].name) == length && strncmp(rows[row].name, name, length) == 0 &&
                      strlen(rows[row].parameters) == parameters);
    return any;
}

static bool is_of_a_name(char one) { return one == '_' || (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9'); }

/* How many functions a header declares, all of which the table has. */
static size_t declared_in(const char *path) {
    static char header[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t size = fread(header, 1, sizeof header - 1, file), declared = 0;
    assert_true(size >= 1 && size <= sizeof header - 2);
    header[size] = 0;
    fclose(file);
    for (const char *at = header; (at = strstr(at, "\nSWO_API ")) != NULL; at++) {
        const char *open = strchr(at, '('), *end = strchr(at, ';'), *name = open;
        assert_true(open != NULL && end != NULL && open < end);
        while (is_of_a_name(name[-1])) name--;
        size_t parameters = strncmp(open, "(void)", 6) == 0 ? 0 : 1;
        for (const char *one = open; one < end; one++) parameters += *one == ',';
        if (!is_tested(name, (size_t)(open - name), parameters))
            fail_msg("missing, or with other parameters: %.*s", (int)(open - name), name);
        declared++;
    }
    return declared;
}

TEST(every_declared_function_is_in_the_table) {
    size_t declared = declared_in("include/swiftobserver.h") + declared_in("include/swiftobserver/runtime.h");
    assert_int_equal(declared, COUNT(rows));
}
