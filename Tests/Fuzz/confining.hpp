// SPDX-License-Identifier: MIT
// Of the reference model: what is confined to a thread, and what others hand over to that.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline Status World::confine(Observable *one, Queue *queue) {
    if (one->kind > Kind::variable) return WRONG_KIND;
    if (one->core.home != 0) return INVALID_ARGUMENT;
    one->core.home = Core::present;
    one->homeQueue = queue;
    return OK;
}

/// Whether it is blocked is decided now, all else by the job, which keeps it alive.
inline Status World::handOver(Observable *one, bool isAlwaysDone, std::function<void(bool isHeard)> task) {
    if (!one->homeQueue) return WRONG_THREAD;
    const bool isHeard = one->core.blocks == 0;
    if (!isHeard && !isAlwaysDone) return OK;
    retain(one);
    const bool isTaken = push(one->homeQueue, {nullptr, {}, 0, false, [this, one, task, isHeard](bool isRun) {
                                                   if (isRun && !one->core.isElsewhere())
                                                       task(isHeard);
                                                   else
                                                       one->core.refused++;
                                                   release(one);
                                               }});
    if (isTaken) return OK;
    release(one);
    return REFUSED;
}

inline Status World::handOverSet(Observable *one, const Value &value, Author author) {
    return handOver(one, true, [one, value, author](bool isHeard) {
        if (one->value == value) return;
        Value old = one->value;
        one->value = value;
        if (one->batches > 0)
            holdBack(one, old, author);
        else if (isHeard)
            one->core.sendAnyway({value, old, true}, author, true);
    });
}

/// What is left to the home thread is delivered there.
inline void World::close(Observable *one) {
    Core *core = &one->core;
    if (one->homeQueue && core->isLeft && core->isElsewhere() &&
        push(one->homeQueue, {nullptr, {}, 0, false, [core](bool) { core->close(); }}))
        return;
    core->close();
}

} // namespace fuzz::model
