// SPDX-License-Identifier: MIT
// Which schedule comes next: depth first, with replayed beginnings. Of schedules that differ only in the order of
// operations that commute one is taken (dynamic partial order reduction after Flanagan and Godefroid, with source sets
// and sleep sets).
#pragma once
#include "operation.hpp"
#include <algorithm>
#include <string>
#include <vector>

// Threads, and behind them their store buffers: what can be chosen to go on.
constexpr int most_threads = 3;
constexpr int processes = 2 * most_threads;
using Mask = uint8_t;
inline int thread_of(int process) { return process % most_threads; }
inline bool is_buffer(int process) { return process >= most_threads; }
inline Mask bit(int process) { return static_cast<Mask>(1 << process); }

// Up to which step of each process something has happened before.
struct Clock {
    int at[processes] = {};
    void join(const Clock &other) {
        for (int one = 0; one < processes; one++) at[one] = std::max(at[one], other.at[one]);
    }
};

struct Step {
    Operation operation;
    int process = 0;
    Clock clock;
    uint64_t value = 0;         // what was read or written
    const void *from = nullptr; // the code
    const char *says = nullptr; // of a note
};

class Search {
  public:
    int bound = -1; // how often a thread may be interrupted that could go on; -1: any number
    std::vector<Step> steps;
    uint64_t schedules = 0, redundant = 0;
    bool isRedundant = false;

    void begin() {
        steps.clear();
        for (auto &one : stepsOf) one.clear();
        isRedundant = false;
        running = -1;
        interruptions = 0;
    }

    void push(const Step &step) {
        stepsOf[step.process].push_back(static_cast<int>(steps.size()));
        steps.push_back(step);
    }

    // The latest step of a process that did not happen before what has that clock, and for which the test holds.
    template <typename Test> const Step *latest(int process, const Clock &clock, Test test) const {
        const auto &all = stepsOf[process];
        for (auto at = all.rbegin(); at != all.rend() && *at >= clock.at[process]; ++at)
            if (test(steps[static_cast<size_t>(*at)])) return &steps[static_cast<size_t>(*at)];
        return nullptr;
    }

    // The process that goes on. `forced`: from a schedule that is replayed.
    int choose(Mask enabled, const Operation (&next)[processes], int forced) {
        size_t depth = steps.size();
        if (isRedundant) return lowest(enabled);
        if (depth < nodes.size()) {
            Node &node = nodes[depth];
            if (node.enabled != enabled || node.next[node.chosen].kind != next[node.chosen].kind) return -1;
            return take(node);
        }
        Node node;
        node.enabled = enabled;
        node.running = running;
        node.interruptions = interruptions;
        std::copy(next, next + processes, node.next);
        if (depth > 0 && bound < 0) {
            const Node &before = nodes[depth - 1];
            const Mask asleep = (before.sleep | before.done) & ~bit(before.chosen);
            for (int one = 0; one < processes; one++)
                if (asleep & bit(one) && !are_dependent(before.next[one], before.next[before.chosen]))
                    node.sleep |= bit(one);
        }
        Mask candidates = enabled & ~node.sleep;
        if (forced >= 0) {
            node.chosen = forced;
        } else if (candidates == 0) {
            // All that could come has been explored after another beginning.
            isRedundant = true;
            return lowest(enabled);
        } else {
            // On with the same thread, which is no interruption.
            node.chosen = lowest(candidates);
            for (int one : {running + most_threads, running})
                if (running >= 0 && candidates & bit(one)) node.chosen = one;
        }
        node.backtrack = reduction == Reduction::none ? enabled : bit(node.chosen);
        nodes.push_back(node);
        return take(nodes.back());
    }

