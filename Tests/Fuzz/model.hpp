// SPDX-License-Identifier: MIT
// The reference model of the contract: observables of all kinds, observers, queues. One thread. What it hears and what
// its calls return is what the library has to do, call by call.
#pragma once

#include "core.hpp"
#include <algorithm>
#include <memory>

namespace fuzz::model {

struct Observable;
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

/// What an observable does only while it is observed.
struct Demanded {
    int tag;
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
    bool keepsSource = true, computes = false;
    Observable *source = nullptr; // kept
    Core *sourceCore = nullptr;
    Observation *fromSource = nullptr;
    std::shared_ptr<Feed> feed;
    Observer former;
    int changes = 0;
    bool isOver = false;
    std::vector<std::pair<Observable *, Observation *>> merged;
    // memory
    size_t limit = 0;
    std::deque<std::pair<Message, Author>> remembered;
    Message initial;
    // on demand
    bool hasDemanded = false, isAttended = false;
    Demanded *demanded = nullptr, *begun = nullptr;
    Observable *keptMeanwhile = nullptr;

    bool isVariable() const { return kind == Kind::variable || kind == Kind::deferred; }
    bool remembers() const { return kind == Kind::cache || kind == Kind::replay; }
    int hidden() const { return remembers() ? 1 : 0; }
    bool isTransformOfOne() const { return kind >= Kind::map && kind <= Kind::replay; }
};

struct Delivery;

struct Queue {
    struct Entry {
        Delivery *delivery;
        Message message;
        Author author;
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
    size_t waiting = 0; // in an unbounded queue
};

/// What happens in the world comes out here.
struct Listener {
    virtual void received(int tag, const Message &message, Author author) = 0;
    virtual void receivedAll(int tag, const std::vector<Message> &messages, Author author) = 0;
    virtual bool fails(int tag) = 0; // asked after `received`, of handlers that answer
    virtual void onDemand(int tag, bool begins) = 0;
    virtual bool updates(const Value &old, Value &out) = 0;
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
    std::vector<Core *> *far = nullptr;
    bool isOver = false;

    explicit World(Listener &listener) : listener(listener) {}
    ~World() { isOver = true; }

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

    // ---- observables live as long as they are owned

    void retain(Observable *one) {
        if (one) one->owners++;
    }

    void release(Observable *one) {
        if (one && --one->owners == 0) die(one);
    }

    struct Keep {
        World &world;
        Observable *one;
        Keep(World &world, Observable *one) : world(world), one(one) { world.retain(one); }
        ~Keep() { world.release(one); }
        Keep(const Keep &) = delete;
    };

    void die(Observable *one) {
        auto sources = endOrigin(one);
        one->isDead = true;
        one->core.close();
        if (one->hasDemanded) demand(one, nullptr, nullptr);
        while (!sources.empty()) {
            Observable *source = sources.back();
            sources.pop_back();
            if (source->owners == 1)
                for (auto more : endOrigin(source)) sources.push_back(more);
            release(source);
        }
    }

    std::vector<Observable *> endOrigin(Observable *one) {
        std::vector<Observable *> sources;
        for (auto &part : one->merged) Core::stop(part.second);
        for (auto &part : one->merged) sources.push_back(part.first);
        one->merged.clear();
        if (!one->isTransformOfOne()) return sources;
        auto source = one->source;
        auto fromSource = one->fromSource;
        auto feed = std::move(one->feed);
        one->source = nullptr;
        one->fromSource = nullptr;
        one->feed = nullptr;
        one->isOver = true;
        if (fromSource) Core::stop(fromSource);
        one->former.stopAll();
        if (source) sources.push_back(source);
        return sources;
    }

    Observable *makeObservable(Kind kind, Author number) {
        auto one = make(allObservables);
        one->kind = kind;
        one->number = number;
        return one;
    }

    // ---- transforms

