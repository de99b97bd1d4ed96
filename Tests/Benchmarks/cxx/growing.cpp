// SPDX-License-Identifier: MIT
// Calls every function in worlds of two sizes, for callgrind, which writes down what each took: growing.py compares.
#include "growing_calls.hpp"
#include "growing_memory.hpp"
#include <valgrind/callgrind.h>

static void make(World &w, const Call &call, bool isCounted) {
    if (call.before) call.before(w);
    if (isCounted) CALLGRIND_TOGGLE_COLLECT;
    call.call(w);
    if (isCounted) CALLGRIND_TOGGLE_COLLECT;
    if (call.after) call.after(w);
}

static void makeSome(World &w, const Call &call) {
    // The first time, memory is taken that is used again.
    if (call.howOften != fresh) make(w, call, false);
    long times = call.howOften == often ? w.n : call.howOften == seldom ? 8 : 1;
    for (long time = 0; time < times; time++) make(w, call, true);
    std::string text = std::string(call.name) + "|" + w.name + "|" + std::to_string(w.n) + "|" + std::to_string(times);
    CALLGRIND_DUMP_STATS_AT(text.c_str());
}

/// Makes a world, and does something in it.
static void visit(const Dimension &dimension, long n, std::function<void(World &)> body) {
    World w;
    w.name = dimension.name;
    beginWorld(w, n);
    w.body = body;
    dimension.make(w);
    if (!dimension.isInside) body(w);
    endWorld(w);
}

int main() {
    for (auto &dimension : dimensions) {
        for (long n : {40, 320}) {
            // Inside a handler much of what calls leave cannot be cleared away before it returns.
            auto isAlone = [&](const Call &call) { return dimension.isInside || call.howOften == fresh; };
            visit(dimension, n, [&](World &w) {
                for (auto &call : calls)
                    if (!isAlone(call)) makeSome(w, call);
            });
            for (auto &call : calls)
                if (isAlone(call)) visit(dimension, n, [&](World &w) { makeSome(w, call); });
        }
    }
}
