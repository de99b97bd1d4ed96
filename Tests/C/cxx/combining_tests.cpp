// SPDX-License-Identifier: MIT
// Observables of several observables, and variables that follow others.
#include "counting.hpp"
#include "support.hpp"
#include <cmath>
#include <stdexcept>
#include <swiftobserver.hpp>

TEST(the_latest_messages_are_an_observable_like_any_other) {
    swo::variable name(""), title("");
    swo::variable age(0);
    auto is_valid = swo::combine_latest(name.new_values(), age.new_values()).map([](std::string_view text, int years) {
        return !text.empty() && years >= 18;
    });
    std::string seen;
    auto one = is_valid.skip_repeats().observe([&](bool is) { seen += is ? 'y' : 'n'; });
    must(!is_valid.latest());
    name.set("Ada");
    age.set(36);
    must(seen == "ny" && is_valid.latest());
    swo::queue queue;
    auto two = is_valid.observe([&](bool is) { seen += is ? 'Y' : 'N'; }, swo::options().on(queue).replay(1));
    queue.drain();
    must(seen == "nyY");
}

TEST(a_variable_takes_part_with_its_updates) {
    swo::variable one(1), other(2);
    std::string seen;
    auto observation = swo::combine_latest(one, other.new_values()).observe([&](swo::update<int> update, int value) {
        seen += std::to_string(update.old_value) + std::to_string(update.new_value) + std::to_string(value) + ' ';
    });
    one.set(3);
    other.set(4);
    must(seen == "132 334 ");
}

TEST(what_is_not_buffered_takes_part_as_soon_as_it_has_sent) {
    swo::messenger<int> one, other;
    auto both = swo::combine_latest(one, other);
    std::string seen;
    auto observation = both.observe([&](int a, int b) { seen += std::to_string(a * 10 + b) + ' '; });
    one.send(1);
    must(seen.empty() && is_thrown(SWO_NOT_FOUND, [&] { (void)both.latest(); }));
    other.send(5);
    one.send(2);
    must(seen == "15 25 " && both.latest() == std::make_tuple(2, 5));
}

TEST(a_combination_keeps_its_sources_and_nothing_keeps_it) {
    std::optional<swo::variable<counted>> source(std::in_place, counted());
    {
        auto both = swo::combine_latest(source->new_values(), source->new_values());
        source.reset();
        int calls = 0;
        auto one = both.observe([&](const counted &, const counted &) { calls++; }, swo::options().replay(1));
        must(calls == 1);
    }
    must(counted::living == 0);
}

TEST(zip_pairs_the_messages) {
    swo::messenger<int> numbers;
    swo::messenger<std::string> texts;
    std::string seen;
    auto one = swo::zip(numbers, texts).observe([&](int number, std::string_view text) {
        seen += std::to_string(number).append(text);
    });
    numbers.send(1);
    numbers.send(2);
    texts.send("a");
    texts.send("b");
    texts.send("c");
    must(seen == "1a2b");
}

TEST(others_lend_their_latest_message) {
    swo::messenger<int> clicks;
    swo::variable text("a");
    swo::messenger<int> late;
    std::string seen;
    auto one =
        clicks.with_latest_from(text.new_values(), late).observe([&](int click, std::string_view now, int other) {
            seen += std::to_string(click).append(now) + std::to_string(other);
        });
    clicks.send(1);
    late.send(7);
    text.set("b");
    clicks.send(2);
    must(seen == "2b7");
}

TEST(a_sampler_asks_for_the_latest_message) {
    swo::messenger<int> numbers;
    swo::messenger<void> ask;
    std::string seen;
    auto one = numbers.sample(ask).observe([&](int number) { seen += std::to_string(number); });
    numbers.send(1);
    numbers.send(2);
    ask.send();
    ask.send();
    must(seen == "2");
}

TEST(messages_add_up) {
    swo::messenger<int> numbers;
    swo::messenger<int, int> pairs;
    std::string seen;
    auto one = numbers.scan(0, [](int sum, int number) { return sum + number; }).observe([&](int sum) {
        seen += std::to_string(sum) + ' ';
    });
    auto two =
        numbers.scan("", [](std::string_view all, int number) { return std::string(all) + std::to_string(number); })
            .observe([&](std::string_view all) { seen.append(all) += ' '; });
    auto three = numbers
                     .scan(std::vector<int>(),
                           [](const std::vector<int> &all, int number) {
                               auto more = all;
                               more.push_back(number);
                               return more;
                           })
                     .observe([&](const std::vector<int> &all) { seen += std::to_string(all.size()) + ' '; });
    numbers.send(1);
    numbers.send(2);
    must(seen == "1 1 1 3 12 2 ");
    seen.clear();
    auto four = pairs.scan(0, [](int sum, int a, int b) { return sum + a * b; }).observe([&](int sum) {
        seen += std::to_string(sum);
    });
    pairs.send(2, 3);
    must(seen == "6");
}

TEST(what_an_accumulator_throws_leaves_the_value_and_reaches_the_sender) {
    swo::messenger<int> numbers;
    int latest = 0;
    auto one = numbers
                   .scan(0,
                         [held = counted()](int sum, int number) {
                             if (number < 0) throw number;
                             return sum + number;
                         })
                   .observe([&](int sum) { latest = sum; });
    numbers.send(1);
    int thrown = 0;
    try {
        numbers.send(-5);
    } catch (int number) {
        thrown = number;
    }
    numbers.send(2);
    must(thrown == -5 && latest == 3 && counted::living == 1);
    one.stop();
    must(counted::living == 0);
}

