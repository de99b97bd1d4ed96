// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/derived.hpp
 *  Variables that have the value of a function over others. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_DERIVED_HPP
#define SWIFTOBSERVER_CPP_DERIVED_HPP

#include <memory>
#include <swiftobserver/cpp/moments.hpp>
#include <swiftobserver/cpp/variable.hpp>

namespace swo {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wweak-vtables" /* there is no other place for it */
#endif
/** A derived variable needs its own value. */
class SWO_VISIBLE cycle_error : public error {
  public:
    explicit cycle_error(std::string_view names)
        : error(SWO_CYCLE), names_(std::make_shared<const std::string>(names)),
          sentence_(std::make_shared<const std::string>(error(SWO_CYCLE).what() + (": " + *names_))) {}
    const char *what() const noexcept override { return sentence_->c_str(); }
    /** The names of the variables on the way: "a -> b -> a". */
    const std::string &names() const noexcept { return *names_; }

  private:
    std::shared_ptr<const std::string> names_, sentence_;
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

namespace detail {

#if SWO_HAS_EXCEPTIONS

/* What a function has thrown, as its variable keeps it. Each standard library has its own type. */
template <std::int32_t library> struct thrown_value {
    std::exception_ptr thrown;
    friend bool operator==(const thrown_value &one, const thrown_value &other) { return one.thrown == other.thrown; }
};
using own_thrown_value = thrown_value<failure::own_library>;

[[noreturn]] inline void fail_in_circle(std::string_view names) { throw cycle_error(names); }
inline void throw_value(const swo_value &said) {
    std::exception_ptr thrown;
    representation<own_thrown_value>::read(said, [&](const own_thrown_value &value) { thrown = value.thrown; });
    if (thrown) std::rethrow_exception(std::move(thrown));
}

#else

[[noreturn]] inline void fail_in_circle(std::string_view names) {
    std::fprintf(stderr, "SwiftObserver: %s: %.*s\n", swo_status_text(SWO_CYCLE), static_cast<int>(names.size()),
                 names.data());
    std::abort();
}
inline void throw_value(const swo_value &) {}

#endif

/* A read has found a failure. It returns if there is a value meanwhile. */
[[gnu::cold, gnu::noinline]] inline void fail_as_value(swo_status status, swo_observable *derived) {
    if (status == SWO_CALLBACK_FAILED || status == SWO_CYCLE) {
        swo_value said = swo_null();
        const swo_status found = call_apart([&] { return swo_derived_failure(derived, &said); });
        if (found == SWO_NOT_FOUND) return;
        struct clearing {
            swo_value &value;
            ~clearing() { swo_value_clear(&value); }
        } at_end{said};
        if (status == SWO_CYCLE) representation<std::string_view>::read(said, fail_in_circle);
        throw_value(said);
    }
    fail(status, derived);
}

/* The function of a derived variable. What it throws is the value; who set something may get it, too. */
template <class T, class F> swo_status derive(void *context, swo_value *out) noexcept {
    F &function = *static_cast<F *>(context);
#if SWO_HAS_EXCEPTIONS
    try {
        *out = representation<T>::keep(static_cast<T>(function()));
        return SWO_OK;
    } catch (const cycle_error &) {
        throw_later(failure::is_value); /* the library knows the names */
        return SWO_CYCLE;
    } catch (...) {
        throw_later(failure::is_value);
        try {
            *out = representation<own_thrown_value>::keep({std::current_exception()});
        } catch (...) {}
        return SWO_CALLBACK_FAILED;
    }
#else
    *out = representation<T>::keep(static_cast<T>(function()));
    return SWO_OK;
#endif
}

/* What a variable holds that has the value of a function: views and literals become texts of its own. */
template <class R> struct derived_from { using type = std::decay_t<R>; };
template <> struct derived_from<std::string_view> { using type = std::string; };
template <> struct derived_from<const char *> { using type = std::string; };
template <class F>
using derived_by = typename derived_from<std::decay_t<std::invoke_result_t<std::decay_t<F> &>>>::type;

} // namespace detail

/** Has the value of a function over other variables, and sends an update whenever that changes:
 *
 *      swo::variable<double> width(2), height(3);
 *      swo::derived area([&] { return width.get() * height.get(); });
 *      swo::observation shown = area.new_values().observe([](double now) { std::cout << now << '\n'; });
 *      width.set(4);                                                    // 12
 *
 *  It depends on what the function reads while it runs, each time anew, other derived variables included; not on what
 *  that reads inside of swo::untracked(). The function sees all of it as of one moment, whatever other threads set
 *  meanwhile. It runs when the value is needed: when somebody reads it and something has changed, or, while it is
 *  observed, once after each set or transaction.
 *
 *  It is a variable for everything that takes one, but it cannot be set. What it depends on it keeps alive, by the
 *  handles of C; the objects of C++ that the function refers to must outlast it, or be shared into it:
 *  `[width = width.share()] { ... }`.
 *
 *  The function runs without a lock, on the thread that reads or that sets, and on two threads at once if both do: what
 *  it uses besides variables is its own affair. It changes nothing: to set a variable in it throws swo::error with the
 *  status SWO_COMPUTING.
 *
 *  An exception that it throws is the value until something changes: get() throws the same exception, and so does the
 *  set whose turn it was thrown in. One that needs its own value throws swo::cycle_error. */
template <class T> class derived : public buffered<swo::update<T>> {
  public:
    static_assert(!std::is_same_v<T, std::string_view>,
                  "swiftobserver: a derived variable owns its value: write swo::derived<std::string>");
    static_assert(!std::is_void_v<T>,
                  "swiftobserver: the function of a derived variable returns its value; to do something is an effect");

    /** @param function  takes nothing, and returns the value. */
    template <class F, class = std::enable_if_t<std::is_invocable_v<std::decay_t<F> &>>>
    explicit derived(F &&function) : buffered<swo::update<T>>(adopted{nullptr}) {
        using kept = std::decay_t<F>;
        static_assert(std::is_constructible_v<T, std::invoke_result_t<kept &>>,
                      "swiftobserver: what the function returns is no value of this derived variable");
        const swo_status status = swo_derived_new(
            detail::derive<T, kept>, new kept(std::forward<F>(function)),
            [](void *context) { delete static_cast<kept *>(context); }, &this->observable_);
        detail::check(status, this);
    }
    /** Takes over an ownership from C, of a derived variable that has a value of this type. */
    explicit derived(adopted from_c) noexcept : buffered<swo::update<T>>(from_c) {}
    derived share() const noexcept { return derived(adopted{swo_observable_retain(this->raw())}); }

    /** The present value.
     *  @throws what the function has thrown; swo::cycle_error. */
    T get() const {
        while (true) {
            swo_value value = swo_null();
            const swo_status status = detail::call_apart([&] { return swo_variable_get(this->raw(), &value); });
            if (__builtin_expect(status == SWO_OK, 1)) return detail::take<T>(value);
            detail::fail_as_value(status, this->raw());
        }
    }

    template <class... Any> void set(const Any &...) const { cannot_be_set<Any...>(); }
    template <class... Any> void update(const Any &...) const { cannot_be_set<Any...>(); }
    template <class... Any> void batch(const Any &...) const { cannot_be_set<Any...>(); }

  private:
    template <class... Any> static constexpr void cannot_be_set() {
        static_assert(
            sizeof...(Any) > 1000,
            "swiftobserver: a derived variable cannot be set: it has the value of its function; set what that "
            "reads");
    }
};

template <class F, class = std::enable_if_t<std::is_invocable_v<std::decay_t<F> &>>>
derived(F &&) -> derived<detail::derived_by<F>>;

/** Calls a function whose reads are not noted: what is being computed does not depend on them. They are of the same
 *  moment as the others. @return What the function returns; what it throws is thrown. */
template <class F> std::invoke_result_t<F &> untracked(F &&function) {
    return detail::call_inside(swo_untracked, function);
}

} // namespace swo

#endif
