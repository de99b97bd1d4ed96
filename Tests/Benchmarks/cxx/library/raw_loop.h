// SPDX-License-Identifier: MIT
// The least that delivers a message: a loop over {function, context}. Once inside the program, and once in a shared
// library, as each library has it: calls go farther there, and come back from farther.
#pragma once
#include <cstddef>
#include <swiftobserver.h>

struct raw_entry {
    swo_handler handler;
    void *context;
};

__attribute__((always_inline)) inline void call_each(const raw_entry *entries, std::size_t count,
                                                     const swo_value *message, const void *author) {
    for (std::size_t one = 0; one < count; one++) entries[one].handler(entries[one].context, message, author);
}

void send_in_a_library(const raw_entry *entries, std::size_t count, const swo_value *message, const void *author);
