// SPDX-License-Identifier: MIT
// Of the reference model: transforms: how a source feeds them, and how it changes.
#pragma once

#include "model.hpp"
#include "steps.hpp"

namespace fuzz::model {

/// Lets what a core sends go through a step to a transform.
inline Observation *World::relay(Core *upstream, std::shared_ptr<Feed> feed, Observable *target) {
    return begin(
        *upstream,
        [this, upstream, feed, target](const Message &message, Author author) {
            if (feed && (feed->isLater || feed->source->isUnordered)) {
                feed->source->take(feed->makeLine()->send(message, author));
                return;
            }
            Message made;
            switch (target->step(message, author, made)) {
            case Made::nothing:
                return;
            case Made::failure:
                upstream->hasFailed = true;
                return;
            case Made::something:
                break;
            }
            upstream->take(pass(target->core, made, author));
        },
        &target->core);
}

/// At every 64th transform of a chain, and where it is not known how long the chain is, the stack is given back.
inline Status World::pass(Core &core, const Message &message, Author author) {
    if (core.level == 0 || core.level % 64 != 0) return core.send(message, author);
    if (far == nullptr) {
        std::vector<Core *> waiting;
        far = &waiting;
        Status told = core.send(message, author);
        for (size_t i = 0; i < waiting.size(); i++) told = Core::worse(told, waiting[i]->leave());
        far = nullptr;
        return told;
    }
    if (core.isUnordered || core.isOwned || core.isLeft || core.living == 0 || core.isClosed || core.blocks > 0)
        return core.send(message, author);
    core.isOwned = true;
    core.waiting.push_back({message, author, nullptr, false, true});
    far->push_back(&core);
    return OK;
}

inline void World::connect(Observable *one, Observable *source, bool keepsSource, Step step, bool computes) {
    one->step = std::move(step);
    one->computes = computes;
    one->core.level = levelAfter(source->core);
    auto feed = std::make_shared<Feed>(*this, &source->core, false,
                                       [this, one](Core *line) { return relay(line, nullptr, one); });
    one->link.keepsSource = keepsSource;
    one->link.fromSource = relay(&source->core, feed, one);
    one->link.source = keepsSource ? source : nullptr;
    if (keepsSource) retain(source);
    one->link.sourceCore = &source->core;
    one->link.feed = feed;
}

inline bool World::reaches(Core *from, Core *to) {
    std::vector<Core *> found{from};
    for (size_t i = 0; i < found.size(); i++) {
        if (found[i] == to) return true;
        for (auto one : found[i]->observations)
            if (one->isLiving && one->feeds && std::find(found.begin(), found.end(), one->feeds) == found.end())
                found.push_back(one->feeds);
    }
    return false;
}

inline Status World::setSource(Observable *one, Observable *source) {
    Keep keepOne(*this, one), keepSource(*this, source);
    return one->isTransformOfOne() ? change(one, one->link, source) : WRONG_KIND;
}

inline Status World::change(Observable *one, Link &link, Observable *source) {
    if (source && reaches(&one->core, &source->core)) return INVALID_ARGUMENT;
    one->core.level = 64;
    if (source && (link.keepsSource ? link.source == source
                                    : link.sourceCore == &source->core && link.fromSource && link.fromSource->isLiving))
        return OK;
    std::shared_ptr<Feed> feed;
    if (source) {
        feed = std::make_shared<Feed>(*this, &source->core, true,
                                      [this, one](Core *line) { return relay(line, nullptr, one); });
        link.laterDeliveries.kept.push_back(feed->delivery);
    }
    auto beforeFrom = link.fromSource;
    auto beforeSource = link.source;
    auto beforeFeed = link.feed;
    const bool wasOver = one->isOver;
    const int change = ++link.changes;
    link.source = link.keepsSource ? source : nullptr;
    if (link.source) retain(source);
    link.sourceCore = source ? &source->core : nullptr;
    link.fromSource = nullptr;
    if (feed) {
        if (beforeFeed) beforeFeed->next = feed;
        link.feed = feed;
    }
    if (beforeFrom) link.former.kept.push_back(beforeFrom);
    std::vector<Observation *> unfinished;
    if (source)
        for (auto former : link.former.kept)
            if (former->isLiving && former->core == &source->core) unfinished.push_back(former);
    Observation *from = source ? relay(&source->core, feed, one) : nullptr;
    feed = nullptr;
    const bool isOvertaken = link.changes != change || one->isOver;
    if (!isOvertaken) link.fromSource = from;
    if (!unfinished.empty()) source->core.joinAfter(unfinished, from);
    endInTurn(beforeFrom);
    if (isOvertaken) {
        if (from) link.former.kept.push_back(from);
        endInTurn(from);
    }
    if (wasOver && from) Core::stop(from);
    if (source) isObserved(source);
    release(beforeSource);
    beforeFeed = nullptr;
    return OK;
}

inline void World::endInTurn(Observation *from) {
    if (!from || !from->isLiving) return;
    from->core->afterWhatWaits([from] { Core::stop(from); });
}

inline Feed::Feed(World &world, Core *source, bool isLater, std::function<Observation *(Core *)> connect)
    : world(world), source(source), connect(std::move(connect)), isLater(isLater) {
    if (!isLater) return;
    line = world.makeLine();
    delivery = this->connect(line);
    line->isOwned = true; // until the feed before has ended
}

inline Core *Feed::makeLine() {
    if (line) return line;
    line = world.makeLine();
    delivery = connect(line);
    return line;
}

inline Feed::~Feed() {
    if (world.isOver) return;
    auto letThrough = [next = next] {
        if (next && next->line) next->line->leave();
    };
    if (!line) {
        letThrough();
        return;
    }
    if (next) line->afterWhatWaits(letThrough);
    line->close();
}

} // namespace fuzz::model
