/* SPDX-License-Identifier: MIT */
/* Acts out the scenarios that all languages share: see Tests/Scenarios/README.md. */
#include "support.h"
#include <ctype.h>
#include <glob.h>
#include <operators.h>

enum { MOST_THINGS = 32, MOST_WORDS = 16, MOST_LINES = 80 };

/* ---- scenarios ---- */

struct scenario {
    char *name, *lines[MOST_LINES];
    size_t count;
    bool is_shown;
};

/* ---- the stage ---- */

struct handler {
    const char *name;
    bool notes_authors, notes_end;
    swo_observation observation;
    swo_observable *observable;
    long living; /* observations whose context was not destroyed */
};

static struct {
    struct {
        const char *name;
        swo_observable *observable;
        swo_observer *observer;
        swo_queue *queue;
        swo_clock *clock;
        struct handler *handler;
        const void *author;
    } things[MOST_THINGS];
    size_t count;
    const struct scenario *scenario;
    const char *line;
    bool handler_fails, something_failed;
} stage;

#define fail_at(...)                                                                                                   \
    (fprintf(stderr, "%s\n    %s\n", stage.scenario->name, stage.line), fprintf(stderr, "        " __VA_ARGS__),       \
     fputc('\n', stderr), abort())

/* Makes a thing unless there is one of that name. */
static size_t thing(const char *name) {
    for (size_t i = 0; i < stage.count; i++)
        if (strcmp(stage.things[i].name, name) == 0) return i;
    must(stage.count < MOST_THINGS);
    memset(&stage.things[stage.count], 0, sizeof *stage.things);
    stage.things[stage.count].name = strdup(name);
    return stage.count++;
}

static swo_observable *observable(const char *name) {
    swo_observable *found = stage.things[thing(name)].observable;
    if (found == NULL) fail_at("there is no observable %s", name);
    return found;
}

static struct handler *handler(const char *name) {
    size_t place = thing(name);
    if (stage.things[place].handler == NULL) {
        stage.things[place].handler = calloc(1, sizeof(struct handler));
        stage.things[place].handler->name = stage.things[place].name;
    }
    return stage.things[place].handler;
}

/* Anything by which a message can be sent: an address that stays. */
static const void *author(const char *name) {
    size_t place = thing(name);
    return stage.things[place].author = stage.things[place].name;
}

static const char *name_of(const void *author) {
    for (size_t i = stage.count; i-- > 0;)
        if (stage.things[i].author == author || stage.things[i].observable == author) return stage.things[i].name;
    fail_at("unknown author");
}

static swo_value value(const char *word) {
    char *end;
    if (strcmp(word, "null") == 0) return swo_null();
    swo_value number = swo_int64(strtol(word, &end, 10));
    if (*end != '\0') fail_at("%s is no value", word);
    return number;
}

/* ---- what handlers do ---- */

static void act(char *line);

/* Acts out what stands in a line, one after the other. */
static void act_all(const char *line) {
    char *actions = strdup(line), *place = NULL;
    for (char *one = strtok_r(actions, ";", &place); one != NULL; one = strtok_r(NULL, ";", &place))
        act(one + strspn(one, " "));
    free(actions);
}

/* Law 12: whatever becomes of an observation, its context is destroyed once. */
static void end_observation(void *context) {
    struct handler *handler = context;
    char word[100];
    must(handler->living-- > 0);
    snprintf(word, sizeof word, "%s!", handler->name);
    if (handler->notes_end) journal_note(&journal, word, NULL);
}

/* What a call has returned, which may be that a handler has failed. */
static void told(swo_status status) {
    if (status == SWO_CALLBACK_FAILED && stage.something_failed) journal_note(&journal, "failed", NULL);
    else if (status != SWO_OK) fail_at("%s", swo_status_text(status));
}

/* Acts out the rules of a handler: lines of the form `when a 1: ...; ...`. */
static void follow_rules(const char *name, const swo_value *message) {
    char any[64], number[64] = "";
    const swo_value *key = message->kind == SWO_KIND_UPDATE ? &message->as.update->new_value : message;
    snprintf(any, sizeof any, "when %s any: ", name);
    if (key->kind == SWO_KIND_INT64) snprintf(number, sizeof number, "when %s %d: ", name, (int)key->as.int64);
    const char *line = stage.line;
    for (size_t i = 0; i < stage.scenario->count; i++) {
        const char *rule = stage.scenario->lines[i];
        size_t length = strncmp(rule, any, strlen(any)) == 0 ? strlen(any) : strlen(number);
        if (length == 0 || strncmp(rule, length == strlen(number) ? number : any, length) != 0) continue;
        act_all(rule + length);
    }
    stage.line = line;
}

