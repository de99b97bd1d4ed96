/* SPDX-License-Identifier: MIT */
/* Where the answers to "why" lead: through all that stands between a change and a handler. */
#include "support.h"

static const swo_trace_options with_values = {sizeof(swo_trace_options), true};
static swo_observable *clicks, *keys;
static swo_clock *by_hand;

void set_up(void) {
    ok(swo_why_start(&with_values));
    clicks = swo_messenger_new(), keys = swo_messenger_new(), by_hand = swo_clock_new();
    ok(swo_observable_set_name(clicks, "clicks"));
    ok(swo_observable_set_name(keys, "keys"));
}

void tear_down(void) {
    swo_observable_release(clicks);
    swo_observable_release(keys);
    swo_clock_release(by_hand);
    swo_why_stop();
}

/* An answer in one line, without threads, and without the address of what has no name. */
static void in_one_line(swo_value *answer, char *line, size_t room) {
    const char *from = answer->as.bytes.data;
    size_t count = 0;
    while (*from != 0 && count + 1 < room) {
        const char *thread = strstr(from, ", on thread "), *end = strchr(from, '\n');
        const char *stop = thread != NULL && thread < end ? thread : end;
        if (from != answer->as.bytes.data && count + 2 < room) line[count++] = ',';
        while (from < stop && count + 1 < room) {
            if (strncmp(from, " \"0x", 4) == 0) {
                from = strchr(from + 2, '"') + 1;
                continue;
            }
            if (count == 0 || line[count - 1] != ' ' || *from != ' ') line[count++] = *from;
            from++;
        }
        const char *handler = strstr(from, ", in handler ");
        if (handler != NULL && handler < end)
            for (from = handler; from < end && count + 1 < room;) line[count++] = *from++;
        from = end + 1;
    }
    line[count] = 0;
    swo_value_clear(answer);
}

static void assert_called_because(swo_observation id, const char *expected) {
    swo_value answer;
    char line[512];
    ok(swo_why_called(id, SWO_WHY_TEXT, &answer));
    in_one_line(&answer, line, sizeof line);
    assert_string_equal(line, expected);
}

static void assert_changed_because(swo_observable *observable, const char *expected) {
    swo_value answer;
    char line[512];
    ok(swo_why(observable, SWO_WHY_TEXT, &answer));
    in_one_line(&answer, line, sizeof line);
    assert_string_equal(line, expected);
}

static swo_status add_to(void *unused, const swo_value *value, const swo_value *message, swo_value *out) {
    (void)unused;
    *out = swo_int64(value->as.int64 + message->as.int64);
    return SWO_OK;
}

static swo_status choose_keys(void *unused, const swo_value *message, swo_observable **out) {
    (void)unused, (void)message;
    *out = swo_observable_retain(keys);
    return SWO_OK;
}

/* ---- operators ---- */

static swo_status debounced(swo_observable **out) { return swo_debounce(clicks, 10, by_hand, out); }
static swo_status throttled(swo_observable **out) {
    return swo_throttle(clicks, 10, SWO_THROTTLE_LATEST, by_hand, out);
}
static swo_status delayed(swo_observable **out) { return swo_delay(clicks, 10, by_hand, out); }
static swo_status timed_out(swo_observable **out) { return swo_timeout(clicks, 10, NULL, by_hand, out); }
static swo_status buffered(swo_observable **out) { return swo_buffer(clicks, 0, 10, by_hand, out); }
static swo_status filled(swo_observable **out) { return swo_buffer(clicks, 2, 0, by_hand, out); }
static swo_status ticking(swo_observable **out) { return swo_ticks(10, by_hand, out); }
static swo_status combined(swo_observable **out) { return swo_combine((swo_observable *[]){clicks, keys}, 2, out); }
static swo_status zipped(swo_observable **out) { return swo_zip((swo_observable *[]){clicks, keys}, 2, out); }
static swo_status merged(swo_observable **out) { return swo_merge((swo_observable *[]){clicks, keys}, 2, out); }
static swo_status sampled(swo_observable **out) { return swo_sample(clicks, keys, out); }
static swo_status scanned(swo_observable **out) {
    return swo_scan(clicks, VALUE(swo_int64(10)), add_to, NULL, NULL, out);
}
static swo_status switching(swo_observable **out) { return swo_switch_to_latest(clicks, choose_keys, NULL, NULL, out); }
static swo_status flattened(swo_observable **out) { return swo_flat_map(clicks, 1, choose_keys, NULL, NULL, out); }

