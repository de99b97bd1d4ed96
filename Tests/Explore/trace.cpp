// SPDX-License-Identifier: MIT
// What a schedule has done with the state word of a core and with handlers, in a line, for a model to do the same:
//
//     t0=owned|work   thread 0 has changed the state, to these bits
//     t0+1.203        it calls the handler of observation 1 with message 3 of thread 2
//     t0-1.203        that returns
//     t1.             thread 1 has stopped and waited
#include "state_bits.hpp"
#include "world.hpp"
#include <cstring>

static std::string named(uint64_t state) {
    std::string names;
    for (const auto &bit : state_bits)
        if (state & bit.value) names += (names.empty() ? "" : "|") + std::string(bit.name);
    return names;
}

std::string traced() {
    std::string line;
    uintptr_t state = 0;
    size_t logged = 0;
    auto next = [&logged](Happened what) {
        while (world.log[logged].what != what) logged++;
        return world.log[logged++];
    };
    for (const Step &step : machine.search.steps) {
        const Operation &operation = step.operation;
        char text[32] = "";
        if (operation.kind == Kind::rmw && operation.size == 4 && !operation.isSilent) {
            // Of a messenger that is observed nothing else is changed so.
            if (state == 0) state = operation.address;
            if (operation.address != state) broken("it is not known which word is the state");
            line += " t" + std::to_string(step.process) + "=" + named(step.value);
        } else if (is_of_test(operation.kind) && strcmp(step.says, "has stopped and waited") == 0) {
            snprintf(text, sizeof text, " t%d.", step.process);
        } else if (is_of_test(operation.kind) && operation.kind == Kind::annotation) {
            bool isCall = strcmp(step.says, "a handler is called") == 0;
            Entry entry = next(isCall ? Happened::received : Happened::finished);
            snprintf(text, sizeof text, " t%d%c%d.%03d", step.process, isCall ? '+' : '-', entry.slot,
                     static_cast<int>(entry.value));
        }
        line += text;
    }
    return line;
}

// While a handler runs, its delivery is not offered to other threads: two would deliver at once then, sooner or later.
void check_offers() {
    uintptr_t state = 0;
    uint64_t now = 0;
    for (const Step &step : machine.search.steps) {
        const Operation &operation = step.operation;
        if (operation.kind == Kind::rmw && operation.size == 4) {
            if (state == 0) state = operation.address;
            if (operation.address == state) now = step.value;
        } else if (operation.kind == Kind::annotation && strcmp(step.says, "a handler is called") == 0) {
            if ((now & state_owned) && (now & state_offered))
                broken("a delivery is offered to others while it goes on");
        }
    }
}
