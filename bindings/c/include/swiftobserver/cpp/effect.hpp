// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/effect.hpp
 *  Effects: functions that run again whenever something that they have read has changed. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_EFFECT_HPP
#define SWIFTOBSERVER_CPP_EFFECT_HPP

#include <optional>
#include <swiftobserver/cpp/delivery.hpp>
#include <swiftobserver/cpp/observation.hpp>

namespace swo {
namespace detail {

struct no_clean_up {
    void operator()() const noexcept {}
};

/* The function of an effect, and the clean-up that it has returned. */
template <class F> class effective {
  public:
    using result = std::decay_t<std::invoke_result_t<F &>>;
    using clean_up = std::conditional_t<std::is_void_v<result>, no_clean_up, result>;
    static_assert(std::is_invocable_v<clean_up &>,
                  "swiftobserver: the function of an effect returns nothing, or its clean-up: a function that takes "
                  "nothing");

    explicit effective(F function) : function_(std::move(function)) {}

    static swo_status run(void *context) noexcept {
        auto *made = static_cast<effective *>(context);
        SWO_TRY {
            made->call();
            return SWO_OK;
        }
        SWO_CATCH { throw_later(); }
        return SWO_CALLBACK_FAILED;
    }
    /* On an executor there may be a drain() that it reaches. */
    static swo_status run_later(void *context) noexcept {
        auto *made = static_cast<effective *>(context);
#if SWO_HAS_EXCEPTIONS
        try {
            made->call();
        } catch (...) {
            throw_from_drain();
            return SWO_CALLBACK_FAILED;
        }
#else
        made->call();
#endif
        return SWO_OK;
    }
    static void clean(void *context) noexcept {
        auto *made = static_cast<effective *>(context);
        if constexpr (!std::is_void_v<result>) {
            std::optional<clean_up> ended = std::move(made->clean_up_);
            made->clean_up_.reset();
            if (ended) (*ended)();
        }
    }
    static void destroy(void *context) { delete static_cast<effective *>(context); }

  private:
    void call() {
        if constexpr (std::is_void_v<result>)
            function_();
        else
            clean_up_.emplace(function_());
    }
    F function_;
    std::optional<clean_up> clean_up_{};
};

template <class F> swo_observation begin_effect(swo_observer *observer, const effect_options &chosen, F &&function) {
    using effective = detail::effective<std::decay_t<F>>;
    swo_effect_options all = chosen.get(observer);
    if constexpr (!std::is_void_v<typename effective::result>) all.clean_up = effective::clean;
    auto *made = new effective(std::forward<F>(function));
    swo_observation id = 0;
    check_call(made, [&] {
        return swo_effect(chosen.is_direct() ? effective::run : effective::run_later, made, effective::destroy, &all,
                          &id);
    });
    return id;
}

} // namespace detail

/** Begins an effect: calls a function now, and again after each turn in which something that it has read has changed.
 *
 *      swo::observation shown = swo::effect([&] { label.set_text(std::to_string(area.get())); });
 *      swo::observation saved = swo::effect([&] {
 *          auto timer = begin_timer(interval.get());
 *          return [timer] { end(timer); };                             // the clean-up
 *      });
 *
 *  It runs once a turn at most, after the updates of that turn. It ends with its observation, or with the observer that
 *  has it (observer::effect()); it keeps the variables that it has read. What it reads is of one moment, until it sets
 *  something itself. A function that it returns is its clean-up, which is called before the next run and when it ends;
 *  one that throws ends the process.
 *
 *  If the first run throws, so does this, and there is no effect. What a later one throws, the set rethrows whose turn
 *  it was, or the drain(), as with observable::observe(); the effect stays. One that causes itself a hundred times in a
 *  row fails in the same way (SWO_CALLBACK_FAILED), and rests until there is a change that is not its own. Any thread.
 *  @throws swo::error with the status SWO_COMPUTING in a function of a derived variable. */
template <class F> observation effect(F &&function) {
    const effect_options plain{};
    return observation(detail::begin_effect(nullptr, plain, std::forward<F>(function)));
}
/** The same, on an executor, or with a name: `swo::effect(show, swo::effect_options().on(queue))`. */
template <class F> observation effect(F &&function, const effect_options &chosen) {
    return observation(detail::begin_effect(nullptr, chosen, std::forward<F>(function)));
}

} // namespace swo

#endif
