// SPDX-License-Identifier: MIT

import ObserverEngine

/// An object that observes. All it needs is a receiver:
///
///     class Dog: Observer {
///         let receiver = Receiver()
///     }
///
/// When the observer dies its observations end. It may observe the same observable any number of times.
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
    @inlinable @discardableResult
    public func observe<O: Observable>(_ observable: O, receive: @escaping (O.Message) -> Void) -> Observation {
        begin(observable.messenger, .message(receive))
    }

    /// Calls a closure for each message of an observable, with the message's author.
    ///
    ///     dog.observe(sky) { color, author in print(color, author) }
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, receive: @escaping (O.Message, AnyObject) -> Void
    ) -> Observation {
        begin(observable.messenger, .authored(receive))
    }

    /// Calls a closure whenever an observable sends that has nothing more to say.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, receive: @escaping () -> Void
    ) -> Observation where O.Message == Void {
        begin(observable.messenger, .message { _ in receive() })
    }

    @inlinable
    func begin<Message>(
        _ messenger: Messenger<Message>, _ handler: ClosureHandler<Message>,
        replay: Replay<ClosureHandler<Message>>? = nil
    ) -> Observation {
        let keeper = receiver.keeper
        guard let replay = replay ?? messenger.replay else {
            let id = messenger.core.observe(handler)
            keeper.keep(id)
            return Observation(id: id)
        }
        return Observation(id: messenger.core.observe(handler, replaying: replay) { keeper.keep($0) })
    }
}
