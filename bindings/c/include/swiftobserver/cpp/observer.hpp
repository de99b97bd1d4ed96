// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/observer.hpp
 *  Observers, and what observes several observables at once. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_OBSERVER_HPP
#define SWIFTOBSERVER_CPP_OBSERVER_HPP

#include <array>
#include <swiftobserver/cpp/variable.hpp>
#include <tuple>

namespace swo {

template <class... Sources> class combined;

/** Keeps observations: they all stop at the end of its last owner. It is moved, not copied; share() makes another
 *  owner. A class that observes has one as its last member, so that its handlers stop before anything they use is gone.
 *  Any thread. */
class observer {
  public:
    observer() : observer_(swo_observer_new()) {}
    observer(observer &&other) noexcept : observer_(std::exchange(other.observer_, nullptr)) {}
    observer &operator=(observer &&other) noexcept {
        std::swap(observer_, other.observer_);
        return *this;
    }
    ~observer() { swo_observer_release(observer_); }

    swo_observer *raw() const noexcept { return observer_; }
    observer share() const noexcept { return observer(swo_observer_retain(observer_)); }

    /** As observable::observe(); a temporary observable is kept by the observation. */
    template <class T, class F> observation_id observe(const observable<T> &observed, F &&handler) const {
        return observation_id(
            observable<T>::begin(observed.raw(), observer_, nullptr, false, std::forward<F>(handler)));
    }
    template <class T, class F>
    observation_id observe(const observable<T> &observed, F &&handler, const options &chosen) const {
        return observation_id(
            observable<T>::begin(observed.raw(), observer_, &chosen, false, std::forward<F>(handler)));
    }
    template <class T, class F> observation_id observe(observable<T> &&observed, F &&handler) const {
        return observation_id(observable<T>::begin(observed.raw(), observer_, nullptr, true, std::forward<F>(handler)));
    }
    template <class T, class F>
    observation_id observe(observable<T> &&observed, F &&handler, const options &chosen) const {
        return observation_id(observable<T>::begin(observed.raw(), observer_, &chosen, true, std::forward<F>(handler)));
    }
    /** As combined::observe(). */
    template <class... Sources, class F> observation_id observe(combined<Sources...> &&several, F &&handler) const {
        return observation_id(std::move(several).begin(observer_, std::forward<F>(handler)));
    }

    /** Stops all its observations, or those of one observable. @return Whether there were any. */
    bool stop() { return swo_observer_stop(observer_, nullptr) == SWO_OK; }
    template <class T> bool stop(const observable<T> &observed) {
        return swo_observer_stop(observer_, observed.raw()) == SWO_OK;
    }
    template <class T> bool is_observing(const observable<T> &observed) const noexcept {
        return swo_observer_is_observing(observer_, observed.raw());
    }
    std::size_t count() const noexcept { return swo_observer_count(observer_); }

