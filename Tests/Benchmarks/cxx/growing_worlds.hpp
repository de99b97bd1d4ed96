// SPDX-License-Identifier: MIT
// What a call may depend on: worlds with n of something, in which every function is called.
#pragma once

#include <cstdlib>
#include <functional>
#include <string>
#include <swiftobserver/runtime.h>
#include <vector>

/// A world has one of each kind. In every one there is n of one thing, which the others do not have.
struct World {
    const char *name = nullptr;
    long n = 0;
    swo_observable *source = swo_messenger_new(), *other = swo_messenger_new();
    swo_observable *variable = nullptr, *deferred = nullptr;
    /// The last of what is made of the source, and of the variable.
    swo_observable *map = nullptr, *ofVariable = nullptr;
    /// Computed from the variable, and observed.
    swo_observable *derived = nullptr;
    /// Made of the source.
    swo_observable *merge = nullptr, *replay = nullptr, *unique = nullptr;
    /// Observes the source, the variables, and what there are many of.
    swo_observer *observer = swo_observer_new();
    /// That of the source by the observer.
    swo_observation observation = 0;
    swo_queue *queue = nullptr;
    swo_executor executor = SWO_EXECUTOR_INIT;
    /// What there are many of, and what is to be merged or combined.
    std::vector<swo_observable *> many, given;
    std::string text = "name";
    swo_value value = swo_int64(1);

    // What a call makes, or what is made for it.
    swo_observable *made = nullptr;
    swo_observation begun = 0;
    swo_observer *keeper = nullptr;
    swo_queue *line = nullptr;
    swo_clock *clock = nullptr;
    swo_value copy = swo_null();
    bool flag = false;
    swo_job *job = nullptr;
    swo_call call = SWO_CALL_INIT;

    /// How many handlers are still to be entered, one inside the other, and what is called inside.
    long left = 0;
    std::function<void(World &)> body;
};

static void must(swo_status status) {
    if (status != SWO_OK) abort();
}

static void ignore(void *context, const swo_value *message, const void *author) {
    (void)context, (void)message, (void)author;
}

static void ignoreAll(void *context, const swo_value *messages, size_t count, const void *author) {
    (void)context, (void)messages, (void)count, (void)author;
}

static swo_status giveBack(void *context, const swo_value *message, swo_value *out) {
    (void)context;
    *out = *message;
    return SWO_OK;
}

static bool accept(void *context, const swo_value *message) { return (void)context, (void)message, true; }

static swo_observation observe(swo_observable *observable, swo_observer *observer) {
    swo_observation id;
    must(swo_observe(observable, observer, ignore, nullptr, nullptr, &id));
    return id;
}

static swo_observable *mapOf(swo_observable *source) {
    swo_observable *map;
    must(swo_map(source, giveBack, nullptr, nullptr, &map));
    return map;
}

/// Reads a variable, and fails over what is none.
static swo_status derive(void *source, swo_value *out) {
    return swo_variable_get(static_cast<swo_observable *>(source), out);
}

static swo_observable *derivedOf(swo_observable *source) {
    swo_observable *derived;
    must(swo_derived_new(derive, source, nullptr, &derived));
    return derived;
}

// Messages of which none equals another: as many as there are cases of, and more.
static void sendDistinct(swo_observable *observable, long count) {
    for (long one = 0; one < count; one++) {
        swo_value message = swo_int64(1000000 + one);
        must(swo_send(observable, &message, nullptr));
    }
}

static void beginWorld(World &w, long n) {
    w.n = n;
    swo_value zero = swo_int64(0);
    must(swo_variable_new(&zero, &w.variable));
    must(swo_deferred_variable_new(&zero, &w.deferred));
    w.map = mapOf(w.source);
    w.ofVariable = mapOf(w.variable);
    w.derived = derivedOf(w.variable);
    must(swo_replay(w.source, SIZE_MAX, &w.replay));
    must(swo_unique_values(w.source, &w.unique));
    swo_observable *both[] = {w.source, w.other};
    must(swo_merge(both, 2, &w.merge));
    w.observation = observe(w.source, w.observer);
    observe(w.variable, w.observer);
    observe(w.deferred, w.observer);
    observe(w.derived, w.observer);
    must(swo_queue_new(0, SWO_QUEUE_BLOCK, &w.queue));
    must(swo_queue_executor(w.queue, &w.executor));
    w.given = {w.variable};
}

