// SPDX-License-Identifier: MIT

import ObserverEngine

/// Says what a new observer of a buffered observable receives first.
public enum BufferReplay: Sendable {
    /// Nothing: messages come as they are sent.
    case none
    /// The latest message.
    case latest
}

extension Observer {
    /// Calls a closure for each message of a buffered observable, beginning with its latest one.
    ///
    ///     dog.observe(number, replaying: .latest) { update in print(update.new) }
    ///
    /// The replay goes to this closure alone, comes before any later message, and its author is the
    /// observable. If nothing is being delivered it has been received when this returns.
    @inlinable @discardableResult
    public func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (O.Message) -> Void
    ) -> ObservationHandle {
        observe(observable, replaying: replay, isolation: isolation, file: file, line: line).receive(receive)
    }

    /// Calls a closure for each message of a buffered observable and its author, beginning with the latest
    /// message.
    @inlinable @discardableResult
    public func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line,
        @_inheritActorContext receive: @escaping @Sendable @isolated(any) (O.Message, AnyObject) -> Void
    ) -> ObservationHandle {
        observe(observable, replaying: replay, isolation: isolation, file: file, line: line).receive(receive)
    }

    /// An observation to transform ad hoc. Its first message is the latest one of the observable.
    @inlinable
    public func observe<O: BufferedObservable>(
        _ observable: O, replaying replay: BufferReplay, isolation: isolated (any Actor)? = #isolation,
        file: StaticString = #fileID, line: UInt = #line
    ) -> AdHocObservation<O.Message> {
        replaying(observable, replay, isolation: isolation, file, line)
    }

    @inlinable
    func replaying<O: BufferedObservable>(
        _ observable: O, _ replay: BufferReplay, isolation: (any Actor)?, _ file: StaticString, _ line: UInt
    ) -> AdHocObservation<O.Message> {
        adHoc(
            observable, replay: replay == .latest ? { latestOf(observable) } : nil, isolation: isolation, file: file,
            line: line)
    }
}

/// The latest message. A variable knows which that is even while updates wait.
@usableFromInline
func latestOf<O: BufferedObservable>(_ observable: O) -> [Replayed<ClosureHandler<O.Message>>] {
    if let variable = observable as? any Replaying<O.Message> { return variable.replayed }
    return [Replayed(Transactions.outsideUnlessComputing { observable.latestMessage }, observable)]
}

/// Knows its latest message even while updates wait.
protocol Replaying<Message> {
    associatedtype Message
    var replayed: [Replayed<ClosureHandler<Message>>] { get }
    func sendLatest(author: AnyObject)
}

extension DeferredVar: Replaying {
    var replayed: [Replayed<ClosureHandler<Update<Value>>>] { variable.replay(author: self) }

    func sendLatest(author: AnyObject) { _ = variable.sendLatest(author: author) }
}

extension Var: Replaying {
    var replayed: [Replayed<ClosureHandler<Update<Value>>>] {
        variable.replay(oldValue: { $0.old }, author: self)
    }

    func sendLatest(author: AnyObject) { _ = variable.sendLatest(author: author) }
}
