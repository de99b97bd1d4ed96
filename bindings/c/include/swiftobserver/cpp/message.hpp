// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/message.hpp
 *  How the types of C++ travel as values. Part of swiftobserver.hpp.
 *
 *  | type                                       | kind      | a handler gets           |
 *  |--------------------------------------------|-----------|--------------------------|
 *  | bool                                       | bool      | it                       |
 *  | integers (see below), enums                | int64     | it                       |
 *  | float, double                              | double    | it                       |
 *  | std::string, std::string_view              | text      | std::string_view         |
 *  | swo::bytes                                 | bytes     | std::string_view         |
 *  | what is copied byte by byte (see below)    | bytes     | const T &                |
 *  | every other type that can be moved         | object    | const T &                |
 *  | std::optional<T>                           | T's, null | std::optional, or T *    |
 *  | void                                       | null      | nothing                  |
 *  | swo::update<T>                             | update    | swo::update<T>           |
 *  | swo::list<T, U, ...>                       | list      | each, one after another  |
 *  | swo::series<T>                             | list      | const std::vector<T> &   |
 *
 *  Of a std::optional<T> a handler gets a `const T *`, or nullptr, where it would get a `const T &` of a T.
 *
 *  A std::string has to be UTF-8; file names and what else is none are swo::bytes. A std::pair and a std::tuple can be
 *  taken as they are, or in a parameter each.
 *
 *  Numbers, texts and bytes are borrowed from the sender and copied only if they have to wait. An object is copied or
 *  moved once, into memory of its own that all share who keep the message: `messenger<std::shared_ptr<const T>>` or a
 *  type that is cheap to move makes that as cheap as it can be.
 *
 *  An unsigned integer of 64 bits travels if it fits into int64_t; to send a greater one is SWO_WRONG_KIND.
 *
 *  As bytes travels what is trivially copyable, if its bytes are equal exactly when its `==` says so, or if it has no
 *  `==`; so it can be exchanged with C (SWO_DEFINE_MESSENGER()). For another type specialise
 *  `swo::travels_as_bytes<T>`.
 *
 *  Two objects are equal if their `==` says so. A container, a pair, a tuple, a variant or an optional has one if what
 *  is in it has; what has none equals nothing but itself, so a variable of such a type sends with every set. For
 *  another template whose `==` is declared, but does not compile, specialise `swo::has_equality<T>`.
 *
 *  A type of objects is known by its name in the whole process: in the program and in each library that it loads,
 *  whatever they hide. Without run-time types (-fno-rtti) the name is the compiler's own. A type that is in an unnamed
 *  namespace is one of its own in each file. */
#ifndef SWIFTOBSERVER_CPP_MESSAGE_HPP
#define SWIFTOBSERVER_CPP_MESSAGE_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <swiftobserver.h>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
#if defined(__GXX_RTTI)
#include <typeinfo>
#endif

