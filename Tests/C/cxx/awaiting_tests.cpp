// SPDX-License-Identifier: MIT
// Messages awaited by coroutines.
#include "counting.hpp"
#include "support.hpp"
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
