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
    one->isOver = true;
    auto choices = std::move(one->choices);
    one->choices.clear();
    std::vector<Link *> links;
    for (auto &link : one->links) links.push_back(link.get());
    if (one->isTransformOfOne()) links.push_back(&one->link);
    for (auto link : links) {
        auto source = link->source;
        auto fromSource = link->fromSource;
        auto feed = std::move(link->feed);
        link->source = nullptr;
        link->fromSource = nullptr;
        link->feed = nullptr;
        // What had to wait for the end of an old source does not come in when that ends now.
        link->laterDeliveries.stopAll();
        if (fromSource) Core::stop(fromSource);
        link->former.stopAll();
        if (source) sources.push_back(source);
    }
    for (auto choice : choices)
        if (choice) sources.push_back(choice);
    return sources;
}

inline Observable *World::makeObservable(Kind kind, Author number) {
    auto one = make(allObservables);
    one->kind = kind;
    one->number = number;
    return one;
}

} // namespace fuzz::model
