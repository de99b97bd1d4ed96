// SPDX-License-Identifier: MIT
// Of the reference model: what passes on what was chosen for the latest messages of a source.
#pragma once

#include "model.hpp"

namespace fuzz::model {

inline Observable *World::makeSwitch(Kind kind, size_t most, Observable *source, Author number) {
    auto made = makeObservable(kind, number);
    made->most = most;
    made->step = passing([](const Message &) { return true; });
    made->core.level = 64;
    auto line = made->line = makeRuledLine();
    auto rule = [this, made](const Message &message) {
        Observable *next = nullptr;
        if (!listener.chooses(message, next)) return false;
        Keep keep(*this, next);
        return choose(made, next);
    };
    retain(source);
    auto receive = [=](const Message &message, Author) {
        source->core.take(line->take([=] { return rule(message); }));
    };
    made->merged.push_back({source, begin(source->core, receive, &made->core)});
    isObserved(source);
    return made;
}

/// @return Whether it was chosen. What has ended chooses, and nothing happens.
inline bool World::choose(Observable *one, Observable *next) {
    auto &choices = one->choices;
    Observable *oldest = choices.size() == one->most ? choices.front() : nullptr;
    bool isLinked = next == nullptr, isNeeded = oldest == next;
    for (size_t i = 0; i < choices.size(); i++) {
        isLinked |= choices[i] == next;
        isNeeded |= i > 0 && choices[i] == oldest;
    }
    Link *unneeded = nullptr;
    if (oldest && !isNeeded)
        for (auto &link : one->links)
            if (link->source == oldest) unneeded = link.get();
    if (!isLinked) {
        Link *link = unneeded ? unneeded : freeLink(one);
        if (!link) return true;
        if (change(one, *link, next) != OK) return false;
    } else if (unneeded && change(one, *unneeded, nullptr) != OK) {
        return false;
    }
    if (one->isOver) return true;
    Observable *gone = nullptr;
    if (choices.size() == one->most) {
        gone = choices.front();
        choices.pop_front();
    }
    retain(next);
    choices.push_back(next);
    release(gone);
    return true;
}

/// @return Nothing if it has ended.
inline Link *World::freeLink(Observable *one) {
    if (one->isOver) return nullptr;
    for (auto &link : one->links)
        if (!link->source) return link.get();
    one->links.push_back(std::make_unique<Link>());
    Link *link = one->links.back().get();
    // As if there had been a source that has ended.
    link->feed =
        std::make_shared<Feed>(*this, makeLine(), false, [this, one](Core *line) { return relay(line, nullptr, one); });
    link->changes = 1;
    return link;
}

} // namespace fuzz::model