namespace swo {

template <class T> struct update;

/** Bytes of any kind, where a std::string is UTF-8. */
struct bytes : std::string {
    using std::string::string;
    bytes() = default;
    bytes(std::string content) noexcept : std::string(std::move(content)) {}
    explicit bytes(std::string_view content) : std::string(content) {}
};

/** Messages of several parts: `swo::messenger<int, std::string>` sends these, and so does what combines several
 *  observables. It only names the type: a handler has a parameter for each part, or takes a std::tuple of what it would
 *  get. */
template <class... Ts> struct list {};

/** Several messages of one type, such as those of buffer(). It only names the type: a handler gets a
 *  `const std::vector<T> &`, with std::string for a text. */
template <class T> struct series {};

namespace detail {

template <class> inline constexpr bool never = false;

/* What a type is made of, whose operators of the standard library are declared for elements of every type. */
template <class T> constexpr bool parts_have_equality();

template <class T, class = void> inline constexpr bool is_declared_equal = false;
template <class T>
inline constexpr bool
    is_declared_equal<T, std::void_t<decltype(bool(std::declval<const T &>() == std::declval<const T &>()))>> = true;

} // namespace detail

/** Whether messages of this type are compared by `==`. */
template <class T>
inline constexpr bool has_equality = std::conjunction_v<std::bool_constant<detail::parts_have_equality<T>()>,
                                                        std::bool_constant<detail::is_declared_equal<T>>>;

namespace detail {

template <class... Ts> constexpr bool all_have_equality(const std::tuple<Ts...> *) {
    return (has_equality<std::remove_cv_t<Ts>> && ...);
}
template <class... Ts> constexpr bool all_have_equality(const std::variant<Ts...> *) {
    return (has_equality<std::remove_cv_t<Ts>> && ...);
}
template <class One, class Other> constexpr bool all_have_equality(const std::pair<One, Other> *) {
    return has_equality<std::remove_cv_t<One>> && has_equality<std::remove_cv_t<Other>>;
}
constexpr bool all_have_equality(const void *) { return true; }

/* Containers, optionals and the like name the type of their elements. */
template <class T, class = void> struct element { using type = void; };
template <class T> struct element<T, std::void_t<typename T::value_type>> {
    using type = std::remove_cv_t<typename T::value_type>;
};

template <class T> constexpr bool parts_have_equality() {
    using element = typename element<T>::type;
    if constexpr (std::is_class_v<T>) {
        if (!all_have_equality(static_cast<const T *>(nullptr))) return false;
    }
    if constexpr (!std::is_void_v<element> && !std::is_same_v<element, T>) {
        return has_equality<element>;
    } else {
        return true;
    }
}

/* By which a type is known to other parts of the process; nullptr: it is this file's own. */
template <class T> const char *name_of_type() noexcept {
#if defined(__GXX_RTTI)
    const char *const name = typeid(T).name();
    return *name == '*' || std::strstr(name, "_GLOBAL__N_") != nullptr ? nullptr : name;
#else
    const char *const name = __PRETTY_FUNCTION__;
    return std::strstr(name, "anonymous") != nullptr ? nullptr : name;
#endif
}

/* Whether an object that is not of this part's type is of one with the same name. */
[[gnu::cold, gnu::noinline]] inline bool is_type_elsewhere(const swo_object_type *type,
                                                           const swo_named_type &wanted) noexcept {
    return swo_is_same_type(type, &wanted.type);
}
inline bool is_of_type(const swo_value &value, const swo_named_type &wanted) noexcept {
    return value.kind == SWO_KIND_OBJECT && (__builtin_expect(value.as.object.type == &wanted.type, 1) ||
                                             is_type_elsewhere(value.as.object.type, wanted));
}

} // namespace detail

/** Whether messages of this type are their bytes. */
template <class T>
inline constexpr bool travels_as_bytes = std::is_trivially_copyable_v<T> &&
                                         (std::has_unique_object_representations_v<T> || !has_equality<T>);

/** How a type travels: `view` is what handlers get, `argument` what senders give; `carrier` makes a value of it,
 *  `read` calls a function with what is in a value, unless that is of another kind. */
template <class T, class = void> struct representation;

namespace detail {

/* What travels as it is: a class, a union, or a pointer to no object. */
template <class T>
inline constexpr bool is_structure = std::is_class_v<T> || std::is_union_v<T> || std::is_member_pointer_v<T> ||
                                     std::is_null_pointer_v<T> || std::is_function_v<std::remove_pointer_t<T>>;
template <class T> inline constexpr bool is_structure<std::optional<T>> = false;
template <class T> inline constexpr bool is_structure<update<T>> = false;
template <> inline constexpr bool is_structure<bytes> = false;
template <class... Ts> inline constexpr bool is_structure<list<Ts...>> = false;
template <class T> inline constexpr bool is_structure<series<T>> = false;

template <class T> using view_of = typename representation<T>::view;
template <class T> using argument_of = typename representation<T>::argument;

/* What is in the value itself, or borrowed by it. */
template <class T, class View> struct plain {
    using view = View;
    using argument = View;
    class carrier {
      public:
        explicit carrier(View view) noexcept : value_(representation<T>::make(view)) {}
        const swo_value &value() const noexcept { return value_; }

      private:
        swo_value value_;
    };
    /* Of what a mapper returns, which has to last until it is called again. */
    static swo_value keep(T made) noexcept { return representation<T>::make(made); }
};

} // namespace detail

template <> struct representation<bool> : detail::plain<bool, bool> {
    static swo_value make(bool boolean) noexcept { return swo_bool(boolean); }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_BOOL) return false;
        body(value.as.boolean);
        return true;
    }
};

