// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/observer.hpp
 *  Observers, and what observes several observables at once. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_OBSERVER_HPP
#define SWIFTOBSERVER_CPP_OBSERVER_HPP

#include <array>
#include <atomic>
#include <chrono>
#include <swiftobserver/cpp/effect.hpp>
#include <swiftobserver/cpp/variable.hpp>
#include <string>
#include <tuple>
#include <vector>

namespace swo {

template <class... Sources> class combined;

/** Keeps observations: at the end of its last owner they all stop, and that waits until none of their handlers is
 *  running on another thread. It is moved, not copied; share() makes another owner. Any thread.
 *
 *  A class that observes has one as its last member: that ends first, so that handlers run, on whatever thread, only
 *  while all that they use is there.
 *
 *      class display {
 *          ...
 *          std::string text_;
 *          swo::observer observer_;
 *      };
 *
 *  Its end inside a handler of its own waits for none, as swo_observer_stop_and_wait(): the observation ends when the
 *  handler returns. So end it where no lock is held that a handler takes. What an executor has begun to deliver is
 *  waited for, too. */
class observer {
  public:
    observer() : shared_(new shared(swo_observer_new())) {}
    observer(const observer &) = delete;
    observer &operator=(const observer &) = delete;
    observer(observer &&other) noexcept : shared_(std::exchange(other.shared_, nullptr)) {}
    observer &operator=(observer &&other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~observer() {
        if (shared_ == nullptr || shared_->owners.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
        detail::call_apart([ended = shared_->observer] {
            swo_observer_stop_and_wait(ended);
            swo_observer_release(ended);
        });
        delete shared_;
    }

    /** For functions of C; it stays this one's, whose end stops what they have begun with it. */
    swo_observer *raw() const noexcept { return shared_ == nullptr ? nullptr : shared_->observer; }
    observer share() const noexcept {
        if (shared_ != nullptr) shared_->owners.fetch_add(1, std::memory_order_relaxed);
        return observer(shared_);
    }

    /** As observable::observe(); a temporary observable is kept by the observation. */
    template <class T, class F> observation_id observe(const observable<T> &observed, F &&handler) const {
        return observation_id(observable<T>::begin(observed.raw(), raw(), nullptr, false, std::forward<F>(handler)));
    }
    template <class T, class F>
    observation_id observe(const observable<T> &observed, F &&handler, const options &chosen) const {
        return observation_id(observable<T>::begin(observed.raw(), raw(), &chosen, false, std::forward<F>(handler)));
    }
    template <class T, class F> observation_id observe(observable<T> &&observed, F &&handler) const {
        return observation_id(observable<T>::begin(observed.raw(), raw(), nullptr, true, std::forward<F>(handler)));
    }
    template <class T, class F>
    observation_id observe(observable<T> &&observed, F &&handler, const options &chosen) const {
        return observation_id(observable<T>::begin(observed.raw(), raw(), &chosen, true, std::forward<F>(handler)));
    }
    /** As observable::observe() with an object that may die, or with a method of an object. */
    template <class T, class One, class Other, class... Chosen,
              class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation_id observe(const observable<T> &observed, One &&one, Other &&other, const Chosen &...chosen) const {
        return observe(observed, detail::track(std::forward<One>(one), std::forward<Other>(other)), chosen...);
    }
    template <class T, class One, class Other, class... Chosen,
              class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation_id observe(observable<T> &&observed, One &&one, Other &&other, const Chosen &...chosen) const {
        return observe(std::move(observed), detail::track(std::forward<One>(one), std::forward<Other>(other)),
                       chosen...);
    }
    /** As combined::observe(). */
    template <class... Sources, class F> observation_id observe(combined<Sources...> &&several, F &&handler) const {
        return observation_id(std::move(several).begin(raw(), std::forward<F>(handler)));
    }
    template <class... Sources, class One, class Other,
              class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation_id observe(combined<Sources...> &&several, One &&one, Other &&other) const {
        return observe(std::move(several), detail::track(std::forward<One>(one), std::forward<Other>(other)));
    }

    /** As swo::effect(). */
    template <class F> observation_id effect(F &&function) const {
        const effect_options plain{};
        return observation_id(detail::begin_effect(raw(), plain, std::forward<F>(function)));
    }
    template <class F> observation_id effect(F &&function, const effect_options &chosen) const {
        return observation_id(detail::begin_effect(raw(), chosen, std::forward<F>(function)));
    }

    /** Stops all its observations, or those of one observable; a handler that is running on another thread may finish.
     *  @return Whether there were any. */
    bool stop() {
        return detail::call_apart([ended = raw()] { return swo_observer_stop(ended, nullptr); }) == SWO_OK;
    }
    template <class T> bool stop(const observable<T> &observed) {
        return detail::call_apart([ended = raw(), &observed] { return swo_observer_stop(ended, observed.raw()); }) ==
               SWO_OK;
    }
    /** Stops all its observations, and waits until none of their handlers is running on another thread; not inside of
     *  one of them. It can be used again. @return Whether there were any. */
    bool stop_and_wait() {
        return detail::call_apart([ended = raw()] { return swo_observer_stop_and_wait(ended); }) == SWO_OK;
    }
    template <class T> bool is_observing(const observable<T> &observed) const noexcept {
        return swo_observer_is_observing(raw(), observed.raw());
    }
    std::size_t count() const noexcept { return swo_observer_count(raw()); }

  private:
    struct shared {
        explicit shared(swo_observer *made) noexcept : observer(made) {}
        std::atomic<std::size_t> owners{1};
        swo_observer *const observer;
    };
    explicit observer(shared *owned) noexcept : shared_(owned) {}
    shared *shared_;
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
    /** As observable::observe() with an object that may die, or with a method of an object. */
    template <class One, class Other, class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation observe(One &&one, Other &&other) && {
        return std::move(*this).observe(detail::track(std::forward<One>(one), std::forward<Other>(other)));
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
            function moved(std::forward<F>(handler));
            [[maybe_unused]] std::shared_ptr<detail::ending> ending;
            if constexpr (detail::is_tracking<function>) ending = moved.its_ending();
            auto *context = new holder<function>{std::move(moved), std::move(sources_)};
            const swo_status status = detail::call_apart([&] {
                return swo_observe_combined(
                    raw.data(), raw.size(), keeper, receive<function>, context,
                    [](void *ended) { delete static_cast<holder<function> *>(ended); }, &id);
            });
            detail::check(status, this);
            if constexpr (detail::is_tracking<function>) ending->begun(id);
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

/** Why an observable has changed last, or why a handler was called last; while swo_why_start() is on: see swo_why(). */
template <class Observable> std::string why(const Observable &observable, int32_t format = SWO_WHY_TEXT) {
    swo_value text = swo_null();
    detail::check(swo_why(observable.raw(), format, &text), observable.raw());
    return detail::take<std::string>(text);
}

/** Something that lint() finds. */
struct finding {
    int32_t kind; /**< SWO_LINT_REPEATED and so on */
    std::string sentence;
};

/** Finds what looks wrong with the observables of the program: see swo_lint().
 *  @param slow  what a call of a handler may take; at least nothing. */
inline std::vector<finding> lint(std::chrono::nanoseconds slow = std::chrono::milliseconds(100)) {
    std::vector<finding> found;
    const swo_lint_options options = {sizeof options, slow.count()};
    const swo_finding note = [](void *all, int32_t kind, const swo_observable *, const char *sentence) {
        static_cast<std::vector<finding> *>(all)->push_back({kind, sentence});
    };
    detail::check(swo_lint(&options, note, &found), nullptr);
    return found;
}

} // namespace swo

#endif
