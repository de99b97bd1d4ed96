// SPDX-License-Identifier: MIT

public import Foundation
public import SwiftObserver

/// Notifications of a notification center, as something to observe.
///
///     let saves = NotificationCenter.default.observable(for: .documentWasSaved)
///     observer.observe(saves) { notification in ... }
///
/// They are sent where they are posted, before the post returns. A notification is not `Sendable`: to have
/// something of it delivered elsewhere, map it to that first. Their author is the object that posted them, if
/// there is one. This must be held.
public final class Notifications: SwiftObserver.Observable {
    public let messenger = Messenger<Notification>()

    private let center: NotificationCenter
    private let token: any NSObjectProtocol

    /// - Parameters:
    ///   - name: of the notifications, or `nil` for all.
    ///   - object: that posts them, or `nil` for any.
    ///   - center: where they are posted.
    public init(_ name: Notification.Name?, object: AnyObject? = nil, center: NotificationCenter = .default) {
        self.center = center
        let target = Target(messenger: messenger)
        token = center.addObserver(forName: name, object: object, queue: nil) { notification in
            target.messenger?.send(notification, author: author(of: notification))
        }
    }

    deinit { center.removeObserver(token) }
}

/// - Note: `@unchecked Sendable`: a messenger may be used by any thread; it is the notifications that are not
///   `Sendable`, and these are sent where they are posted.
private struct Target: @unchecked Sendable {
    weak var messenger: Messenger<Notification>?
}

/// Who posted a notification, if that is an object: any value can be cast to one.
private func author(of notification: Notification) -> AnyObject? {
    guard let object = notification.object, type(of: object) is AnyClass else { return nil }
    return object as AnyObject
}

extension NotificationCenter {
    /// The notifications of a name, or all, that are posted here by an object, or by any.
    public func observable(for name: Notification.Name?, object: AnyObject? = nil) -> Notifications {
        Notifications(name, object: object, center: self)
    }
}
