// SPDX-License-Identifier: MIT
// The reference model of the contract, its heart: how one observable delivers (laws 1 to 8). One thread, no
// optimisation, and nothing is ever freed before the end.
#pragma once

#include "values.hpp"
#include <cstddef>
#include <deque>
#include <functional>
#include <vector>

namespace fuzz::model {

struct Core;

struct Observation {
    Core *core = nullptr;
    std::function<void(const Message &, Author)> receive;
    std::function<void()> end;           // what its end lets go of
    Observation *continuation = nullptr; // ends with this one
    Core *feeds = nullptr;               // where its messages go
    bool isLiving = true, isJoining = false;
    int blocks = 0;

    bool isWanted() const { return isLiving && !isJoining && blocks == 0; }
};

using Turn = std::function<void()>;
using Replay = std::function<std::vector<std::pair<Message, Author>>()>;

struct Core {
    struct Waiting {
        Message message;
        Author author = 0;
        Turn turn;             // instead of a message
        bool isChange = false; // of a variable's value, and not sent straight to it
        bool isOwn = false;    // of the send that delivers
    };

    std::vector<Observation *> observations; // in the order in which they began
    std::deque<Waiting> waiting;
    std::deque<Turn> joinings; // come before what waits
    std::vector<Observation *> ended;
    std::function<void()> left; // called when one has ended
    /// The thread whose turn it is: the programs run one at a time.
    static inline int present = 1;
    int owner = 0, home = 0;    // threads; `home`: the one that alone delivers, if there is one
    bool isNoted = false;       // whether the owner is in a handler
    bool isInterrupted = false; // the owner is to leave the rest
    bool isLeft = false;        // what waits is left to the next that sends
    bool isOwned = false, isUnordered = false, wantsUnordered = false, isClosed = false;
    bool hasFailed = false, hasRefused = false, hasRefusedBehind = false;
    int blocks = 0, walks = 0, living = 0, muted = 0, refused = 0, level = 0;

    void begin(Observation *one) {
        one->core = this;
        observations.push_back(one);
        living++;
    }

    // ---- sending

    bool isElsewhere() const { return home != 0 && home != present; }

    bool isHeard() const { return blocks == 0 && (living > 0 || isOwned); }

    /// What the sender is told; what has failed counts for more than what was refused.
    static Status worse(Status one, Status other) { return one == CALLBACK_FAILED || other == OK ? one : other; }

    /// What comes behind has told of its message.
    void take(Status behind) {
        if (behind == CALLBACK_FAILED) hasFailed = true;
        if (behind == REFUSED) hasRefusedBehind = true;
    }

    /// What is to be told until now, which then is told.
    Status tell(bool isRefused) {
        const Status told = hasFailed ? CALLBACK_FAILED : hasRefusedBehind || isRefused ? REFUSED : OK;
        hasFailed = hasRefusedBehind = false;
        return told;
    }

    Status send(const Message &message, Author author, bool isChange = false) {
        return blocks > 0 ? OK : sendAnyway(message, author, isChange);
    }

    /// The same, blocked or not.
    Status sendAnyway(const Message &message, Author author, bool isChange = false) {
        if (isOwned) {
            waiting.push_back({message, author, nullptr, isChange});
            return OK;
        }
        if (isLeft) {
            waiting.push_back({message, author, nullptr, isChange, true});
            own();
            return leave();
        }
        if (living == 0 || isClosed) return OK;
        if (isUnordered) return walk(message, author);
        own();
        offer(message, author);
        return leave();
    }

    /// In line, and nothing is delivered.
    Status sendLater(const Message &message, Author author) {
        if (blocks > 0) return OK;
        if (!isOwned && !isLeft) {
            if (living == 0 || isClosed || isUnordered) return send(message, author);
            isLeft = true;
        }
        waiting.push_back({message, author, nullptr});
        return OK;
    }

    void interrupt() {
        if (isOwned && isNoted && owner == present) isInterrupted = true;
    }

    void own() {
        isOwned = true;
        isLeft = false;
        owner = present;
    }

    /// Law 2: those that were there, in their order, unless they have ended meanwhile.
    void offer(const Message &message, Author author) {
        for (size_t i = 0, count = observations.size(); i < count; i++)
            if (observations[i]->isWanted()) give(observations[i], message, author);
    }

    void give(Observation *one, const Message &message, Author author) {
        isNoted = isOwned;
        one->receive(message, author);
        isNoted = false;
    }

    /// Law 3: delivers what waits, one after the other.
    Status leave() {
        bool isOwn = true, isRefused = false; // the message before is of the one who sends, and what is refused then
        owner = present;
        while (true) {
            isRefused |= isOwn && hasRefused;
            isOwn = hasRefused = false;
            auto gone = clearAway();
            if (isInterrupted) {
                isInterrupted = false;
                if (!isClosed && waiting.size() + joinings.size() > 0) return leaveRest(gone, isRefused);
            }
            if (!joinings.empty()) {
                Turn turn = std::move(joinings.front());
                joinings.pop_front();
                finish(gone);
                turn();
            } else if (!waiting.empty()) {
                Waiting next = std::move(waiting.front());
                waiting.pop_front();
                finish(gone);
                isOwn = next.isOwn;
                if (next.turn)
                    next.turn();
                else
                    offer(next.message, next.author);
            } else {
                isOwned = false;
                return settle(gone, isRefused);
            }
        }
    }

