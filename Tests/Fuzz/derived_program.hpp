// SPDX-License-Identifier: MIT
// Random programs of derived variables, transactions and effects: each call is made to the library and to the model,
// and what happens is compared: values, updates, statuses, runs of functions.
//
// Where handlers act, turns are handled together as the library likes. Then each update has to begin where the last one
// ended, and in the end every value is the function of the last values.
#pragma once

#include "derived_model.hpp"
#include "library_world.hpp"

namespace fuzz::derived {

class Program {
    enum : int { VARIABLES = 6, DERIVED = 10, EFFECTS = 4, MOST_CALLS = 120, MOST_TAGS = 200 };

  public:
    explicit Program(Stream stream) : stream(stream) {}

    /// @return How many operations it was: calls, and what happened because of them.
    long run() {
        isJoined = stream.below(2) == 0;
        overlaps = stream.below(3) == 0;
        acts = stream.below(4) == 0;
        for (int slot = 0; slot < VARIABLES; slot++) makeVariable(slot);
        for (int slot = VARIABLES; slot < SLOTS; slot++) makeDerived(slot);
        while (calls < MOST_CALLS && !stream.isOver()) call();
        isEnding = true;
        while (model.transaction.isOpen) abort();
        for (auto &[tag, id] : observations) stop(tag);
        for (int slot = 0; slot < EFFECTS; slot++) stopEffect(slot);
        for (int slot = SLOTS; slot-- > 0;) release(slot);
        if (joint) swo_observable_release(joint);
        for (auto &context : contexts)
            if (context.ended != 1) fail("a function has not ended when all was released");
        return calls + happenings;
    }

  private:
    enum : int { SLOTS = VARIABLES + DERIVED };

    struct Context {
        Program *program;
        int number; // of the node, or the effect
        Formula formula;
        int running = 0, ended = 0;
        bool isText = false;
    };

    // ---- what the library calls

    static swo_status read(swo_observable *variable, Result &out) {
        swo_value value = swo_null();
        swo_status status = swo_variable_get(variable, &value);
        if (status == SWO_OK)
            out = {false, valueOf(value).content};
        else
            out = {true, 0};
        swo_value_clear(&value);
        return status;
    }

    struct Aside {
        swo_observable *variable;
        Result result;
    };

    static swo_status readAside(void *context) {
        auto aside = static_cast<Aside *>(context);
        return read(aside->variable, aside->result);
    }

    /// Evaluates with the getters of the library.
    Result evaluateThere(const Formula &formula) {
        return evaluate(formula, [&](int source, bool isNoted) {
            Aside aside{handles[(size_t)source], {}};
            if (isNoted)
                read(aside.variable, aside.result);
            else
                swo_untracked(readAside, &aside);
            return aside.result;
        });
    }

    static swo_status compute(void *given, swo_value *out) {
        auto context = static_cast<Context *>(given);
        auto program = context->program;
        if (context->ended) fail("a function was called after its end");
        context->running++;
        if (!program->isUncounted) program->runs[(size_t)context->number]++;
        if (swo_transaction_begin() != SWO_COMPUTING) fail("a function may begin a transaction");
        Result result = program->evaluateThere(context->formula);
        context->running--;
        tell("  function %d: %s%d", context->number, result.hasFailed ? "failure " : "", result.number);
        if (result.hasFailed) {
            // A failure that it has read it leaves as it is.
            if (context->formula.rule == Rule::failing && !program->failsElsewhere(context->formula))
                *out = swo_int64(result.number);
            return SWO_CALLBACK_FAILED;
        }
        CValue made({context->isText ? Value::text : Value::number, result.number});
        if (swo_value_copy(&made.value, out) != SWO_OK) fail("no memory");
        return SWO_OK;
    }

    /// Whether what it reads has failed.
    bool failsElsewhere(const Formula &formula) {
        Aside aside{handles[(size_t)formula.sources[0]], {}};
        swo_untracked(readAside, &aside);
        return aside.result.hasFailed;
    }

    static void end(void *given) {
        auto context = static_cast<Context *>(given);
        if (context->running) fail("a function has ended while it ran");
        if (context->ended++) fail("a function has ended twice");
        for (int at = 0; at < context->formula.count; at++)
            swo_observable_release(context->program->handles[(size_t)context->formula.sources[at]]);
    }

