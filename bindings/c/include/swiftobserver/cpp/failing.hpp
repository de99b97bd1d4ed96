// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/failing.hpp
 *  Failures in C++: statuses become exceptions, and exceptions of handlers reach the sender. Part of
 *  swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_FAILING_HPP
#define SWIFTOBSERVER_CPP_FAILING_HPP

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <swiftobserver.h>
#include <swiftobserver/runtime.h>
#include <utility>

#if defined(__cpp_exceptions) && __cpp_exceptions
#define SWO_HAS_EXCEPTIONS 1
#else
#define SWO_HAS_EXCEPTIONS 0
#endif

/* One for all parts of the process, where they do not hide it. */
#define SWO_VISIBLE __attribute__((visibility("default")))

namespace swo {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wweak-vtables" /* there is no other place for it */
#endif
/** A call that failed. Where memory is missing it is std::bad_alloc instead. */
class SWO_VISIBLE error : public std::exception {
  public:
    explicit error(swo_status status) noexcept : error(status, swo_status_text(status)) {}
    /** @param sentence  static text. */
    error(swo_status status, const char *sentence) noexcept : status_(status), sentence_(sentence) {}
    error(const error &) noexcept = default;
    error &operator=(const error &) noexcept = default;
    const char *what() const noexcept override { return sentence_; }
    swo_status status() const noexcept { return status_; }

  private:
    swo_status status_;
    const char *sentence_;
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

namespace detail {

/* Says more than the status where it is called on what was moved from. */
inline const char *sentence_of(swo_status status, const void *handle) noexcept {
    return status == SWO_INVALID_ARGUMENT && handle == nullptr ? "there is nothing here: it was moved from"
                                                               : swo_status_text(status);
}

#if SWO_HAS_EXCEPTIONS

/* What a handler has thrown, for the call of that level. What keeps it says how it ends: another part of the process
 * may have another standard library. */
struct failure {
    failure *below;
    std::int32_t level;
#if defined(_LIBCPP_VERSION)
    static constexpr std::int32_t own_library = 2;
#else
    static constexpr std::int32_t own_library = 1;
#endif
    /* Added to the library where it is the value of a derived variable, too. */
    static constexpr std::int32_t is_value = 0x100;
    std::int32_t library;
    void (*destroy)(failure *) noexcept;
    std::exception_ptr thrown;
};

/* The calls of C that this thread is making, one inside the other, are counted in swo_this_thread, which takes three
 * instructions, and none of what handlers throw outlasts its call. */
inline std::int32_t level() noexcept { return swo_this_thread.calls & INT32_MAX; }
inline failure *latest_failure() noexcept { return static_cast<failure *>(swo_this_thread.thrown); }

inline void drop_latest() noexcept {
    failure *const dropped = latest_failure();
    swo_this_thread.thrown = dropped->below;
    if (dropped->below == nullptr) swo_this_thread.calls &= INT32_MAX;
    dropped->destroy(dropped); /* what runs now may make calls of its own */
}

/* Drops what was thrown in calls that have ended. */
[[gnu::cold, gnu::noinline]] inline void drop_ended() noexcept {
    while (latest_failure() != nullptr && latest_failure()->level > level()) drop_latest();
}

/* A call of C that may call handlers: what they throw in it ends with it, unless it is rethrown. */
class calling {
  public:
    calling() noexcept { ++calls(); }
    calling(const calling &) = delete;
    calling &operator=(const calling &) = delete;
    ~calling() {
        if (--calls() < 0) drop_ended();
    }

  private:
    /* Counting is one instruction, as long as the compiler does not carry the number from one call to the next. */
    static std::int32_t &calls() noexcept {
        __asm__("" : "+m"(swo_this_thread.calls));
        return swo_this_thread.calls;
    }
};

/* Whether something was thrown in the innermost call. */
inline bool has_thrown() noexcept { return latest_failure() != nullptr && latest_failure()->level == level(); }

/* The same, by a handler. */
inline bool handler_has_thrown() noexcept {
    return has_thrown() && (latest_failure()->library & failure::is_value) == 0;
}

/* Inside of a catch block, in a handler: keeps what was thrown for the innermost call; the latest of several. Where no
 * call of C++ is being made, there is nothing that it could reach. */
inline void throw_later(std::int32_t kind = 0) noexcept {
    if (level() == 0) return;
    auto *const made =
        new (std::nothrow) failure{latest_failure(), level(), failure::own_library | kind,
                                   [](failure *ended) noexcept { delete ended; }, std::current_exception()};
    if (made == nullptr) return;
    failure *const older = has_thrown() ? latest_failure() : nullptr;
    if (older != nullptr) made->below = older->below;
    swo_this_thread.thrown = made;
    swo_this_thread.calls |= INT32_MIN;
    if (older != nullptr) older->destroy(older);
}

/* The same; the send in progress learns of it by its status. */
inline void carry(swo_observable *observable) noexcept {
    throw_later();
    swo_observable_fail(observable);
}

/* The same, in a job: only a drain rethrows. */
inline void throw_from_drain() noexcept {
    if (level() == 0 || swo_this_thread.draining != level()) std::terminate();
    throw_later();
}

/* Rethrows what was thrown in the innermost call, if anything was. */
[[gnu::cold, gnu::noinline]] inline void rethrow() {
    if (!has_thrown() || (latest_failure()->library & ~failure::is_value) != failure::own_library) return;
    std::exception_ptr thrown = std::move(latest_failure()->thrown);
    drop_latest();
    std::rethrow_exception(std::move(thrown));
}

/* A call of C that runs jobs, and rethrows what handlers have thrown in them. */
class draining : public calling {
  public:
    draining() noexcept : outer_(std::exchange(swo_this_thread.draining, level())) {}
    ~draining() { swo_this_thread.draining = outer_; }

  private:
    std::int32_t outer_;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(swo_status status, const void *handle) {
    if (status == SWO_CALLBACK_FAILED) rethrow();
    if (status == SWO_NO_MEMORY) throw std::bad_alloc();
    throw error(status, sentence_of(status, handle));
}

#define SWO_TRY try
#define SWO_CATCH catch (...)

#else

struct calling {
    calling() noexcept {}
};
using draining = calling;
inline void rethrow() {}
inline bool handler_has_thrown() noexcept { return false; }
inline void carry(swo_observable *) noexcept {}
inline void throw_later() noexcept {}

[[noreturn, gnu::cold, gnu::noinline]] inline void fail(swo_status status, const void *handle) {
    std::fprintf(stderr, "SwiftObserver: %s\n", sentence_of(status, handle));
    std::abort();
}

#define SWO_TRY if (true)
#define SWO_CATCH else

#endif

/* @param handle  what the call was about. */
inline void check(swo_status status, const void *handle) {
    if (__builtin_expect(status != SWO_OK, 0)) fail(status, handle);
}

/* A call that may call handlers, and rethrows what they throw. */
template <class Call> void check_call(const void *handle, Call call) {
    [[maybe_unused]] const calling now;
    check(call(), handle);
}

/* A call that may call handlers; what they throw is dropped. */
template <class Call> auto call_apart(Call call) {
    [[maybe_unused]] const calling now;
    return call();
}

/* What ends something may call handlers, too: with a message that waited, or in a destructor. They take what they end
 * by value, for what has its address in a call costs more. */
inline void release(swo_observable *observable) noexcept {
    call_apart([observable] { swo_observable_release(observable); });
}
inline swo_status stop(swo_observation id) noexcept {
    return call_apart([id] { return swo_stop(id); });
}

} // namespace detail
} // namespace swo

#endif
