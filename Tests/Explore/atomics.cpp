// SPDX-License-Identifier: MIT
// What the compilers call, with -fsanitize=thread, for each access to memory: here the machine takes the place of the
// thread sanitizer, so the library is explored as it stands.
#include "machine.hpp"

#define HERE __builtin_return_address(0)
#define AT(pointer) reinterpret_cast<uintptr_t>(pointer)

#define CHANGE(BITS, TYPE, NAME, AFTER)                                                                                \
    TYPE __tsan_atomic##BITS##_##NAME(volatile TYPE *at, TYPE value, int order) {                                      \
        auto change = [=](uint64_t &now) { now = static_cast<TYPE>(AFTER); };                                          \
        return static_cast<TYPE>(machine.rmw(AT(at), sizeof(TYPE), order, HERE, change));                              \
    }

#define ATOMICS(BITS, TYPE)                                                                                            \
    TYPE __tsan_atomic##BITS##_load(const volatile TYPE *at, int order) {                                              \
        return static_cast<TYPE>(machine.load(AT(at), sizeof(TYPE), order, HERE));                                     \
    }                                                                                                                  \
    void __tsan_atomic##BITS##_store(volatile TYPE *at, TYPE value, int order) {                                       \
        machine.store(AT(at), sizeof(TYPE), value, order, HERE);                                                       \
    }                                                                                                                  \
    TYPE __tsan_atomic##BITS##_fetch_add(volatile TYPE *at, TYPE value, int order) {                                   \
        return static_cast<TYPE>(machine.count(AT(at), sizeof(TYPE), value, order, HERE));                             \
    }                                                                                                                  \
    TYPE __tsan_atomic##BITS##_fetch_sub(volatile TYPE *at, TYPE value, int order) {                                   \
        if (counts_references(HERE))                                                                                   \
            return static_cast<TYPE>(machine.release(AT(at), sizeof(TYPE), value, order, HERE));                       \
        auto change = [=](uint64_t &now) { now = static_cast<TYPE>(now - value); };                                    \
        return static_cast<TYPE>(machine.rmw(AT(at), sizeof(TYPE), order, HERE, change));                              \
    }                                                                                                                  \
    CHANGE(BITS, TYPE, exchange, value)                                                                                \
    CHANGE(BITS, TYPE, fetch_and, now &value)                                                                          \
    CHANGE(BITS, TYPE, fetch_or, now | value)                                                                          \
    CHANGE(BITS, TYPE, fetch_xor, now ^ value)                                                                         \
    TYPE __tsan_atomic##BITS##_compare_exchange_val(volatile TYPE *at, TYPE expected, TYPE value, int order, int) {    \
        auto change = [=](uint64_t &now) {                                                                             \
            if (now == expected) now = value;                                                                          \
        };                                                                                                             \
        return static_cast<TYPE>(machine.rmw(AT(at), sizeof(TYPE), order, HERE, change));                              \
    }

#define PLAIN(SIZE)                                                                                                    \
    void __tsan_read##SIZE(void *at) { machine.plain(AT(at), SIZE, false, HERE); }                                     \
    void __tsan_write##SIZE(void *at) { machine.plain(AT(at), SIZE, true, HERE); }                                     \
    void __tsan_unaligned_read##SIZE(void *at) { machine.plain(AT(at), SIZE, false, HERE); }                           \
    void __tsan_unaligned_write##SIZE(void *at) { machine.plain(AT(at), SIZE, true, HERE); }

static void plain(const void *at, size_t size, bool isWrite, const void *from) {
    constexpr size_t word = 8;
    for (size_t one = 0; one < size; one += word)
        machine.plain(AT(at) + one, static_cast<uint32_t>(std::min(word, size - one)), isWrite, from);
}

extern "C" {
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order) {
    if (order == sequential) machine.fence(HERE);
}
void __tsan_atomic_signal_fence(int) {}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void *__tsan_memcpy(void *to, const void *from, size_t size) {
    plain(from, size, false, HERE);
    plain(to, size, true, HERE);
    return std::memcpy(to, from, size);
}
void *__tsan_memmove(void *to, const void *from, size_t size) {
    plain(from, size, false, HERE);
    plain(to, size, true, HERE);
    return std::memmove(to, from, size);
}
void *__tsan_memset(void *to, int byte, size_t size) {
    plain(to, size, true, HERE);
    return std::memset(to, byte, size);
}

void __tsan_init() {}
void *__tsan_get_current_fiber() { return nullptr; }
void *__tsan_create_fiber(unsigned) { return nullptr; }
void __tsan_destroy_fiber(void *) {}
void __tsan_switch_to_fiber(void *, unsigned) {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
void __tsan_external_write(void *, void *, void *) {}
void __tsan_external_read(void *, void *, void *) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}
