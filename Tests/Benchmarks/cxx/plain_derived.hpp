// SPDX-License-Identifier: MIT
// Derived variables for one thread alone, by the algorithm of the engine without what threads need: no region, no view,
// no stamp, no lock. To compare with.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plain {

struct node {
    std::int64_t (*function)(void *context) = nullptr; // none: a variable
    void *context = nullptr;
    std::int64_t value = 0, sent = 0;
    std::uint64_t version = 1, sent_version = 0, checked = 0, reader = 0;
    struct dependency {
        node *source;
        std::uint64_t seen;
        std::uint32_t slot; // its place in the source's ways back
    };
    struct out {
        node *target;
        std::uint32_t dependency;
    };
    std::vector<dependency> dependencies;
    std::vector<out> outs; // to live nodes
    void (*heard)(std::int64_t old_value, std::int64_t new_value) = nullptr;
    bool live = false, suspect = false, pending = false, has_value = false;
};

struct record {
    node *source;
    std::uint64_t seen;
};
struct step {
    node *of;
    std::size_t at;
    std::uint64_t version;
};

inline std::vector<record> records;
inline std::vector<step> steps;
inline std::vector<node *> marked, pending, due;
inline std::uint64_t clock = 1, runs_begun;
inline std::size_t frame_begin;
inline std::uint64_t frame_run;
inline bool in_frame, in_turn, in_group;

inline bool is_clean(const node &one) {
    if (!one.function) return true;
    return one.live ? !one.suspect : one.has_value && one.checked == clock;
}

inline void suspect(node &one) {
    one.suspect = true;
    if (!one.heard || one.pending) return;
    one.pending = true;
    pending.push_back(&one);
}

inline void mark(node &source) {
    marked.assign(1, &source);
    for (std::size_t at = 0; at < marked.size(); at++) {
        for (auto &out : marked[at]->outs) {
            if (out.target->suspect) continue;
            suspect(*out.target);
            if (!out.target->outs.empty()) marked.push_back(out.target);
        }
    }
}

inline void add_out(node &one, std::uint32_t index) {
    auto &dependency = one.dependencies[index];
    dependency.slot = static_cast<std::uint32_t>(dependency.source->outs.size());
    dependency.source->outs.push_back({&one, index});
}

inline void remove_out(node::dependency &dependency) {
    auto &outs = dependency.source->outs;
    auto last = outs.back();
    outs.pop_back();
    if (dependency.slot == outs.size()) return;
    outs[dependency.slot] = last;
    last.target->dependencies[last.dependency].slot = dependency.slot;
}

inline void make_live(node &one) {
    std::vector<node *> left{&one};
    while (!left.empty()) {
        node &next = *left.back();
        left.pop_back();
        if (next.live || !next.function) continue;
        bool clean = is_clean(next);
        next.live = true;
        next.suspect = !clean;
        for (std::uint32_t index = 0; index < next.dependencies.size(); index++) {
            add_out(next, index);
            left.push_back(next.dependencies[index].source);
        }
    }
}

inline void make_unlive(node &one) {
    std::vector<node *> left{&one};
    while (!left.empty()) {
        node &next = *left.back();
        left.pop_back();
        if (!next.live || next.heard || !next.outs.empty()) continue;
        next.live = false;
        next.checked = next.suspect ? 0 : clock;
        for (auto &dependency : next.dependencies) {
            remove_out(dependency);
            left.push_back(dependency.source);
        }
    }
}

inline void relink(node &one, std::size_t first) {
    std::size_t count = records.size() - first, same = 0;
    for (; same < one.dependencies.size() && same < count; same++) {
        if (one.dependencies[same].source != records[first + same].source) break;
        one.dependencies[same].seen = records[first + same].seen;
    }
    if (same == one.dependencies.size() && same == count) return;
    std::vector<node::dependency> gone(one.dependencies.begin() + static_cast<std::ptrdiff_t>(same),
                                       one.dependencies.end());
    if (one.live)
        for (auto &dependency : gone) remove_out(dependency);
    one.dependencies.resize(same);
    for (std::size_t index = same; index < count; index++) {
        node &source = *records[first + index].source;
        one.dependencies.push_back({&source, records[first + index].seen, 0});
        if (!one.live) continue;
        add_out(one, static_cast<std::uint32_t>(index));
        make_live(source);
    }
    if (one.live)
        for (auto &dependency : gone) make_unlive(*dependency.source);
}

inline void compute(node &one) {
    auto outer_begin = frame_begin, outer_run = frame_run;
    auto outer_in = in_frame;
    frame_begin = records.size();
    frame_run = ++runs_begun;
    in_frame = true;
    std::int64_t result = one.function(one.context);
    std::size_t first = frame_begin;
    frame_begin = outer_begin, frame_run = outer_run, in_frame = outer_in;
    relink(one, first);
    records.resize(first);
    if (!one.has_value || result != one.value) {
        one.version++;
        one.value = result;
        one.has_value = true;
    }
    if (one.live)
        one.suspect = false;
    else
        one.checked = clock;
}

inline void settle(node &wanted) {
    std::size_t base = steps.size();
    steps.push_back({&wanted, 0, wanted.version});
    while (steps.size() > base) {
        step &top = steps.back();
        node &present = *top.of;
        if (is_clean(present)) {
            steps.pop_back();
            continue;
        }
        bool changed = !present.has_value;
        node *stale = nullptr;
        for (; !changed && !stale && top.at < present.dependencies.size();) {
            auto &dependency = present.dependencies[top.at];
            if (!is_clean(*dependency.source)) {
                stale = dependency.source;
            } else {
                changed = dependency.source->version != dependency.seen;
                top.at++;
            }
        }
        if (stale && !changed) {
            steps.push_back({stale, 0, stale->version});
        } else if (changed) {
            compute(present);
        } else if (present.live) {
            present.suspect = false;
        } else {
            present.checked = clock;
        }
    }
}

inline std::int64_t get(node &one) {
    if (!is_clean(one)) settle(one);
    if (in_frame && one.reader != frame_run) {
        one.reader = frame_run;
        records.push_back({&one, one.version});
    }
    return one.value;
}

inline void pass() {
    if (in_turn || in_group) return;
    in_turn = true;
    while (!pending.empty()) {
        due.clear();
        for (std::size_t at = 0; at < pending.size(); at++) {
            if (pending[at]->suspect) settle(*pending[at]);
            due.push_back(pending[at]);
        }
        pending.clear();
        for (std::size_t at = 0; at < due.size(); at++) {
            node &one = *due[at];
            one.pending = false;
            if (one.sent_version == one.version) continue;
            one.sent_version = one.version;
            std::int64_t old = one.sent;
            one.sent = one.value;
            one.heard(old, one.value);
        }
    }
    in_turn = false;
}

inline void set(node &variable, std::int64_t value) {
    if (variable.value == value) return;
    variable.value = value;
    variable.version++;
    clock++;
    mark(variable);
    pass();
}

inline void observe(node &one, void (*heard)(std::int64_t, std::int64_t)) {
    get(one);
    one.heard = heard;
    make_live(one);
    one.sent = one.value;
    one.sent_version = one.version;
}

} // namespace plain
