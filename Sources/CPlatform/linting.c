/* SPDX-License-Identifier: MIT */
/* What looks wrong with the observables of this process: looks at the graph that a live page would show. */
#include <stdio.h>

#include "CPlatform.h"
#include "texts.h"

__attribute__((weak)) void observer_inspect_show(const platform_viewer *viewer, bool values);

struct node {
    const void *core;
    char *called; /* its kind and its name */
    bool is_target, is_observed;
};

struct edge {
    platform_shown_edge shown;
    char *handler;
    struct node *source;
};

struct linted {
    uint64_t slow;
    struct node *nodes;
    struct edge *edges;
    size_t nodes_count, nodes_room, edges_count, edges_room;
    struct finding {
        int kind;
        const void *core;
        char *sentence;
    } * findings;
    size_t findings_count, findings_room;
    bool is_lost;
};

/* One more of what stands in a growing array, zeroed; NULL without memory. */
static void *one_more(struct linted *in, void *array, size_t *count, size_t *room, size_t size) {
    char **bytes = array;
    if (!in->is_lost && *count == *room) {
        size_t more = *room == 0 ? 64 : 2 * *room;
        char *larger = realloc(*bytes, more * size);
        if (larger == NULL)
            in->is_lost = true;
        else
            *bytes = larger, *room = more;
    }
    return in->is_lost ? NULL : memset(*bytes + (*count)++ * size, 0, size);
}

static void add(struct linted *to, int kind, const void *core, platform_text *sentence) {
    struct finding *made = one_more(to, &to->findings, &to->findings_count, &to->findings_room, sizeof *made);
    char *words = platform_text_take(sentence);
    if (made == NULL || words == NULL) {
        to->is_lost = true;
        if (made != NULL) to->findings_count--;
        return free(words);
    }
    *made = (struct finding){kind, core, words};
}

/* ---- looking ---- */

/* What holds a value may be bound, and is read. */
static bool holds_value(const char *kind) {
    return strcmp(kind, "variable") == 0 || strncmp(kind, "Var<", 4) == 0 || strncmp(kind, "DeferredVar<", 12) == 0;
}

static void see_node(void *context, const platform_shown_node *shown) {
    struct linted *in = context;
    struct node *node = one_more(in, &in->nodes, &in->nodes_count, &in->nodes_room, sizeof *node);
    if (node == NULL) return;
    platform_text called = {0}, cycle = {0};
    platform_say_observable(&called, shown->kind, shown->name, shown->core);
    node->core = shown->core;
    node->called = platform_text_take(&called);
    /* It need not be observed. */
    node->is_observed = !shown->is_observable || holds_value(shown->kind);
    if (node->called == NULL) in->is_lost = true;
    if (platform_say_cycle(&cycle, shown->last)) add(in, PLATFORM_CYCLE, shown->core, &cycle);
}

static void see_edge(void *context, const platform_shown_edge *shown) {
    struct linted *in = context;
    struct edge *edge = one_more(in, &in->edges, &in->edges_count, &in->edges_room, sizeof *edge);
    if (edge == NULL) return;
    platform_text handler = {0};
    platform_say(&handler, "handler ");
    if (shown->name != NULL)
        platform_say_quoted(&handler, shown->name);
    else
        platform_say_number(&handler, (long long)shown->observation);
    edge->shown = *shown;
    edge->shown.name = NULL;
    edge->handler = platform_text_take(&handler);
    if (edge->handler == NULL) in->is_lost = true;
}

/* ---- judging ---- */

static int by_core(const void *one, const void *other) {
    uintptr_t left = (uintptr_t)((const struct node *)one)->core, right = (uintptr_t)((const struct node *)other)->core;
    return (left > right) - (left < right);
}

/* The handlers of an observable beside each other, the same ones first to last. */
static int by_handler(const void *one, const void *other) {
    const platform_shown_edge *left = &((const struct edge *)one)->shown, *right = &((const struct edge *)other)->shown;
    const uintptr_t lefts[] = {(uintptr_t)left->source, left->handler[0], left->handler[1], left->observation},
                    rights[] = {(uintptr_t)right->source, right->handler[0], right->handler[1], right->observation};
    for (int part = 0; part < 4; part++)
        if (lefts[part] != rights[part]) return lefts[part] < rights[part] ? -1 : 1;
    return 0;
}

