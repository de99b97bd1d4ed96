// SPDX-License-Identifier: MIT
// Of the reference model: what is done while an observable is observed.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline void World::isObserved(Observable *one) {
    if (!one->hasDemanded) return;
    Keep keep(*this, one);
    settle(one, one);
}

inline void World::demand(Observable *one, Demanded *demanded, Observable *keeping) {
    one->demanded = demanded;
    settle(one, keeping);
}

inline void World::settle(Observable *one, Observable *keeping) {
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
        if (due->timing)
            due->timing->settle(begins);
        else
            listener.onDemand(due->tag, begins);
    }
    one->isAttended = false;
    Observable *kept = one->keptMeanwhile;
    one->keptMeanwhile = nullptr;
    release(kept);
}

} // namespace fuzz::model
