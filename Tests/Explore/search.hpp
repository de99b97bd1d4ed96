// SPDX-License-Identifier: MIT
// Which schedule comes next: depth first, with replayed beginnings. Of schedules that differ only in the order of
// operations that commute one is taken (dynamic partial order reduction after Flanagan and Godefroid, with sleep sets).
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
        if (depth > 0) {
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
            node.chosen = running >= 0 && candidates & bit(running) ? running : lowest(candidates);
        }
        node.backtrack = bit(node.chosen);
        nodes.push_back(node);
        return take(nodes.back());
    }

    // A process is about to do something that it was not about to do before.
    void meet(int process, const Operation &operation, const Clock &clock) {
        if (isRedundant) return;
        const Step *last = nullptr;
        for (int other = 0; other < processes; other++) {
            if (thread_of(other) == thread_of(process)) continue;
            const Step *one = latest(other, clock, [&](const Step &step) {
                return are_dependent(step.operation, operation) && may_meet(step.operation, operation);
            });
            if (one > last) last = one;
        }
        if (last != nullptr) consider(static_cast<size_t>(last - steps.data()), process, clock);
    }

    // A step has been made while a process was about to do something.
    void meetLast(int process, const Operation &operation, const Clock &clock) {
        const Step &step = steps.back();
        if (isRedundant || thread_of(step.process) == thread_of(process)) return;
        if (are_dependent(step.operation, operation) && may_meet(step.operation, operation))
            consider(steps.size() - 1, process, clock);
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

    // Lets a process go on before a step that it does not commute with.
    void consider(size_t at, int process, const Clock &clock) {
        add(at, process, clock);
        if (bound < 0) return;
        // Where interruptions are counted, also at the beginning of what that thread did in one go.
        size_t begin = at;
        while (begin > 0 && thread_of(steps[begin - 1].process) == thread_of(steps[at].process)) begin--;
        if (begin != at) add(begin, process, clock);
    }

    void add(size_t at, int process, const Clock &clock) {
        Node &node = nodes[at];
        if (node.enabled & bit(process)) {
            node.backtrack |= bit(process);
            return;
        }
        // What has to come before it, if that is known.
        for (int one = 0; one < processes; one++) {
            if (!(node.enabled & bit(one))) continue;
            for (size_t later = at + 1; later < steps.size(); later++) {
                if (steps[later].process == one && clock.at[one] > static_cast<int>(later)) {
                    node.backtrack |= bit(one);
                    return;
                }
            }
        }
        node.backtrack |= node.enabled;
    }
};
