// SPDX-License-Identifier: MIT
// Observables made of others, by chaining.
#include "counting.hpp"
#include "support.hpp"
#include <swiftobserver.hpp>

struct big {
    std::string text;
    counted count = {};
};

// What an observable sends, as words.
template <class T> struct journal {
    std::string words;
    swo::observation observation;
    explicit journal(const swo::observable<T> &observable)
        : observation(observable.observe([this](swo::detail::view_of<T> view) { note(view); })) {}
    void note(int number) { words += std::to_string(number) + " "; }
    void note(std::string_view text) { words.append(text).append(" "); }
    void note(const big &one) { words += one.text + " "; }
    void note(std::optional<int> maybe) {
        if (maybe) note(*maybe);
        else words += "- ";
    }
    template <class U> void note(const swo::update<U> &update) {
        note(update.old_value), words += "> ", note(update.new_value);
    }
};

TEST(transforms_are_chained) {
    swo::messenger<int> numbers;
    auto words = numbers.filter([](int number) { return number % 2 == 0; }).skip(1).map([](int number) {
        return "number " + std::to_string(number);
    });
    journal<std::string> journal(words);
    for (int one = 1; one <= 6; one++) numbers.send(one);
    must(journal.words == "number 4 number 6 ");
}

TEST(a_mapper_makes_any_type) {
    swo::messenger<int> numbers;
    counted::copies = 0;
    auto objects = numbers.map([](int number) { return big{std::to_string(number)}; });
    auto texts = objects.map([](const big &one) { return std::string_view(one.text); });
    journal<big> one(objects);
    journal<std::string_view> other(texts);
    numbers.send(1);
    must(one.words == "1 " && other.words == "1 " && counted::copies == 0 && counted::living == 0);
}

TEST(what_a_mapper_made_can_wait) {
    swo::messenger<int> numbers;
    auto objects = numbers.map([](int number) { return big{std::to_string(number)}; });
    swo::queue queue;
    std::string all;
    auto observation = objects.observe([&](const big &one) { all += one.text; }, swo::options().on(queue));
    for (int one = 1; one <= 3; one++) numbers.send(one);
    must(all.empty() && counted::living == 3);
    queue.drain();
    must(all == "123" && counted::living == 0);
}

TEST(each_transform_of_c_is_there) {
    swo::messenger<int> numbers;
    journal<int> take(numbers.take(2)), skip(numbers.skip(2)), repeats(numbers.skip_repeats()),
        unique(numbers.unique_values()), from(numbers.from(&numbers)), not_from(numbers.not_from(&numbers)),
        weak(numbers.weak());
    must(take.words.empty() && !take.observation.is_living());

    auto first = numbers.take(2), later = numbers.skip(2), changed = numbers.skip_repeats(),
         unlike = numbers.unique_values(), mine = numbers.from(&numbers), others = numbers.not_from(&numbers),
         same = numbers.weak();
    journal<int> a(first), b(later), c(changed), d(unlike), e(mine), f(others), g(same);
    auto pairs = numbers.with_previous();
    journal<swo::update<std::optional<int>>> h(pairs);
    int fives = 0;
    auto five = numbers.select(5);
    auto select = five.observe([&] { fives++; });
    for (int one : {1, 1, 5, 1}) numbers.send(one, one == 5 ? &numbers : nullptr);
    must(a.words == "1 1 " && b.words == "5 1 " && c.words == "1 5 1 " && d.words == "1 5 " && e.words == "5 " &&
         f.words == "1 1 1 " && g.words == "1 1 5 1 " && h.words == "- > 1 1 > 1 1 > 5 5 > 1 " && fives == 1);
}

TEST(optional_messages_are_unwrapped) {
    swo::messenger<std::optional<int>> maybe;
    auto there = maybe.unwrap(), all = maybe.unwrap_or(7);
    journal<int> one(there), other(all);
    maybe.send(1);
    maybe.send(std::nullopt);
    must(one.words == "1 " && other.words == "1 7 ");
}

TEST(what_a_variable_is_made_into_has_a_latest_message) {
    swo::variable<std::optional<int>> number(3);
    auto doubled = number.new_values().unwrap_or(1).map([](int one) { return one * 2; });
    must(doubled.latest() == 6);
    number.set(std::nullopt);
    must(doubled.latest() == 2);
    journal<int> journal(doubled);
    doubled.send_latest();
    must(journal.words == "2 ");
}

TEST(a_cache_remembers_and_a_replay_repeats) {
    swo::messenger<int> numbers;
    auto cached = numbers.cache(1);
    auto replayed = numbers.replay(2);
    must(cached.latest() == 1);
    for (int one : {5, 6, 7}) numbers.send(one);
    must(cached.latest() == 7);
    int sum = 0;
    auto observation = replayed.observe([&](int number) { sum = sum * 10 + number; }, swo::options().replay(9));
    must(sum == 67);
}

TEST(observables_are_merged_and_keep_their_sources) {
    std::string all;
    swo::messenger<int> numbers;
    auto merged = swo::merge(numbers, numbers.map([](int one) { return one * 10; }));
    journal<int> journal(merged);
    numbers.send(1);
    must(journal.words == "10 1 ");
}

TEST(buffered_observables_are_combined) {
    swo::variable<int> width(2), height(3);
    int area = 0, calls = 0;
    const void *author = nullptr;
    auto observation =
        swo::combine(width.new_values(), height).observe([&](int one, const swo::update<int> &other, const void *by) {
            area = one * other.new_value;
            author = by;
            calls++;
        });
    width.set(4);
    must(area == 12 && calls == 1);
    height.set(5, &area);
    must(area == 20 && calls == 2 && author == &area);
    swo::observer observer;
    auto id = observer.observe(swo::combine(width, height), [&](auto, auto) { calls += 10; });
    must(observer.count() == 2);
    width.set(1);
    must(calls == 13 && id.stop());
}

TEST(a_combined_observation_keeps_temporaries_and_nothing_else) {
    swo::observation observation;
    {
        swo::variable<int> width(2), height(3);
        observation = swo::combine(width.new_values(), height).observe([count = counted()](int, swo::update<int>) {});
        width.set(1);
        must(observation.is_living() && counted::living == 1);
    }
    must(!observation.is_living() && counted::living == 0);
}

TEST(a_transform_changes_its_source) {
    swo::messenger<int> first, second;
    auto doubled = first.map([](int one) { return one * 2; });
    journal<int> journal(doubled);
    first.send(1);
    doubled.set_source(second);
    first.send(2);
    second.send(3);
    must(journal.words == "2 6 ");
    must(is_thrown(SWO_WRONG_KIND, [&] { first.set_source(second); }));
}
