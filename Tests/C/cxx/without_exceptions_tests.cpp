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

TEST(what_waits_is_combined_or_has_several_parts_arrives) {
    using namespace std::chrono_literals;
    swo::clock clock;
    swo::messenger<int> numbers;
    swo::messenger<int, std::string> pairs;
    swo::variable one(1), other(0);
    int calls = 0;
    auto count = [&calls] { calls++; };
    swo::observer observer;
    observer.observe(numbers.debounce(1s, clock), count);
    observer.observe(numbers.throttle(1s, clock), count);
    observer.observe(numbers.delay(1s, clock), count);
    observer.observe(numbers.timeout(9s, 0, clock), count);
    observer.observe(numbers.buffer(1), count);
    observer.observe(numbers.buffer(1s, clock), count);
    observer.observe(swo::ticks(1s, clock), count);
    observer.observe(numbers.scan(0, [](int sum, int number) { return sum + number; }), count);
    observer.observe(numbers.sample(numbers), count);
    observer.observe(numbers.with_latest_from(one), count);
    observer.observe(swo::zip(numbers, numbers), count);
    observer.observe(swo::combine_latest(one.new_values(), numbers), count);
    observer.observe(numbers.switch_to_latest([&](int) -> const swo::messenger<int> & { return numbers; }), count);
    numbers.send(1);
    clock.advance(1s);
    must(calls == 12);
    observer.stop();
    auto binding = swo::bind(one, other);
    auto both = swo::bind_both(
        one, other, [](int value) { return value; }, [](int value) { return value; });
    one.set(2);
    must(other.get() == 2);
    observer.observe(pairs, [&](int number, std::string_view text) { calls += number + int(text.size()); });
    pairs.send(80, "text");
    must(calls == 96);
}

TEST(derived_variables_transactions_and_effects_arrive) {
    swo::variable<int> one(1), other(2);
    swo::derived sum([&] { return one.get() + other.get(); });
    swo::derived text([&] { return std::string(std::size_t(sum.get()), 'x'); });
    swo::derived object([&] { return std::vector<int>{sum.get()}; });
    int seen = 0, ended = 0;
    swo::observer observer;
    observer.effect([&] {
        seen = swo::snapshot([&] { return sum.get(); }) + swo::untracked([&] { return int(text.get().size()); });
        return [&] { ended++; };
    });
    must(swo::transaction([&] { return one.set(10), other.set(20), sum.get(); }) == 30);
    must(seen == 60 && ended == 1 && object.get() == std::vector<int>{30});
    swo::transaction([&] { one.set(11); });
    must(seen == 62);
}

TEST(what_fails_ends_the_process_with_a_sentence) {
    must(dies_with("needs its own value: a -> a", [] {
        swo::derived<int> *itself = nullptr;
        swo::derived<int> a([&] { return itself->get(); });
        itself = &a;
        a.set_name("a");
        a.get();
    }));
    must(dies_with(swo_status_text(SWO_COMPUTING), [] {
        swo::variable<int> number(1);
        swo::derived wrong([&] { return number.set(2), 1; });
        wrong.get();
    }));
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
