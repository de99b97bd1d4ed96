// SPDX-License-Identifier: MIT
// Threads, their store buffers (as those of x86: total store order), locks and conditions, one step after the other.
#pragma once
#include "fibres.hpp"
#include "memory.hpp"
#include "races.hpp"
#include "search.hpp"
#include <string>

// Whether a change would leave a value as it is.
struct Silent {
    bool (*asks)(void *context, uint64_t now) = nullptr;
    void *context = nullptr;
};

class Machine {
  public:
    // What is explored. `enter` runs once on each thread, before all schedules. `prepare` runs first, then `begin` of
    // each thread, both alone; then `run` of all, in each order; then `finish`, alone.
    struct Program {
        std::string name;
        int threads = 2;
        void (*enter)() = nullptr;
        void (*prepare)() = nullptr;
        void (*begin)(int thread) = nullptr;
        void (*run)(int thread) = nullptr;
        void (*finish)() = nullptr;
        std::string (*story)() = nullptr; // what is done, in lines
    };

    Search search;
    Program program;
    bool isExploring = false;
    int current = -1;        // the thread that runs; -1: what prepares and finishes
    std::vector<int> forced; // the schedule that is to be replayed
    bool isReplaying = false;
    uint64_t steps = 0;

    // @return Whether all schedules have been explored.
    bool explore(const Program &program, uint64_t limit);
    // Replays a schedule: t0x4,f0,t1 is four steps of thread 0, a store of it that reaches memory, and a step of
    // thread 1.
    void follow(const std::string &schedule);

    // What threads do.
    void act(Kind kind, uintptr_t address = 0, uint32_t size = 0, const void *from = nullptr, uintptr_t other = 0,
             Silent silent = {});
    uint64_t load(uintptr_t address, uint8_t size, int order, const void *from);
    void store(uintptr_t address, uint8_t size, uint64_t value, int order, const void *from);
    // What is not atomic has to be there, and no other thread may be at it.
    void plain(uintptr_t address, uint32_t size, bool isWrite, const void *from);
    uint64_t count(uintptr_t address, uint8_t size, uint64_t by, int order, const void *from);
    template <typename Change>
    uint64_t rmw(uintptr_t address, uint8_t size, int order, const void *from, Change change) {
        act(Kind::rmw, address, size, from, 0,
            {[](void *change, uint64_t now) {
                 uint64_t after = now;
                 return (*static_cast<Change *>(change))(after), after == now;
             },
             &change});
        synchronise(address, order);
        uint64_t before = read(address, size), after = before;
        change(after);
        if (after != before) write(address, size, after);
        seen(after);
        return before;
    }
    uint64_t release(uintptr_t address, uint8_t size, uint64_t by, int order, const void *from);
    void lock(uintptr_t mutex, const void *from);
    void unlock(uintptr_t mutex, const void *from);
    void wait(uintptr_t condition, uintptr_t mutex, bool isTimed, const void *from);
    void announce(uintptr_t condition, const void *from);
    void sleep(uintptr_t address, uint32_t expected, const void *from);
    void futex_wake(uintptr_t address, const void *from);
    void yield(const void *from);
    void fence(const void *from);
    void barrier(const void *from);
    void annotate(const char *says, const void *about, const void *too = nullptr, Kind kind = Kind::annotation);
    void release(void *memory); // frees it
    int fences() const { return current < 0 ? 0 : threads[current].fences; }
    int waits() const { return current < 0 ? 0 : threads[current].waits; }
    int held() const { return current < 0 ? 0 : threads[current].held; }
    void seen(uint64_t value) {
        if (isExploring && !search.steps.empty()) search.steps.back().value = value;
    }
    std::string describe() const;

    static uint64_t read(uintptr_t address, uint8_t size);
    static void write(uintptr_t address, uint8_t size, uint64_t value);
    static void check(uintptr_t address, const char *what);

  private:
    void synchronise(uintptr_t address, int order);

    struct Store {
        uintptr_t address;
        uint64_t value;
        uint8_t size;
        Clock clock;
        const void *from;
        bool publishes;
        Races::Clock published;
    };
    // What a thread has looked at, without having done anything else since, and how often it saw that.
    struct Look {
        const void *from = nullptr;
        uintptr_t address = 0;
        uint64_t value = 0;
        int times = 0;
    };
    struct Thread {
        Fibre fibre;
        Operation next;
        Silent silent;
        const void *from = nullptr;
        const char *says = nullptr;
        bool isFinished = true, isAnnounced = false, isTimed = false;
        std::vector<Store> buffer;
        int held = 0;
        int fences = 0, waits = 0; // how many it has passed, or had all pass, and how often it has waited
        uint64_t ownChanges = 0, seenChanges = 0;
        Clock clock;
        Look look;
    };
    Thread threads[most_threads];
    ThreadLocals own{pthread_self()};
    Clock bufferClocks[processes];
    Races races;
    uint64_t changes = 0;
    int idle = 0;

    void once();
    Mask enabled(bool isIdle) const;
    bool canGoOn(const Thread &thread, bool isIdle) const;
    void step(int process);
    void flush(int thread);
    Operation next_of(int process) const;
    Clock clock_of(int process) const;
    static void body(int thread);
};

extern Machine machine;

// Whether code belongs to the runtime's counting of references.
bool counts_references(const void *from);
