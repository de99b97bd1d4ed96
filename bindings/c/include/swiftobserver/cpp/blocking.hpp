// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/blocking.hpp
 *  Blocks that end with their scope. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_BLOCKING_HPP
#define SWIFTOBSERVER_CPP_BLOCKING_HPP

#include <swiftobserver/cpp/observable.hpp>

namespace swo {

/** Blocks an observable or an observation as long as it lives, and lets it be as it was then: blocks add up.
 *
 *      {
 *          swo::blocked quiet(numbers);
 *          numbers.send(1);            // dropped
 *      }
 *      numbers.send(2);
 *
 *  It keeps the observable. An observation that has ended meanwhile stays as it is. Any thread. */
class [[nodiscard]] blocked {
  public:
    /** @throws swo::error if it was moved from. */
    template <class T> explicit blocked(const observable<T> &sender) : observable_(sender.raw()) {
        detail::check(swo_observable_block(observable_), observable_);
        swo_observable_retain(observable_);
    }
    /** @throws swo::error if it is not living. */
    explicit blocked(const observation_id &receiver) : observation_(receiver.raw()) {
        detail::check(swo_block(observation_), this);
    }
    blocked(const blocked &) = delete;
    blocked &operator=(const blocked &) = delete;
    blocked(blocked &&other) noexcept
        : observable_(std::exchange(other.observable_, nullptr)), observation_(std::exchange(other.observation_, 0)) {}
    blocked &operator=(blocked &&) = delete;
    ~blocked() {
        if (observation_ != 0) swo_unblock(observation_);
        if (observable_ == nullptr) return;
        swo_observable_unblock(observable_);
        detail::release(observable_);
    }

  private:
    swo_observable *observable_ = nullptr;
    swo_observation observation_ = 0;
};

} // namespace swo

#endif
