// SPDX-License-Identifier: MIT
// The reference model of the contract: observables of all kinds, observers, queues. One thread. What it hears and what
// its calls return is what the library has to do, call by call.
#pragma once

#include "core.hpp"
#include <algorithm>
#include <memory>

namespace fuzz::model {

struct Observable;
struct Queue;
struct Clock;
struct Line;
struct Timing;
struct World;

/// Where the messages of one source come in. Those of a later source wait until the one before has ended.
struct Feed {
    World &world;
    Core *source, *line = nullptr;
    std::function<Observation *(Core *)> connect;
    Observation *delivery = nullptr;
    bool isLater;
    std::shared_ptr<Feed> next;

    Feed(World &world, Core *source, bool isLater, std::function<Observation *(Core *)> connect);
    ~Feed();
    Core *makeLine();
};

struct Observer {
    std::vector<Observation *> kept;
    bool isOver = false;

    bool stopAll() {
        auto stopping = std::move(kept);
        kept.clear();
        bool any = false;
        for (auto one : stopping) any |= Core::stop(one);
        return any;
    }
};

/// What a transform does with a message: passes something on, or nothing, or fails.
enum class Made { something, nothing, failure };
using Step = std::function<Made(const Message &, Author, Message &)>;

/// How a transform has its messages from its source, which can change.
struct Link {
    bool keepsSource = true;
    Observable *source = nullptr; // kept
    Core *sourceCore = nullptr;
    Observation *fromSource = nullptr;
    std::shared_ptr<Feed> feed;
    Observer former, laterDeliveries;
    int changes = 0;
};

/// What an observable does only while it is observed.
struct Demanded {
    int tag = 0;
    Timing *timing = nullptr; // waits
};

struct Observable {
    Kind kind;
    Author number;
    Core core;
    int owners = 1;
    bool isDead = false;
    // variables
    Value value;
    int batches = 0; // open
    int begunBatches = 0;
    std::unique_ptr<std::pair<Value, Author>> heldBack; // the value before the first change, the last author
    // transforms
    Step step;
    bool computes = false;
    Link link;
    // what passes on what was chosen last
    size_t most = 0;
    std::deque<Observable *> choices; // kept
    std::deque<std::unique_ptr<Link>> links;
    bool isOver = false; // a transform, or this
    std::vector<std::pair<Observable *, Observation *>> merged;
    Line *line = nullptr;                            // of what has several sources
    std::function<Status(Message &)> latestTogether; // of what knows the latest messages of these
    Timing *timing = nullptr;
    // memory
    size_t limit = 0;
    std::deque<std::pair<Message, Author>> remembered;
    Message initial;
    // on demand
    bool hasDemanded = false, isAttended = false;
    Demanded *demanded = nullptr, *begun = nullptr;
    Observable *keptMeanwhile = nullptr;
    // confined
    Queue *homeQueue = nullptr; // where other threads hand over

    bool isVariable() const { return kind == Kind::variable || kind == Kind::deferred; }
    bool remembers() const { return kind == Kind::swo_cache || kind == Kind::swo_replay; }
    int hidden() const { return remembers() ? 1 : 0; }
    bool isTransformOfOne() const { return kind > Kind::deferred && kind != Kind::swo_merge && !isJoined(kind); }
};

struct Delivery;

struct Queue {
    struct Entry {
        Delivery *delivery;
        Message message;
        Author author;
        bool isAlone = false;                    // the message is the job's own, beside those of the delivery
        std::function<void(bool)> job = nullptr; // instead of a message: is run, or dropped
    };
    size_t bound;
    bool drops, isUnbounded, isClosed = false;
    std::deque<Entry> entries; // of a bounded queue without messages: these wait with the delivery
    uint64_t taken = 0, sent = 0;
};

/// Carries the messages of one observation to its handler by way of a queue.
struct Delivery {
    Core box;
    Observation *inside, *outside = nullptr;
    std::deque<std::pair<Message, Author>> messages;
    Queue *queue;
    bool isOutsideOver = false;
    size_t waiting = 0; // in an unbounded queue, or alone
};

/// What happens in the world comes out here.
struct Listener {
    virtual void received(int tag, const Message &message, Author author) = 0;
    virtual void receivedAll(int tag, const std::vector<Message> &messages, Author author) = 0;
    virtual bool fails(int tag) = 0; // asked after `received`, of handlers that answer
    virtual void onDemand(int tag, bool begins) = 0;
    virtual bool updates(const Value &old, Value &out) = 0;
    virtual bool chooses(const Message &message, Observable *&out) = 0; // nothing: none
};

struct World {
    Listener &listener;
    std::deque<std::unique_ptr<Observation>> allObservations;
    std::deque<std::unique_ptr<Core>> allLines;
    std::deque<std::unique_ptr<Observable>> allObservables;
    std::deque<std::unique_ptr<Observer>> allObservers;
    std::deque<std::unique_ptr<Queue>> allQueues;
    std::deque<std::unique_ptr<Delivery>> allDeliveries;
    std::deque<std::unique_ptr<Demanded>> allDemanded;
    std::deque<std::unique_ptr<Clock>> allClocks;
    std::deque<std::unique_ptr<Timing>> allTimings;
    std::deque<std::unique_ptr<Line>> allRuledLines;
    std::vector<Core *> *far = nullptr;
    bool isOver = false;

