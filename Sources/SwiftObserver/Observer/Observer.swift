// SPDX-License-Identifier: MIT

import ObserverEngine

/// An object that observes. All it needs is a receiver:
///
///     class Dog: Observer {
///         let receiver = Receiver()
///     }
///
/// When the observer dies its observations end. It may observe the same observable any number of times. Declare the receiver
/// first, so that nothing else of the observer goes before it does.
public protocol Observer: AnyObject {
    /// Keeps the observations alive. It must be the same object throughout the observer's life.
    var receiver: Receiver { get }
}

extension Observer {
    /// Calls a closure for each message of an observable.
    ///
    ///     dog.observe(sky) { color in print(color) }
    ///
    /// Nothing is sent on beginning. The closure is kept until the observation ends, the observable is not.
    ///
    /// A closure that is formed on an actor, the main actor above all, runs only there: at once if the
    /// sender is there, otherwise later. That is what `isolation` is for; leave it as it is. Any other runs on the thread
    /// of the sender, and so captures only what is `Sendable`.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (O.Message) -> Void
    ) -> ObservationHandle {
        begin(observable, .message(called(receive)), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure for each message of an observable, with the message's author.
    ///
    ///     dog.observe(sky) { color, author in print(color, author) }
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (O.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        begin(observable, .authored(called(receive)), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure whenever an observable of `Void` sends.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) () -> Void
    ) -> ObservationHandle where O.Message == Void {
        let handle = called(receive)
        return begin(observable, .message { _ in handle() }, isolation: receive.isolation ?? isolation, file, line)
    }

    /// - Parameter isolation: where the handler runs.
    @inlinable
    func begin<O: Observable>(
        _ observable: O, _ handler: ClosureHandler<O.Message>, isolation: (any Actor)?, _ file: StaticString,
        _ line: UInt
    ) -> ObservationHandle {
        begin(observable.messenger, handler, isolation: isolation).began(observing: observable, by: self, file, line)
    }

    @inlinable
    func begin<Message>(
        _ messenger: Messenger<Message>, _ handler: ClosureHandler<Message>, isolation: (any Actor)?
    ) -> ObservationHandle {
        guard isolation == nil, messenger.replay == nil else {
            return begin(messenger, isolation: isolation) { _ in handler }
        }
        let id = messenger.core.observe(handler)
        receiver.keeper.keep(id)
        return ObservationHandle(id: id)
    }

    /// - Parameter make: makes the handler of the observation by which messages come in.
    @inlinable
    func begin<Message>(
        _ messenger: Messenger<Message>, replay: Replay<ClosureHandler<Message>>? = nil, isolation: (any Actor)?,
        continuingIn continuation: ObservationID? = nil, _ make: @escaping (ObservationID) -> ClosureHandler<Message>
    ) -> ObservationHandle {
        if let isolation {
            return begin(on: isolation, continuingIn: continuation, make) { make in
                begin(messenger, replay: replay, isolation: nil, make)
            }
        }
        let keeper = receiver.keeper
        // Kept, too: it outlives the observable, and is to end with the observer.
        if let continuation { keeper.keep(continuation) }
        let id = messenger.observe(continuingIn: continuation, replaying: replay) { id in
            keeper.keep(id)
            return make(id)
        }
        return continuation.map { ObservationHandle(id: $0, parts: [id]) } ?? ObservationHandle(id: id)
    }
}
