// SPDX-License-Identifier: MIT
// Of the reference model: how long observables live: as long as they are owned, or a call keeps them.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline void World::retain(Observable *one) {
    if (one) one->owners++;
}

inline void World::release(Observable *one) {
    if (one && --one->owners == 0) die(one);
}

inline void World::die(Observable *one) {
    auto sources = endOrigin(one);
    one->isDead = true;
    close(one);
    if (one->hasDemanded) demand(one, nullptr, nullptr);
    while (!sources.empty()) {
        Observable *source = sources.back();
        sources.pop_back();
        if (source->owners == 1)
            for (auto more : endOrigin(source)) sources.push_back(more);
        release(source);
    }
}

inline std::vector<Observable *> World::endOrigin(Observable *one) {
    std::vector<Observable *> sources;
    for (auto &part : one->merged) Core::stop(part.second);
    if (one->line) Core::stop(one->line->alive);
    if (one->timing) one->timing->end();
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
    // What had to wait for the end of an old source does not come in when that ends now.
    one->laterDeliveries.stopAll();
    if (fromSource) Core::stop(fromSource);
    one->former.stopAll();
    if (source) sources.push_back(source);
    return sources;
}

inline Observable *World::makeObservable(Kind kind, Author number) {
    auto one = make(allObservables);
    one->kind = kind;
    one->number = number;
    return one;
}

} // namespace fuzz::model
