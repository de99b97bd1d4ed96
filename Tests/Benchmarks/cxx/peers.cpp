// SPDX-License-Identifier: MIT
// What it costs to deliver a message, and to begin and stop observing, beside peers in C++.
#include "../c/measure.h"
#define QT_NO_KEYWORDS // or Qt defines `emit`, `signals` and `slots`, which are names elsewhere
#include <QtCore/QIODevice>
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

// An object of Qt's with a signal that carries a number. It comes from Qt itself, so that no code is generated here.
struct sender : QIODevice {
    qint64 readData(char *, qint64) override { return -1; }
    qint64 writeData(const char *, qint64) override { return -1; }
    template <typename Functor> auto begin(Functor functor) {
        return connect(this, &QIODevice::bytesWritten, this, functor, Qt::DirectConnection);
    }
};

struct scene {
    swo_observable *messenger = swo_messenger_new();
    boost::signals2::signal<void(std::int64_t)> boost;
    sender qt;
    sigc::signal<void(std::int64_t)> sigc;
    std::vector<counter> counters;

    void connect(counter &counter) {
        if (swo_observe(messenger, nullptr, count_message, &counter, nullptr, nullptr) != SWO_OK) abort();
        boost.connect([&counter](std::int64_t number) { counter.sum += number; });
        qt.begin([&counter](qint64 number) { counter.sum += number; });
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

static void qt_signals(void *context, long count) {
    for (long sent = 0; sent < count; sent++) of(context).qt.bytesWritten(sent);
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

static void qt_beginning(void *context, long count) {
    counter counter;
    for (long one = 0; one < count; one++)
        QObject::disconnect(of(context).qt.begin([&counter](qint64 number) { counter.sum += number; }));
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
    constexpr int peers = 4;
    static const char *const names[peers] = {"swiftobserver", "Boost.Signals2", "Qt 6, functor",
                                             "libsigc++ (not thread-safe)"};
    const subject deliver[peers] = {swiftobserver, boost_signals, qt_signals, libsigc};
    const subject begin[peers] = {swiftobserver_beginning, boost_beginning, qt_beginning, libsigc_beginning};
    for (long observers : {0L, 1L, 10L, 100L, 1000L}) {
        scene scene;
        scene.counters.resize(std::size_t(observers));
        for (counter &counter : scene.counters) scene.connect(counter);
        long divisor = observers > 0 ? observers : 1;
        void *const contexts[peers] = {&scene, &scene, &scene, &scene};
        double result[peers];
        measure(peers, deliver, contexts, 200000 / divisor, result);
        for (counter &counter : scene.counters)
            if (counter.sum != scene.counters[0].sum || counter.sum == 0) abort();
        for (int one = 0; one < peers; one++)
            report("delivery beside C++ peers", names[one], observers, result[one] / double(divisor), "ns");
        if (observers != 0 && observers != 1000) continue;
        measure(peers, begin, contexts, 20000, result);
        for (int one = 0; one < peers; one++)
            report("observe + stop beside C++ peers", names[one], observers, result[one], "ns");
    }
    counter counter;
    scene empty;
    report_memory(names[0], [&] { swo_observe(empty.messenger, nullptr, count_message, &counter, nullptr, nullptr); });
    report_memory(names[1], [&] { empty.boost.connect([&counter](std::int64_t number) { counter.sum += number; }); });
    report_memory(names[2], [&] { empty.qt.begin([&counter](qint64 number) { counter.sum += number; }); });
    report_memory(names[3], [&] { empty.sigc.connect([&counter](std::int64_t number) { counter.sum += number; }); });
}