TEST(the_observable_that_was_chosen_last_is_heard) {
    swo::messenger<int> which;
    std::string seen;
    swo::messenger<std::string> odd, even;
    auto one = which
                   .switch_to_latest(
                       [&](int number) -> const swo::messenger<std::string> & { return number % 2 ? odd : even; })
                   .observe([&](std::string_view text) { seen.append(text); });
    odd.send("a");
    which.send(1);
    odd.send("b");
    even.send("c");
    which.send(2);
    odd.send("d");
    even.send("e");
    must(seen == "be");
    auto made = which.switch_to_latest([&](int number) {
        return odd.map([number](std::string_view text) { return std::to_string(number).append(text); });
    });
    auto two = made.observe([&](std::string_view text) { seen.append(text); });
    which.send(3);
    odd.send("f");
    must(seen == "bef3f");
}

TEST(those_that_were_chosen_last_are_heard) {
    swo::messenger<int> which;
    std::string seen;
    swo::messenger<std::string> rooms[3];
    auto one = which.flat_map(2, [&](int number) -> const swo::messenger<std::string> & { return rooms[number]; })
                   .observe([&](std::string_view text) { seen.append(text); });
    for (int number : {0, 1, 1, 2}) {
        which.send(number);
        for (auto &room : rooms) room.send(std::to_string(&room - rooms));
        seen.append(" ");
    }
    must(seen == "0 01 1 12 ");
    bool refused = false;
    try {
        which.flat_map(0, [&](int) -> const swo::messenger<std::string> & { return rooms[0]; });
    } catch (const swo::error &error) {
        refused = error.status() == SWO_INVALID_ARGUMENT;
    }
    must(refused);
}

TEST(a_mapper_that_throws_is_called_again_and_its_last_exception_becomes_a_message) {
    swo::messenger<std::string> texts;
    std::vector<int> numbers;
    int calls = 0;
    auto parse = [&](std::string_view text) {
        calls++;
        return std::stoi(std::string(text));
    };
    auto one = texts
                   .try_map(
                       parse, [](std::exception_ptr) { return -1; }, 2)
                   .observe([&](int number) { numbers.push_back(number); });
    texts.send("7");
    must(calls == 1);
    texts.send("seven");
    must(calls == 4 && numbers == std::vector<int>({7, -1}));
    one.stop();
    auto two =
        texts.try_map(parse, [](std::exception_ptr error) -> int { std::rethrow_exception(error); }).observe([&](int) {
        });
    bool thrown = false;
    try {
        texts.send("eight");
    } catch (const std::logic_error &) {
        thrown = true;
    }
    must(thrown && calls == 5);
}

TEST(a_look_into_a_chain_changes_nothing) {
    swo::messenger<std::string> texts;
    std::string seen, received;
    auto one = texts.handle_events([&](std::string_view text) { seen.append(text); })
                   .map([](std::string_view text) { return text.size(); })
                   .observe([&](std::size_t size) { received.append(std::to_string(size)); });
    texts.send("abc");
    must(seen == "abc" && received == "3");
}

TEST(a_variable_follows_an_observable) {
    swo::variable celsius(20.4);
    swo::variable label("");
    swo::messenger<int> numbers;
    swo::variable latest(0);
    {
        auto shown = swo::bind(celsius, label, [](double degrees) { return std::to_string(std::lround(degrees)); });
        auto heard = swo::bind(numbers, latest);
        must(label.get() == "20" && latest.get() == 0);
        celsius.set(30);
        numbers.send(5);
        must(label.get() == "30" && latest.get() == 5);
        label.set("mine");
        must(celsius.get() > 29);
    }
    celsius.set(40);
    numbers.send(6);
    must(label.get() == "mine" && latest.get() == 5);
}

TEST(two_variables_follow_each_other) {
    swo::variable celsius(20.0), fahrenheit(0.0);
    int updates = 0;
    auto counting = celsius.observe([&] { updates++; });
    auto both = swo::bind_both(
        celsius, fahrenheit, [held = counted()](double degrees) { return degrees * 1.8 + 32; },
        [](double degrees) { return (degrees - 32) / 1.8; });
    must(std::lround(fahrenheit.get()) == 68);
    fahrenheit.set(212);
    must(std::lround(celsius.get()) == 100 && updates == 1);
    celsius.set(0);
    must(std::lround(fahrenheit.get()) == 32 && counted::living == 1);
    both.stop();
    must(counted::living == 0);
    swo::variable one(1), other(2);
    auto same = swo::bind_both(one, other);
    must(other.get() == 1);
    other.set(3);
    must(one.get() == 3);
}

TEST(several_are_followed_through_their_combination) {
    swo::variable first("Ada"), last("Lovelace"), whole("");
    auto both = swo::combine_latest(first.new_values(), last.new_values())
                    .map([](std::string_view one, std::string_view other) {
                        return std::string(one) + ' ' + std::string(other);
                    });
    auto bound = swo::bind(both, whole);
    must(whole.get() == "Ada Lovelace");
    first.set("Augusta Ada");
    must(whole.get() == "Augusta Ada Lovelace");
}

TEST(a_conversion_that_throws_reaches_the_one_who_sets) {
    swo::variable number(1), other(0);
    auto bound = swo::bind(number, other, [](int value) {
        if (value < 0) throw value;
        return value;
    });
    int thrown = 0;
    try {
        number.set(-3);
    } catch (int value) {
        thrown = value;
    }
    must(thrown == -3 && other.get() == 1 && number.get() == -3);
    number.set(4);
    must(other.get() == 4);
    bool fails = false;
    try {
        auto never = swo::bind(number, other, [held = counted()](int) -> int { throw 5; });
    } catch (int value) {
        fails = value == 5;
    }
    must(fails && counted::living == 0);
    must(is_thrown(SWO_INVALID_ARGUMENT, [&] { auto never = swo::bind(number, number); }));
}