    Step makeStep(Kind kind, int parameter, const Value &value, Author author) {
        switch (kind) {
        case Kind::map:
            return [parameter](const Message &in, Author, Message &out) {
                return fuzz::map(parameter, in, out) ? Made::something : Made::failure;
            };
        case Kind::filter:
            return passing([parameter](const Message &in) { return isAccepted(parameter, in); });
        case Kind::fresh:
            return [](const Message &in, Author, Message &out) {
                out = {in.value};
                return Made::something;
            };
        case Kind::unwrap:
            return passing([](const Message &in) { return in.isUpdate || in.value.kind != Value::null; });
        case Kind::unwrapOr:
            return [value](const Message &in, Author, Message &out) {
                out = in.isUpdate || in.value.kind != Value::null ? in : Message{value};
                return Made::something;
            };
        case Kind::select:
            return [value](const Message &in, Author, Message &out) {
                out = {};
                return in == Message{value} ? Made::something : Made::nothing;
            };
        case Kind::from:
        case Kind::notFrom:
            return [author, wants = kind == Kind::from](const Message &in, Author by, Message &out) {
                out = in;
                return (by == author) == wants ? Made::something : Made::nothing;
            };
        case Kind::withPrevious:
            return [before = Value{}](const Message &in, Author, Message &out) mutable {
                out = {in.value, before, true};
                before = in.value;
                return Made::something;
            };
        case Kind::take:
            return passing([left = parameter](const Message &) mutable { return left > 0 && left-- > 0; });
        case Kind::skip:
            return passing([left = parameter](const Message &) mutable { return !(left > 0 && left-- > 0); });
        case Kind::skipRepeats:
            return passing([any = false, before = Message{}](const Message &in) mutable {
                bool isRepeat = any && before == in;
                any = true;
                before = in;
                return !isRepeat;
            });
        case Kind::uniqueValues:
            return passing([seen = std::vector<Message>()](const Message &in) mutable {
                if (std::find(seen.begin(), seen.end(), in) != seen.end()) return false;
                seen.push_back(in);
                return true;
            });
        default:
            return passing([](const Message &) { return true; });
        }
    }

    template <class Pass> static Step passing(Pass pass) {
        return [pass](const Message &in, Author, Message &out) mutable {
            out = in;
            return pass(in) ? Made::something : Made::nothing;
        };
    }

    /// Lets what a core sends go through a step to a transform.
    Observation *relay(Core *upstream, std::shared_ptr<Feed> feed, Observable *target) {
        return begin(
            *upstream,
            [this, upstream, feed, target](const Message &message, Author author) {
                if (feed && (feed->isLater || feed->source->isUnordered)) {
                    if (!feed->makeLine()->send(message, author)) feed->source->hasFailed = true;
                    return;
                }
                Message made;
                switch (target->step(message, author, made)) {
                case Made::nothing:
                    return;
                case Made::failure:
                    upstream->hasFailed = true;
                    return;
                case Made::something:
                    break;
                }
                if (!pass(target->core, made, author)) upstream->hasFailed = true;
            },
            &target->core);
    }

    /// At every 64th transform of a chain, and where it is not known how long the chain is, the stack is given back.
    bool pass(Core &core, const Message &message, Author author) {
        if (core.level == 0 || core.level % 64 != 0) return core.send(message, author);
        if (far == nullptr) {
            std::vector<Core *> waiting;
            far = &waiting;
            bool isFine = core.send(message, author);
            for (size_t i = 0; i < waiting.size(); i++)
                if (!waiting[i]->leave()) isFine = false;
            far = nullptr;
            return isFine;
        }
        if (core.isUnordered || core.isOwned || core.living == 0 || core.isClosed || core.blocks > 0)
            return core.send(message, author);
        core.isOwned = true;
        core.waiting.push_back({message, author, nullptr});
        far->push_back(&core);
        return true;
    }

    static int levelAfter(const Core &source) { return source.level == 255 ? 64 : source.level + 1; }

    void connect(Observable *one, Observable *source, bool keepsSource, Step step, bool computes) {
        one->step = std::move(step);
        one->computes = computes;
        one->keepsSource = keepsSource;
        one->core.level = levelAfter(source->core);
        auto feed = std::make_shared<Feed>(*this, &source->core, false,
                                           [this, one](Core *line) { return relay(line, nullptr, one); });
        one->fromSource = relay(&source->core, feed, one);
        one->source = keepsSource ? source : nullptr;
        if (keepsSource) retain(source);
        one->sourceCore = &source->core;
        one->feed = feed;
    }

