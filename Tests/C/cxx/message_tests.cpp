// SPDX-License-Identifier: MIT
// How the types of C++ travel.
#include "counting.hpp"
#include "support.hpp"
#include <any>
#include <array>
#include <deque>
#include <forward_list>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <swiftobserver.hpp>
#include <unordered_map>

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

// ---- Whatever can be copied is a message.

// Without a ==.
struct song {
    std::string title;
    int seconds;
};

struct tree {
    std::vector<tree> children;
};

// Of which the standard library's operators are declared, whatever is in them.
struct song_list : std::vector<song> {};
struct song_and_number : std::tuple<song, int> {};

// A container of itself, with a == of its own.
struct json {
    using value_type = json;
    std::vector<json> all;
    bool operator==(const json &other) const { return all.size() == other.all.size(); }
};

// What is copied and never moved.
struct fixed {
    std::string text;
    explicit fixed(const char *text) : text(text) {}
    fixed(const fixed &) = default;
    fixed(fixed &&) = delete;
};

// Whose == does not compile for all that it may hold.
template <class T> struct box {
    T value;
    template <class U> friend bool operator==(const box &one, const box<U> &other) { return one.value == other.value; }
};
template <> inline constexpr bool swo::has_equality<box<song>> = false;

template <class T> constexpr bool are_equal = swo::has_equality<T>;
static_assert(!are_equal<song> && !are_equal<std::vector<song>> && !are_equal<std::array<song, 2>> &&
              !are_equal<std::map<std::string, song>> && !are_equal<std::pair<int, song>> &&
              !are_equal<std::tuple<int, song>> && !are_equal<std::variant<int, song>> &&
              !are_equal<std::optional<song>> && !are_equal<std::unordered_map<int, std::list<std::pair<int, song>>>> &&
              !are_equal<song_list> && !are_equal<song_and_number> && !are_equal<std::vector<tree>> &&
              !are_equal<std::any> && !are_equal<std::function<void()>>);
static_assert(are_equal<point> && are_equal<std::vector<point>> &&
              are_equal<std::map<std::string, std::vector<point>>> && are_equal<std::variant<int, point>> &&
              are_equal<std::tuple<int, std::pair<point, int>>> && are_equal<std::vector<std::optional<point>>> &&
              are_equal<std::tuple<>> && are_equal<json> && are_equal<std::vector<json>> && are_equal<std::string> &&
              are_equal<std::shared_ptr<song>>);

// Sends it in every way: directly, to a queue, as a variable, through what compares and what remembers.
template <class T> static void goes_everywhere(const T &message) {
    int received = 0;
    swo::messenger<T> messenger;
    swo::queue queue;
    auto direct = messenger.observe([&](const T &) { received++; });
    auto later = messenger.observe([&](const T &) { received++; }, swo::options().on(queue));
    auto cached = messenger.map([](const T &same) { return same; }).cache(message);
    auto repeats = messenger.skip_repeats(), unique = messenger.unique_values();
    auto selected = unique.select(message);
    messenger.send(message);
    must(queue.drain() == 1 && received == 2);
    (void)cached.latest();
    swo::variable<T> variable(message);
    int updates = 0;
    auto observation = variable.observe([&](swo::update<T>) { updates++; });
    variable.set(variable.get());
    must(updates == (swo::has_equality<T> ? 0 : 1));
}

TEST(containers_of_what_has_no_equality_are_messages) {
    const song one{"one", 1};
    goes_everywhere(std::vector<song>{one});
    goes_everywhere(std::list<song>{one});
    goes_everywhere(std::deque<song>{one});
    goes_everywhere(std::forward_list<song>{one});
    goes_everywhere(std::array<song, 2>{one, one});
    goes_everywhere(std::map<std::string, song>{{"one", one}});
    goes_everywhere(std::unordered_map<std::string, song>{{"one", one}});
    goes_everywhere(std::multimap<int, song>{{1, one}});
    goes_everywhere(std::pair<int, song>{1, one});
    goes_everywhere(std::tuple<song, int, std::vector<song>>{one, 1, {one}});
    goes_everywhere(std::variant<std::monostate, song>{one});
    goes_everywhere(std::vector<std::map<int, std::pair<std::optional<song>, std::list<song>>>>(2));
    goes_everywhere(song_list{{one}});
    goes_everywhere(song_and_number{{one, 1}});
    goes_everywhere(box<song>{one});
}

TEST(all_that_can_be_copied_is_a_message) {
    goes_everywhere(tree{{tree{}, tree{}}});
    goes_everywhere(json{{json{}}});
    goes_everywhere(std::any(5));
    goes_everywhere(std::function<int()>([] { return 5; }));
    goes_everywhere(std::make_shared<const song>());
    goes_everywhere(&song::seconds);
    goes_everywhere(fixed("text"));
    goes_everywhere([text = std::string("text")] { return text; });
    struct local {
        std::string text;
    };
    goes_everywhere(local{"text"});
    int received = 0;
    auto count = [&] { received++; };
    swo::messenger<std::nullptr_t> nothings;
    swo::messenger<int (*)(int)> functions;
    swo::messenger<const volatile int *> addresses;
    auto one = nothings.observe([&](std::nullptr_t) { count(); });
    auto two = functions.observe([&](int (*function)(int)) { received += function(10); });
    auto three = addresses.observe([&](const volatile int *address) { received += *address; });
    nothings.send(nullptr);
    functions.send([](int number) { return number; });
    const volatile int hundred = 100;
    addresses.send(&hundred);
    must(received == 111);
}

TEST(an_unsigned_number_of_64_bits_is_a_message_where_it_fits) {
    must(sent<std::uint64_t>(5) == 5 && sent<std::size_t>(INT64_MAX) == std::size_t(INT64_MAX));
    swo::messenger<std::uint64_t> numbers;
    swo::messenger<std::int64_t> negative(swo::adopted{swo_observable_retain(numbers.raw())});
    int received = 0;
    auto observation = numbers.observe([&](std::uint64_t) { received++; });
    must(numbers.try_send(std::uint64_t(INT64_MAX) + 1) == SWO_WRONG_KIND);
    must(is_thrown(SWO_WRONG_KIND, [&] { numbers.send(UINT64_MAX); }));
    negative.send(-1);
    must(received == 0);
    auto mapped = negative.map([](std::int64_t number) { return std::uint64_t(number); });
    auto other = mapped.observe([&](std::uint64_t) { received++; });
    must(is_thrown(SWO_CALLBACK_FAILED, [&] { negative.send(-1); }) && received == 0);
    negative.send(1);
    must(received == 2);
}
