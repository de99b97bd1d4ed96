// SPDX-License-Identifier: MIT
// Calls every function in worlds of two sizes, for callgrind, which writes down what each took: growing.py compares.
#include "growing_calls.hpp"
#include <valgrind/callgrind.h>

static void count(World &w, const Call &call) {
    if (call.before) call.before(w);
    CALLGRIND_TOGGLE_COLLECT;
    call.call(w);
    CALLGRIND_TOGGLE_COLLECT;
    if (call.after) call.after(w);
}

/// What was counted since the last note belongs to a call.
static void note(const Call &call, const Dimension &dimension, long n, long times) {
    std::string text =
        std::string(call.name) + "|" + dimension.name + "|" + std::to_string(n) + "|" + std::to_string(times);
    CALLGRIND_DUMP_STATS_AT(text.c_str());
}

/// Makes a world, and calls something in it.
static void visit(const Dimension &dimension, long n, void (*body)(World &, void *), void *argument) {
    World w;
    beginWorld(w, n);
    w.body = body, w.argument = argument;
    dimension.make(w);
    if (!dimension.isInside) body(w, argument);
    endWorld(w);
}

static void callAll(World &w, void *argument) {
    for (auto &call : calls) {
        if (call.howOften == fresh) continue;
        // The first time, memory is taken that is used again.
        long times = call.howOften == often ? w.n : 8;
        if (call.before) call.before(w);
        call.call(w);
        if (call.after) call.after(w);
        for (long time = 0; time < times; time++) count(w, call);
        note(call, *static_cast<const Dimension *>(argument), w.n, times);
    }
}

int main() {
    for (auto &dimension : dimensions) {
        for (long n : {40, 320}) {
            visit(dimension, n, callAll, const_cast<Dimension *>(&dimension));
            for (auto &call : calls) {
                if (call.howOften != fresh) continue;
                visit(
                    dimension, n, [](World &w, void *argument) { count(w, *static_cast<Call *>(argument)); },
                    const_cast<Call *>(&call));
                note(call, dimension, n, 1);
            }
        }
    }
}