    bool reaches(Core *from, Core *to) {
        std::vector<Core *> found{from};
        for (size_t i = 0; i < found.size(); i++) {
            if (found[i] == to) return true;
            for (auto one : found[i]->observations)
                if (one->isLiving && one->feeds && std::find(found.begin(), found.end(), one->feeds) == found.end())
                    found.push_back(one->feeds);
        }
        return false;
    }

    Status setSource(Observable *one, Observable *source) {
        Keep keepOne(*this, one), keepSource(*this, source);
        if (!one->isTransformOfOne()) return WRONG_KIND;
        if (source && reaches(&one->core, &source->core)) return INVALID_ARGUMENT;
        one->core.level = 64;
        if (source &&
            (one->keepsSource ? one->source == source
                              : one->sourceCore == &source->core && one->fromSource && one->fromSource->isLiving))
            return OK;
        std::shared_ptr<Feed> feed;
        if (source) {
            feed = std::make_shared<Feed>(*this, &source->core, true,
                                          [this, one](Core *line) { return relay(line, nullptr, one); });
            one->former.kept.push_back(feed->delivery);
        }
        auto beforeFrom = one->fromSource;
        auto beforeSource = one->source;
        auto beforeFeed = one->feed;
        const bool wasOver = one->isOver;
        const int change = ++one->changes;
        one->source = one->keepsSource ? source : nullptr;
        if (one->source) retain(source);
        one->sourceCore = source ? &source->core : nullptr;
        one->fromSource = nullptr;
        if (feed) {
            if (beforeFeed) beforeFeed->next = feed;
            one->feed = feed;
        }
        Observation *from = source ? relay(&source->core, feed, one) : nullptr;
        feed = nullptr;
        const bool isOvertaken = one->changes != change || one->isOver;
        if (!isOvertaken) one->fromSource = from;
        endInTurn(one, beforeFrom);
        if (isOvertaken) endInTurn(one, from);
        if (wasOver && from) Core::stop(from);
        if (source) isObserved(source);
        release(beforeSource);
        beforeFeed = nullptr;
        return OK;
    }

    void endInTurn(Observable *one, Observation *from) {
        if (!from || !from->isLiving) return;
        one->former.kept.push_back(from);
        from->core->afterWhatWaits([from] { Core::stop(from); });
    }

    // ---- buffers

    bool isBuffered(Observable *one) {
        if (one->isVariable()) return true;
        if (one->remembers()) return one->kind == Kind::cache;
        return one->computes && one->source && isBuffered(one->source);
    }

    Status latest(Observable *one, Message &out) {
        if (one->isVariable()) {
            out = {one->value, one->value, true};
            return OK;
        }
        if (one->kind == Kind::cache) {
            out = one->remembered.empty() ? one->initial : one->remembered.back().first;
            return OK;
        }
        if (one->remembers() || !one->computes || !one->source) return WRONG_KIND;
        Message in;
        Status status = latest(one->source, in);
        if (status != OK) return status;
        return one->step(in, 0, out) == Made::something ? OK : CALLBACK_FAILED;
    }

    Replay replay(Observable *one, int count) {
        if (one->kind == Kind::variable)
            return [one]() -> std::vector<std::pair<Message, Author>> {
                Value present = one->value;
                for (auto &next : one->core.waiting)
                    if (!next.turn) {
                        present = next.message.old;
                        break;
                    }
                return {{{present, present, true}, one->number}};
            };
        if (one->kind == Kind::deferred)
            return [one]() -> std::vector<std::pair<Message, Author>> {
                return {{{one->value, one->value, true}, one->number}};
            };
        if (one->remembers())
            return [one, count] {
                std::vector<std::pair<Message, Author>> last;
                size_t size = one->remembered.size(), from = size > (size_t)count ? size - (size_t)count : 0;
                for (size_t i = from; i < size; i++) last.push_back(one->remembered[i]);
                if (last.empty() && one->kind == Kind::cache) last.push_back({one->initial, one->number});
                return last;
            };
        if (!isBuffered(one)) return nullptr;
        return [this, one]() -> std::vector<std::pair<Message, Author>> {
            Message message;
            if (latest(one, message) == OK) return {{message, one->number}};
            one->core.hasFailed = true;
            return {};
        };
    }

