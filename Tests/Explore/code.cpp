// SPDX-License-Identifier: MIT
// Which code counts references: no step, where it only looks or adds, because whatever counts has a reference of its
// own.
#include "machine.hpp"
#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace {
constexpr uintptr_t call_size = 5;
std::vector<uintptr_t> counting; // where calls of atomic operations return to, sorted

// The compiler puts the counting into the functions that count, so the lines of the sources tell.
void find_calls() {
    char command[512];
    snprintf(
        command, sizeof command,
        "exe=/proc/%d/exe; objdump -d --no-show-raw-insn $exe | "
        "awk '/call.*__tsan_atomic/ { sub(\":\", \"\", $1); print $1 }' | "
        "addr2line -a -f -i -e $exe | awk '/^0x/ { at = $1 } /^swift_(bridgeObjectR|r)e(tain|lease)/ { print at }'",
        getpid());
    FILE *pipe = popen(command, "r");
    for (char line[64]; pipe != nullptr && fgets(line, sizeof line, pipe) != nullptr;)
        counting.push_back(strtoull(line, nullptr, 16) + call_size);
    if (pipe != nullptr) pclose(pipe);
    std::sort(counting.begin(), counting.end());
    if (counting.size() < 2) broken("the code that counts references is not found");
}
} // namespace

bool counts_references(const void *from) {
    if (from == nullptr) return false;
    if (counting.empty()) find_calls();
    return std::binary_search(counting.begin(), counting.end(), reinterpret_cast<uintptr_t>(from));
}
