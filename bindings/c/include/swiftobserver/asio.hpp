// SPDX-License-Identifier: MIT
/** @file swiftobserver/asio.hpp
 *  Deliver messages on a thread that runs an io_context, of Asio or of Boost.Asio:
 *
 *      swo::queue queue;
 *      swo::asio_drain draining(context, queue);
 *      auto observation = numbers.observe(show, swo::options().on(queue));
 *      context.run();                                // any thread sends, this one shows
 *
 *  It takes Asio where that is found, and else Boost.Asio; with SWO_BOOST_ASIO defined it takes Boost.Asio. C++17. */
#ifndef SWIFTOBSERVER_ASIO_HPP
#define SWIFTOBSERVER_ASIO_HPP

#include <memory>
#include <swiftobserver.hpp>
#if defined(SWO_BOOST_ASIO) || !__has_include(<asio/io_context.hpp>)
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
namespace swo::detail {
namespace asio = boost::asio;
using asio_error = boost::system::error_code;
} // namespace swo::detail
#else
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
namespace swo::detail {
namespace asio = ::asio;
using asio_error = ::asio::error_code;
} // namespace swo::detail
#endif

namespace swo {

/** Has a context drain a queue as long as this lives, with each turn what waits when the turn begins. It keeps the
 *  queue until the context has let go of it. What a handler throws leaves context.run(), as Asio has it; run it again.
 *  It keeps the context running. On a thread that runs the context, or while none does. */
class [[nodiscard]] asio_drain {
  public:
    template <class Context>
    asio_drain(Context &context, const queue &drained) : watcher_(std::make_shared<watcher>(context, drained.raw())) {
        watcher_->wait(watcher_);
    }
    asio_drain(asio_drain &&) noexcept = default;
    asio_drain &operator=(asio_drain &&) = delete;
    ~asio_drain() {
        if (watcher_ != nullptr) watcher_->end();
    }

  private:
    struct watcher {
        template <class Context>
        watcher(Context &context, swo_queue *drained)
            : descriptor(context, swo_queue_fd(drained)), queue(swo_queue_retain(drained)) {}
        watcher(const watcher &) = delete;
        watcher &operator=(const watcher &) = delete;
        ~watcher() {
            /* It is the queue's. */
            if (descriptor.is_open()) descriptor.release();
            detail::call_apart([this] { swo_queue_release(queue); });
        }
        void wait(const std::shared_ptr<watcher> &self) {
            descriptor.async_wait(detail::asio::posix::stream_descriptor::wait_read,
                                  [self](const detail::asio_error &error) {
                                      if (!error && !self->is_over) self->drain(self);
                                  });
        }
        void drain(const std::shared_ptr<watcher> &self) {
            struct waiting_again {
                const std::shared_ptr<watcher> &self;
                ~waiting_again() {
                    if (!self->is_over) self->wait(self);
                }
            } const at_end{self};
            [[maybe_unused]] const detail::draining now;
            swo_queue_drain(queue, 0, nullptr);
            detail::rethrow();
        }
        void end() {
            is_over = true;
            descriptor.release();
        }
        detail::asio::posix::stream_descriptor descriptor;
        swo_queue *queue;
        bool is_over = false;
    };
    std::shared_ptr<watcher> watcher_;
};

} // namespace swo

#endif
