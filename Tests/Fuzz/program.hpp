// SPDX-License-Identifier: MIT
// A program of random calls, and of calls in its handlers, drawn from a stream of numbers. It is run twice: with the
// model, which notes what happens, and with the library, which has to do the same.
#pragma once

#include "values.hpp"
#include <array>
#include <cstddef>
#include <vector>

namespace fuzz {

/// Where the choices come from: the bytes of a fuzzer, or a seed.
class Stream {
  public:
    explicit Stream(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15u + 1) {}
    Stream(const uint8_t *data, size_t size) : data(data), size(size) {}

    bool isOver() const { return data != nullptr && at >= size; }

    int below(int choices) {
        if (data) return at < size ? data[at++] % choices : 0;
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return (int)((state >> 20) % (uint64_t)choices);
    }

  private:
    const uint8_t *data = nullptr;
    size_t size = 0, at = 0;
    uint64_t state = 0;
};

/// What happened, one word after the other.
struct Event {
    enum Type : uint8_t { exact, any, author } type; // `any`: the contract leaves it open
    int64_t word;
};

enum : int {
    OBSERVABLES = 10,
    OBSERVATIONS = 24,
    OBSERVERS = 3,
    QUEUES = 2,
    CLOCKS = 2,
    MOST_CALLS = 250,
    DEEPEST = 5,
    WORDS_MOST = 60000
};

/// @tparam WorldOf makes the calls and returns statuses, and calls `received` and its like.
/// @tparam Trace takes in the events.
template <template <class> class WorldOf, class Trace> class Program {
    using World = WorldOf<Program>;

  public:
    Program(Stream stream, Trace &trace) : world(*this), stream(stream), trace(trace) {}

    void run() {
        for (int slot = 0; slot < 3; slot++) makeSource(slot, stream.below(3));
        for (int slot = 0; slot < OBSERVERS; slot++) world.makeObserver(slot);
        for (int slot = 0; slot < QUEUES; slot++) makeQueue(slot);
        while (calls < MOST_CALLS && !stream.isOver()) call();
        isEnding = true;
        for (int tag = 0; tag < tags; tag++) note(world.stopTag(tag));
        for (int slot = 0; slot < OBSERVABLES; slot++) release(slot);
        for (int slot = 0; slot < OBSERVERS; slot++) world.releaseObserver(slot);
        for (int slot = 0; slot < QUEUES; slot++) world.releaseQueue(slot);
        for (int slot = 0; slot < CLOCKS; slot++) note(world.waiting(slot));
    }

    int calls = 0, deliveries = 0;
    World world;

    // ---- what the world calls

    void received(int tag, const Message &message, Author author) {
        note(1000 + tag);
        note(message);
        trace.note({Event::author, author});
        deliveries++;
        const int before = inside;
        inside = tag;
        act();
        inside = before;
    }

    void receivedAll(int tag, const std::vector<Message> &messages, Author author) {
        note(5000 + tag);
        for (auto &message : messages) note(message);
        trace.note({Event::author, author});
        deliveries++;
        act();
    }

    bool fails(int) { return !isEnding && stream.below(4) == 0; }

    void onDemand(int tag, bool begins) {
        note(begins ? 9000 + tag : 9500 + tag);
        if (begins) act();
    }

    /// @param slot  -1: none
    bool chooses(const Message &message, int &slot) {
        note(7000);
        note(message);
        if (stream.below(8) == 0) act();
        const int content = plain(message.value).content;
        if (content % 11 == 7) return false;
        slot = content % 5 == 4 ? -1 : (content * 3 + content / 7) % OBSERVABLES;
        if (slot >= 0 && !isUsed[(size_t)slot]) slot = -1;
        return true;
    }

    bool updates(const Value &old, Value &out) {
        note(encoded(old));
        if (old.content % 5 == 3) return false;
        out = {Value::number, old.content + 1};
        return true;
    }

  private:
    void act() {
        if (isEnding || depth >= DEEPEST || trace.words() > WORDS_MOST) return;
        depth++;
        for (int more = stream.below(4); more > 0 && calls < MOST_CALLS; more--) call();
        depth--;
    }

    void note(int64_t word) { trace.note({Event::exact, word}); }
    void note(Event event) { trace.note(event); }
    static int64_t encoded(const Value &value) { return value.kind * 10000000000ll + value.content; }
    void note(const Message &message) {
        note(encoded(message.value) + (message.isUpdate ? 1000000000000ll : 0));
        if (message.isUpdate) note(encoded(message.old));
    }

    Value value() {
        int kind = stream.below(8);
        if (kind == 0) return {};
        int content = stream.below(12);
        return {kind < 5 ? Value::number : Value::text, content};
    }

    Author author() { return stream.below(3) == 0 ? 1 + stream.below((int)strangers) : itself; }

    /// A slot in which there is an observable.
    int observable() {
        int slot = stream.below(OBSERVABLES);
        while (!isUsed[(size_t)slot]) slot = (slot + 1) % OBSERVABLES;
        note(200 + slot);
        return slot;
    }

    int used() const {
        int count = 0;
        for (bool one : isUsed) count += one;
        return count;
    }

    void release(int slot) {
        if (!isUsed[(size_t)slot]) return;
        isUsed[(size_t)slot] = false;
        world.release(slot);
    }

    void makeSource(int slot, int kind) {
        release(slot);
        // A callback of what was released may have filled the slot.
        if (isUsed[(size_t)slot]) return;
        isUsed[(size_t)slot] = true;
        isVariable[(size_t)slot] = kind > 0;
        isTimer[(size_t)slot] = false;
        Value initial = kind > 0 ? value() : Value{};
        world.makeSource(slot, (Kind)kind, initial);
    }

    void makeQueue(int slot) {
        int kind = stream.below(3);
        size_t bound = kind == 0 ? 0 : 1 + (size_t)stream.below(4);
        world.makeQueue(slot, bound, kind == 1);
    }

    void call() {
        calls++;
        if (stream.below(16) > 0) return make();
        // Another thread makes it, while this one waits for that.
        const bool before = isElsewhere;
        isElsewhere = true;
        world.elsewhere([this] { make(); });
        isElsewhere = before;
    }

    void make() {
        const int what = stream.below(80);
        note(100 + what);
        if (what < 16) return send();
        if (what < 20) return observe();
        if (what < 24) return observeWith();
        if (what < 28) return stop();
        if (what < 32) return makeTransform();
        if (what < 34) return setSource();
        if (what < 36) return release();
        if (what < 39) return batch();
        if (what < 41) return block();
        if (what < 43) return blockObservation();
        if (what < 44) return demand();
        if (what < 49) return drain();
        if (what < 51) return sendLatest();
        if (what < 53) return combine();
        if (what < 54) return setOrdered();
        if (what < 56) return update();
        if (what < 58) return observer();
        if (what < 64) return ask();
        if (what < 67) return send(true);
        if (what < 70) return interrupt();
        if (what < 72) return confine();
        return advance();
    }

    // Each choice is a statement: the order in which arguments are evaluated is the compiler's.

    void demand() {
        int slot = observable();
        // What waits for a clock has something of its own that it does while it is observed.
        if (!isTimer[(size_t)slot]) note(world.demand(slot, demandTags++ % 400));
    }

    void advance() {
        int clock = stream.below(CLOCKS), seconds = stream.below(4);
        note(world.advance(clock, seconds));
        note(world.waiting(clock));
    }

    void setSource() {
        int slot = observable();
        int source = stream.below(5) == 0 ? -1 : observable();
        note(world.setSource(slot, source));
    }

    void batch() {
        int slot = observable();
        note(stream.below(5) < 3 ? world.endBatch(slot) : world.beginBatch(slot));
    }

    void setOrdered() {
        int slot = observable();
        note(world.setOrdered(slot, stream.below(3) > 0));
    }

    void update() {
        int slot = observable();
        note(world.update(slot, author()));
    }

    void send(bool isLater = false) {
        int slot = observable();
        Author by = author();
        if (!isLater && isVariable[(size_t)slot] && stream.below(6) > 0) return note(world.set(slot, value(), by));
        Message message{value()};
        if (isVariable[(size_t)slot] ? stream.below(8) > 0 : stream.below(8) == 0) {
            message.old = value();
            message.isUpdate = true;
        }
        note(isLater ? world.sendLater(slot, message, by) : world.send(slot, message, by));
    }

    void interrupt() {
        // Mostly what is being delivered.
        int slot = observable();
        int at = inside >= 0 && stream.below(4) > 0 ? slotOf[(size_t)inside] : slot;
        note(world.interrupt(isUsed[(size_t)at] ? at : slot));
    }

    void confine() {
        int slot = observable();
        // What other threads confine has no home any more.
        if (isElsewhere && stream.below(4) > 0) return;
        note(world.confine(slot, stream.below(QUEUES + 1) - 1));
    }

    int newTag() { return tags < 900 ? tags++ : -1; }
    int observerOrNone() { return stream.below(2) == 0 ? -1 : stream.below(OBSERVERS); }

    void observe() {
        int tag = newTag();
        if (tag < 0) return;
        observe(tag, observable());
    }

    void observe(int tag, int slot) {
        int who = observerOrNone();
        bool answers = stream.below(3) == 0;
        slotOf[(size_t)tag] = slot;
        note(world.observe(slot, who, tag, answers));
    }

    void observeWith() {
        int tag = newTag();
        if (tag < 0) return;
        int slot = observable();
        slotOf[(size_t)tag] = slot;
        ObserveOptions options;
        options.observer = observerOrNone();
        if (stream.below(2) == 0) options.queue = stream.below(QUEUES);
        if (stream.below(2) == 0) options.replay = 1 + stream.below(4);
        options.once = stream.below(5) == 0;
        options.keepsObservable = stream.below(5) == 0;
        note(world.observeWith(slot, options, tag));
    }

    int recentTag() {
        int tag = tags - 1 - stream.below(tags < 20 ? tags : 20);
        note(500 + tag);
        return tag;
    }

    void stop() {
        if (tags == 0) return;
        int tag = recentTag();
        // Another thread would wait for the handler that waits for it.
        note(world.stop(tag, !isElsewhere && stream.below(4) == 0));
    }

    void makeTransform() {
        int slot = stream.below(OBSERVABLES);
        const int which = stream.below((int)(std::size(operators) + std::size(others)));
        const Kind kind =
            which < (int)std::size(operators) ? operators[which] : others[which - (int)std::size(operators)];
        note(300 + slot);
        note(400 + (int)kind);
        if (kind == Kind::swo_merge) {
            std::vector<int> sources(1 + (size_t)stream.below(3));
            for (auto &source : sources) source = observable();
            // The slot may be that of a source, so it is emptied at last.
            return fill(slot, world.makeMerge(sources));
        }
        if (isChoosing(kind)) {
            int source = observable(), most = kind == Kind::flatMap ? 1 + stream.below(3) : 1;
            fill(slot, world.makeSwitch(kind, source, most));
            return observeSoon(slot);
        }
        if (isJoined(kind)) {
            int one = observable(), other = observable();
            fill(slot, world.makeJoined(kind, one, other));
            return observeSoon(slot);
        }
        int source = observable(), parameter = stream.below(6);
        if (isTimed(kind)) {
            int clock = stream.below(CLOCKS);
            Value late = value();
            fill(slot, world.makeTimed(kind, source, 1 + parameter % 3, clock, late));
            isTimer[(size_t)slot] = isUsed[(size_t)slot];
            return observeSoon(slot);
        }
        Value kept = value();
        // No observable: another one may come to lie where it lay.
        Author by = 1 + stream.below((int)strangers);
        fill(slot, world.makeTransform(kind, source, parameter, kept, by));
    }

    /// Mostly at once: what nothing observes does not wait.
    void observeSoon(int slot) {
        if (!isUsed[(size_t)slot] || stream.below(3) == 0) return;
        int tag = newTag();
        if (tag >= 0) observe(tag, slot);
    }

    template <class Made> void fill(int slot, Made made) {
        release(slot);
        if (isUsed[(size_t)slot]) return world.drop(made);
        isUsed[(size_t)slot] = true;
        isVariable[(size_t)slot] = isTimer[(size_t)slot] = false;
        world.keep(slot, made);
    }

    void release() {
        int slot = stream.below(OBSERVABLES);
        note(300 + slot);
        if (used() > 3 && isUsed[(size_t)slot]) return release(slot);
        makeSource(slot, stream.below(3));
    }

    void block() {
        int slot = observable();
        note(stream.below(5) < 3 ? world.unblock(slot) : world.block(slot));
    }

    void blockObservation() {
        if (tags == 0) return;
        int tag = recentTag();
        note(stream.below(5) < 3 ? world.unblockObservation(tag) : world.blockObservation(tag));
    }

    void drain() {
        int slot = stream.below(QUEUES);
        if (stream.below(12) == 0) {
            world.releaseQueue(slot);
            return makeQueue(slot);
        }
        note(world.drain(slot, stream.below(2) == 0 ? 0 : 1 + (size_t)stream.below(5)));
    }

    void sendLatest() {
        int slot = observable();
        if (stream.below(2) == 0) return note(world.sendLatest(slot, author()));
        Message message;
        int status = world.latest(slot, message);
        note(status);
        if (status == OK) note(message);
    }

    void combine() {
        int tag = newTag();
        if (tag < 0) return;
        std::vector<int> parts(1 + (size_t)stream.below(3));
        for (auto &part : parts) part = observable();
        int who = observerOrNone();
        note(world.observeCombined(parts, who, tag));
    }

    void observer() {
        int who = stream.below(OBSERVERS);
        switch (stream.below(4)) {
        case 0:
            return note(world.stopAll(who, -1));
        case 1:
            return note(world.stopAll(who, observable()));
        case 2:
            world.releaseObserver(who);
            return world.makeObserver(who);
        default:
            return note(world.countOf(who));
        }
    }

    void ask() {
        int slot = observable();
        switch (stream.below(6)) {
        case 0:
            return note(world.count(slot));
        case 1:
            return note(world.refused(slot));
        case 2:
            return note(world.isBlocked(slot));
        case 3:
            if (tags > 0) note(world.isLiving(recentTag()));
            return;
        case 4: {
            Value value;
            int status = world.get(slot, value);
            note(status);
            if (status == OK) note(encoded(value));
            return;
        }
        default: {
            int who = stream.below(OBSERVERS);
            return note(world.isObserving(who, slot));
        }
        }
    }

    Stream stream;
    Trace &trace;
    std::array<bool, OBSERVABLES> isUsed{}, isVariable{}, isTimer{};
    std::array<int, 900> slotOf{};
    int inside = -1; // the tag whose handler is running
    int tags = 0, demandTags = 0, depth = 0;
    bool isEnding = false, isElsewhere = false;
};

} // namespace fuzz
