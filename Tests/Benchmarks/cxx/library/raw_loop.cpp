// SPDX-License-Identifier: MIT
#include "raw_loop.h"

void send_in_a_library(const raw_entry *entries, std::size_t count, const swo_value *message, const void *author) {
    call_each(entries, count, message, author);
}
