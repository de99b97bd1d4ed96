// SPDX-License-Identifier: MIT
// What a thread is about to do that others can see, and which two of these do not commute.
#pragma once
#include <cstddef>
#include <cstdint>

enum class Kind : uint8_t {
    none,
    begin, // a thread's first
    load,
    read,    // of plain memory
    write,   // the same
    store,   // into the thread's own store buffer: no other thread sees that yet
    flush,   // the oldest store of a thread reaches memory
    rmw,     // an atomic read-modify-write, or a sequentially consistent store: locked
    release, // one reference less
    free,    // of a block of memory: as if it were written to
    fence,   // of the own thread
    barrier, // membarrier(2): of all threads
    lock,
    unlock,
    wait,      // for a condition: gives the lock up
    signalled, // takes the lock again, after a signal
    signal,
    futex_wait,
    futex_woken, // after that
    futex_wake,
    yield,                // goes on when another thread has changed something
    annotation,           // of a test: counts as a change of what it is about
    commuting_annotation, // also, but they commute with each other
    looking_annotation,   // as if it looked at that
};

struct Operation {
    Kind kind = Kind::none;
    uint8_t thread = 0; // whose; of a flush: whose store buffer
    uint32_t size = 0;
    uintptr_t address = 0;
    uintptr_t other = 0; // the condition, where the address is that of a lock; what a note is about, too
    // As things are, memory stays as it is; of a drop: others could come first and none of them were the last.
    bool isSilent = false;
    bool isForwarded = false; // a load that sees what is in the thread's own store buffer
};

inline const char *name_of(Kind kind) {
    static const char *const names[] = {"none",  "begin",  "load",    "read",       "write",      "store",
                                        "flush", "rmw",    "release", "free",       "fence",      "barrier",
                                        "lock",  "unlock", "wait",    "signalled",  "signal",     "futex wait",
                                        "woken", "wake",   "yield",   "annotation", "annotation", "annotation"};
    return names[static_cast<int>(kind)];
}

inline bool touches_memory(Kind kind) {
    return kind == Kind::load || kind == Kind::read || kind == Kind::write || kind == Kind::flush ||
           kind == Kind::rmw || kind == Kind::release || kind == Kind::free;
}
inline bool writes(const Operation &one) {
    if (one.kind == Kind::flush || one.kind == Kind::rmw) return !one.isSilent;
    return one.kind == Kind::write || one.kind == Kind::release || one.kind == Kind::free;
}
// Whether a thread does it although its own stores have not reached memory.
inline bool goes_ahead(Kind kind) {
    return kind == Kind::load || kind == Kind::read || kind == Kind::write || kind == Kind::store;
}
inline bool is_of_lock(Kind kind) {
    return kind == Kind::lock || kind == Kind::unlock || kind == Kind::wait || kind == Kind::signalled ||
           kind == Kind::signal;
}
inline bool is_of_test(Kind kind) {
    return kind == Kind::annotation || kind == Kind::commuting_annotation || kind == Kind::looking_annotation;
}
inline bool is_of_futex(Kind kind) {
    return kind == Kind::futex_wait || kind == Kind::futex_woken || kind == Kind::futex_wake;
}

inline bool overlap(const Operation &one, const Operation &other) {
    return one.address < other.address + other.size && other.address < one.address + one.size;
}

// How much is known of what commutes: nothing, what follows from the kinds of the operations, also what they do as
// things are. All three have to come to the same.
enum class Reduction { none, kinds, effects };
inline Reduction reduction = Reduction::effects;

// Whether the order of two operations of different threads can make a difference, as things are where the first of them
// is made. What changes memory into what it already is, and an exchange that is not made, count as looking at it.
inline bool are_dependent(const Operation &one, const Operation &other) {
    if (reduction == Reduction::none) return true;
    if (one.kind == Kind::barrier || other.kind == Kind::barrier) {
        const Operation &rest = one.kind == Kind::barrier ? other : one;
        return rest.kind == Kind::store || rest.kind == Kind::flush;
    }
    if (touches_memory(one.kind) && touches_memory(other.kind)) {
        if (one.kind == Kind::release && other.kind == Kind::release && one.isSilent && other.isSilent) return false;
        if (!overlap(one, other)) return false;
        // Whether a thread sees its own store buffer or memory.
        if (one.thread == other.thread) return true;
        return (writes(one) || writes(other)) && !one.isForwarded && !other.isForwarded;
    }
    if (is_of_lock(one.kind) && is_of_lock(other.kind))
        return (one.address && one.address == other.address) || (one.other && one.other == other.other);
    if (is_of_futex(one.kind) || is_of_futex(other.kind)) {
        // A futex looks at memory as it goes to sleep.
        if (is_of_futex(one.kind) && is_of_futex(other.kind)) return one.address == other.address;
        const Operation &rest = is_of_futex(one.kind) ? other : one;
        return writes(rest) && overlap(one, other);
    }
    if (is_of_test(one.kind) && is_of_test(other.kind) &&
        !(one.kind == Kind::looking_annotation && other.kind == Kind::looking_annotation)) {
        const bool areMarks = one.kind == Kind::commuting_annotation && other.kind == Kind::commuting_annotation &&
                              reduction == Reduction::effects;
        return (one.address && one.address == other.address && !areMarks) || (one.other && one.other == other.other);
    }
    return false;
}

// Whether both can be possible in one state: a thread waits for its own store buffer with all that does not go ahead. A
// lock that is held cannot be taken, and what is to be flushed is in the way of a barrier.
inline bool may_meet(const Operation &one, const Operation &other) {
    auto leaves = [](Kind kind) { return kind == Kind::unlock || kind == Kind::wait; };
    auto takes = [](Kind kind) { return kind == Kind::lock || kind == Kind::signalled; };
    if (is_of_lock(one.kind) && is_of_lock(other.kind)) {
        if (leaves(one.kind) && (takes(other.kind) || leaves(other.kind)) && one.address == other.address) return false;
        if (leaves(other.kind) && takes(one.kind) && one.address == other.address) return false;
    }
    auto looks = [](Kind kind) { return goes_ahead(kind) && kind != Kind::store; };
    if (one.thread == other.thread && !looks(one.kind) && !looks(other.kind)) return false;
    if (one.kind == Kind::barrier && other.kind == Kind::flush) return false;
    if (other.kind == Kind::barrier && one.kind == Kind::flush) return false;
    return true;
}
