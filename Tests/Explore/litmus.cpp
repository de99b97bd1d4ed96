// SPDX-License-Identifier: MIT
// The explorer itself: small programs of which it is known what can come of them.
#include "machine.hpp"
#include <atomic>
#include <set>

namespace {
struct Memory {
    uint32_t x, y, z;
} memory;
uint32_t seen[most_threads][2];
std::set<std::string> outcomes;
uint32_t mutexes[2][16], condition;
bool is_ready;

uint32_t load(uint32_t &at) {
    return static_cast<uint32_t>(machine.load(reinterpret_cast<uintptr_t>(&at), 4, relaxed, nullptr));
}
void store(uint32_t &at, uint32_t value, bool isFenced = false) {
    machine.store(reinterpret_cast<uintptr_t>(&at), 4, value, isFenced ? sequential : relaxed, nullptr);
}
void add(uint32_t &at) {
    machine.change(reinterpret_cast<uintptr_t>(&at), 4, relaxed, nullptr, [](uint64_t &now) { now++; });
}
void lock(int one) { machine.lock(reinterpret_cast<uintptr_t>(mutexes[one]), nullptr); }
void unlock(int one) { machine.unlock(reinterpret_cast<uintptr_t>(mutexes[one]), nullptr); }

void reset() {
    memory = {};
    is_ready = false;
    std::memset(seen, 0, sizeof seen);
    std::memset(mutexes, 0, sizeof mutexes);
}
void nothing(int) {}
void record() {
    std::string outcome;
    for (auto &thread : seen)
        for (uint32_t one : thread) outcome += std::to_string(one);
    outcomes.insert(outcome + " " + std::to_string(memory.x) + std::to_string(memory.y));
}

void expect(const char *name, int threads, void (*run)(int), size_t count, bool isReduced = true) {
    Machine::Program program{name, threads, reset, nothing, run, record};
    outcomes.clear();
    machine.explore(program, 1000000);
    if (outcomes.size() != count) broken("%zu outcomes instead of %zu", outcomes.size(), count);
    printf("%-58s %6llu schedules, %zu outcomes\n", name, static_cast<unsigned long long>(machine.search.schedules),
           count);
    (void)isReduced;
}

// Each thread stores, and looks at what the other one stores.
void meet_each_other(int thread) {
    store(thread ? memory.y : memory.x, 1);
    seen[thread][0] = load(thread ? memory.x : memory.y);
}
void meet_fenced(int thread) {
    store(thread ? memory.y : memory.x, 1, true);
    seen[thread][0] = load(thread ? memory.x : memory.y);
}
// One thread has the kernel fence for both.
void meet_by_barrier(int thread) {
    store(thread ? memory.y : memory.x, 1);
    if (thread) machine.barrier(nullptr);
    seen[thread][0] = load(thread ? memory.x : memory.y);
}
void pass_message(int thread) {
    if (thread == 0) {
        store(memory.x, 1);
        store(memory.y, 1);
    } else {
        seen[1][0] = load(memory.y);
        seen[1][1] = load(memory.x);
    }
}
void count_atomically(int) { add(memory.x); }
void count_badly(int) { store(memory.x, load(memory.x) + 1); }
void count_locked(int) {
    lock(0);
    store(memory.x, load(memory.x) + 1);
    unlock(0);
}
// Three threads that have nothing to do with each other take one schedule.
void keep_apart(int thread) { add(thread == 0 ? memory.x : thread == 1 ? memory.y : memory.z); }
void wait_for_other(int thread) {
    lock(0);
    if (thread == 0) {
        while (!is_ready)
            machine.wait(reinterpret_cast<uintptr_t>(&condition), reinterpret_cast<uintptr_t>(mutexes[0]), false,
                         nullptr);
    } else {
        is_ready = true;
        machine.announce(reinterpret_cast<uintptr_t>(&condition), nullptr);
    }
    unlock(0);
}
void spin(int thread) {
    if (thread == 0)
        while (load(memory.x) == 0) machine.yield(nullptr);
    else
        store(memory.x, 1);
}
void publish(int thread) {
    if (thread < 2)
        store(thread ? memory.y : memory.x, 1);
    else {
        seen[2][0] = load(memory.x);
        seen[2][1] = load(memory.y);
    }
}
} // namespace

void check_litmus() {
    expect("two threads that store and look can both see nothing", 2, meet_each_other, 4);
    expect("fenced, one sees the other", 2, meet_fenced, 3);
    expect("where one passes membarrier, one sees the other", 2, meet_by_barrier, 3);
    expect("stores arrive in their order", 2, pass_message, 3);
    expect("three threads count atomically", 3, count_atomically, 1);
    expect("two threads that count badly can lose one", 2, count_badly, 2);
    expect("two threads count under a lock", 2, count_locked, 1);
    expect("what commutes takes one schedule", 3, keep_apart, 1);
    if (machine.search.schedules != 1)
        broken("%llu schedules instead of 1", static_cast<unsigned long long>(machine.search.schedules));
    expect("an announcement under the lock is not lost", 2, wait_for_other, 1);
    expect("a thread that spins gets on", 2, spin, 1);
    expect("two stores of two threads, seen by a third", 3, publish, 4);
}
