// SPDX-License-Identifier: MIT
// The calls of a program, made to the library.
#pragma once

#include "program.hpp"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>
#include <swiftobserver.h>
#include <swiftobserver/runtime.h>
#include <thread>

namespace fuzz {

[[noreturn]] inline void fail(const char *sentence) {
    std::fprintf(stderr, "fuzz: %s\n", sentence);
    std::abort();
}

/// Whether the calls are to be shown as they are made.
inline bool isTelling = false;

template <class... Arguments> void tell(const char *format, Arguments... arguments) {
    if (!isTelling) return;
    std::printf(format, arguments...);
    std::printf("\n");
    std::fflush(stdout);
}

/// A value of C, and the bytes that it borrows.
struct CValue {
    swo_value value;
    char text[64];

    CValue() : value(swo_null()) {}
    explicit CValue(const Value &from) {
        switch (from.kind) {
        case Value::null:
            value = swo_null();
            break;
        case Value::number:
            value = swo_int64(from.content);
            break;
        case Value::list:
            fail("no program sends a list");
        case Value::text:
            // Every other one is so long that a copy of it needs memory.
            int size =
                std::snprintf(text, sizeof text, from.content % 2 ? "%d, and more than thirty-two bytes of text" : "%d",
                              from.content);
            value = swo_text_sized(text, (size_t)size);
        }
    }
};

inline Message messageOf(const swo_value &from);

inline Value valueOf(const swo_value &from) {
    switch (from.kind) {
    case SWO_KIND_NULL:
        return {};
    case SWO_KIND_INT64:
        return {Value::number, (int32_t)from.as.int64};
    case SWO_KIND_TEXT: {
        Value value{Value::text, std::atoi((const char *)from.as.bytes.data)};
        CValue again(value);
        if (again.value.as.bytes.size != from.as.bytes.size ||
            std::memcmp(again.value.as.bytes.data, from.as.bytes.data, from.as.bytes.size) != 0)
            fail("a text has changed on its way");
        return value;
    }
    case SWO_KIND_LIST: {
        std::vector<Message> parts;
        for (size_t i = 0; i < from.as.list.count; i++) parts.push_back(messageOf(from.as.list.values[i]));
        return listOf(parts);
    }
    default:
        fail("a value of a kind that was never sent");
    }
}

inline Message messageOf(const swo_value &from) {
    if (from.kind != SWO_KIND_UPDATE) return {valueOf(from)};
    return {valueOf(from.as.update->new_value), valueOf(from.as.update->old_value), true};
}

/// A message of C, and all that it borrows.
struct CMessage {
    CValue value, old;
    swo_update update;

