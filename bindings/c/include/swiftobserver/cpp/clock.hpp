// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/clock.hpp
 *  Clocks, on which messages wait for time. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_CLOCK_HPP
#define SWIFTOBSERVER_CPP_CLOCK_HPP

#include <chrono>
#include <swiftobserver/cpp/delivery.hpp>

namespace swo {

namespace detail {

/* 0, which is refused, for what is no interval: negative, not a number, or too long. */
template <class Rep, class Period> std::int64_t interval_of(std::chrono::duration<Rep, Period> given) noexcept {
    using exactly = std::chrono::duration<long double, std::nano>;
    const long double count = std::chrono::duration_cast<exactly>(given).count();
    return count >= 1 && count < 9.2e18L ? static_cast<std::int64_t>(count) : 0;
}

} // namespace detail

/** Which messages of an interval observable::throttle() passes on. */
enum class throttled : std::int32_t {
    both = SWO_THROTTLE_BOTH,    /**< the first at once, and the latest at the end, which begins another interval */
    first = SWO_THROTTLE_FIRST,  /**< the first at once */
    latest = SWO_THROTTLE_LATEST /**< the latest at the end */
};

/** Says what time it is, and what waits for which: the clock of a queue, whose loop wakes up for it; or, for tests, one
 *  that is turned by hand.
 *
 *      swo::queue loop;
 *      auto settled = keys.debounce(300ms, swo::clock(loop));
 *
 *      swo::clock by_hand;
 *      auto tested = keys.debounce(300ms, by_hand);
 *      by_hand.advance(300ms);                       // sends what is due by then, here and now
 *
 *  A program names its default one, on which waits what is made without a clock: `keys.debounce(300ms)`.
 *
 *  It lasts as long as something waits on it or may do so. An interval that is not positive, or not a number, is
 *  refused when an observable is made with it: swo::error (SWO_INVALID_ARGUMENT). Any thread. */
class clock {
  public:
    /** One that is turned by hand. It stands at 0. */
    clock() : clock_(swo_clock_new()) {}
    /** That of a queue: drain() sends what is due. */
    explicit clock(const queue &drained) { detail::check(swo_queue_clock(drained.raw(), &clock_), drained.raw()); }
    /** Takes over an ownership from C: that of a loop of your own (swo_clock_with_timer()). */
    explicit clock(swo_clock *from_c) noexcept : clock_(from_c) {}
    clock(const clock &other) noexcept : clock_(swo_clock_retain(other.clock_)) {}
    clock(clock &&other) noexcept : clock_(std::exchange(other.clock_, nullptr)) {}
    clock &operator=(clock other) noexcept {
        std::swap(clock_, other.clock_);
        return *this;
    }
    ~clock() {
        detail::call_apart([this] { swo_clock_release(clock_); });
    }

    /** Names the program's default clock: see swo_clock_set_default(). */
    static void set_default(const clock &named) {
        detail::call_apart([&] { swo_clock_set_default(named.clock_); });
    }
    /** The one that the program has named, looked up where it is used. */
    static clock standard() noexcept { return clock(static_cast<swo_clock *>(nullptr)); }

    std::chrono::nanoseconds now() const noexcept { return std::chrono::nanoseconds(swo_clock_now(clock_)); }
    /** How many observables wait on it. */
    std::size_t waiting() const noexcept { return swo_clock_waiting(clock_); }
    /** Turns it on by hand, and sends what is due by then, each at its time.
     *  @throws what a handler has thrown; swo::error if it is not turned by hand, or the interval is negative. */
    template <class Rep, class Period> void advance(std::chrono::duration<Rep, Period> interval) {
        const std::int64_t count = detail::interval_of(interval);
        const bool is_valid = count > 0 || interval == interval.zero();
        detail::check_call(clock_, [&] { return swo_clock_advance(clock_, is_valid ? count : -1); });
    }
    /** Says that its loop is gone: what waits is dropped. */
    void end() {
        detail::check_call(clock_, [this] { return swo_clock_end(clock_); });
    }

    swo_clock *raw() const noexcept { return clock_; }

  private:
    swo_clock *clock_ = nullptr;
};

} // namespace swo

#endif
