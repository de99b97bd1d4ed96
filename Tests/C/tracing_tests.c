/* SPDX-License-Identifier: MIT */
/* Why something has changed, and traces. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

/* A fork takes more locks at once than the thread sanitizer can tell apart. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "detect_deadlocks=0"; }

static const swo_trace_options with_values = {sizeof(swo_trace_options), true};

static char *why(swo_observable *observable, int32_t format) {
    swo_value text;
    assert_int_equal(swo_why(observable, format, &text), SWO_OK);
    char *copy = strdup(text.as.bytes.data);
    swo_value_clear(&text);
    return copy;
}

#define assert_contains(text, part)                                                                                    \
    do {                                                                                                               \
        if (strstr(text, part) == NULL) fail_msg("\"%s\" is not in: %s", part, text);                                  \
    } while (0)
#define assert_lacks(text, part) assert_null(strstr(text, part))

static swo_observable *variable(const char *name, int64_t number) {
    const swo_value value = swo_int64(number);
    swo_observable *made;
    assert_int_equal(swo_variable_new(&value, &made), SWO_OK);
    assert_int_equal(swo_observable_set_name(made, name), SWO_OK);
    return made;
}

static void set(swo_observable *observable, int64_t number, const void *author) {
    const swo_value value = swo_int64(number);
    assert_int_equal(swo_variable_set(observable, &value, author), SWO_OK);
}

static void send(swo_observable *observable, int64_t number) {
    const swo_value value = swo_int64(number);
    assert_int_equal(swo_send(observable, &value, NULL), SWO_OK);
}

static void hear_nothing(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

/* Sets a variable to the message. */
static void set_to(void *variable, const swo_value *message, const void *author) {
    (void)author;
    swo_variable_set(variable, message, NULL);
}

static swo_observation begin(swo_observable *observable, const char *name, swo_handler handler, void *context,
                             const swo_executor *executor) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    swo_observation id;
    options.name = name;
    options.executor = executor;
    assert_int_equal(swo_observe_with(observable, &options, handler, context, NULL, &id), SWO_OK);
    return id;
}

TEST(what_was_set_says_who_did_it) {
    int author = 0;
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    swo_observable *width = variable("width", 1);
    char *text = why(width, SWO_WHY_TEXT), there[64];
    assert_string_equal(text, "nothing is known\n");
    free(text);
    set(width, 2, &author);
    text = why(width, SWO_WHY_TEXT);
    assert_contains(text, "variable \"width\" changed from 1 to 2, by author ");
    snprintf(there, sizeof there, "\"%p\", on thread %ld \"", (void *)&author, (long)syscall(SYS_gettid));
    assert_contains(text, there);
    assert_lacks(text, "because");
    free(text);
    swo_observable_release(width);
    swo_why_stop();
}

TEST(values_are_secret_unless_allowed) {
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    swo_observable *secret = variable("secret", 271828);
    set(secret, 314159, NULL);
    for (int32_t format = SWO_WHY_TEXT; format <= SWO_WHY_DOT; format++) {
        char *text = why(secret, format);
        assert_contains(text, "secret");
        assert_lacks(text, "271828");
        assert_lacks(text, "314159");
        free(text);
    }
    swo_observable_release(secret);
    swo_why_stop();
}