    // ---- on demand

    void isObserved(Observable *one) {
        if (!one->hasDemanded) return;
        Keep keep(*this, one);
        settle(one, one);
    }

    void demand(Observable *one, Demanded *demanded, Observable *keeping) {
        one->demanded = demanded;
        settle(one, keeping);
    }

    void settle(Observable *one, Observable *keeping) {
        const bool isMine = !one->isAttended;
        one->isAttended = true;
        if (!isMine && !one->keptMeanwhile && keeping) {
            one->keptMeanwhile = keeping;
            retain(keeping);
        }
        if (!isMine) return;
        while (true) {
            Demanded *wanted = one->core.living > one->hidden() ? one->demanded : nullptr;
            if (one->begun == wanted) break;
            const bool begins = one->begun == nullptr;
            Demanded *due = begins ? wanted : one->begun;
            one->begun = begins ? due : nullptr;
            listener.onDemand(due->tag, begins);
        }
        one->isAttended = false;
        Observable *kept = one->keptMeanwhile;
        one->keptMeanwhile = nullptr;
        release(kept);
    }

    // ---- variables

    bool assign(Observable *one, const Value &value, Author author) {
        if (one->kind == Kind::deferred) {
            const bool isHeard = one->core.blocks == 0;
            return one->core.takeTurn([one, value, author, isHeard] {
                if (one->value == value) return;
                Value old = one->value;
                one->value = value;
                if (one->batches > 0)
                    holdBack(one, old, author);
                else if (isHeard)
                    one->core.offerInTurn({value, old, true}, author);
            });
        }
        if (one->value == value) return true;
        Value old = one->value;
        one->value = value;
        if (one->batches > 0) {
            holdBack(one, old, author);
            return true;
        }
        return one->core.isHeard() ? one->core.send({value, old, true}, author) : true;
    }

    static void holdBack(Observable *one, const Value &old, Author author) {
        if (!one->heldBack) one->heldBack = std::make_unique<std::pair<Value, Author>>(old, author);
        one->heldBack->second = author;
    }

    Status beginBatch(Observable *one) {
        Keep keep(*this, one);
        if (!one->isVariable()) return WRONG_KIND;
        if (one->kind == Kind::variable) {
            one->batches++;
        } else {
            one->begunBatches++;
            one->core.takeTurn([one] { one->batches++; });
        }
        return OK;
    }

    Status endBatch(Observable *one) {
        if (!one->isVariable()) return WRONG_KIND;
        if (one->kind == Kind::variable) {
            if (one->batches == 0) return NOT_FOUND;
            return closeBatch(one, one->core.isHeard()) ? OK : CALLBACK_FAILED;
        }
        if (one->begunBatches == 0) return NOT_FOUND;
        one->begunBatches--;
        const bool isHeard = one->core.blocks == 0;
        return one->core.takeTurn([this, one, isHeard] { closeBatch(one, isHeard); }) ? OK : CALLBACK_FAILED;
    }

    bool closeBatch(Observable *one, bool isHeard) {
        if (--one->batches > 0 || !one->heldBack) return true;
        auto held = std::move(one->heldBack);
        if (held->first == one->value || !isHeard) return true;
        Message message{one->value, held->first, true};
        if (one->kind == Kind::variable) return one->core.send(message, held->second);
        one->core.offerInTurn(message, held->second);
        return true;
    }

    // ---- queues