static const struct {
    swo_status (*make)(swo_observable **out);
    const char *because;
} operators[] = {
    {debounced, "debounce sent 2, because messenger \"clicks\" sent 2"},
    {throttled, "throttle sent 2, because messenger \"clicks\" sent 2"},
    {delayed, "delay sent 2, because messenger \"clicks\" sent 2"},
    {timed_out, "timeout sent null"},
    {buffered, "buffer sent [1, 2], because messenger \"clicks\" sent 2"},
    {filled, "buffer sent [1, 2], because messenger \"clicks\" sent 2"},
    {ticking, "ticks sent 1"},
    {combined, "combine sent [2, 3], because messenger \"keys\" sent 3"},
    {zipped, "zip sent [1, 3], because messenger \"keys\" sent 3"},
    {merged, "merge sent 3, because messenger \"keys\" sent 3"},
    {sampled, "sample sent 2, by author, because messenger \"keys\" sent 3"},
    {scanned, "scan sent 13, because messenger \"clicks\" sent 2"},
    {switching, "switch to latest sent 3, because messenger \"keys\" sent 3"},
    {flattened, "flat map sent 3, because messenger \"keys\" sent 3"},
};

/* What passes from one thing to the next in the library is no part of the answer, and time does not cut it off. */
static void lead_through_operators(const swo_executor *executor, swo_queue *queue) {
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        swo_observable *made;
        swo_observation id;
        ok(operators[i].make(&made));
        ok(swo_observe_with(made, WITH(.executor = executor), ignore_message, NULL, NULL, &id));
        send_number(clicks, 1);
        send_number(clicks, 2);
        send_number(keys, 3);
        ok(swo_clock_advance(by_hand, 10));
        if (queue != NULL) drain(queue, SIZE_MAX);
        assert_called_because(id, operators[i].because);
        assert_changed_because(made, operators[i].because);
        swo_observable_release(made);
    }
}

TEST(answers_lead_through_operators) { lead_through_operators(NULL, NULL); }

TEST(answers_lead_through_operators_and_queues) {
    swo_executor executor;
    swo_queue *queue = new_queue(&executor);
    lead_through_operators(&executor, queue);
    swo_queue_release(queue);
}

/* Each message that waits has its own. */
TEST(what_waits_for_time_keeps_its_cause) {
    swo_observable *delay, *width = number_variable(0);
    swo_observation id;
    ok(swo_observable_set_name(width, "width"));
    ok(swo_delay(width, 10, by_hand, &delay));
    ok(swo_observe(delay, NULL, ignore_message, NULL, NULL, &id));
    for (int i = 1; i <= 2; i++) {
        set_number(width, i);
        ok(swo_clock_advance(by_hand, 5));
    }
    assert_called_because(id, "delay changed from 0 to 1, because variable \"width\" changed from 0 to 1");
    ok(swo_clock_advance(by_hand, 5));
    assert_called_because(id, "delay changed from 1 to 2, because variable \"width\" changed from 1 to 2");
    swo_observable_release(delay);
    swo_observable_release(width);
}

/* ---- what is no send ---- */

static void assert_end_of_a_batch_has_a_cause(swo_observable *width) {
    swo_observation id;
    ok(swo_observable_set_name(width, "width"));
    ok(swo_observe(width, NULL, ignore_message, NULL, NULL, &id));
    ok(swo_variable_begin_batch(width));
    set_number(width, 7);
    ok(swo_variable_end_batch(width));
    assert_called_because(id, "variable \"width\" changed from 0 to 7");
    swo_observable_release(width);
}

