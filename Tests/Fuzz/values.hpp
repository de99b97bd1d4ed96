// SPDX-License-Identifier: MIT
// What the model and the library are given, and what they give: values, messages, authors, statuses.
#pragma once

#include <cstdint>
#include <operators.h>
#include <vector>

namespace fuzz {

struct Value {
    enum Kind : uint8_t { null, number, text, list } kind = null;
    int32_t content = 0;

    bool operator==(const Value &other) const { return kind == other.kind && content == other.content; }
};

struct Message {
    Value value;
    Value old = {}; // of an update
    bool isUpdate = false;

    bool operator==(const Message &other) const {
        return isUpdate == other.isUpdate && value == other.value && old == other.old;
    }
};

/// Stands for a list of messages, in which it is not looked any more.
inline Value listOf(const std::vector<Message> &parts) {
    uint32_t sum = 17;
    auto add = [&](const Value &value) { sum = (sum * 31 + value.kind) * 31 + (uint32_t)value.content; };
    for (auto &part : parts) {
        add(part.value);
        if (part.isUpdate) add(part.old);
    }
    return {Value::list, (int32_t)(sum & 0x7fffffff)};
}

/// What can be sent in its place.
inline Value plain(const Value &value) {
    return value.kind == Value::list ? Value{Value::number, value.content % 1000} : value;
}

/// 1 to 3 are strangers; from `observables` on come the observables, by their number.
using Author = int64_t;
constexpr Author itself = 0, strangers = 3, observables = 100;

enum Status : int {
    OK = 0,
    INVALID_ARGUMENT = -1,
    WRONG_KIND = -2,
    NOT_FOUND = -3,
    CALLBACK_FAILED = -6,
    WRONG_THREAD = -7,
    REFUSED = -11,
    DECLINED = -13
};

enum class Kind : uint8_t {
    messenger,
    variable,
    deferred, // made from nothing; the rest from observables
#define KIND(name, ...) swo_##name,
    EVERY_OPERATOR(KIND)
#undef KIND
        scan, // of one source, and remembers
    debounce,
    delay,
    throttle,
    throttleFirst,
    throttleLatest,
    timeout,
    collect,
    buffer, // wait for a clock
    sample,
    zip,
    withLatestFrom,
    combine, // of two sources
    switchToLatest,
    flatMap // of one, and of what is chosen
};
constexpr Kind others[] = {Kind::scan,          Kind::debounce,       Kind::delay,   Kind::throttle,
                           Kind::throttleFirst, Kind::throttleLatest, Kind::timeout, Kind::collect,
                           Kind::buffer,        Kind::sample,         Kind::zip,     Kind::withLatestFrom,
                           Kind::combine,       Kind::switchToLatest, Kind::flatMap};
constexpr bool isTimed(Kind kind) { return kind >= Kind::debounce && kind <= Kind::buffer; }
constexpr bool isJoined(Kind kind) { return kind >= Kind::sample; }
constexpr bool isChoosing(Kind kind) { return kind >= Kind::switchToLatest; }
constexpr Kind operators[] = {
#define KIND(name, ...) Kind::swo_##name,
    EVERY_OPERATOR(KIND)
#undef KIND
};

struct ObserveOptions {
    int observer = -1, queue = -1; // slots
    int replay = 0;
    bool once = false, keepsObservable = false;
};

/// What the mapper does: some messages it refuses, of some it makes an update.
inline bool map(int parameter, const Message &message, Message &out) {
    const Value value = plain(message.value);
    if (value.content % 11 == 7) return false;
    out = {{value.kind, value.kind == Value::null ? 0 : value.content + parameter}};
    if (parameter == 3 && value.kind == Value::number) out.value.kind = Value::text;
    if (parameter == 4) out = {out.value, value, true};
    return true;
}

/// What scan makes of what there was and a message.
inline bool addUp(const Value &sum, const Message &message, Value &out) {
    const Value value = plain(message.value);
    if (value.content % 11 == 7) return false;
    out = {Value::number, (sum.content + value.content) % 1000};
    return true;
}

/// What the predicate does.
inline bool isAccepted(int parameter, const Message &message) { return message.value.content % (parameter + 2) != 0; }

} // namespace fuzz
