// SPDX-License-Identifier: MIT
// What the C++ header costs beside the C functions that it calls. Without arguments it measures times; with a language,
// a case and a count it does that so often, for a tool that counts instructions.
#include "../c/measure.h"
#include <swiftobserver.hpp>
#include <string>
#include <vector>

static std::int64_t sum;

struct reading {
    double celsius;
    std::int64_t time;
};

static void add_number(void *, const swo_value *message, const void *) {
    if (message->kind == SWO_KIND_INT64) sum += message->as.int64;
}
static void add_size(void *, const swo_value *message, const void *) {
    if (message->kind == SWO_KIND_TEXT) sum += std::int64_t(message->as.bytes.size);
}
static void add_time(void *, const swo_value *message, const void *) {
    if (message->kind != SWO_KIND_BYTES || message->as.bytes.size != sizeof(reading)) return;
    reading copy;
    std::memcpy(&copy, message->as.bytes.data, sizeof copy);
    sum += copy.time;
}
static void add_change(void *, const swo_value *message, const void *) {
    if (message->kind != SWO_KIND_UPDATE) return;
    const swo_update &update = *message->as.update;
    if (update.old_value.kind == SWO_KIND_INT64 && update.new_value.kind == SWO_KIND_INT64)
        sum += update.new_value.as.int64 - update.old_value.as.int64;
}
static swo_status negate(void *, const swo_value *message, swo_value *out) {
    if (message->kind != SWO_KIND_INT64) return SWO_WRONG_KIND;
    *out = swo_int64(-message->as.int64);
    return SWO_OK;
}

static void must(swo_status status) {
    if (status != SWO_OK) abort();
}

// What C does: a messenger with so many observers, and a value that is made and sent.
template <class Make> static void c_sends(long observers, long count, swo_handler handler, Make make) {
    swo_observable *messenger = swo_messenger_new();
    for (long one = 0; one < observers; one++)
        must(swo_observe(messenger, nullptr, handler, nullptr, nullptr, nullptr));
    for (long one = 0; one < count; one++) {
        swo_value message = make();
        must(swo_send(messenger, &message, nullptr));
    }
    swo_observable_release(messenger);
}

// And what C++ does, with handlers that may throw.
template <class T, class F>
static void cxx_sends(long observers, long count, F handler, swo::detail::argument_of<T> message) {
    swo::messenger<T> messenger;
    std::vector<swo::observation> all;
    for (long one = 0; one < observers; one++) all.push_back(messenger.observe(handler));
    for (long one = 0; one < count; one++) messenger.send(message);
}

static void c_send_to_0(long count) {
    c_sends(0, count, add_number, [] { return swo_int64(1); });
}
static void cxx_send_to_0(long count) {
    cxx_sends<std::int64_t>(
        0, count, [](std::int64_t number) { sum += number; }, 1);
}
static void c_send_to_1(long count) {
    c_sends(1, count, add_number, [] { return swo_int64(1); });
}
static void cxx_send_to_1(long count) {
    cxx_sends<std::int64_t>(
        1, count, [](std::int64_t number) { sum += number; }, 1);
}
static void c_send_to_100(long count) {
    c_sends(100, count, add_number, [] { return swo_int64(1); });
}
static void cxx_send_to_100(long count) {
    cxx_sends<std::int64_t>(
        100, count, [](std::int64_t number) { sum += number; }, 1);
}
static void c_send_a_text(long count) {
    c_sends(10, count, add_size, [] { return swo_text("a text of some length"); });
}
static void cxx_send_a_text(long count) {
    cxx_sends<std::string_view>(
        10, count, [](std::string_view text) { sum += std::int64_t(text.size()); }, "a text of some length");
}
static const reading sent_reading = {21.5, 1};
static void c_send_a_struct(long count) {
    c_sends(10, count, add_time, [] { return swo_bytes(&sent_reading, sizeof sent_reading); });
}
static void cxx_send_a_struct(long count) {
    cxx_sends<reading>(
        10, count, [](const reading &got) { sum += got.time; }, sent_reading);
}

