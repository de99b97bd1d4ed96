// SPDX-License-Identifier: MIT

public import Foundation
import ObserverEngine

extension NotificationCenter {
    /// A publisher of the notifications of a name, or of all, that an object posts, or any. It keeps neither
    /// the center nor the object.
    ///
    /// - Parameters:
    ///   - name: of the notifications, or `nil` for all.
    ///   - object: that posts them, or `nil` for any.
    ///   - queue: where updates come; where the notification is posted, if there is none.
    public func publisher(
        forName name: Notification.Name?, object: Any? = nil, queue: OperationQueue? = nil
    ) -> Publisher<Notification> {
        let poster = Poster(object)
        return Publisher { [weak self] updateBlock in
            guard let self, poster.isLiving else { return .empty }
            // A notification that waits on the queue has not been taken back by the center.
            let line = Mailbox(handler: MessageClosure(updateBlock))
            let token = addObserver(forName: name, object: poster.object, queue: queue) { line.deliver($0, ()) }
            return Subscription { [weak self] in
                line.observation.stop()
                self?.removeObserver(token)
            }
        }
    }

    /// Subscribes to the notifications of a name, or to all, that an object posts, or any.
    public func subscribe(
        forName name: Notification.Name?, object: Any? = nil, queue: OperationQueue? = nil,
        updateBlock: @escaping (Notification) -> Void
    ) -> Subscription {
        publisher(forName: name, object: object, queue: queue).subscribe(updateBlock)
    }
}

/// The sender of notifications. An object is held weakly, anything else as it is.
private struct Poster {
    private let value: Any?
    private weak var reference: AnyObject?
    private let isReference: Bool

    init(_ object: Any?) {
        // Asked first, because anything at all can be cast to an object.
        isReference = object.map { type(of: $0) is AnyClass } ?? false
        reference = isReference ? object as AnyObject : nil
        value = isReference ? nil : object
    }

    var isLiving: Bool { !isReference || reference != nil }
    var object: Any? { isReference ? reference : value }
}