    // A step is about to be made: what it meets could have come after it. `before`: what happened before it in its own
    // process; the clock of the step has all that it depends on.
    void meet(const Step &made, const Clock &before) {
        if (isRedundant) return;
        const Step *met[processes];
        for (int other = 0; other < processes; other++)
            met[other] = other == made.process ? nullptr : latest(other, before, [&](const Step &step) {
                return are_dependent(step.operation, made.operation) && may_meet(step.operation, made.operation);
            });
        for (const Step *one : met) {
            if (one == nullptr) continue;
            const int at = static_cast<int>(one - steps.data());
            bool isCovered = false;
            for (const Step *later : met)
                isCovered |= later != nullptr && later != one && later->clock.at[one->process] > at;
            if (!isCovered) consider(static_cast<size_t>(at), made.process, made.clock);
        }
    }

    // @return Whether there is another schedule.
    bool advance() {
        if (isRedundant)
            redundant++;
        else
            schedules++;
        while (!nodes.empty()) {
            Node &node = nodes.back();
            node.done |= bit(node.chosen);
            Mask left = node.backtrack & ~node.done & ~node.sleep;
            while (left) {
                int one = lowest(left);
                if (bound < 0 || node.interruptions + interrupts(node, one) <= bound) {
                    node.chosen = one;
                    return true;
                }
                left &= ~bit(one);
            }
            nodes.pop_back();
        }
        return false;
    }

    void clear() {
        nodes.clear();
        schedules = redundant = 0;
    }

  private:
    struct Node {
        Mask enabled = 0, backtrack = 0, done = 0, sleep = 0;
        int chosen = 0;
        int running = -1;      // the thread that made the last step
        int interruptions = 0; // until here
        Operation next[processes];
    };
    std::vector<Node> nodes;
    std::vector<int> stepsOf[processes]; // where in `steps`
    int running = -1, interruptions = 0;

    static int lowest(Mask mask) { return __builtin_ctz(mask); }

    // Whether to go on with a process is to interrupt a thread that could go on.
    static int interrupts(const Node &node, int process) {
        if (is_buffer(process) || node.running < 0 || node.running == process) return 0;
        return node.enabled & (bit(node.running) | bit(node.running + most_threads)) ? 1 : 0;
    }

    int take(const Node &node) {
        interruptions = node.interruptions + interrupts(node, node.chosen);
        running = is_buffer(node.chosen) ? node.running : node.chosen;
        return node.chosen;
    }

    // Lets a process go on before a step that it does not commute with. Where interruptions are counted, it could have
    // done so without one at the beginning of what that thread did in one go (bounded partial order reduction, after
    // Coons, Musuvathi and McKinley, which takes more schedules and no sleep sets).
    void consider(size_t at, int process, const Clock &clock) {
        if (bound < 0) return add(at, process, clock);
        addAny(at, process);
        size_t begin = at;
        while (begin > 0 && nodes[begin].running == nodes[at].running) begin--;
        if (begin != at) addAny(begin, process);
    }

    void addAny(size_t at, int process) {
        Node &node = nodes[at];
        node.backtrack |= node.enabled & bit(process) ? bit(process) : node.enabled;
    }

    // What comes after a step, but not because of it, and then that process: one of those that can begin with that has
    // to go on instead of the step (a source set, after Abdulla, Aronis, Jonsson and Sagonas).
    void add(size_t at, int process, const Clock &clock) {
        Node &node = nodes[at];
        if (!(node.enabled & ~node.backtrack)) return;
        const int first = static_cast<int>(at);
        Mask begun = 0, initials = 0;
        std::vector<int> rest;
        for (size_t later = at + 1; later < steps.size(); later++) {
            const Step &step = steps[later];
            if (step.clock.at[steps[at].process] > first) continue;
            if (!(begun & bit(step.process)) && comesFirst(rest, step.clock)) initials |= bit(step.process);
            begun |= bit(step.process);
            rest.push_back(static_cast<int>(later));
        }
        if (!(begun & bit(process)) && comesFirst(rest, clock)) initials |= bit(process);
        if (initials & node.backtrack) return;
        initials &= node.enabled;
        node.backtrack |= initials ? bit(lowest(initials)) : node.enabled;
    }

    bool comesFirst(const std::vector<int> &rest, const Clock &clock) const {
        for (int one : rest)
            if (clock.at[steps[static_cast<size_t>(one)].process] > one) return false;
        return true;
    }
};