static void c_send_through_map(long count) {
    swo_observable *messenger = swo_messenger_new(), *mapped = nullptr;
    must(swo_map(messenger, negate, nullptr, nullptr, &mapped));
    must(swo_observe(mapped, nullptr, add_number, nullptr, nullptr, nullptr));
    for (long one = 0; one < count; one++) {
        swo_value message = swo_int64(1);
        must(swo_send(messenger, &message, nullptr));
    }
    swo_observable_release(mapped);
    swo_observable_release(messenger);
}
static void cxx_send_through_map(long count) {
    swo::messenger<std::int64_t> messenger;
    auto mapped = messenger.map([](std::int64_t number) { return -number; });
    auto observation = mapped.observe([](std::int64_t number) { sum += number; });
    for (long one = 0; one < count; one++) messenger.send(1);
}

static void c_set_a_variable(long count) {
    swo_value value = swo_int64(0);
    swo_observable *variable = nullptr;
    must(swo_variable_new(&value, &variable));
    must(swo_observe(variable, nullptr, add_change, nullptr, nullptr, nullptr));
    for (long one = 1; one <= count; one++) {
        value.as.int64 = one;
        must(swo_variable_set(variable, &value, nullptr));
    }
    swo_observable_release(variable);
}
static void cxx_set_a_variable(long count) {
    swo::variable<std::int64_t> variable(0);
    auto observation =
        variable.observe([](swo::update<std::int64_t> update) { sum += update.new_value - update.old_value; });
    for (long one = 1; one <= count; one++) variable.set(one);
}

static void c_observe_and_stop(long count) {
    swo_observable *messenger = swo_messenger_new();
    for (long one = 0; one < count; one++) {
        swo_observation id = 0;
        must(swo_observe(messenger, nullptr, add_number, nullptr, nullptr, &id));
        must(swo_stop(id));
    }
    swo_observable_release(messenger);
}
static void cxx_observe_and_stop(long count) {
    swo::messenger<std::int64_t> messenger;
    for (long one = 0; one < count; one++)
        auto observation = messenger.observe([](std::int64_t number) noexcept { sum += number; });
}

static const struct {
    const char *name;
    long size;
    void (*c)(long count), (*cxx)(long count);
} cases[] = {
    {"send-to-0", 0, c_send_to_0, cxx_send_to_0},
    {"send-to-1", 1, c_send_to_1, cxx_send_to_1},
    {"send-to-100", 100, c_send_to_100, cxx_send_to_100},
    {"send-a-text", 10, c_send_a_text, cxx_send_a_text},
    {"send-a-struct", 10, c_send_a_struct, cxx_send_a_struct},
    {"send-through-map", 1, c_send_through_map, cxx_send_through_map},
    {"set-a-variable", 1, c_set_a_variable, cxx_set_a_variable},
    {"observe-and-stop", 0, c_observe_and_stop, cxx_observe_and_stop},
};

static void run(void *body, long count) { reinterpret_cast<void (*)(long)>(body)(count); }

int main(int count, char **words) {
    if (count == 1) park_a_thread();
    for (const auto &one : cases) {
        if (count == 1) {
            const subject subjects[] = {run, run};
            void *const bodies[] = {reinterpret_cast<void *>(one.c), reinterpret_cast<void *>(one.cxx)};
            double times[2];
            measure(2, subjects, bodies, times);
            const std::string measured = std::string("C++ beside C, ") + one.name;
            report(measured.c_str(), "swiftobserver.h", one.size, times[0], "ns");
            report(measured.c_str(), "swiftobserver.hpp", one.size, times[1], "ns");
        } else if (count == 4 && std::strcmp(words[2], one.name) == 0) {
            (std::strcmp(words[1], "c") == 0 ? one.c : one.cxx)(std::strtol(words[3], nullptr, 10));
        } else if (count == 2) {
            std::puts(one.name);
        }
    }
}
