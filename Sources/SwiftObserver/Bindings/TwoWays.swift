// SPDX-License-Identifier: MIT

import ObserverEngine

extension Var {
    /// Lets two variables follow each other. This one has its way at first.
    ///
    ///     name.bind(to: textField, both: true)
    ///
    /// Any thread may set either of them: whatever several set meanwhile, in the end both have the same value, that of one of
    /// the last two. Each change goes to the other side once and does not come back; its author there is the binding, which is no
    /// object of yours.
    ///
    /// The binding lasts until it is stopped, or until one of the variables dies. It keeps neither.
    ///
    /// - Parameter both: `false` makes it one way.
    @discardableResult
    public func bind(to other: Var<Value>, both: Bool) -> ObservationHandle {
        both ? bind(to: other, convert: { $0 }, back: { $0 }) : bind(to: other)
    }

    /// Lets two variables follow each other, through a closure and its inverse. This one has its way at first.
    ///
    ///     celsius.bind(to: text, convert: { "\($0)" }, back: { Int($0) })
    ///
    /// Where the inverse returns `nil` there is no such value, and the other side stays as it is. What one closure makes is not
    /// put through the other one, so the two need not be exact. Everything else is as with ``bind(to:both:)``.
    @discardableResult
    public func bind<Other>(
        to other: Var<Other>, convert: @escaping @Sendable (Value) -> Other,
        back: @escaping @Sendable (Other) -> Value?
    ) -> ObservationHandle {
        precondition((self as AnyObject) !== other, "a variable cannot be bound to itself")
        return TwoWayBinding(self, other, convert, back).begin()
    }
}

/// Copies the value of one of two variables to the other, one copy at a time.
///
///     one <--observation-- [line: there, back, ...] --observation--> other
///
/// A message says only that there is something to copy: what is copied is the present value. So whatever threads set
/// meanwhile, the last copy makes both sides agree. What it sets comes back as a message of which it is the author,
/// and is left at that.
///
/// - Note: `@unchecked Sendable`: the closures are `Sendable`, and only the runtime sets the references.
private final class TwoWayBinding<One, Other>: @unchecked Sendable {
    private weak var one: Var<One>?
    private weak var other: Var<Other>?
    private let convert: (One) -> Other
    private let back: (Other) -> One?

    init(
        _ one: Var<One>, _ other: Var<Other>, _ convert: @escaping (One) -> Other, _ back: @escaping (Other) -> One?
    ) {
        self.one = one
        self.other = other
        self.convert = convert
        self.back = back
    }

    func begin() -> ObservationHandle {
        guard let one, let other else { preconditionFailure("both are alive") }
        let line = BindingLine { [self] goesBack in copy(back: goesBack) }
        let parts = [
            line.observe(one.messenger, besides: self) { line.take(back: false) },
            line.observe(other.messenger, besides: self) { line.take(back: true) },
        ]
        line.take(back: false)
        return ObservationHandle(id: line.id, parts: parts)
    }

    private func copy(back goesBack: Bool) {
        guard let one, let other else { return }
        if goesBack {
            if let value = back(other.value) { one.set(value, author: self) }
        } else {
            other.set(convert(one.value), author: self)
        }
    }
}

/// Brings copies of several threads into line. It ends when one of the observations that it is held by ends.
private final class BindingLine: Sendable {
    let id: ObservationID
    private let core: Core<ClosureHandler<Bool>>
    private let parts = Keeper()

    init(_ copy: @escaping (_ goesBack: Bool) -> Void) {
        let core = Core<ClosureHandler<Bool>>()
        self.core = core
        id = core.observe(.message(copy))
        core.follow { [parts] _ in parts.stopAll() }
    }

    deinit { core.close() }

    func take(back goesBack: Bool) { _ = core.send(goesBack, author: self) }

    /// Calls when a message has another author than one.
    func observe<Message>(
        _ messenger: Messenger<Message>, besides author: AnyObject, _ receive: @escaping () -> Void
    ) -> ObservationID {
        let end = BindingEnd(self), author = ObjectIdentifier(author)
        return messenger.core.observe(continuingIn: id, feeding: core) { id in
            parts.keep(id)
            return .authored { _, by in
                withExtendedLifetime(end) { if ObjectIdentifier(by) != author { receive() } }
            }
        }
    }
}

/// Ends a line when the observation that holds this ends.
private final class BindingEnd: Sendable {
    private let line: BindingLine
    init(_ line: BindingLine) { self.line = line }
    deinit { line.id.stop() }
}
