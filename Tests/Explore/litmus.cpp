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
    machine.rmw(reinterpret_cast<uintptr_t>(&at), 4, relaxed, nullptr, [](uint64_t &now) { now++; });
}
void lock(int one) { machine.lock(reinterpret_cast<uintptr_t>(mutexes[one]), nullptr); }
void unlock(int one) { machine.unlock(reinterpret_cast<uintptr_t>(mutexes[one]), nullptr); }

void reset() {
    memory = {0, 0, 3};
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

// Whatever is known of what commutes, the outcomes are the same.
void expect(const char *name, int threads, void (*run)(int), size_t count) {
    Machine::Program program{name, threads, nullptr, reset, nothing, run, record};
    unsigned long long schedules[3];
    for (Reduction one : {Reduction::none, Reduction::kinds, Reduction::effects}) {
        reduction = one;
        outcomes.clear();
        if (!machine.explore(program, 10000000)) broken("%s: too many schedules", name);
        if (outcomes.size() != count) broken("%zu outcomes instead of %zu", outcomes.size(), count);
        schedules[static_cast<int>(one)] = machine.search.schedules;
    }
    printf("%-58s %zu outcomes in %llu schedules, %llu and %llu of them told apart\n", name, count, schedules[0],
           schedules[1], schedules[2]);
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
// A thread that tries for a while gets on or gives up.
void try_for_a_while(int thread) {
    for (int one = 0; thread == 0 && one < 6 && !seen[0][0]; one++) seen[0][0] = load(memory.x);
    if (thread) store(memory.x, 1);
}
void take_once(int thread) {
    auto take = [](uint64_t &now) {
        if (now == 0) now = 1;
    };
    seen[thread][0] =
        1 - static_cast<uint32_t>(machine.rmw(reinterpret_cast<uintptr_t>(&memory.x), 4, relaxed, nullptr, take));
    seen[thread][1] = load(memory.x);
}
void take_and_give_back(int thread) {
    if (take_once(thread), seen[thread][0]) store(memory.x, 0);
}
void store_the_same(int thread) {
    store(memory.x, thread == 2 ? 0 : 1);
    seen[thread][0] = load(memory.x);
}
// The last of three finds itself alone.
void drop(int thread) {
    seen[thread][0] = machine.release(reinterpret_cast<uintptr_t>(&memory.z), 4, 1, both, nullptr) == 1;
}
void drop_twice(int thread) {
    drop(thread);
    if (thread == 0) seen[0][1] = load(memory.z);
    if (thread == 1) drop(thread);
}
void publish(int thread) {
    if (thread < 2)
        store(thread ? memory.y : memory.x, 1);
    else {
        seen[2][0] = load(memory.x);
        seen[2][1] = load(memory.y);
    }
}

// Programs of a few operations each, put together at random.
struct Instruction {
    int what, value;
    uint32_t *at;
};
std::vector<Instruction> instructions[most_threads];
std::vector<uint64_t> results[most_threads];
std::set<std::vector<uint64_t>> random_outcomes;

void reset_random() {
    reset();
    for (auto &one : results) one.clear();
}
void run_random(int thread) {
    bool isLocked = false;
    for (const Instruction &one : instructions[thread]) {
        auto address = reinterpret_cast<uintptr_t>(one.at);
        auto value = static_cast<uint64_t>(one.value);
        auto change = [&](auto body) { results[thread].push_back(machine.rmw(address, 4, both, nullptr, body)); };
        bool unlocks = isLocked;
        switch (one.what) {
        case 0:
        case 1:
            store(*one.at, static_cast<uint32_t>(value));
            break;
        case 2:
        case 3:
        case 4:
            results[thread].push_back(load(*one.at));
            break;
        case 5:
            change([=](uint64_t &now) { now = now == value ? 1 - value : now; });
            break;
        case 6:
            change([=](uint64_t &now) { now = value; });
            break;
        case 7:
            store(*one.at, static_cast<uint32_t>(value), true);
            break;
        case 8:
            machine.barrier(nullptr);
            break;
        case 9:
            machine.fence(nullptr);
            break;
        case 10:
            results[thread].push_back(machine.release(reinterpret_cast<uintptr_t>(&memory.z), 4, 1, both, nullptr) ==
                                      1);
            break;
        default:
            if (!isLocked) lock(0);
            isLocked = true;
        }
        if (unlocks && isLocked) unlock(0), isLocked = false;
    }
    if (isLocked) unlock(0);
}
void record_random() {
    std::vector<uint64_t> outcome = {memory.x, memory.y};
    for (auto &thread : results) {
        outcome.push_back(UINT64_MAX);
        outcome.insert(outcome.end(), thread.begin(), thread.end());
    }
    random_outcomes.insert(outcome);
}

void check_random(int count) {
    uint32_t state = 1;
    auto pick = [&](uint32_t below) {
        state = state * 1664525 + 1013904223;
        return (state >> 16) % below;
    };
    uint64_t schedules[3] = {};
    size_t all = 0;
    for (int number = 0; number < count; number++) {
        const int threads = number % 3 == 0 ? 3 : 2;
        for (int thread = 0; thread < most_threads; thread++) {
            instructions[thread].clear();
            for (int one = 0; thread < threads && one < (threads == 3 ? 2 : 4); one++)
                instructions[thread].push_back(
                    {static_cast<int>(pick(12)), static_cast<int>(pick(2)), pick(3) ? &memory.x : &memory.y});
        }
        std::set<std::vector<uint64_t>> expected;
        machine.search.bound = number % 4 - 1; // or as many interruptions as there can be
        for (Reduction one : {Reduction::none, Reduction::kinds, Reduction::effects}) {
            reduction = one;
            random_outcomes.clear();
            Machine::Program program{"random program " + std::to_string(number),
                                     threads,
                                     nullptr,
                                     reset_random,
                                     nothing,
                                     run_random,
                                     record_random};
            if (!machine.explore(program, 10000000)) broken("too many schedules");
            if (one == Reduction::none) expected = random_outcomes;
            if (random_outcomes != expected)
                broken("%zu outcomes instead of %zu with reduction %d", random_outcomes.size(), expected.size(),
                       static_cast<int>(one));
            schedules[static_cast<int>(one)] += machine.search.schedules;
        }
        all += expected.size();
    }
    machine.search.bound = -1;
    printf("%d random programs: %zu outcomes in %llu schedules, %llu and %llu of them told apart\n", count, all,
           static_cast<unsigned long long>(schedules[0]), static_cast<unsigned long long>(schedules[1]),
           static_cast<unsigned long long>(schedules[2]));
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
    expect("a thread that tries for a while gets on or gives up", 2, try_for_a_while, 2);
    expect("of three that take something one gets it", 3, take_once, 3);
    expect("what is given back can be taken again", 3, take_and_give_back, 19);
    expect("two of three store the same", 3, store_the_same, 10);
    expect("the last of three drops what they share", 3, drop, 3);
    expect("of two, with a look at what is left", 2, drop_twice, 4);
    expect("two stores of two threads, seen by a third", 3, publish, 4);
    check_random(getenv("RANDOM_PROGRAMS") ? atoi(getenv("RANDOM_PROGRAMS")) : 300);
    reduction = Reduction::effects;
}
