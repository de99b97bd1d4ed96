// SPDX-License-Identifier: MIT

/// An object that can be observed. All it needs is a messenger:
///
///     class Model: Observable {
///         let messenger = Messenger<Event>()
///         enum Event { case willUpdate, didUpdate }
///     }
///
/// The messenger must be the same object throughout the observable's life.
public protocol Observable<Message>: AnyObject {
    /// The type of the messages.
    associatedtype Message

    /// Carries the messages to the observers.
    var messenger: Messenger<Message> { get }
}

extension Observable {
    /// Sends a message to all observers of this observable.
    ///
    /// An observable that is dying can still send. It cannot be the author any more then, because
    /// it can no longer be retained; its messenger takes that place.
    ///
    /// - Parameters:
    ///   - message: what all observers receive.
    ///   - author: who caused the message. The observable itself, if no author is named.
    @inlinable
    public func send(_ message: Message, author: AnyObject? = nil) {
        let messenger = messenger
        messenger.send(message, author: author ?? (isDying(self) ? messenger : self))
    }

    /// Sends the one message that there is.
    ///
    ///     bell.send()
    @inlinable
    @_disfavoredOverload  // A buffered observable has a function of that name already.
    public func send(author: AnyObject? = nil) where Message == Void { send((), author: author) }

    /// Whether messages keep the order in which they were sent. See ``Messenger/maintainsMessageOrder``.
    @inlinable
    public var maintainsMessageOrder: Bool {
        get { messenger.maintainsMessageOrder }
        set { messenger.maintainsMessageOrder = newValue }
    }

    /// When a thread that delivers for others is relieved. See ``Messenger/deliveryBudget``.
    @inlinable
    public var deliveryBudget: Int? {
        get { messenger.deliveryBudget }
        set { messenger.deliveryBudget = newValue }
    }
}
