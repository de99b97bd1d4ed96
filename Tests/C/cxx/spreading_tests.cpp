// SPDX-License-Identifier: MIT
// Messages of several parts, each of which has a parameter; and what else is sent as C++ has it.
#include "support.hpp"
#include <swiftobserver.hpp>

TEST(a_messenger_of_several_types_calls_handlers_with_each_part) {
    swo::messenger<int, std::string> moves;
    std::string log;
    auto parts = moves.observe([&](int number, std::string_view text) { log += std::to_string(number).append(text); });
    auto any = moves.observe([&](auto number, auto text) { log += std::to_string(number + 1).append(text); });
    auto author = moves.observe([&](int, std::string_view, const void *by) { log += by == &log ? "!" : "?"; });
    auto whole = moves.observe([&](std::tuple<int, std::string_view> both) { log += std::get<1>(both); });
    auto nothing = moves.observe([&] { log += '.'; });
    moves.send(3, "a", &log);
    must(log == "3a4a!a.");
    moves.send(5, "b");
    must(log == "3a4a!a.5b6b?b.");
}

TEST(messages_of_several_parts_go_through_transforms_and_queues) {
    swo::messenger<int, std::string> pairs;
    swo::queue queue;
    std::string log;
    auto long_ones = pairs.filter([](int, std::string_view text) { return text.size() > 1; });
    auto one = long_ones.map([](int number, std::string_view text) { return std::to_string(number).append(text); })
                   .observe([&](std::string_view made) { log.append(made); });
    auto two = pairs.observe([&](int number, std::string_view text) { log += std::to_string(number).append(text); },
                             swo::options().on(queue));
    {
        std::string text = "a text that is too long to lie anywhere but in memory of its own";
        pairs.send(1, text);
        pairs.send(2, "x");
        log.clear();
    }
    queue.drain();
    must(log == "1a text that is too long to lie anywhere but in memory of its own2x");
}

TEST(parts_can_be_objects_and_what_is_only_moved) {
    swo::messenger<std::unique_ptr<int>, std::vector<int>> objects;
    int sum = 0;
    auto one = objects.observe([&](const std::unique_ptr<int> &number, const std::vector<int> &numbers) {
        sum += *number + int(numbers.size());
    });
    objects.send(std::make_unique<int>(40), {1, 2});
    must(sum == 42);
}

TEST(pairs_and_tuples_are_taken_whole_or_in_parts) {
    swo::messenger<std::pair<int, double>> pairs;
    swo::messenger<std::tuple<int, std::string, char>> tuples;
    double sum = 0;
    auto whole = pairs.observe([&](const std::pair<int, double> &both) { sum += both.first; });
    auto parts = pairs.observe([&](int number, double other) { sum += number * other; });
    auto author = pairs.observe([&](int, double, const void *by) { sum += by == &sum ? 1000 : 2000; });
    pairs.send({2, 2.5}, &sum);
    must(sum == 1007);
    std::string log;
    auto three = tuples.observe(
        [&](int number, const std::string &text, char letter) { log += std::to_string(number) + text + letter; });
    tuples.send({1, "two", '3'});
    must(log == "1two3");
}

TEST(a_message_of_other_parts_reaches_no_handler) {
    swo::messenger<int, int> pairs;
    int calls = 0;
    auto one = pairs.observe([&](int, int) { calls++; });
    const swo_value three[] = {swo_int64(1), swo_int64(2), swo_int64(3)}, text[] = {swo_int64(1), swo_text("2")};
    const swo_value number = swo_int64(1), long_list = swo_list(three, 3), wrong = swo_list(text, 2);
    for (const swo_value *each : {&number, &long_list, &wrong}) must(swo_send(pairs.raw(), each, nullptr) == SWO_OK);
    must(calls == 0);
}

TEST(a_variable_knows_its_type_by_its_first_value) {
    swo::variable degrees(3.5);
    swo::variable title("text");
    swo::variable copied(std::string_view("text"));
    swo::variable numbers(std::vector<int>{1, 2});
    static_assert(std::is_same_v<decltype(degrees), swo::variable<double>>);
    static_assert(std::is_same_v<decltype(title), swo::variable<std::string>>);
    static_assert(std::is_same_v<decltype(copied), swo::variable<std::string>>);
    static_assert(std::is_same_v<decltype(numbers), swo::variable<std::vector<int>>>);
    must(degrees.get() > 3 && title.get() == "text" && copied.get() == "text" && numbers.get().size() == 2);
}

TEST(characters_are_messages) {
    swo::messenger<char> letters;
    swo::variable<char32_t> sign(U'\U0001F600');
    char got = 0;
    auto one = letters.observe([&](char letter) { got = letter; });
    letters.send(static_cast<char>(0xff));
    must(got == static_cast<char>(0xff) && sign.get() == U'\U0001F600');
}

TEST(bytes_are_messages_where_a_text_has_to_be_utf8) {
    const std::string_view latin("\xe4\0\xff", 3);
    swo::messenger<swo::bytes> paths;
    swo::variable<swo::bytes> path{std::string_view()};
    std::string seen;
    swo::bytes copy;
    auto one = paths.observe([&](std::string_view content) { seen = content; });
    auto two = paths.observe([&](swo::bytes content) { copy = std::move(content); });
    paths.send(latin);
    path.set(latin);
    must(seen == latin && copy == latin && path.get() == latin);
    auto made = paths.map([](std::string_view content) { return swo::bytes(std::string(content) + "\xfe"); });
    auto three = made.observe([&](std::string_view content) { seen = content; });
    paths.send(latin);
    must(seen.size() == 4 && seen[3] == '\xfe');
    int updates = 0;
    auto four = path.observe([&] { updates++; });
    path.set(latin);
    path.set("text");
    must(updates == 1);
}

TEST(a_messenger_passes_on_to_another_one) {
    swo::messenger<std::string> first;
    std::string log;
    swo::observation passing;
    {
        swo::messenger<std::string> second;
        auto handler = second
                           .observe([&](std::string_view text, const void *author) {
                               log.append(text) += author == &log ? "!" : "?";
                           })
                           .release();
        passing = first.observe(second);
        must(handler.is_living());
    }
    first.send("a", &log);
    must(log == "a!");
    passing.stop();
    first.send("b", &log);
    must(log == "a!" && first.count() == 0);
}

TEST(what_is_passed_on_follows_options_and_observers) {
    swo::messenger<int> first, second;
    swo::queue queue;
    swo::observer observer;
    int sum = 0;
    auto counting = second.observe([&](int number) { sum += number; });
    observer.observe(first, second, swo::options().on(queue).once());
    first.send(1);
    first.send(2);
    must(sum == 0 && queue.drain() > 0 && sum == 1);
    observer.observe(first.map([](int number) { return number * 10; }), second);
    first.send(3);
    must(sum == 31);
    observer.stop();
    first.send(4);
    must(sum == 31);
}

TEST(an_exception_behind_what_passes_on_reaches_the_sender) {
    swo::messenger<int> first, second;
    auto passing = first.observe(second);
    auto throwing = second.observe([](int) { throw 5; });
    bool is_thrown = false;
    try {
        first.send(1);
    } catch (int number) {
        is_thrown = number == 5;
    }
    must(is_thrown);
}

TEST(two_messengers_that_pass_on_to_each_other_do_not_recurse) {
    swo::messenger<int> first, second;
    int calls = 0;
    auto there = first.observe(second);
    auto back = second.filter([&](int) { return ++calls < 1000; }).observe(first);
    first.send(1);
    must(calls == 1000);
    there.stop();
}
