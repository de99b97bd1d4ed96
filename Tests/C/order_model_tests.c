/* SPDX-License-Identifier: MIT */
/* Observers join and leave at random while they are delivered to, and what they send at random queues (or nests,
 * where there is no order). A model as simple as laws 1, 2, 3, 5, 6 and 7 foretells each single call. */
#include "support.h"

enum { MOST_ENTRIES = 8000, MOST_MESSAGES = 600, DEEPEST = 5 };

struct entry {
    swo_observation observation;
    int number; /* in the order of beginning */
    bool living;
    int destroyed;
};

/* A delivery in progress: who is next, and who began before it did. */
struct delivery {
    int64_t message;
    int next, end;
};

static struct {
    swo_observable *observable;
    bool ordered;
    struct entry entries[MOST_ENTRIES];
    int entry_count;
    struct delivery deliveries[DEEPEST]; /* more than one only where there is no order */
    int depth;
    int64_t sent, delivered; /* messages are numbered from 1: those in between wait */
    long calls;
    uint64_t random;
} model;

static unsigned chance(unsigned choices) {
    model.random = model.random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(model.random >> 33) % choices;
}

/* Moves on to the entry that is to be called next; false if this delivery is over. */
static bool is_somebody_next(struct delivery *delivery) {
    while (delivery->next < delivery->end && !model.entries[delivery->next].living) delivery->next++;
    return delivery->next < delivery->end;
}

static bool begin_next_message(void) {
    if (model.delivered == model.sent) return false;
    model.deliveries[0] = (struct delivery){.message = ++model.delivered, .end = model.entry_count};
    return true;
}

static void destroy_entry(void *context) {
    struct entry *entry = context;
    must(!entry->living);
    must(entry->destroyed++ == 0);
}

HANDLER(receive, context);

static void join(void) {
    if (model.entry_count == MOST_ENTRIES) return;
    struct entry *entry = &model.entries[model.entry_count];
    *entry = (struct entry){.number = model.entry_count++, .living = true};
    ok(swo_observe(model.observable, NULL, receive, entry, destroy_entry, &entry->observation));
}

static void leave(struct entry *entry) {
    must(swo_is_living(entry->observation) == entry->living);
    swo_status expected = entry->living ? SWO_OK : SWO_NOT_FOUND;
    entry->living = false;
    must(swo_stop(entry->observation) == expected);
}

static void send_next(void) {
    if (model.sent == MOST_MESSAGES) return;
    if (model.ordered) {
        send_number(model.observable, ++model.sent);
        return;
    }
    if (model.depth == DEEPEST) return;
    struct delivery *delivery = &model.deliveries[model.depth++];
    *delivery = (struct delivery){.message = ++model.sent, .end = model.entry_count};
    send_number(model.observable, delivery->message);
    must(!is_somebody_next(delivery));
    model.depth--;
}

HANDLER(receive, context) {
    struct entry *entry = context;
    struct delivery *delivery = &model.deliveries[model.ordered ? 0 : model.depth - 1];
    while (!is_somebody_next(delivery)) must(model.ordered && begin_next_message());
    must(entry->number == delivery->next);
    must(message->as.int64 == delivery->message);
    delivery->next++;
    model.calls++;

    for (unsigned i = chance(3); i > 0; i--) {
        unsigned what = chance(10);
        int recent = model.entry_count < 40 ? model.entry_count : 40;
        if (what < 4) join();
        else if (what == 4) leave(entry);
        else if (what < 8) leave(&model.entries[model.entry_count - 1 - (int)chance((unsigned)recent)]);
        else if (chance(8) == 0) send_next();
    }
}

static void follow_the_model(bool ordered, uint64_t seed) {
    memset(&model, 0, sizeof model);
    model.observable = swo_messenger_new();
    model.ordered = ordered;
    model.random = seed;
    ok(swo_observable_set_ordered(model.observable, ordered));
    while (model.sent < MOST_MESSAGES) {
        while (chance(4) != 0) join();
        send_next();
        if (!ordered) continue;
        while (is_somebody_next(&model.deliveries[0]) || begin_next_message())
            must(!is_somebody_next(&model.deliveries[0]));
    }
    for (int i = 0; i < model.entry_count; i++)
        if (model.entries[i].living && chance(2) == 0) leave(&model.entries[i]);
    for (int i = 0; i < model.entry_count; i++) model.entries[i].living = false;
    swo_observable_release(model.observable);
    for (int i = 0; i < model.entry_count; i++) must(model.entries[i].destroyed == 1);
}

TEST(ordered_deliveries_follow_the_model) { /* Laws 1, 2, 3, 6, 7, 12 */
    long calls = 0, seeds = scaled(40);
    for (long seed = 1; seed <= seeds; seed++) {
        follow_the_model(true, (uint64_t)seed);
        calls += model.calls;
    }
    assert_true(calls > 1000 * seeds);
}

TEST(unordered_deliveries_follow_the_model) { /* Laws 2, 5, 6, 7, 12 */
    long calls = 0, seeds = scaled(40);
    for (long seed = 1; seed <= seeds; seed++) {
        follow_the_model(false, (uint64_t)seed);
        calls += model.calls;
    }
    assert_true(calls > 1000 * seeds);
}
