// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/failing.hpp
 *  What fails in C++: statuses become exceptions, and exceptions of handlers reach the sender. Part of
 *  swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_FAILING_HPP
#define SWIFTOBSERVER_CPP_FAILING_HPP

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <swiftobserver.h>
#include <utility>

#if defined(__cpp_exceptions) && __cpp_exceptions
#define SWO_HAS_EXCEPTIONS 1
#else
#define SWO_HAS_EXCEPTIONS 0
#endif

namespace swo {

/** A call that failed. Where memory is missing it is std::bad_alloc instead. */
class error : public std::exception {
  public:
    explicit error(swo_status status) noexcept : status_(status) {}
    const char *what() const noexcept override { return swo_status_text(status_); }
    swo_status status() const noexcept { return status_; }

  private:
    swo_status status_;
};

namespace detail {

#if SWO_HAS_EXCEPTIONS

/* What the latest handler has thrown on this thread, until the send or the drain that called it rethrows it. One for
 * all libraries of the process, whatever they hide. */
__attribute__((visibility("default"))) inline thread_local std::exception_ptr thrown;
/* How many drains of this thread are ready to rethrow. */
__attribute__((visibility("default"))) inline thread_local int drains = 0;

/* Tells what is thrown from now on from what was before. */
class fresh_exceptions {
  public:
    fresh_exceptions() noexcept : before_(std::exchange(thrown, nullptr)) {}
    fresh_exceptions(const fresh_exceptions &) = delete;
    ~fresh_exceptions() {
        if (!thrown) thrown = std::move(before_);
    }
    bool is_there() const noexcept { return thrown != nullptr; }

  private:
    std::exception_ptr before_;
};

inline void rethrow() {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
}

/* The same, where what an executor calls may throw. */
struct draining : fresh_exceptions {
    draining() noexcept { ++drains; }
    ~draining() { --drains; }
};

/* Inside of a catch block. The send in progress learns of it by its status. */
inline void carry(swo_observable *observable) noexcept {
    thrown = std::current_exception();
    swo_observable_fail(observable);
}

/* The same, where the caller learns of it without that. */
inline void throw_later() noexcept { thrown = std::current_exception(); }

[[noreturn]] inline void fail(swo_status status) {
    if (status == SWO_CALLBACK_FAILED) rethrow();
    if (status == SWO_NO_MEMORY) throw std::bad_alloc();
    throw error(status);
}

#define SWO_TRY try
#define SWO_CATCH catch (...)

#else

struct fresh_exceptions {
    bool is_there() const noexcept { return false; }
};
using draining = fresh_exceptions;
inline void rethrow() {}
inline void carry(swo_observable *) noexcept {}
inline void throw_later() noexcept {}

[[noreturn]] inline void fail(swo_status status) {
    std::fprintf(stderr, "SwiftObserver: %s\n", swo_status_text(status));
    std::abort();
}

#define SWO_TRY if (true)
#define SWO_CATCH else

#endif

inline void check(swo_status status) {
    if (__builtin_expect(status != SWO_OK, 0)) fail(status);
}

} // namespace detail
} // namespace swo

#endif
