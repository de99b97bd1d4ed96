// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/awaiting.hpp
 *  Awaiting messages in coroutines, where the compiler has them (C++20). Part of swiftobserver.hpp.
 *
 *      auto stream = swo::messages(readings, queue);
 *      while (auto reading = co_await stream.next()) show(*reading);                // all that are sent from now on
 *
 *      auto first = co_await swo::next(readings);                                   // one, resumed by the sender
 *      auto second = co_await swo::next(readings, queue);                           // one, resumed by queue.drain()
 */
#ifndef SWIFTOBSERVER_CPP_AWAITING_HPP
#define SWIFTOBSERVER_CPP_AWAITING_HPP

#include <swiftobserver/cpp/variable.hpp>

#if defined(__cpp_impl_coroutine) && __has_include(<coroutine>)
#include <coroutine>
#include <list>
#include <mutex>

namespace swo {

template <class T> class next_message;

namespace detail {

template <class T> constexpr void check_awaited() {
    static_assert(!is_update<T>, "swiftobserver: an update borrows its values: await new_values()");
    static_assert(!std::is_void_v<T>, "swiftobserver: await messages that are something");
}

/* What lasts of a message. */
template <class T, class Taken> void keep_message(const swo_value &value, Taken &taken) {
    representation<T>::read(value, [&taken](view_of<T> view) {
        if constexpr (is_optional<T> && std::is_pointer_v<view_of<T>>)
            taken(view != nullptr ? T(*view) : T());
        else
            taken(view);
    });
}

/* An observation for a coroutine that awaits one message after the other. It is used by that which awaits, by the
 * observation, and by the call that begins it, which may outlast both. */
template <class T> struct waiting_state {
    waiting_state(next_message<T> *first, swo_observable *observed, const swo_executor *by)
        : awaiter(first), observable(observed), execute(by == nullptr ? nullptr : by->execute),
          context(by == nullptr ? nullptr : by->context) {}
    std::atomic<next_message<T> *> awaiter;
    std::atomic<int> users{3};
    ending its_end{};
    /* What is observed and by whom it is delivered, only to be compared. */
    swo_observable *observable;
    swo_status (*execute)(void *, swo_job *);
    void *context;

    void leave() noexcept {
        if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }
};

/* A coroutine that this thread is resuming with a message. If it awaits the next one before anything else suspends it,
 * it goes on with the same observation, where the messages wait that were sent meanwhile. */
template <class T> class resuming {
  public:
    resuming(waiting_state<T> *state, std::coroutine_handle<> coroutine) noexcept
        : state_(state), coroutine_(coroutine), outer_(std::exchange(innermost, this)) {}
    resuming(const resuming &) = delete;
    resuming &operator=(const resuming &) = delete;
    ~resuming() {
        innermost = outer_;
        if (!goes_on_) state_->its_end.end();
    }
    /* The state of that coroutine, once. */
    static waiting_state<T> *go_on(std::coroutine_handle<> coroutine, swo_observable *observable,
                                   const swo_executor *by) noexcept {
        resuming *const now = innermost;
        if (now == nullptr || now->goes_on_ || now->coroutine_ != coroutine) return nullptr;
        waiting_state<T> *const state = now->state_;
        if (state->observable != observable || state->execute != (by == nullptr ? nullptr : by->execute) ||
            state->context != (by == nullptr ? nullptr : by->context))
            return nullptr;
        now->goes_on_ = true;
        return state;
    }

  private:
    static inline thread_local resuming *innermost = nullptr;
    waiting_state<T> *state_;
    std::coroutine_handle<> coroutine_;
    resuming *outer_;
    bool goes_on_ = false;
};

} // namespace detail

/** Waits for the next message; see next(). */
template <class T> class [[nodiscard]] next_message {
  public:
    next_message(swo_observable *observed, const options &chosen) : observable_(observed), options_(chosen) {
        detail::check_awaited<T>();
    }
    next_message(const next_message &) = delete;
    next_message &operator=(const next_message &) = delete;
    /** A coroutine that is destroyed while it waits receives nothing. */
    ~next_message() { leave(); }

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> coroutine) {
        leave();
        message_.reset();
        coroutine_ = coroutine;
        const swo_observe_options all = options_.get(nullptr, false);
        if (auto *same = detail::resuming<T>::go_on(coroutine, observable_, all.executor)) {
            same->users.fetch_add(1, std::memory_order_relaxed);
            waiting_ = same;
            same->awaiter.store(this, std::memory_order_release);
            return;
        }
        auto *waiting = waiting_ = new detail::waiting_state<T>(this, observable_, all.executor);
        swo_observation id = 0;
        const swo_status status =
            detail::call_apart([&] { return swo_observe_with(observable_, &all, receive, waiting, end, &id); });
        /* Where that fails, the end of the context has resumed the coroutine. */
        if (status == SWO_OK) waiting->its_end.begun(id);
        waiting->leave();
    }
    /** The message; nothing if the observable has died, or is none. */
    std::optional<detail::owned_of<T>> await_resume() { return std::move(message_); }

