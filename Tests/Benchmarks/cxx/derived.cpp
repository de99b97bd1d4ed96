// SPDX-License-Identifier: MIT
// What a set costs that derived variables depend on: the shapes of the public benchmarks, beside the bindable
// properties of Qt, where they are found, and beside the same algorithm for one thread alone. Values, runs and updates
// are asserted.
#include "../c/measure.h"
#include "plain_derived.hpp"
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <swiftobserver.h>
#if __has_include(<QtCore/QProperty>)
#define QT_NO_KEYWORDS
#include <QtCore/QProperty>
#define WITH_QT
#endif

static thread_local long runs, heard;

[[noreturn]] static void fail(const char *shape, const char *what, long found, long wanted) {
    fprintf(stderr, "%s: %ld %s, not %ld\n", shape, found, what, wanted);
    exit(1);
}

// Each library has variables, functions over them by number, and observers that count.

template <class Library> struct formula {
    using node = typename Library::node;
    std::int64_t (*of)(const formula &);
    std::vector<node *> sources;
    std::int64_t number;
    std::int64_t read(std::size_t index) const { return Library::get(*sources[index]); }
    std::int64_t run() const {
        runs++;
        return of(*this);
    }
};

struct swiftobserver {
    struct node {
        swo_observable *observable;
    };
    static swo_status run(void *context, swo_value *out) {
        *out = swo_int64(static_cast<formula<swiftobserver> *>(context)->run());
        return SWO_OK;
    }
    static void hear(void *, const swo_value *, const void *) { heard++; }
    static node variable(std::int64_t number) {
        swo_value value = swo_int64(number);
        node made{};
        if (swo_variable_new(&value, &made.observable) != SWO_OK) abort();
        return made;
    }
    static void derive(node &made, formula<swiftobserver> &of) {
        if (swo_derived_new(run, &of, nullptr, &made.observable) != SWO_OK) abort();
    }
    static void observe(node &one) {
        if (swo_observe(one.observable, nullptr, hear, nullptr, nullptr, nullptr) != SWO_OK) abort();
    }
    static std::int64_t get(node &one) {
        swo_value value;
        if (swo_variable_get(one.observable, &value) != SWO_OK) abort();
        return value.as.int64;
    }
    static void set(node &one, std::int64_t number) {
        swo_value value = swo_int64(number);
        swo_variable_set(one.observable, &value, nullptr);
    }
    static void begin() { swo_transaction_begin(); }
    static void commit() { swo_transaction_commit(); }
    static void release(node &one) { swo_observable_release(one.observable); }
    static constexpr bool is_exact = true;
};

struct bare {
    using node = plain::node;
    static std::int64_t run(void *context) { return static_cast<formula<bare> *>(context)->run(); }
    static void hear(std::int64_t, std::int64_t) { heard++; }
    static node variable(std::int64_t number) {
        node made;
        made.value = number;
        return made;
    }
    static void derive(node &made, formula<bare> &of) { made.function = run, made.context = &of; }
    static void observe(node &one) { plain::observe(one, hear); }
    static std::int64_t get(node &one) { return plain::get(one); }
    static void set(node &one, std::int64_t number) { plain::set(one, number); }
    static void begin() { plain::in_group = true; }
    static void commit() {
        plain::in_group = false;
        plain::pass();
    }
    static void release(node &) {}
    static constexpr bool is_exact = true;
};

#ifdef WITH_QT
struct qt {
    struct node {
        std::unique_ptr<QProperty<std::int64_t>> property; // which may not move
        QPropertyNotifier notifier;
    };
    static node variable(std::int64_t number) {
        node made;
        made.property = std::make_unique<QProperty<std::int64_t>>(number);
        return made;
    }
    static void derive(node &made, formula<qt> &of) {
        made.property = std::make_unique<QProperty<std::int64_t>>();
        made.property->setBinding([&of] { return of.run(); });
    }
    static void observe(node &one) {
        one.notifier = one.property->addNotifier([] { heard++; });
    }
    static std::int64_t get(node &one) { return one.property->value(); }
    static void set(node &one, std::int64_t number) { *one.property = number; }
    static void begin() { Qt::beginPropertyUpdateGroup(); }
    static void commit() { Qt::endPropertyUpdateGroup(); }
    static void release(node &one) { one.property.reset(); }
    static constexpr bool is_exact = false; // it computes a join once for each way that leads to it
};
#endif