template <class T>
struct representation<T, std::enable_if_t<(std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_enum_v<T>>>
    : detail::plain<T, T> {
    static_assert(sizeof(T) <= 8, "swiftobserver: a number of 128 bits does not fit: send std::int64_t");
    static constexpr bool may_not_fit = sizeof(T) == 8 && std::is_unsigned_v<T>;
    static swo_value make(T number) noexcept {
        swo_value value = swo_int64(static_cast<std::int64_t>(number));
        if constexpr (may_not_fit) {
            if (value.as.int64 < 0) value.kind = -1; /* no kind: it is refused */
        }
        return value;
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_INT64) return false;
        const T number = static_cast<T>(value.as.int64);
        if (static_cast<std::int64_t>(number) != value.as.int64) return false;
        if constexpr (may_not_fit) {
            if (value.as.int64 < 0) return false;
        }
        body(number);
        return true;
    }
};

template <class T> struct representation<T, std::enable_if_t<std::is_floating_point_v<T>>> : detail::plain<T, T> {
    static_assert(sizeof(T) <= sizeof(double), "swiftobserver: a long double may not fit: send a double");
    static swo_value make(T number) noexcept { return swo_double(static_cast<double>(number)); }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_DOUBLE) return false;
        body(static_cast<T>(value.as.float64));
        return true;
    }
};

template <> struct representation<std::string_view> : detail::plain<std::string_view, std::string_view> {
    static swo_value make(std::string_view text) noexcept { return swo_text_sized(text.data(), text.size()); }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_TEXT) return false;
        body(std::string_view(static_cast<const char *>(value.as.bytes.data), value.as.bytes.size));
        return true;
    }
};

namespace detail {

/* Until the next one on this thread. */
inline const std::string &kept_text(std::string &&made) noexcept {
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wexit-time-destructors" /* it ends with its thread */
#endif
    static thread_local std::string kept;
#if defined(__clang__)
#pragma clang diagnostic pop
#endif
    kept = std::move(made);
    return kept;
}

} // namespace detail

template <> struct representation<std::string> : representation<std::string_view> {
    static swo_value keep(std::string made) noexcept { return make(detail::kept_text(std::move(made))); }
};

template <> struct representation<bytes> {
    using view = std::string_view;
    using argument = std::string_view;
    class carrier {
      public:
        explicit carrier(std::string_view content) noexcept : value_(make(content)) {}
        const swo_value &value() const noexcept { return value_; }

      private:
        swo_value value_;
    };
    static swo_value make(std::string_view content) noexcept { return swo_bytes(content.data(), content.size()); }
    static swo_value keep(bytes made) noexcept { return make(detail::kept_text(std::move(made))); }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_BYTES) return false;
        body(std::string_view(static_cast<const char *>(value.as.bytes.data), value.as.bytes.size));
        return true;
    }
};

template <class T> struct representation<T, std::enable_if_t<std::is_same_v<T, const char *>>> {
    static_assert(detail::never<T>, "swiftobserver: send std::string_view, not const char *");
};

template <class T> struct representation<T, std::enable_if_t<detail::is_structure<T> && travels_as_bytes<T>>> {
    using view = const T &;
    using argument = const T &;
    class carrier {
      public:
        explicit carrier(const T &message) noexcept : value_(swo_bytes(std::addressof(message), sizeof message)) {}
        const swo_value &value() const noexcept { return value_; }

      private:
        swo_value value_;
    };
    static swo_value keep(const T &made) noexcept {
        alignas(T) static thread_local unsigned char kept[sizeof(T)];
        std::memcpy(kept, std::addressof(made), sizeof made);
        return swo_bytes(kept, sizeof kept);
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_BYTES || value.as.bytes.size != sizeof(T)) return false;
        const void *data = value.as.bytes.data;
        alignas(T) unsigned char aligned[sizeof(T)];
        if (__builtin_expect(reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0, 0))
            data = std::memcpy(aligned, data, sizeof aligned);
        body(*std::launder(static_cast<const T *>(data)));
        return true;
    }
};

