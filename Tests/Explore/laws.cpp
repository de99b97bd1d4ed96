// SPDX-License-Identifier: MIT
// What must hold of each schedule, whatever the threads did.
#include "world.hpp"
#include <map>
#include <set>

namespace {

size_t place_of(Happened what, int slot, int64_t value) {
    for (size_t at = 0; at < world.log.size(); at++) {
        const Entry &entry = world.log[at];
        if (entry.what == what && entry.slot == slot && entry.value == value) return at;
    }
    return SIZE_MAX;
}

bool is_replay(const Entry &entry) {
    return world.slot[entry.slot].isReplayed && world.isVariable && entry.before == entry.value;
}

void each_message_once_and_in_the_order_of_its_sender() {
    std::map<std::pair<int, int64_t>, int64_t> latest;
    for (const Entry &entry : world.log) {
        if (entry.what != Happened::received || is_replay(entry)) continue;
        if (world.isBatched) continue;
        auto sender = entry.value / 100;
        auto found = latest.find({entry.slot, sender});
        if (found != latest.end() && found->second == entry.value)
            broken("a message is received twice: %ld", static_cast<long>(entry.value));
        if (found != latest.end() && found->second > entry.value && world.isOrdered)
            broken("a message of one sender overtakes another: %ld (law 4)", static_cast<long>(entry.value));
        latest[{entry.slot, sender}] = entry.value;
    }
}

void one_message_after_the_other() {
    if (!world.isOrdered) return;
    std::set<int64_t> offered;
    std::map<std::pair<int, int>, int> before; // which of two observations came first
    int64_t present = -1;
    std::vector<int> received;
    for (const Entry &entry : world.log) {
        if (entry.what != Happened::received || is_replay(entry) ||
            (world.isQueued && !world.isConfined && entry.slot == 0))
            continue;
        if (entry.value != present) {
            if (!offered.insert(entry.value).second)
                broken("message %ld is offered again after the next one (law 1)", static_cast<long>(entry.value));
            present = entry.value;
            received.clear();
        }
        for (int earlier : received) {
            before[{earlier, entry.slot}] = 1;
            if (before.count({entry.slot, earlier}) || (entry.slot < 2 && earlier > entry.slot))
                broken("observation %d is offered a message after %d, which began later (law 2)", entry.slot, earlier);
        }
        received.push_back(entry.slot);
    }
}

// A call that another thread is about to make is running, as far as a thread can know that stops without waiting: so
// one call of each other thread may come late.
void nothing_after_stop() {
    const Entry *stopped[slots] = {};
    std::set<std::pair<int, int>> late;
    for (const Entry &entry : world.log) {
        if (entry.what == Happened::stopped && (stopped[entry.slot] == nullptr || entry.value == waited))
            stopped[entry.slot] = &entry;
        if (entry.what != Happened::received || stopped[entry.slot] == nullptr) continue;
        const Entry &stop = *stopped[entry.slot];
        if (stop.value != waited && stop.thread != entry.thread && late.insert({entry.slot, entry.thread}).second)
            continue;
        broken("observation %d receives message %ld after it was stopped (law 7)", entry.slot,
               static_cast<long>(entry.value));
    }
}

// What is sent after an observation was stopped or blocked does not reach it.
void nothing_that_was_sent_later() {
    bool isOver[slots] = {};
    std::set<std::pair<int, int64_t>> unwanted;
    for (const Entry &entry : world.log) {
        if (entry.what == Happened::stopped || entry.what == Happened::blocked) isOver[entry.slot] = true;
        for (int one = 0; entry.what == Happened::sending && one < slots; one++)
            if (isOver[one]) unwanted.insert({one, entry.value});
        if (entry.what == Happened::received && unwanted.count({entry.slot, entry.value}))
            broken("message %ld reaches observation %d, which was stopped or blocked before it was sent (law 7)",
                   static_cast<long>(entry.value), entry.slot);
    }
}

// Whether all other messages had been sent when one was.
bool is_last(size_t sending) {
    for (size_t at = sending; at < world.log.size(); at++)
        if (world.log[at].what == Happened::sent && world.log[at].value != world.log[sending].value) return false;
    return true;
}

void nothing_is_lost() {
    // Of what waits for time the last one arrives.
    const bool isLastOnly = world.clock && world.mayMiss;
    if ((world.mayMiss && !isLastOnly) || world.isBatched || world.isDerived) return;
    for (size_t sending = 0; sending < world.log.size(); sending++) {
        if (world.log[sending].what != Happened::sending || (isLastOnly && !is_last(sending))) continue;
        for (int number = 0; number < slots; number++) {
            const Slot &slot = world.slot[number];
            if (!slot.isUsed || slot.isDisturbed || slot.isCombined) continue;
            if (number >= 2 && place_of(Happened::observed, number, 0) > sending) continue;
            if (place_of(Happened::received, number, world.log[sending].value) == SIZE_MAX)
                broken("message %ld does not reach observation %d (law 4)", static_cast<long>(world.log[sending].value),
                       number);
        }
    }
}

// Each update begins where the one before it ended, and the first with the value that was replayed.
void updates_are_a_chain() {
    if (!world.isVariable || world.mayMiss || !world.isOrdered) return;
    swo_value last = swo_null();
    if (swo_variable_get(world.observed, &last) != SWO_OK) broken("a variable cannot be read");
    for (int number = 0; number < slots; number++) {
        const Slot &slot = world.slot[number];
        // Of a variable in a batch a replay is the value of that moment.
        if (!slot.isUsed || slot.isDisturbed || slot.isCombined || (slot.isReplayed && world.isBatched)) continue;
        bool isFirst = true;
        int64_t value = 0;
        for (const Entry &entry : world.log) {
            if (entry.what != Happened::received || entry.slot != number) continue;
            if (isFirst && slot.isReplayed && !is_replay(entry))
                broken("observation %d receives %ld before its replay (law 19)", number,
                       static_cast<long>(entry.value));
            if (!isFirst && entry.before != value)
                broken("observation %d has missed what came before %ld (law 15)", number,
                       static_cast<long>(entry.value));
            isFirst = false;
            value = entry.value;
        }
        if (slot.isReplayed && isFirst) broken("observation %d has received no replay (law 19)", number);
        // A derived variable is as it was where nothing came.
        if (world.isDerived && isFirst && number < 2) value = 900;
        if ((!isFirst || (world.isDerived && number < 2)) && value != last.as.int64)
            broken("observation %d does not know the last value (law 15)", number);
    }
}

// Whatever the order: no value is set twice, so none is left twice.
void each_update_begins_with_a_value_of_its_own() {
    if (!world.isVariable) return;
    std::set<std::pair<int, int64_t>> left;
    for (const Entry &entry : world.log) {
        if (entry.what != Happened::received || is_replay(entry) || world.slot[entry.slot].isCombined) continue;
        if (!left.insert({entry.slot, entry.before}).second)
            broken("two updates of observation %d begin with %ld (law 17)", entry.slot,
                   static_cast<long>(entry.before));
    }
}

// A combined observation has seen the last value that was set after it began.
void combined_observations_know_the_last_value() {
    if (world.mayMiss || world.isBatched) return;
    for (int number = 0; number < slots; number++) {
        const Slot &slot = world.slot[number];
        if (!slot.isCombined || slot.isDisturbed) continue;
        size_t begun = place_of(Happened::observed, number, 0);
        bool isSent = false;
        for (size_t at = begun; at < world.log.size(); at++) isSent |= world.log[at].what == Happened::sending;
        swo_value last = swo_null();
        if (isSent && swo_variable_get(world.subject, &last) == SWO_OK && slot.last != last.as.int64)
            broken("combined observation %d has seen %ld last, which is not the last value (law 21)", number,
                   static_cast<long>(slot.last));
    }
}

void hooks_are_left() {
    for (int hooked : world.hooked)
        if (hooked != 0) broken("hooks are entered, and not left");
}

} // namespace

void check_laws() {
    each_message_once_and_in_the_order_of_its_sender();
    one_message_after_the_other();
    nothing_after_stop();
    nothing_that_was_sent_later();
    nothing_is_lost();
    if (!world.closes) updates_are_a_chain();
    each_update_begins_with_a_value_of_its_own();
    if (!world.closes) combined_observations_know_the_last_value();
    hooks_are_left();
}
