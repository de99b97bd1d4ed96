// SPDX-License-Identifier: MIT
// Messages awaited by coroutines.
#include "counting.hpp"
#include "support.hpp"
#include <memory>
#include <swiftobserver.hpp>
#include <thread>

// A coroutine that runs by itself; destroyed by who holds it where it has not ended.
struct task {
    struct promise_type {
        task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
    std::coroutine_handle<promise_type> handle;
    task(std::coroutine_handle<promise_type> given) : handle(given) {}
    task(const task &) = delete;
    ~task() { handle.destroy(); }
    bool is_done() const { return handle.done(); }
};

static task collect(const swo::observable<int> &numbers, std::string &all) {
    while (auto number = co_await swo::next(numbers)) all += std::to_string(*number) + " ";
    all += "end";
}

TEST(a_coroutine_awaits_messages_until_the_observable_dies) {
    std::string all;
    auto numbers = std::make_unique<swo::messenger<int>>();
    task collecting = collect(*numbers, all);
    numbers->send(1);
    numbers->send(2);
    must(all == "1 2 " && !collecting.is_done());
    numbers.reset();
    must(all == "1 2 end" && collecting.is_done());
}

TEST(a_coroutine_that_awaits_again_misses_nothing_of_a_delivery) {
    std::string all;
    swo::messenger<int> numbers;
    auto sending = numbers.observe([&](int number) {
        if (number < 4) numbers.send(number + 1);
    });
    task collecting = collect(numbers, all);
    numbers.send(1);
    must(all == "1 2 3 4 ");
}

TEST(a_coroutine_is_resumed_where_a_queue_is_drained) {
    static std::thread::id where;
    static int latest;
    swo::messenger<int> numbers;
    swo::queue queue;
    auto wait = [](const swo::messenger<int> &numbers, const swo::queue &queue) -> task {
        latest = *co_await swo::next(numbers, queue);
        where = std::this_thread::get_id();
    };
    task waiting = wait(numbers, queue);
    std::thread([&] { numbers.send(7); }).join();
    must(latest == 0 && !waiting.is_done());
    queue.drain();
    must(latest == 7 && where == std::this_thread::get_id() && waiting.is_done());
}

TEST(a_coroutine_that_is_destroyed_receives_nothing) {
    std::string all;
    swo::messenger<int> numbers;
    {
        task collecting = collect(numbers, all);
        must(numbers.count() == 1);
    }
    numbers.send(1);
    must(all.empty() && numbers.count() == 0);
}

TEST(texts_and_objects_are_awaited_as_their_own) {
    static std::string text;
    static std::optional<std::vector<int>> list;
    swo::messenger<std::string_view> texts;
    swo::messenger<std::vector<int>> lists;
    auto wait = [](const swo::messenger<std::string_view> &texts,
                   const swo::messenger<std::vector<int>> &lists) -> task {
        std::string here = *co_await swo::next(texts);
        list = co_await swo::next(lists);
        text = here;
    };
    task waiting = wait(texts, lists);
    {
        std::string sent = "a text that is too long to lie in a std::string itself";
        texts.send(sent);
        sent.assign(sent.size(), '-');
    }
    lists.send({1, 2});
    must(waiting.is_done() && text.rfind("a text", 0) == 0 && list->size() == 2);
}

TEST(awaiting_what_was_moved_away_ends_at_once) {
    std::string all;
    swo::messenger<int> numbers, moved = std::move(numbers);
    task collecting = collect(numbers, all);
    must(all == "end");
}

TEST(a_coroutine_may_be_resumed_by_any_thread_while_it_begins_to_wait) {
    for (int turn = 0; turn < 300; turn++) {
        std::string all;
        auto numbers = std::make_unique<swo::messenger<int>>();
        std::atomic<bool> stops = false;
        std::thread sender([&] {
            while (!stops) numbers->send(1);
        });
        auto some = [](const swo::messenger<int> &numbers, std::atomic<bool> &stops) -> task {
            for (int one = 0; one < 20; one++) must(*co_await swo::next(numbers) == 1);
            stops = true;
        };
        task waiting = some(*numbers, stops);
        sender.join();
        must(waiting.is_done());
    }
}

static task collect_on(const swo::observable<int> &numbers, const swo::queue &queue, std::string &all) {
    while (auto number = co_await swo::next(numbers, queue)) all += std::to_string(*number) + " ";
    all += "end";
}

TEST(a_coroutine_that_awaits_again_misses_nothing_that_waits_in_a_queue) {
    std::string all;
    auto numbers = std::make_unique<swo::messenger<int>>();
    swo::queue queue;
    task collecting = collect_on(*numbers, queue, all);
    for (int number = 1; number <= 3; number++) numbers->send(number);
    must(all.empty() && queue.drain() > 0);
    while (queue.drain() > 0) {}
    must(all == "1 2 3 ");
    numbers->send(4);
    numbers->send(5);
    must(queue.drain(1) == 1 && all == "1 2 3 4 ");
    numbers->send(6);
    while (queue.drain() > 0) {}
    must(all == "1 2 3 4 5 6 " && numbers->count() == 1);
    numbers.reset();
    while (queue.drain() > 0) {}
    must(all == "1 2 3 4 5 6 end" && collecting.is_done());
}

TEST(what_a_coroutine_sends_before_it_awaits_again_comes_next) {
    static std::string all;
    all.clear();
    swo::messenger<int> numbers;
    auto count_down = [](const swo::messenger<int> &numbers) -> task {
        while (int number = *co_await swo::next(numbers)) {
            all += std::to_string(number);
            numbers.send(number - 1);
        }
    };
    task counting = count_down(numbers);
    numbers.send(5);
    must(all == "54321" && counting.is_done() && numbers.count() == 0);
}

TEST(coroutines_that_begin_inside_each_other_each_receive_their_own) {
    static std::string all;
    all.clear();
    static swo::messenger<int> *numbers;
    static swo::queue *queue;
    swo::messenger<int> sent;
    swo::queue drained;
    numbers = &sent, queue = &drained;
    static std::vector<std::unique_ptr<task>> tasks;
    static auto inner = [](std::string name) -> task {
        while (auto number = co_await swo::next(*numbers, *queue)) {
            all += name + std::to_string(*number) + " ";
            if (*number == 3) break;
        }
    };
    auto outer = []() -> task {
        int number = *co_await swo::next(*numbers, *queue);
        all += "outer" + std::to_string(number) + " ";
        tasks.emplace_back(new task(inner("inner")));
        while (number != 3) {
            number = *co_await swo::next(*numbers, *queue);
            all += "outer" + std::to_string(number) + " ";
        }
    };
    {
        task first = outer();
        for (int number = 1; number <= 3; number++) numbers->send(number);
        while (queue->drain() > 0) {}
        // The inner one began after all had been sent.
        must(all == "outer1 outer2 outer3 " && first.is_done() && numbers->count() == 1);
        numbers->send(3);
        while (queue->drain() > 0) {}
        must(all == "outer1 outer2 outer3 inner3 " && numbers->count() == 0);
    }
    tasks.clear();
}

TEST(a_coroutine_that_awaits_something_else_receives_from_there_on) {
    static std::string all;
    all.clear();
    swo::messenger<int> numbers;
    auto alternate = [](const swo::messenger<int> &numbers, const swo::messenger<int> &other) -> task {
        for (;;) {
            auto number = co_await swo::next(numbers);
            if (!number) break;
            all += std::to_string(*number) + " ";
            co_await swo::next(other);
        }
    };
    swo::messenger<int> other;
    {
        task alternating = alternate(numbers, other);
        numbers.send(1);
        must(numbers.count() == 0 && other.count() == 1);
        numbers.send(2);
        other.send(0);
        must(numbers.count() == 1 && other.count() == 0);
        numbers.send(3);
        must(all == "1 3 ");
    }
    must(numbers.count() == 0 && other.count() == 0);
}

// ---- streams

static task read_all(swo::messages<int> stream, std::string &all) {
    while (auto number = co_await stream.next()) all += std::to_string(*number) + " ";
    all += "end";
}

TEST(a_stream_has_all_messages_from_its_beginning_on) {
    std::string direct, drained;
    auto numbers = std::make_unique<swo::messenger<int>>();
    swo::queue queue;
    swo::messages stream(*numbers);
    swo::messages on_queue(*numbers, queue);
    numbers->send(1);
    numbers->send(2);
    task reading = read_all(std::move(stream), direct);
    task reading_there = read_all(std::move(on_queue), drained);
    must(direct == "1 2 " && drained.empty());
    numbers->send(3);
    while (queue.drain() > 0) {}
    must(direct == "1 2 3 " && drained == direct);
    numbers->send(4);
    numbers.reset();
    must(direct == "1 2 3 4 end" && reading.is_done() && drained == "1 2 3 ");
    while (queue.drain() > 0) {}
    must(drained == direct && reading_there.is_done());
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { (void)stream.next(); }));
}