    static swo_status runEffect(void *given) {
        auto context = static_cast<Context *>(given);
        return context->program->runEffect(*context) ? SWO_OK : SWO_CALLBACK_FAILED;
    }

    bool runEffect(Context &context) {
        Effect &effect = model.effects[(size_t)context.number];
        context.running++;
        Result result = evaluateThere(effect.formula);
        note({Happening::effect, context.number, result.hasFailed, result.hasFailed ? 0 : result.number});
        Result next{false, result.number % 20};
        if (effect.target >= 0 && effect.counts) {
            read(handles[(size_t)effect.target], next);
            next.number++;
        }
        if (effect.target >= 0 && !result.hasFailed && (!effect.counts || next.number <= 5))
            setThere(effect.target, next.number);
        if (acts) effectHas[context.number] = result;
        context.running--;
        return !result.hasFailed;
    }

    static void cleanUp(void *given) {
        auto context = static_cast<Context *>(given);
        context->program->note({Happening::cleanUp, context->number, 0, 0});
    }

    struct Observed {
        Program *program;
        int tag, node;
        bool isStopped = false, hasHeard = false;
        int heard = 0;
    };

    static void receive(void *given, const swo_value *message, const void *) {
        auto observed = static_cast<Observed *>(given);
        auto program = observed->program;
        const Message update = messageOf(*message);
        if (observed->isStopped) fail("a stopped observation receives something");
        const bool isSource = program->model.nodes[(size_t)observed->node].isVariable;
        program->note({isSource ? Happening::source : Happening::update, observed->tag, update.old.content,
                       update.value.content});
        if (observed->hasHeard && observed->heard != update.old.content)
            fail("an update does not begin where the last ended");
        observed->hasHeard = true;
        observed->heard = update.value.content;
        if (program->acts) program->act();
    }

    void note(Happening one) {
        happenings++;
        tell("    %s %d: %d, %d",
             one.type == Happening::source   ? "source"
             : one.type == Happening::update ? "update"
             : one.type == Happening::effect ? "effect"
                                             : "clean-up",
             one.who, one.old, one.number);
        happened.push_back(one);
    }

    void act() {
        if (isEnding || depth > 3) return;
        depth++;
        for (int more = stream.below(3); more > 0 && calls < MOST_CALLS; more--) {
            calls++;
            switch (stream.below(5)) {
            case 0: {
                int slot = stream.below(SLOTS);
                get(slot);
                break;
            }
            case 1:
                stop();
                break;
            case 2:
                observe();
                break;
            default:
                set();
            }
        }
        depth--;
    }

    // ---- comparing

    [[noreturn]] void differ(const char *sentence, int a, int b) {
        std::fprintf(stderr, "derived variables: %s: %d in the library, %d in the model\n", sentence, a, b);
        for (auto &one : happened)
            std::fprintf(stderr, "  library: %d of %d: %d, %d\n", one.type, one.who, one.old, one.number);
        for (auto &one : model.happened)
            std::fprintf(stderr, "  model:   %d of %d: %d, %d\n", one.type, one.who, one.old, one.number);
        std::abort();
    }

    void compare(const char *sentence, int there, int here) {
        if (there != here) differ(sentence, there, here);
    }

    /// Between observables there is no order in which updates are promised, and between regions none at all.
    void order(Happenings &all) const {
        if (!isJoined) return std::stable_sort(all.begin(), all.end());
        for (size_t first = 0; first < all.size();) {
            size_t last = first;
            while (last < all.size() && all[last].type == Happening::update) last++;
            std::stable_sort(all.begin() + (long)first, all.begin() + (long)last);
            first = last + 1;
        }
    }

