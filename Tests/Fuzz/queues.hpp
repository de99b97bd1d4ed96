// SPDX-License-Identifier: MIT
// Of the reference model: queues, and the observations whose messages they carry.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline bool World::put(Delivery *delivery, const Message &message, Author author) {
    Queue *queue = delivery->queue;
    // Where messages keep no order, one that is refused must not be taken for another one.
    const bool isAlone = !queue->isUnbounded && delivery->outside->core->isUnordered;
    if (queue->isUnbounded || isAlone)
        delivery->waiting++;
    else
        delivery->messages.push_back({message, author});
    if (push(queue, {delivery, message, author, isAlone})) return true;
    if (queue->isUnbounded || isAlone)
        delivery->waiting--;
    else
        delivery->messages.pop_back();
    return false;
}

inline bool World::push(Queue *queue, Queue::Entry entry) {
    if (queue->isClosed) return false;
    std::vector<Queue::Entry> oldest;
    if (!queue->isUnbounded && queue->entries.size() >= queue->bound) {
        if (!queue->drops) return false;
        oldest.push_back(std::move(queue->entries.front()));
        queue->entries.pop_front();
    }
    queue->entries.push_back(std::move(entry));
    queue->sent++;
    for (auto &one : oldest) drop(one);
    return true;
}

inline void World::drop(const Queue::Entry &entry) {
    if (entry.job) return entry.job(false);
    if (entry.isAlone)
        entry.delivery->waiting--;
    else
        entry.delivery->messages.pop_front();
    isPerhapsGone(entry.delivery);
}

inline void World::isPerhapsGone(Delivery *delivery) {
    if (delivery->isOutsideOver && !delivery->queue->isUnbounded && delivery->messages.empty() &&
        delivery->waiting == 0 && !delivery->box.isClosed)
        delivery->box.close();
}

inline void World::closeQueue(Queue *queue) {
    queue->isClosed = true;
    while (!queue->entries.empty()) {
        auto entry = std::move(queue->entries.front());
        queue->entries.pop_front();
        queue->taken++;
        if (queue->isUnbounded && !entry.job) {
            entry.delivery->waiting--;
        } else {
            drop(entry);
        }
    }
}

inline size_t World::drain(Queue *queue, size_t most) {
    size_t run = 0;
    if (!queue->isUnbounded) {
        const size_t limit = most > 0 ? most : queue->entries.size();
        for (; run < limit && !queue->entries.empty(); run++) {
            auto entry = std::move(queue->entries.front());
            queue->entries.pop_front();
            Delivery *delivery = entry.delivery;
            if (entry.job) {
                entry.job(true);
                continue;
            }
            if (entry.isAlone) {
                delivery->box.send(entry.message, entry.author);
                delivery->waiting--;
            } else {
                auto [message, author] = delivery->messages.front();
                delivery->messages.pop_front();
                delivery->box.send(message, author);
            }
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
inline size_t World::deliver(Queue *queue, size_t most) {
    if (queue->entries.front().job) {
        auto job = std::move(queue->entries.front().job);
        queue->entries.pop_front();
        queue->taken++;
        job(true);
        return 1;
    }
    Delivery *delivery = queue->entries.front().delivery;
    Core &box = delivery->box;
    // Where causes are kept, each is delivered with its own.
    static const bool isTraced = std::getenv("SWIFTOBSERVER_WHY") || std::getenv("SWIFTOBSERVER_TRACE");
    const bool isFree = !isTraced && !box.isOwned && box.muted == 0;
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
inline bool World::isUncertain(Observation *one) {
    for (auto &delivery : allDeliveries)
        if (delivery->inside == one)
            return one->isLiving && delivery->isOutsideOver && delivery->queue->isUnbounded && delivery->waiting == 0 &&
                   !delivery->box.isOwned;
    return false;
}

} // namespace fuzz::model
