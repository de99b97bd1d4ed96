// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/observable.hpp
 *  The class of all observables: they can be observed, and be made into others. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_OBSERVABLE_HPP
#define SWIFTOBSERVER_CPP_OBSERVABLE_HPP

#include <swiftobserver/cpp/calling.hpp>
#include <swiftobserver/cpp/clock.hpp>
#include <swiftobserver/cpp/delivery.hpp>
#include <swiftobserver/cpp/observation.hpp>
#include <swiftobserver/cpp/tracking.hpp>
#include <vector>

namespace swo {

template <class T> class buffered;
template <class T, class... More> class messenger;

/** An ownership that C hands over: `swo::messenger<int>(swo::adopted{swo_messenger_new()})`. */
struct adopted {
    swo_observable *observable;
};

namespace detail {

/* What an update carries, and what any other message is. */
template <class T> struct value_of { using type = T; };
template <class T> struct value_of<update<T>> { using type = T; };
template <class T> inline constexpr bool is_update = false;
template <class T> inline constexpr bool is_update<update<T>> = true;
template <class T> inline constexpr bool is_optional = false;
template <class T> inline constexpr bool is_optional<std::optional<T>> = true;
template <class T> struct unwrapped { using type = T; };
template <class T> struct unwrapped<std::optional<T>> { using type = T; };

/* The messages of with_previous(): before the first there is none. */
template <class T> struct with_previous_of { using type = update<std::optional<typename value_of<T>::type>>; };
template <class T> struct with_previous_of<std::optional<T>> { using type = update<std::optional<T>>; };
template <class T> struct with_previous_of<update<std::optional<T>>> { using type = update<std::optional<T>>; };

template <class F> inline constexpr bool is_messenger = false;
template <class... Ts> inline constexpr bool is_messenger<messenger<Ts...>> = true;

/* Passes what one sends on to another, which it keeps. */
struct passing_on {
    swo_observable *from, *to;
    static void receive(void *context, const swo_value *message, const void *author) {
        const auto *ends = static_cast<const passing_on *>(context);
        const swo_status status = swo_send(ends->to, message, author);
        if (status != SWO_OK) swo_observable_fail(ends->from);
    }
    static void destroy(void *context) {
        const auto *ends = static_cast<const passing_on *>(context);
        release(ends->to);
        delete ends;
    }
};

/* What a function makes of a value and a message. */
template <class T, class U, class F> struct accumulating {
    F function;
    static swo_status accumulate(void *context, const swo_value *value, const swo_value *message,
                                 swo_value *out) noexcept {
        auto *held = static_cast<accumulating *>(context);
        swo_status status = SWO_WRONG_KIND;
        const bool is_done = guarded<false>(nullptr, [&] {
            representation<U>::read(*value, [&](view_of<U> before) {
                representation<T>::read(*message, [&](view_of<T> view) {
                    auto with_value = [&](auto &&...parts) -> decltype(U(std::declval<F &>()(
                                                               before, std::forward<decltype(parts)>(parts)...))) {
                        return held->function(before, std::forward<decltype(parts)>(parts)...);
                    };
                    *out = representation<U>::keep(call<T>(with_value, view, nullptr));
                    status = SWO_OK;
                });
            });
        });
        return is_done ? status : SWO_CALLBACK_FAILED;
    }
};

/* Chooses an observable for each message. */
template <class T, class F> swo_status choose(void *context, const swo_value *message, swo_observable **out) noexcept {
    kept_for<T, F> kept(context);
    swo_status status = SWO_WRONG_KIND;
    const bool is_done = guarded<false>(nullptr, [&] {
        representation<T>::read(*message, [&](view_of<T> view) {
            const auto &chosen = call<T>(kept.function(), view, nullptr);
            *out = swo_observable_retain(chosen.raw());
            status = SWO_OK;
        });
    });
    return is_done ? status : SWO_CALLBACK_FAILED;
}

/* What observes what, around an observable that has number 0. */
class graph {
  public:
    static void note_observable(void *context, std::size_t, const char *kind, const char *) {
        static_cast<graph *>(context)->is_combined_.push_back(std::string_view(kind) == "combined");
    }
    static void note_observation(void *context, std::size_t source, std::size_t target, swo_observation id,
                                 const char *) {
        static_cast<graph *>(context)->edges_.push_back({source, target, id});
    }
    /* Stops the handlers of the first, also those behind a combination that it is a part of. */
    std::size_t stop_first() const {
        std::size_t stopped = 0;
        for (const edge &each : edges_) {
            if (each.target != SIZE_MAX) continue;
            bool is_meant = each.source == 0;
            if (is_combined_[each.source])
                for (const edge &other : edges_) is_meant |= other.source == 0 && other.target == each.source;
            if (is_meant && stop(each.id) == SWO_OK) stopped++;
        }
        return stopped;
    }

