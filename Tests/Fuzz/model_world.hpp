// SPDX-License-Identifier: MIT
// The calls of a program, made to the model.
#pragma once

#include "model.hpp"
#include "program.hpp"

namespace fuzz {

template <class Program> class ModelWorld : model::Listener {
    using Observable = model::Observable;

  public:
    explicit ModelWorld(Program &program) : program(program), world(*this) {
        for (auto &clock : clocks) clock = world.make(world.allClocks);
    }

    template <class Body> void elsewhere(Body body) {
        // Each thread has a stack of its own to spare.
        auto far = world.far;
        const int before = model::Core::present;
        world.far = nullptr;
        model::Core::present = ++threads;
        body();
        world.far = far;
        model::Core::present = before;
    }

    // ---- making and releasing

    void makeSource(int slot, Kind kind, const Value &initial) {
        auto one = world.makeObservable(kind, newNumber());
        one->value = initial;
        slots[slot] = one;
    }

    Observable *makeTransform(Kind kind, int slot, int parameter, const Value &value, Author author) {
        Observable *source = slots[slot];
        auto one = world.makeObservable(kind, newNumber());
        if (one->remembers()) {
            one->limit = kind == Kind::swo_cache ? 1 : (size_t)parameter;
            one->initial = {value};
            world.begin(
                one->core,
                [one](const Message &message, Author author) {
                    if (one->limit == 0) return;
                    one->remembered.push_back({message, author});
                    if (one->remembered.size() > one->limit) one->remembered.pop_front();
                },
                &one->core);
        }
        const bool computes = model::computesLatest(kind);
        world.connect(one, source, kind != Kind::swo_weak,
                      world.makeStep(kind, parameter, value, author == itself ? source->number : author), computes);
        world.isObserved(source);
        return one;
    }

    Observable *makeMerge(const std::vector<int> &sources) {
        auto one = world.makeObservable(Kind::swo_merge, newNumber());
        one->step = world.makeStep(Kind::swo_merge, 0, {}, 0);
        std::vector<Observable *> merged;
        for (int slot : sources) merged.push_back(slots[slot]);
        // As far from the last place where the stack is given back as the farthest of them.
        for (auto source : merged) one->core.level = std::max(one->core.level, source->core.level % 64);
        one->core.level++;
        for (auto source : merged) {
            world.retain(source);
            one->merged.push_back({source, world.relay(&source->core, nullptr, one)});
        }
        for (auto source : merged) world.isObserved(source);
        return one;
    }

    Observable *makeJoined(Kind kind, int one, int other) {
        return world.makeJoined(kind, slots[one], slots[other], newNumber());
    }

    Observable *makeSwitch(Kind kind, int source, int most) {
        return world.makeSwitch(kind, (size_t)most, slots[source], newNumber());
    }

    Observable *makeTimed(Kind kind, int slot, int seconds, int clock, const Value &late) {
        return world.makeTimed(kind, slots[slot], seconds, clocks[(size_t)clock], late, newNumber());
    }

    Event advance(int clock, int seconds) { return is(world.advance(clocks[(size_t)clock], seconds)); }
    Event waiting(int clock) { return is(world.waitingOn(clocks[(size_t)clock])); }

    void keep(int slot, Observable *made) { slots[slot] = made; }
    void drop(Observable *made) { world.release(made); }

    void release(int slot) {
        auto one = slots[slot];
        slots[slot] = nullptr;
        world.release(one);
    }

    void makeObserver(int slot) {
        releaseObserver(slot);
        observers[slot] = world.make(world.allObservers);
    }

    void releaseObserver(int slot) {
        auto one = observers[slot];
        observers[slot] = nullptr;
        if (one) one->stopAll();
    }

    void makeQueue(int slot, size_t bound, bool drops) {
        releaseQueue(slot);
        auto queue = world.make(world.allQueues);
        queue->bound = bound;
        queue->isUnbounded = bound == 0;
        queue->drops = drops;
        queues[slot] = queue;
    }

    void releaseQueue(int slot) {
        auto queue = queues[slot];
        queues[slot] = nullptr;
        if (queue) world.closeQueue(queue);
    }

    // ---- sending

    Event send(int slot, const Message &message, Author author) {
        auto one = slots[slot];
        if (one->isVariable() && !message.isUpdate) return is(WRONG_KIND);
        if (one->core.isElsewhere()) return handOver(one, message, author);
        return is(one->core.send(message, named(one, author)));
    }

    Event sendLater(int slot, const Message &message, Author author) {
        auto one = slots[slot];
        if (one->isVariable() && !message.isUpdate) return is(WRONG_KIND);
        if (one->core.isElsewhere()) return handOver(one, message, author);
        return is(one->core.sendLater(message, named(one, author)));
    }

    Event interrupt(int slot) {
        slots[slot]->core.interrupt();
        return is(OK);
    }

    Event confine(int slot, int queue) { return is(world.confine(slots[slot], queue < 0 ? nullptr : queues[queue])); }

    Event set(int slot, const Value &value, Author author) {
        auto one = slots[slot];
        if (!one->isVariable()) return is(WRONG_KIND);
        if (one->core.isElsewhere()) return is(world.handOverSet(one, value, named(one, author)));
        return is(world.assign(one, value, named(one, author)));
    }

    Event update(int slot, Author author) {
        auto one = slots[slot];
        if (one->kind != Kind::variable) return is(WRONG_KIND);
        if (one->core.isElsewhere()) return is(WRONG_THREAD);
        Value value;
        if (!program.updates(one->value, value)) return is(DECLINED);
        return is(world.assign(one, value, named(one, author)));
    }

    int latest(int slot, Message &out) {
        model::World::Keep keep(world, slots[slot]);
        return world.latest(slots[slot], out);
    }

    Event sendLatest(int slot, Author author) {
        auto one = slots[slot];
        model::World::Keep keep(world, one);
        if (one->core.isElsewhere()) {
            if (!one->isVariable()) return is(WRONG_KIND);
            return is(world.handOver(one, false,
                                     [this, one, by = named(one, author)](bool) { world.sendLatest(one, by, true); }));
        }
        if (one->isVariable()) return is(world.sendLatest(one, named(one, author), one->core.blocks == 0));
        Message message;
        Status status = world.latest(one, message);
        if (status != OK) return is(status);
        return send(slot, message, author);
    }

    Event beginBatch(int slot) { return is(world.beginBatch(slots[slot])); }
    Event endBatch(int slot) { return is(world.endBatch(slots[slot])); }
    Event setSource(int slot, int source) {
        return is(world.setSource(slots[slot], source < 0 ? nullptr : slots[source]));
    }

    Event setOrdered(int slot, bool ordered) {
        slots[slot]->core.wantsUnordered = !ordered;
        slots[slot]->core.applyMode();
        return is(OK);
    }

    Event block(int slot) {
        slots[slot]->core.blocks++;
        return is(OK);
    }

    Event unblock(int slot) {
        if (slots[slot]->core.blocks == 0) return is(NOT_FOUND);
        slots[slot]->core.blocks--;
        return is(OK);
    }

    Event demand(int slot, int tag) {
        auto one = slots[slot];
        model::World::Keep keep(world, one);
        if (!one->hasDemanded) {
            one->hasDemanded = true;
            one->core.left = [this, one] { world.settle(one, nullptr); };
        }
        auto demanded = world.make(world.allDemanded);
        demanded->tag = tag;
        world.demand(one, demanded, one);
        return is(OK);
    }

    // ---- observing

    Event observe(int slot, int observer, int tag, bool answers) {
        // Known by its tag before anything is called.
        auto one = slots[slot];
        tagged(tag) = nullptr;
        world.observe(one, whoever(observer), tag, answers, tagged(tag));
        return is(OK);
    }

    Event observeWith(int slot, const ObserveOptions &options, int tag) {
        tagged(tag) = nullptr;
        auto queue = options.queue < 0 ? nullptr : queues[options.queue];
        return is(world.observeWith(slots[slot], options, whoever(options.observer), queue, tag, tagged(tag)));
    }

    Event observeCombined(const std::vector<int> &parts, int observer, int tag) {
        tagged(tag) = nullptr;
        std::vector<Observable *> combined;
        for (int slot : parts) combined.push_back(slots[slot]);
        return is(world.observeCombined(combined, whoever(observer), tag, tagged(tag)));
    }

    Event stop(int tag, bool) {
        auto one = tagged(tag);
        if (one && world.isUncertain(one)) {
            model::Core::stop(one);
            return {Event::any, 0};
        }
        return is(one && model::Core::stop(one) ? OK : NOT_FOUND);
    }

    Event stopTag(int tag) { return stop(tag, false); }

    Event blockObservation(int tag) {
        auto one = tagged(tag);
        if (one && world.isUncertain(one)) return {Event::any, 0};
        if (!one || !one->isLiving) return is(NOT_FOUND);
        blockAlone(one);
        if (one->continuation && one->continuation->isLiving) blockAlone(one->continuation);
        return is(OK);
    }

    Event unblockObservation(int tag) {
        auto one = tagged(tag);
        if (one && world.isUncertain(one)) return {Event::any, 0};
        if (!one || !one->isLiving || one->blocks == 0) return is(NOT_FOUND);
        unblockAlone(one);
        if (one->continuation && one->continuation->isLiving && one->continuation->blocks > 0)
            unblockAlone(one->continuation);
        return is(OK);
    }

    Event stopAll(int slot, int observable) {
        auto observer = observers[slot];
        if (!observer) return is(INVALID_ARGUMENT);
        std::vector<model::Observation *> stopping;
        if (observable < 0) {
            // Until it is its turn, each is still observing.
            stopping = observer->kept;
        } else {
            for (auto one : observer->kept)
                if (isLivingOf(one, &slots[observable]->core)) stopping.push_back(one);
        }
        bool any = false, isUncertain = false;
        for (auto one : stopping) {
            if (world.isUncertain(one))
                isUncertain = true;
            else
                any |= model::Core::stop(one);
        }
        if (!any && isUncertain) return {Event::any, 0};
        return is(any ? OK : NOT_FOUND);
    }

    // ---- asking

    Event countOf(int slot) {
        if (!observers[slot]) return is(0);
        int count = 0;
        for (auto one : observers[slot]->kept) {
            if (world.isUncertain(one)) return {Event::any, 0};
            count += one->isLiving;
        }
        return is(count);
    }

    Event count(int slot) { return is(slots[slot]->core.living - slots[slot]->hidden()); }
    Event refused(int slot) { return is(slots[slot]->core.refused); }
    Event isBlocked(int slot) { return is(slots[slot]->core.blocks > 0); }

    Event isLiving(int tag) {
        auto one = tagged(tag);
        if (one && world.isUncertain(one)) return {Event::any, 0};
        return is(one && one->isLiving);
    }

    int get(int slot, Value &out) {
        if (!slots[slot]->isVariable()) return WRONG_KIND;
        out = slots[slot]->value;
        return OK;
    }

    Event isObserving(int observer, int slot) {
        if (!observers[observer]) return is(0);
        for (auto one : observers[observer]->kept)
            if (isLivingOf(one, &slots[slot]->core)) return is(1);
        return is(0);
    }

    Event drain(int slot, size_t most) {
        if (!queues[slot]) return is(INVALID_ARGUMENT);
        return is((int64_t)world.drain(queues[slot], most));
    }

  private:
    void received(int tag, const Message &message, Author author) override { program.received(tag, message, author); }
    void receivedAll(int tag, const std::vector<Message> &messages, Author author) override {
        program.receivedAll(tag, messages, author);
    }
    bool fails(int tag) override { return program.fails(tag); }
    void onDemand(int tag, bool begins) override { program.onDemand(tag, begins); }
    bool updates(const Value &old, Value &out) override { return program.updates(old, out); }
    bool chooses(const Message &message, Observable *&out) override {
        int slot = -1;
        if (!program.chooses(message, slot)) return false;
        out = slot < 0 ? nullptr : slots[slot];
        return true;
    }

    static Author named(Observable *one, Author author) { return author == itself ? one->number : author; }

    Event handOver(Observable *one, const Message &message, Author author) {
        return is(world.handOver(one, false,
                                 [one, message, by = named(one, author)](bool) { one->core.sendAnyway(message, by); }));
    }

    static Event is(int64_t word) { return {Event::exact, word}; }
    Author newNumber() { return observables + numbers++; }
    model::Observer *whoever(int slot) { return slot < 0 ? nullptr : observers[slot]; }

    model::Observation *&tagged(int tag) {
        if (tag >= (int)tags.size()) tags.resize((size_t)tag + 1);
        return tags[(size_t)tag];
    }

    static void blockAlone(model::Observation *one) {
        if (one->blocks++ == 0) one->core->muted++;
    }
    static void unblockAlone(model::Observation *one) {
        if (--one->blocks == 0) one->core->muted--;
    }

    static bool isLivingOf(model::Observation *one, model::Core *core) {
        return (one->isLiving && one->core == core) ||
               (one->continuation && one->continuation->isLiving && one->continuation->core == core);
    }

    Program &program;
    model::World world;
    std::array<Observable *, OBSERVABLES> slots{};
    std::array<model::Observer *, OBSERVERS> observers{};
    std::array<model::Queue *, QUEUES> queues{};
    std::array<model::Clock *, CLOCKS> clocks{};
    std::deque<model::Observation *> tags; // whose elements stay where they are
    Author numbers = 0;
    int threads = model::Core::present = 1;
};

} // namespace fuzz
