// SPDX-License-Identifier: MIT
// Memory that always takes as long to get. Where libc finds it differs from run to run by as much as what is looked
// for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace memory {

/// Before each block: what it was cut out of, and the power of two of that.
struct Header {
    void *base;
    size_t power;
};

static void *freed[64];

static char *take(size_t power) {
    // What is never written to takes none of the machine's.
    alignas(64) static char all[size_t(1) << 29];
    static char *next = all;
    if (void *base = freed[power]) {
        memcpy(&freed[power], base, sizeof(void *));
        return static_cast<char *>(base);
    }
    char *base = next;
    next += size_t(1) << power;
    return base;
}

static void *get(size_t size, size_t alignment) {
    size_t power = 64 - static_cast<size_t>(__builtin_clzl(size + alignment + sizeof(Header)));
    char *base = take(power);
    auto address = (reinterpret_cast<uintptr_t>(base) + sizeof(Header) + alignment - 1) & ~(alignment - 1);
    auto *block = reinterpret_cast<char *>(address);
    Header header = {base, power};
    memcpy(block - sizeof header, &header, sizeof header);
    return block;
}

static Header headerOf(void *block) {
    Header header;
    memcpy(&header, static_cast<char *>(block) - sizeof header, sizeof header);
    return header;
}

} // namespace memory

extern "C" {

void *malloc(size_t size) { return memory::get(size, 16); }

void free(void *block) {
    if (!block) return;
    auto header = memory::headerOf(block);
    memcpy(header.base, &memory::freed[header.power], sizeof(void *));
    memory::freed[header.power] = header.base;
}

void *calloc(size_t count, size_t size) { return memset(malloc(count * size), 0, count * size); }

void *realloc(void *block, size_t size) {
    if (!block) return malloc(size);
    auto header = memory::headerOf(block);
    size_t room = (size_t(1) << header.power) -
                  static_cast<size_t>(static_cast<char *>(block) - static_cast<char *>(header.base));
    if (size <= room) return block;
    void *larger = malloc(size);
    memcpy(larger, block, room);
    free(block);
    return larger;
}

void *aligned_alloc(size_t alignment, size_t size) { return memory::get(size, alignment < 16 ? 16 : alignment); }

int posix_memalign(void **out, size_t alignment, size_t size) {
    *out = aligned_alloc(alignment, size);
    return 0;
}
}
