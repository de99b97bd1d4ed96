// SPDX-License-Identifier: MIT
// What handlers throw reaches the sender, and does not stop other handlers.
#include "counting.hpp"
#include "support.hpp"
#include <memory>
#include <stdexcept>
#include <swiftobserver.hpp>
#include <swiftobserver/runtime.h>
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

// ---- An exception belongs to one call, and is gone with it.

// What is thrown, and how many of it there are.
struct thrown_object : std::runtime_error {
    static inline int living = 0;
    thrown_object() : std::runtime_error("dropped") { living++; }
    thrown_object(const thrown_object &other) : std::runtime_error(other) { living++; }
    ~thrown_object() override { living--; }
};
[[noreturn]] static void throw_object() { throw thrown_object(); }

static const char *const refusal = "an executor or a full queue has refused a message";

// A messenger whose sends fail, and throw nothing of handlers.
struct refusing {
    swo::messenger<int> numbers;
    swo::queue full{1, swo::when_full::refuse};
    swo::observation observation = numbers.observe([](int) {}, swo::options().on(full));
    refusing() { numbers.send(0); }
    std::string send() {
        return thrown_by([this] { numbers.send(1); });
    }
};

TEST(an_exception_that_was_dropped_is_freed_at_once_and_thrown_by_no_later_call) {
    refusing refuses;
    swo::messenger<int> numbers;
    swo::variable<int> variable(0);
    auto one = numbers.observe([](int) { throw_object(); });
    auto other = variable.observe([] { throw_object(); });
    must(numbers.try_send(1) == SWO_CALLBACK_FAILED && thrown_object::living == 0 && refuses.send() == refusal);
    {
        auto batch = variable.batch();
        variable.set(1);
    }
    must(thrown_object::living == 0 && refuses.send() == refusal);
    swo_value two = swo_int64(2);
    must(swo_send(numbers.raw(), &two, nullptr) == SWO_CALLBACK_FAILED);
    must(swo_variable_set(variable.raw(), &two, nullptr) == SWO_CALLBACK_FAILED);
    must(thrown_object::living == 0 && refuses.send() == refusal);
    must(thrown_by([&] { numbers.send(1); }) == "dropped" && thrown_object::living == 0 && refuses.send() == refusal);
}

TEST(an_exception_that_a_handler_has_dropped_is_not_thrown_by_the_send_that_called_it) {
    refusing refuses;
    swo::messenger<int> inner;
    auto throwing = inner.observe([](int) { throw_object(); });
    swo::variable<int> variable(0);
    auto also = variable.observe([] { throw_object(); });
    auto one = refuses.numbers.observe([&](int) {
        must(inner.try_send(1) == SWO_CALLBACK_FAILED && thrown_object::living == 0);
        auto batch = variable.batch();
        variable.set(variable.get() + 1);
    });
    must(refuses.send() == refusal && thrown_object::living == 0);
    // Also one that a send of C inside of a handler has dropped: it goes with the send.
    one = inner.observe([](int) {});
    swo::messenger<int> outer;
    auto other = outer.observe([&](int) {
        swo_value number = swo_int64(1);
        must(swo_send(inner.raw(), &number, nullptr) == SWO_CALLBACK_FAILED);
    });
    must(thrown_by([&] { outer.send(1); }) == "nothing" && thrown_object::living == 0);
    must(refuses.send() == refusal);
}

TEST(an_exception_of_a_handler_is_thrown_though_another_observation_was_refused) {
    refusing refuses;
    auto throwing = refuses.numbers.observe([](int) { throw_object(); });
    must(refuses.send() == "dropped" && thrown_object::living == 0);
}

TEST(what_a_handler_catches_does_not_hide_what_another_one_has_thrown) {
    swo::messenger<int> outer, inner;
    auto failing = inner.observe([](int) { throw std::runtime_error("inner"); });
    auto one = outer.observe([](int) { throw std::runtime_error("outer"); });
    std::string caught;
    auto two = outer.observe([&](int) { caught = thrown_by([&] { inner.send(1); }); });
    must(thrown_by([&] { outer.send(1); }) == "outer" && caught == "inner");
}

