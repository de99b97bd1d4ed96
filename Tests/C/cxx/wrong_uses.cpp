// SPDX-License-Identifier: MIT
// What must not compile, and the sentence that says why: wrong_uses.sh compiles it once for each WRONG, and once
// without.
#include <swiftobserver.hpp>

struct reading {
    double celsius;
};

int main() {
    swo::messenger<int> numbers;
    swo::messenger<std::string_view> names;
    swo::variable<int> width(1), height(2);
    auto observation = numbers.observe([](int) {});
    (void)observation;
#if WRONG == 1 // the function does not take this message
    auto wrong = numbers.observe([](reading) {});
#elif WRONG == 2  // the function does not take this message
    auto wrong = names.map([](int number) { return number; });
#elif WRONG == 3  // new_values() is for updates
    auto wrong = numbers.new_values();
#elif WRONG == 4  // unwrap() is for messages that are std::optional
    auto wrong = numbers.unwrap();
#elif WRONG == 5  // only what has a latest message can be combined
    auto wrong = swo::combine(width, numbers);
#elif WRONG == 6  // the function does not take a message of each observable
    auto wrong = swo::combine(width, height).observe([](int, int) {});
#elif WRONG == 7  // only observables of one message type can be merged
    auto wrong = swo::merge(numbers, names);
#elif WRONG == 8  // a variable owns its value: write swo::variable<std::string>
    swo::variable<std::string_view> wrong("text");
#elif WRONG == 9  // observe new_values(), or take a swo::update
    auto wrong = width.observe([](int) {});
#elif WRONG == 10 // what is passed on has the type of the messenger
    auto wrong = numbers.observe(names);
#elif WRONG == 11 // send std::string_view, not const char
    swo::messenger<const char *> wrong;
    wrong.send("text");
#elif WRONG == 12 // updates are sent by variables
    swo::messenger<swo::update<int>> wrong;
#elif WRONG == 13 // an executor is a noexcept function that takes a swo::job
    swo::executor wrong([](swo::job &) {});
#elif WRONG == 14 // what is done on demand is noexcept
    numbers.on_demand([] {}, [] {});
#elif WRONG == 15 // the latest message of a variable is its value: call get()
    auto wrong = width.latest();
#elif WRONG == 16 // member named 'send'
    numbers.filter([](int) { return true; }).send(1);
#elif WRONG == 17 // deleted
    swo::messenger<int> copy = numbers;
#elif WRONG == 18 // nodiscard
    numbers.observe([](int) {});
#elif WRONG == 19 // a long double may not fit
    swo::messenger<long double> wrong;
    wrong.send(1);
#elif WRONG == 20 // deleted
    swo::options().get(nullptr, false);
#elif WRONG == 21 // observe new_values(), or take a swo::update
    auto wrong = width.filter([](int number) { return number > 1; });
#elif WRONG == 22 // a derived variable cannot be set
    swo::derived area([&] { return width.get() * height.get(); });
    area.set(5);
#elif WRONG == 23 // a derived variable cannot be set
    swo::derived area([&] { return width.get() * height.get(); });
    area.update([](int number) { return number + 1; });
#elif WRONG == 24 // a derived variable owns its value: write swo::derived<std::string>
    swo::derived<std::string_view> wrong([] { return std::string_view("text"); });
#elif WRONG == 25 // the function of a derived variable returns its value
    swo::derived wrong([&] { width.get(); });
#elif WRONG == 26 // the function of an effect returns nothing, or its clean-up
    auto wrong = swo::effect([&] { return width.get(); });
#elif WRONG == 27 // nodiscard
    swo::effect([&] { width.get(); });
#elif WRONG == 28 // the two sides hold different types
    swo::variable<std::string> title("");
    auto wrong = swo::bind(width, title);
#endif
}
