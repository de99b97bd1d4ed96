// SPDX-License-Identifier: MIT

public import Dispatch
public import SwiftObserver

/// Delivery on dispatch queues.
///
///     dog.observe(sky, on: .async(queue)) { color in ... }
///     dog.observe(sky, on: .async(.main)) { color in ... }
///     dog.observe(sky, on: .sync(queue)) { color in ... }
///
/// The messages of an observation arrive one at a time and in order on concurrent queues, too. A sender that
/// runs on the very queue to which it delivers synchronously would wait for itself for ever: that ends the program.
extension DispatchQueue: SynchronousDeliveryQueue {
    public func runLater(_ job: @escaping @Sendable () -> Void) { async(execute: job) }

    public func runAndWait(_ job: () -> Void) {
        markAsItself()
        precondition(
            DispatchQueue.getSpecific(key: itself) != ObjectIdentifier(self),
            "a message sent on a queue cannot be delivered on it synchronously: it would wait for itself")
        sync(execute: job)
    }

    private func markAsItself() {
        if getSpecific(key: itself) == nil { setSpecific(key: itself, value: ObjectIdentifier(self)) }
    }
}

/// Tells on which queue one is.
private let itself = DispatchSpecificKey<ObjectIdentifier>()

extension DeliveryQueue where Self == DispatchQueue {
    /// The main queue.
    public static var main: DispatchQueue { DispatchQueue.main }

    /// A global queue, which runs jobs side by side.
    public static func global(qos: DispatchQoS.QoSClass = .default) -> DispatchQueue { DispatchQueue.global(qos: qos) }
}
