// SPDX-License-Identifier: MIT
// A call of every function of the headers: what is made ready, what is counted, and what leaves the world as it was.
#pragma once

#include <fcntl.h>
#include "growing_worlds.hpp"
#include <operators.h>

static void doNothing(void *) {}
static void noteNoFinding(void *, int32_t, const swo_observable *, const char *) {}
static swo_status doNothingWell(void *) { return SWO_OK; }
static swo_status addOne(void *, const swo_value *old, swo_value *out) {
    *out = swo_int64(old->kind == SWO_KIND_INT64 ? old->as.int64 + 1 : 0);
    return SWO_OK;
}

static void makeMessenger(World &w) { w.made = swo_messenger_new(); }
static void dropMade(World &w) { swo_observable_release(w.made); }
static void makeKeeper(World &w) { w.keeper = swo_observer_new(); }
static void dropKeeper(World &w) { swo_observer_release(w.keeper); }
static void makeLine(World &w) { must(swo_queue_new(0, SWO_QUEUE_BLOCK, &w.line)); }
static void dropLine(World &w) { swo_queue_release(w.line); }
static void makeTarget(World &w) { must(swo_variable_new(nullptr, &w.made)); }
static void makeClock(World &w) { w.clock = swo_clock_new(); }
static void dropClock(World &w) { swo_clock_release(w.clock); }
static void makeTimedClock(World &w) {
    swo_timer timer = SWO_TIMER_INIT;
    timer.wake_at = [](void *, int64_t) {};
    must(swo_clock_with_timer(&timer, nullptr, nullptr, &w.clock));
}
static void dropTimed(World &w) {
    dropMade(w);
    dropClock(w);
}
static swo_status addNothing(void *, const swo_value *, const swo_value *, swo_value *) { return SWO_OK; }
static swo_status chooseNothing(void *, const swo_value *, swo_observable **) { return SWO_OK; }
static void copyValue(World &w) { must(swo_value_copy(&w.value, &w.copy)); }
static void clearCopy(World &w) { swo_value_clear(&w.copy); }
static void beginOne(World &w) { w.begun = observe(w.source, w.observer); }
static void stopBegun(World &w) { must(swo_stop(w.begun)); }
static void blockOne(World &w) { must(swo_block(w.observation)); }
static void unblockOne(World &w) { must(swo_unblock(w.observation)); }
static void toggleOrder(swo_observable *one) { must(swo_observable_set_ordered(one, !swo_observable_is_ordered(one))); }

/// Another number each time.
static void countUp(World &w) {
    static int64_t number = 1000;
    w.copy = swo_int64(++number);
}

static void beginApart(World &w) {
    makeMessenger(w);
    w.begun = observe(w.made, w.observer);
}

/// The first question makes an index of what the observer keeps, which is part of beginning that.
static void askOnce(World &w) { (void)swo_observer_is_observing(w.observer, w.other); }

static void beginQueued(World &w) {
    makeMessenger(w);
    must(swo_observe_on(w.made, w.observer, &w.executor, ignore, nullptr, nullptr, nullptr));
}

static void endQueued(World &w) {
    dropMade(w);
    // As many jobs wait as did before.
    must(swo_queue_drain(w.queue, 1, nullptr));
}

/// An observation by an executor that keeps its one job.
static void letJobWait(World &w) {
    makeMessenger(w);
    swo_executor executor = SWO_EXECUTOR_INIT;
    executor.context = &w;
    executor.execute = [](void *context, swo_job *job) {
        static_cast<World *>(context)->job = job;
        return SWO_OK;
    };
    must(swo_observe_on(w.made, w.observer, &executor, ignore, nullptr, nullptr, nullptr));
    must(swo_send(w.made, &w.value, nullptr));
}

static void observeWithAll(World &w, swo_observable *observable) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.observer = w.observer, options.replay = 1, options.name = "name";
    must(swo_observe_with(observable, &options, ignore, nullptr, nullptr, &w.begun));
}

static void observeWithReplay(World &w) {
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    options.replay = SIZE_MAX;
    must(swo_observe_with(w.replay, &options, ignore, nullptr, nullptr, &w.begun));
}

static const swo_object_type objects = {sizeof objects, nullptr, nullptr, nullptr};
static const swo_graph_visitor visitor = SWO_GRAPH_VISITOR_INIT;
static int nullDevice() {
    static const int device = open("/dev/null", O_WRONLY);
    return device;
}
static const swo_hooks hooks = SWO_HOOKS_INIT;

