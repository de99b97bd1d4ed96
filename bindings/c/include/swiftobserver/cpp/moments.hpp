// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/moments.hpp
 *  Snapshots and transactions: any number of variables, at one moment. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_MOMENTS_HPP
#define SWIFTOBSERVER_CPP_MOMENTS_HPP

#include <optional>
#include <swiftobserver/cpp/failing.hpp>
#include <type_traits>

namespace swo {
namespace detail {

/* What a function has returned that C has called. */
template <class R> class returned {
  public:
    template <class F> void keep(F &function) { result_.emplace(function()); }
    R take() { return *std::move(result_); }

  private:
    std::optional<R> result_{};
};
template <class R> class returned<R &> {
  public:
    template <class F> void keep(F &function) { result_ = std::addressof(function()); }
    R &take() { return *result_; }

  private:
    R *result_ = nullptr;
};
template <> class returned<void> {
  public:
    template <class F> void keep(F &function) { function(); }
    void take() {}
};

/* Has C call a function, and passes on what that returns or throws. */
template <class F> std::invoke_result_t<F &> call_inside(swo_status (*enter)(swo_procedure, void *), F &function) {
    struct call {
        F &function;
        returned<std::invoke_result_t<F &>> result;
#if SWO_HAS_EXCEPTIONS
        std::exception_ptr thrown;
#endif
        static swo_status make(void *context) noexcept {
            call *made = static_cast<call *>(context);
            SWO_TRY { made->result.keep(made->function); }
            SWO_CATCH { made->note(); }
            return SWO_OK;
        }
        void note() noexcept {
#if SWO_HAS_EXCEPTIONS
            thrown = std::current_exception();
#endif
        }
    } made{function,
           {}
#if SWO_HAS_EXCEPTIONS
           ,
           {}
#endif
    };
    const swo_status status = enter(call::make, &made);
#if SWO_HAS_EXCEPTIONS
    if (made.thrown) std::rethrow_exception(std::move(made.thrown));
#endif
    check(status, &made);
    return made.result.take();
}

/* A transaction of this thread: what leaves it before its commit has never happened. */
class transacting {
  public:
    transacting() { check(swo_transaction_begin(), this); }
    transacting(const transacting &) = delete;
    transacting &operator=(const transacting &) = delete;
    ~transacting() {
        if (is_open_) call_apart([] { return swo_transaction_abort(); });
    }
    /* Whether what was read is unchanged. */
    bool commit() {
        is_open_ = false;
        [[maybe_unused]] const calling now;
        const swo_status status = swo_transaction_commit();
        if (status == SWO_CONFLICT) return false;
        check(status, this);
        return true;
    }

  private:
    bool is_open_ = true;
};

} // namespace detail

/** Calls a function that reads any number of variables at one moment, derived ones included:
 *
 *      auto [from, to] = swo::snapshot([&] { return std::pair(account.get(), other.get()); });
 *
 *  It makes no other thread wait. Inside of a function, or of another snapshot, it is the moment of that. Any thread.
 *  @return What the function returns; what it throws is thrown. */
template <class F> std::invoke_result_t<F &> snapshot(F &&function) {
    return detail::call_inside(swo_snapshot, function);
}

/** Makes one change of all that a function sets:
 *
 *      swo::transaction([&] {
 *          account.set(account.get() - amount);
 *          other.set(other.get() + amount);
 *      });
 *
 *  It reads what it has set itself, in derived variables, too; every other thread sees all of it or nothing. Each
 *  variable sends one update at most, when all values are in place. If the function throws, nothing has happened. If
 *  another thread has meanwhile changed what it has read, nothing has happened either, and it is called again: so it
 *  should do nothing but read and set. Inside of another transaction it joins that one, and is taken back alone if it
 *  throws. Any thread; nothing is locked meanwhile.
 *  @return What the function returns, in its last call.
 *  @throws what the function throws; what handlers throw when it has happened, as messenger::send(); swo::error with
 *          the status SWO_COMPUTING in a function of a derived variable. */
template <class F> std::invoke_result_t<F &> transaction(F &&function) {
    using R = std::invoke_result_t<F &>;
    while (true) {
        detail::transacting now;
        if constexpr (std::is_void_v<R>) {
            function();
            if (now.commit()) return;
        } else {
            R result = function();
            if (now.commit()) return static_cast<R &&>(result);
        }
    }
}

} // namespace swo

#endif
