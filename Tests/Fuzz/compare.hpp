// SPDX-License-Identifier: MIT
// Runs a program with the model and with the library, and compares what happens, event by event.
#pragma once

#include "library_world.hpp"
#include "model_world.hpp"

namespace fuzz {

struct Notes {
    std::vector<Event> events;

    void note(Event event) { events.push_back(event); }
    size_t words() const { return events.size(); }
};

/// Says, and ends the process, where the library does something else than was foretold.
struct Comparison {
    const std::vector<Event> &foretold;
    size_t at = 0;
    std::function<const void *(Author)> pointerTo = {};

    void note(Event event) {
        if (at >= foretold.size()) differ(event, "the library does more than the model");
        const Event expected = foretold[at];
        at++;
        if (expected.type == Event::any || event.type == Event::any) return;
        if (expected.type != event.type) differ(event, "something else happens");
        if (event.type == Event::author) {
            if (event.word == -1 || (const void *)(intptr_t)event.word == pointerTo(expected.word)) return;
            differ(event, "another author");
        }
        if (event.word != expected.word) differ(event, "something else happens");
    }
    size_t words() const { return at; }

    [[noreturn]] void differ(Event event, const char *sentence) {
        std::fprintf(stderr, "difference at event %zu: %s\n", at, sentence);
        for (size_t i = at > 30 ? at - 30 : 0; i < at && i < foretold.size(); i++)
            std::fprintf(stderr, "  %zu: %lld\n", i, (long long)foretold[i].word);
        std::fprintf(stderr, "  the library: %lld\n", (long long)event.word);
        std::abort();
    }
};

/// @return How many operations it was: calls, and deliveries to handlers.
inline long compare(const Stream &stream) {
    Notes notes;
    {
        Program<ModelWorld, Notes> modelled(stream, notes);
        modelled.run();
    }
    Comparison comparison{notes.events};
    Program<LibraryWorld, Comparison> real(stream, comparison);
    comparison.pointerTo = [&](Author author) { return real.world.pointerTo(author); };
    real.run();
    if (comparison.at != notes.events.size()) comparison.differ({}, "the library does less than the model");
    return real.calls + real.deliveries;
}

} // namespace fuzz
