// SPDX-License-Identifier: MIT
/** @file swiftobserver/cpp/delivery.hpp
 *  Queues, executors, and all else that an observation can be told. Part of swiftobserver.hpp. */
#ifndef SWIFTOBSERVER_CPP_DELIVERY_HPP
#define SWIFTOBSERVER_CPP_DELIVERY_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <swiftobserver/cpp/failing.hpp>
#include <type_traits>
#include <utility>

namespace swo {

/** Says what a full queue does: the sender waits, the oldest job is given up, or the new one is refused. */
enum class when_full : std::int32_t {
    block = SWO_QUEUE_BLOCK,
    drop_oldest = SWO_QUEUE_DROP_OLDEST,
    refuse = SWO_QUEUE_REFUSE
};

/** An executor for programs with an event loop: any thread sends, fd() becomes readable, the loop's thread drains.
 *  The headers for epoll, poll, GLib and libuv take raw(); those for Asio and Qt take this. Any thread. */
class queue {
  public:
    /** @param bound  how many jobs may wait; 0: any number. */
    explicit queue(std::size_t bound = 0, when_full policy = when_full::block) {
        detail::check(swo_queue_new(bound, static_cast<std::int32_t>(policy), &queue_), this);
    }
    queue(const queue &) = delete;
    queue &operator=(const queue &) = delete;
    queue(queue &&other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
    queue &operator=(queue &&other) noexcept {
        std::swap(queue_, other.queue_);
        return *this;
    }
    ~queue() {
        detail::call_apart([this] { swo_queue_release(queue_); });
    }

    /** Readable while jobs wait; to be watched, not to be read. */
    int fd() const noexcept { return swo_queue_fd(queue_); }

    /** Runs jobs that wait, `most` of them at most, or as many as wait when it begins. What a handler throws is
     *  rethrown when they have run; of several exceptions the last. @return How many have run. */
    std::size_t drain(std::size_t most = 0) {
        std::size_t count = 0;
        [[maybe_unused]] const detail::draining now;
        detail::check(swo_queue_drain(queue_, most, &count), queue_);
        detail::rethrow();
        return count;
    }

    swo_queue *raw() const noexcept { return queue_; }

  private:
    swo_queue *queue_ = nullptr;
};

/** A delivery to be made later: run it, or drop it by letting it die. */
class job {
  public:
    explicit job(swo_job *accepted) noexcept : job_(accepted) {}
    job(const job &) = delete;
    job &operator=(const job &) = delete;
    job(job &&other) noexcept : job_(std::exchange(other.job_, nullptr)) {}
    job &operator=(job &&other) noexcept {
        std::swap(job_, other.job_);
        return *this;
    }
    ~job() {
        detail::call_apart([this] { swo_job_drop(job_); });
    }

    /** Makes the delivery. A handler's exception ends the process: there is no sender any more. */
    void run() noexcept {
        detail::call_apart([this] { swo_job_run(std::exchange(job_, nullptr)); });
    }
    swo_job *release() noexcept { return std::exchange(job_, nullptr); }

  private:
    swo_job *job_;
};

/** Something that runs jobs elsewhere: a function that is called by the sender with a `swo::job &`, on any thread, and
 *  moves it to where it will be run. A job that it leaves where it is, is refused: then the send fails. It must be
 *  `noexcept`, and it must not run the job itself. It lives as long as this, a copy of this, or an observation that
 *  uses it. */
class executor {
  public:
    template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, executor>>>
    explicit executor(F &&function) : shared_(new holder<std::decay_t<F>>(std::forward<F>(function))) {
        static_assert(std::is_nothrow_invocable_v<std::decay_t<F> &, job &> || !SWO_HAS_EXCEPTIONS,
                      "swiftobserver: an executor is a noexcept function that takes a swo::job &");
    }
    executor(const executor &other) noexcept : shared_(other.shared_) { retain(shared_); }
    executor &operator=(executor other) noexcept {
        std::swap(shared_, other.shared_);
        return *this;
    }
    ~executor() { release(shared_); }