    void compareAll() {
        if (depth > 0) return;
        if (acts) return compareEnds();
        for (auto &one : model.happened)
            if (one.type == Happening::effect && one.old) one.number = 0;
        order(happened);
        order(model.happened);
        compare("things happen", (int)happened.size(), (int)model.happened.size());
        for (size_t at = 0; at < happened.size(); at++)
            if (!(happened[at] == model.happened[at])) differ("something else happens, at", (int)at, (int)at);
        happened.clear();
        model.happened.clear();
        if (overlaps) return;
        for (size_t number = 0; number < runs.size(); number++) {
            if (runs[number] == model.nodes[number].runs) continue;
            std::fprintf(stderr, "function %zu\n", number);
            differ("runs", (int)runs[number], (int)model.nodes[number].runs);
        }
    }

    /// Handlers have acted: in the end everybody has heard of the last value.
    void compareEnds() {
        happened.clear();
        model.happened.clear();
        model.clock++;
        for (auto &[tag, observed] : observing) {
            const Node &node = model.nodes[(size_t)observed.node];
            if (observed.isStopped || node.isDead || node.isAside || node.isVariable) continue;
            Result result = model.computed(node.number);
            if (!result.hasFailed && observed.hasHeard) compare("heard last", observed.heard, result.number);
        }
        for (auto &[number, seen] : effectHas) {
            const Effect &effect = model.effects[(size_t)number];
            bool isAside = effect.formula.rule == Rule::aside;
            for (int at = 0; at < effect.formula.count; at++)
                isAside |= model.nodes[(size_t)effect.formula.sources[at]].isAside;
            if (!effect.isLiving || isAside) continue;
            Result result = evaluate(effect.formula, [&](int source, bool) { return model.computed(source); });
            compare("an effect has failed", seen.hasFailed, result.hasFailed);
            if (!result.hasFailed) compare("an effect has seen", seen.number, result.number);
        }
    }

    // ---- calls

    void call() {
        calls++;
        switch (stream.below(24)) {
        case 0:
        case 1:
        case 2:
        case 3:
        case 4:
        case 5:
            set();
            break;
        case 6:
        case 7:
        case 8:
        case 9:
            get(stream.below(SLOTS));
            break;
        case 10: {
            int slot = VARIABLES + stream.below(DERIVED);
            if (!model.transaction.isOpen) makeDerived(slot);
            break;
        }
        case 11:
            if (!model.transaction.isOpen) makeVariable(stream.below(VARIABLES));
            break;
        case 12:
        case 13:
            observe();
            break;
        case 14:
            stop();
            break;
        case 15: {
            int slot = stream.below(EFFECTS);
            if (!model.transaction.isOpen) makeEffect(slot);
            break;
        }
        case 16: {
            int slot = stream.below(EFFECTS);
            if (!model.transaction.isOpen) stopEffect(slot);
            break;
        }
        case 17:
        case 18:
            begin();
            break;
        case 19:
        case 20:
        case 21:
            commit();
            break;
        case 22:
            abort();
            break;
        default:
            snapshot();
        }
        compareAll();
    }

    bool isElsewhere() { return stream.below(24) == 0; }

    template <class Body> void onThread(bool isElsewhere, Body body) {
        if (!isElsewhere) return body();
        tell("%s", "on another thread:");
        std::thread(body).join();
    }

    Formula formula(int below) {
        Formula made;
        made.rule = (Rule)stream.below(RULES);
        made.number = stream.below(6);
        // What is read aside, and the value before a failure, are of the last run: and which runs there are at other
        // moments is not promised.
        if (made.rule == Rule::aside && overlaps) made.rule = Rule::sum;
        if (made.rule == Rule::failing && overlaps) made.rule = Rule::remainder;
        if (made.rule == Rule::constant) return made;
        made.count = MOST_SOURCES;
        for (int &source : made.sources) source = numbers[(size_t)stream.below(below)];
        return made;
    }

    void hold(const Formula &formula) {
        for (int at = 0; at < formula.count; at++) swo_observable_retain(handles[(size_t)formula.sources[at]]);
    }

    void place(int slot, int number, swo_observable *made) {
        handles.push_back(made);
        runs.push_back(0);
        numbers[(size_t)slot] = number;
        isUsed[(size_t)slot] = true;
    }

