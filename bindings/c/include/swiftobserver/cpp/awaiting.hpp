// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/awaiting.hpp
 *  Awaiting messages in coroutines, where the compiler has them (C++20). Part of swiftobserver.hpp.
 *
 *      while (auto reading = co_await swo::next(readings)) show(*reading);          // resumed by the sender
 *      while (auto reading = co_await swo::next(readings, queue)) show(*reading);   // resumed by queue.drain()
 */
#ifndef SWIFTOBSERVER_CPP_AWAITING_HPP
#define SWIFTOBSERVER_CPP_AWAITING_HPP

#include <swiftobserver/cpp/variable.hpp>

#if defined(__cpp_impl_coroutine) && __has_include(<coroutine>)
#include <coroutine>

namespace swo {

/** Waits for the next message; see next(). */
template <class T> class [[nodiscard]] next_message {
  public:
    static_assert(!detail::is_update<T>, "swiftobserver: an update borrows its values: await new_values()");
    static_assert(!std::is_void_v<T>, "swiftobserver: await messages that are something");

    next_message(swo_observable *observed, const options &chosen) : observable_(observed), options_(chosen) {}
    next_message(const next_message &) = delete;
    next_message &operator=(const next_message &) = delete;
    /** A coroutine that is destroyed while it waits receives nothing. */
    ~next_message() {
        if (waiting_ == nullptr) return;
        if (waiting_->awaiter.exchange(nullptr, std::memory_order_acq_rel) != nullptr) swo_stop(waiting_->id);
        waiting_->leave();
    }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
        coroutine_ = coroutine;
        /* Three users: this awaiter, the observation, and this call, which may outlast both. */
        auto *waiting = waiting_ = new waiting_state{{this}, {3}, 0};
        options_.once();
        const swo_observe_options all = options_.get(nullptr, false);
        const swo_status status = swo_observe_with(observable_, &all, receive, waiting, end, &waiting->id);
        /* Where that fails, the end of the context has resumed the coroutine. */
        (void)status;
        waiting->leave();
    }
    /** The message; nothing if the observable has died, or is none. */
    std::optional<detail::owned_of<T>> await_resume() { return std::move(message_); }

  private:
    struct waiting_state {
        std::atomic<next_message *> awaiter;
        std::atomic<int> users;
        swo_observation id;
        void leave() noexcept {
            if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
        }
    };

    static void receive(void *context, const swo_value *value, const void *) noexcept {
        auto *waiting = static_cast<waiting_state *>(context);
        next_message *awaiter = waiting->awaiter.exchange(nullptr, std::memory_order_acq_rel);
        if (awaiter == nullptr) return;
        representation<T>::read(*value, [awaiter](detail::view_of<T> view) {
            if constexpr (detail::is_optional<T> && std::is_pointer_v<detail::view_of<T>>) {
                awaiter->message_.emplace(view != nullptr ? T(*view) : T());
            } else {
                awaiter->message_.emplace(view);
            }
        });
        awaiter->coroutine_.resume();
    }
    static void end(void *context) noexcept {
        auto *waiting = static_cast<waiting_state *>(context);
        next_message *awaiter = waiting->awaiter.exchange(nullptr, std::memory_order_acq_rel);
        waiting->leave();
        if (awaiter != nullptr) awaiter->coroutine_.resume();
    }

    swo_observable *observable_;
    options options_;
    std::coroutine_handle<> coroutine_;
    waiting_state *waiting_ = nullptr;
    std::optional<detail::owned_of<T>> message_;
};

/** Awaits the next message of an observable: std::nullopt when that has died. The coroutine is resumed by the sender,
 *  or where the queue is drained; what it sends and awaits there comes in its turn, and a coroutine that awaits again
 *  before it is suspended by anything else misses no message. An exception that leaves it there ends the process,
 *  unless its promise keeps it. The observable is borrowed until then. */
template <class T> next_message<T> next(const observable<T> &observed) { return {observed.raw(), options()}; }
template <class T> next_message<T> next(const observable<T> &observed, const queue &drained) {
    return {observed.raw(), options().on(drained)};
}
template <class T, class... More> next_message<T> next(const observable<T> &&observed, const More &...) = delete;

} // namespace swo

#endif
#endif
