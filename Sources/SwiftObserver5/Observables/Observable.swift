// SPDX-License-Identifier: MIT

import ObserverEngine

/// An object that can be observed: a ``Var``, a ``Mapping``, a ``Messenger``, a ``Weak``, or one of your own that is
/// a ``CustomObservable``.
///
/// To observe an observable does not keep it alive. When it dies, its observations end. Any thread may do anything
/// with it at any time.
public protocol Observable<Message>: AnyObject {
    /// The type of the messages.
    associatedtype Message

    /// The message sent last, or one that says that nothing has changed.
    var latestMessage: Message { get }

    /// Sends a message to all observers, in the order in which they began. From inside a handler it waits, until
    /// the message before it has reached all observers.
    func send(_ message: Message)

    /// The core that the observations hang on. Everything in this module that is observable has it; your own gets it from its
    /// messenger.
    var observationCore: Core<KeptClosure<Message>> { get }
}

extension Observable {
    /// Says which messages get through, as a ``Mapping`` asks it.
    public typealias Filter = (Message) -> Bool

    /// Sends the latest message.
    @inlinable
    public func send() { send(latestMessage) }

    /// Ends all observations of this observable, also those by which mappings and ``Weak`` observe it.
    public func stopObservations() { observationCore.stopObservations() }

    /// Lets go of what the observers of this observable have left that are dead. They receive nothing anyway, and the
    /// next message lets go of it, too.
    public func stopAbandonedObservations() { observationCore.stopObservations(onlyAbandoned: true) }
}

/// Lets go of what all observers have left that are dead. They receive nothing anyway.
public func stopAllAbandonedObservations() { ObjectKeeper.stopAllAbandoned() }

// Absent: nothing of the document. Of the published code `add(_:receive:)` and `remove(_:)`, which were there for
// `Observer` only.
