// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/combining.hpp
 *  Observables that are made of several others, or of none, and variables that follow others. Part of
 *  swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_COMBINING_HPP
#define SWIFTOBSERVER_CPP_COMBINING_HPP

#include <swiftobserver/cpp/observer.hpp>

namespace swo {

/** The latest message of each of several observables, whenever one of them sends; as soon as each has one:
 *
 *      auto is_valid = swo::combine_latest(name.new_values(), age.new_values())
 *                          .map([](std::string_view name, int age) { return !name.empty() && age >= 18; });
 *
 *  It is buffered, so a replay begins with the present messages, if there is one of each; until then latest() throws
 *  swo::error (SWO_NOT_FOUND). It keeps its sources alive, which combine() does not. See swo_combine(). */
template <class... Sources> auto combine_latest(const Sources &...sources) {
    static_assert(sizeof...(Sources) > 0, "swiftobserver: nothing is combined of nothing");
    swo_observable *const all[] = {sources.raw()...};
    swo_observable *out = nullptr;
    detail::check(swo_combine(all, sizeof...(sources), &out), all);
    return buffered<list<typename Sources::message_type...>>(adopted{out});
}

/** The first message of each, then the second of each, and so on. What has no partners yet it keeps, without a bound.
 *  It keeps its sources alive. */
template <class... Sources> auto zip(const Sources &...sources) {
    static_assert(sizeof...(Sources) > 0, "swiftobserver: nothing is zipped of nothing");
    swo_observable *const all[] = {sources.raw()...};
    swo_observable *out = nullptr;
    detail::check(swo_zip(all, sizeof...(sources), &out), all);
    return observable<list<typename Sources::message_type...>>(adopted{out});
}

/** While it is observed: how many intervals have passed since then, at regular intervals. See swo_ticks(). */
template <class Rep, class Period>
observable<std::int64_t> ticks(std::chrono::duration<Rep, Period> interval, const clock &waiting = clock::standard()) {
    swo_observable *out = nullptr;
    detail::check(swo_ticks(detail::interval_of(interval), waiting.raw(), &out), waiting.raw());
    return observable<std::int64_t>(adopted{out});
}

namespace detail {

/* What one side has for the other: its new value, or its message. */
template <class Source> using value_in = typename value_of<typename Source::message_type>::type;

template <class To, class Back> struct conversions {
    To to;
    Back back;
};

template <class From, class Into, class F> swo_status convert(F &function, const swo_value *value, swo_value *out) {
    swo_status status = SWO_WRONG_KIND;
    const bool is_done = guarded<false>(nullptr, [&] {
        representation<From>::read(*value, [&](view_of<From> view) {
            *out = representation<Into>::keep(static_cast<Into>(call<From>(function, view, nullptr)));
            status = SWO_OK;
        });
    });
    return is_done ? status : SWO_CALLBACK_FAILED;
}

template <class Source, class Target, class To, class Back>
swo_observation begin_binding(const Source &source, const Target &target, bool both, To &&to, Back &&back) {
    using one = value_in<Source>;
    using other = value_in<Target>;
    using held = conversions<std::decay_t<To>, std::decay_t<Back>>;
    constexpr bool converts = !std::is_null_pointer_v<std::decay_t<To>>;
    constexpr bool converts_back = !std::is_null_pointer_v<std::decay_t<Back>>;
    static_assert(converts || std::is_same_v<one, other>,
                  "swiftobserver: the two sides hold different types: give a function that makes one of the other");
    swo_mapper forwards = nullptr, backwards = nullptr;
    if constexpr (converts) {
        check_function<one, std::decay_t<To>>();
        forwards = [](void *context, const swo_value *value, swo_value *out) {
            return convert<one, other>(static_cast<held *>(context)->to, value, out);
        };
    }
    if constexpr (converts_back) {
        check_function<other, std::decay_t<Back>>();
        backwards = [](void *context, const swo_value *value, swo_value *out) {
            return convert<other, one>(static_cast<held *>(context)->back, value, out);
        };
    }
    swo_bind_options options = SWO_BIND_OPTIONS_INIT;
    options.both = both;
    swo_observation id = 0;
    check_call(source.raw(), [&] {
        return swo_bind(
            source.raw(), target.raw(), forwards, backwards, new held{std::forward<To>(to), std::forward<Back>(back)},
            [](void *ended) { delete static_cast<held *>(ended); }, &options, &id);
    });
    return id;
}

} // namespace detail

/** Lets a variable follow an observable: now, if that is buffered, and with each of its messages; of a variable, with
 *  its new value.
 *
 *      swo::observation shown = swo::bind(celsius, label, [](double degrees) { return std::to_string(degrees); });
 *
 *  It ends with the observation, or with the first side that dies, of which it keeps none. What it sets has an author
 *  of its own. To follow several observables bind combine_latest() of them. See swo_bind().
 *  @param to  makes a value for the target of one of the source; without it they have one type. What it throws, the
 *             set or send rethrows. */
template <class Source, class T, class To = std::nullptr_t>
observation bind(const Source &source, const variable<T> &target, To &&to = nullptr) {
    return observation(detail::begin_binding(source, target, false, std::forward<To>(to), nullptr));
}

/** Lets each of two variables follow the other; the first has its way at first.
 *
 *      swo::observation both = swo::bind_both(celsius, fahrenheit, [](double c) { return c * 1.8 + 32; },
 *                                             [](double f) { return (f - 32) / 1.8; });
 *
 *  Whatever threads set meanwhile, both agree when all is quiet. Everything else as bind().
 *  @param back  the inverse of `to`; both are given, or none. */
template <class One, class Other, class To, class Back>
observation bind_both(const variable<One> &one, const variable<Other> &other, To &&to, Back &&back) {
    return observation(detail::begin_binding(one, other, true, std::forward<To>(to), std::forward<Back>(back)));
}
template <class T> observation bind_both(const variable<T> &one, const variable<T> &other) {
    return observation(detail::begin_binding(one, other, true, nullptr, nullptr));
}

} // namespace swo

#endif
