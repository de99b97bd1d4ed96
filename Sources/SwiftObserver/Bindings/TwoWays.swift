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
    /// - Parameters:
    ///   - other: follows this one, and is followed.
    ///   - both: `false` makes it one way.
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
///     one --part 0----\
///     other --part 1---+--> junction --> there, back
///
/// A message says only that there is something to copy: what is copied is the present value. So whatever threads set
/// meanwhile, the last copy makes both sides agree. What it sets comes back as a message of which it is the author,
/// and is left at that.
///
/// The junction holds it, and each part holds the junction, which ends with the first part that does.
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
        let junction = Junction<ClosureHandler<Void>> { [self] part, _, _ in
            if part == 0 { there() } else { backAgain() }
            return true
        }
        let parts = Keeper()
        junction.whenStopped { parts.stopAll() }
        let ids = [observe(one.messenger, as: 0, of: junction), observe(other.messenger, as: 1, of: junction)]
        for id in ids { parts.keep(id) }
        _ = junction.signal(0, author: self)
        return ObservationHandle(id: junction.id, parts: ids)
    }

    private func there() {
        if let one, let other { set(other, convert(one.value)) }
    }

    private func backAgain() {
        if let one, let other, let value = back(other.value) { set(one, value) }
    }

    private func set<Value>(_ variable: Var<Value>, _ value: Value) {
        variable.messenger.core.setByBinding { variable.variable.set(value, author: self) }.requireSet()
    }

    private func observe<Message>(
        _ messenger: Messenger<Message>, as part: Int, of junction: Junction<ClosureHandler<Void>>
    ) -> ObservationID {
        let end = EndOfPart(junction), binding = ObjectIdentifier(self)
        let handler = ClosureHandler<Message>.authored { _, author in
            if ObjectIdentifier(author) != binding { _ = end.junction.signal(part, author: author) }
        }
        return messenger.core.observe(handler, continuingIn: junction.id)
    }
}

/// Ends a junction with the observation that holds this.
private final class EndOfPart: Sendable {
    let junction: Junction<ClosureHandler<Void>>
    init(_ junction: Junction<ClosureHandler<Void>>) { self.junction = junction }
    deinit { junction.id.stop() }
}
