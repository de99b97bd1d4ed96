// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observer {
    /// Calls a closure for each message of an observable, which it begins to observe on a queue, later.
    ///
    ///     dog.observe(sky, beginningOn: queue) { color in ... }
    ///
    /// What beginning does is done on the queue: what the observable replays comes from there, unless another thread
    /// is delivering and takes it along, and work on demand is begun there. Messages come where they are sent;
    /// to choose that, too, end a chain with `receive(on:)`. The closure is called for one message at a time, also where
    /// messages keep no order.
    ///
    /// An observation that is stopped before its turn never begins. Until then it receives nothing, but is known, and
    /// ends with the observer and the observable, of which neither is kept. If the queue drops the job, it stays so.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, beginningOn queue: some DeliveryQueue, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, beginningOn: queue, isolation: nil, file: file, line: line).receive(receive)
    }

    /// Calls a closure for each message of an observable and its author, which it begins to observe on a queue,
    /// later.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, beginningOn queue: some DeliveryQueue, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message, AnyObject) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, beginningOn: queue, isolation: nil, file: file, line: line).receive(receive)
    }

    /// Calls a closure whenever an observable of `Void` sends, which it begins to observe on a queue, later.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, beginningOn queue: some DeliveryQueue, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable () -> Void
    ) -> ObservationHandle where O.Message == Void {
        observe(observable, beginningOn: queue, isolation: nil, file: file, line: line).receive(receive)
    }

    /// An observation to transform ad hoc. It begins on a queue, once the chain has ended.
    ///
    ///     dog.observe(sky, beginningOn: queue).map { $0.name }.receive(on: .async(queue)) { name in ... }
    ///
    /// What is replayed takes the steps of the chain on that queue. A closure at the end that is formed on an
    /// actor runs only there, as without.
    @inlinable
    public func observe<O: Observable>(
        _ observable: O, beginningOn queue: some DeliveryQueue, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line
    ) -> AdHocObservation<O.Message> where O.Message: Sendable {
        adHoc(observable, replay: nil, beginningOn: queue, isolation: isolation, file: file, line: line)
    }

    /// Calls a closure for each message of a buffered observable, beginning on a queue, later, with the message that
    /// is the latest one there and then.
    ///
    ///     dog.observe(number, replaying: .latest, beginningOn: queue) { update in print(update.new) }
    @inlinable @discardableResult
    public func observe<O: BufferedObservable & Sendable>(
        _ observable: O, replaying replay: BufferReplay, beginningOn queue: some DeliveryQueue,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, replaying: replay, beginningOn: queue, isolation: nil, file: file, line: line).receive(
            receive)
    }

    /// Calls a closure for each message of a buffered observable and its author, beginning on a queue, later, with
    /// the message that is the latest one there and then.
    @inlinable @discardableResult
    public func observe<O: BufferedObservable & Sendable>(
        _ observable: O, replaying replay: BufferReplay, beginningOn queue: some DeliveryQueue,
        file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message, AnyObject) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, replaying: replay, beginningOn: queue, isolation: nil, file: file, line: line).receive(
            receive)
    }

    /// An observation to transform ad hoc. It begins on a queue, once the chain has ended, and its first message is
    /// the one that is the latest there and then.
    @inlinable
    public func observe<O: BufferedObservable & Sendable>(
        _ observable: O, replaying replay: BufferReplay, beginningOn queue: some DeliveryQueue,
        isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
    ) -> AdHocObservation<O.Message> where O.Message: Sendable {
        guard replay == .latest else {
            return observe(observable, beginningOn: queue, isolation: isolation, file: file, line: line)
        }
        return adHoc(
            observable, replay: latestLater(of: observable), beginningOn: queue, isolation: isolation, file: file,
            line: line)
    }

    @usableFromInline
    func adHoc<O: Observable>(
        _ observable: O, replay: Replay<ClosureHandler<O.Message>>?, beginningOn queue: any DeliveryQueue,
        isolation: (any Actor)?, file: StaticString, line: UInt
    ) -> AdHocObservation<O.Message> {
        AdHocObservation(on: isolation) { make, end in
            // The line takes in one message at a time, so the steps need nothing more.
            self.begin(
                observable.messenger, replay: replay, beginningOn: queue, isolation: isolation,
                continuingIn: end.continuation, make
            ).began(observing: observable, by: self, file, line)
        }
    }

    func begin<Message>(
        _ messenger: Messenger<Message>, replay: Replay<ClosureHandler<Message>>?, beginningOn queue: any DeliveryQueue,
        isolation: (any Actor)?, continuingIn continuation: ObservationID?,
        _ make: @escaping (ObservationID) -> ClosureHandler<Message>
    ) -> ObservationHandle {
        if let isolation {
            return begin(on: isolation, continuingIn: continuation, make) { make in
                begin(messenger, replay: replay, beginningOn: queue, isolation: nil, continuingIn: nil, make)
            }
        }
        let keeper = receiver.keeper
        if let continuation { keeper.keep(continuation) }
        let late = LateObservation(of: messenger, by: keeper, replay: replay, continuingIn: continuation, make)
        queue.runLater { [weak late] in late?.begin() }
        return continuation.map { ObservationHandle(id: $0, parts: [late.id]) } ?? ObservationHandle(id: late.id)
    }
}

/// The latest message of an observable when it is asked for, if the observable lives then.
@usableFromInline
func latestLater<O: BufferedObservable>(of observable: O) -> Replay<ClosureHandler<O.Message>> {
    let reference = WeakReference(observable)
    return { reference.object.map { latestOf($0) } ?? [] }
}
