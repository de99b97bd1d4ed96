// SPDX-License-Identifier: MIT
// The header without exceptions and without run-time types (-fno-exceptions -fno-rtti): all of it compiles, and what
// fails ends the process with a sentence.
#include "counting.hpp"
#include "support.hpp"
#include <swiftobserver.hpp>

struct place {
    int x, y;
};

TEST(everything_compiles_and_arrives) {
    swo::messenger<int> numbers;
    swo::messenger<std::string> names;
    swo::messenger<place> places;
    swo::messenger<counted> objects;
    swo::messenger<void> bell;
    swo::variable<std::optional<int>> maybe(1);
    swo::variable<int> number(1);
    swo::queue queue;
    int calls = 0;
    auto count = [&calls] { calls++; };
    swo::observer observer;
    observer.observe(numbers.filter([](int one) { return one > 0; }).map([](int one) { return one * 2; }), count);
    observer.observe(numbers.take(1), count);
    observer.observe(numbers.skip(0), count);
    observer.observe(numbers.skip_repeats(), count);
    observer.observe(numbers.unique_values(), count);
    observer.observe(numbers.select(1), count);
    observer.observe(numbers.from(nullptr), count);
    observer.observe(numbers.not_from(&calls), count);
    observer.observe(numbers.with_previous(), count);
    observer.observe(numbers.weak(), count);
    observer.observe(numbers.cache(0), count);
    observer.observe(numbers.replay(1), count);
    observer.observe(swo::merge(numbers, numbers), count);
    numbers.send(1);
    must(calls == 14);

    calls = 0;
    observer.observe(names, [&](std::string_view name) { calls += int(name.size()); });
    observer.observe(
        places, [&](const place &one) { calls += one.x; }, swo::options().on(queue));
    observer.observe(objects, [&](const counted &) { calls += 10; });
    observer.observe(bell, [&](const void *) { calls += 100; });
    observer.observe(
        maybe.new_values().unwrap_or(7), [&](int one) { calls += one * 1000; }, swo::options().replay(1));
    observer.observe(swo::combine(number, maybe.new_values()),
                     [&](swo::update<int>, std::optional<int>) { calls += 10000; });
    names.send("abc");
    places.send({4, 5});
    objects.send(counted());
    bell.send();
    maybe.set(std::nullopt);
    number.update([](int one) { return one + 1; });
    must(queue.drain() == 1 && calls == 7 + 10 + 100 + 8000 + 20000 && number.get() == 2);
}

TEST(what_fails_ends_the_process_with_a_sentence) {
    must(dies_with("SwiftObserver: a text is not valid UTF-8", [] {
        swo::messenger<std::string_view> names;
        names.send("\xff");
    }));
    must(dies_with("SwiftObserver: ", [] {
        swo::messenger<int> numbers, moved = std::move(numbers);
        numbers.send(1);
    }));
}

TEST(what_may_fail_can_be_asked) {
    swo::messenger<std::string_view> names;
    must(names.try_send("\xff") == SWO_INVALID_TEXT && names.try_send("") == SWO_OK);
}
