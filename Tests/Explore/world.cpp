// SPDX-License-Identifier: MIT
#include "swiftobserver/runtime.h"
#include "world.hpp"

World world;

static int here() { return machine.current < 0 ? most_threads : machine.current; }

static void log(Happened what, int slot, int64_t value = 0, int64_t before = 0) {
    if (world.isLogged) world.log.push_back({what, machine.current, slot, value, before});
}

static void must(bool condition, const char *what) {
    if (!condition) broken("%s", what);
}

void not_under_a_lock(const char *who) {
    if (machine.held() != 0) broken("%s is called under a lock (law 11)", who);
}

static void be_home() {
    must(!world.isConfined || machine.current == 0, "a handler is called on another thread than the observable's");
}

static void receive(void *context, const swo_value *message, const void *) {
    Slot &slot = *static_cast<Slot *>(context);
    int number = static_cast<int>(&slot - world.slot);
    not_under_a_lock("a handler");
    must(slot.destroyed == 0, "a handler is called after its context was destroyed");
    if (!world.isBehind) be_home();
    if (!world.isLogged) return;
    machine.annotate("a handler is called",
                     world.isQueued && !world.isConfined && number == 0 ? nullptr : &world.inside, &slot);
    int64_t value, before = 0;
    if (world.isVariable) {
        value = message->as.update->new_value.as.int64;
        before = message->as.update->old_value.as.int64;
    } else {
        value = message->as.int64;
    }
    log(Happened::received, number, value, before);
    if (world.isOrdered && !(world.isQueued && !world.isConfined && number == 0) && world.inside++ > 0)
        broken("two handlers run at once (law 1)");
    slot.running[here()]++;
    // Not inside the handler that the stopping thread waits for.
    while (number == 1 && world.awaitsStop && !world.hasStopped && !world.slot[0].running[here()])
        machine.yield(nullptr);
    int sender = static_cast<int>(value / 100);
    // What is delivered at the very end has no thread that could act.
    if (machine.current >= 0 && sender >= 0 && sender < most_threads && world.inHandler[sender]) {
        auto act = world.inHandler[sender];
        world.inHandler[sender] = nullptr;
        act(sender, here());
    }
    must(slot.destroyed == 0, "a context is destroyed while its handler runs (law 12)");
    machine.annotate("it returns", world.isQueued && !world.isConfined && number == 0 ? nullptr : &world.inside, &slot);
    if (world.isOrdered && !(world.isQueued && !world.isConfined && number == 0)) world.inside--;
    slot.running[here()]--;
    log(Happened::finished, number, value);
}

static void destroy(void *context) {
    Slot &slot = *static_cast<Slot *>(context);
    must(machine.held() == 0, "a context is destroyed under a lock (law 11)");
    for (int running : slot.running) must(running == 0, "a context is destroyed while its handler runs (law 12)");
    if (slot.destroyed++ > 0) broken("a context is destroyed twice (law 12)");
}

// A message of a thread, which `give` gives to the library.
template <typename Give> static void sends(int thread, Give give) {
    swo_value value = swo_int64(thread * 100 + world.sent[thread]++ % 100);
    machine.annotate("sends", &world.joined, nullptr, Kind::looking_annotation);
    log(Happened::sending, 0, value.as.int64);
    must(give(&value) == SWO_OK, "a send fails");
    log(Happened::sent, 0, value.as.int64);
}

static swo_status set_both(swo_value *value) {
    swo_status first = swo_variable_set(world.subject, value, nullptr);
    return first == SWO_OK ? swo_variable_set(world.other, value, nullptr) : first;
}

void send(int thread) {
    sends(thread, [](swo_value *value) {
        if (world.isPaired) {
            must(swo_transaction_begin() == SWO_OK && set_both(value) == SWO_OK, "a transaction is refused");
            return swo_transaction_commit();
        }
        return world.isVariable ? swo_variable_set(world.subject, value, nullptr)
                                : swo_send(world.subject, value, nullptr);
    });
}