TEST(an_exception_of_a_mapper_reaches_who_asks_for_the_latest_message_and_no_send) {
    swo::variable<int> number(1);
    bool fails = true;
    auto mapped = number.new_values().map([&](int value) { return fails ? (throw_object(), 0) : value; });
    int received = 0;
    auto one = number.observe([&] { received++; });
    must(thrown_by([&] { mapped.latest(); }) == "dropped" && thrown_object::living == 0);
    must(thrown_by([&] { mapped.send_latest(); }) == "dropped" && thrown_object::living == 0);
    fails = false;
    must(thrown_by([&] { number.set(2); }) == "nothing" && received == 1);
    must(mapped.latest() == 2);
}

TEST(an_exception_about_a_replay_reaches_no_later_send) {
    swo::variable<int> number(0);
    int received = 0;
    auto one = number.observe([&] { received++; });
    must(thrown_by([&] { auto two = number.observe([] { throw_object(); }, swo::options().replay(1)); }) == "dropped");
    must(thrown_object::living == 0);
    must(thrown_by([&] { number.set(1); }) == "nothing" && received == 1);
}

TEST(a_drain_throws_nothing_that_was_thrown_before_or_elsewhere) {
    refusing refuses;
    swo::messenger<int> numbers, inner;
    swo::queue queue;
    auto throwing = inner.observe([](int) { throw_object(); });
    must(inner.try_send(1) == SWO_CALLBACK_FAILED);
    auto one = numbers.observe([&](int) { must(inner.try_send(1) == SWO_CALLBACK_FAILED); }, swo::options().on(queue));
    numbers.send(1);
    must(thrown_by([&] { queue.drain(); }) == "nothing" && thrown_object::living == 0);
    auto two = numbers.observe([](int) { throw_object(); }, swo::options().on(queue));
    numbers.send(1);
    must(thrown_by([&] { queue.drain(); }) == "dropped" && thrown_object::living == 0);
    must(thrown_by([&] { queue.drain(); }) == "nothing" && refuses.send() == refusal);
}

TEST(what_a_release_or_a_stop_calls_leaves_nothing_behind) {
    refusing refuses;
    auto numbers = std::make_unique<swo::messenger<int>>();
    swo::messenger<int> inner;
    auto throwing = inner.observe([](int) { throw_object(); });
    // A context whose end sends.
    struct sending {
        swo::messenger<int> *inner;
        ~sending() {
            if (inner != nullptr) (void)inner->try_send(1);
        }
        explicit sending(swo::messenger<int> &inner) : inner(&inner) {}
        sending(sending &&other) noexcept : inner(std::exchange(other.inner, nullptr)) {}
    };
    auto one = numbers->observe([end = sending(inner)] {});
    auto two = numbers->observe([end = sending(inner)] {});
    one.stop();
    must(thrown_object::living == 0);
    numbers.reset();
    must(thrown_object::living == 0 && refuses.send() == refusal);
    // What waits is delivered by the last release.
    auto late = std::make_unique<swo::messenger<int>>();
    auto three = late->observe([](int) { throw_object(); });
    swo_value number = swo_int64(1);
    must(swo_send_later(late->raw(), &number, nullptr) == SWO_OK);
    auto four = refuses.numbers.observe([&](int) { late.reset(); });
    must(refuses.send() == refusal && late == nullptr && thrown_object::living == 0);
}

TEST(the_exceptions_of_a_thread_end_with_their_calls) {
    std::thread([] {
        swo::messenger<int> numbers;
        auto one = numbers.observe([](int) { throw_object(); });
        for (int turn = 0; turn < 100; turn++) must(numbers.try_send(turn) == SWO_CALLBACK_FAILED);
        must(thrown_object::living == 0);
        must(thrown_by([&] { numbers.send(1); }) == "dropped");
    }).join();
    must(thrown_object::living == 0);
}

TEST(what_was_moved_from_says_so) {
    swo::messenger<int> numbers, moved = std::move(numbers);
    must(thrown_by([&] { numbers.send(1); }) == "there is nothing here: it was moved from");
    must(thrown_by([&] { auto observation = numbers.observe([](int) {}); }).find("moved from") != std::string::npos);
    swo::variable<int> number(1), other = std::move(number);
    must(thrown_by([&] { number.set(1); }).find("moved from") != std::string::npos);
    must(thrown_by([&] { number.get(); }).find("moved from") != std::string::npos);
    must(thrown_by([&] { number.filter([](auto) { return true; }); }).find("moved from") != std::string::npos);
    swo::queue queue, elsewhere = std::move(queue);
    must(thrown_by([&] { queue.drain(); }).find("moved from") != std::string::npos);
}
