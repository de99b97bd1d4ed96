// SPDX-License-Identifier: MIT
// What it takes to deliver a message to ten handlers, and to begin and stop observing: here and with the peers whose
// headers are found. Prints "name<TAB>nanoseconds a handler<TAB>nanoseconds a beginning with its end".
#include "../../Tests/Benchmarks/c/measure.h"
#include <algorithm>
#include <cstdint>
#include <swiftobserver.h>
#include <vector>
#if __has_include(<boost/signals2.hpp>)
#include <boost/signals2.hpp>
#define WITH_BOOST
#endif
#if __has_include(<sigc++/sigc++.h>)
#include <sigc++/sigc++.h>
#define WITH_SIGC
#endif
#if __has_include(<glib-object.h>)
#include <glib-object.h>
#define WITH_GLIB
#endif

static const int handlers = 10;
static std::int64_t sums[handlers + 1];

static void count_message(void *sum, const swo_value *message, const void *) {
    *static_cast<std::int64_t *>(sum) += message->as.int64;
}

struct entry {
    void (*function)(void *, const swo_value *, const void *);
    void *context;
};

static void loop(void *context, long count) {
    auto &entries = *static_cast<std::vector<entry> *>(context);
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        for (entry &entry : entries) entry.function(entry.context, &message, nullptr);
    }
}
static void append_and_remove(void *context, long count) {
    auto &entries = *static_cast<std::vector<entry> *>(context);
    for (long one = 0; one < count; one++) {
        entries.push_back({count_message, &sums[handlers]});
        entries.pop_back();
    }
}

static void send(void *messenger, long count) {
    for (long sent = 0; sent < count; sent++) {
        swo_value message = swo_int64(sent);
        swo_send(static_cast<swo_observable *>(messenger), &message, nullptr);
    }
}
static void observe_and_stop(void *messenger, long count) {
    for (long one = 0; one < count; one++) {
        swo_observation observation;
        if (swo_observe(static_cast<swo_observable *>(messenger), nullptr, count_message, &sums[handlers], nullptr,
                        &observation) != SWO_OK)
            abort();
        swo_stop(observation);
    }
}

#ifdef WITH_BOOST
using boost_signal = boost::signals2::signal<void(std::int64_t)>;
static void boost_send(void *signal, long count) {
    for (long sent = 0; sent < count; sent++) (*static_cast<boost_signal *>(signal))(sent);
}
static void boost_connect(void *signal, long count) {
    for (long one = 0; one < count; one++)
        static_cast<boost_signal *>(signal)->connect([](std::int64_t n) { sums[handlers] += n; }).disconnect();
}
#endif

#ifdef WITH_SIGC
using sigc_signal = sigc::signal<void(std::int64_t)>;
static void sigc_send(void *signal, long count) {
    for (long sent = 0; sent < count; sent++) static_cast<sigc_signal *>(signal)->emit(sent);
}
static void sigc_connect(void *signal, long count) {
    for (long one = 0; one < count; one++)
        static_cast<sigc_signal *>(signal)->connect([](std::int64_t n) { sums[handlers] += n; }).disconnect();
}
#endif

#ifdef WITH_GLIB
static guint number_sent;
static void glib_count(GObject *, gint64 number, gpointer sum) { *static_cast<std::int64_t *>(sum) += number; }
static void glib_send(void *object, long count) {
    for (long sent = 0; sent < count; sent++) g_signal_emit(object, number_sent, 0, gint64(sent));
}
static void glib_connect(void *object, long count) {
    for (long one = 0; one < count; one++)
        g_signal_handler_disconnect(object,
                                    g_signal_connect(object, "number", G_CALLBACK(glib_count), &sums[handlers]));
}
#endif

// The best of several rounds that take turns, in time of the processor: the machine may be busy with something else.
static std::vector<double> best(const std::vector<subject> &run, const std::vector<void *> &contexts, long count) {
    std::vector<double> times(run.size(), 1e12);
    for (int round = 0; round < REPEATS; round++) {
        for (std::size_t one = 0; one < run.size(); one++) {
            timespec begin, end;
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
            run[one](contexts[one], count);
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
            double taken = double(end.tv_sec - begin.tv_sec) * 1e9 + double(end.tv_nsec - begin.tv_nsec);
            times[one] = std::min(times[one], taken / double(count));
        }
    }
    return times;
}

int main() {
    park_a_thread(); // as in any program with threads
    std::vector<const char *> names{"a bare loop over pointers", "SwiftObserver, C"};
    std::vector<entry> entries;
    swo_observable *messenger = swo_messenger_new();
    std::vector<subject> deliver{loop, send}, begin{append_and_remove, observe_and_stop};
    std::vector<void *> contexts{&entries, messenger};
    for (int one = 0; one < handlers; one++) {
        entries.push_back({count_message, &sums[one]});
        if (swo_observe(messenger, nullptr, count_message, &sums[one], nullptr, nullptr) != SWO_OK) abort();
    }
#ifdef WITH_GLIB
    number_sent = g_signal_new("number", G_TYPE_OBJECT, G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr, G_TYPE_NONE, 1,
                               G_TYPE_INT64);
    auto *object = static_cast<GObject *>(g_object_new(G_TYPE_OBJECT, nullptr));
    for (int one = 0; one < handlers; one++) g_signal_connect(object, "number", G_CALLBACK(glib_count), &sums[one]);
    names.push_back("GObject"), deliver.push_back(glib_send), begin.push_back(glib_connect), contexts.push_back(object);
#endif
#ifdef WITH_BOOST
    boost_signal boost;
    for (int one = 0; one < handlers; one++) boost.connect([one](std::int64_t n) { sums[one] += n; });
    names.push_back("Boost.Signals2"), deliver.push_back(boost_send), begin.push_back(boost_connect);
    contexts.push_back(&boost);
#endif
#ifdef WITH_SIGC
    sigc_signal sigc;
    for (int one = 0; one < handlers; one++) sigc.connect([one](std::int64_t n) { sums[one] += n; });
    names.push_back("libsigc++ (one thread only)"), deliver.push_back(sigc_send), begin.push_back(sigc_connect);
    contexts.push_back(&sigc);
#endif
    std::vector<double> delivering = best(deliver, contexts, 10000), beginning = best(begin, contexts, 5000);
    for (std::size_t one = 0; one < names.size(); one++)
        printf("%s\t%.1f\t%.0f\n", names[one], delivering[one] / handlers, beginning[one]);
}
