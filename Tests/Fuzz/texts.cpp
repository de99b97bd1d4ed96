// SPDX-License-Identifier: MIT
// What the library reads of its program, with the bytes of libFuzzer: texts, values of any kind and size, and names,
// which stand in a graph as they were given. The first byte says which. Each is held against what the header says, in
// other words.
#include "swiftobserver.h"
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace {

using Text = std::string;

void must(bool condition, const char *sentence) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", sentence);
    std::abort();
}

/// Whether a text is UTF-8: what its bytes decode to is encoded in just these bytes.
bool isUTF8(const Text &text) {
    for (size_t at = 0; at < text.size();) {
        const auto byte = [&](size_t behind) {
            return at + behind < text.size() ? static_cast<unsigned char>(text[at + behind]) : 0u;
        };
        const size_t length = byte(0) < 0x80 ? 1 : byte(0) >> 5 == 6 ? 2 : byte(0) >> 4 == 14 ? 3 : 4;
        uint32_t code = length == 1 ? byte(0) : byte(0) & (0x7Fu >> length);
        if (length == 4 && byte(0) >> 3 != 30) return false;
        for (size_t behind = 1; behind < length; behind++) {
            if (byte(behind) >> 6 != 2) return false;
            code = code << 6 | (byte(behind) & 0x3F);
        }
        const size_t needed = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        if (needed != length || code > 0x10FFFF || code >> 11 == 0x1B) return false;
        at += length;
    }
    return true;
}

void ignore(void *, const swo_value *, const void *) {}

// ------------------------------------------------------------------- values

/// What a value is good for, and what all that take one say of it: what it is refused with leaves nothing behind.
void holdAgainst(const swo_value &value, swo_status expected) {
    must(swo_value_check(&value) == expected, "a value is checked otherwise");
    swo_value copy = swo_int64(7);
    must(swo_value_copy(&value, &copy) == expected, "a value is copied though it is refused, or not though it is not");
    bool areEqual = false;
    const swo_status compared = swo_value_equal(&value, &copy, &areEqual);
    must(expected == SWO_OK ? compared == SWO_OK : compared == expected && copy.as.int64 == 7,
         "a copy of what is refused is made, or two are compared otherwise");
    const bool isNumber = value.kind == SWO_KIND_DOUBLE || value.kind == SWO_KIND_UPDATE; // one not equal to itself
    must(expected != SWO_OK || areEqual || isNumber, "a copy is another value");
    if (expected == SWO_OK && (value.kind == SWO_KIND_TEXT || value.kind == SWO_KIND_BYTES)) {
        const char *end = static_cast<const char *>(copy.as.bytes.data) + copy.as.bytes.size;
        must(*end == 0, "no zero follows a copy");
    }
    swo_value_clear(&copy);
    must(copy.kind == SWO_KIND_NULL, "a value that was cleared is not null");
    swo_observable *messenger = swo_messenger_new(), *variable = nullptr;
    must(swo_send(messenger, &value, nullptr) == expected, "a message is refused otherwise");
    must(swo_observe(messenger, nullptr, ignore, nullptr, nullptr, nullptr) == SWO_OK, "no observation begins");
    must(swo_send(messenger, &value, nullptr) == expected, "a message that is received is refused otherwise");
    const swo_status made = swo_variable_new(&value, &variable);
    must(value.kind == SWO_KIND_UPDATE ? made != SWO_OK : made == expected, "a variable begins with something else");
    if (made == SWO_OK) swo_observable_release(variable);
    swo_observable_release(messenger);
}

void readText(const Text &text) {
    holdAgainst(swo_text_sized(text.data(), text.size()), isUTF8(text) ? SWO_OK : SWO_INVALID_TEXT);
    holdAgainst(swo_bytes(text.data(), text.size()), SWO_OK);
}

const swo_object_type type = {sizeof type, nullptr, nullptr, nullptr},
                      small = {sizeof type - 1, nullptr, nullptr, nullptr};

/// Takes a value from the beginning of some bytes, with what has to be said of it.
struct Taken {
    swo_value value = swo_null();
    swo_status status = SWO_OK;
    Text text;
    swo_update update = {};
    std::vector<Taken> parts;

