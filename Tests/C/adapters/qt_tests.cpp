// SPDX-License-Identifier: MIT
// An event loop of Qt drains a queue.
#include "../cxx/support.hpp"

#if __has_include(<QSocketNotifier>)
#include <QCoreApplication>
#include <swiftobserver/qt.hpp>
#include <thread>

static int count = 1;
static char name[] = "qt_tests";
static char *words[] = {name, nullptr};

TEST(the_event_loop_delivers_what_other_threads_send) {
    QCoreApplication app(count, words);
    QObject parent;
    swo::messenger<int> numbers;
    swo::observation observation;
    int sum = 0;
    const auto here = std::this_thread::get_id();
    {
        swo::queue queue;
        swo::qt_drain(queue, &parent);
        observation = numbers.observe(
            [&](int number) {
                must(std::this_thread::get_id() == here);
                sum += number;
                if (number == 100) app.quit();
            },
            swo::options().on(queue));
    }
    std::thread sender([&] {
        for (int number = 1; number <= 100; number++) numbers.send(number);
    });
    app.exec();
    sender.join();
    must(sum == 5050);
}

TEST(what_waits_for_time_comes_in_the_event_loop) {
    QCoreApplication app(count, words);
    QObject parent;
    swo::queue queue;
    swo::qt_drain(queue, &parent);
    swo::messenger<int> numbers;
    int seen = 0;
    auto observation = numbers.debounce(std::chrono::milliseconds(1), swo::clock(queue)).observe([&](int number) {
        seen = number;
        app.quit();
    });
    numbers.send(1);
    numbers.send(2);
    app.exec();
    must(seen == 2);
}

TEST(the_draining_ends_with_its_parent) {
    QCoreApplication app(count, words);
    swo::queue queue;
    swo::messenger<int> numbers;
    int seen = 0;
    auto parent = std::make_unique<QObject>();
    swo::qt_drain(queue, parent.get());
    auto observation = numbers.observe([&](int number) { seen = number; }, swo::options().on(queue));
    parent.reset();
    numbers.send(1);
    app.processEvents();
    must(seen == 0 && queue.drain() == 1 && seen == 1);
}
#else
TEST(there_is_no_qt_here_so_nothing_is_tested_with_it) {}
#endif