template <class Library> struct graph {
    using node = typename Library::node;
    using function = std::int64_t (*)(const formula<Library> &);
    std::deque<node> nodes;
    std::deque<formula<Library>> formulas;

    node *variable(std::int64_t number) {
        nodes.push_back(Library::variable(number));
        return &nodes.back();
    }
    node *derive(function of, std::vector<node *> sources, std::int64_t number = 0) {
        formulas.push_back({of, std::move(sources), number});
        nodes.emplace_back();
        Library::derive(nodes.back(), formulas.back());
        return &nodes.back();
    }
    node *chain(node *from, int length) {
        for (; length > 0; length--) from = derive(add, {from}, 1);
        return from;
    }
    ~graph() {
        while (!nodes.empty()) {
            Library::release(nodes.back());
            nodes.pop_back();
        }
    }

    static std::int64_t add(const formula<Library> &of) {
        std::int64_t sum = of.number;
        for (std::size_t index = 0; index < of.sources.size(); index++) sum += of.read(index);
        return sum;
    }
    static std::int64_t minus(const formula<Library> &of) { return of.read(0) - of.read(1); }
    static std::int64_t zero(const formula<Library> &of) { return of.read(0) * 0; }
    static std::int64_t twice(const formula<Library> &of) { return 2 * of.read(0); }
    static std::int64_t negative(const formula<Library> &of) { return -of.read(0); }
    static std::int64_t unsteady(const formula<Library> &of) {
        std::int64_t sum = 0;
        for (int count = 0; count < 20; count++) sum += of.read(0) % 2 ? of.read(1) : of.read(2);
        return sum;
    }
    static std::int64_t thirty_times(const formula<Library> &of) {
        std::int64_t sum = 0;
        for (int count = 0; count < 30; count++) sum += of.read(0);
        return sum;
    }
};

// A shape: makes a graph, is set, and says what each set has to lead to.
template <class Library> struct shape : graph<Library> {
    using node = typename Library::node;
    const char *name = nullptr;
    node *source = nullptr, *last = nullptr;
    long runs_a_set = 0, updates_a_set = 0;
    std::int64_t next = 1000000;
    std::int64_t (*value)(std::int64_t set) = nullptr;
    void (*turn)(shape &, std::int64_t number) = [](shape &made, std::int64_t number) {
        Library::set(*made.source, number);
    };
    std::vector<node *> sources;

    void expect(const char *named, long runs_each, long updates, std::int64_t (*of)(std::int64_t)) {
        name = named, runs_a_set = runs_each, updates_a_set = updates, value = of;
        // Dependencies are known, and what one thread alone uses is biased to it.
        run(5000 / (runs_each + 1) + 100);
    }

    void run(long count) {
        runs = heard = 0;
        for (long one = 0; one < count; one++) turn(*this, next++);
        if (Library::is_exact && runs != runs_a_set * count) fail(name, "runs", runs, runs_a_set * count);
        if (heard != updates_a_set * count) fail(name, "updates", heard, updates_a_set * count);
        std::int64_t found = Library::get(*last);
        if (found != value(next - 1)) fail(name, "is the value", found, value(next - 1));
    }
};

template <class Library> using made = std::unique_ptr<shape<Library>>;

template <class Library> made<Library> diamond() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    auto left = one->derive(one->add, {one->source}, 1), right = one->derive(one->add, {one->source}, 1);
    one->last = one->derive(one->add, {left, right});
    Library::observe(*one->last);
    one->expect("diamond", 3, 1, [](std::int64_t set) { return 2 * (set + 1); });
    return one;
}

template <class Library> made<Library> wide() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    for (int count = 0; count < 100; count++) Library::observe(*(one->last = one->chain(one->source, 1)));
    one->expect("wide", 100, 100, [](std::int64_t set) { return set + 1; });
    return one;
}

template <class Library> made<Library> deep() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    Library::observe(*(one->last = one->chain(one->source, 100)));
    one->expect("deep", 100, 1, [](std::int64_t set) { return set + 100; });
    return one;
}

template <class Library> made<Library> broad() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    for (int count = 0; count < 50; count++) Library::observe(*(one->last = one->chain(one->source, 2)));
    one->expect("broad", 100, 50, [](std::int64_t set) { return set + 2; });
    return one;
}

template <class Library> made<Library> triangle() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    std::vector<typename Library::node *> all{one->source};
    for (int count = 1; count < 10; count++) all.push_back(one->chain(all.back(), 1));
    Library::observe(*(one->last = one->derive(one->add, all)));
    one->expect("triangle", 10, 1, [](std::int64_t set) { return 10 * set + 45; });
    return one;
}

