// SPDX-License-Identifier: MIT

import ObserverEngine

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
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (Object, Message) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object) { observer in
            observer.observe(self, isolation: isolation, file: file, line: line) { message in
                observer.withObject { receive($0, message) }
            }
        }
    }

    /// Calls a closure with an object, each message and the message's author, for as long as the object lives.
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (Object, Message, AnyObject) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object) { observer in
            observer.observe(self, isolation: isolation, file: file, line: line) { message, author in
                observer.withObject { receive($0, message, author) }
            }
        }
    }

    /// Calls a closure with an object whenever this observable of `Void` sends, for as long as the object lives.
    @inlinable @discardableResult
    public func observe<Object: AnyObject>(
        weakly object: Object, isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (Object) -> Void
    ) -> ObservationHandle where Message == Void {
        observe(weakly: object, isolation: isolation, file: file, line: line) { object, _ in receive(object) }
    }

    /// Calls a closure with an object and each message, transformed ad hoc, for as long as the object lives.
    ///
    ///     number.observe(weakly: label, adHoc: { $0.new().map { "\($0)" } }) { label, text in label.text = text }
    @inlinable @discardableResult
    public func observe<Object: AnyObject, Output>(
        weakly object: Object, isolation: (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
        adHoc transform: (AdHocObservation<Message>) -> AdHocObservation<Output>,
        receive: @escaping (Object, Output) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object) { observer in
            transform(observer.observe(self, isolation: isolation, file: file, line: line)).receive { message in
                observer.withObject { receive($0, message) }
            }
        }
    }

    /// Calls a closure with an object and each message, where a delivery says, for as long as the object lives.
    ///
    ///     title.observe(weakly: label, on: .async(queue)) { label, update in label.text = update.new }
    ///
    /// What waits when the object dies does not arrive.
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
    public func observe<Object: AnyObject>(
        weakly object: Object, replaying replay: BufferReplay, isolation: (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping (Object, Message) -> Void
    ) -> ObservationHandle {
        messenger.observe(weakly: object) { observer in
            observer.observe(self, replaying: replay, isolation: isolation, file: file, line: line) { message in
                observer.withObject { receive($0, message) }
            }
        }
    }
}
