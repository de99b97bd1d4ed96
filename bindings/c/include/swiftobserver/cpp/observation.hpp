// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/observation.hpp
 *  Observations as names and as owners. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_OBSERVATION_HPP
#define SWIFTOBSERVER_CPP_OBSERVATION_HPP

#include <swiftobserver/cpp/failing.hpp>

namespace swo {

/** Names an observation that something else keeps: an observer, or nothing (it lasts until it is stopped or its
 *  observable dies). Harmless when that has ended. Any thread. */
class observation_id {
  public:
    constexpr observation_id() noexcept = default;
    explicit constexpr observation_id(swo_observation id) noexcept : id_(id) {}

    /** Ends it: once this has returned, no call of the handler begins. @return Whether it was living. */
    bool stop() noexcept { return detail::stop(id_) == SWO_OK; }
    /** Ends it, and waits until the handler is not running on another thread. @return Whether it was living. */
    bool stop_and_wait() noexcept {
        return detail::call_apart([id = id_] { return swo_stop_and_wait(id); }) == SWO_OK;
    }
    bool is_living() const noexcept { return swo_is_living(id_); }

    /** See swo_block(). */
    void block() { detail::check(swo_block(id_), this); }
    void unblock() { detail::check(swo_unblock(id_), this); }
    bool is_blocked() const noexcept { return swo_is_blocked(id_); }

    swo_observation raw() const noexcept { return id_; }

  protected:
    swo_observation id_ = 0;
};

/** Owns an observation: it ends with this. It keeps the observable only where that was given to it as a temporary.
 *
 *  Its end does not wait for a handler that is running on another thread. Where the handler uses what ends next, an
 *  observer does, or stop_and_wait() before. */
class [[nodiscard]] observation : public observation_id {
  public:
    observation() noexcept = default;
    explicit observation(swo_observation id) noexcept : observation_id(id) {}
    observation(observation &&other) noexcept : observation_id(other.release()) {}
    observation &operator=(observation &&other) noexcept {
        if (this != &other) {
            stop();
            id_ = other.release().raw();
        }
        return *this;
    }
    ~observation() { stop(); }

    /** Lets it go on without an owner. */
    observation_id release() noexcept { return observation_id(std::exchange(id_, 0)); }
};

} // namespace swo

#endif
