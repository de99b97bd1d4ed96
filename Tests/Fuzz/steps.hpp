// SPDX-License-Identifier: MIT
// Of the reference model: what each operator passes on. The compiler names one that is missing.
#pragma once

#include "model.hpp"

namespace fuzz::model {

/// Whether an operator can tell its latest message from that of its source.
constexpr bool computesLatest(Kind kind) {
    return kind == Kind::swo_map || kind == Kind::swo_new_values || kind == Kind::swo_unwrap_or;
}

inline Step World::makeStep(Kind kind, int parameter, const Value &value, Author author) {
    switch (kind) {
    case Kind::swo_map:
        return [parameter](const Message &in, Author, Message &out) {
            return fuzz::map(parameter, in, out) ? Made::something : Made::failure;
        };
    case Kind::swo_filter:
        return passing([parameter](const Message &in) { return isAccepted(parameter, in); });
    case Kind::swo_new_values:
        return [](const Message &in, Author, Message &out) {
            out = {in.value};
            return Made::something;
        };
    case Kind::swo_unwrap:
        return passing([](const Message &in) { return in.isUpdate || in.value.kind != Value::null; });
    case Kind::swo_unwrap_or:
        return [value](const Message &in, Author, Message &out) {
            out = in.isUpdate || in.value.kind != Value::null ? in : Message{value};
            return Made::something;
        };
    case Kind::swo_select:
        return [value](const Message &in, Author, Message &out) {
            out = {};
            return in == Message{value} ? Made::something : Made::nothing;
        };
    case Kind::swo_from:
    case Kind::swo_not_from:
        return [author, wants = kind == Kind::swo_from](const Message &in, Author by, Message &out) {
            out = in;
            return (by == author) == wants ? Made::something : Made::nothing;
        };
    case Kind::swo_with_previous:
        return [before = Value{}](const Message &in, Author, Message &out) mutable {
            out = {in.value, before, true};
            before = in.value;
            return Made::something;
        };
    case Kind::swo_take:
        return passing([left = parameter](const Message &) mutable { return left > 0 && left-- > 0; });
    case Kind::swo_skip:
        return passing([left = parameter](const Message &) mutable { return !(left > 0 && left-- > 0); });
    case Kind::swo_skip_repeats:
        return passing([any = false, before = Message{}](const Message &in) mutable {
            bool isRepeat = any && before == in;
            any = true;
            before = in;
            return !isRepeat;
        });
    case Kind::swo_unique_values:
        return passing([seen = std::vector<Message>()](const Message &in) mutable {
            if (std::find(seen.begin(), seen.end(), in) != seen.end()) return false;
            seen.push_back(in);
            return true;
        });
    case Kind::swo_merge:
    case Kind::swo_weak:
    case Kind::swo_cache:
    case Kind::swo_replay:
        return passing([](const Message &) { return true; });
    case Kind::scan:
        return [sum = value](const Message &in, Author, Message &out) mutable {
            Value next;
            if (!addUp(sum, in, next)) return Made::failure;
            out = {sum = next};
            return Made::something;
        };
    default:
        break;
    }
    return {};
}

} // namespace fuzz::model
