// SPDX-License-Identifier: MIT
// Who keeps what, and how observations end.
#include "counting.hpp"
#include "support.hpp"
#include <swiftobserver.hpp>
#include <thread>

static int allocations;
// Not inlined, so that valgrind finds both or none.
__attribute__((noinline)) void *operator new(std::size_t size) {
    allocations++;
    void *memory = std::malloc(size);
    if (memory == nullptr) std::abort();
    return memory;
}
__attribute__((noinline)) void operator delete(void *memory) noexcept { std::free(memory); }
__attribute__((noinline)) void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

// Whether so many have been made; under valgrind, whose operator does not count, it says nothing.
static bool has_allocated(int count) {
    const int made = allocations;
    ::operator delete(::operator new(1));
    const bool is_counted = allocations > made;
    allocations = made;
    return !is_counted || made == count;
}

TEST(an_observation_ends_with_itself) {
    swo::messenger<int> numbers;
    int sum = 0;
    {
        auto observation = numbers.observe([&](int number) { sum += number; });
        must(observation.is_living() && numbers.count() == 1);
        numbers.send(1);
    }
    numbers.send(2);
    must(sum == 1 && numbers.count() == 0);
}

TEST(an_observation_is_moved) {
    swo::messenger<int> numbers;
    int first = 0, second = 0;
    auto one = numbers.observe([&](int number) { first += number; });
    auto other = numbers.observe([&](int number) { second += number; });
    numbers.send(1);
    one = std::move(other);
    numbers.send(2);
    must(first == 1 && second == 3);
    must(one.stop() && !one.stop());
    numbers.send(4);
    must(second == 3);
}

TEST(an_observation_without_an_owner_goes_on) {
    swo::messenger<int> numbers;
    int sum = 0;
    swo::observation_id id = numbers.observe([&](int number) { sum += number; }).release();
    numbers.send(1);
    must(id.is_living() && id.stop_and_wait() && !id.stop_and_wait());
    numbers.send(2);
    must(sum == 1);
}

TEST(an_observation_is_blocked) {
    swo::messenger<int> numbers;
    int sum = 0;
    auto observation = numbers.observe([&](int number) { sum += number; });
    observation.block();
    must(observation.is_blocked());
    numbers.send(1);
    observation.unblock();
    numbers.send(2);
    must(sum == 2);
    must(is_thrown(SWO_NOT_FOUND, [&] { observation.unblock(); }));
}

TEST(a_block_ends_with_its_scope) {
    swo::messenger<int> numbers;
    int sum = 0;
    auto observation = numbers.observe([&](int number) { sum += number; });
    {
        swo::blocked quiet(numbers);
        numbers.send(1);
        swo::blocked moved = std::move(quiet), again(numbers);
        numbers.send(2);
        must(numbers.is_blocked());
    }
    must(!numbers.is_blocked());
    numbers.send(4);
    {
        swo::blocked quiet(observation);
        numbers.send(8);
        must(observation.is_blocked() && !numbers.is_blocked());
    }
    numbers.send(16);
    must(sum == 20);
    {
        swo::blocked quiet(observation), other(numbers);
        observation.stop();
        numbers = swo::messenger<int>();
    }
    must(is_thrown(SWO_NOT_FOUND, [&] { swo::blocked quiet(observation); }));
    swo::messenger<int> elsewhere = std::move(numbers);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { swo::blocked quiet(numbers); }));
}

TEST(all_that_observe_can_be_stopped) {
    swo::messenger<int> numbers;
    swo::variable<int> width(1), height(1);
    int calls = 0;
    auto count = [&](auto &&...) { calls++; };
    swo::observer observer;
    must(numbers.stop_all() == 0);
    auto one = numbers.observe(count);
    auto two = observer.observe(numbers, count);
    auto even = numbers.filter([](int) { return true; });
    auto three = even.observe(count);
    numbers.send(1);
    must(calls == 3 && numbers.stop_all() == 2 && !one.is_living() && !two.is_living() && three.is_living());
    numbers.send(2);
    must(calls == 4 && numbers.stop_all() == 0);
    auto area = swo::combine(width, height).observe(count);
    auto other = width.observe(count);
    width.set(2);
    must(calls == 6 && width.stop_all() == 2 && !area.is_living() && height.count() == 0);
    swo::messenger<int> moved = std::move(numbers);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { numbers.stop_all(); }));
}

TEST(observations_of_an_observer_end_with_it) {
    swo::messenger<int> numbers;
    swo::variable<int> variable(0);
    int calls = 0;
    {
        swo::observer observer;
        observer.observe(numbers, [&] { calls++; });
        auto id = observer.observe(variable, [&](swo::update<int>) { calls++; });
        must(observer.count() == 2 && observer.is_observing(numbers) && id.is_living());
        numbers.send(1);
        variable.set(1);
        must(observer.stop(numbers) && !observer.stop(numbers));
        numbers.send(2);
        must(calls == 2);
    }
    variable.set(2);
    must(calls == 2);
}

TEST(an_observation_does_not_keep_what_has_an_owner) {
    int calls = 0;
    swo::observation observation;
    {
        swo::messenger<int> numbers;
        observation = numbers.observe([&] { calls++; });
        swo::messenger<int> other = numbers.share();
        numbers = swo::messenger<int>();
        other.send(1);
        must(observation.is_living());
    }
    must(!observation.is_living() && calls == 1);
}