    explicit CMessage(const Message &from) : value(from.value), old(from.old) {
        if (!from.isUpdate) return;
        update.old_value = old.value;
        update.new_value = value.value;
        value.value = swo_update_value(&update);
    }
    CMessage(const CMessage &) = delete;
};

template <class Program> class LibraryWorld {
    /// What a callback is given. It ends once, and is not called afterwards (law 12).
    struct Context {
        LibraryWorld *world;
        int tag, parameter = 0, running = 0, ended = 0;
        bool answers = false;
        CValue made, madeOld; // of a mapper: valid until it is called again
        swo_update update;
    };

  public:
    explicit LibraryWorld(Program &program) : program(program) {
        for (auto &clock : clocks) clock = swo_clock_new();
    }

    ~LibraryWorld() {
        for (auto clock : clocks) swo_clock_release(clock);
        for (auto &context : contexts)
            if (context.ended != 1) fail("a context has not ended when all was released");
    }

    Author numberOf(const void *author) const { return (Author)(intptr_t)author; }
    /// The pointer by which the library knows an author of the model.
    const void *pointerTo(Author author) const {
        return author >= observables ? pointers[(size_t)(author - observables)] : strange(author);
    }

    template <class Body> void elsewhere(Body body) {
        tell("%s", "on another thread:");
        std::thread(body).join();
    }

    // ---- making and releasing

    void makeSource(int slot, Kind kind, const Value &initial) {
        tell("source %d: kind %d, %d", slot, (int)kind, initial.content);
        CValue value(initial);
        swo_observable *made = nullptr;
        if (kind == Kind::messenger)
            made = swo_messenger_new();
        else if (kind == Kind::variable)
            must(swo_variable_new(&value.value, &made));
        else
            must(swo_deferred_variable_new(&value.value, &made));
        if (std::getenv("FUZZ_SLOWLY")) slow(kind, made);
        pointers.push_back(made);
        slots[slot] = made;
    }

    /// Has it take no fast way any more: a snapshot has read it, and each of its deliveries has hooks.
    static void slow(Kind kind, swo_observable *made) {
        static long inside = 0;
        swo_hooks hooks = SWO_HOOKS_INIT;
        hooks.context = &inside;
        hooks.enter = [](void *count) { ++*(long *)count; };
        hooks.leave = [](void *count) {
            if (--*(long *)count < 0) fail("a delivery has ended that has not begun");
        };
        must(swo_observable_set_hooks(made, &hooks));
        if (kind == Kind::messenger) return;
        const swo_procedure read = [](void *variable) {
            swo_value value;
            swo_status status = swo_variable_get((swo_observable *)variable, &value);
            if (status == SWO_OK) swo_value_clear(&value);
            return status;
        };
        must(swo_snapshot(read, made));
    }

    swo_observable *makeTransform(Kind kind, int slot, int parameter, const Value &kept, Author by) {
        tell("transform of %d: kind %d, %d, value %d/%d, author %d", slot, (int)kind, parameter, (int)kept.kind,
             kept.content, (int)by);
        swo_observable *source = slots[slot], *made = nullptr;
        pointers.push_back(nullptr);
        const size_t number = pointers.size() - 1;
        CValue value(kept);
        must(makeTransform(kind, source, parameter, value.value, by, &made));
        pointers[number] = made;
        return made;
    }

    swo_observable *makeMerge(const std::vector<int> &sources) {
        tell("%s", "merge of");
        for (int source : sources) tell("  %d", source);
        std::vector<swo_observable *> merged;
        for (int slot : sources) merged.push_back(slots[slot]);
        swo_observable *made = nullptr;
        pointers.push_back(nullptr);
        const size_t number = pointers.size() - 1;
        must(swo_merge(merged.data(), merged.size(), &made));
        pointers[number] = made;
        return made;
    }

    swo_observable *makeJoined(Kind kind, int one, int other) {
        tell("kind %d of %d and %d", (int)kind, one, other);
        swo_observable *const sources[] = {slots[one], slots[other]};
        swo_observable *made = nullptr;
        pointers.push_back(nullptr);
        const size_t number = pointers.size() - 1;
        must(kind == Kind::zip       ? swo_zip(sources, 2, &made)
             : kind == Kind::sample  ? swo_sample(sources[0], sources[1], &made)
             : kind == Kind::combine ? swo_combine(sources, 2, &made)
                                     : swo_with_latest_from(sources[0], &sources[1], 1, &made));
        pointers[number] = made;
        return made;
    }

    swo_observable *makeSwitch(Kind kind, int source, int most) {
        tell("kind %d of %d, %d", (int)kind, source, most);
        swo_observable *made = nullptr;
        pointers.push_back(nullptr);
        const size_t number = pointers.size() - 1;
        must(kind == Kind::flatMap ? swo_flat_map(slots[source], (size_t)most, chooser, contextWith(0), end, &made)
                                   : swo_switch_to_latest(slots[source], chooser, contextWith(0), end, &made));
        pointers[number] = made;
        return made;
    }

    swo_observable *makeTimed(Kind kind, int slot, int seconds, int clock, const Value &late) {
        tell("kind %d of %d, %d s of clock %d", (int)kind, slot, seconds, clock);
        swo_observable *source = slots[slot], *made = nullptr;
        pointers.push_back(nullptr);
        const size_t number = pointers.size() - 1;
        CValue value(late);
        must(makeTimed(kind, source, seconds, clocks[(size_t)clock], value.value, &made));
        pointers[number] = made;
        return made;
    }

    Event advance(int clock, int seconds) {
        tell("advance clock %d: %d", clock, seconds);
        return is(swo_clock_advance(clocks[(size_t)clock], SWO_SECONDS(seconds)));
    }

    Event waiting(int clock) { return is((int64_t)swo_clock_waiting(clocks[(size_t)clock])); }

    void keep(int slot, swo_observable *made) {
        tell("it is %d", slot);
        slots[slot] = made;
    }
    void drop(swo_observable *made) { swo_observable_release(made); }

    void release(int slot) {
        tell("release %d", slot);
        auto one = slots[slot];
        slots[slot] = nullptr;
        swo_observable_release(one);
    }

    void makeObserver(int slot) {
        releaseObserver(slot);
        observers[slot] = swo_observer_new();
    }

    void releaseObserver(int slot) {
        auto one = observers[slot];
        observers[slot] = nullptr;
        swo_observer_release(one);
    }

    void makeQueue(int slot, size_t bound, bool drops) {
        tell("queue %d: bound %d, drops %d", slot, (int)bound, drops);
        releaseQueue(slot);
        must(swo_queue_new(bound, drops ? SWO_QUEUE_DROP_OLDEST : SWO_QUEUE_REFUSE, &queues[slot]));
    }

    void releaseQueue(int slot) {
        tell("release queue %d", slot);
        auto queue = queues[slot];
        queues[slot] = nullptr;
        swo_queue_release(queue);
    }

    // ---- sending

    Event send(int slot, const Message &message, Author author) {
        tell("send to %d: %d, author %d", slot, message.value.content, (int)author);
        CMessage borrowed(message);
        return is(swo_send(slots[slot], &borrowed.value.value, strange(author)));
    }

    Event sendLater(int slot, const Message &message, Author author) {
        tell("send later to %d: %d, author %d", slot, message.value.content, (int)author);
        CMessage borrowed(message);
        return is(swo_send_later(slots[slot], &borrowed.value.value, strange(author)));
    }

    Event interrupt(int slot) {
        tell("interrupt %d", slot);
        swo_observable_interrupt(slots[slot]);
        return is(SWO_OK);
    }

    Event confine(int slot, int queue) {
        tell("confine %d, queue %d", slot, queue);
        swo_executor executor = SWO_EXECUTOR_INIT;
        if (queue < 0 || !queues[queue]) return is(swo_observable_confine(slots[slot], nullptr));
        must(swo_queue_executor(queues[queue], &executor));
        return is(swo_observable_confine(slots[slot], &executor));
    }

    Event set(int slot, const Value &value, Author author) {
        tell("set %d: %d, author %d", slot, value.content, (int)author);
        CValue borrowed(value);
        return is(swo_variable_set(slots[slot], &borrowed.value, strange(author)));
    }

    Event update(int slot, Author author) {
        tell("update %d", slot);
        Updating updating{this, {}};
        return is(swo_variable_update(
            slots[slot],
            [](void *context, const swo_value *old, swo_value *out) -> swo_status {
                auto updating = static_cast<Updating *>(context);
                Value value;
                if (!updating->world->program.updates(valueOf(*old), value)) return SWO_DECLINED;
                updating->made = CValue(value);
                *out = CValue(value).value;
                return SWO_OK;
            },
            &updating, strange(author)));
    }

    int latest(int slot, Message &out) {
        swo_value value = swo_null();
        swo_status status = swo_latest(slots[slot], &value);
        if (status == SWO_OK) out = messageOf(value);
        swo_value_clear(&value);
        return status;
    }

    Event sendLatest(int slot, Author author) {
        tell("sendLatest %d, %d", slot, 0);
        return is(swo_send_latest(slots[slot], strange(author)));
    }
    Event beginBatch(int slot) {
        tell("beginBatch %d, %d", slot, 0);
        return is(swo_variable_begin_batch(slots[slot]));
    }
    Event endBatch(int slot) {
        tell("endBatch %d, %d", slot, 0);
        return is(swo_variable_end_batch(slots[slot]));
    }
    Event setSource(int slot, int source) {
        tell("source of %d: %d", slot, source);
        return is(swo_transform_set_source(slots[slot], source < 0 ? nullptr : slots[source]));
    }
    Event setOrdered(int slot, bool ordered) {
        tell("setOrdered %d, %d", slot, ordered);
        return is(swo_observable_set_ordered(slots[slot], ordered));
    }
    Event block(int slot) {
        tell("block %d, %d", slot, 0);
        return is(swo_observable_block(slots[slot]));
    }
    Event unblock(int slot) {
        tell("unblock %d, %d", slot, 0);
        return is(swo_observable_unblock(slots[slot]));
    }

    Event demand(int slot, int tag) {
        tell("on demand %d: #%d", slot, tag);
        return is(swo_observable_on_demand(
            slots[slot], [](void *context) { demanded(context, true); },
            [](void *context) { demanded(context, false); }, context(tag), end));
    }

    // ---- observing

    Event observe(int slot, int observer, int tag, bool answers) {
        tell("observe %d: #%d, observer %d, answers %d", slot, tag, observer, answers);
        auto one = context(tag);
        auto out = tagged(tag);
        if (!answers) return is(swo_observe(slots[slot], whoever(observer), receive, one, end, out));
        one->answers = true;
        return is(swo_observe_answering(slots[slot], whoever(observer), &answering, one, nullptr, one, end, out));
    }

    Event observeWith(int slot, const ObserveOptions &wanted, int tag) {
        tell("observe %d with: #%d, observer %d, queue %d, replay %d, once %d, keeps %d", slot, tag, wanted.observer,
             wanted.queue, wanted.replay, wanted.once, wanted.keepsObservable);
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        swo_executor executor = SWO_EXECUTOR_INIT;
        options.observer = whoever(wanted.observer);
        if (wanted.queue >= 0 && queues[wanted.queue]) {
            must(swo_queue_executor(queues[wanted.queue], &executor));
            options.executor = &executor;
        }
        options.replay = (size_t)wanted.replay;
        options.once = wanted.once;
        options.keeps_observable = wanted.keepsObservable;
        auto out = tagged(tag);
        return is(swo_observe_with(slots[slot], &options, receive, context(tag), end, out));
    }

    Event observeCombined(const std::vector<int> &parts, int observer, int tag) {
        tell("combine: #%d, observer %d", tag, observer);
        for (int part : parts) tell("  %d", part);
        std::vector<swo_observable *> combined;
        for (int slot : parts) combined.push_back(slots[slot]);
        auto out = tagged(tag);
        return is(swo_observe_combined(combined.data(), combined.size(), whoever(observer), receiveAll, context(tag),
                                       end, out));
    }

    Event stop(int tag, bool waits) {
        tell("stop %d, %d", tag, waits);
        return is(waits ? swo_stop_and_wait(*tagged(tag)) : swo_stop(*tagged(tag)));
    }
    Event stopTag(int tag) { return stop(tag, false); }
    Event blockObservation(int tag) {
        tell("blockObservation %d, %d", tag, 0);
        return is(swo_block(*tagged(tag)));
    }
    Event unblockObservation(int tag) {
        tell("unblockObservation %d, %d", tag, 0);
        return is(swo_unblock(*tagged(tag)));
    }
    Event stopAll(int slot, int observable) {
        tell("stop all of %d: %d", slot, observable);
        return is(swo_observer_stop(observers[slot], observable < 0 ? nullptr : slots[observable]));
    }

    // ---- asking

    Event countOf(int slot) { return is((int64_t)swo_observer_count(observers[slot])); }
    Event count(int slot) { return is((int64_t)swo_observable_count(slots[slot])); }
    Event refused(int slot) { return is((int64_t)swo_observable_refused(slots[slot])); }
    Event isBlocked(int slot) { return is(swo_observable_is_blocked(slots[slot])); }
    Event isLiving(int tag) { return is(swo_is_living(*tagged(tag))); }
    Event isObserving(int observer, int slot) {
        return is(swo_observer_is_observing(observers[observer], slots[slot]));
    }

    int get(int slot, Value &out) {
        swo_value value = swo_null();
        swo_status status = swo_variable_get(slots[slot], &value);
        if (status == SWO_OK) out = valueOf(value);
        swo_value_clear(&value);
        return status;
    }

    Event drain(int slot, size_t most) {
        tell("drain %d: %d", slot, (int)most);
        size_t run = 0;
        swo_status status = swo_queue_drain(queues[slot], most, &run);
        return is(status == SWO_OK ? (int64_t)run : status);
    }

  private:
    struct Updating {
        LibraryWorld *world;
        CValue made;
    };

    static Event is(int64_t word) { return {Event::exact, word}; }
    static void must(swo_status status) {
        if (status != SWO_OK) fail("what cannot fail has failed");
    }

    static const void *strange(Author author) {
        static const char strange[strangers] = {};
        return author == itself ? nullptr : &strange[author - 1];
    }

    Context *context(int tag) {
        contexts.emplace_back();
        contexts.back().world = this;
        contexts.back().tag = tag;
        return &contexts.back();
    }

    swo_observation *tagged(int tag) {
        if (tag >= (int)tags.size()) tags.resize((size_t)tag + 1);
        return &tags[(size_t)tag];
    }

    swo_observer *whoever(int slot) { return slot < 0 ? nullptr : observers[slot]; }

    swo_status makeTransform(Kind kind, swo_observable *source, int parameter, const swo_value &value, Author by,
                             swo_observable **out) {
#define A_SOURCE source
#define SOURCES &source, 1
#define A_MAPPER mapper, contextWith(parameter), end
#define A_PREDICATE predicate, contextWith(parameter), end
#define A_NUMBER (size_t) parameter
#define A_VALUE &value
#define AN_INITIAL &value
#define AN_AUTHOR strange(by)
#define OPERATOR(name, ...)                                                                                            \
    if (kind == Kind::swo_##name) return swo_##name(__VA_ARGS__, out);
        EVERY_OPERATOR(OPERATOR)
        if (kind == Kind::scan) return swo_scan(source, &value, accumulator, contextWith(0), end, out);
        return SWO_INVALID_ARGUMENT;
    }

    static swo_status makeTimed(Kind kind, swo_observable *source, int seconds, swo_clock *clock, const swo_value &late,
                                swo_observable **out) {
        const int64_t interval = SWO_SECONDS(seconds);
        switch (kind) {
        case Kind::debounce:
            return swo_debounce(source, interval, clock, out);
        case Kind::delay:
            return swo_delay(source, interval, clock, out);
        case Kind::throttle:
            return swo_throttle(source, interval, SWO_THROTTLE_BOTH, clock, out);
        case Kind::throttleFirst:
            return swo_throttle(source, interval, SWO_THROTTLE_FIRST, clock, out);
        case Kind::throttleLatest:
            return swo_throttle(source, interval, SWO_THROTTLE_LATEST, clock, out);
        case Kind::timeout:
            return swo_timeout(source, interval, &late, clock, out);
        case Kind::collect:
            return swo_buffer(source, 0, interval, clock, out);
        default:
            return swo_buffer(source, (size_t)seconds, SWO_SECONDS(2), clock, out);
        }
    }

    static swo_status accumulator(void *context, const swo_value *sum, const swo_value *message, swo_value *out) {
        auto one = called(context);
        Value made;
        if (!addUp(valueOf(*sum), messageOf(*message), made)) return SWO_CALLBACK_FAILED;
        std::memset(one->made.text, 'x', sizeof one->made.text);
        new (&one->made) CValue(made);
        *out = one->made.value;
        return SWO_OK;
    }

    static swo_status chooser(void *context, const swo_value *message, swo_observable **out) {
        auto one = called(context);
        one->running++;
        int slot = -1;
        tell("{ choose for %d", messageOf(*message).value.content);
        const bool isDone = one->world->program.chooses(messageOf(*message), slot);
        tell("} %d, %d", isDone, slot);
        if (isDone && slot >= 0) *out = swo_observable_retain(one->world->slots[slot]);
        one->running--;
        return isDone ? SWO_OK : SWO_CALLBACK_FAILED;
    }

    Context *contextWith(int parameter) {
        auto one = context(0);
        one->parameter = parameter;
        return one;
    }

    static bool predicate(void *context, const swo_value *message) {
        return isAccepted(static_cast<Context *>(context)->parameter, messageOf(*message));
    }

    static Context *called(void *context) {
        auto one = static_cast<Context *>(context);
        if (one->ended) fail("a context was used after its end");
        return one;
    }

    static void end(void *context) {
        auto one = static_cast<Context *>(context);
        if (one->running > 0) fail("a context has ended during a call");
        if (one->ended++ > 0) fail("a context has ended twice");
    }

    static void receive(void *context, const swo_value *message, const void *author) {
        auto one = called(context);
        one->running++;
        tell("{ #%d receives %d", one->tag, messageOf(*message).value.content);
        one->world->program.received(one->tag, messageOf(*message), one->world->numberOf(author));
        tell("%s", "}");
        // Borrowed until here.
        messageOf(*message);
        one->running--;
    }

    static void receiveAll(void *context, const swo_value *messages, size_t count, const void *author) {
        auto one = called(context);
        one->running++;
        std::vector<Message> received;
        for (size_t i = 0; i < count; i++) received.push_back(messageOf(messages[i]));
        tell("{ #%d receives %d messages", one->tag, (int)count);
        one->world->program.receivedAll(one->tag, received, one->world->numberOf(author));
        tell("%s", "}");
        for (size_t i = 0; i < count; i++) messageOf(messages[i]);
        one->running--;
    }

    static swo_status mapper(void *context, const swo_value *message, swo_value *out) {
        auto one = called(context);
        Message made;
        if (!map(one->parameter, messageOf(*message), made)) return SWO_CALLBACK_FAILED;
        // What was made before is not valid any more.
        std::memset(one->made.text, 'x', sizeof one->made.text);
        new (&one->made) CValue(made.value);
        *out = one->made.value;
        if (!made.isUpdate) return SWO_OK;
        new (&one->madeOld) CValue(made.old);
        one->update.old_value = one->madeOld.value;
        one->update.new_value = one->made.value;
        *out = swo_update_value(&one->update);
        return SWO_OK;
    }

    static void demanded(void *context, bool begins) {
        auto one = called(context);
        tell(begins ? "begin #%d" : "end #%d", one->tag);
        one->world->program.onDemand(one->tag, begins);
    }

    // An answering handler takes objects: here, a copy of the message. Authors it does not get.
    struct Token {
        Message message;
    };
    static void *convert(void *, const swo_value *message) { return new Token{messageOf(*message)}; }
    static void letGo(void *object) { delete static_cast<Token *>(object); }

    static void *answer(void *function, void *const *objects, size_t, void *) {
        auto one = called(function);
        one->running++;
        tell("{ #%d is to answer", one->tag);
        one->world->program.received(one->tag, static_cast<Token *>(objects[0])->message, anyAuthor);
        bool hasFailed = one->world->program.fails(one->tag);
        tell("} %s", hasFailed ? "fails" : "answers");
        one->running--;
        return hasFailed ? nullptr : new Token{};
    }

    static inline const swo_object_type objects = {sizeof(swo_object_type), nullptr, nullptr, nullptr};
    static inline const swo_answers answering = [] {
        swo_answers answers = SWO_ANSWERS_INIT;
        answers.type = &objects;
        answers.call = answer;
        answers.convert = convert;
        answers.release = letGo;
        answers.failed = [](void *context, void *const *) { called(context); };
        return answers;
    }();

  public:
    static constexpr Author anyAuthor = -1;

  private:
    Program &program;
    std::array<swo_observable *, OBSERVABLES> slots{};
    std::array<swo_observer *, OBSERVERS> observers{};
    std::array<swo_queue *, QUEUES> queues{};
    std::array<swo_clock *, CLOCKS> clocks{};
    std::deque<swo_observation> tags;
    std::deque<Context> contexts;
    std::vector<const void *> pointers;
};

} // namespace fuzz
