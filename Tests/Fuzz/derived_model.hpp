// SPDX-License-Identifier: MIT
// The reference model of derived variables, transactions and effects (laws 26 to 35), on one thread: what is read is
// looked through from its sources on, and recomputed if one of them has another version. No marks, no moments, no
// liveness.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

namespace fuzz::derived {

/// What a function does with what it reads.
enum class Rule : uint8_t { sum, twice, constant, remainder, choose, failing, handling, aside };
enum : int { RULES = 8, MOST_SOURCES = 3, LARGEST = 1000 };

/// A number, or why there is none.
struct Result {
    bool hasFailed = false;
    int number = 0;

    bool operator==(const Result &other) const { return hasFailed == other.hasFailed && number == other.number; }
    bool operator!=(const Result &other) const { return !(*this == other); }
};

struct Formula {
    Rule rule = Rule::constant;
    int number = 0;
    int sources[MOST_SOURCES] = {}; // nodes
    int count = 0;
};

/// The function itself. `read` reads a source, noted or not.
template <class Read> Result evaluate(const Formula &formula, Read read) {
    int sum = formula.number;
    auto add = [&](int at, bool isNoted) {
        Result one = read(formula.sources[at], isNoted);
        sum = one.hasFailed ? one.number : (sum + one.number) % LARGEST;
        return !one.hasFailed;
    };
    switch (formula.rule) {
    case Rule::constant:
        return {false, sum};
    case Rule::sum:
        for (int at = 0; at < formula.count; at++)
            if (!add(at, true)) return {true, sum};
        return {false, sum};
    case Rule::twice:
        for (int at : {0, 1, 0})
            if (!add(at, true)) return {true, sum};
        return {false, sum};
    case Rule::remainder:
        sum = 0;
        if (!add(0, true)) return {true, sum};
        return {false, sum % (formula.number + 2)};
    case Rule::choose: {
        Result which = read(formula.sources[0], true);
        return which.hasFailed ? which : read(formula.sources[which.number % 2 ? 1 : 2], true);
    }
    case Rule::failing:
        sum = 0;
        if (!add(0, true)) return {true, sum};
        if (sum % 4 == formula.number % 4) return {true, sum % 3};
        return {false, sum};
    case Rule::handling: {
        Result one = read(formula.sources[0], true);
        return one.hasFailed ? Result{false, 500 + formula.number} : one;
    }
    case Rule::aside:
        if (!add(0, true) || !add(1, false)) return {true, sum};
        return {false, sum};
    }
    return {};
}

struct Node {
    int number;
    bool isVariable = false, isDead = false, hasValue = false;
    bool isAside = false; // something that it needs is read without being noted
    Formula formula = {};
    int owners = 1; // the program, and contexts of functions
    Result result = {}, last = {};
    bool hasLast = false;
    long version = 0, checked = -1, runs = 0;
    std::vector<std::pair<int, long>> dependencies = {};
    // while it is observed
    std::vector<int> observations = {}; // tags
    bool hasSent = false;
    int sent = 0;
    long sentVersion = 0;
};

struct Effect {
    Formula formula;
    int target = -1;     // a variable that it sets
    bool counts = false; // the target, up to five
    bool isLiving = false, hasToCleanUp = false;
    std::vector<std::pair<int, long>> dependencies = {};
};

struct Happening {
    enum Type : uint8_t { source, update, effect, cleanUp } type;
    int who, old, number;

    bool operator==(const Happening &other) const {
        return type == other.type && who == other.who && old == other.old && number == other.number;
    }
    bool operator<(const Happening &other) const { return type != other.type ? type < other.type : who < other.who; }
};
using Happenings = std::vector<Happening>;

struct Model {
    std::deque<Node> nodes;
    std::deque<Effect> effects;
    Happenings happened;
    long clock = 0;
    struct Write {
        int node, number;
    };
    struct Transaction {
        bool isOpen = false, isOverlapped = false;
        std::vector<Write> writes;
        std::vector<size_t> joined;
        std::map<int, int> seen; // variables, and what they were
        bool hasReadDerived = false;
        std::vector<std::vector<int>> moments; // that its reads may be of: the values of all nodes
    };
    Transaction transaction;

    // ---- making and releasing

    int make(bool isVariable, int number, const Formula &formula) {
        nodes.push_back({(int)nodes.size()});
        Node &one = nodes.back();
        one.isVariable = isVariable;
        one.result = {false, number};
        one.formula = formula;
        one.isAside = formula.rule == Rule::aside;
        hold(formula);
        for (int at = 0; at < formula.count; at++) one.isAside |= nodes[(size_t)formula.sources[at]].isAside;
        return one.number;
    }

    void hold(const Formula &formula) {
        for (int at = 0; at < formula.count; at++) nodes[(size_t)formula.sources[at]].owners++;
    }

    void release(const Formula &formula) {
        for (int at = 0; at < formula.count; at++) release(formula.sources[at]);
    }

    void release(int number) {
        Node &one = nodes[(size_t)number];
        if (--one.owners > 0) return;
        one.isDead = true;
        one.observations.clear();
        release(one.formula);
    }

    // ---- reading

