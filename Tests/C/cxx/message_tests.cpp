// SPDX-License-Identifier: MIT
// How the types of C++ travel.
#include "counting.hpp"
#include "support.hpp"
#include <memory>
#include <string>
#include <swiftobserver.hpp>

enum class color { red, green = 7 };

struct reading {
    std::int64_t time;
    std::int32_t celsius, room;
};

struct point {
    double x, y;
    friend bool operator==(const point &one, const point &other) { return one.x == other.x && one.y == other.y; }
};

struct named {
    std::string name;
    counted count = {};
};

// Sends a message and returns what has arrived.
template <class T, class View = swo::detail::view_of<T>> static auto sent(swo::detail::argument_of<T> message) {
    swo::messenger<T> messenger;
    std::optional<std::decay_t<View>> received;
    auto observation = messenger.observe([&](View view) { received.emplace(view); });
    messenger.send(std::move(message));
    must(received.has_value());
    return *received;
}

TEST(numbers_texts_and_enums_arrive_as_what_they_are) {
    must(sent<bool>(true));
    must(sent<int>(-5) == -5);
    must(sent<std::uint32_t>(4000000000U) == 4000000000U);
    must(sent<std::int64_t>(INT64_MIN) == INT64_MIN);
    must(sent<float>(1.5F) == 1.5F && sent<double>(-0.25) == -0.25);
    must(sent<color>(color::green) == color::green);
    must(sent<std::string_view>("text") == "text");
    must(sent<std::string>("") == "");
    int here = 0;
    must(sent<int *>(&here) == &here);
}

TEST(optional_messages_arrive_or_their_absence_does) {
    must(sent<std::optional<int>>(3) == 3);
    must(!sent<std::optional<int>>(std::nullopt).has_value());
    must(sent<std::optional<std::string>>(std::string_view("here")) == std::string_view("here"));
    swo::messenger<std::optional<named>> messenger;
    std::string all;
    auto observation = messenger.observe([&](const named *one) { all += one == nullptr ? "-" : one->name; });
    messenger.send(named{"a"});
    messenger.send(std::nullopt);
    must(all == "a-");
}

TEST(a_signal_carries_nothing) {
    swo::messenger<void> bell;
    int rings = 0;
    const void *author = nullptr;
    auto one = bell.observe([&] { rings++; });
    auto other = bell.observe([&](const void *by) { author = by; });
    bell.send(&rings);
    must(rings == 1 && author == &rings);
}

TEST(a_handler_may_want_the_author_or_nothing_at_all) {
    swo::messenger<int> numbers;
    int sum = 0, calls = 0;
    auto one = numbers.observe([&](int number, const void *author) { sum += author == &sum ? number : 0; });
    auto other = numbers.observe([&] { calls++; });
    numbers.send(1);
    numbers.send(2, &sum);
    must(sum == 2 && calls == 2);
}

TEST(a_handler_that_wants_a_string_gets_one) {
    swo::messenger<std::string> names;
    std::string latest;
    auto observation = names.observe([&](const std::string &name) { latest = name; });
    names.send("name");
    must(latest == "name");
}

TEST(texts_and_bytes_are_borrowed_from_the_sender) {
    swo::messenger<std::string_view> names;
    const std::string name = "a text that is too long to lie in a std::string itself";
    const char *seen = nullptr;
    auto one = names.observe([&](std::string_view view) { seen = view.data(); });
    names.send(name);
    must(seen == name.data());

    swo::messenger<reading> readings;
    const reading sent = {1, 2, 3};
    const reading *received = nullptr;
    auto other = readings.observe([&](const reading &one) { received = &one; });
    readings.send(sent);
    must(received == &sent);
}

TEST(bytes_that_lie_anywhere_arrive_aligned) {
    swo::messenger<reading> readings;
    alignas(reading) char bytes[sizeof(reading) + 1] = {};
    int received = 0;
    auto one = readings.observe([&](const reading &got) {
        must(reinterpret_cast<std::uintptr_t>(&got) % alignof(reading) == 0);
        received++;
    });
    swo_value value = swo_bytes(bytes + 1, sizeof(reading));
    must(swo_send(readings.raw(), &value, nullptr) == SWO_OK && received == 1);
}

TEST(an_object_is_moved_once_and_shared_by_all_that_keep_it) {
    {
        counted::copies = 0;
        swo::messenger<named> all;
        swo::queue queue;
        const named *first = nullptr, *second = nullptr;
        auto one = all.observe([&](const named &got) { first = &got; });
        auto other = all.observe([&](const named &got) { second = &got; }, swo::options().on(queue));
        all.send(named{"name"});
        must(first != nullptr && second == nullptr && counted::living == 1);
        queue.drain();
        must(second == first && counted::copies == 0 && counted::living == 0);
    }
    must(counted::living == 0);
}

TEST(what_cannot_be_copied_can_be_sent) {
    swo::messenger<std::unique_ptr<int>> owners;
    int received = 0;
    auto observation = owners.observe([&](const std::unique_ptr<int> &owner) { received = *owner; });
    owners.send(std::make_unique<int>(7));
    must(received == 7);
}

TEST(messages_of_another_type_do_not_reach_typed_handlers) {
    swo::messenger<std::int8_t> numbers;
    swo::messenger<named> names(swo::adopted{swo_observable_retain(numbers.raw())});
    swo::messenger<reading> readings(swo::adopted{swo_observable_retain(numbers.raw())});
    int received = 0;
    auto one = numbers.observe([&] { received++; });
    auto two = names.observe([&] { received += 10; });
    auto three = readings.observe([&] { received += 100; });
    for (swo_value value : {swo_text("text"), swo_int64(128), swo_double(1), swo_bytes("x", 1), swo_null()})
        must(swo_send(numbers.raw(), &value, nullptr) == SWO_OK);
    must(received == 0);
    numbers.send(1);
    names.send(named{"name"});
    readings.send(reading{1, 2, 3});
    must(received == 111);
}

TEST(a_text_that_is_no_utf8_is_refused) {
    swo::messenger<std::string_view> names;
    try {
        names.send("\xff");
        must(false);
    } catch (const swo::error &error) {
        must(error.status() == SWO_INVALID_TEXT && std::string(error.what()) == swo_status_text(SWO_INVALID_TEXT));
    }
}

TEST(a_variable_sends_when_its_value_changes_as_its_type_sees_it) {
    int updates = 0;
    swo::variable<point> place({0.0, 1.0});
    auto one = place.observe([&](const swo::update<point> &update) {
        must(!(update.old_value == update.new_value));
        updates++;
    });
    place.set({-0.0, 1.0});
    must(updates == 0);
    place.set({2.0, 1.0});
    must(updates == 1 && place.get() == point{2.0, 1.0});

    swo::variable<std::string> name("a");
    std::string all;
    auto other =
        name.observe([&](swo::update<std::string> update) { all.append(update.old_value).append(update.new_value); });
    name.set("a");
    name.set("b");
    must(all == "ab" && name.get() == "b");

    swo::variable<std::optional<int>> maybe(std::nullopt);
    must(!maybe.get().has_value());
    maybe.set(4);
    must(maybe.get() == 4);
}

TEST(a_variable_that_c_has_set_to_another_type_is_not_read) {
    swo::variable<int> number(1);
    swo_value text = swo_text("text");
    must(swo_variable_set(number.raw(), &text, nullptr) == SWO_OK);
    must(is_thrown(SWO_WRONG_KIND, [&] { (void)number.get(); }));
}