    void makeVariable(int slot) {
        const int number = stream.below(12);
        CValue value({number % 3 ? Value::number : Value::text, number});
        swo_observable *made;
        if (swo_variable_new(&value.value, &made) != SWO_OK) fail("no variable");
        release(slot);
        place(slot, model.make(true, number, {}), made);
        tell("variable %d: %d", numbers[(size_t)slot], number);
        if (!isJoined) return;
        // One region for all: so effects have one order.
        if (joint) swo_observable_release(joint);
        if (swo_derived_new(readAll, this, nullptr, &joint) != SWO_OK) fail("no derived variable");
        Result unused;
        isAll = true;
        read(joint, unused);
        isAll = false;
    }

    static swo_status readAll(void *given, swo_value *) {
        auto program = static_cast<Program *>(given);
        Result unused;
        for (int slot = 0; program->isAll && slot < VARIABLES; slot++)
            if (program->isUsed[(size_t)slot]) read(program->handles[(size_t)program->numbers[(size_t)slot]], unused);
        return SWO_OK;
    }

    void makeDerived(int slot) {
        Formula made = formula(slot);
        hold(made);
        int number = (int)model.nodes.size();
        contexts.push_back({this, number, made});
        contexts.back().isText = stream.below(3) == 0;
        swo_observable *derived;
        if (swo_derived_new(compute, &contexts.back(), end, &derived) != SWO_OK) fail("no derived variable");
        model.make(false, 0, made);
        release(slot);
        place(slot, number, derived);
        tell("derived %d: rule %d of %d, %d, %d; number %d", number, (int)made.rule, made.sources[0], made.sources[1],
             made.sources[2], made.number);
    }

    void release(int slot) {
        if (!isUsed[(size_t)slot]) return;
        const int number = numbers[(size_t)slot];
        tell("release %d", number);
        isUsed[(size_t)slot] = false;
        model.release(number);
        swo_observable_release(handles[(size_t)number]);
    }

    /// Sets where the program stands: in the transaction, if one is open.
    void set() {
        const int slot = stream.below(VARIABLES), number = numbers[(size_t)slot], value = stream.below(12);
        const bool away = isElsewhere() && (overlaps || !model.transaction.isOpen);
        tell("set %d: %d%s", number, value, away ? ", elsewhere" : "");
        if (model.transaction.isOpen && !away && depth == 0) {
            model.transaction.writes.push_back({number, value});
            return compare("status of a set", setThere(number, value, false), SWO_OK);
        }
        if (model.transaction.isOpen) model.transaction.isOverlapped = true;
        if (acts || depth > 0) return onThread(away, [&] { setThere(number, value); });
        const bool hasFailed = model.assign(number, value) && model.handleTurn();
        swo_status status = SWO_OK;
        onThread(away, [&] { status = setThere(number, value, false); });
        compare("status of a set", status, hasFailed ? SWO_CALLBACK_FAILED : SWO_OK);
        if (model.transaction.isOpen) model.transaction.moments.push_back(values());
    }

    /// @param isTold  whether the model has to hear of it: nothing else tells it.
    swo_status setThere(int number, int value, bool isTold = true) {
        if (isTold && acts) {
            model.nodes[(size_t)number].result.number = value;
            model.nodes[(size_t)number].version++;
            model.clock++;
            if (snapshotMoments) snapshotMoments->push_back(values());
        }
        CValue given({value % 3 ? Value::number : Value::text, value});
        swo_status status = swo_variable_set(handles[(size_t)number], &given.value, nullptr);
        if (status != SWO_OK && status != SWO_CALLBACK_FAILED) fail("a set that cannot fail has failed");
        return status;
    }

    void get(int slot) {
        const int number = numbers[(size_t)slot];
        const bool away = isElsewhere();
        tell("get %d%s", number, away ? ", elsewhere" : "");
        Result there;
        swo_status status = SWO_OK;
        // Handlers are in no transaction.
        const bool isIn = model.transaction.isOpen && !away && depth == 0;
        const bool isPrivate = isIn && (model.hasOverlay() || model.transaction.isOverlapped);
        isUncounted = isPrivate;
        onThread(away, [&] { status = read(handles[(size_t)number], there); });
        isUncounted = false;
        const Node &node = model.nodes[(size_t)number];
        if (isIn && !there.hasFailed) noteSeen(number);
        if (isIn && model.transaction.isOverlapped) return compareMoments(number, there, status);
        if (acts || isPrivate || overlaps) {
            if (node.isAside) return;
            compareResult(there, status,
                          isPrivate ? model.computedInTransaction(number, model.transaction.moments[0])
                                    : model.computed(number));
        } else {
            compareResult(there, status, model.read(number, nullptr));
        }
        if (status != SWO_OK && !model.transaction.isOpen) compareFailure(node);
    }

