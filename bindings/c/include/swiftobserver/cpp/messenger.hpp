// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/messenger.hpp
 *  Messengers: what is told what to send. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_MESSENGER_HPP
#define SWIFTOBSERVER_CPP_MESSENGER_HPP

#include <swiftobserver/cpp/observable.hpp>

namespace swo {

namespace detail {

/* What is sent where there is one type, and where there are several. */
template <class... Ts> struct sent_by { using type = list<Ts...>; };
template <class T> struct sent_by<T> { using type = T; };

} // namespace detail

/** Sends the messages that it is told to send: `swo::messenger<std::string_view> names; names.send("world");` Its
 *  messages can have several parts, of which handlers have a parameter each:
 *
 *      swo::messenger<int, int> moves;
 *      auto observation = moves.observe([](int x, int y) { ... });
 *      moves.send(3, 4);
 *
 *  What a mapper or a predicate takes is the same. */
template <class T, class... More> class messenger : public observable<typename detail::sent_by<T, More...>::type> {
    using message = typename detail::sent_by<T, More...>::type;
    using base = observable<message>;

  public:
    static_assert(!detail::is_update<T> && (!detail::is_update<More> && ...),
                  "swiftobserver: updates are sent by variables: swo::variable<T>");

    messenger() : base(adopted{swo_messenger_new()}) {}
    /** Takes over an ownership from C, of a messenger that sends values of this type. */
    explicit messenger(adopted from_c) noexcept : base(from_c) {}
    messenger share() const noexcept { return messenger(adopted{swo_observable_retain(this->raw())}); }

    /** Sends a message to all that observe, on behalf of an author; nullptr: of this.
     *  @throws what a handler threw that this very call has called; swo::error, if an executor refuses (status
     *          SWO_REFUSED: it was sent, to the others) or a text is no UTF-8; std::bad_alloc. */
    void send(detail::argument_of<T> first, detail::argument_of<More>... more, const void *author = nullptr) const {
        const typename representation<message>::carrier carrier(std::forward<detail::argument_of<T>>(first),
                                                                std::forward<detail::argument_of<More>>(more)...);
        const swo_value &value = carrier.value();
        [[maybe_unused]] const detail::calling now;
        detail::check(swo_send(this->raw(), &value, author), this->raw());
    }
    /** The same, with the status of swo_send(). A handler's exception is dropped. */
    [[nodiscard]] swo_status try_send(detail::argument_of<T> first, detail::argument_of<More>... more,
                                      const void *author = nullptr) const {
        const typename representation<message>::carrier carrier(std::forward<detail::argument_of<T>>(first),
                                                                std::forward<detail::argument_of<More>>(more)...);
        const swo_value &value = carrier.value();
        [[maybe_unused]] const detail::calling now;
        return swo_send(this->raw(), &value, author);
    }
};

/** Sends nothing but the fact. */
template <> class messenger<void> : public observable<void> {
  public:
    messenger() : observable<void>(adopted{swo_messenger_new()}) {}
    explicit messenger(adopted from_c) noexcept : observable<void>(from_c) {}
    messenger share() const noexcept { return messenger(adopted{swo_observable_retain(raw())}); }

    void send(const void *author = nullptr) const {
        const swo_value value = swo_null();
        [[maybe_unused]] const detail::calling now;
        detail::check(swo_send(raw(), &value, author), raw());
    }
    [[nodiscard]] swo_status try_send(const void *author = nullptr) const {
        const swo_value value = swo_null();
        [[maybe_unused]] const detail::calling now;
        return swo_send(raw(), &value, author);
    }
};

} // namespace swo

#endif