TEST(a_stream_misses_nothing_while_its_coroutine_awaits_other_things) {
    static std::string all;
    all.clear();
    swo::messenger<int> numbers, others;
    swo::queue queue;
    auto read = [](const swo::messenger<int> &numbers, const swo::messenger<int> &others,
                   const swo::queue &queue) -> task {
        swo::messages stream(numbers, queue);
        while (auto number = co_await stream.next()) {
            all += std::to_string(*number) + " ";
            co_await swo::next(others);
        }
    };
    {
        task reading = read(numbers, others, queue);
        for (int number = 1; number <= 3; number++) numbers.send(number);
        while (queue.drain() > 0) {}
        must(all == "1 ");
        others.send(0);
        others.send(0);
        must(all == "1 2 3 " && numbers.count() == 1);
    }
    must(numbers.count() == 0 && others.count() == 0);
}

TEST(a_stream_keeps_a_temporary_and_may_begin_with_a_replay) {
    std::string all;
    swo::variable<int> number(1);
    {
        task reading = read_all(
            swo::messages(number.new_values().map([](int value) { return value * 10; }), swo::options().replay(1)),
            all);
        number.set(2);
        must(all == "10 20 " && !reading.is_done());
    }
    number.set(3);
    must(all == "10 20 " && number.count() == 0);
    swo::messenger<int> numbers, moved = std::move(numbers);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { swo::messages stream(numbers); }));
}

