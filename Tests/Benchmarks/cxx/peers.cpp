// SPDX-License-Identifier: MIT
// What it costs to deliver a message, and to begin and stop observing, beside peers in C++.
#include "../c/measure.h"
#include <boost/signals2.hpp>
#include <malloc.h>
#include <sigc++/sigc++.h>
#include <swiftobserver.h>
#include <vector>

struct counter {
    std::int64_t sum = 0;
};

static void count_message(void *context, const swo_value *message, const void *) {
    static_cast<counter *>(context)->sum += message->as.int64;
}

struct scene {
    swo_observable *messenger = swo_messenger_new();
    boost::signals2::signal<void(std::int64_t)> boost;
    sigc::signal<void(std::int64_t)> sigc;
    std::vector<counter> counters;

    void connect(counter &counter) {
        if (swo_observe(messenger, nullptr, count_message, &counter, nullptr, nullptr) != SWO_OK) abort();
        boost.connect([&counter](std::int64_t number) { counter.sum += number; });
        sigc.connect([&counter](std::int64_t number) { counter.sum += number; });
    }

    ~scene() { swo_observable_release(messenger); }
};

static scene &of(void *context) { return *static_cast<scene *>(context); }

static void swiftobserver(void *context, long count) {
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        if (swo_send(of(context).messenger, &message, nullptr) != SWO_OK) abort();
    }
}

static void boost_signals(void *context, long count) {
    for (long sent = 0; sent < count; sent++) of(context).boost(sent);
}

static void libsigc(void *context, long count) {
    for (long sent = 0; sent < count; sent++) of(context).sigc.emit(sent);
}

static void swiftobserver_beginning(void *context, long count) {
    counter counter;
    for (long one = 0; one < count; one++) {
        swo_observation id;
        if (swo_observe(of(context).messenger, nullptr, count_message, &counter, nullptr, &id) != SWO_OK) abort();
        if (swo_stop(id) != SWO_OK) abort();
    }
}

static void boost_beginning(void *context, long count) {
    counter counter;
    for (long one = 0; one < count; one++)
        of(context).boost.connect([&counter](std::int64_t number) { counter.sum += number; }).disconnect();
}

static void libsigc_beginning(void *context, long count) {
    counter counter;
    for (long one = 0; one < count; one++)
        of(context).sigc.connect([&counter](std::int64_t number) { counter.sum += number; }).disconnect();
}

static std::size_t memory() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

template <typename Connect> static void report_memory(const char *name, Connect connect) {
    const long count = 10000;
    std::size_t before = memory();
    for (long one = 0; one < count; one++) connect();
    report("memory beside C++ peers", name, count, double(memory() - before) / double(count), "bytes");
}

int main() {
    park_a_thread();
    static const char *const names[] = {"swiftobserver", "Boost.Signals2", "libsigc++ (not thread-safe)"};
    const subject deliver[] = {swiftobserver, boost_signals, libsigc};
    const subject begin[] = {swiftobserver_beginning, boost_beginning, libsigc_beginning};
    for (long observers : {0L, 1L, 10L, 100L, 1000L}) {
        scene scene;
        scene.counters.resize(std::size_t(observers));
        for (counter &counter : scene.counters) scene.connect(counter);
        long divisor = observers > 0 ? observers : 1;
        void *const contexts[] = {&scene, &scene, &scene};
        double result[3];
        measure(3, deliver, contexts, 200000 / divisor, result);
        for (int one = 0; one < 3; one++)
            report("delivery beside C++ peers", names[one], observers, result[one] / double(divisor), "ns");
        if (observers != 0 && observers != 1000) continue;
        measure(3, begin, contexts, 20000, result);
        for (int one = 0; one < 3; one++)
            report("observe + stop beside C++ peers", names[one], observers, result[one], "ns");
    }
    counter counter;
    scene empty;
    report_memory(names[0], [&] { swo_observe(empty.messenger, nullptr, count_message, &counter, nullptr, nullptr); });
    report_memory(names[1], [&] { empty.boost.connect([&counter](std::int64_t number) { counter.sum += number; }); });
    report_memory(names[2], [&] { empty.sigc.connect([&counter](std::int64_t number) { counter.sum += number; }); });
}
