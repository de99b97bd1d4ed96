// SPDX-License-Identifier: MIT
// Of the reference model: how observations begin.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline void World::observe(Observable *one, Observer *observer, int tag, bool answers, Observation *&out) {
    out = begin(one->core, [this, one, tag, answers](const Message &message, Author author) {
        listener.received(tag, message, author);
        if (answers && listener.fails(tag)) one->core.hasFailed = true;
    });
    if (observer) observer->kept.push_back(out);
    isObserved(one);
}

inline Status World::observeWith(Observable *one, const ObserveOptions &options, Observer *observer, Queue *queue,
                                 int tag, Observation *&out) {
    Keep keep(*this, one);
    Replay replayed;
    if (options.replay > 0 && !(replayed = replay(one, options.replay))) return WRONG_KIND;
    if (options.replay > 0 && one->core.isElsewhere()) return WRONG_THREAD;
    Observable *kept = options.keepsObservable ? one : nullptr;
    retain(kept);
    auto cell = std::make_shared<Observation *>(nullptr);
    auto receive = [this, tag, once = options.once, cell, over = false](const Message &message, Author author) mutable {
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
            // What has been stopped refuses nothing.
            if (put(delivery, message, author) || !delivery->inside->isLiving) return;
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

inline Status World::observeCombined(const std::vector<Observable *> &parts, Observer *observer, int tag,
                                     Observation *&out) {
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
        Observation *id = nullptr;
    };
    auto whole = std::make_shared<Combination>();
    whole->line = makeLine();
    Observation *id = begin(*whole->line, [this, whole, parts, tag](const Message &, Author author) {
        std::vector<Message> messages;
        for (auto part : parts) {
            Message message = whole->message;
            if (part != parts[(size_t)whole->index] && latest(part, message) != OK) {
                // What has been stopped fails no send.
                if (whole->id->isLiving) whole->line->hasFailed = true;
                return;
            }
            messages.push_back(message);
        }
        listener.receivedAll(tag, messages, author);
    });
    out = whole->id = id;
    Core *line = whole->line;
    auto keeper = std::shared_ptr<Observer>(whole, &whole->keeper);
    line->left = [keeper] { keeper->stopAll(); };
    for (size_t i = 0; i < parts.size(); i++) {
        Core *core = &parts[i]->core;
        auto part = begin(
            *core,
            [whole, i, core](const Message &message, Author author) {
                core->take(whole->line->takeTurn([whole, i, message, author] {
                    whole->index = (int)i;
                    whole->message = message;
                    whole->line->offerInTurn({}, author);
                }));
            },
            line, id, [id] { Core::stop(id); });
        keeper->kept.push_back(part);
        if (observer) observer->kept.push_back(part);
    }
    for (auto part : parts) isObserved(part);
    return OK;
}

} // namespace fuzz::model