    /// What a transaction reads is of one moment, and what it has set itself.
    void compareMoments(int number, const Result &there, swo_status status) {
        if (acts || model.nodes[(size_t)number].isAside) return;
        auto &moments = model.transaction.moments;
        auto isOther = [&](const std::vector<int> &moment) {
            Result here = model.computedInTransaction(number, moment);
            return here.hasFailed != (status != SWO_OK) || (!here.hasFailed && here.number != there.number);
        };
        moments.erase(std::remove_if(moments.begin(), moments.end(), isOther), moments.end());
        if (moments.empty()) differ("what a transaction reads is of no moment", there.number, number);
    }

    void compareResult(const Result &there, swo_status status, const Result &here) {
        compare("status of a get", status, here.hasFailed ? SWO_CALLBACK_FAILED : SWO_OK);
        if (!here.hasFailed) compare("value", there.number, here.number);
    }

    void compareFailure(const Node &node) {
        swo_value said = swo_null();
        if (swo_derived_failure(handles[(size_t)node.number], &said) != SWO_OK) fail("a failure says nothing");
        if (!acts && !overlaps) compare("failure", (int)said.as.int64, node.result.number);
        swo_value_clear(&said);
    }

    /// What a transaction has read: all variables that a value may come from.
    void noteSeen(int number) {
        const Node &node = model.nodes[(size_t)number];
        if (node.isVariable) {
            for (auto &write : model.transaction.writes)
                if (write.node == number) return;
            model.transaction.seen.emplace(number, node.result.number);
        }
        model.transaction.hasReadDerived |= !node.isVariable;
    }

    void observe() {
        const int slot = stream.below(SLOTS), number = numbers[(size_t)slot];
        if (observing.size() >= MOST_TAGS) return;
        // A handler that acts would take part in the transaction.
        const bool isReplayed = stream.below(4) == 0 && !(acts && model.transaction.isOpen);
        const int tag = (int)observing.size();
        Observed &observed = observing.emplace(tag, Observed{this, tag, number}).first->second;
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.replay = isReplayed ? 1 : 0;
        tell("observe %d: #%d%s", number, tag, isReplayed ? ", with replay" : "");
        if (!acts) {
            model.observe(number, tag);
            const Node &node = model.nodes[(size_t)number];
            const int value = node.isVariable ? node.result.number : node.sent;
            if (isReplayed && (node.isVariable || node.hasSent))
                model.happened.push_back({node.isVariable ? Happening::source : Happening::update, tag, value, value});
        }
        observations.emplace(tag, 0);
        if (swo_observe_with(handles[(size_t)number], &options, receive, &observed, nullptr, &observations[tag]) !=
            SWO_OK)
            fail("no observation");
    }

    void stop() {
        if (observing.empty()) return;
        stop((int)observing.size() - 1 - stream.below((int)std::min<size_t>(observing.size(), 12)));
    }

    void stop(int tag) {
        tell("stop #%d", tag);
        const swo_status status = swo_stop(observations[tag]);
        observing.at(tag).isStopped = true;
        if (!acts) compare("status of a stop", status, model.stop(tag) ? SWO_OK : SWO_NOT_FOUND);
    }