    /// Looks through what a node needs, and runs what has to run.
    void validate(Node &one) {
        if (one.isVariable || one.checked == clock) return;
        bool isChanged = !one.hasValue;
        for (size_t at = 0; !isChanged && at < one.dependencies.size(); at++)
            isChanged = hasChanged(one.dependencies[at]);
        if (isChanged) run(one);
        one.checked = clock;
    }

    bool hasChanged(const std::pair<int, long> &dependency) {
        Node &source = nodes[(size_t)dependency.first];
        validate(source);
        return source.version != dependency.second;
    }

    Result read(int number, std::vector<std::pair<int, long>> *reader) {
        Node &source = nodes[(size_t)number];
        validate(source);
        if (reader && std::none_of(reader->begin(), reader->end(), [&](auto &one) { return one.first == number; }))
            reader->push_back({number, source.version});
        return source.result;
    }

    Result run(const Formula &formula, std::vector<std::pair<int, long>> &dependencies) {
        std::vector<std::pair<int, long>> noted;
        Result result =
            evaluate(formula, [&](int source, bool isNoted) { return read(source, isNoted ? &noted : nullptr); });
        dependencies.swap(noted);
        return result;
    }

    void run(Node &one) {
        one.runs++;
        Result result = run(one.formula, one.dependencies);
        if (!one.hasValue || result != one.result) one.version++;
        one.hasValue = true;
        one.result = result;
        if (!result.hasFailed) {
            one.last = result;
            one.hasLast = true;
        }
    }

    /// As of what is in place, or of other values: without any memory.
    template <class Value> Result computed(int number, Value value) const {
        const Node &one = nodes[(size_t)number];
        if (one.isVariable) return {false, value(one)};
        return evaluate(one.formula, [&](int source, bool) { return computed(source, value); });
    }

    Result computed(int number) const {
        return computed(number, [](const Node &one) { return one.result.number; });
    }

    /// What a transaction has set shows in all that it reads.
    bool hasOverlay() const { return !transaction.writes.empty(); }

    Result computedInTransaction(int number, const std::vector<int> &moment) const {
        return computed(number, [&](const Node &one) {
            for (size_t at = transaction.writes.size(); at-- > 0;)
                if (transaction.writes[at].node == one.number) return transaction.writes[at].number;
            return moment[(size_t)one.number];
        });
    }

    // ---- turns

    /// @return Whether it is a change.
    bool assign(int number, int value) {
        Node &one = nodes[(size_t)number];
        if (one.result.number == value) return false;
        for (int tag : one.observations) happened.push_back({Happening::source, tag, one.result.number, value});
        one.result.number = value;
        one.version++;
        clock++;
        return true;
    }

    /// First all values, then the updates, then the effects, one at a time.
    /// @return Whether something failed.
    bool handleTurn() {
        bool hasFailed = false;
        for (Node &one : nodes)
            if (!one.isVariable && !one.observations.empty()) validate(one);
        for (Node &one : nodes) {
            if (one.isVariable || one.observations.empty() || one.version == one.sentVersion) continue;
            one.sentVersion = one.version;
            if (one.result.hasFailed) {
                hasFailed = true;
                continue;
            }
            const int value = one.result.number;
            if (!one.hasSent || one.sent != value)
                for (int tag : one.observations)
                    happened.push_back({Happening::update, tag, one.hasSent ? one.sent : value, value});
            one.hasSent = true;
            one.sent = value;
        }
        for (size_t number = 0; number < effects.size(); number++) {
            Effect &effect = effects[number];
            bool isDue = false;
            for (size_t at = 0; effect.isLiving && !isDue && at < effect.dependencies.size(); at++)
                isDue = hasChanged(effect.dependencies[at]);
            if (!isDue) continue;
            if (effect.hasToCleanUp) happened.push_back({Happening::cleanUp, (int)number, 0, 0});
            hasFailed |= !runEffect((int)number);
            hasFailed |= handleTurn();
            break;
        }
        return hasFailed;
    }

    /// @return Whether it has not failed.
    bool runEffect(int number) {
        Effect &effect = effects[(size_t)number];
        effect.hasToCleanUp = false;
        std::vector<std::pair<int, long>> noted;
        Result result = evaluate(effect.formula,
                                 [&](int source, bool isNoted) { return read(source, isNoted ? &noted : nullptr); });
        happened.push_back({Happening::effect, number, result.hasFailed, result.number});
        int next = result.number % 20;
        if (effect.target >= 0 && effect.counts) next = read(effect.target, &noted).number + 1;
        if (effect.target >= 0 && !result.hasFailed && (!effect.counts || next <= 5)) assign(effect.target, next);
        effect.dependencies.swap(noted);
        effect.hasToCleanUp = !result.hasFailed;
        return !result.hasFailed;
    }

    void observe(int number, int tag) {
        Node &one = nodes[(size_t)number];
        if (!one.isVariable && one.observations.empty()) {
            validate(one);
            one.hasSent = one.hasLast;
            one.sent = one.last.number;
            one.sentVersion = one.version;
        }
        one.observations.push_back(tag);
    }

    bool stop(int tag) {
        for (Node &one : nodes) {
            auto found = std::find(one.observations.begin(), one.observations.end(), tag);
            if (found == one.observations.end()) continue;
            one.observations.erase(found);
            return true;
        }
        return false;
    }
};

} // namespace fuzz::derived