TEST(the_update_of_a_batch_has_the_cause_of_its_last_change) {
    assert_end_of_a_batch_has_a_cause(number_variable(0));
    assert_end_of_a_batch_has_a_cause(deferred_variable(0));
}

TEST(a_replay_has_the_cause_of_the_last_change) {
    swo_observable *width = number_variable(0), *deferred = deferred_variable(0);
    for (int i = 0; i < 2; i++) {
        swo_observable *one = i == 0 ? width : deferred;
        swo_observation id;
        ok(swo_observable_set_name(one, "width"));
        set_number(one, 7);
        ok(swo_observe_with(one, WITH(.replay = 1), ignore_message, NULL, NULL, &id));
        assert_called_because(id, "variable \"width\" changed from 0 to 7");
        swo_observable_release(one);
    }
}

static swo_observable *width, *area;

static swo_status set_area(void *unused) {
    swo_value value;
    (void)unused;
    ok(swo_variable_get(width, &value));
    set_number(area, value.as.int64 * 10);
    return SWO_OK;
}

TEST(an_effect_runs_because_of_what_it_has_read) {
    swo_observation id;
    width = number_variable(1), area = number_variable(0);
    ok(swo_observable_set_name(width, "width"));
    ok(swo_observable_set_name(area, "area"));
    ok(swo_effect(set_area, NULL, NULL, NULL, &id));
    set_number(width, 2);
    assert_called_because(id, "effect ran, because variable \"width\" changed from 1 to 2");
    swo_value answer;
    ok(swo_why(area, SWO_WHY_TEXT, &answer));
    assert_non_null(strstr(answer.as.bytes.data, "variable \"area\" changed from 10 to 20"));
    assert_non_null(strstr(answer.as.bytes.data, "because effect "));
    assert_non_null(strstr(answer.as.bytes.data, "because variable \"width\" changed from 1 to 2"));
    swo_value_clear(&answer);
    ok(swo_stop(id));
    swo_observable_release(width);
    swo_observable_release(area);
}

/* ---- what is derived, and what nothing observes ---- */

static swo_observable *lower, *upper;
static bool is_failing;

static swo_status half_of_width(void *unused, swo_value *out) {
    swo_value value;
    (void)unused;
    ok(swo_variable_get(width, &value));
    if (is_failing) return SWO_INVALID_ARGUMENT;
    *out = swo_int64(value.as.int64 / 2);
    return SWO_OK;
}

static swo_status more_than_lower(void *unused, swo_value *out) {
    swo_value value;
    (void)unused;
    swo_status status = swo_variable_get(lower, &value);
    if (status == SWO_OK) *out = swo_int64(value.as.int64 + 1);
    return status;
}

static swo_status read_upper_and_area(void *unused) {
    swo_value value;
    (void)unused;
    ok(swo_variable_get(area, &value));
    swo_variable_get(upper, &value);
    return SWO_OK;
}

static void make_derived(void) {
    is_failing = false;
    width = number_variable(2), area = number_variable(0);
    ok(swo_derived_new(half_of_width, NULL, NULL, &lower));
    ok(swo_derived_new(more_than_lower, NULL, NULL, &upper));
    ok(swo_observable_set_name(width, "width"));
    ok(swo_observable_set_name(area, "area"));
    ok(swo_observable_set_name(lower, "lower"));
    ok(swo_observable_set_name(upper, "upper"));
}

static void release_derived(void) {
    swo_observable_release(upper);
    swo_observable_release(lower);
    swo_observable_release(area);
    swo_observable_release(width);
}

#define UPPER_IS_3                                                                                                     \
    "derived \"upper\" changed from 2 to 3, because derived \"lower\" changed from 1 to 2, "                           \
    "because variable \"width\" changed from 2 to 4"