static struct node *find(const struct linted *in, const void *core) {
    const struct node key = {.core = core};
    return core == NULL || in->nodes_count == 0 ? NULL : bsearch(&key, in->nodes, in->nodes_count, sizeof key, by_core);
}

static void say_thread(platform_text *text, long thread) {
    platform_say(text, "thread ");
    platform_say_number(text, thread);
}

static void judge_repeated(struct linted *in) {
    for (size_t first = 0, next; first < in->edges_count; first = next) {
        const struct edge *edge = &in->edges[first];
        for (next = first + 1; next < in->edges_count; next++) {
            const platform_shown_edge *other = &in->edges[next].shown;
            if (other->source != edge->shown.source || other->handler[0] != edge->shown.handler[0] ||
                other->handler[1] != edge->shown.handler[1])
                break;
        }
        if (next - first < 2 || edge->source == NULL || edge->shown.handler[0] == 0) continue;
        platform_text text = {0};
        platform_say(&text, edge->handler);
        platform_say(&text, " observes ");
        platform_say(&text, edge->source->called);
        platform_say(&text, " ");
        platform_say_number(&text, (long long)(next - first));
        platform_say(&text, " times");
        add(in, PLATFORM_REPEATED, edge->shown.source, &text);
    }
}

static void judge_unobserved(struct linted *in) {
    for (size_t index = 0; index < in->nodes_count; index++) {
        const struct node *node = &in->nodes[index];
        if (!node->is_target || node->is_observed) continue;
        platform_text text = {0};
        platform_say(&text, "nothing observes ");
        platform_say(&text, node->called);
        platform_say(&text, ", which is made from another observable");
        add(in, PLATFORM_UNOBSERVED, node->core, &text);
    }
}

static void judge_calls(struct linted *in, const struct edge *edge) {
    const platform_shown_edge *shown = &edge->shown;
    platform_text text = {0};
    if (shown->target != NULL || edge->source == NULL) return;
    if (shown->other_thread != 0) {
        platform_say(&text, edge->handler);
        platform_say(&text, " of ");
        platform_say(&text, edge->source->called);
        platform_say(&text, " has been called on ");
        say_thread(&text, shown->thread);
        platform_say(&text, " and on ");
        say_thread(&text, shown->other_thread);
        add(in, PLATFORM_THREADS, shown->source, &text);
    }
    if (shown->slowest > in->slow) {
        char seconds[32];
        snprintf(seconds, sizeof seconds, "%.3g", (double)shown->slowest / 1e9);
        platform_say(&text, edge->handler);
        platform_say(&text, " of ");
        platform_say(&text, edge->source->called);
        platform_say(&text, " has taken ");
        platform_say(&text, seconds);
        platform_say(&text, " seconds");
        add(in, PLATFORM_SLOW, shown->source, &text);
    }
}

static void judge(struct linted *in) {
    if (in->nodes_count > 0) qsort(in->nodes, in->nodes_count, sizeof *in->nodes, by_core);
    if (in->edges_count > 0) qsort(in->edges, in->edges_count, sizeof *in->edges, by_handler);
    for (size_t index = 0; index < in->edges_count; index++) {
        struct edge *edge = &in->edges[index];
        struct node *target = find(in, edge->shown.target);
        edge->source = find(in, edge->shown.source);
        if (edge->source != NULL) edge->source->is_observed = true;
        /* What was read, and is no observation, has none. */
        if (target != NULL && edge->shown.observation != 0) target->is_target = true;
    }
    judge_repeated(in);
    judge_unobserved(in);
    for (size_t index = 0; index < in->edges_count; index++) judge_calls(in, &in->edges[index]);
}

bool platform_lint(uint64_t slow, platform_finding found, void *context) {
    struct linted linted = {.slow = slow};
    const platform_viewer viewer = {&linted, see_node, see_edge, NULL};
    if (observer_inspect_show != NULL) observer_inspect_show(&viewer, false);
    if (!linted.is_lost) judge(&linted);
    for (size_t index = 0; index < linted.nodes_count; index++) free(linted.nodes[index].called);
    for (size_t index = 0; index < linted.edges_count; index++) free(linted.edges[index].handler);
    free(linted.nodes);
    free(linted.edges);
    for (size_t index = 0; index < linted.findings_count; index++) {
        const struct finding *one = &linted.findings[index];
        if (!linted.is_lost) found(context, one->kind, one->core, one->sentence);
        free(one->sentence);
    }
    free(linted.findings);
    return !linted.is_lost;
}
