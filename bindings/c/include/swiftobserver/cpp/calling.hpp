// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/calling.hpp
 *  How functions of C++ become callbacks with a context. Part of swiftobserver.hpp.
 *
 *  A function is moved into memory of its own when an observation or a transform begins, and destroyed once, after its
 *  last call. One that is `noexcept`, no larger than a pointer and trivially copyable (such as a lambda that captures
 *  a reference, or nothing) is kept in the context itself: that allocates nothing. */
#ifndef SWIFTOBSERVER_CPP_CALLING_HPP
#define SWIFTOBSERVER_CPP_CALLING_HPP

#include <swiftobserver/cpp/failing.hpp>
#include <swiftobserver/cpp/message.hpp>

namespace swo {
namespace detail {

/* In which of its forms a function takes a message. */
enum class form { none, message_author, message, spread_author, spread, copy_author, copy, author, nothing };

/* A message of several parts is made for several parameters; a pair or a tuple can be. */
template <class T> inline constexpr bool is_list = false;
template <class... Ts> inline constexpr bool is_list<list<Ts...>> = true;

template <class F, class View, class... More> struct takes_parts : std::false_type {};
template <class F, class... Ts, class... More>
struct takes_parts<F, std::tuple<Ts...>, More...> : std::is_invocable<F, Ts..., More...> {};
template <class F, class... Ts, class... More>
struct takes_parts<F, const std::tuple<Ts...> &, More...> : std::is_invocable<F, const Ts &..., More...> {};
template <class F, class One, class Other, class... More>
struct takes_parts<F, const std::pair<One, Other> &, More...>
    : std::is_invocable<F, const One &, const Other &, More...> {};

template <class F, class T> constexpr form spread_form() {
    if constexpr (takes_parts<F, view_of<T>>::value) return form::spread;
    if constexpr (takes_parts<F, view_of<T>, const void *>::value) return form::spread_author;
    return form::none;
}

template <class F, class T> constexpr form form_of() {
    if constexpr (std::is_void_v<T>) {
        if constexpr (std::is_invocable_v<F>) return form::nothing;
        if constexpr (std::is_invocable_v<F, const void *>) return form::author;
    } else if constexpr (is_list<T> && spread_form<F, T>() != form::none) {
        return spread_form<F, T>();
    } else {
        if constexpr (std::is_invocable_v<F, view_of<T>, const void *>) return form::message_author;
        if constexpr (std::is_invocable_v<F, view_of<T>>) return form::message;
        if constexpr (spread_form<F, T>() != form::none) return spread_form<F, T>();
        /* One that wants a std::string, where there is a view of it. */
        if constexpr (std::is_constructible_v<T, view_of<T>>) {
            if constexpr (std::is_invocable_v<F, T, const void *>) return form::copy_author;
            if constexpr (std::is_invocable_v<F, T>) return form::copy;
        }
        if constexpr (std::is_invocable_v<F>) return form::nothing;
    }
    return form::none;
}

template <class T, class F> inline constexpr bool takes = form_of<F &, T>() != form::none;

template <class T, class F> decltype(auto) call(F &function, view_of<T> message, const void *author) {
    constexpr form chosen = form_of<F &, T>();
    (void)message, (void)author;
    if constexpr (chosen == form::message_author)
        return function(message, author);
    else if constexpr (chosen == form::message)
        return function(message);
    else if constexpr (chosen == form::spread)
        return std::apply(function, std::forward<view_of<T>>(message));
    else if constexpr (chosen == form::spread_author)
        return std::apply(
            [&](auto &&...parts) -> decltype(auto) {
                return function(std::forward<decltype(parts)>(parts)..., author);
            },
            std::forward<view_of<T>>(message));
    else if constexpr (chosen == form::copy_author)
        return function(T(message), author);
    else if constexpr (chosen == form::copy)
        return function(T(message));
    else if constexpr (chosen == form::author)
        return function(author);
    else if constexpr (chosen == form::nothing)
        return function();
}

template <class T, class F> constexpr bool calls_noexcept() {
    if constexpr (!SWO_HAS_EXCEPTIONS) return true;
    constexpr form chosen = form_of<F &, T>();
    if constexpr (chosen == form::message_author) return std::is_nothrow_invocable_v<F &, view_of<T>, const void *>;
    if constexpr (chosen == form::message) return std::is_nothrow_invocable_v<F &, view_of<T>>;
    if constexpr (chosen == form::author) return std::is_nothrow_invocable_v<F &, const void *>;
    if constexpr (chosen == form::nothing) return std::is_nothrow_invocable_v<F &>;
    return false;
}

template <class T, class F>
using result_of = decltype(call<T>(std::declval<F &>(), std::declval<view_of<T>>(), nullptr));

/* Keeps a function and what it observes as a context. */
template <class F, bool is_small> class kept {
  public:
    kept(void *context) noexcept : holder_(static_cast<holder *>(context)) {}
    static void *make(F &&function, swo_observable *observable) { return new holder{std::move(function), observable}; }
    F &function() noexcept { return holder_->function; }
    swo_observable *observable() const noexcept { return holder_->observable; }
    static void destroy(void *context) { delete static_cast<holder *>(context); }
    static constexpr swo_destroy destroyer() noexcept { return destroy; }

  private:
    struct holder {
        F function;
        swo_observable *observable;
    };
    holder *holder_;
};

template <class F> class kept<F, true> {
  public:
    kept(void *context) noexcept : context_(context) {}
    static void *make(F &&function, swo_observable *) noexcept {
        void *context = nullptr;
        std::memcpy(&context, static_cast<const void *>(std::addressof(function)), sizeof function);
        return context;
    }
    const F &function() const noexcept { return *std::launder(reinterpret_cast<const F *>(&context_)); }
    swo_observable *observable() const noexcept { return nullptr; }
    static constexpr swo_destroy destroyer() noexcept { return nullptr; }

  private:
    void *context_;
};

template <class T, class F>
inline constexpr bool is_small =
    sizeof(F) <= sizeof(void *) && alignof(F) <= alignof(void *) &&
    std::is_trivially_copyable_v<F> &&std::is_trivially_destructible_v<F> &&takes<T, const F> &&calls_noexcept<T, F>();

template <class T, class F> using kept_for = kept<F, is_small<T, F>>;

/* Calls what may throw. What it throws reaches the sender: its status says that there is something. */
template <bool never_throws, class Body> bool guarded([[maybe_unused]] swo_observable *observable, Body &&body) {
    if constexpr (never_throws) {
        body();
        return true;
    } else {
        SWO_TRY {
            body();
            return true;
        }
        SWO_CATCH {
            carry(observable);
            return false;
        }
    }
}

/* A handler that is called directly: what is `noexcept` here ends the process as C++ does, with what was thrown. */
template <class T, class F> void receive(void *context, const swo_value *message, const void *author) noexcept {
    kept_for<T, F> kept(context);
    guarded<calls_noexcept<T, F>()>(kept.observable(), [&] {
        representation<T>::read(*message, [&](view_of<T> view) { (void)call<T>(kept.function(), view, author); });
    });
}

/* A handler that an executor calls: there is no sender any more, but there may be a drain(). */
template <class T, class F> void receive_later(void *context, const swo_value *message, const void *author) noexcept {
    kept_for<T, F> kept(context);
    auto body = [&] {
        representation<T>::read(*message, [&](view_of<T> view) { (void)call<T>(kept.function(), view, author); });
    };
#if SWO_HAS_EXCEPTIONS
    if constexpr (!calls_noexcept<T, F>()) {
        try {
            body();
        } catch (...) {
            throw_from_drain();
        }
        return;
    }
#endif
    body();
}

template <class T, class F> swo_status make(void *context, const swo_value *message, swo_value *out) noexcept {
    using R = std::decay_t<result_of<T, F>>;
    kept_for<T, F> kept(context);
    swo_status status = SWO_WRONG_KIND;
    /* The status tells; a latest message may be asked for, too, where no send could report it. */
    const bool is_done = guarded<false>(nullptr, [&] {
        representation<T>::read(*message, [&](view_of<T> view) {
            if constexpr (std::is_void_v<R>) {
                call<T>(kept.function(), view, nullptr);
            } else {
                *out = representation<R>::keep(call<T>(kept.function(), view, nullptr));
            }
            status = SWO_OK;
        });
    });
    return is_done ? status : SWO_CALLBACK_FAILED;
}

template <class T, class F> bool accept(void *context, const swo_value *message) noexcept {
    kept_for<T, F> kept(context);
    bool is_accepted = false;
    guarded<calls_noexcept<T, F>()>(kept.observable(), [&] {
        representation<T>::read(*message,
                                [&](view_of<T> view) { is_accepted = bool(call<T>(kept.function(), view, nullptr)); });
    });
    return is_accepted;
}

} // namespace detail
} // namespace swo

#endif