TEST(an_effect_runs_because_of_what_only_it_reads) {
    swo_observation id;
    make_derived();
    ok(swo_effect(read_upper_and_area, NULL, NULL, NULL, &id));
    set_number(width, 4);
    assert_called_because(id, "effect ran, because " UPPER_IS_3);
    assert_changed_because(upper, UPPER_IS_3);
    set_number(area, 1);
    assert_called_because(id, "effect ran, because variable \"area\" changed from 0 to 1");
    ok(swo_stop(id));
    release_derived();
}

TEST(an_effect_runs_because_of_what_is_blocked) {
    swo_observation id, observation;
    make_derived();
    ok(swo_effect(read_upper_and_area, NULL, NULL, NULL, &id));
    ok(swo_observe(upper, NULL, ignore_message, NULL, NULL, &observation));
    ok(swo_observable_block(upper));
    set_number(width, 4);
    assert_called_because(id, "effect ran, because " UPPER_IS_3);
    ok(swo_observable_unblock(upper));
    ok(swo_stop(id));
    release_derived();
}

TEST(an_effect_runs_because_of_what_has_failed) {
    swo_observation id;
    make_derived();
    ok(swo_effect(read_upper_and_area, NULL, NULL, NULL, &id));
    is_failing = true;
    set_number(width, 4);
    assert_called_because(id, "effect ran, because derived \"upper\" changed, because derived \"lower\" changed, "
                              "because variable \"width\" changed from 2 to 4");
    ok(swo_stop(id));
    release_derived();
}

static void assert_known_from_before(swo_observable *source) {
    swo_observation id;
    swo_why_stop();
    make_derived();
    swo_observable_release(width);
    width = source;
    ok(swo_observable_set_name(width, "width"));
    ok(swo_effect(read_upper_and_area, NULL, NULL, NULL, &id));
    ok(swo_why_start(&with_values));
    set_number(width, 4);
    assert_called_because(id, "effect ran, because " UPPER_IS_3);
    ok(swo_stop(id));
    release_derived();
}

TEST(what_was_there_before_is_known_if_it_is_read) {
    assert_known_from_before(number_variable(2));
    assert_known_from_before(deferred_variable(2));
}

TEST(nothing_is_remembered_of_what_was_before) {
    swo_observable *one = number_variable(1), *deferred = deferred_variable(1);
    set_number(one, 2);
    set_number(deferred, 2);
    swo_why_stop();
    set_number(one, 3);
    set_number(deferred, 3);
    ok(swo_why_start(&with_values));
    assert_changed_because(one, "nothing is known");
    assert_changed_because(deferred, "nothing is known");
    set_number(one, 4);
    assert_changed_because(one, "variable changed from 3 to 4");
    swo_observable_release(one);
    swo_observable_release(deferred);
}

TEST(a_run_has_no_value) {
    swo_observation id;
    swo_value answer;
    make_derived();
    ok(swo_effect(read_upper_and_area, NULL, NULL, NULL, &id));
    set_number(area, 1);
    ok(swo_why_called(id, SWO_WHY_JSON, &answer));
    const char *variable = strstr(answer.as.bytes.data, "\"area\""), *value = strstr(answer.as.bytes.data, "\"new\"");
    assert_true(variable != NULL && value > variable);
    swo_value_clear(&answer);
    ok(swo_stop(id));
    release_derived();
}

static void ignore_combined(void *unused, const swo_value *messages, size_t count, const void *author) {
    (void)unused, (void)messages, (void)count, (void)author;
}

TEST(a_handler_of_several_is_called_because_of_one_of_them) {
    swo_observable *both[] = {number_variable(0), number_variable(0)};
    swo_observation id;
    ok(swo_observable_set_name(both[1], "height"));
    ok(swo_observe_combined(both, 2, NULL, ignore_combined, NULL, NULL, &id));
    set_number(both[1], 3);
    assert_called_because(id, "variable \"height\" changed from 0 to 3");
    swo_observable_release(both[0]);
    swo_observable_release(both[1]);
}