    bool put(Delivery *delivery, const Message &message, Author author) {
        Queue *queue = delivery->queue;
        if (queue->isClosed) return false;
        if (queue->isUnbounded) {
            queue->entries.push_back({delivery, message, author});
            queue->sent++;
            delivery->waiting++;
            return true;
        }
        Delivery *oldest = nullptr;
        if (queue->entries.size() >= queue->bound) {
            if (!queue->drops) return false;
            oldest = queue->entries.front().delivery;
            queue->entries.pop_front();
        }
        delivery->messages.push_back({message, author});
        queue->entries.push_back({delivery, {}, 0});
        if (oldest) drop(oldest);
        return true;
    }

    void drop(Delivery *delivery) {
        delivery->messages.pop_front();
        isPerhapsGone(delivery);
    }

    void isPerhapsGone(Delivery *delivery) {
        if (delivery->isOutsideOver && !delivery->queue->isUnbounded && delivery->messages.empty() &&
            !delivery->box.isClosed)
            delivery->box.close();
    }

    void closeQueue(Queue *queue) {
        queue->isClosed = true;
        while (!queue->entries.empty()) {
            auto entry = std::move(queue->entries.front());
            queue->entries.pop_front();
            if (queue->isUnbounded) {
                queue->taken++;
                entry.delivery->waiting--;
            } else {
                drop(entry.delivery);
            }
        }
    }

    size_t drain(Queue *queue, size_t most) {
        size_t run = 0;
        if (!queue->isUnbounded) {
            const size_t limit = most > 0 ? most : queue->entries.size();
            for (; run < limit && !queue->entries.empty(); run++) {
                Delivery *delivery = queue->entries.front().delivery;
                queue->entries.pop_front();
                auto [message, author] = delivery->messages.front();
                delivery->messages.pop_front();
                delivery->box.send(message, author);
                isPerhapsGone(delivery);
            }
            return run;
        }
        uint64_t end = queue->sent;
        const size_t limit = most > 0 ? most : end - queue->taken;
        while (run < limit) {
            if (queue->taken >= end) end = queue->sent;
            if (queue->taken >= end) break;
            run += deliver(queue, std::min<size_t>(limit - run, end - queue->taken));
        }
        return run;
    }

    /// Those of one observation that follow each other are taken in one go, 64 at most.
    size_t deliver(Queue *queue, size_t most) {
        Delivery *delivery = queue->entries.front().delivery;
        Core &box = delivery->box;
        const bool isFree = !box.isOwned && box.muted == 0;
        most = isFree ? std::min<size_t>(most, 64 - queue->taken % 64) : 1;
        std::vector<Queue::Entry> batch;
        while (batch.size() < most && !queue->entries.empty() && queue->entries.front().delivery == delivery) {
            batch.push_back(std::move(queue->entries.front()));
            queue->entries.pop_front();
            queue->taken++;
        }
        size_t run = 0;
        if (!isFree) {
            box.send(batch[0].message, batch[0].author);
            delivery->waiting--;
            return 1;
        }
        box.isOwned = true;
        for (auto &entry : batch) {
            delivery->waiting--;
            if (queue->isClosed) continue;
            box.offer(entry.message, entry.author);
            run++;
        }
        box.leave();
        return run;
    }

    /// Whether it is not said whether an observation lives: its observable is dead, and what waited has been delivered.
    bool isUncertain(Observation *one) {
        for (auto &delivery : allDeliveries)
            if (delivery->inside == one)
                return one->isLiving && delivery->isOutsideOver && delivery->queue->isUnbounded &&
                       delivery->waiting == 0 && !delivery->box.isOwned;
        return false;
    }

    // ---- observing

    void observe(Observable *one, Observer *observer, int tag, bool answers, Observation *&out) {
        out = begin(one->core, [this, one, tag, answers](const Message &message, Author author) {
            listener.received(tag, message, author);
            if (answers && listener.fails(tag)) one->core.hasFailed = true;
        });
        if (observer) observer->kept.push_back(out);
        isObserved(one);
    }

