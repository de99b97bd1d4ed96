// SPDX-License-Identifier: MIT
// Of the reference model: assignments and batches, at once or in their turn.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline Status World::assign(Observable *one, const Value &value, Author author) {
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
    if (one->value == value) return OK;
    Value old = one->value;
    one->value = value;
    if (one->batches > 0) {
        holdBack(one, old, author);
        return OK;
    }
    return one->core.isHeard() ? one->core.send({value, old, true}, author, true) : OK;
}

inline Status World::sendLatest(Observable *one, Author author, bool isHeard) {
    if (one->kind == Kind::deferred) {
        return one->core.takeTurn([one, author, isHeard] {
            if (isHeard) one->core.offerInTurn({one->value, one->value, true}, author);
        });
    }
    return isHeard ? one->core.sendAnyway({one->value, one->value, true}, author) : OK;
}

inline void World::holdBack(Observable *one, const Value &old, Author author) {
    if (!one->heldBack) one->heldBack = std::make_unique<std::pair<Value, Author>>(old, author);
    one->heldBack->second = author;
}

inline Status World::beginBatch(Observable *one) {
    Keep keep(*this, one);
    if (!one->isVariable()) return WRONG_KIND;
    if (one->core.isElsewhere()) return WRONG_THREAD;
    if (one->kind == Kind::variable) {
        one->batches++;
    } else {
        one->begunBatches++;
        one->core.takeTurn([one] { one->batches++; });
    }
    return OK;
}

inline Status World::endBatch(Observable *one) {
    if (!one->isVariable()) return WRONG_KIND;
    if (one->core.isElsewhere()) return WRONG_THREAD;
    if (one->kind == Kind::variable) {
        if (one->batches == 0) return NOT_FOUND;
        return closeBatch(one, one->core.isHeard());
    }
    if (one->begunBatches == 0) return NOT_FOUND;
    one->begunBatches--;
    const bool isHeard = one->core.blocks == 0;
    return one->core.takeTurn([this, one, isHeard] { closeBatch(one, isHeard); });
}

inline Status World::closeBatch(Observable *one, bool isHeard) {
    if (--one->batches > 0 || !one->heldBack) return OK;
    auto held = std::move(one->heldBack);
    if (held->first == one->value || !isHeard) return OK;
    Message message{one->value, held->first, true};
    if (one->kind == Kind::variable) return one->core.send(message, held->second, true);
    one->core.offerInTurn(message, held->second);
    return OK;
}

} // namespace fuzz::model