    /** For C, which retains it for each observation. */
    swo_executor get() const noexcept { return {sizeof(swo_executor), shared_->execute, shared_, retain, release}; }

  private:
    struct shared {
        std::atomic<std::size_t> owners;
        swo_status (*execute)(void *, swo_job *);
        void (*destroy)(shared *);
    };
    template <class F> struct holder : shared {
        explicit holder(F given) : shared{{1}, execute_it, destroy_it}, function(std::move(given)) {}
        static swo_status execute_it(void *context, swo_job *offered) {
            job taken(offered);
            static_cast<holder *>(static_cast<shared *>(context))->function(taken);
            return taken.release() == nullptr ? SWO_OK : SWO_REFUSED;
        }
        static void destroy_it(shared *ended) { delete static_cast<holder *>(ended); }
        F function;
    };
    static void retain(void *context) {
        static_cast<shared *>(context)->owners.fetch_add(1, std::memory_order_relaxed);
    }
    static void release(void *context) {
        auto *released = static_cast<shared *>(context);
        if (released->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) released->destroy(released);
    }
    shared *shared_;
};

namespace detail {

/* Where something is called, and what it is called in graphs. */
template <class Options> class placed {
  public:
    /** It is called by what drains the queue; a handler with a copy of each message. */
    Options &on(const queue &drained) {
        check(swo_queue_executor(drained.raw(), &executor_), drained.raw());
        return itself();
    }
    Options &on(const executor &runner) {
        executor_ = runner.get();
        return itself();
    }
    Options &on(const swo_executor &runner) {
        executor_ = runner;
        return itself();
    }
    /** Its name in graphs. */
    Options &named(const char *name) {
        name_ = name;
        return itself();
    }

    bool is_direct() const noexcept { return executor_.execute == nullptr; }

  protected:
    const swo_executor *runner() const noexcept { return is_direct() ? nullptr : &executor_; }
    const char *name() const noexcept { return name_; }

  private:
    Options &itself() noexcept { return *static_cast<Options *>(this); }
    swo_executor executor_ = SWO_EXECUTOR_INIT;
    const char *name_ = nullptr;
};

} // namespace detail

/** All that an observation can be told: `swo::options().on(queue).replay(1).once()`. What it names must last until the
 *  observation has begun. */
class options : public detail::placed<options> {
  public:
    /** So many of the last messages are received first; SIZE_MAX: all that are remembered. A buffered observable has
     *  one. */
    options &replay(std::size_t count) {
        options_.replay = count;
        return *this;
    }
    /** It ends with its first message. */
    options &once() {
        options_.once = true;
        return *this;
    }
    /** It begins in a job of the executor. */
    options &begins_on_executor() {
        options_.begins_on_executor = true;
        return *this;
    }

    /* For the observation that begins, and points into this. */
    swo_observe_options get(swo_observer *, bool) const && = delete;
    swo_observe_options get(swo_observer *observer, bool keeps_observable) const &noexcept {
        swo_observe_options all = options_;
        all.observer = observer;
        all.keeps_observable = keeps_observable;
        all.executor = runner();
        all.name = name();
        return all;
    }

  private:
    swo_observe_options options_ = SWO_OBSERVE_OPTIONS_INIT;
};

/** All that an effect can be told: `swo::effect_options().on(queue).named("screen")`. What it names must last until the
 *  effect has begun. */
class effect_options : public detail::placed<effect_options> {
  public:
    /* For the effect that begins, and points into this. */
    swo_effect_options get(swo_observer *) const && = delete;
    swo_effect_options get(swo_observer *observer) const &noexcept {
        swo_effect_options all = SWO_EFFECT_OPTIONS_INIT;
        all.observer = observer;
        all.executor = runner();
        all.name = name();
        return all;
    }
};

} // namespace swo

#endif