    Taken(const Text &bytes, size_t &at, bool isPart) {
        const auto next = [&] { return at < bytes.size() ? static_cast<unsigned char>(bytes[at++]) : 0u; };
        const unsigned kind = next(), how = next();
        value.kind = static_cast<int32_t>(kind < 16 ? kind % 8 : kind < 32 ? kind : kind << 24);
        for (unsigned number = next(), one = 0; one < 8; one++)
            value.as.int64 = value.as.int64 << 8 | (number * one & 0xFF);
        if (kind >= 16) {
            status = SWO_WRONG_KIND;
        } else if (value.kind == SWO_KIND_BOOL) {
            value = swo_bool(how & 1);
        } else if (value.kind == SWO_KIND_TEXT || value.kind == SWO_KIND_BYTES) {
            text = bytes.substr(at, how);
            at += text.size();
            value.as.bytes = {text.data(), text.size()};
            status = value.kind == SWO_KIND_BYTES || isUTF8(text) ? SWO_OK : SWO_INVALID_TEXT;
            if (how % 16 == 13) value.as.bytes.data = nullptr;
            if (how % 16 == 14) value.as.bytes.size |= SIZE_MAX / 2 + 1;
            if (how % 16 == 14 || (how % 16 == 13 && !text.empty())) status = SWO_INVALID_ARGUMENT;
        } else if (value.kind == SWO_KIND_OBJECT) {
            const swo_object_type *const types[] = {&type, &small, nullptr};
            value.as.object = {nullptr, types[how % 3]};
            status = how % 3 == 0 ? SWO_OK : SWO_INVALID_ARGUMENT;
        } else if (value.kind == SWO_KIND_UPDATE && isPart) {
            value.as.update = nullptr;
            status = SWO_WRONG_KIND;
        } else if (value.kind == SWO_KIND_UPDATE && how % 16 == 15) {
            value.as.update = nullptr;
            status = SWO_INVALID_ARGUMENT;
        } else if (value.kind == SWO_KIND_UPDATE) {
            parts.reserve(2);
            parts.emplace_back(bytes, at, true);
            parts.emplace_back(bytes, at, true);
            status = parts[0].status != SWO_OK ? parts[0].status : parts[1].status;
        }
    }

    /// Where it stands: what it points at is in this.
    const swo_value &settle() {
        if (value.kind == SWO_KIND_TEXT || value.kind == SWO_KIND_BYTES)
            if (value.as.bytes.data != nullptr) value.as.bytes.data = text.data();
        if (parts.size() == 2) {
            update = {parts[0].settle(), parts[1].settle()};
            value.as.update = &update;
        }
        return value;
    }
};

void readValue(const Text &bytes) {
    size_t at = 0;
    Taken taken(bytes, at, false);
    holdAgainst(taken.settle(), taken.status);
}

// -------------------------------------------------------------------- names

/// A strict reader of what is written of DOT: statements of nodes and of arrows, attributes, texts in quotes.
class Drawing {
  public:
    std::map<Text, std::vector<Text>> labels; // the lines of what is written at each node
    size_t arrows = 0;

    explicit Drawing(const Text &text) : text(text) {
        expect("digraph {\n    rankdir=LR;\n");
        while (!accept("}")) readStatement();
        expect("\n");
        must(at == text.size(), "something follows a graph");
    }

  private:
    const Text &text;
    size_t at = 0;

    bool accept(const Text &what) {
        const bool isThere = text.compare(at, what.size(), what) == 0;
        if (isThere) at += what.size();
        return isThere;
    }
    void expect(const Text &what) { must(accept(what), "a graph is not well formed"); }

    Text readName() {
        const size_t begin = at;
        while (at < text.size() &&
               (isalnum(static_cast<unsigned char>(text[at])) || text[at] == '.' || text[at] == '#'))
            at++;
        must(at > begin, "a graph lacks a name");
        return text.substr(begin, at - begin);
    }

    /// What stands in quotes, line by line.
    std::vector<Text> readQuoted() {
        std::vector<Text> lines(1);
        for (expect("\""); !accept("\"");) {
            must(at < text.size(), "a quoted text does not end");
            if (accept("\\n"))
                lines.emplace_back();
            else if (accept("\\\"") || accept("\\\\"))
                lines.back() += text[at - 1];
            else {
                must(text[at] != '\\', "a graph escapes something else");
                lines.back() += text[at++];
            }
        }
        return lines;
    }