  private:
    using state = detail::waiting_state<T>;

    static void receive(void *context, const swo_value *value, const void *) noexcept {
        auto *waiting = static_cast<state *>(context);
        next_message *awaiter = waiting->awaiter.exchange(nullptr, std::memory_order_acq_rel);
        if (awaiter == nullptr) return;
        auto emplace = [awaiter](auto &&message) {
            awaiter->message_.emplace(std::forward<decltype(message)>(message));
        };
        detail::keep_message<T>(*value, emplace);
        const std::coroutine_handle<> coroutine = awaiter->coroutine_;
        const detail::resuming<T> now(waiting, coroutine);
        coroutine.resume();
    }
    static void end(void *context) noexcept {
        auto *waiting = static_cast<state *>(context);
        next_message *awaiter = waiting->awaiter.exchange(nullptr, std::memory_order_acq_rel);
        waiting->leave();
        if (awaiter != nullptr) awaiter->coroutine_.resume();
    }
    void leave() noexcept {
        if (waiting_ == nullptr) return;
        next_message *expected = this;
        if (waiting_->awaiter.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel))
            waiting_->its_end.end();
        std::exchange(waiting_, nullptr)->leave();
    }

    swo_observable *observable_;
    options options_;
    std::coroutine_handle<> coroutine_{};
    state *waiting_ = nullptr;
    std::optional<detail::owned_of<T>> message_{};
};

/** Awaits the next message of an observable: std::nullopt when that has died. The coroutine is resumed by the sender,
 *  or where the queue is drained. Messages are received from here on; a coroutine that awaits the next one, in the same
 *  way, before anything else suspends it misses none. One that awaits other things, too, or whose helpers await for it,
 *  has a stream: messages.
 *
 *  What it sends and awaits there comes in its turn. An exception that leaves it there ends the process, unless its
 *  promise keeps it. The observable is borrowed each time: one that may die while its messages wait in the queue is
 *  awaited as a stream. */
template <class T> next_message<T> next(const observable<T> &observed) { return {observed.raw(), options()}; }
template <class T> next_message<T> next(const observable<T> &observed, const queue &drained) {
    return {observed.raw(), options().on(drained)};
}
template <class T, class... More> next_message<T> next(const observable<T> &&observed, const More &...) = delete;

/** A stream of all messages from its beginning on, for a coroutine that awaits them one after the other, whatever it
 *  awaits in between: what comes meanwhile waits in a buffer without a bound.
 *
 *      auto stream = swo::messages(numbers, queue);           // or without a queue, or with swo::options()
 *      while (auto number = co_await stream.next()) ...
 *
 *  `next()` is std::nullopt when the observable has died and all its messages have been taken. The coroutine is resumed
 *  by the sender, or where the queue is drained, and goes on at once while there are messages in the buffer. One
 *  coroutine awaits at a time. The stream ends its observation with itself; it keeps the observable only where that is
 *  a temporary. Any thread; an exception that leaves the coroutine ends the process, as for next(). */
