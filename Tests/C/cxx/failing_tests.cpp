// SPDX-License-Identifier: MIT
// What handlers throw reaches the sender, and does not stop other handlers.
#include "counting.hpp"
#include "support.hpp"
#include <stdexcept>
#include <swiftobserver.hpp>
#include <thread>

// What a call throws, in words.
template <class Body> static std::string thrown_by(Body body) {
    try {
        body();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "nothing";
}

[[noreturn]] static void fail() { throw std::runtime_error("failed"); }

TEST(an_exception_reaches_the_sender_when_all_have_received) {
    swo::messenger<int> numbers;
    int received = 0;
    auto one = numbers.observe([&](int) { received++; });
    auto two = numbers.observe([](int number) {
        if (number == 1) fail();
    });
    auto three = numbers.observe([&](int) { received++; });
    must(thrown_by([&] { numbers.send(1); }) == "failed" && received == 2);
    must(thrown_by([&] { numbers.send(2); }) == "nothing" && received == 4);
    must(numbers.try_send(1) == SWO_CALLBACK_FAILED);
}

TEST(the_latest_of_several_exceptions_reaches_the_sender) {
    swo::messenger<void> bell;
    auto one = bell.observe([] { throw std::runtime_error("first"); });
    auto two = bell.observe([] { throw std::runtime_error("second"); });
    must(thrown_by([&] { bell.send(); }) == "second");
    one.stop();
    two.stop();
    must(thrown_by([&] { bell.send(); }) == "nothing");
}

TEST(an_exception_about_a_message_that_waited_reaches_the_send_that_delivers) {
    swo::messenger<int> numbers;
    int sent = 0;
    auto one = numbers.observe([&](int number) {
        if (number == 1) numbers.send(2), sent++;
        if (number == 2) fail();
    });
    must(thrown_by([&] { numbers.send(1); }) == "failed" && sent == 1);
}

TEST(a_sender_in_c_gets_a_status) {
    swo::messenger<int> numbers;
    auto one = numbers.observe([](int) { fail(); });
    swo_value number = swo_int64(1);
    must(swo_send(numbers.raw(), &number, nullptr) == SWO_CALLBACK_FAILED);
}

TEST(an_exception_passes_through_transforms) {
    swo::messenger<int> numbers;
    int received = 0;
    auto doubled = numbers.map([](int number) { return number * 2; }).filter([](int) { return true; });
    auto one = doubled.observe([](int) { fail(); });
    auto two = doubled.observe([&](int) { received++; });
    must(thrown_by([&] { numbers.send(1); }) == "failed" && received == 1);
}

TEST(an_exception_of_a_mapper_or_a_predicate_reaches_the_sender) {
    swo::messenger<int> numbers;
    int received = 0;
    auto mapped = numbers.map([](int number) { return number == 1 ? (fail(), 0) : number; });
    auto filtered = numbers.filter([](int number) { return number == 1 ? (fail(), true) : true; });
    auto one = mapped.observe([&] { received++; });
    must(thrown_by([&] { numbers.send(1); }) == "failed" && received == 0);
    one.stop();
    auto two = filtered.observe([&] { received++; });
    must(thrown_by([&] { numbers.send(1); }) == "failed" && received == 0);
    numbers.send(2);
    must(received == 1);
}

TEST(an_exception_of_an_updater_leaves_the_variable_as_it_was) {
    swo::variable<int> number(5);
    must(thrown_by([&] { number.update([](int) { return fail(), 0; }); }) == "failed");
    must(number.get() == 5);
    number.update([](int old) { return old + 1; });
    must(number.get() == 6);
}

TEST(an_exception_reaches_who_sets_a_variable_or_ends_a_batch) {
    swo::variable<int> number(0);
    auto one = number.observe([] { fail(); });
    must(thrown_by([&] { number.set(1); }) == "failed" && number.get() == 1);
    auto batch = number.batch();
    number.set(2);
    must(thrown_by([&] { batch.end(); }) == "failed");
    auto dropped = number.batch();
    number.set(3);
}

TEST(an_exception_about_a_replay_reaches_who_asked_for_it) {
    swo::variable<int> number(0);
    must(thrown_by([&] { auto one = number.observe([] { fail(); }, swo::options().replay(1)); }) == "failed");
    must(number.count() == 0);
    must(thrown_by([&] { number.set(1); }) == "nothing");
    swo::observer observer;
    must(thrown_by([&] {
             observer.observe(
                 number, [] { fail(); }, swo::options().replay(1));
         }) == "failed");
    must(number.count() == 0);
}

TEST(an_exception_of_a_combined_handler_reaches_the_sender) {
    swo::variable<int> one(0), other(0);
    auto observation = swo::combine(one, other).observe([](auto, auto) { fail(); });
    must(thrown_by([&] { one.set(1); }) == "failed");
    must(thrown_by([&] { other.set(1); }) == "failed");
}

TEST(an_exception_on_a_queue_reaches_who_drains) {
    swo::messenger<int> numbers;
    swo::queue queue;
    int received = 0;
    auto one = numbers.observe(
        [](int number) {
            if (number == 1) fail();
        },
        swo::options().on(queue));
    auto two = numbers.observe([&](int) { received++; }, swo::options().on(queue));
    numbers.send(1);
    numbers.send(2);
    must(thrown_by([&] { queue.drain(); }) == "failed" && received == 2);
}

TEST(an_exception_on_a_queue_that_c_drains_ends_the_process) {
    must(dies_with("failed", [] {
        swo::messenger<int> numbers;
        swo::queue queue;
        auto one = numbers.observe([](int) { fail(); }, swo::options().on(queue));
        numbers.send(1);
        swo_queue_drain(queue.raw(), 0, nullptr);
    }));
}

TEST(a_handler_that_promised_not_to_throw_ends_the_process) {
    must(dies_with("failed", [] {
        swo::messenger<int> numbers;
        auto one = numbers.observe([](int) noexcept { fail(); });
        numbers.send(1);
    }));
}

TEST(exceptions_of_other_threads_do_not_mix) {
    swo::messenger<int> numbers;
    auto one = numbers.observe([](int number) {
        if (number < 0) fail();
    });
    std::thread other([] {
        for (int turn = 0; turn < 500; turn++) {
            swo::messenger<int> own;
            auto observation = own.observe([](int) { throw std::runtime_error("other"); });
            must(thrown_by([&] { own.send(1); }) == "other");
        }
    });
    for (int turn = 0; turn < 500; turn++) must(thrown_by([&] { numbers.send(-1); }) == "failed");
    other.join();
}