TEST(a_path_leads_through_handlers_and_transforms) {
    swo_observable *clicks = swo_messenger_new(), *width = variable("width", 1), *doubled,
                   *height = variable("height", 1);
    assert_int_equal(swo_observable_set_name(clicks, "clicks"), SWO_OK);
    swo_observation resize = begin(clicks, "resize", set_to, width, NULL);
    /* It begins where things exist already. */
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    assert_int_equal(swo_new_values(width, &doubled), SWO_OK);
    begin(doubled, "copy", set_to, height, NULL);
    char *text = why(height, SWO_WHY_TEXT);
    assert_string_equal(text, "nothing is known\n");
    free(text);
    send(clicks, 7);
    text = why(height, SWO_WHY_TEXT);
    assert_contains(text, "variable \"height\" changed from 1 to 7, on thread ");
    assert_contains(text, "in handler \"copy\"\n  because new ");
    assert_contains(text, "\n  because variable \"width\" changed from 1 to 7, on thread ");
    assert_contains(text, ", in handler \"resize\"\n  because messenger \"clicks\" sent 7, on thread ");
    free(text);
    text = why(height, SWO_WHY_JSON);
    assert_contains(text, "\"handler\": \"copy\"");
    assert_contains(text, "\"old\": \"1\", \"new\": \"7\"");
    free(text);
    text = why(height, SWO_WHY_DOT);
    assert_contains(text, "digraph {");
    assert_contains(text, "[label=\"resize\"]");
    free(text);
    swo_value called;
    assert_int_equal(swo_why_called(resize, SWO_WHY_TEXT, &called), SWO_OK);
    assert_contains((const char *)called.as.bytes.data, "messenger \"clicks\" sent 7, on thread ");
    swo_value_clear(&called);
    swo_stop(resize);
    assert_int_equal(swo_why_called(resize, SWO_WHY_TEXT, &called), SWO_NOT_FOUND);
    swo_observable_release(clicks);
    swo_observable_release(doubled);
    swo_observable_release(width);
    swo_observable_release(height);
    swo_why_stop();
}

static swo_observable *again;
static void send_again(void *context, const swo_value *message, const void *author) {
    (void)context, (void)author;
    if (message->as.int64 < 3) send(again, message->as.int64 + 1);
}

TEST(what_waits_keeps_its_cause) {
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    again = swo_messenger_new();
    begin(again, "count", send_again, NULL, NULL);
    send(again, 1);
    char *text = why(again, SWO_WHY_TEXT);
    assert_contains(text, " sent 3, on thread ");
    assert_contains(text, ", in handler \"count\"\n  because messenger ");
    assert_contains(text, " sent 2, on thread ");
    assert_contains(text, " sent 1, on thread ");
    free(text);
    swo_observable_release(again);
    swo_why_stop();
}

TEST(what_goes_round_is_cut) {
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    swo_observable *first = variable("first", 0), *second = variable("second", 0);
    begin(first, "there", set_to, second, NULL);
    char *text = NULL;
    swo_observable *numbers = swo_messenger_new(), *link = numbers, *links[80];
    for (int index = 0; index < 80; index++) {
        assert_int_equal(swo_skip_repeats(link, &links[index]), SWO_OK);
        link = links[index];
    }
    begin(link, "end", set_to, second, NULL);
    send(numbers, 1);
    text = why(second, SWO_WHY_TEXT);
    assert_contains(text, "because of more than are kept\n");
    free(text);
    for (int index = 79; index >= 0; index--) swo_observable_release(links[index]);
    swo_observable_release(numbers);
    swo_observable_release(first);
    swo_observable_release(second);
    swo_why_stop();
}

static swo_observable *factor;
static swo_status twice(void *context, swo_value *out) {
    swo_value value;
    (void)context;
    if (swo_variable_get(factor, &value)) return SWO_CALLBACK_FAILED;
    *out = swo_int64(2 * value.as.int64);
    return SWO_OK;
}

TEST(a_derived_variable_changed_because_of_its_source) {
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    swo_observable *derived;
    factor = variable("factor", 1);
    assert_int_equal(swo_derived_new(twice, NULL, NULL, &derived), SWO_OK);
    assert_int_equal(swo_observable_set_name(derived, "area"), SWO_OK);
    begin(derived, "draw", hear_nothing, NULL, NULL);
    set(factor, 3, NULL);
    char *text = why(derived, SWO_WHY_TEXT);
    assert_contains(text, "\"area\" changed from 2 to 6, on thread ");
    assert_contains(text, "\n  because variable \"factor\" changed from 1 to 3, on thread ");
    free(text);
    swo_observable_release(derived);
    swo_observable_release(factor);
    swo_why_stop();
}

static void *drain_all(void *queue) {
    assert_int_equal(swo_queue_drain(queue, SIZE_MAX, NULL), SWO_OK);
    return NULL;
}