// A hundred variables in one sum, and a hundred pairs behind the variables: one of each changes.
template <class Library> made<Library> mux() {
    auto one = std::make_unique<shape<Library>>();
    for (int count = 0; count < 100; count++) one->sources.push_back(one->variable(0));
    Library::observe(*(one->last = one->derive(one->add, one->sources)));
    for (auto source : one->sources) Library::observe(*one->chain(source, 2));
    one->turn = [](shape<Library> &made, std::int64_t number) { Library::set(*made.sources[7], number); };
    one->expect("mux", 3, 2, [](std::int64_t set) { return set; });
    return one;
}

template <class Library> made<Library> unstable() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    auto twice = one->derive(one->twice, {one->source}), negative = one->derive(one->negative, {one->source});
    Library::observe(*(one->last = one->derive(one->unsteady, {one->source, twice, negative})));
    one->expect("unstable", 2, 1, [](std::int64_t set) { return set % 2 ? 40 * set : -20 * set; });
    return one;
}

template <class Library> made<Library> avoidable() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    auto zero = one->derive(one->zero, {one->derive(one->add, {one->source})});
    Library::observe(*(one->last = one->chain(zero, 3)));
    one->expect("avoidable", 2, 0, [](std::int64_t) { return std::int64_t(3); });
    return one;
}

template <class Library> made<Library> repeated() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    Library::observe(*(one->last = one->derive(one->thirty_times, {one->source})));
    one->expect("repeated", 1, 1, [](std::int64_t set) { return 30 * set; });
    return one;
}

template <class Library> made<Library> lazy() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    one->last = one->chain(one->source, 100);
    one->turn = [](shape<Library> &made, std::int64_t number) {
        Library::set(*made.source, -number);
        Library::set(*made.source, number);
        Library::get(*made.last);
    };
    one->expect("lazy", 100, 0, [](std::int64_t set) { return set + 100; });
    return one;
}

template <class Library> made<Library> clean_read() {
    auto one = std::make_unique<shape<Library>>();
    one->source = one->variable(1);
    one->last = one->chain(one->source, 1);
    Library::get(*one->last);
    one->turn = [](shape<Library> &made, std::int64_t) { Library::get(*made.last); };
    one->expect("clean read", 0, 0, [](std::int64_t) { return std::int64_t(2); });
    return one;
}

// A hundred layers of four, all observed; a transaction turns the four sources round.
template <class Library> made<Library> cellx() {
    auto one = std::make_unique<shape<Library>>();
    for (int number = 1; number <= 4; number++) one->sources.push_back(one->variable(number));
    auto layer = one->sources;
    for (int count = 0; count < 100; count++) {
        layer = {one->derive(one->add, {layer[1]}), one->derive(one->minus, {layer[0], layer[2]}),
                 one->derive(one->add, {layer[1], layer[3]}), one->derive(one->add, {layer[2]})};
        for (auto part : layer) Library::observe(*part);
    }
    one->last = layer[0];
    one->next = 1;
    one->turn = [](shape<Library> &made, std::int64_t number) {
        Library::begin();
        for (int index = 0; index < 4; index++) Library::set(*made.sources[index], number % 2 ? 4 - index : 1 + index);
        Library::commit();
    };
    one->expect("cellx", 400, 400, [](std::int64_t set) { return std::int64_t(set % 2 ? -2 : -3); });
    return one;
}

template <class Library> static void run_shape(void *made, long count) {
    static_cast<shape<Library> *>(made)->run(count);
}

#define MEASURE(named, make, ...) measure_shape(named, make<swiftobserver>, make<bare>, __VA_ARGS__)
#ifdef WITH_QT
#define BESIDE_QT(make) make<qt>
using made_by_qt = made<qt> (*)();
#else
#define BESIDE_QT(make) nullptr
using made_by_qt = void *;
#endif

static void measure_shape(const char *named, made<swiftobserver> (*ours)(), made<bare> (*theirs)(), made_by_qt qts) {
    auto our = ours();
    auto their = theirs();
    subject run[3] = {run_shape<swiftobserver>, run_shape<bare>};
    void *contexts[3] = {our.get(), their.get()};
    int subjects = 2;
#ifdef WITH_QT
    made<qt> by_qt;
    if (qts) {
        by_qt = qts();
        run[subjects] = run_shape<qt>;
        contexts[subjects++] = by_qt.get();
    }
#else
    (void)qts;
#endif
    double result[3];
    measure(subjects, run, contexts, result);
    report(named, "swiftobserver", 1, result[0], "ns");
    report(named, "the same for one thread alone", 1, result[1], "ns");
    if (subjects > 2) report(named, "QProperty (not thread-safe)", 1, result[2], "ns");
}

