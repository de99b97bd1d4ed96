// SPDX-License-Identifier: MIT
/** @file part.hpp
 *  What a program and the library that it loads have in common: these types, and what the library does with messengers.
 */
#ifndef SWIFTOBSERVER_TESTS_PART_HPP
#define SWIFTOBSERVER_TESTS_PART_HPP

#include <stdexcept>
#include <string>
#include <swiftobserver.hpp>
#include <vector>

struct song {
    std::string title;
    bool operator==(const song &other) const { return title == other.title; }
};

/* What a library finds in a program, or a program in a library. */
struct part_of_process {
    swo::messenger<int> numbers;
    swo::messenger<song> songs;
    swo::messenger<std::vector<int>> lists;
    swo::messenger<song *> pointers;
    swo::messenger<const song *> constants;
    swo::variable<song> current{song{"none"}};
    std::string received;
};

/* What the library does, in functions that it shows. */
struct loaded_part {
    /* Observes all of it, and throws "of the library" at the number 1. */
    void (*observe)(part_of_process &);
    void (*stop)();
    /* Sends a number, and says what that throws. */
    std::string (*send)(part_of_process &, int number);
    /* Drains a queue, and says what that throws. */
    std::string (*drain)(swo::queue &);
    /* Observes the numbers on a queue, and throws "on a queue" at each. */
    void (*observe_on)(part_of_process &, swo::queue &);
    void (*set)(part_of_process &, const char *title);
    /* Observes as if the messages were of a type that has the same name, and is this file's own. */
    void (*observe_secrets)(part_of_process &, swo_observable *secrets);
};

template <class Body> std::string thrown_by(Body body) {
    try {
        body();
    } catch (const std::exception &error) {
        return error.what();
    }
    return "nothing";
}

#endif
