// SPDX-License-Identifier: MIT
// A first program in C++: a messenger, and a variable whose numbers become others on their way to an observer.
#include <cstdio>
#include <swiftobserver.hpp>

int main() {
    swo::messenger<std::string_view> names;
    swo::observer observer; // ends its observations with itself
    observer.observe(names, [](std::string_view name) { std::printf("hello, %.*s\n", int(name.size()), name.data()); });
    names.send("world"); // hello, world

    swo::variable<double> celsius(0);
    const double limit = 30;
    observer.observe(
        celsius.new_values().filter([limit](double degrees) { return degrees >= limit; }).map([](double degrees) {
            return degrees * 1.8 + 32;
        }),
        [](double degrees) { std::printf("%.0f degrees!\n", degrees); });
    for (double degrees = 20; degrees <= 40; degrees += 10) celsius.set(degrees); // 86 degrees! 104 degrees!
}