template <class T> class [[nodiscard]] messages {
    struct state;

  public:
    explicit messages(const observable<T> &observed, const options &chosen = options())
        : messages(observed.raw(), chosen, false) {}
    messages(const observable<T> &observed, const queue &drained) : messages(observed, options().on(drained)) {}
    explicit messages(observable<T> &&observed, const options &chosen = options())
        : messages(observed.raw(), chosen, true) {}
    messages(observable<T> &&observed, const queue &drained) : messages(std::move(observed), options().on(drained)) {}
    messages(const messages &) = delete;
    messages &operator=(const messages &) = delete;
    messages(messages &&other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
    messages &operator=(messages &&other) noexcept {
        std::swap(state_, other.state_);
        return *this;
    }
    ~messages() {
        if (state_ == nullptr) return;
        state_->its_end.end();
        state_->leave();
    }

    /** Waits for the next message of the stream. */
    class [[nodiscard]] next_of_stream {
      public:
        explicit next_of_stream(state *stream) noexcept : state_(stream) {}
        next_of_stream(const next_of_stream &) = delete;
        next_of_stream &operator=(const next_of_stream &) = delete;
        /** A coroutine that is destroyed while it waits takes nothing. */
        ~next_of_stream() {
            if (!is_waiting_) return;
            const std::lock_guard<std::mutex> lock(state_->mutex);
            if (state_->awaiter == this) state_->awaiter = nullptr;
        }
        bool await_ready() {
            const std::lock_guard<std::mutex> lock(state_->mutex);
            return take();
        }
        bool await_suspend(std::coroutine_handle<> coroutine) {
            const std::lock_guard<std::mutex> lock(state_->mutex);
            if (take()) return false;
            coroutine_ = coroutine;
            state_->awaiter = this;
            return is_waiting_ = true;
        }
        std::optional<detail::owned_of<T>> await_resume() {
            is_waiting_ = false;
            if (taken_.empty()) return std::nullopt;
            return std::move(taken_.front());
        }

      private:
        friend struct state;
        /* Whether there is nothing to wait for. */
        bool take() noexcept {
            if (state_->arrived.empty()) return state_->has_ended;
            taken_.splice(taken_.end(), state_->arrived, state_->arrived.begin());
            return true;
        }
        state *state_;
        bool is_waiting_ = false;
        std::coroutine_handle<> coroutine_{};
        std::list<detail::owned_of<T>> taken_{};
    };

    next_of_stream next() {
        if (state_ == nullptr) detail::fail(SWO_INVALID_ARGUMENT, nullptr);
        return next_of_stream(state_);
    }

  private:
    /* Used by the stream, and by the observation. Under the lock nothing is copied, moved or destroyed: messages move
     * with what holds them. */
    struct state {
        std::mutex mutex{};
        std::list<detail::owned_of<T>> arrived{};
        next_of_stream *awaiter = nullptr;
        bool has_ended = false;
        std::atomic<int> users{2};
        detail::ending its_end{};

        void leave() noexcept {
            if (users.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
        }
        static void receive(void *context, const swo_value *value, const void *) noexcept {
            auto *stream = static_cast<state *>(context);
            std::list<detail::owned_of<T>> made;
            auto keep = [&made](auto &&message) { made.emplace_back(std::forward<decltype(message)>(message)); };
            detail::keep_message<T>(*value, keep);
            if (made.empty()) return;
            std::coroutine_handle<> resumed;
            {
                const std::lock_guard<std::mutex> lock(stream->mutex);
                if (next_of_stream *awaiter = std::exchange(stream->awaiter, nullptr)) {
                    awaiter->taken_.splice(awaiter->taken_.end(), made);
                    resumed = awaiter->coroutine_;
                } else {
                    stream->arrived.splice(stream->arrived.end(), made);
                }
            }
            if (resumed) resumed.resume();
        }
        static void end(void *context) noexcept {
            auto *stream = static_cast<state *>(context);
            std::coroutine_handle<> resumed;
            {
                const std::lock_guard<std::mutex> lock(stream->mutex);
                stream->has_ended = true;
                if (stream->awaiter != nullptr) resumed = std::exchange(stream->awaiter, nullptr)->coroutine_;
            }
            stream->leave();
            if (resumed) resumed.resume();
        }
    };

    messages(swo_observable *observed, const options &chosen, bool keeps_observable) : state_(new state) {
        detail::check_awaited<T>();
        const swo_observe_options all = chosen.get(nullptr, keeps_observable);
        swo_observation id = 0;
        state *const stream = state_;
        const swo_status status = detail::call_apart(
            [&] { return swo_observe_with(observed, &all, state::receive, stream, state::end, &id); });
        if (status == SWO_OK) {
            stream->its_end.begun(id);
        } else {
            stream->leave();
            detail::check(status, observed);
        }
    }

    state *state_;
};

template <class T, class... More> messages(const observable<T> &, const More &...) -> messages<T>;
template <class T, class... More> messages(observable<T> &&, const More &...) -> messages<T>;

} // namespace swo

#endif
#endif