/* In the place of spaces. */
static void put_between(struct journal *journal, char mark) {
    for (char *space = journal->text; (space = strchr(space, ' ')) != NULL;) *space = mark;
}

COMBINED_HANDLER(receive_all, context) {
    struct handler *handler = context;
    struct journal note = {0};
    for (size_t i = 0; i < count; i++) journal_note(&note, "", &messages[i]);
    put_between(&note, messages[0].kind == SWO_KIND_LIST ? ',' : '+');
    char word[200];
    snprintf(word, sizeof word, "%s%s%s%s", handler->name, journal_text(&note), handler->notes_authors ? "@" : "",
             handler->notes_authors ? name_of(author) : "");
    journal_clear(&note);
    journal_note(&journal, word, NULL);
    follow_rules(handler->name, &messages[0]);
    if (!stage.handler_fails) return;
    stage.handler_fails = false;
    if (count == 1) swo_observable_fail(handler->observable);
    else swo_combined_fail(messages);
}

HANDLER(receive, context) { receive_all(context, message, 1, author); }

PREDICATE(is_even, context) { return message->as.int64 % 2 == 0; }

static swo_status add_up(void *context, const swo_value *sum, const swo_value *message, swo_value *out) {
    GIVE(swo_int64(sum->as.int64 + message->as.int64));
}

/* The first, the second ... of those that its context has; 0: none. */
static swo_status choose(void *context, const swo_value *message, swo_observable **out) {
    swo_observable **choices = context;
    if (message->as.int64 > 0) *out = swo_observable_retain(choices[message->as.int64 - 1]);
    return SWO_OK;
}

MAPPER(add, number, old_value) { GIVE(swo_int64(old_value->as.int64 + *(long *)number)); }

static void note_value(const char *before, const swo_value *value, const char *after) {
    struct journal note = {0};
    char word[100];
    journal_note(&note, before, value);
    put_between(&note, ',');
    snprintf(word, sizeof word, "%s%s", journal_text(&note), after);
    journal_clear(&note);
    journal_note(&journal, word, NULL);
}

/* ---- lines ---- */