    /// The rest stays in line until another one sends, and is none of the present one's business.
    Status leaveRest(const std::vector<Observation *> &gone, bool isRefused) {
        for (auto &one : waiting) one.isOwn = false;
        const Status told = tell(isRefused);
        isOwned = false;
        isLeft = true;
        finish(gone);
        return told;
    }

    Status settle(std::vector<Observation *> gone, bool isRefused) {
        const Status told = tell(isRefused);
        hasRefused = false;
        if (isClosed && walks == 0) takeAll(gone);
        applyMode();
        finish(gone);
        return told;
    }

    /// Law 5: at once, beside what is in progress, and what fails there is none of its business.
    Status walk(const Message &message, Author author) {
        return walk([&] { offer(message, author); });
    }

    template <class Deliver> Status walk(Deliver deliver) {
        const bool hadFailed = hasFailed, hadRefused = hasRefused, hadRefusedBehind = hasRefusedBehind;
        hasFailed = hasRefused = hasRefusedBehind = false;
        walks++;
        deliver();
        walks--;
        const Status told = tell(hasRefused);
        hasFailed = hadFailed;
        hasRefused = hadRefused;
        hasRefusedBehind = hadRefusedBehind;
        // Law 12: another walk may still call what was there when it began.
        if (walks == 0) settle(clearAway(), false);
        return told;
    }

    // ---- what takes its turn among the messages

    Status takeTurn(Turn turn) {
        if (isOwned) {
            waiting.push_back({{}, 0, std::move(turn)});
            return OK;
        }
        if (isLeft) {
            waiting.push_back({{}, 0, std::move(turn)});
            own();
            return leave();
        }
        if (isClosed) {
            turn();
            return OK;
        }
        if (isUnordered) return walk(turn);
        own();
        turn();
        return leave();
    }

    void afterWhatWaits(Turn turn) {
        if ((isOwned || isLeft) && isElsewhere())
            waiting.push_back({{}, 0, std::move(turn)});
        else if (isOwned || isLeft)
            takeTurn(std::move(turn));
        else
            turn();
    }

    void offerInTurn(const Message &message, Author author) {
        if (isOwned)
            offer(message, author);
        else
            take(send(message, author));
    }

    /// Law 19: its replay comes before any later message.
    void join(Observation *one, Replay replay, bool isInTurn) {
        if (isUnordered) {
            walk([&] {
                for (auto &[message, author] : replay())
                    if (one->isWanted()) one->receive(message, author);
            });
            return;
        }
        one->isJoining = true;
        muted++;
        Turn turn = [this, one, replay] {
            if (!one->isLiving || !one->isJoining) return;
            one->isJoining = false;
            muted--;
            for (auto &[message, author] : replay())
                if (one->isWanted()) give(one, message, author);
        };
        if (isInTurn)
            waiting.push_back({{}, 0, std::move(turn)});
        else
            joinings.push_back(std::move(turn));
        if (isOwned) return;
        own();
        leave();
    }

    /// Once others have received what waits, and have ended, one that has begun receives what is sent from then on.
    void joinAfter(const std::vector<Observation *> &others, Observation *one) {
        if (!isUnordered) {
            one->isJoining = true;
            muted++;
        }
        auto admit = [this, one] {
            if (!one->isLiving || !one->isJoining) return;
            one->isJoining = false;
            muted--;
        };
        Turn turn = [others, admit] {
            for (auto other : others) stop(other);
            admit();
        };
        if (!isElsewhere() || isUnordered) {
            takeTurn(turn);
        } else if (isOwned || isLeft) {
            waiting.push_back({{}, 0, turn});
        } else {
            turn();
        }
    }

    // ---- ending

    /// Law 7: from now on it is not called. Law 10: again, it is not found.
    static bool stop(Observation *one) {
        if (!one->isLiving) return false;
        Core *core = one->core;
        if (one->isJoining) core->muted--;
        if (one->blocks > 0) core->muted--;
        one->isLiving = false;
        core->living--;
        if (core->isOwned || core->walks > 0) {
            core->ended.push_back(one);
        } else {
            core->remove(one);
            finish({one});
        }
        if (core->left) core->left();
        if (one->continuation) stop(one->continuation);
        return true;
    }

    std::vector<Observation *> clearAway() {
        std::vector<Observation *> gone;
        gone.swap(ended);
        for (auto one : gone) remove(one);
        return gone;
    }

    void remove(Observation *one) {
        for (size_t i = 0; i < observations.size(); i++)
            if (observations[i] == one) {
                observations.erase(observations.begin() + (long)i);
                return;
            }
    }

    /// Law 12: what an observation holds goes after its last call.
    static void finish(const std::vector<Observation *> &gone) {
        for (auto one : gone) {
            auto end = std::move(one->end);
            auto receive = std::move(one->receive);
            one->end = nullptr;
            one->receive = nullptr;
            if (end) end();
        }
    }

    void takeAll(std::vector<Observation *> &gone) {
        for (auto one : observations) {
            if (!one->isLiving) continue;
            one->isLiving = false;
            gone.push_back(one);
        }
        observations.clear();
        living = 0;
    }

    /// Law 8: the observable is dead.
    void close() {
        isClosed = true;
        if (isLeft && !isElsewhere()) {
            own();
            leave();
            return;
        }
        if (isOwned || walks > 0) return;
        std::vector<Observation *> gone;
        takeAll(gone);
        finish(gone);
    }

    void applyMode() {
        if (walks == 0 && !isOwned && !isLeft) isUnordered = wantsUnordered;
    }
};

} // namespace fuzz::model