static void observeAnswering(World &w) {
    static swo_answers answers = SWO_ANSWERS_INIT;
    answers.type = &objects;
    answers.call = [](void *, void *const *, size_t, void *) -> void * { return nullptr; };
    must(swo_observe_answering(w.source, w.observer, &answers, &w, nullptr, nullptr, nullptr, &w.begun));
}

static void callWithSource(World &w) {
    w.call = SWO_CALL_INIT;
    w.call.observable = w.source, w.call.type = &objects, w.call.success = &w, w.call.failure = &w.call;
}

static void callSend(World &w) {
    swo_caller caller = {{nullptr, nullptr}, &w.call};
    if (swo_call_send(&caller, &w) != &w) abort();
}

static void setDeferred(World &w) {
    swo_status status = swo_variable_set(w.deferred, &w.copy, nullptr);
    // A transaction refuses it.
    if (status != SWO_WRONG_KIND) must(status);
}

/// As often as there are things in the world, so that what is done now and then is shared by all calls; a few times,
/// where the call is about all that there is; once in each of some worlds, where it ends what is in them.
enum HowOften { often, seldom, fresh };

struct Call {
    const char *name; // the function's, and what is special about the call
    HowOften howOften;
    void (*before)(World &);
    void (*call)(World &);
    void (*after)(World &) = nullptr;
};

#define DO(...) [](World &w) { (void)w, __VA_ARGS__; }

#define A_SOURCE w.source
#define SOURCES std::vector{w.source, w.other}.data(), 2
#define A_MAPPER giveBack, nullptr, nullptr
#define A_PREDICATE accept, nullptr, nullptr
#define A_NUMBER 5
#define A_VALUE &w.value
#define AN_INITIAL &w.value
#define AN_AUTHOR &w
#define OPERATOR(name, ...) {"swo_" #name, often, nullptr, DO(must(swo_##name(__VA_ARGS__, &w.made))), dropMade},

