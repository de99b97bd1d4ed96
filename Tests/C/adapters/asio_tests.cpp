// SPDX-License-Identifier: MIT
// An io_context of Asio drains a queue.
#include "../cxx/support.hpp"

#if __has_include(<asio.hpp>) || __has_include(<boost/asio.hpp>)
#include <swiftobserver/asio.hpp>
#include <thread>

namespace net = swo::detail::asio;

TEST(the_context_delivers_what_other_threads_send) {
    net::io_context context;
    swo::queue queue;
    swo::messenger<int> numbers;
    swo::asio_drain draining(context, queue);
    int sum = 0;
    const auto here = std::this_thread::get_id();
    auto observation = numbers.observe(
        [&](int number) {
            must(std::this_thread::get_id() == here);
            sum += number;
            if (number == 100) context.stop();
        },
        swo::options().on(queue));
    std::thread sender([&] {
        for (int number = 1; number <= 100; number++) numbers.send(number);
    });
    context.run();
    sender.join();
    must(sum == 5050);
}

TEST(the_context_is_done_when_the_draining_has_ended) {
    net::io_context context;
    swo::messenger<int> numbers;
    swo::observation observation;
    int seen = 0;
    {
        swo::queue queue;
        auto draining = std::make_unique<swo::asio_drain>(context, queue);
        observation = numbers.observe(
            [&](int number) {
                seen = number;
                draining.reset();
            },
            swo::options().on(queue));
        numbers.send(1);
        context.run();
        must(seen == 1);
        // The descriptor is the queue's still.
        numbers.send(2);
        must(queue.drain() == 1 && seen == 2);
    }
    context.restart();
    context.run();
}

TEST(an_exception_leaves_the_context_which_goes_on_when_it_is_run_again) {
    net::io_context context;
    swo::queue queue;
    swo::messenger<int> numbers;
    swo::asio_drain draining(context, queue);
    int seen = 0;
    auto observation = numbers.observe(
        [&](int number) {
            if (number < 0) throw number;
            seen = number;
            context.stop();
        },
        swo::options().on(queue));
    numbers.send(-1);
    int thrown = 0;
    try {
        context.run();
    } catch (int number) {
        thrown = number;
    }
    numbers.send(2);
    context.run();
    must(thrown == -1 && seen == 2);
}

TEST(what_waits_for_time_comes_in_the_context) {
    net::io_context context;
    swo::queue queue;
    swo::messenger<int> numbers;
    swo::asio_drain draining(context, queue);
    int seen = 0;
    auto observation = numbers.debounce(std::chrono::milliseconds(1), swo::clock(queue)).observe([&](int number) {
        seen = number;
        context.stop();
    });
    numbers.send(1);
    numbers.send(2);
    context.run();
    must(seen == 2);
}
#else
TEST(there_is_no_asio_here_so_nothing_is_tested_with_it) {}
#endif
