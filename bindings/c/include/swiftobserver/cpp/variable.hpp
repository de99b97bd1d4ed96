// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/variable.hpp
 *  Observables that have a latest message: variables, caches and what is made of them. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_VARIABLE_HPP
#define SWIFTOBSERVER_CPP_VARIABLE_HPP

#include <swiftobserver/cpp/messenger.hpp>

namespace swo {

namespace detail {

/* What is in a value that C has copied for us. */
template <class T> owned_of<T> take(swo_value &value) {
    std::optional<owned_of<T>> taken;
    struct clearing {
        swo_value &value;
        ~clearing() { swo_value_clear(&value); }
    } at_end{value};
    representation<T>::read(value, [&taken](view_of<T> view) {
        if constexpr (is_optional<T> && std::is_pointer_v<view_of<T>>) {
            taken.emplace(view != nullptr ? T(*view) : T());
        } else {
            taken.emplace(view);
        }
    });
    if (!taken) fail(SWO_WRONG_KIND, &value);
    if constexpr (std::is_move_constructible_v<owned_of<T>>)
        return *std::move(taken);
    else
        return owned_of<T>(*taken);
}

} // namespace detail

/** An observable that can say at any time what its latest message is: a variable, a cache, and what map(), new_values()
 *  and unwrap_or() make of one. It can be replayed, and observed together with others (swo::combine()). */
template <class T> class buffered : public observable<T> {
  public:
    using observable<T>::observable;
    buffered share() const noexcept { return buffered(adopted{swo_observable_retain(this->raw())}); }

    /** The latest message. */
    auto latest() const {
        static_assert(
            !detail::is_update<T>,
            "swiftobserver: the latest message of a variable is its value: call get(), or new_values().latest()");
        swo_value value = swo_null();
        detail::check_call(this->raw(), [&] { return swo_latest(this->raw(), &value); });
        return detail::take<T>(value);
    }
    /** Sends the latest message to all that observe. */
    void send_latest(const void *author = nullptr) const {
        detail::check_call(this->raw(), [&] { return swo_send_latest(this->raw(), author); });
    }

    template <class F> auto map(F &&mapper) const { return as_buffered(observable<T>::map(std::forward<F>(mapper))); }
    auto new_values() const { return as_buffered(observable<T>::new_values()); }
    template <class U = typename detail::unwrapped<T>::type> auto unwrap_or(detail::argument_of<U> stand_in) const {
        return as_buffered(observable<T>::template unwrap_or<U>(std::move(stand_in)));
    }

  private:
    template <class U> static buffered<U> as_buffered(observable<U> &&made) {
        return buffered<U>(adopted{swo_observable_retain(made.raw())});
    }
};

/** Ends a batch: the variable that it was begun for sends one update, or none if its value is the one before. */
class [[nodiscard]] batch {
  public:
    explicit batch(swo_observable *variable) : variable_(swo_observable_retain(variable)) {
        const swo_status status = detail::call_apart([this] { return swo_variable_begin_batch(variable_); });
        if (status != SWO_OK) swo_observable_release(variable_);
        detail::check(status, variable);
    }
    batch(const batch &) = delete;
    batch &operator=(const batch &) = delete;
    batch(batch &&other) noexcept : variable_(std::exchange(other.variable_, nullptr)) {}
    batch &operator=(batch &&) = delete;
    /** An exception that a handler throws now is dropped: call end() to get it. */
    ~batch() {
        if (variable_ == nullptr) return;
        detail::call_apart([this] {
            swo_variable_end_batch(variable_);
            swo_observable_release(variable_);
        });
    }

    void end() {
        swo_observable *ended = std::exchange(variable_, nullptr);
        detail::check_call(ended, [ended] {
            const swo_status status = swo_variable_end_batch(ended);
            swo_observable_release(ended);
            return status;
        });
    }

  private:
    swo_observable *variable_;
};

/** Holds a value, and sends an update whenever that changes: by `==` where the type has one. */
template <class T> class variable : public buffered<swo::update<T>> {
  public:
    static_assert(!std::is_same_v<T, std::string_view>,
                  "swiftobserver: a variable owns its value: write swo::variable<std::string>");

    explicit variable(detail::argument_of<T> initial) : variable(swo_variable_new, std::move(initial)) {}
    /** Takes over an ownership from C, of a variable that holds a value of this type. */
    explicit variable(adopted from_c) noexcept : buffered<swo::update<T>>(from_c) {}
    /** One whose assignments take their turn among its messages; see swo_deferred_variable_new(). */
    static variable deferred(detail::argument_of<T> initial) {
        return variable(swo_deferred_variable_new, std::move(initial));
    }
    variable share() const noexcept { return variable(adopted{swo_observable_retain(this->raw())}); }

    /** The present value. */
    T get() const {
        swo_value value = swo_null();
        detail::check(swo_variable_get(this->raw(), &value), this->raw());
        return detail::take<T>(value);
    }
    /** Sets the value, which can be read at once; an update is sent in its turn. Throws as messenger::send(). */
    void set(detail::argument_of<T> value, const void *author = nullptr) const {
        const typename representation<T>::carrier carrier(std::forward<detail::argument_of<T>>(value));
        const swo_value &made = carrier.value();
        [[maybe_unused]] const detail::calling now;
        detail::check(swo_variable_set(this->raw(), &made, author), this->raw());
    }
    /** Makes the new value from the old one as one step; called again if another thread sets the variable meanwhile.
     *  What it throws is rethrown, and the variable is as it was. */
    template <class F> void update(F &&updater, const void *author = nullptr) const {
        using function = std::remove_reference_t<F>;
        detail::check_function<T, function>();
        void *context = const_cast<void *>(static_cast<const void *>(std::addressof(updater)));
        detail::check_call(this->raw(),
                           [&] { return swo_variable_update(this->raw(), make<function>, context, author); });
    }
    /** Until the batch ends nothing is sent. */
    swo::batch batch() const { return swo::batch(this->raw()); }

  private:
    template <class New>
    variable(New *create, detail::argument_of<T> initial) : buffered<swo::update<T>>(adopted{nullptr}) {
        const typename representation<T>::carrier carrier(std::forward<detail::argument_of<T>>(initial));
        const swo_value &value = carrier.value();
        detail::check(create(&value, &this->observable_), this);
    }
    template <class F> static swo_status make(void *context, const swo_value *old_value, swo_value *out) noexcept {
        swo_status status = SWO_CALLBACK_FAILED;
        SWO_TRY {
            representation<T>::read(*old_value, [&](detail::view_of<T> view) {
                *out = representation<T>::keep(detail::call<T>(*static_cast<F *>(context), view, nullptr));
                status = SWO_OK;
            });
        }
        SWO_CATCH { detail::throw_later(); }
        return status;
    }
};

template <class T> variable(T) -> variable<std::enable_if_t<!std::is_same_v<T, adopted>, T>>;
variable(const char *)->variable<std::string>;
variable(std::string_view)->variable<std::string>;

} // namespace swo

#endif
