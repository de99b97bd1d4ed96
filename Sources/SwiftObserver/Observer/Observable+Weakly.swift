// SPDX-License-Identifier: MIT

import ObserverEngine

// The object is handed to the closure where that runs. So it is `Sendable`, or it stays on an actor, where the closure
// runs, too: hence each of these twice. The compiler takes the first where it can. In Swift 5 mode, where it does not
// ask what is `Sendable`, the second takes what is on no actor as well.

extension Observable {
    /// Calls a closure with an object and each message, for as long as the object lives.
    ///
    ///     title.observe(weakly: label) { label, update in label.text = update.new }
    ///
    /// The object can be of any class, and may observe any number of times. It is held weakly, so the closure
    /// should use the one that it is given. The observable keeps the closure until the observation ends: with the
    /// object, with the observable, or when it is stopped.
    ///
    /// Once the object has died no call of the closure begins; during a call it cannot die. Its death is not
    /// announced: the next message finds it out, or the beginning of other such observations, and what the closure
    /// holds may stay until then. A closure that is formed on an actor runs only there; others run on the thread of
    /// the sender.
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object, self, called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object and each message, for as long as the object lives.
    ///
    ///     title.observe(weakly: label) { label, update in label.text = update.new }
    ///
    /// The object can be of any class, and may observe any number of times. It is held weakly, so the closure
    /// should use the one that it is given. The observable keeps the closure until the observation ends: with the
    /// object, with the observable, or when it is stopped.
    ///
    /// Once the object has died no call of the closure begins; during a call it cannot die. Its death is not
    /// announced: the next message finds it out, or the beginning of other such observations, and what the closure
    /// holds may stay until then. A closure that is formed on an actor runs only there; others run on the thread of
    /// the sender.
    @available(swift, introduced: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated any Actor = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object, self, called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object and each message, for as long as the object lives.
    ///
    ///     title.observe(weakly: label) { label, update in label.text = update.new }
    ///
    /// The object can be of any class, and may observe any number of times. It is held weakly, so the closure
    /// should use the one that it is given. The observable keeps the closure until the observation ends: with the
    /// object, with the observable, or when it is stopped.
    ///
    /// Once the object has died no call of the closure begins; during a call it cannot die. Its death is not
    /// announced: the next message finds it out, or the beginning of other such observations, and what the closure
    /// holds may stay until then. A closure that is formed on an actor runs only there; others run on the thread of
    /// the sender.
    @available(swift, obsoleted: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object, self, called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object, each message and the message's author, for as long as the object lives.
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message, AnyObject) -> Void
    ) -> ObservationHandle {
        messenger.observe(
            weakly: object, self, authored: called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object, each message and the message's author, for as long as the object lives.
    @available(swift, introduced: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated any Actor = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message, AnyObject) -> Void
    ) -> ObservationHandle {
        messenger.observe(
            weakly: object, self, authored: called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object, each message and the message's author, for as long as the object lives.
    @available(swift, obsoleted: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message, AnyObject) -> Void
    ) -> ObservationHandle {
        messenger.observe(
            weakly: object, self, authored: called(receive), isolation: receive.isolation ?? isolation, file, line)
    }

    /// Calls a closure with an object whenever this observable of `Void` sends, for as long as the object lives.
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object) -> Void
    ) -> ObservationHandle where Message == Void {
        let handle = called(receive)
        return messenger.observe(
            weakly: object, self, { object, _ in handle(object) }, isolation: receive.isolation ?? isolation, file, line
        )
    }

