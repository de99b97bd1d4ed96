// SPDX-License-Identifier: MIT
// What waits for time, on a clock that is turned by hand; and on that of a queue.
#include "support.hpp"
#include <cmath>
#include <poll.h>
#include <swiftobserver.hpp>

using namespace std::chrono_literals;

static std::string text_of(int number) { return std::to_string(number); }
static std::string text_of(const std::vector<int> &numbers) {
    std::string text;
    for (int number : numbers) text += std::to_string(number);
    return text;
}

/* Writes a message where it arrives, a point for each unit of time. */
template <class Make> std::string marbles(std::string_view sent, Make make) {
    swo::clock clock;
    swo::messenger<int> source;
    std::string arrived;
    auto observation = make(source, clock).observe([&](const auto &message) { arrived += text_of(message); });
    for (char each : sent) {
        if (each != '.') source.send(each - '0');
        else clock.advance(1s), arrived += '.';
    }
    return arrived;
}

TEST(what_is_debounced_comes_when_none_has_come_for_a_while) {
    must(marbles("1.2.3...4...", [](auto &source, auto &clock) { return source.debounce(2s, clock); }) == "...3...4..");
}

TEST(what_is_throttled_passes_the_first_the_latest_or_both) {
    using swo::throttled;
    auto passed = [](throttled which) {
        return marbles("1.2.3..4....", [&](auto &source, auto &clock) { return source.throttle(3s, clock, which); });
    };
    must(passed(throttled::first) == "1....4....");
    must(passed(throttled::latest) == "..3....4..");
    must(passed(throttled::both) == "1..3...4...");
}

TEST(what_is_delayed_comes_later) {
    must(marbles("12..3...", [](auto &source, auto &clock) { return source.delay(2s, clock); }) == ".12..3..");
}

TEST(a_timeout_sends_another_message) {
    must(marbles("1.....2...", [](auto &source, auto &clock) { return source.timeout(3s, 9, clock); }) ==
         "1..9...2..9.");
}

TEST(what_is_buffered_comes_together) {
    must(marbles("12345", [](auto &source, auto &) { return source.buffer(2); }) == "1234");
    must(marbles("1.2.3..4....", [](auto &source, auto &clock) { return source.buffer(3s, clock); }) == "..123....4..");
    must(marbles("123.", [](auto &source, auto &clock) { return source.buffer(1s, clock, 2); }) == "123.");
}

TEST(ticks_count_while_they_are_observed) {
    swo::clock clock;
    auto every = swo::ticks(2s, clock);
    std::string seen;
    clock.advance(10s);
    auto one = every.observe([&](std::int64_t count) { seen += std::to_string(count); });
    clock.advance(5s);
    must(seen == "12" && clock.now() == 15s && clock.waiting() == 1);
    one.stop();
    must(clock.waiting() == 0);
    clock.advance(5s);
    must(seen == "12");
}

TEST(what_names_no_clock_waits_on_the_default_one) {
    swo::clock clock;
    swo::messenger<int> source;
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { source.debounce(1s); }));
    swo::clock::set_default(clock);
    std::string seen;
    auto note = [&](const auto &message) { seen += text_of(message); };
    auto settled = source.debounce(1s).observe(note);
    auto late = source.timeout(4s, 9).observe(note);
    auto every = swo::ticks(3s).observe(note);
    source.send(1);
    clock.advance(4s);
    must(seen == "1119");
    swo::clock::set_default(swo::clock::standard());
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { swo::ticks(1s); }));
}

TEST(texts_and_objects_wait) {
    swo::clock clock;
    swo::messenger<std::string> texts;
    std::string seen;
    auto one = texts.delay(1s, clock).observe([&](std::string_view text) { seen.append(text); });
    auto two = texts.buffer(2).observe([&](const std::vector<std::string> &all) { seen += all[0] + all[1]; });
    texts.send(std::string("a text that is too long to lie anywhere but in memory of its own"));
    texts.send("b");
    must(seen == "a text that is too long to lie anywhere but in memory of its ownb");
    seen.clear();
    clock.advance(1s);
    must(seen == "a text that is too long to lie anywhere but in memory of its ownb");
}

TEST(what_waited_does_not_arrive_after_stop) {
    swo::clock clock;
    swo::messenger<int> numbers;
    int calls = 0;
    auto one = numbers.debounce(1s, clock).observe([&](int) { calls++; });
    numbers.send(1);
    one.stop();
    clock.advance(2s);
    must(calls == 0 && clock.waiting() == 0);
}

TEST(an_exception_about_what_waited_reaches_the_one_who_turns_the_clock) {
    swo::clock clock;
    swo::messenger<int> numbers;
    auto one = numbers.delay(1s, clock).observe([](int number) { throw number; });
    numbers.send(5);
    int thrown = 0;
    try {
        clock.advance(1s);
    } catch (int number) {
        thrown = number;
    }
    must(thrown == 5);
}

TEST(the_loop_of_a_queue_wakes_up_for_what_waits) {
    swo::queue queue;
    swo::messenger<int> numbers;
    int seen = 0;
    auto one = numbers.debounce(1ms, swo::clock(queue)).observe([&](int number) { seen = number; });
    numbers.send(1);
    numbers.send(2);
    pollfd waiting = {queue.fd(), POLLIN, 0};
    while (seen == 0) {
        must(poll(&waiting, 1, -1) == 1);
        queue.drain();
    }
    must(seen == 2);
}

TEST(what_is_no_interval_is_refused_when_the_observable_is_made) {
    swo::clock clock;
    swo::messenger<int> numbers;
    for (double seconds : {0.0, -1.0, double(NAN), double(INFINITY), double(-INFINITY), 1e300, 1e-12}) {
        const std::chrono::duration<double> interval(seconds);
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.debounce(interval, clock); }));
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.throttle(interval, clock); }));
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.delay(interval, clock); }));
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.timeout(interval, 1, clock); }));
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.buffer(interval, clock); }));
        must(is_thrown(SWO_INVALID_ARGUMENT, [&] { swo::ticks(interval, clock); }));
        must(seconds == 0 || is_thrown(SWO_INVALID_ARGUMENT, [&] { clock.advance(interval); }));
    }
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.debounce(std::chrono::hours::max(), clock); }));
    swo::queue queue;
    must(is_thrown(SWO_WRONG_KIND, [&] { swo::clock(queue).advance(1s); }));
}