    Status observeWith(Observable *one, const ObserveOptions &options, Observer *observer, Queue *queue, int tag,
                       Observation *&out) {
        Keep keep(*this, one);
        Replay replayed;
        if (options.replay > 0 && !(replayed = replay(one, options.replay))) return WRONG_KIND;
        Observable *kept = options.keepsObservable ? one : nullptr;
        retain(kept);
        auto cell = std::make_shared<Observation *>(nullptr);
        auto receive = [this, tag, once = options.once, cell, over = false](const Message &message,
                                                                            Author author) mutable {
            if (once) {
                if (over) return;
                over = true;
                Core::stop(*cell);
            }
            listener.received(tag, message, author);
        };
        auto end = [this, kept] { release(kept); };
        const bool isInTurn = one->kind == Kind::deferred;
        if (!queue) {
            *cell = out = begin(one->core, receive, nullptr, nullptr, end);
            if (observer) observer->kept.push_back(out);
            if (replayed) one->core.join(out, replayed, isInTurn);
            isObserved(one);
            return OK;
        }
        auto delivery = make(allDeliveries);
        delivery->queue = queue;
        *cell = out = delivery->inside = begin(delivery->box, receive, nullptr, nullptr, end);
        if (observer) observer->kept.push_back(out);
        delivery->outside = begin(
            one->core,
            [this, one, delivery](const Message &message, Author author) {
                if (put(delivery, message, author)) return;
                one->core.refused++;
                one->core.hasRefused = true;
            },
            nullptr, delivery->inside,
            [this, delivery] {
                delivery->isOutsideOver = true;
                isPerhapsGone(delivery);
            });
        delivery->inside->continuation = delivery->outside;
        if (replayed) one->core.join(delivery->outside, replayed, isInTurn);
        isObserved(one);
        return OK;
    }

    Status observeCombined(const std::vector<Observable *> &parts, Observer *observer, int tag, Observation *&out) {
        for (auto part : parts)
            if (!isBuffered(part)) return WRONG_KIND;
        // The call keeps what it was given.
        std::deque<Keep> keeping;
        for (auto part : parts) keeping.emplace_back(*this, part);
        struct Combination {
            Core *line;
            int index = -1;
            Message message;
            Observer keeper;
        };
        auto whole = std::make_shared<Combination>();
        whole->line = makeLine();
        Observation *id = begin(*whole->line, [this, whole, parts, tag](const Message &, Author author) {
            std::vector<Message> messages;
            for (auto part : parts) {
                Message message = whole->message;
                if (part != parts[(size_t)whole->index] && latest(part, message) != OK) {
                    whole->line->hasFailed = true;
                    return;
                }
                messages.push_back(message);
            }
            listener.receivedAll(tag, messages, author);
        });
        out = id;
        Core *line = whole->line;
        auto keeper = std::shared_ptr<Observer>(whole, &whole->keeper);
        line->left = [keeper] { keeper->stopAll(); };
        for (size_t i = 0; i < parts.size(); i++) {
            Core *core = &parts[i]->core;
            auto part = begin(
                *core,
                [whole, i, core](const Message &message, Author author) {
                    if (!whole->line->takeTurn([whole, i, message, author] {
                            whole->index = (int)i;
                            whole->message = message;
                            whole->line->offerInTurn({}, author);
                        }))
                        core->hasFailed = true;
                },
                line, id, [id] { Core::stop(id); });
            keeper->kept.push_back(part);
            if (observer) observer->kept.push_back(part);
        }
        for (auto part : parts) isObserved(part);
        return OK;
    }
};

inline Feed::Feed(World &world, Core *source, bool isLater, std::function<Observation *(Core *)> connect)
    : world(world), source(source), connect(std::move(connect)), isLater(isLater) {
    if (!isLater) return;
    line = world.makeLine();
    delivery = this->connect(line);
    line->isOwned = true; // until the feed before has ended
}

inline Core *Feed::makeLine() {
    if (line) return line;
    line = world.makeLine();
    delivery = connect(line);
    return line;
}

inline Feed::~Feed() {
    if (world.isOver) return;
    auto letThrough = [next = next] {
        if (next && next->line) next->line->leave();
    };
    if (!line) {
        letThrough();
        return;
    }
    if (next) line->afterWhatWaits(letThrough);
    line->close();
}

} // namespace fuzz::model