    void makeEffect(int slot) {
        stopEffect(slot);
        const int number = (int)model.effects.size();
        Effect effect{formula(SLOTS)};
        // Regions that have nothing in common may handle what it sets together with their own turn.
        const int kind = isJoined || acts ? stream.below(4) : 3;
        if (kind == 0) {
            // Reads variables that no effect sets, and sets one of the others: so it ends.
            for (int &source : effect.formula.sources) source = numbers[(size_t)stream.below(4)];
            effect.target = numbers[4];
        } else if (kind == 1) {
            effect.formula = {};
            effect.target = numbers[5];
            effect.counts = true;
        }
        Formula held = effect.formula;
        if (effect.target >= 0) {
            // Kept as what it reads is.
            held.count = MOST_SOURCES;
            if (effect.counts) held.sources[1] = held.sources[2] = effect.target;
            held.sources[0] = effect.counts ? effect.target : held.sources[0];
            if (!effect.counts && effect.formula.rule != Rule::constant) {
                effect.formula.rule = Rule::remainder;
                effect.formula.count = 1;
                held = effect.formula;
                held.count = 2;
                held.sources[1] = effect.target;
            } else {
                for (int &source : held.sources) source = effect.target;
            }
        }
        tell("effect %d: rule %d of %d, %d, %d; number %d, sets %d", number, (int)effect.formula.rule,
             effect.formula.sources[0], effect.formula.sources[1], effect.formula.sources[2], effect.formula.number,
             effect.target);
        hold(held);
        model.hold(held);
        contexts.push_back({this, number, held});
        heldBy.push_back(held);
        effect.isLiving = true;
        model.effects.push_back(effect);
        swo_effect_options options = SWO_EFFECT_OPTIONS_INIT;
        options.clean_up = cleanUp;
        bool isFine = true;
        if (!acts) {
            isFine = model.runEffect(number);
            if (!isFine) model.effects.back().isLiving = false;
            model.handleTurn();
        }
        effectOf[(size_t)slot] = number;
        effectIDs[(size_t)slot] = 0;
        const swo_status status = swo_effect(runEffect, &contexts.back(), end, &options, &effectIDs[(size_t)slot]);
        if (acts) isFine = status == SWO_OK;
        compare("status of an effect", status, isFine ? SWO_OK : SWO_CALLBACK_FAILED);
        if (isFine) return;
        model.effects.back().isLiving = false;
        effectOf[(size_t)slot] = -1;
        model.release(held);
    }

    void stopEffect(int slot) {
        const int number = effectOf[(size_t)slot];
        if (number < 0) return;
        tell("stop effect %d", number);
        Effect &effect = model.effects[(size_t)number];
        effectOf[(size_t)slot] = -1;
        effect.isLiving = false;
        if (effect.hasToCleanUp) model.happened.push_back({Happening::cleanUp, number, 0, 0});
        compare("status of a stop", swo_stop(effectIDs[(size_t)slot]), SWO_OK);
        model.release(heldBy[(size_t)number]);
        if (!acts && !isEnding) compareAll();
    }

    void begin() {
        tell("%s", "begin");
        if (swo_transaction_begin() != SWO_OK) fail("no transaction begins");
        if (model.transaction.isOpen) return model.transaction.joined.push_back(model.transaction.writes.size());
        model.transaction = {};
        model.transaction.isOpen = true;
        model.transaction.moments = {values()};
    }

    void abort() {
        tell("%s", "abort");
        auto &open = model.transaction;
        compare("status of an abort", swo_transaction_abort(), open.isOpen ? SWO_OK : SWO_NOT_FOUND);
        if (!open.joined.empty()) {
            open.writes.resize(open.joined.back());
            open.joined.pop_back();
        } else {
            open = {};
        }
    }

    void commit() {
        tell("%s", "commit");
        auto open = model.transaction;
        if (!open.isOpen) return compare("status of a commit", swo_transaction_commit(), SWO_NOT_FOUND);
        if (!open.joined.empty()) {
            model.transaction.joined.pop_back();
            return compare("status of a commit", swo_transaction_commit(), SWO_OK);
        }
        model.transaction = {};
        bool mustConflict = false;
        for (auto &[number, value] : open.seen) mustConflict |= model.nodes[(size_t)number].result.number != value;
        if (acts || open.isOverlapped) {
            // The model follows what the library decides, where both are right.
            auto before = model.nodes;
            for (auto &write : open.writes) model.nodes[(size_t)write.node].result.number = write.number;
            model.clock++;
            const swo_status status = swo_transaction_commit();
            if (status == SWO_CONFLICT) {
                if (open.seen.empty() && !open.hasReadDerived)
                    fail("a transaction that has read nothing has a conflict");
                for (auto &write : open.writes)
                    model.nodes[(size_t)write.node].result = before[(size_t)write.node].result;
            } else if (mustConflict && !acts) {
                fail("a transaction has not noticed that what it has read has changed");
            }
            if (acts) return;
            std::vector<int> ends;
            for (auto &write : open.writes) {
                ends.push_back(model.nodes[(size_t)write.node].result.number);
                model.nodes[(size_t)write.node].result.number = before[(size_t)write.node].result.number;
            }
            if (status == SWO_CONFLICT) return;
            const bool hasFailed = assignAll(open.writes);
            return compare("status of a commit", status, hasFailed ? SWO_CALLBACK_FAILED : SWO_OK);
        }
        const bool hasFailed = assignAll(open.writes);
        compare("status of a commit", swo_transaction_commit(), hasFailed ? SWO_CALLBACK_FAILED : SWO_OK);
    }