// Threads that start together, and work until the first of them has worked long enough.

static std::atomic<int> ready, over;
struct worker {
    void (*work)(void *context, long count);
    void *context;
    double begin, end, units;
};

static void *work(void *context) {
    auto &own = *static_cast<worker *>(context);
    ready.fetch_sub(1);
    while (ready.load() > 0) {}
    own.begin = nanoseconds();
    for (own.units = 0; over.load(std::memory_order_relaxed) == 0; own.units += 1000) {
        own.work(own.context, 1000);
        if (nanoseconds() - own.begin > 150e6) over.store(1);
    }
    own.end = nanoseconds();
    return nullptr;
}

// Units a microsecond, and the milliseconds in which all threads worked.
static double rate(int threads, worker *workers, double &overlap) {
    pthread_t thread[2];
    ready.store(threads);
    over.store(0);
    for (int one = 0; one < threads; one++)
        if (pthread_create(&thread[one], nullptr, work, &workers[one]) != 0) abort();
    double sum = 0, first = 0, last = 1e300;
    for (int one = 0; one < threads; one++) {
        pthread_join(thread[one], nullptr);
        sum += workers[one].units / (workers[one].end - workers[one].begin);
        if (workers[one].begin > first) first = workers[one].begin;
        if (workers[one].end < last) last = workers[one].end;
    }
    overlap = (last - first) / 1e6;
    return 1e3 * sum;
}

static void count_bare(void *sum, long count) {
    volatile std::int64_t &own = *static_cast<std::int64_t *>(sum);
    for (long one = 0; one < 20 * count; one++) own = own + one;
}

static void report_threads() {
    // Each is biased to its thread once that has used it for a while.
    auto first = diamond<swiftobserver>(), second = diamond<swiftobserver>();
    static std::int64_t sums[2][32];
    worker workers[2][2] = {
        {{run_shape<swiftobserver>, first.get(), 0, 0, 0}, {run_shape<swiftobserver>, second.get(), 0, 0, 0}},
        {{count_bare, sums[0], 0, 0, 0}, {count_bare, sums[1], 0, 0, 0}}};
    static const char *const measured[] = {"C, sets of graphs of their own by threads",
                                           "C, bare arithmetic by threads"};
    double least = 1e300;
    for (int kind = 0; kind < 2; kind++) {
        double of_one[REPEATS], of_two[REPEATS], overlap;
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            of_one[repeat] = rate(1, workers[kind], overlap);
            of_two[repeat] = rate(2, workers[kind], overlap);
            if (overlap < least) least = overlap;
        }
        report(measured[kind], "1 thread", 1, median(of_one), "million a second");
        report(measured[kind], "2 threads", 1, median(of_two), "million a second");
    }
    report("C, how long both threads worked at least", "both", 1, least, "ms");
    if (least < 100) fail("threads", "ms of overlap", static_cast<long>(least), 100);
}

int main() {
    park_a_thread();
    MEASURE("C, a set behind a derived diamond", diamond, BESIDE_QT(diamond));
    MEASURE("C, a set behind 100 derived side by side", wide, BESIDE_QT(wide));
    MEASURE("C, a set behind a derived chain of 100", deep, BESIDE_QT(deep));
    MEASURE("C, a set behind 50 derived pairs", broad, BESIDE_QT(broad));
    MEASURE("C, a set behind a derived triangle", triangle, BESIDE_QT(triangle));
    MEASURE("C, a set of one of 100 in a sum", mux, BESIDE_QT(mux));
    MEASURE("C, a set behind an unstable choice", unstable, BESIDE_QT(unstable));
    MEASURE("C, a set that leads to no other value", avoidable, BESIDE_QT(avoidable));
    MEASURE("C, a set of what is read 30 times", repeated, BESIDE_QT(repeated));
    // Qt computes what is behind a join once for each way there: 2^100 ways here.
    MEASURE("C, a transaction behind 100 layers of four", cellx, nullptr);
    MEASURE("C, two sets and a read of a derived chain of 100", lazy, nullptr);
    MEASURE("C, a read of a derived variable", clean_read, BESIDE_QT(clean_read));
    report_threads();
}