TEST(a_stream_that_is_given_up_ends_its_observation) {
    swo::messenger<std::vector<counted>> lists;
    {
        swo::messages stream(lists);
        lists.send(std::vector<counted>(3));
        must(lists.count() == 1 && counted::living == 3);
        swo::messages other(lists);
        other = std::move(stream);
    }
    must(lists.count() == 0 && counted::living == 0);
}

TEST(a_stream_has_what_several_threads_send_in_order) {
    static std::vector<int> latest;
    static int count;
    latest.assign(3, -1), count = 0;
    swo::messenger<int> numbers;
    swo::queue queue;
    auto read = [](swo::messages<int> stream) -> task {
        while (count < 3000) {
            const int number = *co_await stream.next();
            must(number % 1000 == latest[std::size_t(number / 1000)] + 1);
            latest[std::size_t(number / 1000)]++;
            count++;
        }
    };
    task reading = read(swo::messages(numbers, queue));
    std::thread threads[3];
    for (int one = 0; one < 3; one++)
        threads[one] = std::thread([&numbers, one] {
            for (int number = 0; number < 1000; number++) numbers.send(one * 1000 + number);
        });
    while (!reading.is_done()) queue.drain();
    for (std::thread &thread : threads) thread.join();
    must(count == 3000);
}