    void readStatement() {
        expect("    ");
        const Text name = readName();
        if (accept(" -> ")) {
            must(labels.count(name) && labels.count(readName()), "an arrow is not between two nodes");
            arrows++;
        } else {
            expect(" [");
            do {
                const Text attribute = readName();
                expect("=");
                if (at < text.size() && text[at] == '"') {
                    auto lines = readQuoted();
                    if (attribute == "label") must(labels.emplace(name, lines).second, "a node is there twice");
                } else {
                    readName();
                }
            } while (accept(", "));
            expect("]");
        }
        expect(";\n");
    }
};

/// The name of an observable.
std::optional<Text> nameOf(swo_observable *observable) {
    swo_value name;
    must(swo_observable_name(observable, &name) == SWO_OK, "a name cannot be had");
    std::optional<Text> text;
    if (name.kind == SWO_KIND_TEXT) text = Text(static_cast<const char *>(name.as.bytes.data), name.as.bytes.size);
    swo_value_clear(&name);
    return text;
}

/// A chain of observables, each with a handler, both named by what stands between two zeros.
void readNames(const Text &bytes) {
    std::vector<swo_observable *> chain;
    std::vector<Text> handlers; // what an arrow to a handler has, in their order
    std::vector<std::optional<Text>> names;
    size_t at = 0;
    while (at < bytes.size() && chain.size() < 6) {
        const auto next = [&] {
            const Text name = bytes.substr(at, bytes.find('\0', at) - at);
            at += name.size() + 1;
            return name;
        };
        swo_observable *made = nullptr;
        if (chain.empty())
            made = swo_messenger_new();
        else
            must(swo_weak(chain.back(), &made) == SWO_OK, "no transform is made");
        chain.push_back(made);
        const Text first = next(), second = at < bytes.size() ? next() : "", handler = at < bytes.size() ? next() : "";
        std::optional<Text> name;
        for (const Text &one : {first, second}) {
            const bool isGood = isUTF8(one);
            must(swo_observable_set_name(made, one.c_str()) == (isGood ? SWO_OK : SWO_INVALID_TEXT),
                 "a name is refused that is UTF-8, or not one that is none");
            if (isGood) name = one;
            must(nameOf(made) == name, "a name is another one");
        }
        names.push_back(name);
        swo_observe_options options = SWO_OBSERVE_OPTIONS_INIT;
        options.name = handler.c_str();
        const bool isGood = isUTF8(handler);
        must(swo_observe_with(made, &options, ignore, nullptr, nullptr, nullptr) ==
                 (isGood ? SWO_OK : SWO_INVALID_ARGUMENT),
             "the name of an observation is refused that is UTF-8, or not one that is none");
        if (isGood) handlers.push_back(handler);
    }
    if (chain.empty()) return;
    swo_value text;
    must(swo_graph_dot(chain.data(), chain.size(), &text) == SWO_OK, "there is no graph");
    const Text written(static_cast<const char *>(text.as.bytes.data), text.as.bytes.size);
    swo_value_clear(&text);
    must(isUTF8(written), "a graph is no UTF-8");
    Drawing drawing(written);
    drawing.labels.erase("node");
    std::vector<Text> seen;
    size_t nodes = 0;
    for (const auto &[node, lines] : drawing.labels) {
        if (node[0] == 'h') {
            must(lines.size() == 1, "a handler has more than its name");
            seen.push_back(lines[0]);
            continue;
        }
        const size_t index = std::strtoul(node.c_str() + 1, nullptr, 10);
        must(index < names.size(), "there are more nodes than observables");
        std::vector<Text> label = {index == 0 ? "messenger" : "weak"};
        if (names[index]) label.push_back(*names[index]);
        must(lines == label, "a name is drawn otherwise");
        nodes++;
    }
    must(nodes == chain.size(), "there are fewer nodes than observables");
    std::sort(seen.begin(), seen.end());
    std::sort(handlers.begin(), handlers.end());
    must(seen == handlers, "the name of a handler is drawn otherwise");
    must(drawing.arrows == chain.size() - 1 + handlers.size(), "there are other arrows");
    for (swo_observable *one : chain) swo_observable_release(one);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    const Text rest(reinterpret_cast<const char *>(data) + 1, size - 1);
    if (data[0] % 3 == 0)
        readNames(rest);
    else if (data[0] % 3 == 1)
        readText(rest);
    else
        readValue(rest);
    return 0;
}