    explicit World(Listener &listener);
    ~World();

    template <class Type, class... Arguments>
    static Type *make(std::deque<std::unique_ptr<Type>> &all, Arguments &&...arguments) {
        all.push_back(std::make_unique<Type>(std::forward<Arguments>(arguments)...));
        return all.back().get();
    }

    Core *makeLine() { return make(allLines); }

    Observation *begin(Core &core, std::function<void(const Message &, Author)> receive, Core *feeds = nullptr,
                       Observation *continuation = nullptr, std::function<void()> end = nullptr) {
        auto one = make(allObservations);
        one->receive = std::move(receive);
        one->end = std::move(end);
        one->feeds = feeds;
        one->continuation = continuation;
        core.begin(one);
        return one;
    }

    // lifetimes.hpp
    void retain(Observable *one);
    void release(Observable *one);
    struct Keep {
        World &world;
        Observable *one;
        Keep(World &world, Observable *one) : world(world), one(one) { world.retain(one); }
        ~Keep() { world.release(one); }
        Keep(const Keep &) = delete;
    };
    void die(Observable *one);
    std::vector<Observable *> endOrigin(Observable *one);
    Observable *makeObservable(Kind kind, Author number);

    // transforms.hpp
    Step makeStep(Kind kind, int parameter, const Value &value, Author author);
    template <class Pass> static Step passing(Pass pass) {
        return [pass](const Message &in, Author, Message &out) mutable {
            out = in;
            return pass(in) ? Made::something : Made::nothing;
        };
    }
    Observation *relay(Core *upstream, std::shared_ptr<Feed> feed, Observable *target);
    Status pass(Core &core, const Message &message, Author author);
    static int levelAfter(const Core &source) { return source.level == 255 ? 64 : source.level + 1; }
    void connect(Observable *one, Observable *source, bool keepsSource, Step step, bool computes);
    bool reaches(Core *from, Core *to);
    Status setSource(Observable *one, Observable *source);
    Status change(Observable *one, Link &link, Observable *source);
    void endInTurn(Observation *from);

    // timing.hpp
    Line *makeRuledLine();
    Status advance(Clock *clock, int seconds);
    static int waitingOn(Clock *clock);
    Observable *makeTimed(Kind kind, Observable *source, int seconds, Clock *clock, const Value &late, Author number);
    void makeRule(Kind kind, Timing *timing, int seconds, const Value &late,
                  std::function<bool(const Message &, Author)> passed);
    Observable *makeJoined(Kind kind, Observable *one, Observable *other, Author number);

    // switching.hpp
    Observable *makeSwitch(Kind kind, size_t most, Observable *source, Author number);
    bool choose(Observable *one, Observable *next);
    Link *freeLink(Observable *one);

    // buffers.hpp
    bool isBuffered(Observable *one);
    Status latest(Observable *one, Message &out);
    Status sendLatest(Observable *one, Author author, bool isHeard);
    Replay replay(Observable *one, int count);

    // demand.hpp
    void isObserved(Observable *one);
    void demand(Observable *one, Demanded *demanded, Observable *keeping);
    void settle(Observable *one, Observable *keeping);

    // variables.hpp
    Status assign(Observable *one, const Value &value, Author author);
    static void holdBack(Observable *one, const Value &old, Author author);
    Status beginBatch(Observable *one);
    Status endBatch(Observable *one);
    Status closeBatch(Observable *one, bool isHeard);

    // confining.hpp
    Status confine(Observable *one, Queue *queue);
    Status handOver(Observable *one, bool isAlwaysDone, std::function<void(bool isHeard)> task);
    Status handOverSet(Observable *one, const Value &value, Author author);
    void close(Observable *one);

    // queues.hpp
    bool push(Queue *queue, Queue::Entry entry);
    bool put(Delivery *delivery, const Message &message, Author author);
    void drop(const Queue::Entry &entry);
    void isPerhapsGone(Delivery *delivery);
    void closeQueue(Queue *queue);
    size_t drain(Queue *queue, size_t most);
    size_t deliver(Queue *queue, size_t most);
    bool isUncertain(Observation *one);

    // observing.hpp
    void observe(Observable *one, Observer *observer, int tag, bool answers, Observation *&out);
    Status observeWith(Observable *one, const ObserveOptions &options, Observer *observer, Queue *queue, int tag,
                       Observation *&out);
    Status observeCombined(const std::vector<Observable *> &parts, Observer *observer, int tag, Observation *&out);
};

} // namespace fuzz::model

#include "timing.hpp"

namespace fuzz::model {

inline World::World(Listener &listener) : listener(listener) {}
inline World::~World() { isOver = true; }

} // namespace fuzz::model

#include "lifetimes.hpp"
#include "transforms.hpp"
#include "buffers.hpp"
#include "demand.hpp"
#include "variables.hpp"
#include "queues.hpp"
#include "confining.hpp"
#include "observing.hpp"
#include "switching.hpp"
