// SPDX-License-Identifier: MIT
/** @file counting.hpp
 *  Counts what is allocated and destroyed. */
#ifndef SWIFTOBSERVER_TESTS_COUNTING_HPP
#define SWIFTOBSERVER_TESTS_COUNTING_HPP

#include <utility>

/** How many there are, and how many copies have been made of them. */
struct counted {
    static inline int living = 0, copies = 0;
    counted() { living++; }
    counted(const counted &) { living++, copies++; }
    counted(counted &&) noexcept { living++; }
    counted &operator=(const counted &) = default;
    ~counted() { living--; }
};

#endif