TEST(a_path_leads_over_threads_and_queues) {
    for (size_t bound = 0; bound <= 8; bound += 8) {
        assert_int_equal(swo_why_start(&with_values), SWO_OK);
        swo_queue *queue;
        swo_executor executor;
        pthread_t thread;
        assert_int_equal(swo_queue_new(bound, SWO_QUEUE_REFUSE, &queue), SWO_OK);
        assert_int_equal(swo_queue_executor(queue, &executor), SWO_OK);
        swo_observable *clicks = swo_messenger_new(), *width = variable("width", 1);
        swo_observation id = begin(clicks, "resize", set_to, width, &executor);
        send(clicks, 5);
        send(clicks, 6);
        assert_int_equal(pthread_create(&thread, NULL, drain_all, queue), 0);
        pthread_join(thread, NULL);
        char *text = why(width, SWO_WHY_TEXT), here[64];
        assert_contains(text, "variable \"width\" changed from 5 to 6, on thread ");
        assert_contains(text, "in handler \"resize\"\n  because messenger ");
        snprintf(here, sizeof here, " sent 6, on thread %ld \"", (long)syscall(SYS_gettid));
        assert_contains(text, here);
        free(text);
        swo_value called;
        assert_int_equal(swo_why_called(id, SWO_WHY_TEXT, &called), SWO_OK);
        assert_contains((const char *)called.as.bytes.data, " sent 6, on thread ");
        swo_value_clear(&called);
        swo_observable_release(clicks);
        swo_observable_release(width);
        swo_queue_release(queue);
        swo_why_stop();
    }
}

TEST(nothing_is_kept_that_was_not_asked_for) {
    swo_observable *width = variable("width", 1);
    swo_observation id = begin(width, "draw", hear_nothing, NULL, NULL);
    set(width, 2, NULL);
    char *text = why(width, SWO_WHY_TEXT);
    assert_string_equal(text, "nothing is known\n");
    free(text);
    text = why(width, SWO_WHY_JSON);
    assert_string_equal(text, "[]\n");
    free(text);
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    set(width, 3, NULL);
    swo_why_stop();
    text = why(width, SWO_WHY_TEXT);
    assert_string_equal(text, "nothing is known\n");
    free(text);
    swo_value called;
    assert_int_equal(swo_why_called(id, SWO_WHY_TEXT, &called), SWO_OK);
    assert_string_equal((const char *)called.as.bytes.data, "nothing is known\n");
    swo_value_clear(&called);
    set(width, 4, NULL);
    swo_observable_release(width);
}

TEST(a_name_ends_no_line_and_no_quotes) {
    assert_int_equal(swo_why_start(NULL), SWO_OK);
    swo_observable *odd = variable("a\"b\n<\x1b[2J>\\", 1);
    set(odd, 2, NULL);
    char *text = why(odd, SWO_WHY_TEXT);
    assert_contains(text, "variable \"a\\\"b\\u000a<\\u001b[2J>\\\\\" changed");
    free(text);
    char *longest = malloc(1000001);
    memset(longest, 'x', 1000000);
    longest[1000000] = 0;
    assert_int_equal(swo_observable_set_name(odd, longest), SWO_OK);
    free(longest);
    set(odd, 3, NULL);
    text = why(odd, SWO_WHY_JSON);
    assert_true(strlen(text) < 400);
    free(text);
    swo_observable_release(odd);
    swo_why_stop();
}

TEST(deliveries_without_order_have_causes) {
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    swo_observable *clicks = swo_messenger_new(), *width = variable("width", 1);
    assert_int_equal(swo_observable_set_ordered(clicks, false), SWO_OK);
    begin(clicks, "resize", set_to, width, NULL);
    send(clicks, 9);
    char *text = why(width, SWO_WHY_TEXT);
    assert_contains(text, "in handler \"resize\"\n  because messenger ");
    free(text);
    swo_observable_release(clicks);
    swo_observable_release(width);
    swo_why_stop();
}

TEST(a_deferred_variable_has_causes) {
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    const swo_value one = swo_int64(1);
    swo_observable *width;
    assert_int_equal(swo_deferred_variable_new(&one, &width), SWO_OK);
    set(width, 9, NULL);
    char *text = why(width, SWO_WHY_TEXT);
    assert_contains(text, " changed from 1 to 9, on thread ");
    free(text);
    swo_observable_release(width);
    swo_why_stop();
}

