// SPDX-License-Identifier: MIT
// Of the reference model: what joins two sources, and what waits for a clock. Both take in one thing at a time, in a
// line.
#pragma once

#include "model.hpp"

namespace fuzz::model {

struct Deadline {
    int64_t due = INT64_MAX;
    uint64_t order = 0; // of what has begun to wait; 0: nothing waits

    bool isBefore(const Deadline &other) const { return due != other.due ? due < other.due : order < other.order; }
};

struct Clock {
    int64_t now = 0, target = 0;
    uint64_t order = 0;
    bool isRunning = false;
    std::vector<Timing *> all;

    Deadline in(int64_t interval) { return {now + interval, ++order}; }
};

/// Lets things happen one at a time, until it ends.
struct Line {
    Core core;
    Observation *alive;

    /// @param rule  returns false if it has failed.
    Status take(std::function<bool()> rule) {
        return core.takeTurn([this, rule] {
            if (alive->isLiving && !rule()) core.hasFailed = true;
        });
    }
};

struct Timing {
    Clock *clock;
    Observable *target;
    Line *line;
    Deadline wanted, told; // told: to the clock
    bool isWaiting = false, hasBegun = false;
    std::function<bool(const Message &, Author)> take;
    std::function<bool()> timeIsUp, begin = [] { return true; };
    std::function<void()> forget = [] {};

    bool wait(Deadline deadline) {
        wanted = deadline;
        if (told.order == 0 || wanted.isBefore(told)) tell();
        return true;
    }

    void tell() {
        told = wanted;
        isWaiting = true;
    }

    void waitNoMore() {
        wanted = told = {};
        isWaiting = false;
    }

    bool isOver() {
        if (wanted.order == 0) return false;
        if (wanted.order != told.order || clock->now < wanted.due) {
            tell();
            return false;
        }
        wanted = told = {};
        return true;
    }

    Status receive(const Message &message, Author author) {
        return line->take([this, message, author] { return !isBegun() || take(message, author); });
    }

    Status due() {
        return line->take([this] { return !isOver() || timeIsUp(); });
    }

    bool isBegun() {
        if (!hasBegun && target->core.living > 0) {
            hasBegun = true;
            begin();
        }
        return hasBegun;
    }

    /// Its observations have begun, or ended.
    void settle(bool begins) {
        line->take([this, begins] {
            if (begins) {
                if (hasBegun) return true;
                hasBegun = true;
                return begin();
            }
            waitNoMore();
            hasBegun = false;
            forget();
            return true;
        });
    }

