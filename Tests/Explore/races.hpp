// SPDX-License-Identifier: MIT
// Whether two threads are at the same plain memory at once, by what the orderings of the atomic operations promise (as
// the thread sanitizer does it, with vector clocks), in the schedule at hand.
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>

// As the compilers number them.
enum Order { relaxed, consume, acquire, release, both, sequential };
inline bool acquires(int order) { return order == acquire || order == consume || order >= both; }
inline bool releases(int order) { return order >= release; }

class Races {
  public:
    static constexpr int most = 3;

    struct Clock {
        uint32_t at[most] = {};
        void join(const Clock &other) {
            for (int one = 0; one < most; one++) at[one] = std::max(at[one], other.at[one]);
        }
    };

    void begin() {
        schedule++;
        synchronised.clear();
        for (int one = 0; one < most; one++) {
            threads[one] = Clock();
            threads[one].at[one] = 1;
        }
    }

    // What a thread has done by now, for those that acquire it.
    Clock publish(int thread) {
        Clock clock = threads[thread];
        threads[thread].at[thread]++;
        return clock;
    }

    void acquired(int thread, uintptr_t from) {
        auto found = synchronised.find(from);
        if (found != synchronised.end()) threads[thread].join(found->second);
    }
    void released(int thread, uintptr_t to) { synchronised[to].join(publish(thread)); }

    // A store reaches memory; `clock` is what it publishes, if anything.
    void stored(uintptr_t to, const Clock *clock) {
        if (clock)
            synchronised[to] = *clock;
        else
            synchronised.erase(to);
    }

    void metAll() {
        Clock all;
        for (int one = 0; one < most; one++) all.join(publish(one));
        for (Clock &clock : threads) clock.join(all);
    }

    // @return Whether another thread may be there at once.
    bool touches(int thread, uintptr_t address, bool isWrite) {
        Cell &cell = cells[(address >> 2 ^ address >> 15) % count];
        if (cell.address != address || cell.schedule != schedule) {
            cell = Cell();
            cell.address = address;
            cell.schedule = schedule;
        }
        const Clock &clock = threads[thread];
        for (int other = 0; other < most; other++) {
            if (other == thread) continue;
            if (cell.written[other] > clock.at[other] || (isWrite && cell.read[other] > clock.at[other])) return true;
        }
        (isWrite ? cell.written : cell.read)[thread] = clock.at[thread];
        return false;
    }

  private:
    struct Cell {
        uintptr_t address = 0;
        uint64_t schedule = 0;
        uint32_t written[most] = {}, read[most] = {};
    };
    static constexpr size_t count = 1 << 15;
    Cell cells[count];
    uint64_t schedule = 0;
    Clock threads[most];
    std::unordered_map<uintptr_t, Clock> synchronised;
};