/* What an operator takes: its word is its name, and what stands behind its source is an argument. */
#define A_SOURCE sources[0]
#define SOURCES sources, count - 1
#define A_MAPPER times_ten, NULL, NULL
#define A_PREDICATE is_even, NULL, NULL
#define A_NUMBER (size_t) given.as.int64
#define A_VALUE &given
#define AN_INITIAL &given
#define AN_AUTHOR author(words[2])
#define OPERATOR(name, ...)                                                                                            \
    if (strcmp(words[0], #name) == 0) ok(swo_##name(__VA_ARGS__, &made));

/* What waits for time: its intervals are seconds. */
static swo_observable *make_timed(const char *kind, swo_observable *source, int64_t interval, swo_clock *clock) {
    swo_observable *made = NULL;
    if (strcmp(kind, "debounce") == 0) ok(swo_debounce(source, interval, clock, &made));
    else if (strcmp(kind, "throttle") == 0) ok(swo_throttle(source, interval, SWO_THROTTLE_BOTH, clock, &made));
    else if (strcmp(kind, "throttle_first") == 0) ok(swo_throttle(source, interval, SWO_THROTTLE_FIRST, clock, &made));
    else if (strcmp(kind, "throttle_latest") == 0)
        ok(swo_throttle(source, interval, SWO_THROTTLE_LATEST, clock, &made));
    else if (strcmp(kind, "delay") == 0) ok(swo_delay(source, interval, clock, &made));
    else if (strcmp(kind, "timeout") == 0) ok(swo_timeout(source, interval, NULL, clock, &made));
    else if (strcmp(kind, "collect") == 0) ok(swo_buffer(source, 0, interval, clock, &made));
    return made;
}

/* What has several sources, or remembers: NULL if it is another kind. */
static swo_observable *make_joined(char **words, size_t count, swo_observable **sources, swo_value given) {
    swo_observable *made = NULL;
    const char *kind = words[0];
    if (strcmp(kind, "combine") == 0) ok(swo_combine(sources, count - 1, &made));
    else if (strcmp(kind, "zip") == 0) ok(swo_zip(sources, count - 1, &made));
    else if (strcmp(kind, "with_latest_from") == 0) ok(swo_with_latest_from(sources[0], sources + 1, count - 2, &made));
    else if (strcmp(kind, "sample") == 0) ok(swo_sample(sources[0], sources[1], &made));
    else if (strcmp(kind, "scan") == 0) ok(swo_scan(sources[0], &given, add_up, NULL, NULL, &made));
    else if (strcmp(kind, "buffer") == 0) ok(swo_buffer(sources[0], (size_t)given.as.int64, 0, NULL, &made));
    else if (strcmp(kind, "ticks") == 0)
        ok(swo_ticks(SWO_SECONDS(value(words[1]).as.int64), stage.things[thing(words[2])].clock, &made));
    else if (strcmp(kind, "switch_to_latest") == 0 || strcmp(kind, "flat_map") == 0) {
        size_t first = kind[0] == 's' ? 1 : 2, size = MOST_WORDS * sizeof *sources;
        swo_observable **chosen = memcpy(malloc(size), sources + first, size - first * sizeof *sources);
        if (first == 1) ok(swo_switch_to_latest(sources[0], choose, chosen, free, &made));
        else ok(swo_flat_map(sources[0], (size_t)given.as.int64, choose, chosen, free, &made));
    } else if (count > 3) {
        made = make_timed(kind, sources[0], SWO_SECONDS(given.as.int64), stage.things[thing(words[3])].clock);
    }
    return made;
}

static swo_observable *make(char **words, size_t count) {
    swo_observable *made = NULL, *sources[MOST_WORDS] = {NULL};
    swo_value given = count > 2 && isdigit(words[2][0]) ? value(words[2]) : swo_null();
    for (size_t i = 1; i < count; i++) sources[i - 1] = stage.things[thing(words[i])].observable;
    /* In C, `new` makes something. */
    if (strcmp(words[0], "new") == 0) words[0] = "new_values";
    made = make_joined(words, count, sources, given);
    if (made != NULL) return made;
    EVERY_OPERATOR(OPERATOR)
    if (made == NULL) fail_at("unknown operator: %s", words[0]);
    return made;
}

static void observe_as_told(char **words, size_t count) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    swo_executor executor;
    bool notes_authors = false, notes_end = false;
    size_t handlers = count;
    for (size_t i = 2; i < count; i++) {
        bool is_option = true;
        if (strcmp(words[i], "once") == 0) options.once = true;
        else if (strcmp(words[i], "authors") == 0) notes_authors = true;
        else if (strcmp(words[i], "ends") == 0) notes_end = true;
        else if (strcmp(words[i], "by") == 0) options.observer = stage.things[thing(words[i + 1])].observer;
        else if (strcmp(words[i], "replay") == 0) options.replay = (size_t)value(words[i + 1]).as.int64;
        else if (strcmp(words[i], "on") == 0) {
            ok(swo_queue_executor(stage.things[thing(words[i + 1])].queue, &executor));
            options.executor = &executor;
        } else is_option = false;
        if (is_option && handlers == count) handlers = i;
    }
    for (size_t i = 2; i < handlers; i++) {
        struct handler *one = handler(words[i]);
        one->notes_authors = notes_authors, one->notes_end = notes_end;
        one->observable = observable(words[1]);
        one->living++;
        size_t refused = swo_observable_refused(one->observable);
        told(swo_observe_with(one->observable, &options, receive, one, end_observation, &one->observation));
        if (options.executor == NULL && swo_observable_refused(one->observable) > refused)
            fail_at("no replay of %s: there is no memory", words[1]);
    }
}

static void combine(char **words, size_t count) {
    swo_observable *observables[MOST_WORDS];
    swo_observer *observer = NULL;
    struct handler *one = handler(words[1]);
    if (strcmp(words[count - 1], "ends") == 0) one->notes_end = true, count--;
    if (strcmp(words[count - 2], "by") == 0) observer = stage.things[thing(words[count - 1])].observer, count -= 2;
    for (size_t i = 2; i < count; i++) observables[i - 2] = observable(words[i]);
    one->living++;
    ok(swo_observe_combined(observables, count - 2, observer, receive_all, one, end_observation, &one->observation));
}

static void release(size_t place) {
    OWN_OBSERVABLE *observable = stage.things[place].observable;
    OWN_OBSERVER *observer = stage.things[place].observer;
    stage.things[place].observer = NULL;
    if (observer == NULL && stage.things[place].author == NULL) stage.things[place].author = observable;
    stage.things[place].observable = NULL;
}

static void note_answer(bool answer) { journal_note(&journal, answer ? "yes" : "no", NULL); }

/* What an action does to a handler's observation or to an observable. */
static void block(const char *name, bool blocks) {
    swo_observable *of_all = stage.things[thing(name)].observable;
    if (of_all != NULL) ok((blocks ? swo_observable_block : swo_observable_unblock)(of_all));
    else ok((blocks ? swo_block : swo_unblock)(handler(name)->observation));
}

static void act(char *line) {
    char *words[MOST_WORDS], *place = NULL, *copy = strdup(line);
    size_t count = 0;
    stage.line = line;
    for (char *word = strtok_r(copy, " ", &place); word != NULL; word = strtok_r(NULL, " ", &place))
        must(count < MOST_WORDS), words[count++] = word;
    must(count > 0);
    const void *by = NULL;
    if (count > 2 && strcmp(words[count - 2], "as") == 0) by = author(words[count - 1]), count -= 2;
    const char *verb = words[0], *first = count > 1 ? words[1] : "", *second = count > 2 ? words[2] : "";
    swo_value given = count > 2 && (isdigit(second[0]) || strcmp(second, "null") == 0) ? value(second) : swo_null();
    if (count > 2 && strcmp(first, "=") == 0) {
        stage.things[thing(verb)].observable = make(words + 2, count - 2);
    } else if (strcmp(verb, "messenger") == 0) {
        for (size_t i = 1; i < count; i++) stage.things[thing(words[i])].observable = swo_messenger_new();
    } else if (strcmp(verb, "variable") == 0) {
        ok(swo_variable_new(&given, &stage.things[thing(first)].observable));
    } else if (strcmp(verb, "deferred") == 0) {
        ok(swo_deferred_variable_new(&given, &stage.things[thing(first)].observable));
    } else if (strcmp(verb, "observer") == 0) {
        for (size_t i = 1; i < count; i++) stage.things[thing(words[i])].observer = swo_observer_new();
    } else if (strcmp(verb, "queue") == 0) {
        ok(swo_queue_new(0, SWO_QUEUE_BLOCK, &stage.things[thing(first)].queue));
    } else if (strcmp(verb, "clock") == 0) {
        stage.things[thing(first)].clock = swo_clock_new();
    } else if (strcmp(verb, "advance") == 0) {
        told(swo_clock_advance(stage.things[thing(first)].clock, SWO_SECONDS(given.as.int64)));
    } else if (strcmp(verb, "waiting") == 0) {
        swo_value number = swo_int64((int64_t)swo_clock_waiting(stage.things[thing(first)].clock));
        note_value("#", &number, "");
    } else if (strcmp(verb, "observe") == 0) {
        observe_as_told(words, count);
    } else if (strcmp(verb, "combine") == 0) {
        combine(words, count);
    } else if (strcmp(verb, "send") == 0) {
        told(swo_send(observable(first), &given, by));
    } else if (strcmp(verb, "set") == 0) {
        told(swo_variable_set(observable(first), &given, by));
    } else if (strcmp(verb, "add") == 0) {
        long number = given.as.int64;
        told(swo_variable_update(observable(first), add, &number, by));
    } else if (strcmp(verb, "resend") == 0) {
        told(swo_send_latest(observable(first), by));
    } else if (strcmp(verb, "stop") == 0) {
        (strcmp(second, "waiting") == 0 ? swo_stop_and_wait : swo_stop)(handler(first)->observation);
    } else if (strcmp(verb, "leave") == 0) {
        swo_observer_stop(stage.things[thing(first)].observer, count > 2 ? observable(second) : NULL);
    } else if (strcmp(verb, "release") == 0) {
        release(thing(first));
    } else if (strcmp(verb, "block") == 0 || strcmp(verb, "unblock") == 0) {
        block(first, verb[0] == 'b');
    } else if (strcmp(verb, "begin") == 0) {
        ok(swo_variable_begin_batch(observable(first)));
    } else if (strcmp(verb, "end") == 0) {
        told(swo_variable_end_batch(observable(first)));
    } else if (strcmp(verb, "unordered") == 0 || strcmp(verb, "ordered") == 0) {
        ok(swo_observable_set_ordered(observable(first), verb[0] == 'o'));
    } else if (strcmp(verb, "source") == 0) {
        ok(swo_transform_set_source(observable(first), observable(second)));
    } else if (strcmp(verb, "drain") == 0) {
        ok(swo_queue_drain(stage.things[thing(first)].queue, 0, NULL));
    } else if (strcmp(verb, "fail") == 0) {
        stage.handler_fails = stage.something_failed = true;
    } else if (strcmp(verb, "interrupt") == 0) {
        swo_observable_interrupt(observable(first));
    } else if (strcmp(verb, "note") == 0) {
        journal_note(&journal, first, NULL);
    } else if (strcmp(verb, "read") == 0) {
        swo_value present;
        ok(swo_variable_get(observable(first), &present));
        note_value("[", &present, "]");
    } else if (strcmp(verb, "latest") == 0) {
        swo_value latest;
        ok(swo_latest(observable(first), &latest));
        note_value("<", &latest, ">");
        swo_value_clear(&latest);
    } else if (strcmp(verb, "count") == 0) {
        swo_value number = swo_int64((int64_t)swo_observable_count(observable(first)));
        note_value("#", &number, "");
    } else if (strcmp(verb, "living") == 0) {
        note_answer(swo_is_living(handler(first)->observation));
    } else if (strcmp(verb, "observing") == 0) {
        note_answer(swo_observer_is_observing(stage.things[thing(first)].observer, observable(second)));
    } else {
        fail_at("unknown word: %s", verb);
    }
    free(copy);
}

static void act_out(void **state) {
    const struct scenario *scenario = *state;
    if (!scenario->is_shown) skip();
    stage.scenario = scenario;
    stage.something_failed = false;
    for (size_t i = 0; i < scenario->count; i++) {
        if (strncmp(scenario->lines[i], "when ", 5) == 0) continue; /* see follow_rules() */
        char *line = strdup(scenario->lines[i]), *arrow = strstr(line, " -> ");
        if (arrow != NULL) *arrow = '\0';
        act_all(line);
        if (strcmp(journal_text(&journal), arrow == NULL ? "" : arrow + 4) != 0)
            fail_msg("%s: noted: %s", scenario->lines[i], journal_text(&journal));
        journal_clear(&journal);
        free(line);
    }
    for (size_t i = stage.count; i-- > 0;) release(i);
    for (size_t i = stage.count; i-- > 0;) {
        swo_queue_release(stage.things[i].queue);
        swo_clock_release(stage.things[i].clock);
    }
    journal_clear(&journal); /* of ends */
    for (; stage.count > 0; stage.count--) {
        struct handler *handler = stage.things[stage.count - 1].handler;
        must(handler == NULL || handler->living == 0);
        free(handler);
        free((void *)stage.things[stage.count - 1].name);
    }
}

/* ---- reading ---- */

static void read_file(const char *path) {
    FILE *file = fopen(path, "r");
    char line[200];
    struct scenario *scenario = NULL;
    bool are_shown = true;
    must(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '\0' || line[0] == '#') continue;
        if (strncmp(line, "not in ", 7) == 0) {
            if (strncmp(line + 7, "C:", 2) == 0) are_shown = false;
        } else if (line[0] != ' ') {
            scenario = calloc(1, sizeof *scenario);
            must(scenario != NULL && strrchr(line, '(') != NULL);
            scenario->name = strdup(line);
            scenario->is_shown = are_shown;
            add_test_of(scenario->name, act_out, scenario);
        } else if (strncmp(line + 4, "not in ", 7) == 0) {
            if (strncmp(line + 11, "C:", 2) == 0) scenario->is_shown = false;
        } else {
            must(scenario != NULL && scenario->count < MOST_LINES);
            scenario->lines[scenario->count++] = strdup(line + 4);
        }
    }
    fclose(file);
}

__attribute__((constructor)) static void read_all(void) {
    glob_t found;
    must(glob("Tests/Scenarios/*.txt", 0, NULL, &found) == 0);
    for (size_t i = 0; i < found.gl_pathc; i++) read_file(found.gl_pathv[i]);
    globfree(&found);
}
