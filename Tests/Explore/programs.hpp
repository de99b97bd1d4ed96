// SPDX-License-Identifier: MIT
// What threads can do, and on what: each pair and each triple of it is a program.
#pragma once
#include "world.hpp"
#include <string>

struct Stage {
    char letter;
    const char *name;
    void (*make)(); // the observable
    int uses = 0;   // how often thread 0 uses it before, so that it is biased, or is about to
};

struct Action {
    const char *name;
    const char *stages; // the letters of the stages on which it makes sense
    void (*run)(int thread);
    void (*expect)(int thread) = nullptr; // what it lets the laws do without
    bool closes = false;                  // the threads own the observable, and nothing else does
};

extern const std::vector<Stage> all_stages;
extern const std::vector<Action> all_actions;
