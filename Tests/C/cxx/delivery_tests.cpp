// SPDX-License-Identifier: MIT
// Queues and executors.
#include "counting.hpp"
#include "support.hpp"
#include <deque>
#include <stdexcept>
#include <swiftobserver.hpp>
#include <swiftobserver/poll.h>
#include <thread>

TEST(a_queue_delivers_where_it_is_drained) {
    swo::messenger<std::string> names;
    swo::queue queue;
    std::string all;
    std::thread::id where;
    auto observation = names.observe(
        [&](std::string_view name) {
            all += name;
            where = std::this_thread::get_id();
        },
        swo::options().on(queue));
    std::thread sender([&] {
        for (const char *name : {"a", "b", "c"}) names.send(name);
    });
    sender.join();
    must(all.empty());
    pollfd entry = swo_poll_entry(queue.raw());
    must(poll(&entry, 1, -1) == 1 && queue.drain(1) == 1 && queue.drain() == 2);
    must(all == "abc" && where == std::this_thread::get_id());
}

TEST(a_full_queue_refuses_and_the_send_says_so) {
    swo::messenger<int> numbers;
    swo::queue queue(1, swo::when_full::refuse);
    auto observation = numbers.observe([](int) {}, swo::options().on(queue));
    numbers.send(1);
    must(numbers.try_send(2) == SWO_REFUSED && numbers.refused() == 1);
    must(is_thrown(SWO_REFUSED, [&] { numbers.send(3); }));
    must(queue.drain() == 1);
}

TEST(what_waits_does_not_arrive_after_stop) {
    swo::messenger<int> numbers;
    swo::queue queue;
    int received = 0;
    auto observation = numbers.observe([&] { received++; }, swo::options().on(queue));
    numbers.send(1);
    observation.stop();
    queue.drain();
    must(received == 0);
}

TEST(an_executor_takes_jobs_or_refuses_them) {
    std::deque<swo::job> jobs;
    bool takes = true;
    swo::messenger<int> numbers;
    int sum = 0;
    {
        swo::executor executor([&jobs, &takes, count = counted()](swo::job &job) noexcept {
            if (takes) jobs.push_back(std::move(job));
        });
        swo::executor copy = executor;
        auto observation = numbers.observe([&](int number) { sum += number; }, swo::options().on(copy));
        executor = copy;
        must(counted::living == 1);
        numbers.send(1);
        numbers.send(2);
        takes = false;
        must(numbers.try_send(4) == SWO_REFUSED);
        must(sum == 0 && jobs.size() == 2);
        jobs.front().run();
        must(sum == 1);
        jobs.clear();
        must(sum == 1);
    }
    must(counted::living == 0);
}

TEST(an_observation_can_begin_on_its_executor) {
    swo::variable<int> number(1);
    swo::queue queue;
    int latest = 0;
    auto observation = number.new_values().observe([&](int value) { latest = value; },
                                                   swo::options().on(queue).replay(1).begins_on_executor());
    must(latest == 0);
    while (queue.drain() > 0) {}
    must(latest == 1);
}

/* What another thread gets of a call: its status. */
template <class Call> static swo_status status_elsewhere(Call call) {
    swo_status status = SWO_OK;
    std::thread([&] {
        try {
            call();
        } catch (const swo::error &error) {
            status = error.status();
        }
    }).join();
    return status;
}

TEST(what_is_confined_refuses_other_threads) {
    swo::messenger<std::string> names;
    swo::variable<int> number(1);
    std::string all;
    auto observation = names.observe([&](std::string_view name) { all += name; });
    names.confine();
    number.confine();
    must(status_elsewhere([&] { names.send("a"); }) == SWO_WRONG_THREAD);
    must(status_elsewhere([&] { number.set(2); }) == SWO_WRONG_THREAD);
    must(status_elsewhere([&] { number.update([](int old) { return old + 1; }); }) == SWO_WRONG_THREAD);
    names.send("b");
    must(all == "b" && number.get() == 1);
}

TEST(what_is_confined_with_a_queue_is_handed_over_and_what_its_handlers_throw_is_rethrown_by_the_drain) {
    swo::messenger<std::string> names;
    swo::queue queue;
    std::string all;
    auto observation = names.observe([&](std::string_view name) {
        all += name;
        if (name == "bad") throw std::runtime_error("bad");
    });
    names.confine(queue);
    must(status_elsewhere([&] {
             for (const char *name : {"a", "bad", "c"}) names.send(name);
         }) == SWO_OK);
    must(all.empty());
    try {
        queue.drain();
        must(false);
    } catch (const std::runtime_error &error) {
        must(std::string(error.what()) == "bad");
    }
    must(all == "abadc");
}

TEST(what_is_confined_with_an_executor_is_handed_over_by_its_jobs) {
    std::deque<swo::job> jobs;
    swo::executor later([&](swo::job &job) noexcept { jobs.push_back(std::move(job)); });
    swo::variable<int> number(1);
    number.confine(later);
    must(status_elsewhere([&] { number.set(2); }) == SWO_OK && number.get() == 1 && jobs.size() == 1);
    jobs.front().run();
    must(number.get() == 2);
}