namespace detail {

/* A message in memory of its own, shared by all that keep it. */
template <class T> struct node {
    std::atomic<std::size_t> owners;
    const T message;

    static void retain(void *object) { static_cast<node *>(object)->owners.fetch_add(1, std::memory_order_relaxed); }
    static void release(void *object) {
        node *released = static_cast<node *>(object);
        if (released->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete released;
    }
    static bool equal(void *one, void *other) {
        if constexpr (has_equality<T>) {
            return bool(static_cast<node *>(one)->message == static_cast<node *>(other)->message);
        } else {
            return one == other;
        }
    }
};

/* Its address or its name says what the type is. */
template <class T>
inline constexpr swo_named_type object_type = {
    {sizeof(swo_named_type), node<T>::retain, node<T>::release, node<T>::equal}, name_of_type<T>};

} // namespace detail

template <class T> struct representation<T, std::enable_if_t<detail::is_structure<T> && !travels_as_bytes<T>>> {
    using view = const T &;
    /** Moved where it can be. */
    using argument = std::conditional_t<std::is_move_constructible_v<T>, T, const T &>;
    class carrier {
      public:
        explicit carrier(argument message) : node_(new detail::node<T>{{1}, std::forward<argument>(message)}) {}
        carrier(const carrier &) = delete;
        carrier &operator=(const carrier &) = delete;
        ~carrier() { detail::node<T>::release(node_); }
        swo_value value() const noexcept { return swo_object(node_, &detail::object_type<T>.type); }

      private:
        detail::node<T> *node_;
    };
    /* The library retains it as soon as the mapper has returned. */
    static swo_value keep(T made) {
        return swo_object(new detail::node<T>{{0}, std::forward<argument>(made)}, &detail::object_type<T>.type);
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (!detail::is_of_type(value, detail::object_type<T>)) return false;
        body(static_cast<const detail::node<T> *>(value.as.object.pointer)->message);
        return true;
    }
};

template <class T>
struct representation<T *, std::enable_if_t<!std::is_same_v<T *, const char *> && !std::is_function_v<T>>>
    : detail::plain<T *, T *> {
    static swo_value make(T *pointer) noexcept {
        return swo_object(const_cast<void *>(static_cast<const volatile void *>(pointer)), &type.type);
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (!detail::is_of_type(value, type)) return false;
        body(static_cast<T *>(value.as.object.pointer));
        return true;
    }

  private:
    /* What it points at outlives its use: that is the sender's affair. */
    static constexpr swo_named_type type = {{sizeof(swo_named_type), nullptr, nullptr, nullptr},
                                            detail::name_of_type<T *>};
};

template <> struct representation<void> {
    struct view {};
    using argument = view;
    struct carrier {
        explicit carrier(view) noexcept {}
        swo_value value() const noexcept { return swo_null(); }
    };
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_NULL) return false;
        body(view());
        return true;
    }
};

template <class T> struct representation<std::optional<T>> {
    /** Where a T is got by reference, a pointer to it, or nullptr. */
    using view = std::conditional_t<std::is_reference_v<detail::view_of<T>>,
                                    std::add_pointer_t<std::remove_reference_t<detail::view_of<T>>>,
                                    std::optional<std::decay_t<detail::view_of<T>>>>;
    using argument = std::optional<std::decay_t<detail::argument_of<T>>>;
    class carrier {
      public:
        explicit carrier(argument message) {
            if (message) carrier_.emplace(*std::move(message));
        }
        swo_value value() const noexcept { return carrier_ ? swo_value(carrier_->value()) : swo_null(); }

      private:
        std::optional<typename representation<T>::carrier> carrier_{};
    };
    static swo_value keep(std::optional<T> made) {
        return made ? representation<T>::keep(*std::move(made)) : swo_null();
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind == SWO_KIND_NULL) {
            body(view());
            return true;
        }
        return representation<T>::read(value, [&body](detail::view_of<T> message) {
            if constexpr (std::is_reference_v<detail::view_of<T>>) {
                body(view(std::addressof(message)));
            } else {
                body(view(message));
            }
        });
    }
};

