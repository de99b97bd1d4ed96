// SPDX-License-Identifier: MIT
// Coroutines (C++20) that await messages: one is resumed by whatever sends, the other where a queue is drained.
#include <cstdio>
#include <exception>
#include <swiftobserver.hpp>
#include <swiftobserver/poll.h>
#include <thread>

// A coroutine that runs by itself until it ends.
struct detached {
    struct promise_type {
        detached get_return_object() noexcept { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() noexcept {}
        void unhandled_exception() noexcept { std::terminate(); }
    };
};

static detached add_up(const swo::observable<int> &numbers) {
    int sum = 0;
    while (auto number = co_await swo::next(numbers)) sum += *number;
    std::printf("the sum is %d\n", sum); // when the observable dies
}

// A stream has all messages from its beginning on, whatever else the coroutine awaits in between.
static detached print_on(swo::messages<int> numbers, bool &is_done) {
    while (!is_done) {
        const auto number = co_await numbers.next();
        if (!number) break;
        std::printf("%d\n", *number);
        is_done = *number == 3;
    }
}

int main() {
    bool is_done = false;
    swo::queue queue;
    {
        swo::messenger<int> numbers;
        add_up(numbers);
        print_on(swo::messages(numbers, queue), is_done);
        std::thread sender([&numbers] { numbers.send(3); });
        while (!is_done) swo_poll_drain(queue.raw(), -1, nullptr); // 3, in this thread
        sender.join();
        numbers.send(4);
    } // the sum is 7
}
