// SPDX-License-Identifier: MIT
// The memory of the library while schedules are explored: never used again within one schedule, so that whatever comes
// too late is found, and after each as it was before.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

[[noreturn]] void broken(const char *format, ...) __attribute__((format(printf, 1, 2)));

class Arena {
  public:
    // From here on it begins as it is now: with what the library keeps for ever.
    void keep() {
        kept.assign(bytes, bytes + used);
        keptGranules.assign(granules, granules + used / grain + 1);
        isUsed = false;
    }

    void begin() {
        std::memset(granules, 0, used / grain + 1);
        used = kept.size();
        std::memcpy(bytes, kept.data(), used);
        std::memcpy(granules, keptGranules.data(), keptGranules.size());
        living = 0;
        isUsed = true;
    }

    void end() { isUsed = false; }

    void *allocate(size_t size, size_t alignment) {
        if (!isUsed) {
            void *memory = nullptr;
            return posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment, size ? size : 1) ==
                           0
                       ? memory
                       : nullptr;
        }
        if (alignment < 2 * grain) alignment = 2 * grain;
        size_t begin = (used + grain + alignment - 1) & ~(alignment - 1);
        size_t end = (begin + size + grain - 1) & ~(grain - 1);
        if (end + grain > capacity) broken("one schedule takes more than %zu bytes", capacity);
        std::memcpy(bytes + begin - sizeof size, &size, sizeof size);
        std::memset(bytes + begin, 0xAA, end - begin);
        std::memset(granules + begin / grain, alive, (end - begin) / grain);
        used = end;
        living++;
        return bytes + begin;
    }

    void release(void *memory) {
        if (memory == nullptr) return;
        if (!has(memory)) {
            std::free(memory);
            return;
        }
        size_t begin = static_cast<char *>(memory) - bytes, length = size_of(memory);
        if (length > 0 && granules[begin / grain] != alive) broken("memory is freed twice");
        size_t end = (begin + length + grain - 1) & ~(grain - 1);
        std::memset(bytes + begin, 0xDD, end - begin);
        std::memset(granules + begin / grain, dead, (end - begin) / grain);
        living--;
    }

    size_t size_of(void *memory) const {
        size_t size;
        std::memcpy(&size, static_cast<char *>(memory) - sizeof size, sizeof size);
        return size;
    }

    bool has(const void *address) const {
        return static_cast<const char *>(address) - bytes < static_cast<ptrdiff_t>(capacity) && address >= bytes;
    }
    bool is_gone(const void *address) const {
        return has(address) && granules[(static_cast<const char *>(address) - bytes) / grain] != alive;
    }
    long distance(const void *address) const { return static_cast<const char *>(address) - bytes; }

    long living = 0;

  private:
    static constexpr size_t capacity = 1 << 20, grain = 8;
    enum : uint8_t { none, alive, dead };
    alignas(64) char bytes[capacity];
    uint8_t granules[capacity / grain];
    size_t used = 0;
    std::vector<char> kept;
    std::vector<uint8_t> keptGranules;
    bool isUsed = false;
};

extern Arena arena;
