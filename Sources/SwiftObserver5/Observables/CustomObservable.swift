// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable of your own. It needs nothing but a messenger:
///
///     class Model: CustomObservable {
///         let messenger = Messenger(Event.didInit)
///         typealias Message = Event
///         enum Event { case didInit, didUpdate, willDeinit }
///     }
///
/// The messenger must be the same object throughout the observable's life.
public protocol CustomObservable<Message>: Observable {
    /// Carries the messages to the observers.
    var messenger: Messenger<Message> { get }
}

extension CustomObservable {
    /// The message that the messenger remembers. Return it yourself, if it follows from your state.
    @inlinable public var latestMessage: Message { messenger.latestMessage }

    /// Sends a message to all observers.
    @inlinable
    public func send(_ message: Message) { messenger.send(message) }

    /// Whether the messenger remembers the messages that are sent.
    @inlinable
    public var remembersLatestMessage: Bool {
        get { messenger.remembersLatestMessage }
        set { messenger.remembersLatestMessage = newValue }
    }

    /// The core that the observations hang on: the messenger's.
    @inlinable public var observationCore: Core<KeptClosure<Message>> { messenger.observationCore }
}