  private:
    struct edge {
        std::size_t source, target;
        swo_observation id;
    };
    std::vector<bool> is_combined_{};
    std::vector<edge> edges_{};
};

template <class T, class F> constexpr bool takes_new_value() {
    if constexpr (is_update<T>) return takes<typename value_of<T>::type, F>;
    return false;
}

template <class T, class F> constexpr void check_function() {
    constexpr bool wants_new_values = !takes<T, F> && takes_new_value<T, F>();
    static_assert(!wants_new_values,
                  "swiftobserver: the messages are updates, and the function takes a value: observe new_values(), or "
                  "take a swo::update");
    static_assert(takes<T, F> || wants_new_values,
                  "swiftobserver: the function does not take this message: it gets the message, or the message and its "
                  "author (const void *), or nothing; see message.hpp for how each type arrives");
}

} // namespace detail

/** Something that sends messages of type T. It is moved, not copied: share() makes another owner. At the end of the
 *  last one all its observations stop.
 *
 *  An observation does not keep its observable. What is made of another observable keeps that one, and must itself be
 *  kept by its user: in a variable; or, as a temporary, by the observation to which it is given:
 *
 *      auto even = numbers.filter(is_even);                           // kept here
 *      swo::observation one = even.observe(print);
 *      swo::observation two = numbers.filter(is_odd).observe(print);  // kept by the observation
 *
 *  Any thread may call everything. What fails throws swo::error or std::bad_alloc; without exceptions it ends the
 *  process with a sentence. */
template <class T> class observable {
  public:
    using message_type = T;

    /** Takes over an ownership from C, of an observable whose messages are of this type. */
    explicit observable(adopted from_c) noexcept : observable_(from_c.observable) {}
    observable(const observable &) = delete;
    observable &operator=(const observable &) = delete;
    observable(observable &&other) noexcept : observable_(std::exchange(other.observable_, nullptr)) {}
    observable &operator=(observable &&other) noexcept {
        std::swap(observable_, other.observable_);
        return *this;
    }
    ~observable() { detail::release(observable_); }

    /** For functions of C; it stays this one's. */
    swo_observable *raw() const noexcept { return observable_; }
    /** Another owner of the same observable. */
    observable share() const noexcept { return observable(adopted{swo_observable_retain(observable_)}); }

    /** Begins to observe: the handler gets each message, or each message and its author (const void *), or nothing.
     *  Handlers may throw: the others still receive, and the send that delivers rethrows the (latest) exception; a
     *  sender in C gets SWO_CALLBACK_FAILED. On an executor queue::drain() rethrows it, and anything else that runs
     *  the job ends the process.
     *
     *  A messenger of the same type stands for a handler, too: `numbers.observe(others)` passes each message on to it,
     *  by the same author, and the observation keeps it. */
    template <class F> observation observe(F &&handler) const & {
        return observation(begin(observable_, nullptr, nullptr, false, std::forward<F>(handler)));
    }
    template <class F> observation observe(F &&handler, const options &chosen) const & {
        return observation(begin(observable_, nullptr, &chosen, false, std::forward<F>(handler)));
    }
    /** Of a temporary, which the observation keeps. */
    template <class F> observation observe(F &&handler) && {
        return observation(begin(observable_, nullptr, nullptr, true, std::forward<F>(handler)));
    }
    template <class F> observation observe(F &&handler, const options &chosen) && {
        return observation(begin(observable_, nullptr, &chosen, true, std::forward<F>(handler)));
    }

    /** Of an object that may die: each call of the handler keeps it alive, and the observation ends with the first
     *  message after its death.
     *
     *      numbers.observe(weak, [](display &shown, int number) { shown.show(number); });
     *      numbers.observe(shared, [](int number) { ... });
     *      numbers.observe(&display::show, shared);
     *
     *  A `std::shared_ptr` is not kept. The function gets the object first, if it takes one. A method can be given with
     *  a plain pointer, too, which nothing locks: `numbers.observe(&display::show, this)`; the object has to end the
     *  observation before it dies, for which it has a swo::observer as a member.
     *  @param chosen  swo::options(), or nothing. */
    template <class One, class Other, class... Chosen,
              class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation observe(One &&one, Other &&other, const Chosen &...chosen) const & {
        return observe(detail::track(std::forward<One>(one), std::forward<Other>(other)), chosen...);
    }
    template <class One, class Other, class... Chosen,
              class = std::enable_if_t<detail::is_object_and_function<One, Other>>>
    observation observe(One &&one, Other &&other, const Chosen &...chosen) && {
        return std::move(*this).observe(detail::track(std::forward<One>(one), std::forward<Other>(other)), chosen...);
    }

    /** Sends what `mapper` makes of each message. */
    template <class F> auto map(F &&mapper) const {
        return observable<made_by<F>>(attach<F>(swo_map, detail::make<T, std::decay_t<F>>, std::forward<F>(mapper)));
    }
    /** The messages that `predicate` accepts. */
    template <class F> observable filter(F &&predicate) const {
        return observable(attach<F>(swo_filter, detail::accept<T, std::decay_t<F>>, std::forward<F>(predicate)));
    }
    /** The messages, after a function has seen each: a look into a chain. */
    template <class F> observable handle_events(F &&see) const {
        return filter([look = std::decay_t<F>(std::forward<F>(see))](const detail::view_of<T> &message) mutable {
            look(message);
            return true;
        });
    }
#if SWO_HAS_EXCEPTIONS
    /** Sends what `mapper` makes of each message. Where it throws it is called again, `retries` times at most; and then
     *  `catching` makes another message of the std::exception_ptr, or throws, which fails the send.
     *
     *      texts.try_map([](const std::string &text) { return std::stoi(text); }, [](std::exception_ptr) { return 0; })
     */
    template <class F, class C> auto try_map(F &&mapper, C &&catching, std::size_t retries = 0) const {
        using result = made_by<F>;
        return map([make = std::decay_t<F>(std::forward<F>(mapper)),
                    replace = std::decay_t<C>(std::forward<C>(catching)),
                    retries](const detail::view_of<T> &message) mutable -> result {
            for (std::size_t left = retries;; left--) {
                try {
                    return detail::call<T>(make, message, nullptr);
                } catch (...) {
                    if (left == 0) return replace(std::current_exception());
                }
            }
        });
    }
#endif
    /** The new value of each update. */
    auto new_values() const {
        static_assert(detail::is_update<T>,
                      "swiftobserver: new_values() is for updates, those of a variable for instance");
        return observable<typename detail::value_of<T>::type>(made(swo_new_values));
    }
    /** The messages that are there: of an observable of std::optional. */
    auto unwrap() const {
        static_assert(detail::is_optional<T>, "swiftobserver: unwrap() is for messages that are std::optional");
        return observable<typename detail::unwrapped<T>::type>(made(swo_unwrap));
    }
    /** The messages, and a stand-in for those that are not there. */
    template <class U = typename detail::unwrapped<T>::type> auto unwrap_or(detail::argument_of<U> stand_in) const {
        static_assert(detail::is_optional<T>, "swiftobserver: unwrap_or() is for messages that are std::optional");
        return observable<U>(made_with<U>(swo_unwrap_or, std::move(stand_in)));
    }
    /** The fact that one particular message was sent. */
    template <class U = T> observable<void> select(detail::argument_of<U> selected) const {
        return observable<void>(made_with<U>(swo_select, std::move(selected)));
    }
    /** Passes on what one author has sent; nullptr: the source itself. */
    observable from(const void *author) const { return observable(made(swo_from, author)); }
    observable not_from(const void *author) const { return observable(made(swo_not_from, author)); }
    /** Each message with the one before it, as an update of std::optional. */
    auto with_previous() const {
        return observable<typename detail::with_previous_of<T>::type>(made(swo_with_previous));
    }
    observable take(std::size_t count) const { return observable(made(swo_take, count)); }
    observable skip(std::size_t count) const { return observable(made(swo_skip, count)); }
    observable skip_repeats() const { return observable(made(swo_skip_repeats)); }
    observable unique_values() const { return observable(made(swo_unique_values)); }
    /** The same, without keeping the source alive. */
    observable weak() const { return observable(made(swo_weak)); }
    /** The same, remembering the last messages for those who ask for a replay. */
    observable replay(std::size_t count) const { return observable(made(swo_replay, count)); }
    /** The same, with a latest message. */
    template <class U = T> buffered<T> cache(detail::argument_of<U> initial) const {
        return buffered<T>(made_with<U>(swo_cache, std::move(initial)));
    }

    /** The latest message, when none has come for a while. Of this and of what follows see swo_debounce() and what
     *  stands beside it in swiftobserver.h; the message waits on a clock, which is kept. */
    template <class Rep, class Period>
    observable debounce(std::chrono::duration<Rep, Period> interval, const clock &waiting = clock::standard()) const {
        return observable(made(swo_debounce, detail::interval_of(interval), waiting.raw()));
    }
    /** Few messages in so much time. */
    template <class Rep, class Period>
    observable throttle(std::chrono::duration<Rep, Period> interval, const clock &waiting = clock::standard(),
                        throttled passed = throttled::both) const {
        return observable(
            made(swo_throttle, detail::interval_of(interval), static_cast<std::int32_t>(passed), waiting.raw()));
    }
    /** Each message, a while later. */
    template <class Rep, class Period>
    observable delay(std::chrono::duration<Rep, Period> interval, const clock &waiting = clock::standard()) const {
        return observable(made(swo_delay, detail::interval_of(interval), waiting.raw()));
    }
    /** The messages, and another one when none has come for a while. */
    template <class Rep, class Period, class U = T>
    observable timeout(std::chrono::duration<Rep, Period> interval, detail::argument_of<U> message,
                       const clock &waiting = clock::standard()) const {
        const typename representation<U>::carrier carrier(std::move(message));
        const swo_value &value = carrier.value();
        return observable(made(swo_timeout, detail::interval_of(interval), &value, waiting.raw()));
    }
    /** So many messages together; a handler gets a std::vector. */
    observable<series<T>> buffer(std::size_t count) const {
        return observable<series<T>>(made(swo_buffer, count, std::int64_t{0}, static_cast<swo_clock *>(nullptr)));
    }
    /** The messages of so much time, or so many of them, together; `count` 0: any number. */
    template <class Rep, class Period>
    observable<series<T>> buffer(std::chrono::duration<Rep, Period> interval, const clock &waiting = clock::standard(),
                                 std::size_t count = 0) const {
        const std::int64_t valid = detail::interval_of(interval);
        return observable<series<T>>(made(swo_buffer, count, valid > 0 ? valid : -1, waiting.raw()));
    }
    /** Each message with the latest ones of others, as soon as each of them has one. */
    template <class... Others> auto with_latest_from(const observable<Others> &...others) const {
        swo_observable *const all[] = {others.raw()...};
        return observable<list<T, Others...>>(
            made(swo_with_latest_from, static_cast<swo_observable *const *>(all), sizeof...(Others)));
    }
    /** The latest message, whenever another observable sends, unless it has been passed on already. */
    template <class S> observable sample(const observable<S> &sampler) const {
        return observable(made(swo_sample, sampler.raw()));
    }
    /** Sends what all messages until then add up to: a function makes the next value of the one before and a message.
     *
     *      numbers.scan(0, [](int sum, int number) { return sum + number; })
     */
    template <class U, class F> auto scan(U initial, F &&accumulator) const {
        using value = detail::owned_of<std::conditional_t<std::is_same_v<U, const char *>, std::string_view, U>>;
        using held = detail::accumulating<T, value, std::decay_t<F>>;
        const typename representation<value>::carrier carrier(std::move(initial));
        const swo_value &first = carrier.value();
        return observable<value>(made(swo_scan, &first, held::accumulate,
                                      static_cast<void *>(new held{std::forward<F>(accumulator)}),
                                      [](void *ended) { delete static_cast<held *>(ended); }));
    }
    /** Passes on what the observable sends that a function has chosen for the latest message:
     *
     *      user.switch_to_latest([](int id) { return messages_of(id).share(); })
     */
    template <class F> auto switch_to_latest(F &&chooser) const {
        using chosen = std::decay_t<detail::result_of<T, std::decay_t<F>>>;
        return observable<typename chosen::message_type>(
            attach<F>(swo_switch_to_latest, detail::choose<T, std::decay_t<F>>, std::forward<F>(chooser)));
    }
    /** Passes on what those observables send that a function has chosen for the latest `most` messages; see
     *  swo_flat_map(). */
    template <class F> auto flat_map(std::size_t most, F &&chooser) const {
        using chosen = std::decay_t<detail::result_of<T, std::decay_t<F>>>;
        const auto transform = [most](swo_observable *source, swo_chooser call, void *context, swo_destroy destroy,
                                      swo_observable **out) {
            return swo_flat_map(source, most, call, context, destroy, out);
        };
        return observable<typename chosen::message_type>(
            attach<F>(transform, detail::choose<T, std::decay_t<F>>, std::forward<F>(chooser)));
    }

    /** Has a transform take in another source's messages; see swo_transform_set_source(). */
    template <class S> void set_source(const observable<S> &source) {
        const swo_status status =
            detail::call_apart([&] { return swo_transform_set_source(observable_, source.raw()); });
        detail::check(status, observable_);
    }

    /** Stops all that observe this: handlers, combined ones too. What is made of it goes on, and so do their own. It
     *  takes time for all that is connected with this. Any thread. @return How many it has stopped. */
    std::size_t stop_all() {
        detail::graph graph;
        const swo_graph_visitor visitor = {sizeof(swo_graph_visitor), detail::graph::note_observable,
                                           detail::graph::note_observation};
        detail::check(swo_graph_walk(&observable_, 1, &visitor, &graph), observable_);
        return graph.stop_first();
    }
    /** How many observations are living. */
    std::size_t count() const noexcept { return swo_observable_count(observable_); }
    /** How many messages executors have refused. */
    std::size_t refused() const noexcept { return swo_observable_refused(observable_); }
    /** Drops what is sent until it is unblocked as often. */
    void block() { detail::check(swo_observable_block(observable_), observable_); }
    void unblock() { detail::check(swo_observable_unblock(observable_), observable_); }
    bool is_blocked() const noexcept { return swo_observable_is_blocked(observable_); }
    /** Whether messages keep their order (the default); see swo_observable_set_ordered(). */
    void set_ordered(bool ordered) {
        detail::check(detail::call_apart([&] { return swo_observable_set_ordered(observable_, ordered); }),
                      observable_);
    }
    bool is_ordered() const noexcept { return swo_observable_is_ordered(observable_); }

    /** Confines a messenger or a variable to this thread: what other threads send or set throws, and the handlers are
     *  called here alone; see swo_observable_confine(). */
    void confine() { detail::check(swo_observable_confine(observable_, nullptr), observable_); }
    /** The same, but what other threads send or set is handed over: to this thread, which has to drain the queue, or to
     *  run the jobs. What a handler throws then, queue::drain() rethrows; with anything else that runs the job it is
     *  lost. */
    void confine(const queue &drained) {
        swo_executor runner = SWO_EXECUTOR_INIT;
        detail::check(swo_queue_executor(drained.raw(), &runner), drained.raw());
        detail::check(swo_observable_confine(observable_, &runner), observable_);
    }
    void confine(const executor &runner) {
        const swo_executor raw = runner.get();
        detail::check(swo_observable_confine(observable_, &raw), observable_);
    }

    /** A name for people to read. */
    void set_name(const char *name) { detail::check(swo_observable_set_name(observable_, name), observable_); }
    std::string name() const {
        swo_value value = swo_null();
        detail::check(swo_observable_name(observable_, &value), observable_);
        std::string name;
        representation<std::string>::read(value, [&name](std::string_view text) { name = text; });
        swo_value_clear(&value);
        return name;
    }

    /** Calls `begin` when the first observation has begun, `end` when the last one has stopped: functions without
     *  arguments that are `noexcept`. See swo_observable_on_demand(). */
    template <class Begin, class End> void on_demand(Begin &&begin, End &&end) {
        using both = std::pair<std::decay_t<Begin>, std::decay_t<End>>;
        static_assert(!SWO_HAS_EXCEPTIONS || (std::is_nothrow_invocable_v<std::decay_t<Begin> &> &&
                                              std::is_nothrow_invocable_v<std::decay_t<End> &>),
                      "swiftobserver: what is done on demand is noexcept and takes nothing");
        const swo_status status = swo_observable_on_demand(
            observable_, [](void *context) { static_cast<both *>(context)->first(); },
            [](void *context) { static_cast<both *>(context)->second(); },
            new both(std::forward<Begin>(begin), std::forward<End>(end)),
            [](void *context) { delete static_cast<both *>(context); });
        detail::check(status, observable_);
    }

  protected:
    template <class> friend class observable;
    friend class observer;

    template <class F> using made_by = std::decay_t<detail::result_of<T, std::decay_t<F>>>;

    /* The observable by value: what has its address in a call costs more. */
    template <class F>
    static swo_observation begin(swo_observable *observed, swo_observer *observer, const options *chosen,
                                 bool keeps_observable, F &&handler) {
        using function = std::decay_t<F>;
        swo_observation id = 0;
        if constexpr (detail::is_messenger<function>) {
            static_assert(std::is_same_v<typename function::message_type, T>,
                          "swiftobserver: what is passed on has the type of the messenger: map() it before");
            const options plain{};
            const swo_observe_options all = (chosen == nullptr ? plain : *chosen).get(observer, keeps_observable);
            [[maybe_unused]] const detail::calling now;
            detail::check(swo_observe_with(observed, &all, detail::passing_on::receive,
                                           new detail::passing_on{observed, swo_observable_retain(handler.raw())},
                                           detail::passing_on::destroy, &id),
                          observed);
        } else {
            detail::check_function<T, function>();
        }
        if constexpr (!detail::is_messenger<function> && detail::takes<T, function>) {
            using kept = detail::kept_for<T, function>;
            const bool is_direct = chosen == nullptr || chosen->is_direct();
            const swo_handler receive = is_direct ? detail::receive<T, function> : detail::receive_later<T, function>;
            function moved(std::forward<F>(handler));
            [[maybe_unused]] std::shared_ptr<detail::ending> ending;
            if constexpr (detail::is_tracking<function>) ending = moved.its_ending();
            void *context = kept::make(std::move(moved), observed);
            [[maybe_unused]] const detail::calling now;
            if (chosen == nullptr && !keeps_observable) {
                detail::check(swo_observe(observed, observer, receive, context, kept::destroyer(), &id), observed);
            } else {
                const options plain{};
                const swo_observe_options all = (chosen == nullptr ? plain : *chosen).get(observer, keeps_observable);
                detail::check(swo_observe_with(observed, &all, receive, context, kept::destroyer(), &id), observed);
                /* Where the handler has thrown at a replay, there is no observation. */
                if (detail::handler_has_thrown()) {
                    swo_stop(id);
                    detail::rethrow();
                }
            }
            if constexpr (detail::is_tracking<function>) ending->begun(id);
        }
        return id;
    }

    /* A transform with a function. */
    template <class F, class Attach, class Call> adopted attach(Attach transform, Call call, F &&given) const {
        using function = std::decay_t<F>;
        detail::check_function<T, function>();
        swo_observable *out = nullptr;
        if constexpr (detail::takes<T, function>) {
            using kept = detail::kept_for<T, function>;
            void *context = kept::make(function(std::forward<F>(given)), observable_);
            detail::check(transform(observable_, call, context, kept::destroyer(), &out), observable_);
        }
        return adopted{out};
    }
    /* One without, and one with a value. */
    template <class Attach, class... Arguments> adopted made(Attach *transform, Arguments... arguments) const {
        swo_observable *out = nullptr;
        detail::check(transform(observable_, arguments..., &out), observable_);
        return adopted{out};
    }
    template <class U, class Attach> adopted made_with(Attach *transform, detail::argument_of<U> argument) const {
        const typename representation<U>::carrier carrier(std::move(argument));
        const swo_value &value = carrier.value();
        return made(transform, &value);
    }

    swo_observable *observable_;
};

} // namespace swo

#endif