    void end() {
        Core::stop(line->alive);
        isWaiting = false;
    }
};

inline Line *World::makeRuledLine() {
    auto line = make(allRuledLines);
    line->alive = begin(line->core, [](const Message &, Author) {});
    return line;
}

inline Status World::advance(Clock *clock, int seconds) {
    clock->target += seconds;
    if (clock->isRunning) return OK;
    clock->isRunning = true;
    Status told = OK;
    while (true) {
        Timing *next = nullptr;
        for (auto one : clock->all)
            if (one->isWaiting && one->told.due <= clock->target && (!next || one->told.isBefore(next->told)))
                next = one;
        if (!next) break;
        clock->now = std::max(clock->now, next->told.due);
        next->isWaiting = false;
        if (next->due() != OK) told = CALLBACK_FAILED;
    }
    clock->now = clock->target;
    clock->isRunning = false;
    return told;
}

inline int World::waitingOn(Clock *clock) {
    int count = 0;
    for (auto one : clock->all) count += one->isWaiting;
    return count;
}

inline Observable *World::makeTimed(Kind kind, Observable *source, int seconds, Clock *clock, const Value &late,
                                    Author number) {
    auto one = makeObservable(kind, number);
    auto timing = one->timing = make(allTimings);
    clock->all.push_back(timing);
    timing->clock = clock;
    timing->target = one;
    timing->line = makeRuledLine();
    auto passed = [this, one](const Message &message, Author author) { return pass(one->core, message, author) == OK; };
    makeRule(kind, timing, seconds, late, passed);
    auto step = [timing](const Message &message, Author author, Message &) {
        return timing->receive(message, author) == OK ? Made::nothing : Made::failure;
    };
    connect(one, source, true, step, false);
    one->hasDemanded = true;
    one->core.left = [this, one] { settle(one, nullptr); };
    one->demanded = make(allDemanded);
    one->demanded->timing = timing;
    isObserved(source);
    return one;
}

inline void World::makeRule(Kind kind, Timing *timing, int seconds, const Value &late,
                            std::function<bool(const Message &, Author)> passed) {
    using Kept = std::deque<std::pair<Message, Author>>;
    auto kept = std::make_shared<Kept>();
    auto deadlines = std::make_shared<std::deque<Deadline>>();
    timing->forget = [kept, deadlines] {
        kept->clear();
        deadlines->clear();
    };
    auto passFirst = [kept, passed] {
        if (kept->empty()) return true;
        auto [message, author] = kept->front();
        kept->pop_front();
        return passed(message, author);
    };
    auto passAll = [kept, passed] {
        if (kept->empty()) return true;
        std::vector<Message> messages;
        for (auto &each : *kept) messages.push_back(each.first);
        const Author author = kept->back().second;
        kept->clear();
        return passed({listOf(messages)}, author);
    };
    switch (kind) {
    case Kind::debounce:
        timing->take = [=](const Message &message, Author author) {
            *kept = {{message, author}};
            return timing->wait(timing->clock->in(seconds));
        };
        timing->timeIsUp = passFirst;
        return;
    case Kind::delay:
        timing->take = [=](const Message &message, Author author) {
            kept->push_back({message, author});
            deadlines->push_back(timing->clock->in(seconds));
            return kept->size() > 1 || timing->wait(deadlines->back());
        };
        timing->timeIsUp = [=] {
            if (kept->empty()) return true;
            auto [message, author] = kept->front();
            kept->pop_front();
            deadlines->pop_front();
            if (!kept->empty()) timing->wait(deadlines->front());
            return passed(message, author);
        };
        return;
    case Kind::throttle:
    case Kind::throttleFirst:
    case Kind::throttleLatest: {
        struct Running {
            bool isRunning = false;
            Deadline end;
        };
        auto state = std::make_shared<Running>();
        timing->begin = [=] {
            state->isRunning = false;
            return true;
        };
        timing->take = [=](const Message &message, Author author) {
            if (state->isRunning && kept->empty() && timing->clock->now >= state->end.due) state->isRunning = false;
            if (!state->isRunning) {
                *state = {true, timing->clock->in(seconds)};
                if (kind != Kind::throttleLatest) return passed(message, author);
            }
            if (kind == Kind::throttleFirst) return true;
            *kept = {{message, author}};
            return timing->wait(state->end);
        };
        timing->timeIsUp = [=] {
            if (kept->empty()) return true;
            state->isRunning = kind == Kind::throttle;
            if (state->isRunning) state->end = timing->clock->in(seconds);
            return passFirst();
        };
        return;
    }
    case Kind::timeout:
        timing->begin = [=] { return timing->wait(timing->clock->in(seconds)); };
        timing->take = [=](const Message &message, Author author) {
            timing->begin();
            return passed(message, author);
        };
        timing->timeIsUp = [=] { return passed({late}, timing->target->number); };
        return;
    default: {
        // So many, or those of two seconds; or those of so many seconds.
        const bool counts = kind == Kind::buffer;
        auto end = std::make_shared<Deadline>();
        timing->take = [=](const Message &message, Author author) {
            if (kept->empty()) *end = timing->clock->in(counts ? 2 : seconds);
            kept->push_back({message, author});
            if (counts && (int)kept->size() >= seconds) {
                timing->waitNoMore();
                return passAll();
            }
            return timing->wait(*end);
        };
        timing->timeIsUp = passAll;
    }
    }
}

inline Observable *World::makeJoined(Kind kind, Observable *one, Observable *other, Author number) {
    auto made = makeObservable(kind, number);
    auto line = made->line = makeRuledLine();
    made->core.level = std::max(one->core.level % 64, other->core.level % 64) + 1;
    struct Parts {
        std::deque<std::pair<Message, Author>> waiting[2];
    };
    auto parts = std::make_shared<Parts>();
    Observable *const sources[] = {one, other};
    const bool asks[] = {isBuffered(one), isBuffered(other)};
    // The latest of one that knows it, or remembers it.
    auto latestOf = [=](int part, Message &out) {
        if (asks[part]) return latest(sources[part], out);
        if (parts->waiting[part].empty()) return NOT_FOUND;
        out = parts->waiting[part].front().first;
        return OK;
    };
    if (kind == Kind::combine)
        made->latestTogether = [=](Message &out) {
            Message both[2];
            if (made->merged.empty()) return WRONG_KIND; // dead
            for (int part = 0; part < 2; part++)
                if (Status status = latestOf(part, both[part]); status != OK) return status;
            out = {listOf({both[0], both[1]})};
            return OK;
        };
    auto rule = [=](int part, const Message &message, Author author) {
        auto &mine = parts->waiting[part];
        auto &others = parts->waiting[1];
        if (kind == Kind::zip) {
            mine.push_back({message, author});
            if (parts->waiting[0].empty() || others.empty()) return true;
            Message both{listOf({parts->waiting[0].front().first, others.front().first})};
            parts->waiting[0].pop_front();
            others.pop_front();
            return pass(made->core, both, author) == OK;
        }
        if (kind == Kind::combine || (part == 0 ? kind == Kind::sample : kind == Kind::withLatestFrom))
            mine = {{message, author}};
        // What has none is waited for; what cannot make it fails.
        auto isPassed = [=](Status found, const Message &first, const Message &second) {
            if (found != OK) return found == NOT_FOUND || found == WRONG_KIND;
            return pass(made->core, {listOf({first, second})}, author) == OK;
        };
        if (kind == Kind::combine) {
            Message both[] = {message, message};
            Status found = latestOf(1 - part, both[1 - part]);
            return isPassed(found, both[0], both[1]);
        }
        if (part == 0 ? kind == Kind::sample : kind == Kind::withLatestFrom) return true;
        if (kind == Kind::sample) {
            if (parts->waiting[0].empty()) return true;
            auto [sample, by] = parts->waiting[0].front();
            parts->waiting[0].clear();
            return pass(made->core, sample, by) == OK;
        }
        Message with;
        Status found = latestOf(1, with);
        return isPassed(found, message, with);
    };
    for (int part = 0; part < 2; part++) {
        auto source = sources[part];
        retain(source);
        auto receive = [=](const Message &message, Author author) {
            source->core.take(line->take([=] { return rule(part, message, author); }));
        };
        made->merged.push_back({source, begin(source->core, receive, &made->core)});
    }
    for (auto source : sources) isObserved(source);
    return made;
}

} // namespace fuzz::model