void send_later(int thread) {
    sends(thread, [](swo_value *value) { return swo_send_later(world.subject, value, nullptr); });
}

void send_after_a_look(int thread) {
    sends(thread, [](swo_value *value) {
        swo_status status = SWO_CONFLICT;
        for (int attempt = 0; status == SWO_CONFLICT && attempt <= most_threads; attempt++) {
            swo_value seen, derived;
            must(swo_transaction_begin() == SWO_OK, "a transaction is refused");
            must(swo_variable_get(world.other, &seen) == SWO_OK && set_both(value) == SWO_OK, "a value is refused");
            must(swo_variable_get(world.observed, &derived) == SWO_OK && derived.as.int64 == value->as.int64,
                 "a transaction does not read what it has set (law 32)");
            bool isOld = false;
            for (const Entry &entry : world.log) isOld |= entry.what == Happened::sent && seen.as.int64 == 900;
            status = swo_transaction_commit();
            must(status == SWO_CONFLICT || !isOld, "a transaction replaces what it has not read (law 32)");
        }
        return status;
    });
}

static int64_t get(swo_observable *variable) {
    swo_value value;
    must(swo_variable_get(variable, &value) == SWO_OK, "a variable cannot be read");
    return value.as.int64;
}

void look(bool hasSet) {
    const int64_t first = get(world.observed), second = get(world.observed);
    must(!hasSet || first != 900, "a read is older than what its thread has set (law 27)");
    must(first == 900 || second != 900, "a read is older than the one before (law 27)");
}

void look_at_once() {
    auto look = [](void *) {
        const int64_t one = get(world.subject), derived = get(world.observed), another = get(world.other);
        const bool isOne = world.isPaired ? one == derived && one == another
                                          : derived == (one / 100 % 2 != 0 && another != 900 ? one + 50 : one);
        if (!isOne) broken("a snapshot has %ld, %ld and %ld (law 33)", one, derived, another);
        return SWO_OK;
    };
    must(swo_snapshot(look, nullptr) == SWO_OK, "a snapshot is refused");
}

void update(int thread) {
    sends(thread, [](swo_value *value) {
        auto make = [](void *value, const swo_value *, swo_value *out) {
            not_under_a_lock("an updater");
            return *out = *static_cast<swo_value *>(value), SWO_OK;
        };
        return swo_variable_update(world.subject, make, value, nullptr);
    });
}

void set_hooks() {
    swo_hooks hooks = SWO_HOOKS_INIT;
    hooks.enter = [](void *) {
        not_under_a_lock("a hook");
        world.hooked[here()]++;
    };
    hooks.leave = [](void *) {
        not_under_a_lock("a hook");
        must(world.hooked[here()]-- > 0, "a hook is left on a thread that did not enter it");
    };
    must(swo_observable_set_hooks(world.subject, &hooks) == SWO_OK, "hooks are refused");
}

void begin_observing(int number, int, bool isReplayed) {
    Slot &slot = world.slot[number];
    slot.isUsed = true;
    slot.isReplayed = isReplayed;
    swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
    swo_executor executor = SWO_EXECUTOR_INIT;
    if (world.isQueued && !world.isConfined && number == 0) {
        must(swo_queue_executor(world.queue, &executor) == SWO_OK, "a queue has an executor");
        options.executor = &executor;
    }
    options.replay = isReplayed ? 1 : 0;
    must(swo_observe_with(world.observed, &options, receive, &slot, destroy, &slot.id) == SWO_OK,
         "an observation does not begin");
    machine.annotate("has begun to observe", &world.joined, nullptr, Kind::commuting_annotation);
    log(Happened::observed, number);
}