TEST(a_deferred_variable_that_is_set_to_its_value_has_not_changed) {
    int author = 0;
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    const swo_value one = swo_int64(1);
    swo_observable *width;
    assert_int_equal(swo_deferred_variable_new(&one, &width), SWO_OK);
    for (int ordered = 1; ordered >= 0; ordered--) {
        assert_int_equal(swo_observable_set_ordered(width, ordered), SWO_OK);
        set(width, 8 + ordered, NULL);
        set(width, 8 + ordered, &author);
        char *text = why(width, SWO_WHY_TEXT);
        assert_contains(text, ordered ? " changed from 1 to 9" : " changed from 9 to 8");
        assert_lacks(text, "by author");
        free(text);
    }
    swo_observable_release(width);
    swo_why_stop();
}

/* ---- traces ---- */

TEST(a_trace_without_a_file_is_refused) {
    const swo_trace_options small = {1, false};
    assert_int_equal(swo_trace_start(-1, NULL), SWO_INVALID_ARGUMENT);
    int closed = open("/dev/null", O_RDONLY);
    assert_int_equal(swo_trace_start(closed, NULL), SWO_INVALID_ARGUMENT);
    close(closed);
    assert_int_equal(swo_trace_start(closed, NULL), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_trace_stop(), SWO_NOT_FOUND);
    int full = open("/dev/full", O_WRONLY);
    assert_int_equal(swo_trace_start(full, NULL), SWO_INVALID_ARGUMENT);
    close(full);
    int null = open("/dev/null", O_WRONLY);
    assert_int_equal(swo_trace_start(null, &small), SWO_INVALID_ARGUMENT);
    assert_int_equal(swo_trace_start(null, NULL), SWO_OK);
    assert_int_equal(swo_trace_start(null, NULL), SWO_CONFLICT);
    close(null);
    assert_int_equal(swo_trace_stop(), SWO_OK);
    assert_int_equal(swo_trace_stop(), SWO_NOT_FOUND);
}

static int received;
static void count_one(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
    received++;
}

TEST(a_reader_that_goes_away_ends_the_trace_alone) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(swo_trace_start(ends[1], NULL), SWO_OK);
    close(ends[1]);
    close(ends[0]);
    swo_observable *clicks = swo_messenger_new();
    begin(clicks, "count", count_one, NULL, NULL);
    received = 0;
    for (int index = 0; index < 3000; index++) send(clicks, index);
    assert_int_equal(received, 3000);
    assert_int_equal(swo_trace_stop(), SWO_CALLBACK_FAILED);
    swo_observable_release(clicks);
}

static bool describe_nothing(const swo_observable *observable, char *kind, char *value, size_t room) {
    (void)observable, (void)kind, (void)value, (void)room;
    return false;
}
static bool set_nothing(const swo_observable *observable, const char *given, char *problem, size_t room) {
    (void)observable, (void)given, (void)problem, (void)room;
    return false;
}
static void name_nothing(swo_observation observation, char *name, size_t room) {
    (void)observation, (void)name, (void)room;
}
static void say_what_it_is(const void *object, char *text, size_t room) {
    snprintf(text, room, "%s", (const char *)object);
}
static void read_nothing(void (*each)(void *context, const swo_observable *source, const swo_observable *derived),
                         void *context) {
    (void)each, (void)context;
}

TEST(a_runtime_says_what_its_objects_are) {
    static const swo_object_type type = {.size = sizeof type};
    static const swo_inspection inspection = {sizeof inspection, describe_nothing, set_nothing,
                                              name_nothing,      say_what_it_is,   read_nothing};
    swo_observable *clicks = swo_messenger_new();
    assert_int_equal(swo_observable_set_name(clicks, "clicks"), SWO_OK);
    assert_int_equal(swo_why_start(&with_values), SWO_OK);
    begin(clicks, "hear", hear_nothing, NULL, NULL);
    const char *objects[] = {"<a cat>", "<a cat>\x1f<a dog>"};
    const char *said[] = {"sent <a cat>, on", "changed from <a cat> to <a dog>, on"};
    for (int index = 0; index < 2; index++) {
        const swo_value message = swo_object((void *)objects[index], &type);
        assert_int_equal(swo_set_inspection(&inspection), SWO_OK);
        assert_int_equal(swo_send(clicks, &message, NULL), SWO_OK);
        char *text = why(clicks, SWO_WHY_TEXT);
        assert_contains(text, said[index]);
        free(text);
        assert_int_equal(swo_set_inspection(NULL), SWO_OK);
        assert_int_equal(swo_send(clicks, &message, NULL), SWO_OK);
        text = why(clicks, SWO_WHY_TEXT);
        assert_contains(text, "sent object 0x");
        free(text);
    }
    swo_why_stop();
    swo_observable_release(clicks);
}

