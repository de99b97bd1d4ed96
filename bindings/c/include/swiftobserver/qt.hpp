// SPDX-License-Identifier: MIT
/** @file swiftobserver/qt.hpp
 *  Deliver messages on a thread with an event loop of Qt 5 or 6:
 *
 *      swo::queue queue;
 *      swo::qt_drain(queue, &window);                // as long as the window lives
 *      window.observer.observe(numbers, &window, ..., swo::options().on(queue));
 *      return app.exec();                            // any thread sends, this one shows
 *
 *  Qt itself is linked by the program; only its core is needed. C++17. */
#ifndef SWIFTOBSERVER_QT_HPP
#define SWIFTOBSERVER_QT_HPP

#include <QSocketNotifier>
#include <memory>
#include <swiftobserver.hpp>

namespace swo {

/** Has the event loop of this thread drain a queue, with each turn what waits when the turn begins. It keeps the queue.
 *  An exception of a handler ends the process: none may pass through Qt's event loop.
 *  @param parent  as Qt has it: the notifier ends with it.
 *  @return The notifier; to end it before, delete it, or disable it. */
inline QSocketNotifier *qt_drain(const queue &drained, QObject *parent) {
    const std::shared_ptr<swo_queue> kept(swo_queue_retain(drained.raw()), [](swo_queue *ended) {
        detail::call_apart([ended] { swo_queue_release(ended); });
    });
    auto *notifier = new QSocketNotifier(swo_queue_fd(kept.get()), QSocketNotifier::Read, parent);
    QObject::connect(notifier, &QSocketNotifier::activated, notifier, [kept]() noexcept {
        [[maybe_unused]] const detail::draining now;
        swo_queue_drain(kept.get(), 0, nullptr);
        detail::rethrow();
    });
    return notifier;
}

} // namespace swo

#endif
