// SPDX-License-Identifier: MIT
// What it costs to deliver a message, and to begin and stop observing, and the memory of an observation: beside a bare
// loop over {function, context}, in the program and in a library, and beside those peers whose headers are found.
#include "../c/measure.h"
#include "library/raw_loop.h"
#include <cstring>
#include <functional>
#include <malloc.h>
#include <memory>
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
#if __has_include(<QtCore/QIODevice>)
#define QT_NO_KEYWORDS // or Qt defines `emit`, `signals` and `slots`, which are names elsewhere
#include <QtCore/QIODevice>
#define WITH_QT
#endif
#if __has_include(<glib-object.h>)
#include <glib-object.h>
#define WITH_GLIB
#endif

// Something that sends numbers to counters. What is called through it is a whole slice of work.
struct contestant {
    const char *name;
    contestant(const char *name) : name(name) {}
    contestant(const contestant &) = delete;
    virtual ~contestant() = default;
    virtual void observe(std::int64_t *sum) = 0;
    virtual void send(long count) = 0;
    virtual void observe_and_stop(std::int64_t *sum, long count) = 0;
};

static void count_message(void *sum, const swo_value *message, const void *) {
    *static_cast<std::int64_t *>(sum) += message->as.int64;
}

struct raw_loop : contestant {
    std::vector<raw_entry> entries;
    raw_loop(const char *name = "raw loop") : contestant(name) {}
    void observe(std::int64_t *sum) override { entries.push_back({count_message, sum}); }
    // Not inlined, as no library's loop would be.
    __attribute__((noinline)) static void send_raw(const raw_entry *entries, size_t count, const swo_value *message,
                                                   const void *author) {
        call_each(entries, count, message, author);
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) {
            swo_value message = swo_int64(sent);
            send_raw(entries.data(), entries.size(), &message, this);
        }
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++) {
            observe(sum);
            entries.pop_back();
        }
    }
};

struct raw_loop_in_a_library : raw_loop {
    raw_loop_in_a_library() : raw_loop("raw loop in a library") {}
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) {
            swo_value message = swo_int64(sent);
            send_in_a_library(entries.data(), entries.size(), &message, this);
        }
    }
};

struct swiftobserver : contestant {
    swo_observable *messenger = swo_messenger_new();
    swiftobserver() : contestant("swiftobserver") {}
    ~swiftobserver() override { swo_observable_release(messenger); }
    void observe(std::int64_t *sum) override {
        if (swo_observe(messenger, nullptr, count_message, sum, nullptr, nullptr) != SWO_OK) abort();
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) {
            swo_value message = swo_int64(sent);
            if (swo_send(messenger, &message, nullptr) != SWO_OK) abort();
        }
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++) {
            swo_observation id;
            if (swo_observe(messenger, nullptr, count_message, sum, nullptr, &id) != SWO_OK) abort();
            if (swo_stop(id) != SWO_OK) abort();
        }
    }
};

#ifdef WITH_SIGC
struct libsigc : contestant {
    sigc::signal<void(std::int64_t)> signal;
    libsigc() : contestant("libsigc++ (not thread-safe)") {}
    void observe(std::int64_t *sum) override {
        signal.connect([sum](std::int64_t number) { *sum += number; });
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) signal.emit(sent);
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++)
            signal.connect([sum](std::int64_t number) { *sum += number; }).disconnect();
    }
};
#endif

#ifdef WITH_BOOST
struct boost_signals : contestant {
    boost::signals2::signal<void(std::int64_t)> signal;
    boost_signals() : contestant("Boost.Signals2") {}
    void observe(std::int64_t *sum) override {
        signal.connect([sum](std::int64_t number) { *sum += number; });
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) signal(sent);
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++)
            signal.connect([sum](std::int64_t number) { *sum += number; }).disconnect();
    }
};
#endif

#ifdef WITH_QT
// An object of Qt's with a signal that carries a number. It comes from Qt itself, so that no code is generated here.
struct qt_signals : contestant {
    struct sender : QIODevice {
        qint64 readData(char *, qint64) override { return -1; }
        qint64 writeData(const char *, qint64) override { return -1; }
        template <typename Functor> auto begin(Functor functor) {
            return connect(this, &QIODevice::bytesWritten, this, functor, Qt::DirectConnection);
        }
    } sender;
    qt_signals() : contestant("Qt 6 signal") {}
    void observe(std::int64_t *sum) override {
        sender.begin([sum](qint64 number) { *sum += number; });
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) sender.bytesWritten(sent);
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++)
            QObject::disconnect(sender.begin([sum](qint64 number) { *sum += number; }));
    }
};
#endif

#ifdef WITH_GLIB
static guint number_sent;

// A GObject that emits a number, and has a property that is one.
typedef struct {
    GObject parent;
    gint64 number;
} Sender;
typedef struct {
    GObjectClass parent;
} SenderClass;
G_DEFINE_TYPE(Sender, sender, G_TYPE_OBJECT)

