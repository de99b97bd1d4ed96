// SPDX-License-Identifier: MIT

extension Observer {
    /// Calls a closure for each message of an observable, where a delivery says.
    ///
    ///     dog.observe(sky, on: .async(queue)) { color in ... }
    ///
    /// Here, where messages change threads, they and the closure have to be `Sendable`.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, on delivery: Delivery, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, isolation: nil, file: file, line: line).receive(on: delivery, receive)
    }

    /// Calls a closure for each message and its author. Compare the author with others and do no more:
    /// it has not changed threads to be used.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, on delivery: Delivery, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (O.Message, AnyObject) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, isolation: nil, file: file, line: line).receive(on: delivery, receive)
    }

    /// Calls a closure, where a delivery says, whenever an observable of `Void` sends.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, on delivery: Delivery, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable () -> Void
    ) -> ObservationHandle where O.Message == Void {
        observe(observable, isolation: nil, file: file, line: line).receive(on: delivery, receive)
    }

    /// Calls a closure for each message on the main actor: at once if the sender is there and nothing
    /// waits, otherwise later.
    ///
    ///     dog.observe(sky, on: MainActor.shared) { color in view.color = color }
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, on actor: MainActor, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @MainActor @Sendable (O.Message) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, isolation: nil, file: file, line: line).receive(on: actor, receive)
    }

    /// Calls a closure on the main actor whenever an observable of `Void` sends.
    @inlinable @discardableResult
    public func observe<O: Observable>(
        _ observable: O, on actor: MainActor, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @MainActor @Sendable () -> Void
    ) -> ObservationHandle where O.Message == Void {
        observe(observable, isolation: nil, file: file, line: line).receive(on: actor, receive)
    }

    /// Calls a closure for each message on an actor, which it is given: at once if the sender is there and
    /// nothing waits, otherwise later. The actor is not kept.
    ///
    ///     dog.observe(sky, on: diary) { diary, color in diary.write(color) }
    @inlinable @discardableResult
    public func observe<O: Observable, A: Actor>(
        _ observable: O, on actor: A, file: StaticString = #fileID, line: UInt = #line,
        receive: @escaping @Sendable (isolated A, O.Message) -> Void
    ) -> ObservationHandle where O.Message: Sendable {
        observe(observable, isolation: nil, file: file, line: line).receive(on: actor, receive)
    }
}