// The first message it sees is that of the subject.
static void receive_combined(void *context, const swo_value *messages, size_t, const void *) {
    Slot &slot = *static_cast<Slot *>(context);
    not_under_a_lock("a handler");
    must(slot.destroyed == 0, "a handler is called after its context was destroyed");
    must(!slot.isOver, "a combined observation receives a message after it was stopped and waited for (law 7)");
    machine.annotate("a combined handler is called", nullptr, &slot);
    slot.running[here()]++;
    int running = 0;
    for (int one : slot.running) running += one;
    must(running == 1, "a combined handler is called twice at once (law 1)");
    slot.last = messages[0].as.update->new_value.as.int64;
    must(slot.destroyed == 0, "a context is destroyed while its handler runs (law 12)");
    machine.annotate("it returns", nullptr, &slot);
    slot.running[here()]--;
}

void begin_combined(int number) {
    Slot &slot = world.slot[number];
    slot.isUsed = slot.isCombined = true;
    swo_observable *both[] = {world.subject, world.other};
    must(swo_observe_combined(both, 2, nullptr, receive_combined, &slot, destroy, &slot.id) == SWO_OK,
         "a combined observation does not begin");
    machine.annotate("has begun to observe", &world.joined, nullptr, Kind::commuting_annotation);
    log(Happened::observed, number);
}

void begin_effect(int number) {
    Slot &slot = world.slot[number];
    slot.isUsed = slot.isCombined = slot.isEffect = true;
    auto run = [](void *context) {
        Slot &slot = *static_cast<Slot *>(context);
        not_under_a_lock("an effect");
        must(slot.destroyed == 0, "an effect runs after its context was destroyed");
        must(!slot.isOver, "an effect runs after it was stopped and waited for (law 7)");
        machine.annotate("an effect runs", nullptr, &slot);
        slot.running[here()]++;
        int running = 0;
        for (int one : slot.running) running += one;
        must(running == 1, "an effect runs twice at once (law 34)");
        slot.last = get(world.subject);
        if (world.isPaired) must(get(world.other) == slot.last, "an effect sees a mixture (law 27)");
        machine.annotate("it returns", nullptr, &slot);
        slot.running[here()]--;
        return SWO_OK;
    };
    must(swo_effect(run, &slot, destroy, nullptr, &slot.id) == SWO_OK, "an effect does not begin");
    machine.annotate("has begun to observe", &world.joined, nullptr, Kind::commuting_annotation);
    log(Happened::observed, number);
}

void expect_home() {
    auto receive = [](void *, const swo_value *, const void *) { be_home(); };
    must(swo_observe(world.subject, nullptr, receive, nullptr, nullptr, nullptr) == SWO_OK,
         "an observation does not begin");
}

void stop(int number, int, bool waits) {
    Slot &slot = world.slot[number];
    log(Happened::stopping, number);
    const int fences = machine.fences(), pauses = machine.waits();
    if (waits)
        swo_stop_and_wait(slot.id);
    else
        swo_stop(slot.id);
    // What is no reordering on x86 would be one elsewhere.
    must(machine.waits() == pauses || machine.fences() > fences, "what waits for a handler has passed no fence");
    world.hasStopped |= waits;
    slot.isOver |= waits && slot.running[here()] == 0;
    machine.annotate(waits ? "has stopped and waited" : "has stopped", &world.joined, &slot,
                     Kind::commuting_annotation);
    log(Happened::stopped, number, waits && slot.running[here()] == 0 ? waited : 0);
    for (int other = 0; waits && other < most_threads; other++)
        if (other != machine.current && slot.running[other] > 0 && slot.running[here()] == 0)
            broken("stop and wait has returned while the handler runs (law 7)");
}

void block(int number) {
    swo_block(world.slot[number].id);
    machine.annotate("has blocked", &world.joined, &world.slot[number], Kind::commuting_annotation);
    log(Happened::blocked, number);
}

void give_up(int thread) {
    if (thread < most_threads && world.isGivenUp[thread]) return;
    if (thread < most_threads) world.isGivenUp[thread] = true;
    swo_observable_release(world.isDerived ? world.observed : world.subject);
}