static void sender_init(Sender *sender) { sender->number = 0; }
static void sender_get(GObject *object, guint, GValue *value, GParamSpec *) {
    g_value_set_int64(value, reinterpret_cast<Sender *>(object)->number);
}
static GParamSpec *number_property;
static void sender_class_init(SenderClass *type) {
    G_OBJECT_CLASS(type)->get_property = sender_get;
    number_sent = g_signal_new("number", G_TYPE_FROM_CLASS(type), G_SIGNAL_RUN_LAST, 0, nullptr, nullptr, nullptr,
                               G_TYPE_NONE, 1, G_TYPE_INT64);
    number_property = g_param_spec_int64("value", "value", "value", 0, G_MAXINT64, 0, G_PARAM_READABLE);
    g_object_class_install_property(G_OBJECT_CLASS(type), 1, number_property);
}

static void count_number(Sender *, gint64 number, gpointer sum) { *static_cast<std::int64_t *>(sum) += number; }
static void count_notified(Sender *sender, GParamSpec *, gpointer sum) {
    *static_cast<std::int64_t *>(sum) += sender->number;
}

struct emitting : contestant {
    gpointer sender = g_object_new(sender_get_type(), nullptr);
    emitting() : contestant("GObject, emit") {}
    ~emitting() override { g_object_unref(sender); }
    void observe(std::int64_t *sum) override { g_signal_connect(sender, "number", G_CALLBACK(count_number), sum); }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) g_signal_emit(sender, number_sent, 0, gint64(sent));
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++)
            g_signal_handler_disconnect(sender, g_signal_connect(sender, "number", G_CALLBACK(count_number), sum));
    }
};

struct notifying : contestant {
    Sender *sender = static_cast<Sender *>(g_object_new(sender_get_type(), nullptr));
    notifying() : contestant("GObject, notify") {}
    ~notifying() override { g_object_unref(sender); }
    void observe(std::int64_t *sum) override {
        g_signal_connect(sender, "notify::value", G_CALLBACK(count_notified), sum);
    }
    void send(long count) override {
        for (long sent = 1; sent <= count; sent++) {
            sender->number = sent;
            g_object_notify_by_pspec(G_OBJECT(sender), number_property);
        }
    }
    void observe_and_stop(std::int64_t *sum, long count) override {
        for (long one = 0; one < count; one++)
            g_signal_handler_disconnect(sender,
                                        g_signal_connect(sender, "notify::value", G_CALLBACK(count_notified), sum));
    }
};
#endif

using contestants = std::vector<std::unique_ptr<contestant>>;

static contestants all() {
    contestants all;
    all.emplace_back(new raw_loop);
    all.emplace_back(new raw_loop_in_a_library);
    all.emplace_back(new swiftobserver);
#ifdef WITH_SIGC
    all.emplace_back(new libsigc);
#endif
#ifdef WITH_BOOST
    all.emplace_back(new boost_signals);
#endif
#ifdef WITH_QT
    all.emplace_back(new qt_signals);
#endif
#ifdef WITH_GLIB
    all.emplace_back(new emitting);
    all.emplace_back(new notifying);
#endif
    return all;
}

static std::int64_t newcomer;
static void send(void *one, long count) { static_cast<contestant *>(one)->send(count); }
static void begin_and_stop(void *one, long count) {
    static_cast<contestant *>(one)->observe_and_stop(&newcomer, count);
}

static void report_all(const char *measured, const contestants &all, subject run, long size, double divisor) {
    std::vector<subject> runs(all.size(), run);
    std::vector<void *> contexts;
    for (auto &one : all) contexts.push_back(one.get());
    std::vector<double> result(all.size());
    measure(int(all.size()), runs.data(), contexts.data(), result.data());
    for (size_t one = 0; one < all.size(); one++) report(measured, all[one]->name, size, result[one] / divisor, "ns");
}

static void report_delivery(long observers) {
    contestants all = ::all();
    std::vector<std::int64_t> sums(all.size() * size_t(observers));
    for (size_t one = 0; one < all.size(); one++)
        for (long index = 0; index < observers; index++)
            all[one]->observe(&sums[one * size_t(observers) + size_t(index)]);
    report_all("C, delivery", all, send, observers, double(observers > 0 ? observers : 1));
    for (std::int64_t sum : sums)
        if (sum == 0) abort();
    if (observers == 0 || observers == 1000) report_all("C, observe + stop", all, begin_and_stop, observers, 1);
}

static std::size_t memory() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

int main() {
    park_a_thread();
    for (long observers : {0L, 1L, 10L, 100L, 1000L}) report_delivery(observers);
    const long count = 10000;
    std::int64_t sum = 0;
    for (auto &one : all()) {
        one->observe_and_stop(&sum, 1);
        std::size_t before = memory();
        for (long index = 0; index < count; index++) one->observe(&sum);
        report("C, memory of an observation", one->name, count, double(memory() - before) / double(count), "bytes");
    }
}