TEST(an_observation_keeps_a_temporary) {
    swo::messenger<int> numbers;
    int sum = 0;
    auto twice = [](int number) { return number * 2; };
    auto observation = numbers.map(twice).observe([&](int number) { sum += number; });
    numbers.send(1);
    must(sum == 2);
    {
        swo::observer observer;
        observer.observe(numbers.map(twice).map(twice), [&](int number) { sum += number; });
        numbers.send(1);
        must(sum == 8);
    }
    observation.stop();
    numbers.send(1);
    must(sum == 8 && numbers.count() == 0);
}

TEST(a_transform_that_has_an_owner_ends_with_that) {
    swo::messenger<int> numbers;
    swo::observation observation;
    {
        auto all = numbers.filter([](int) { return true; });
        observation = all.observe([](int) {});
        must(observation.is_living());
    }
    must(!observation.is_living());
}

TEST(a_handler_is_allocated_once_and_destroyed_once) {
    swo::messenger<int> numbers;
    counted::copies = 0;
    {
        allocations = 0;
        int sum = 0;
        auto observation = numbers.observe([&sum, count = counted()](int number) { sum += number; });
        must(has_allocated(1) && counted::living == 1 && counted::copies == 0);
        for (int one = 0; one < 10; one++) numbers.send(one);
        must(has_allocated(1) && sum == 45);
    }
    must(counted::living == 0);
    {
        auto observation = numbers.observe([count = counted()] {}, swo::options().once());
        numbers.send(1);
        must(counted::living == 0);
    }
}

TEST(a_small_handler_that_does_not_throw_allocates_nothing) {
    swo::messenger<int> numbers;
    allocations = 0;
    int sum = 0;
    auto one = numbers.observe([&sum](int number) noexcept { sum += number; });
    auto other = numbers.observe([](int) noexcept {});
    numbers.send(2);
    must(has_allocated(0) && sum == 2);
}

TEST(a_handler_may_change_what_it_holds) {
    swo::messenger<int> numbers;
    int latest = 0;
    auto observation = numbers.observe([&latest, sum = 0](int number) mutable noexcept { latest = sum += number; });
    numbers.send(1);
    numbers.send(2);
    must(latest == 3);
}

TEST(a_handler_that_cannot_be_observed_with_is_destroyed) {
    swo::messenger<int> numbers, moved = std::move(numbers);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { auto observation = numbers.observe([count = counted()](int) {}); }) &&
         counted::living == 0);
}

TEST(options_choose_replay_once_and_a_name) {
    swo::variable<int> number(5);
    int sum = 0;
    auto one = number.new_values().observe([&](int value) { sum += value; }, swo::options().replay(1).named("sum"));
    must(sum == 5);
    auto other = number.observe([&] { sum += 100; }, swo::options().replay(1).once());
    must(sum == 105 && !other.is_living());
    number.set_name("number");
    must(number.name() == "number" && swo::dot(number).find("sum") != std::string::npos);
    must(is_thrown(SWO_WRONG_KIND,
                   [&] {
                       swo::messenger<int> numbers;
                       auto none = numbers.observe([count = counted()] {}, swo::options().replay(1));
                   }) &&
         counted::living == 0);
}

TEST(what_is_on_demand_begins_and_ends) {
    swo::messenger<int> numbers;
    int state = 0;
    numbers.on_demand([&state, count = counted()]() noexcept { state = 1; }, [&state]() noexcept { state = 2; });
    must(state == 0);
    {
        auto observation = numbers.observe([] {});
        must(state == 1 && counted::living == 1);
    }
    must(state == 2);
    numbers = swo::messenger<int>();
    must(counted::living == 0);
}

TEST(messages_of_several_threads_all_arrive_and_never_side_by_side) {
    swo::messenger<int> numbers;
    long sum = 0;
    auto observation = numbers.observe([&sum](int number) { sum += number; });
    std::thread threads[4];
    for (std::thread &thread : threads)
        thread = std::thread([&numbers] {
            for (int one = 0; one < 2000; one++) numbers.send(one);
        });
    for (std::thread &thread : threads) thread.join();
    numbers.send(1);
    must(sum == 4 * 1999000L + 1);
}

TEST(a_variable_is_updated_as_one_step) {
    swo::variable<int> number(0);
    std::thread threads[4];
    for (std::thread &thread : threads)
        thread = std::thread([&number] {
            for (int one = 0; one < 1000; one++) number.update([](int old) { return old + 1; });
        });
    for (std::thread &thread : threads) thread.join();
    must(number.get() == 4000);
}

TEST(a_batch_sends_one_update) {
    swo::variable<int> number(0);
    std::string all;
    auto observation = number.observe([&](swo::update<int> update) {
        all += std::to_string(update.old_value) + ">" + std::to_string(update.new_value) + " ";
    });
    {
        auto batch = number.batch();
        number.set(1);
        number.set(2);
    }
    auto batch = number.batch();
    number.set(3);
    must(all == "0>2 ");
    batch.end();
    must(all == "0>2 2>3 ");
}

TEST(a_deferred_variable_changes_in_its_turn) {
    auto number = swo::variable<int>::deferred(0);
    std::string read;
    auto observation = number.observe([&](swo::update<int> update) {
        if (update.new_value == 1) number.set(2);
        read += std::to_string(number.get());
    });
    number.set(1);
    must(read == "12");
    must(is_thrown(SWO_WRONG_KIND, [&] { number.update([](int old) { return old; }); }));
}