// clang-format off
static const Call calls[] = {
    {"swo_version", often, nullptr, DO(swo_version())},
    {"swo_version_text", often, nullptr, DO(swo_version_text())},
    {"swo_runtime_text", often, nullptr, DO(swo_runtime_text())},
    {"swo_status_text", often, nullptr, DO(swo_status_text(SWO_NO_MEMORY))},
    {"swo_value_check", often, nullptr, DO(must(swo_value_check(&w.value)))},
    {"swo_value_equal", often, nullptr, DO(must(swo_value_equal(&w.value, &w.value, &w.flag)))},
    {"swo_value_copy", often, nullptr, DO(must(swo_value_copy(&w.value, &w.copy))), clearCopy},
    {"swo_value_clear", often, copyValue, DO(swo_value_clear(&w.copy))},
    {"swo_messenger_new", often, nullptr, DO(w.made = swo_messenger_new()), dropMade},
    {"swo_observable_retain", often, nullptr, DO(swo_observable_retain(w.source)), DO(swo_observable_release(w.source))},
    {"swo_observable_release", often, makeMessenger, DO(swo_observable_release(w.made))},
    {"swo_observable_release of what is observed", often, beginApart, DO(swo_observable_release(w.made))},
    {"swo_observable_release of a map", often, DO(w.made = mapOf(w.source)), DO(swo_observable_release(w.made))},
    {"swo_observable_release of the source", fresh, nullptr, DO(swo_observable_release(w.source); w.source = nullptr)},
    {"swo_observable_release of the variable", fresh, nullptr, DO(swo_observable_release(w.variable); w.variable = nullptr)},
    {"swo_observable_release of the deferred variable", fresh, nullptr, DO(swo_observable_release(w.deferred); w.deferred = nullptr)},
    {"swo_observable_release of the map", fresh, nullptr, DO(swo_observable_release(w.map); w.map = nullptr)},
    {"swo_observable_release of the merge", fresh, nullptr, DO(swo_observable_release(w.merge); w.merge = nullptr)},
    {"swo_observable_release of the replay", fresh, nullptr, DO(swo_observable_release(w.replay); w.replay = nullptr)},
    {"swo_observable_release of the unique values", fresh, nullptr, DO(swo_observable_release(w.unique); w.unique = nullptr)},
    {"swo_send", seldom, nullptr, DO(must(swo_send(w.source, &w.value, nullptr)))},
    {"swo_send from a stranger", seldom, makeMessenger, DO(must(swo_send(w.made, &w.value, &w))), dropMade},
    {"swo_send to a map", seldom, nullptr, DO(must(swo_send(w.map, &w.value, nullptr)))},
    {"swo_send to a queue", often, beginQueued, DO(must(swo_send(w.made, &w.value, nullptr))), endQueued},
    {"swo_observable_set_ordered", often, nullptr, DO(toggleOrder(w.source))},
    {"swo_observable_is_ordered", often, nullptr, DO(swo_observable_is_ordered(w.source))},
    {"swo_observable_set_budget", often, nullptr, DO(must(swo_observable_set_budget(w.source, 1000)))},
    {"swo_observable_count", often, nullptr, DO(swo_observable_count(w.source))},
    {"swo_observable_refused", often, nullptr, DO(swo_observable_refused(w.source))},
    {"swo_observable_fail", seldom, nullptr, DO(swo_observable_fail(w.source)), DO(swo_send(w.source, &w.value, nullptr))},
    {"swo_observable_block", often, nullptr, DO(must(swo_observable_block(w.source))), DO(must(swo_observable_unblock(w.source)))},
    {"swo_observable_unblock", often, DO(must(swo_observable_block(w.source))), DO(must(swo_observable_unblock(w.source)))},
    {"swo_observable_is_blocked", often, nullptr, DO(swo_observable_is_blocked(w.source))},
    {"swo_variable_new", often, nullptr, DO(must(swo_variable_new(&w.value, &w.made))), dropMade},
    {"swo_deferred_variable_new", often, nullptr, DO(must(swo_deferred_variable_new(&w.value, &w.made))), dropMade},
    {"swo_variable_get", often, DO(must(swo_variable_set(w.variable, &w.value, nullptr))), DO(must(swo_variable_get(w.variable, &w.copy))), clearCopy},
    {"swo_variable_set", seldom, countUp, DO(must(swo_variable_set(w.variable, &w.copy, nullptr)))},
    {"swo_variable_set of a deferred one", seldom, countUp, setDeferred},
    {"swo_variable_set to the same", often, nullptr, DO(must(swo_variable_set(w.variable, &w.value, nullptr)))},
    {"swo_variable_update", seldom, nullptr, DO(must(swo_variable_update(w.variable, addOne, nullptr, nullptr)))},
    {"swo_variable_begin_batch", often, nullptr, DO(must(swo_variable_begin_batch(w.variable))), DO(must(swo_variable_end_batch(w.variable)))},
    {"swo_variable_end_batch", seldom, DO(must(swo_variable_begin_batch(w.variable)); countUp(w); swo_variable_set(w.variable, &w.copy, nullptr)), DO(must(swo_variable_end_batch(w.variable)))},
    {"swo_variable_end_batch of a deferred one", seldom, DO(must(swo_variable_begin_batch(w.deferred)); countUp(w); swo_variable_set(w.deferred, &w.copy, nullptr)), DO(must(swo_variable_end_batch(w.deferred)))},
    {"swo_observer_new", often, nullptr, DO(w.keeper = swo_observer_new()), dropKeeper},
    {"swo_observer_retain", often, nullptr, DO(swo_observer_retain(w.observer)), DO(swo_observer_release(w.observer))},
    {"swo_observer_release", often, DO(makeKeeper(w); observe(w.source, w.keeper)), DO(swo_observer_release(w.keeper))},
    {"swo_observer_release of the observer", fresh, nullptr, DO(swo_observer_release(w.observer); w.observer = nullptr)},
    {"swo_observer_stop", often, beginApart, DO(must(swo_observer_stop(w.observer, w.made))), dropMade},
    {"swo_observer_stop of another observer", often, DO(makeKeeper(w); observe(w.source, w.keeper)), DO(must(swo_observer_stop(w.keeper, w.source))), dropKeeper},
    {"swo_observer_stop of all", fresh, nullptr, DO(must(swo_observer_stop(w.observer, nullptr)))},
    {"swo_observer_stop of the source", fresh, askOnce, DO(must(swo_observer_stop(w.observer, w.source)))},
    {"swo_observer_stop in vain", often, nullptr, DO(swo_observer_stop(w.observer, w.other))},
    {"swo_observer_stop_and_wait", often, DO(makeKeeper(w); observe(w.source, w.keeper)), DO(must(swo_observer_stop_and_wait(w.keeper))), dropKeeper},
    {"swo_observer_stop_and_wait of the observer", fresh, nullptr, DO(must(swo_observer_stop_and_wait(w.observer)))},
    {"swo_observer_is_observing", often, nullptr, DO(swo_observer_is_observing(w.observer, w.source))},
    {"swo_observer_is_observing nothing", often, nullptr, DO(swo_observer_is_observing(w.observer, w.other))},
    {"swo_observer_count", seldom, nullptr, DO(swo_observer_count(w.observer))},
    {"swo_observe", often, nullptr, beginOne, stopBegun},
    {"swo_observe by another observer", often, makeKeeper, DO(w.begun = observe(w.source, w.keeper)), dropKeeper},
    {"swo_observe of another observable", often, makeMessenger, DO(w.begun = observe(w.made, w.observer)), dropMade},
    {"swo_observe of a variable", often, nullptr, DO(w.begun = observe(w.variable, w.observer)), stopBegun},
    {"swo_stop", often, beginOne, DO(must(swo_stop(w.begun)))},
    {"swo_stop of the first", fresh, nullptr, DO(must(swo_stop(w.observation)))},
    {"swo_stop_and_wait", often, beginOne, DO(must(swo_stop_and_wait(w.begun)))},
    {"swo_is_living", often, nullptr, DO(swo_is_living(w.observation))},
    {"swo_block", often, nullptr, blockOne, unblockOne},
    {"swo_unblock", often, blockOne, unblockOne},
    {"swo_is_blocked", often, nullptr, DO(swo_is_blocked(w.observation))},
    {"swo_job_run", often, letJobWait, DO(swo_job_run(w.job)), dropMade},
    {"swo_job_drop", often, letJobWait, DO(swo_job_drop(w.job)), dropMade},
    {"swo_observe_on", often, nullptr, DO(must(swo_observe_on(w.source, w.observer, &w.executor, ignore, nullptr, nullptr, &w.begun))), stopBegun},
    {"swo_queue_new", often, nullptr, makeLine, dropLine},
    {"swo_queue_retain", often, nullptr, DO(swo_queue_retain(w.queue)), DO(swo_queue_release(w.queue))},
    {"swo_queue_release", often, makeLine, dropLine},
    {"swo_queue_release of the queue", fresh, nullptr, DO(swo_queue_release(w.queue); w.queue = nullptr)},
    {"swo_queue_fd", often, nullptr, DO(swo_queue_fd(w.queue))},
    {"swo_queue_executor", often, nullptr, DO(must(swo_queue_executor(w.queue, &w.executor)))},
    {"swo_queue_drain of one", often, DO(beginQueued(w); must(swo_send(w.made, &w.value, nullptr))), DO(must(swo_queue_drain(w.queue, 1, nullptr))), endQueued},
    {"swo_queue_drain", fresh, nullptr, DO(must(swo_queue_drain(w.queue, 0, nullptr)))},
    {"swo_observable_confine", often, makeMessenger, DO(must(swo_observable_confine(w.made, &w.executor))), dropMade},
    {"swo_observable_confine of the source", fresh, nullptr, DO(must(swo_observable_confine(w.source, &w.executor)))},
    EVERY_OPERATOR(OPERATOR)
    {"swo_map of a map", often, nullptr, DO(w.made = mapOf(w.map)), dropMade},
    {"swo_merge of many", seldom, nullptr, DO(must(swo_merge(w.given.data(), w.given.size(), &w.made))), dropMade},
    {"swo_combine", seldom, nullptr, DO(must(swo_combine(std::vector{w.source, w.other}.data(), 2, &w.made))), dropMade},
    {"swo_combine of many", seldom, nullptr, DO(must(swo_combine(w.given.data(), w.given.size(), &w.made))), dropMade},
    {"swo_zip", seldom, nullptr, DO(must(swo_zip(std::vector{w.source, w.other}.data(), 2, &w.made))), dropMade},
    {"swo_with_latest_from", seldom, nullptr, DO(must(swo_with_latest_from(w.source, std::vector{w.other}.data(), 1, &w.made))), dropMade},
    {"swo_sample", often, nullptr, DO(must(swo_sample(w.source, w.other, &w.made))), dropMade},
    {"swo_scan", often, nullptr, DO(must(swo_scan(w.source, &w.value, addNothing, nullptr, nullptr, &w.made))), dropMade},
    {"swo_switch_to_latest", often, nullptr, DO(must(swo_switch_to_latest(w.source, chooseNothing, nullptr, nullptr, &w.made))), dropMade},
    {"swo_flat_map", often, nullptr, DO(must(swo_flat_map(w.source, 2, chooseNothing, nullptr, nullptr, &w.made))), dropMade},
    {"swo_bind", often, makeTarget, DO(must(swo_bind(w.source, w.made, nullptr, nullptr, nullptr, nullptr, nullptr, &w.begun))), dropMade},
    {"swo_clock_new", often, nullptr, DO(w.clock = swo_clock_new()), dropClock},
    {"swo_clock_retain", often, makeClock, DO(swo_clock_retain(w.clock)), DO(swo_clock_release(w.clock); dropClock(w))},
    {"swo_clock_release", often, makeClock, dropClock},
    {"swo_clock_set_default", often, makeClock, DO(swo_clock_set_default(w.clock)),
     DO(swo_clock_set_default(nullptr); dropClock(w))},
    {"swo_clock_now", often, makeClock, DO(swo_clock_now(w.clock)), dropClock},
    {"swo_clock_waiting", often, makeClock, DO(swo_clock_waiting(w.clock)), dropClock},
    {"swo_clock_advance", often, makeClock, DO(must(swo_clock_advance(w.clock, 1))), dropClock},
    {"swo_clock_with_timer", often, nullptr, makeTimedClock, dropClock},
    {"swo_clock_run", often, makeTimedClock, DO(must(swo_clock_run(w.clock))), dropClock},
    {"swo_clock_end", often, makeClock, DO(must(swo_clock_end(w.clock))), dropClock},
    {"swo_queue_clock", often, nullptr, DO(must(swo_queue_clock(w.queue, &w.clock))), dropClock},
    {"swo_debounce", often, makeClock, DO(must(swo_debounce(w.source, 1, w.clock, &w.made))), dropTimed},
    {"swo_throttle", often, makeClock, DO(must(swo_throttle(w.source, 1, SWO_THROTTLE_BOTH, w.clock, &w.made))), dropTimed},
    {"swo_delay", often, makeClock, DO(must(swo_delay(w.source, 1, w.clock, &w.made))), dropTimed},
    {"swo_timeout", often, makeClock, DO(must(swo_timeout(w.source, 1, &w.value, w.clock, &w.made))), dropTimed},
    {"swo_buffer", often, makeClock, DO(must(swo_buffer(w.source, 1, 1, w.clock, &w.made))), dropTimed},
    {"swo_ticks", often, makeClock, DO(must(swo_ticks(1, w.clock, &w.made))), dropTimed},
    {"swo_transform_set_source", often, nullptr, DO(must(swo_transform_set_source(w.map, w.other))), DO(must(swo_transform_set_source(w.map, w.source)))},
    {"swo_transform_set_source to the one before", often, DO(must(swo_transform_set_source(w.map, w.other))), DO(must(swo_transform_set_source(w.map, w.source)))},
    {"swo_transform_set_source to the source", often, DO(w.made = mapOf(w.other)), DO(must(swo_transform_set_source(w.made, w.source))), dropMade},
    {"swo_transform_set_source to the map", often, DO(w.made = mapOf(w.other)), DO(must(swo_transform_set_source(w.made, w.map))), dropMade},
    {"swo_latest", seldom, nullptr, DO(must(swo_latest(w.ofVariable, &w.copy))), clearCopy},
    {"swo_send_latest", seldom, nullptr, DO(must(swo_send_latest(w.variable, nullptr)))},
    {"swo_send_latest of a map", seldom, nullptr, DO(must(swo_send_latest(w.ofVariable, nullptr)))},
    {"swo_observe_combined", seldom, nullptr, DO(must(swo_observe_combined(std::vector{w.variable, w.ofVariable}.data(), 2, w.observer, ignoreAll, nullptr, nullptr, &w.begun))), stopBegun},
    {"swo_observe_combined of many", seldom, nullptr, DO(must(swo_observe_combined(w.given.data(), w.given.size(), w.observer, ignoreAll, nullptr, nullptr, &w.begun))), stopBegun},
    {"swo_observe_with", often, nullptr, DO(observeWithAll(w, w.variable)), stopBegun},
    {"swo_observe_with a replay of many", seldom, nullptr, observeWithReplay, stopBegun},
    {"swo_observable_release of the derived one", fresh, nullptr, DO(swo_observable_release(w.derived); w.derived = nullptr)},
    {"swo_derived_new", often, nullptr, DO(w.made = derivedOf(w.variable)), dropMade},
    {"swo_variable_get of a derived one", often, DO(w.made = derivedOf(w.variable)), DO(must(swo_variable_get(w.made, &w.copy))), dropMade},
    {"swo_derived_failure", often, DO(w.made = derivedOf(w.source)), DO(must(swo_derived_failure(w.made, &w.copy))), dropMade},
    {"swo_untracked", often, nullptr, DO(must(swo_untracked(doNothingWell, nullptr)))},
    {"swo_snapshot", often, nullptr, DO(must(swo_snapshot(doNothingWell, nullptr)))},
    {"swo_transaction_begin", often, nullptr, DO(must(swo_transaction_begin())), DO(must(swo_transaction_abort()))},
    {"swo_transaction_commit", often, DO(must(swo_transaction_begin())), DO(must(swo_transaction_commit()))},
    {"swo_transaction_abort", often, DO(must(swo_transaction_begin())), DO(must(swo_transaction_abort()))},
    {"swo_transaction_commit of what is written", fresh, nullptr, DO(swo_transaction_commit())},
    {"swo_transaction_abort of what is written", fresh, nullptr, DO(swo_transaction_abort())},
    {"swo_transaction_depth", often, nullptr, DO(swo_transaction_depth())},
    {"swo_effect", often, nullptr, DO(must(swo_effect(doNothingWell, nullptr, nullptr, nullptr, &w.begun))), stopBegun},
    {"swo_observable_on_demand", often, makeMessenger, DO(must(swo_observable_on_demand(w.made, doNothing, doNothing, nullptr, nullptr))), dropMade},
    {"swo_observable_on_demand of what is observed", fresh, nullptr, DO(must(swo_observable_on_demand(w.source, doNothing, doNothing, nullptr, nullptr)))},
    {"swo_observable_set_name", often, makeMessenger, DO(must(swo_observable_set_name(w.made, w.text.c_str()))), dropMade},
    {"swo_observable_name", often, nullptr, DO(must(swo_observable_name(w.source, &w.copy))), clearCopy},
    {"swo_graph_walk", seldom, nullptr, DO(must(swo_graph_walk(&w.source, 1, &visitor, nullptr)))},
    {"swo_graph_walk of another one", seldom, makeMessenger, DO(must(swo_graph_walk(&w.made, 1, &visitor, nullptr))), dropMade},
    {"swo_graph_dot", seldom, nullptr, DO(must(swo_graph_dot(&w.source, 1, &w.copy))), clearCopy},
    {"swo_why_start", seldom, nullptr, DO(must(swo_why_start(nullptr))), DO(swo_why_stop())},
    {"swo_why_stop", seldom, DO(must(swo_why_start(nullptr))), DO(swo_why_stop())},
    {"swo_why", often, nullptr, DO(must(swo_why(w.source, SWO_WHY_TEXT, &w.copy))), clearCopy},
    {"swo_why_called", often, nullptr, DO(must(swo_why_called(w.observation, SWO_WHY_TEXT, &w.copy))), clearCopy},
    {"swo_lint", seldom, nullptr, DO(must(swo_lint(nullptr, noteNoFinding, nullptr)))},
    {"swo_changed", often, nullptr, DO(swo_changed(w.source, ""))},
    {"swo_trace_start", seldom, nullptr, DO(must(swo_trace_start(nullDevice(), nullptr))), DO(must(swo_trace_stop()))},
    {"swo_trace_stop", seldom, DO(must(swo_trace_start(nullDevice(), nullptr))), DO(must(swo_trace_stop()))},
    {"swo_trace_begin_computation", often, nullptr, DO(swo_trace_begin_computation("derived", nullptr))},
    {"swo_trace_end_computation", often, nullptr, DO(swo_trace_end_computation())},
    {"swo_observe_answering", often, nullptr, observeAnswering, stopBegun},
    {"swo_is_called_here", often, nullptr, DO(swo_is_called_here(w.observation))},
    {"swo_call_send", seldom, callWithSource, callSend},
    {"swo_observable_interrupt", often, nullptr, DO(swo_observable_interrupt(w.other))},
    {"swo_send_later", often, nullptr, DO(must(swo_send_later(w.other, &w.value, nullptr))), DO(must(swo_send(w.other, &w.value, nullptr)))},
    {"swo_observable_set_hooks", often, makeMessenger, DO(must(swo_observable_set_hooks(w.made, &hooks))), dropMade},
    {"swo_set_runtime_lock", often, nullptr, DO(must(swo_set_runtime_lock(nullptr)))},
    {"swo_set_inspection", often, nullptr, DO(must(swo_set_inspection(nullptr)))},
};
// clang-format on