namespace detail {

/* A value that lasts: the text of a view. */
template <class T> struct owned { using type = T; };
template <> struct owned<std::string_view> { using type = std::string; };
template <class T> using owned_of = typename owned<T>::type;
template <class... Ts> struct owned<list<Ts...>> { using type = std::tuple<owned_of<Ts>...>; };
template <class T> struct owned<series<T>> { using type = std::vector<owned_of<T>>; };

/* What is given for a part; an update is never given. */
template <class T, class = void> struct given_for { using type = view_of<T>; };
template <class T> struct given_for<T, std::void_t<argument_of<T>>> { using type = std::decay_t<argument_of<T>>; };
template <class T> using part_given = typename given_for<T>::type;

/* Reads the values of a list, one after the other, and calls the function with what each gives. */
template <class Body, class... Read> bool read_list(Body &body, const swo_value *, std::tuple<>, Read &&...read) {
    body(std::forward<Read>(read)...);
    return true;
}
template <class Body, class T, class... Rest, class... Read>
bool read_list(Body &body, const swo_value *values, std::tuple<T *, Rest *...>, Read &&...read) {
    bool is_read = false;
    representation<T>::read(*values, [&](view_of<T> message) {
        is_read = read_list(body, values + 1, std::tuple<Rest *...>(), std::forward<Read>(read)...,
                            std::forward<view_of<T>>(message));
    });
    return is_read;
}

} // namespace detail

template <class... Ts> struct representation<list<Ts...>> {
    using view = std::tuple<detail::view_of<Ts>...>;
    using argument = std::tuple<detail::part_given<Ts>...>;
    class carrier {
      public:
        explicit carrier(argument message) : carrier(std::move(message), std::index_sequence_for<Ts...>()) {}
        explicit carrier(detail::argument_of<Ts>... parts)
            : carriers_(std::forward<detail::argument_of<Ts>>(parts)...) {
            fill(std::index_sequence_for<Ts...>());
        }
        carrier(const carrier &) = delete;
        carrier &operator=(const carrier &) = delete;
        swo_value value() const noexcept { return swo_list(values_, sizeof...(Ts)); }

      private:
        template <std::size_t... i>
        carrier(argument &&message, std::index_sequence<i...> all) : carriers_(std::get<i>(std::move(message))...) {
            fill(all);
        }
        template <std::size_t... i> void fill(std::index_sequence<i...>) {
            ((values_[i] = std::get<i>(carriers_).value()), ...);
        }
        std::tuple<typename representation<Ts>::carrier...> carriers_;
        swo_value values_[sizeof...(Ts)];
    };
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_LIST || value.as.list.count != sizeof...(Ts)) return false;
        auto together = [&body](detail::view_of<Ts>... parts) {
            body(view(std::forward<detail::view_of<Ts>>(parts)...));
        };
        return detail::read_list(together, value.as.list.values, std::tuple<Ts *...>());
    }
};

template <class T> struct representation<series<T>> {
    using view = const std::vector<detail::owned_of<T>> &;
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_LIST) return false;
        std::vector<detail::owned_of<T>> messages;
        messages.reserve(value.as.list.count);
        for (std::size_t i = 0; i < value.as.list.count; i++)
            if (!representation<T>::read(value.as.list.values[i],
                                         [&](detail::view_of<T> message) { messages.emplace_back(message); }))
                return false;
        body(std::as_const(messages));
        return true;
    }
};

/** The message of a variable. */
template <class T> struct update { detail::view_of<T> old_value, new_value; };

template <class T> struct representation<update<T>> {
    using view = update<T>;
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_UPDATE) return false;
        bool is_read = false;
        representation<T>::read(value.as.update->old_value, [&](detail::view_of<T> old_value) {
            is_read = representation<T>::read(value.as.update->new_value, [&](detail::view_of<T> new_value) {
                body(view{old_value, new_value});
            });
        });
        return is_read;
    }
};

} // namespace swo

#endif
