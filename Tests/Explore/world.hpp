// SPDX-License-Identifier: MIT
// What the threads of one schedule work on, and what they have seen of it. The laws are in laws.cpp.
#pragma once
#include "machine.hpp"
#include "swiftobserver.h"
#include <vector>

enum class Happened { sending, sent, received, finished, observed, stopping, stopped, blocked };

struct Entry {
    Happened what;
    int thread;
    int slot;       // the observation
    int64_t value;  // the message: its sender's number * 100 and a number of its own
    int64_t before; // of a variable
};
constexpr int64_t waited = 1; // the value of a stop that has waited

// An observation: of a place, for it is the context that the library destroys.
struct Slot {
    swo_observation id = 0;
    bool isUsed = false;
    bool isDisturbed = false; // stopped or blocked by one of the threads
    bool isReplayed = false;
    bool isCombined = false; // with the other variable
    bool isEffect = false;   // which keeps what it depends on
    bool isOver = false;     // a stop that waits has returned
    int64_t last = -1;       // what a combined handler saw last of the subject
    int running[most_threads + 1] = {};
    int destroyed = 0;
};

constexpr int slots = 2 + 2 * most_threads;

struct World {
    swo_observable *subject = nullptr, *observed = nullptr; // what is sent to, and what is observed
    swo_observable *other = nullptr;                        // the second of what is combined, or another source
    swo_queue *queue = nullptr;
    swo_clock *clock = nullptr;         // on which messages wait
    std::vector<swo_observable *> kept; // what else there is
    bool isConfined = false;            // to thread 0, which drains the queue
    bool isBehind = false;              // what is observed stands behind what is confined, and is for any thread
    bool mayWait = false;               // in line until something else takes it over
    int hooked[most_threads + 1] = {};  // how often the hooks were entered and not left
    bool isVariable = false, isQueued = false;
    bool isOrdered = true, isDropping = false, isBatched = false, mayMiss = false;
    bool isDerived = false, isPaired = false;    // from two variables, which are only set together
    int observers = 2;                           // to begin with
    bool awaitsStop = false, hasStopped = false; // the second handler returns only after a stop that waits has
    bool isLogged = false;                       // from the beginning of the threads' work on
    bool isGivenUp[most_threads] = {};
    bool closes = false; // the threads own it, and nothing else does
    Slot slot[slots];
    std::vector<Entry> log;
    int inside = 0; // calls of handlers in progress
    int sent[most_threads] = {};
    // Done by the first handler that receives a message of that thread, with the number of the thread that calls it.
    void (*inHandler[most_threads])(int sender, int thread) = {};
    char joined = 0; // what beginning an observation and sending have in common, for the explorer
};
extern World world;

// What threads do with it.
void send(int thread);
void send_later(int thread);
void update(int thread);
void send_after_a_look(int thread); // in a transaction that both are in
void set_hooks();
void begin_observing(int slot, int thread, bool isReplayed = false);
void begin_combined(int slot);
void begin_effect(int slot);
void look(bool hasSet); // at what is observed, twice; `hasSet`: after a set of this thread's
void look_at_once();    // at all, in a snapshot
void not_under_a_lock(const char *who);
void expect_home(); // on each message of the subject
void stop(int slot, int thread, bool waits);
void block(int slot);
void give_up(int thread);

// Holds the log against the contract.
void check_laws();