static void endWorld(World &w) {
    for (auto *one :
         {w.merge, w.replay, w.unique, w.map, w.ofVariable, w.derived, w.source, w.variable, w.deferred, w.other})
        swo_observable_release(one);
    for (auto *one : w.many) swo_observable_release(one);
    swo_observer_release(w.observer);
    swo_queue_release(w.queue);
}

// worlds that are made, and then used

static swo_observable *addMessenger(World &w) {
    w.many.push_back(swo_messenger_new());
    return w.many.back();
}

static void withObservers(World &w) {
    for (auto *observable : {w.source, w.variable, w.deferred})
        for (long one = 0; one < w.n; one++) observe(observable, nullptr);
}

static void withObservables(World &w) {
    for (long one = 0; one < w.n; one++) observe(addMessenger(w), w.observer);
}

static void withRepeats(World &w) {
    for (long one = 0; one < w.n; one++) observe(w.source, w.observer);
}

static void withEnded(World &w) {
    std::vector<swo_observation> ids;
    for (auto *observable : {w.source, w.variable, w.deferred})
        for (long one = 0; one < w.n; one++) ids.push_back(observe(observable, w.observer));
    for (auto id : ids) must(swo_stop(id));
}

static void withOthers(World &w) {
    for (long one = 0; one < w.n; one++) observe(addMessenger(w), nullptr);
}

static void withJobs(World &w) {
    swo_observation id;
    must(swo_observe_on(w.other, w.observer, &w.executor, ignore, nullptr, nullptr, &id));
    for (long one = 0; one < w.n; one++) must(swo_send(w.other, &w.value, nullptr));
}

static void withQueued(World &w) {
    for (long one = 0; one < w.n; one++)
        must(swo_observe_on(w.source, w.observer, &w.executor, ignore, nullptr, nullptr, nullptr));
}

static void withFormer(World &w) {
    for (long one = 0; one < w.n; one++) {
        must(swo_transform_set_source(w.map, addMessenger(w)));
        must(swo_transform_set_source(w.map, w.source));
    }
}

static void extend(swo_observable *&last, long count) {
    for (long one = 0; one < count; one++) {
        swo_observable *next = mapOf(last);
        swo_observable_release(last);
        last = next;
    }
}

static void withChain(World &w) {
    extend(w.map, w.n);
    extend(w.ofVariable, w.n);
}

static void withTransforms(World &w) {
    for (long one = 0; one < w.n; one++) w.many.push_back(mapOf(w.source));
}

static void giveMany(World &w) {
    for (long one = 0; one < w.n; one++) {
        swo_observable *made;
        must(swo_variable_new(&w.value, &made));
        w.many.push_back(made);
        w.given.push_back(made);
    }
}

static void withMerged(World &w) {
    giveMany(w);
    swo_observable_release(w.merge);
    must(swo_merge(w.given.data(), w.given.size(), &w.merge));
}

static void withCombined(World &w) {
    giveMany(w);
    must(swo_observe_combined(w.given.data(), w.given.size(), w.observer, ignoreAll, nullptr, nullptr, nullptr));
}

static void withRemembered(World &w) { sendDistinct(w.source, w.n); }

static void withBegun(World &w) {
    for (long one = 0; one < w.n; one++) {
        must(swo_variable_begin_batch(w.variable));
        must(swo_variable_begin_batch(w.deferred));
    }
}

static void withBlocked(World &w) {
    for (long one = 0; one < w.n; one++) must(swo_observable_block(w.source));
}

static void withBytes(World &w) {
    w.text = std::string(static_cast<size_t>(w.n), 'a');
    w.value = swo_text_sized(w.text.data(), w.text.size());
    must(swo_observable_set_name(w.source, w.text.c_str()));
}

// worlds of functions

static void withDependents(World &w) {
    for (auto *variable : {w.variable, w.deferred})
        for (long one = 0; one < w.n; one++) {
            w.many.push_back(derivedOf(variable));
            observe(w.many.back(), nullptr);
        }
}

static swo_status readVariable(void *world) {
    swo_value value;
    swo_status status = swo_variable_get(static_cast<World *>(world)->variable, &value);
    if (status == SWO_OK) swo_value_clear(&value);
    return status;
}

static void withEffects(World &w) {
    swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
    options.observer = w.observer;
    for (long one = 0; one < w.n; one++) must(swo_effect(readVariable, &w, nullptr, &options, nullptr));
}

static void withDerivedChain(World &w) {
    for (long one = 0; one < w.n; one++) {
        swo_observable *next = derivedOf(w.derived);
        w.many.push_back(w.derived);
        observe(next, w.observer);
        must(swo_observer_stop(w.observer, w.derived));
        w.derived = next;
    }
}

