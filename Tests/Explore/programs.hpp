// SPDX-License-Identifier: MIT
// What threads can do, and on what: each pair and each triple of operations on a fixture is a program. Both are written
// in the calls of the library, and a program prints them as its story.
#pragma once
#include "world.hpp"
#include <string>

// Fixtures have a bit each, in the order in which they are explored.
using Fixtures = uint32_t;
enum : Fixtures {
    messenger = 1 << 0,
    messenger_about_to_be_biased = 1 << 1,
    biased_messenger = 1 << 2,
    messenger_with_one_observer = 1 << 3,
    biased_messenger_with_one_observer = 1 << 4,
    variable = 1 << 5,
    biased_variable = 1 << 6,
    deferred_variable = 1 << 7,
    offering_messenger = 1 << 8,
    unordered_messenger = 1 << 9,
    messenger_about_to_be_in_reader_slots = 1 << 10,
    messenger_in_reader_slots = 1 << 11,
    unordered_messenger_with_one_observer = 1 << 12,
    messenger_in_reader_slots_with_one_observer = 1 << 13,
    unordered_variable = 1 << 14,
    unordered_deferred_variable = 1 << 15,
    transform = 1 << 16,
    queue = 1 << 17,
    filled_queue = 1 << 18,
    bounded_queue = 1 << 19,
    confined_messenger = 1 << 20,
    transform_of_what_is_confined = 1 << 21,
    messenger_that_may_be_biased_to_another = 1 << 22,
    variable_that_may_be_biased_to_another = 1 << 23,
    delayed_messenger = 1 << 24,
    debounced_messenger = 1 << 25,
    throttled_messenger = 1 << 26,
    derived_variable = 1 << 27,
    lazy_derived_variable = 1 << 28,
    derived_diamond = 1 << 29,
    derived_branches = 1 << 30,
    biased_derived_variable = 1u << 31,

    everything = (1 << 24) - 1,
    biased_to_another = messenger_that_may_be_biased_to_another | variable_that_may_be_biased_to_another,
    with_one_observer = messenger_with_one_observer | biased_messenger_with_one_observer |
                        unordered_messenger_with_one_observer | messenger_in_reader_slots_with_one_observer,
    ordered_messengers = messenger | messenger_about_to_be_biased | biased_messenger,
    unordered_messengers = unordered_messenger | messenger_about_to_be_in_reader_slots | messenger_in_reader_slots,
    ordered_variables = variable | biased_variable,
    unordered_variables = unordered_variable | unordered_deferred_variable,
    variables = ordered_variables | deferred_variable | unordered_variables,
    queues = queue | filled_queue | bounded_queue,
    drained = queues | confined_messenger,
    behind = transform_of_what_is_confined,
    timed = delayed_messenger | debounced_messenger | throttled_messenger,
    observed_derived = derived_variable | derived_diamond | derived_branches | biased_derived_variable,
    all_derived = observed_derived | lazy_derived_variable,
};

struct Fixture {
    Fixtures bit;
    const char *name;
    int uses; // how often thread 0 uses it before, so that it is biased, or is about to
    const char *story;
    void (*make)(); // the observable
};

struct Call {
    const char *name;
    Fixtures fixtures; // on which it makes sense
    const char *story;
    void (*run)(int thread);
    void (*expect)(int thread) = nullptr; // what it lets the laws do without
    bool closes = false;                  // the threads own the observable, and nothing else does
};

// In the order of their bits.
const std::vector<Fixture> &all_fixtures();
extern const std::vector<Call> all_calls;

// Makes a fixture known: the rest is a block of calls.
struct Known {
    explicit Known(const Fixture &fixture);
};
#define FIXTURE(bit, name, uses, ...) static const Known known_##bit({bit, name, uses, #__VA_ARGS__, []() __VA_ARGS__})

// What the calls are made with.
static swo_observable *&subject = world.subject, *&observed = world.observed, *&other = world.other;
inline void must(swo_status status) {
    if (status != SWO_OK) broken("a call fails: %s", swo_status_text(status));
}
