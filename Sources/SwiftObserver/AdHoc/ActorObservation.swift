// SPDX-License-Identifier: MIT

import ObserverEngine

// What an `AdHocObservation` does, for an actor that observes. Its closures are taken as they are (`Observer+Actor`), so all that
// take one stand here a second time.

/// An observation by an actor that has not begun yet, and can still be transformed. Each closure stays on the actor.
///
///     observe(sensors).filter { [unowned self] in $0.value > limit }.receive { [unowned self] in enter($0) }
///
/// Everything is as with an ``AdHocObservation``.
public struct ActorObservation<Message> {
    @usableFromInline let chain: AdHocObservation<Message>

    @inlinable init(_ chain: AdHocObservation<Message>) { self.chain = chain }
}

extension ActorObservation {
    /// Begins the observation.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message) -> Void) -> ObservationHandle {
        chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Begins the observation, with a closure that also takes the author of each message.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Begins the observation, with a closure that takes nothing, because there is nothing to say.
    @inlinable @discardableResult
    public func receive(_ receive: @escaping () -> Void) -> ObservationHandle where Message == Void {
        chain.begin({ _ in .message { _ in receive() } }, ChainEnd())
    }

    /// Makes a message of each message.
    @inlinable
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped) -> ActorObservation<Mapped> {
        ActorObservation<Mapped>(chain.through { mapping(map) })
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped, receive: @escaping (Mapped) -> Void)
        -> ObservationHandle
    {
        self.map(map).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func map<Mapped>(_ map: @escaping (Message) -> Mapped, receive: @escaping (Mapped, AnyObject) -> Void)
        -> ObservationHandle
    {
        self.map(map).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives only the messages that are wanted.
    @inlinable
    public func filter(_ isWanted: @escaping (Message) -> Bool) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.through { filtering(isWanted) })
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func filter(_ isWanted: @escaping (Message) -> Bool, receive: @escaping (Message) -> Void)
        -> ObservationHandle
    {
        filter(isWanted).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func filter(_ isWanted: @escaping (Message) -> Bool, receive: @escaping (Message, AnyObject) -> Void)
        -> ObservationHandle
    {
        filter(isWanted).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives only the messages whose authors are wanted.
    @inlinable
    public func filterAuthor(_ isWanted: @escaping (AnyObject) -> Bool) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.through(authored: { filteringAuthors(isWanted) }))
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func filterAuthor(_ isWanted: @escaping (AnyObject) -> Bool, receive: @escaping (Message) -> Void)
        -> ObservationHandle
    {
        filterAuthor(isWanted).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func filterAuthor(_ isWanted: @escaping (AnyObject) -> Bool, receive: @escaping (Message, AnyObject) -> Void)
        -> ObservationHandle
    {
        filterAuthor(isWanted).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives only what one author caused; nothing for `nil`.
    @inlinable
    public func from(_ author: AnyObject?) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.from(author))
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func from(_ author: AnyObject?, receive: @escaping (Message) -> Void) -> ObservationHandle {
        from(author).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func from(_ author: AnyObject?, receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        from(author).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives only what other authors than one caused.
    @inlinable
    public func notFrom(_ author: AnyObject?) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.notFrom(author))
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func notFrom(_ author: AnyObject?, receive: @escaping (Message) -> Void) -> ObservationHandle {
        notFrom(author).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func notFrom(_ author: AnyObject?, receive: @escaping (Message, AnyObject) -> Void) -> ObservationHandle {
        notFrom(author).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives the new value of each update.
    @inlinable
    public func new<Value>() -> ActorObservation<Value> where Message == Update<Value> {
        ActorObservation<Value>(chain.new())
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func new<Value>(_ receive: @escaping (Value) -> Void) -> ObservationHandle where Message == Update<Value> {
        new().chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func new<Value>(_ receive: @escaping (Value, AnyObject) -> Void) -> ObservationHandle
    where Message == Update<Value> {
        new().chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives what is in each message, and leaves out those that are `nil`.
    @inlinable
    public func unwrap<Unwrapped>() -> ActorObservation<Unwrapped> where Message == Unwrapped? {
        ActorObservation<Unwrapped>(chain.unwrap())
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(_ receive: @escaping (Unwrapped) -> Void) -> ObservationHandle
    where Message == Unwrapped? {
        unwrap().chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(_ receive: @escaping (Unwrapped, AnyObject) -> Void) -> ObservationHandle
    where Message == Unwrapped? {
        unwrap().chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Receives what is in each message, or a default.
    @inlinable
    public func unwrap<Unwrapped>(_ standIn: Unwrapped) -> ActorObservation<Unwrapped> where Message == Unwrapped? {
        ActorObservation<Unwrapped>(chain.unwrap(standIn))
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(_ standIn: Unwrapped, receive: @escaping (Unwrapped) -> Void) -> ObservationHandle
    where Message == Unwrapped? {
        unwrap(standIn).chain.begin({ _ in .message(receive) }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that also takes the author.
    @inlinable @discardableResult
    public func unwrap<Unwrapped>(_ standIn: Unwrapped, receive: @escaping (Unwrapped, AnyObject) -> Void)
        -> ObservationHandle where Message == Unwrapped?
    {
        unwrap(standIn).chain.begin({ _ in .authored(receive) }, ChainEnd())
    }

    /// Another name for ``unwrap()``.
    @inlinable
    public func skipNil<Unwrapped>() -> ActorObservation<Unwrapped> where Message == Unwrapped? {
        ActorObservation<Unwrapped>(chain.unwrap())
    }

    /// Receives one particular message, and nothing else.
    @inlinable
    public func select(_ message: Message) -> ActorObservation<Void> where Message: Equatable {
        ActorObservation<Void>(chain.select(message))
    }

    /// Does so, and begins the observation.
    @inlinable @discardableResult
    public func select(_ message: Message, receive: @escaping () -> Void) -> ObservationHandle
    where Message: Equatable {
        select(message).chain.begin({ _ in .message { _ in receive() } }, ChainEnd())
    }

    /// Does so, and begins the observation with a closure that takes the author.
    @inlinable @discardableResult
    public func select(_ message: Message, receive: @escaping (_ author: AnyObject) -> Void) -> ObservationHandle
    where Message: Equatable {
        select(message).chain.begin({ _ in .authored { _, author in receive(author) } }, ChainEnd())
    }

    /// Leaves out each message that is like the one before it.
    @inlinable
    public func skipRepeats(by areEqual: @escaping (_ previous: Message, _ message: Message) -> Bool)
        -> ActorObservation<Message>
    {
        ActorObservation<Message>(chain.through { skippingRepeats(by: areEqual) })
    }

    /// Leaves out each message that equals the one before it.
    @inlinable
    public func skipRepeats() -> ActorObservation<Message> where Message: Equatable {
        ActorObservation<Message>(chain.skipRepeats())
    }

    /// Receives each message once. The observation remembers them all.
    @inlinable
    public func uniqueValues() -> ActorObservation<Message> where Message: Hashable {
        ActorObservation<Message>(chain.uniqueValues())
    }

    /// Receives each message together with the one before it, as one pair.
    @inlinable
    public func withPrevious() -> ActorObservation<(previous: Message?, current: Message)> {
        ActorObservation<(previous: Message?, current: Message)>(chain.withPrevious())
    }

    /// Leaves out the first messages.
    @inlinable
    public func skip(_ count: Int) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.skip(count))
    }

    /// Receives the first messages and no others.
    @inlinable
    public func take(_ count: Int) -> ActorObservation<Message> {
        ActorObservation<Message>(chain.take(count))
    }

    /// Receives one message: the next.
    @inlinable
    public func once() -> ActorObservation<Message> {
        ActorObservation<Message>(chain.once())
    }

    /// Receives the messages of this chain and of others, as they come in.
    @inlinable
    public func merge(_ others: ActorObservation...) -> ActorObservation {
        ActorObservation(chain.merge(others.map(\.chain)))
    }
}

extension ActorObservation where Message: Sendable {
    /// Begins the observation, with a closure that is called where a delivery says.
    @inlinable @discardableResult
    public func receive(on delivery: Delivery, _ receive: @escaping @Sendable (Message) -> Void) -> ObservationHandle {
        chain.receive(on: delivery, receive)
    }

    /// Begins the observation, with a closure that is called where a delivery says, and also takes the author.
    @inlinable @discardableResult
    public func receive(
        on delivery: Delivery, _ receive: @escaping @Sendable (Message, AnyObject) -> Void
    ) -> ObservationHandle {
        chain.receive(on: delivery, receive)
    }

    /// Begins the observation, with a closure that is called on the main actor.
    @inlinable @discardableResult
    public func receive(
        on actor: MainActor, _ receive: @escaping @MainActor @Sendable (Message) -> Void
    ) -> ObservationHandle {
        chain.receive(on: actor, receive)
    }

    /// Begins the observation, with a closure that is called on an actor and given it. The actor is not kept.
    @inlinable @discardableResult
    public func receive<A: Actor>(
        on actor: A, _ receive: @escaping @Sendable (isolated A, Message) -> Void
    ) -> ObservationHandle {
        chain.receive(on: actor, receive)
    }

    /// Begins the observation, for a task to wait for its messages. It ends with the observer, too.
    public func messages(buffering: Buffering = .unbounded) -> Messages<Message> {
        chain.messages(buffering: buffering)
    }
}