    /// Each variable once, with its last value, in the order in which they were first set.
    bool assignAll(const std::vector<Model::Write> &writes) {
        bool isChange = false;
        for (size_t at = 0; at < writes.size(); at++) {
            int last = writes[at].number;
            bool isFirst = true;
            for (size_t other = 0; other < writes.size(); other++) {
                if (writes[other].node != writes[at].node) continue;
                isFirst &= other >= at;
                last = writes[other].number;
            }
            if (isFirst) isChange |= model.assign(writes[at].node, last);
        }
        return isChange && model.handleTurn();
    }

    static swo_status look(void *given) {
        static_cast<Program *>(given)->look();
        return SWO_OK;
    }

    void snapshot() {
        tell("%s", "{ snapshot");
        swo_snapshot(look, this);
        tell("%s", "}");
    }

    /// All that a snapshot reads is of one moment, of those that there were since it began.
    void look() {
        // Inside of a transaction it is the moment of that.
        const bool isIn = model.transaction.isOpen;
        std::vector<std::vector<int>> moments{values()};
        snapshotMoments = &moments;
        for (int more = 1 + stream.below(4); more > 0; more--) {
            if (!isIn && overlaps && stream.below(3) == 0) {
                set();
                moments.push_back(values());
                continue;
            }
            const int slot = stream.below(SLOTS);
            if (isIn) {
                get(slot);
                continue;
            }
            const int number = numbers[(size_t)slot];
            Result there;
            tell("  read %d", number);
            const swo_status status = read(handles[(size_t)number], there);
            if (!overlaps && !acts) {
                compareResult(there, status, model.read(number, nullptr));
                continue;
            }
            if (model.nodes[(size_t)number].isAside) continue;
            auto isOther = [&](const std::vector<int> &moment) {
                Result here = model.computed(number, [&](const Node &one) { return moment[(size_t)one.number]; });
                return here.hasFailed != (status != SWO_OK) || (!here.hasFailed && here.number != there.number);
            };
            moments.erase(std::remove_if(moments.begin(), moments.end(), isOther), moments.end());
            if (moments.empty()) differ("what a snapshot reads is of no moment", there.number, number);
        }
        snapshotMoments = nullptr;
    }

    std::vector<int> values() const {
        std::vector<int> values;
        for (auto &one : model.nodes) values.push_back(one.result.number);
        return values;
    }

    Stream stream;
    Model model;
    Happenings happened;
    bool isJoined = false, overlaps = false, acts = false, isEnding = false, isUncounted = false, isAll = false;
    int depth = 0;
    long calls = 0, happenings = 0;
    std::vector<swo_observable *> handles; // of the nodes of the model
    std::vector<long> runs;
    std::deque<Context> contexts;
    std::array<int, SLOTS> numbers{};
    std::array<bool, SLOTS> isUsed{};
    std::map<int, swo_observation> observations;
    std::map<int, Observed> observing;
    std::array<int, EFFECTS> effectOf{-1, -1, -1, -1};
    std::array<swo_observation, EFFECTS> effectIDs{};
    std::vector<Formula> heldBy;
    std::map<int, Result> effectHas;
    std::vector<std::vector<int>> *snapshotMoments = nullptr;
    swo_observable *joint = nullptr;
};

} // namespace fuzz::derived