static swo_status take_width(void *width, swo_value *out) { return swo_variable_get(width, out); }

static swo_status look_at(void *variable) {
    swo_value value = swo_null();
    swo_status status = swo_variable_get(variable, &value);
    swo_value_clear(&value);
    return status;
}

static uint64_t number_at(const uint8_t **at) {
    uint64_t number = 0;
    for (int shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) return number;
    }
}

/* Counts the events of a category (a number), in messages of Protocol Buffers: packets, and what they consist of. */
static size_t events_of(uint64_t category, const uint8_t *at, const uint8_t *end, int depth) {
    enum { PACKET = 1, TRACK_EVENT = 11, CATEGORY = 3 };
    size_t found = 0;
    while (at < end) {
        uint64_t key = number_at(&at), field = key >> 3;
        switch (key & 7) {
        case 0: {
            uint64_t number = number_at(&at);
            if (depth == 2 && field == CATEGORY && number == category) found++;
            break;
        }
        case 1: at += 8; break;
        case 2: {
            uint64_t count = number_at(&at);
            if (depth == 0 ? field == PACKET : depth == 1 && field == TRACK_EVENT)
                found += events_of(category, at, at + count, depth + 1);
            at += count;
            break;
        }
        default: fail_msg("a field of the trace has the type %d", (int)(key & 7));
        }
    }
    assert_ptr_equal(at, end);
    return found;
}

static size_t times_in(const uint8_t *bytes, size_t count, const char *text) {
    size_t found = 0;
    for (size_t at = 0; at + strlen(text) <= count; at++) found += memcmp(bytes + at, text, strlen(text)) == 0;
    return found;
}

/* What was written into a file, in memory of malloc. Closes it. */
static uint8_t *all_of(FILE *file, size_t *count) {
    fseek(file, 0, SEEK_END);
    *count = (size_t)ftell(file);
    uint8_t *bytes = malloc(*count);
    rewind(file);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    fclose(file);
    return bytes;
}

TEST(a_trace_has_computations_and_writes_each_title_once) {
    enum { SENDS = 1, HANDLERS = 2, COMPUTATIONS = 3, SETS = 100 };
    FILE *file = tmpfile();
    swo_observable *width = variable("width", 0), *area;
    assert_int_equal(swo_derived_new(take_width, width, NULL, &area), SWO_OK);
    assert_int_equal(swo_observable_set_name(area, "area"), SWO_OK);
    assert_int_equal(swo_trace_start(fileno(file), NULL), SWO_OK);
    begin(area, "shown", hear_nothing, NULL, NULL);
    swo_observation effect;
    assert_int_equal(swo_effect(look_at, width, NULL, NULL, &effect), SWO_OK);
    for (int64_t number = 1; number <= SETS; number++) set(width, number, NULL);
    assert_int_equal(swo_trace_stop(), SWO_OK);
    size_t count;
    uint8_t *bytes = all_of(file, &count);
    assert_int_equal(events_of(COMPUTATIONS, bytes, bytes + count, 0), SETS + 1);
    /* Those of `shown`, and the runs of the effect. */
    assert_int_equal(events_of(HANDLERS, bytes, bytes + count, 0), SETS + SETS + 1);
    assert_true(events_of(SENDS, bytes, bytes + count, 0) >= SETS);
    assert_int_equal(times_in(bytes, count, "derived area"), 1);
    free(bytes);
    swo_observable_release(area);
    swo_observable_release(width);
}

