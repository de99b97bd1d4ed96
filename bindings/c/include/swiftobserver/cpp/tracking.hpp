// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/tracking.hpp
 *  Handlers of an object that may die: each call locks it, and the observation ends with it. Part of
 *  swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_TRACKING_HPP
#define SWIFTOBSERVER_CPP_TRACKING_HPP

#include <atomic>
#include <functional>
#include <memory>
#include <swiftobserver/cpp/failing.hpp>
#include <type_traits>

namespace swo {
namespace detail {

/* An observation that its own handler may end, also before its id is known. */
class ending {
  public:
    void begun(swo_observation id) noexcept {
        id_ = id;
        if (is_due_) stop(id);
    }
    void end() noexcept {
        is_due_ = true;
        const swo_observation id = id_;
        if (id != 0) stop(id);
    }

  private:
    std::atomic<swo_observation> id_{0};
    std::atomic<bool> is_due_{false};
};

/* Calls a function with an object first, if it takes one, and else without. */
template <class F, class Object, class... Arguments>
void call_with(F &function, Object &object, Arguments &&...arguments) {
    if constexpr (std::is_invocable_v<F &, Object &, Arguments...>)
        (void)std::invoke(function, object, std::forward<Arguments>(arguments)...);
    else
        (void)std::invoke(function, std::forward<Arguments>(arguments)...);
}
template <class F, class Object, class... Arguments>
inline constexpr bool may_call_with =
    std::is_invocable_v<F &, Object &, Arguments...> || std::is_invocable_v<F &, Arguments...>;

/* A handler that keeps its object alive while it is called, and ends its observation when that is gone. */
template <class Object, class F> class tracking {
  public:
    tracking(std::weak_ptr<Object> object, F function)
        : object_(std::move(object)), function_(std::move(function)), ending_(std::make_shared<ending>()) {}

    template <class... Arguments, class = std::enable_if_t<may_call_with<F, Object, Arguments...>>>
    void operator()(Arguments &&...arguments) {
        if (const std::shared_ptr<Object> locked = object_.lock())
            call_with(function_, *locked, std::forward<Arguments>(arguments)...);
        else
            ending_->end();
    }
    const std::shared_ptr<ending> &its_ending() const noexcept { return ending_; }

  private:
    std::weak_ptr<Object> object_;
    F function_;
    std::shared_ptr<ending> ending_;
};

/* A method of an object that something else keeps. */
template <class Object, class F> class binding {
  public:
    binding(Object *object, F function) noexcept : object_(object), function_(function) {}
    template <class... Arguments, class = std::enable_if_t<std::is_invocable_v<F &, Object &, Arguments...>>>
    void operator()(Arguments &&...arguments) {
        (void)std::invoke(function_, *object_, std::forward<Arguments>(arguments)...);
    }

  private:
    Object *object_;
    F function_;
};

template <class F> inline constexpr bool is_tracking = false;
template <class Object, class F> inline constexpr bool is_tracking<tracking<Object, F>> = true;

template <class P> inline constexpr bool is_counted_pointer = false;
template <class T> inline constexpr bool is_counted_pointer<std::weak_ptr<T>> = true;
template <class T> inline constexpr bool is_counted_pointer<std::shared_ptr<T>> = true;

/* Whether two arguments are an object with a function, or a method with an object. */
template <class One, class Other>
inline constexpr bool is_object_and_function = is_counted_pointer<std::decay_t<One>> ||
                                               (std::is_member_function_pointer_v<std::decay_t<One>> &&
                                                (is_counted_pointer<std::decay_t<Other>> ||
                                                 std::is_pointer_v<std::decay_t<Other>>));

template <class Object, class F> auto track(const std::weak_ptr<Object> &object, F &&function) {
    return tracking<Object, std::decay_t<F>>(object, std::forward<F>(function));
}
template <class Object, class F> auto track(const std::shared_ptr<Object> &object, F &&function) {
    return tracking<Object, std::decay_t<F>>(object, std::forward<F>(function));
}
template <class F, class Object, class = std::enable_if_t<std::is_member_function_pointer_v<F>>>
auto track(F method, const std::weak_ptr<Object> &object) {
    return tracking<Object, F>(object, method);
}
template <class F, class Object, class = std::enable_if_t<std::is_member_function_pointer_v<F>>>
auto track(F method, const std::shared_ptr<Object> &object) {
    return tracking<Object, F>(object, method);
}
template <class F, class Object, class = std::enable_if_t<std::is_member_function_pointer_v<F>>>
auto track(F method, Object *object) {
    return binding<Object, F>(object, method);
}

} // namespace detail
} // namespace swo

#endif