  private:
    explicit observer(swo_observer *adopted) noexcept : observer_(adopted) {}
    swo_observer *observer_;
};

namespace detail {

template <class T> T message_of(const buffered<T> &);
template <class Source> using message_in = decltype(message_of(std::declval<const Source &>()));
template <class Source, class = void> inline constexpr bool is_buffered = false;
template <class Source> inline constexpr bool is_buffered<Source, std::void_t<message_in<Source>>> = true;

/* Reads several messages, one after the other, and calls the function with them all. */
template <class F, class... Read>
void spread(F &function, const swo_value *, const void *author, std::tuple<>, Read &...read) {
    if constexpr (std::is_invocable_v<F &, Read &..., const void *>)
        function(read..., author);
    else
        function(read...);
}
template <class F, class T, class... Rest, class... Read>
void spread(F &function, const swo_value *values, const void *author, std::tuple<T *, Rest *...>, Read &...read) {
    representation<T>::read(*values, [&](view_of<T> message) {
        spread(function, values + 1, author, std::tuple<Rest *...>(), read..., message);
    });
}

} // namespace detail

/** Several buffered observables that are about to be observed together; see combine(). */
template <class... Sources> class [[nodiscard]] combined {
  public:
    explicit combined(Sources &&...sources) : sources_(std::forward<Sources>(sources)...) {}

    /** Calls the handler with a message of each whenever one of them sends: see swo_observe_combined(). It ends when
     *  the first of them dies. */
    template <class F> observation observe(F &&handler) && {
        return observation(std::move(*this).begin(nullptr, std::forward<F>(handler)));
    }

  private:
    friend class observer;

    template <class F> struct holder {
        F function;
        /* Keeps what was temporary. */
        std::tuple<Sources...> sources;
    };

    template <class F> swo_observation begin(swo_observer *keeper, F &&handler) && {
        using function = std::decay_t<F>;
        constexpr bool fits =
            std::is_invocable_v<function &, detail::view_of<detail::message_in<std::decay_t<Sources>>>...> ||
            std::is_invocable_v<function &, detail::view_of<detail::message_in<std::decay_t<Sources>>>...,
                                const void *>;
        static_assert(fits, "swiftobserver: the function does not take a message of each observable, in their order");
        swo_observation id = 0;
        if constexpr (fits) {
            const auto raw = std::apply(
                [](auto &...source) { return std::array<swo_observable *, sizeof...(Sources)>{source.raw()...}; },
                sources_);
            auto *context = new holder<function>{std::forward<F>(handler), std::move(sources_)};
            const swo_status status = detail::call_apart([&] {
                return swo_observe_combined(
                    raw.data(), raw.size(), keeper, receive<function>, context,
                    [](void *ended) { delete static_cast<holder<function> *>(ended); }, &id);
            });
            detail::check(status, this);
        }
        return id;
    }

    template <class F>
    static void receive(void *context, const swo_value *messages, std::size_t, const void *author) noexcept {
        auto *held = static_cast<holder<F> *>(context);
        SWO_TRY {
            detail::spread(held->function, messages, author,
                           std::tuple<detail::message_in<std::decay_t<Sources>> *...>());
        }
        SWO_CATCH {
            detail::throw_later();
            swo_combined_fail(messages);
        }
    }

    std::tuple<Sources...> sources_;
};

/** Several buffered observables, to be observed together:
 *
 *      swo::combine(width, height.new_values()).observe([](auto width, int height) { ... });
 *
 *  The observation keeps those that are temporaries, and no others. */
template <class... Sources> combined<Sources...> combine(Sources &&...sources) {
    static_assert((detail::is_buffered<std::decay_t<Sources>> && ...),
                  "swiftobserver: only what has a latest message can be combined: a variable, a cache, and what map(), "
                  "new_values() and unwrap_or() make of one; messenger.cache(initial) makes one of any observable");
    return combined<Sources...>(std::forward<Sources>(sources)...);
}

/** The messages of several observables of one type, as they come in. It keeps them alive. */
template <class First, class... Rest> auto merge(const First &first, const Rest &...rest) {
    using T = typename First::message_type;
    static_assert((std::is_same_v<T, typename Rest::message_type> && ...),
                  "swiftobserver: only observables of one message type can be merged: map() the others");
    swo_observable *const sources[] = {first.raw(), rest.raw()...};
    swo_observable *out = nullptr;
    detail::check(swo_merge(sources, 1 + sizeof...(rest), &out), sources);
    return observable<T>(adopted{out});
}

/** The graph of some observables in the language of Graphviz; see swo_graph_dot(). */
template <class... Observables> std::string dot(const Observables &...observables) {
    swo_observable *const all[] = {observables.raw()...};
    swo_value text = swo_null();
    detail::check(swo_graph_dot(all, sizeof...(observables), &text), all);
    return detail::take<std::string>(text);
}

} // namespace swo

#endif