static swo_status readAll(void *world, swo_value *out) {
    *out = swo_int64(0);
    for (auto *one : static_cast<World *>(world)->given) {
        swo_value value;
        swo_status status = swo_variable_get(one, &value);
        if (status != SWO_OK) return status;
        if (value.kind == SWO_KIND_INT64) out->as.int64 += value.as.int64;
        swo_value_clear(&value);
    }
    return SWO_OK;
}

static void withSources(World &w) {
    giveMany(w);
    swo_observable *sum;
    must(swo_derived_new(readAll, &w, nullptr, &sum));
    observe(sum, w.observer);
    must(swo_observer_stop(w.observer, w.derived));
    w.many.push_back(w.derived);
    w.derived = sum;
}

// worlds inside handlers

/// What is called inside may let it fail.
static void send(World &w) { (void)!swo_send(w.source, &w.value, nullptr); }

static void goDeeper(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    World &w = *static_cast<World *>(context);
    if (--w.left > 0)
        send(w);
    else if (w.left == 0)
        w.body(w);
}

static void insideNested(World &w) {
    must(swo_observable_set_ordered(w.source, false));
    must(swo_observe(w.source, nullptr, goDeeper, &w, nullptr, nullptr));
    w.left = w.n;
    send(w);
}

static void letWait(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    World &w = *static_cast<World *>(context);
    if (w.left-- != 1) return;
    for (long one = 0; one < w.n; one++) send(w);
    w.body(w);
}

static void insideWaiting(World &w) {
    must(swo_observe(w.source, nullptr, letWait, &w, nullptr, nullptr));
    w.left = 1;
    send(w);
}

static void letEnd(void *context, const swo_value *message, const void *author) {
    (void)message, (void)author;
    World &w = *static_cast<World *>(context);
    if (w.left-- != 1) return;
    withEnded(w);
    w.body(w);
}

static void insideEnding(World &w) {
    must(swo_observe(w.source, nullptr, letEnd, &w, nullptr, nullptr));
    w.left = 1;
    send(w);
}

static void insideEndingUnordered(World &w) {
    must(swo_observable_set_ordered(w.source, false));
    insideEnding(w);
}

// worlds inside functions

static void insideWritten(World &w) {
    giveMany(w);
    must(swo_transaction_begin());
    swo_value one = swo_int64(1);
    for (auto *variable : w.given) must(swo_variable_set(variable, &one, nullptr));
    w.body(w);
    while (swo_transaction_commit() == SWO_OK) continue;
}

static void readAllOnce(World &w) {
    swo_value sum;
    must(readAll(&w, &sum));
}

static void insideRead(World &w) {
    giveMany(w);
    auto body = [](void *context) {
        World &world = *static_cast<World *>(context);
        readAllOnce(world);
        return world.body(world), SWO_OK;
    };
    must(swo_snapshot(body, &w));
}

/// A snapshot for which old values are kept, and what has been released.
static void insideKept(World &w) {
    withSources(w);
    auto body = [](void *context) {
        World &world = *static_cast<World *>(context);
        readAllOnce(world);
        for (auto *one : world.given) {
            swo_value value = swo_int64(2);
            must(swo_variable_set(one, &value, nullptr));
            swo_observable *released = derivedOf(one);
            observe(released, nullptr);
            swo_observable_release(released);
        }
        return world.body(world), SWO_OK;
    };
    must(swo_snapshot(body, &w));
}

struct Dimension {
    const char *name;
    void (*make)(World &);
    bool isInside = false; // it calls the body itself, inside a handler
};

static const Dimension dimensions[] = {
    {"observers", withObservers},
    {"observables", withObservables},
    {"repeats", withRepeats},
    {"ended", withEnded},
    {"others", withOthers},
    {"jobs", withJobs},
    {"queued", withQueued},
    {"former", withFormer},
    {"chain", withChain},
    {"transforms", withTransforms},
    {"merged", withMerged},
    {"combined", withCombined},
    {"remembered", withRemembered},
    {"begun", withBegun},
    {"blocked", withBlocked},
    {"bytes", withBytes},
    {"nested", insideNested, true},
    {"waiting", insideWaiting, true},
    {"dependents", withDependents},
    {"effects", withEffects},
    {"derived-chain", withDerivedChain},
    {"sources", withSources},
    {"written", insideWritten, true},
    {"read", insideRead, true},
    {"kept", insideKept, true},
    {"ending", insideEnding, true},
    {"ending-unordered", insideEndingUnordered, true},
};
