// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/message.hpp
 *  How the types of C++ travel as values. Part of swiftobserver.hpp.
 *
 *  | type                                       | kind      | a handler gets           |
 *  |--------------------------------------------|-----------|--------------------------|
 *  | bool                                       | bool      | it                       |
 *  | integers that fit into int64_t, enums      | int64     | it                       |
 *  | float, double                              | double    | it                       |
 *  | std::string, std::string_view              | text      | std::string_view         |
 *  | what is copied byte by byte (see below)    | bytes     | const T &                |
 *  | every other type                           | object    | const T &                |
 *  | std::optional<T>                           | T's, null | std::optional, or T *    |
 *  | void                                       | null      | nothing                  |
 *  | swo::update<T>                             | update    | swo::update<T>           |
 *
 *  Of a std::optional<T> a handler gets a `const T *`, or nullptr, where it would get a `const T &` of a T.
 *
 *  Numbers, texts and bytes are borrowed from the sender and copied only if they have to wait. An object is copied or
 *  moved once, into memory of its own that all share who keep the message: `messenger<std::shared_ptr<const T>>` or a
 *  type that is cheap to move makes that as cheap as it can be.
 *
 *  As bytes travels what is trivially copyable, if its bytes are equal exactly when its `==` says so, or if it has no
 *  `==`; so it can be exchanged with C (SWO_DEFINE_MESSENGER()). For another type specialise
 *  `swo::travels_as_bytes<T>`. */
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
#include <type_traits>
#include <utility>

namespace swo {

namespace detail {
template <class T, class = void> inline constexpr bool has_equality = false;
template <class T>
inline constexpr bool
    has_equality<T, std::void_t<decltype(bool(std::declval<const T &>() == std::declval<const T &>()))>> = true;
template <class> inline constexpr bool never = false;
} // namespace detail

template <class T> struct update;

/** Whether messages of this type are their bytes. */
template <class T>
inline constexpr bool travels_as_bytes = std::is_trivially_copyable_v<T> &&
                                         (std::has_unique_object_representations_v<T> || !detail::has_equality<T>);

/** How a type travels: `view` is what handlers get, `argument` what senders give; `carrier` makes a value of it,
 *  `read` calls a function with what is in a value, unless that is of another kind. */
template <class T, class = void> struct representation;

namespace detail {

/* A class or union that travels as it is. */
template <class T> inline constexpr bool is_structure = std::is_class_v<T> || std::is_union_v<T>;
template <class T> inline constexpr bool is_structure<std::optional<T>> = false;
template <class T> inline constexpr bool is_structure<update<T>> = false;

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
    static_assert(!std::is_same_v<T, char> && !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char16_t> &&
                      !std::is_same_v<T, char32_t>,
                  "swiftobserver: a character is no message: send a text, or a number");
    static_assert(sizeof(T) < 8 || std::is_enum_v<T> || std::is_signed_v<T>,
                  "swiftobserver: an unsigned number of 64 bits may not fit: send std::int64_t");
    static swo_value make(T number) noexcept { return swo_int64(static_cast<std::int64_t>(number)); }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_INT64) return false;
        const T number = static_cast<T>(value.as.int64);
        if (static_cast<std::int64_t>(number) != value.as.int64) return false;
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

template <> struct representation<std::string> : representation<std::string_view> {
    static swo_value keep(std::string made) noexcept {
        static thread_local std::string kept;
        kept = std::move(made);
        return make(kept);
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
        if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) {
            alignas(T) unsigned char aligned[sizeof(T)];
            std::memcpy(aligned, data, sizeof aligned);
            body(*std::launder(reinterpret_cast<const T *>(aligned)));
        } else {
            body(*static_cast<const T *>(data));
        }
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

/* Its address names the type, in all libraries of the process. */
template <class T>
__attribute__((visibility("default"))) inline constexpr swo_object_type object_type = {
    sizeof(swo_object_type), node<T>::retain, node<T>::release, node<T>::equal};

} // namespace detail

template <class T> struct representation<T, std::enable_if_t<detail::is_structure<T> && !travels_as_bytes<T>>> {
    using view = const T &;
    using argument = T;
    class carrier {
      public:
        explicit carrier(T message) : node_(new detail::node<T>{{1}, std::move(message)}) {}
        carrier(const carrier &) = delete;
        carrier &operator=(const carrier &) = delete;
        ~carrier() { detail::node<T>::release(node_); }
        swo_value value() const noexcept { return swo_object(node_, &detail::object_type<T>); }

      private:
        detail::node<T> *node_;
    };
    /* The library retains it as soon as the mapper has returned. */
    static swo_value keep(T made) {
        return swo_object(new detail::node<T>{{0}, std::move(made)}, &detail::object_type<T>);
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_OBJECT || value.as.object.type != &detail::object_type<T>) return false;
        body(static_cast<const detail::node<T> *>(value.as.object.pointer)->message);
        return true;
    }
};

template <class T>
struct representation<T *, std::enable_if_t<!std::is_same_v<T *, const char *>>> : detail::plain<T *, T *> {
    static swo_value make(T *pointer) noexcept {
        return swo_object(const_cast<void *>(static_cast<const void *>(pointer)), &type);
    }
    template <class Body> static bool read(const swo_value &value, Body &&body) {
        if (value.kind != SWO_KIND_OBJECT || value.as.object.type != &type) return false;
        body(static_cast<T *>(value.as.object.pointer));
        return true;
    }

  private:
    /* What it points at outlives its use: that is the sender's affair. */
    __attribute__((visibility("default"))) static inline const swo_object_type type = {sizeof(swo_object_type), nullptr,
                                                                                       nullptr, nullptr};
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
        std::optional<typename representation<T>::carrier> carrier_;
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
