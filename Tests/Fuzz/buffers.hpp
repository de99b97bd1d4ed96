// SPDX-License-Identifier: MIT
// Of the reference model: the latest message of what is buffered, and what is replayed.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline bool World::isBuffered(Observable *one) {
    if (one->isVariable() || one->latestTogether) return true;
    if (one->remembers()) return one->kind == Kind::swo_cache;
    return one->computes && one->link.source && isBuffered(one->link.source);
}

inline Status World::latest(Observable *one, Message &out) {
    if (one->isVariable()) {
        out = {one->value, one->value, true};
        return OK;
    }
    if (one->latestTogether) return one->latestTogether(out);
    if (one->kind == Kind::swo_cache) {
        out = one->remembered.empty() ? one->initial : one->remembered.back().first;
        return OK;
    }
    if (one->remembers() || !one->computes || !one->link.source) return WRONG_KIND;
    Message in;
    Status status = latest(one->link.source, in);
    if (status != OK) return status;
    return one->step(in, 0, out) == Made::something ? OK : CALLBACK_FAILED;
}

inline Replay World::replay(Observable *one, int count) {
    if (one->kind == Kind::variable)
        return [one]() -> std::vector<std::pair<Message, Author>> {
            Value present = one->value;
            for (auto &next : one->core.waiting)
                if (next.isChange) {
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
            if (last.empty() && one->kind == Kind::swo_cache) last.push_back({one->initial, one->number});
            return last;
        };
    if (!isBuffered(one)) return nullptr;
    return [this, one]() -> std::vector<std::pair<Message, Author>> {
        Message message;
        const Status status = latest(one, message);
        if (status == OK) return {{message, one->number}};
        if (status != NOT_FOUND) one->core.refused++; // it is of no send
        return {};
    };
}

} // namespace fuzz::model