    /// Calls a closure with an object whenever this observable of `Void` sends, for as long as the object lives.
    @available(swift, introduced: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated any Actor = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object) -> Void
    ) -> ObservationHandle where Message == Void {
        let handle = called(receive)
        return messenger.observe(
            weakly: object, self, { object, _ in handle(object) }, isolation: receive.isolation ?? isolation, file, line
        )
    }

    /// Calls a closure with an object whenever this observable of `Void` sends, for as long as the object lives.
    @available(swift, obsoleted: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object) -> Void
    ) -> ObservationHandle where Message == Void {
        let handle = called(receive)
        return messenger.observe(
            weakly: object, self, { object, _ in handle(object) }, isolation: receive.isolation ?? isolation, file, line
        )
    }

    /// Calls a closure with an object and each message, transformed ad hoc, for as long as the object lives.
    ///
    ///     number.observe(weakly: label, adHoc: { $0.new().map { "\($0)" } }) { label, text in label.text = text }
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable, Output>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        adHoc transform: (AdHocObservation<Message>) -> AdHocObservation<Output>,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Output) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            transform(observer.adHoc(self, replay: nil, isolation: isolation, file: file, line: line)).begin(
                .message { message in observer.withObject { handle($0, message) } }, formedOn: receive.isolation)
        }
    }

    /// Calls a closure with an object and each message, transformed ad hoc, for as long as the object lives.
    ///
    ///     number.observe(weakly: label, adHoc: { $0.new().map { "\($0)" } }) { label, text in label.text = text }
    @available(swift, introduced: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject, Output>(
        weakly object: Object, isolation: isolated any Actor = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        adHoc transform: (AdHocObservation<Message>) -> AdHocObservation<Output>,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Output) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            transform(observer.adHoc(self, replay: nil, isolation: isolation, file: file, line: line)).begin(
                .message { message in observer.withObject { handle($0, message) } }, formedOn: receive.isolation)
        }
    }

    /// Calls a closure with an object and each message, transformed ad hoc, for as long as the object lives.
    ///
    ///     number.observe(weakly: label, adHoc: { $0.new().map { "\($0)" } }) { label, text in label.text = text }
    @available(swift, obsoleted: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject, Output>(
        weakly object: Object, isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        adHoc transform: (AdHocObservation<Message>) -> AdHocObservation<Output>,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Output) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            transform(observer.adHoc(self, replay: nil, isolation: isolation, file: file, line: line)).begin(
                .message { message in observer.withObject { handle($0, message) } }, formedOn: receive.isolation)
        }
    }

    /// Calls a closure with an object and each message, where a delivery says, for as long as the object lives.
    ///
    ///     title.observe(weakly: label, on: .async(queue)) { label, update in label.text = update.new }
    ///
    /// Messages that wait when the object dies do not arrive.
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable>(
        weakly object: Object, on delivery: Delivery, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (Object, Message) -> Void
    ) -> ObservationHandle where Message: Sendable {
        messenger.observe(weakly: object) { observer in
            observer.observe(self, on: delivery, file: file, line: line) { message in
                observer.withObject { receive($0, message) }
            }
        }
    }
}

extension BufferedObservable {
    /// Calls a closure with an object and each message, beginning with the latest one, for as long as the object
    /// lives.
    ///
    ///     title.observe(weakly: label, replaying: .latest) { label, update in label.text = update.new }
    @inlinable @discardableResult
    public func observe<Object: AnyObject & Sendable>(
        weakly object: Object, replaying replay: BufferReplay,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            observer.replaying(self, replay, isolation: receive.isolation ?? isolation, file, line).begin(
                { _ in .message { message in observer.withObject { handle($0, message) } } }, ChainEnd())
        }
    }

    /// Calls a closure with an object and each message, beginning with the latest one, for as long as the object
    /// lives.
    ///
    ///     title.observe(weakly: label, replaying: .latest) { label, update in label.text = update.new }
    @available(swift, introduced: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, replaying replay: BufferReplay,
        isolation: isolated any Actor = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            observer.replaying(self, replay, isolation: receive.isolation ?? isolation, file, line).begin(
                { _ in .message { message in observer.withObject { handle($0, message) } } }, ChainEnd())
        }
    }

    /// Calls a closure with an object and each message, beginning with the latest one, for as long as the object
    /// lives.
    ///
    ///     title.observe(weakly: label, replaying: .latest) { label, update in label.text = update.new }
    @available(swift, obsoleted: 6)
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, replaying replay: BufferReplay,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
        line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (Object, Message) -> Void
    ) -> ObservationHandle {
        let handle = called(receive)
        return messenger.observe(weakly: object) { observer in
            observer.replaying(self, replay, isolation: receive.isolation ?? isolation, file, line).begin(
                { _ in .message { message in observer.withObject { handle($0, message) } } }, ChainEnd())
        }
    }
}

extension Messenger {
    @inlinable
    func observe<Object: AnyObject, O: Observable>(
        weakly object: Object, _ observable: O, _ receive: @escaping (Object, Message) -> Void, isolation: (any Actor)?,
        _ file: StaticString, _ line: UInt
    ) -> ObservationHandle where O.Message == Message {
        observe(weakly: object) { observer in
            observer.begin(
                observable, .message { message in observer.withObject { receive($0, message) } }, isolation: isolation,
                file, line)
        }
    }

    @inlinable
    func observe<Object: AnyObject, O: Observable>(
        weakly object: Object, _ observable: O, authored receive: @escaping (Object, Message, AnyObject) -> Void,
        isolation: (any Actor)?, _ file: StaticString, _ line: UInt
    ) -> ObservationHandle where O.Message == Message {
        observe(weakly: object) { observer in
            observer.begin(
                observable, .authored { message, author in observer.withObject { receive($0, message, author) } },
                isolation: isolation, file, line)
        }
    }
}