TEST(a_runtime_adds_what_it_computes_itself) {
    enum { COMPUTATIONS = 3 };
    FILE *file = tmpfile();
    assert_false(swo_trace_begin_computation("derived", "area"));
    swo_trace_end_computation();
    assert_int_equal(swo_trace_start(fileno(file), NULL), SWO_OK);
    assert_false(swo_trace_begin_computation(NULL, "area"));
    assert_true(swo_trace_begin_computation("derived", "area"));
    assert_true(swo_trace_begin_computation("derived", NULL));
    swo_trace_end_computation();
    swo_trace_end_computation();
    swo_trace_end_computation();
    assert_int_equal(swo_trace_stop(), SWO_OK);
    size_t count;
    uint8_t *bytes = all_of(file, &count);
    assert_int_equal(events_of(COMPUTATIONS, bytes, bytes + count, 0), 2);
    assert_int_equal(times_in(bytes, count, "derived area"), 1);
    free(bytes);
}

TEST(long_titles_and_values_are_cut_between_characters) {
    /* One byte, then characters of three: no limit that is a power of two falls between two of them. */
    char name[1 + 3 * 400 + 1] = "a";
    for (int character = 0; character < 400; character++) memcpy(name + 1 + 3 * character, "\xE2\x82\xAC", 4);
    FILE *file = tmpfile();
    swo_observable *width = variable("width", 0), *area;
    assert_int_equal(swo_derived_new(take_width, width, NULL, &area), SWO_OK);
    assert_int_equal(swo_observable_set_name(area, name), SWO_OK);
    swo_observable *text = swo_messenger_new();
    assert_int_equal(swo_trace_start(fileno(file), &with_values), SWO_OK);
    begin(area, name, hear_nothing, NULL, NULL);
    begin(text, name, hear_nothing, NULL, NULL);
    set(width, 1, NULL);
    const swo_value long_text = swo_text(name);
    assert_int_equal(swo_send(text, &long_text, NULL), SWO_OK);
    assert_int_equal(swo_trace_stop(), SWO_OK);
    size_t count;
    uint8_t *bytes = all_of(file, &count);
    size_t begun = times_in(bytes, count, "\x82\xAC\xE2"), whole = times_in(bytes, count, "\x82\xAC\xE2\x82\xAC");
    /* The name of the computation, the name of the handler, the value. */
    assert_true(whole > 3 * 10);
    assert_int_equal(begun, whole);
    free(bytes);
    swo_observable_release(text);
    swo_observable_release(area);
    swo_observable_release(width);
}

TEST(a_child_process_writes_nothing_into_the_trace) {
    char path[] = "/tmp/swiftobserver-trace-XXXXXX";
    int file = mkstemp(path), status;
    assert_true(file >= 0);
    unlink(path);
    assert_int_equal(swo_trace_start(file, NULL), SWO_OK);
    swo_observable *clicks = swo_messenger_new();
    begin(clicks, "count", count_one, NULL, NULL);
    send(clicks, 1);
    off_t before = lseek(file, 0, SEEK_END);
    pid_t child = fork();
    if (child == 0) {
        for (int index = 0; index < 3000; index++) send(clicks, index);
        swo_observable_release(clicks);
        _exit(swo_trace_stop() == SWO_NOT_FOUND ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(lseek(file, 0, SEEK_END), before);
    assert_int_equal(swo_trace_stop(), SWO_OK);
    assert_true(lseek(file, 0, SEEK_END) > before);
    close(file);
    swo_observable_release(clicks);
}

static void *send_many(void *clicks) {
    for (int index = 0; index < 2000; index++) send(clicks, index);
    return NULL;
}

TEST(a_trace_begins_and_ends_while_threads_send) {
    swo_observable *clicks = swo_messenger_new(), *width = variable("width", 1);
    begin(clicks, "resize", set_to, width, NULL);
    pthread_t threads[3];
    for (int index = 0; index < 3; index++)
        assert_int_equal(pthread_create(&threads[index], NULL, send_many, clicks), 0);
    for (int round = 0; round < 20; round++) {
        int null = open("/dev/null", O_WRONLY);
        assert_int_equal(swo_trace_start(null, &with_values), SWO_OK);
        close(null);
        assert_int_equal(swo_why_start(&with_values), SWO_OK);
        free(why(width, SWO_WHY_TEXT));
        swo_why_stop();
        assert_int_equal(swo_trace_stop(), SWO_OK);
    }
    for (int index = 0; index < 3; index++) pthread_join(threads[index], NULL);
    swo_observable_release(clicks);
    swo_observable_release(width);
}
