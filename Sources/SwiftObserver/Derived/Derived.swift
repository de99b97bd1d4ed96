// SPDX-License-Identifier: MIT

import ObserverEngine

/// A variable that has the value of a function over others.
///
///     let width = Var(2.0), height = Var(3.0)
///     let area = Derived { width.value * height.value }
///     observer.observe(area) { update in print(update.new) }
///     width.value = 4    // 12.0
///
/// It depends on what the function reads in its last run, other derived variables included; not on what that
/// reads inside of ``untracked(_:)``. The function sees all of it as of one moment, whatever other threads set meanwhile.
/// It runs when its value is needed: when it is read and something has changed, or, while it is observed, once after each
/// assignment or ``transaction(_:)``. If the new value equals the old one, nothing is sent.
///
/// The function runs without a lock, on the thread that reads or that sets, and on two threads at once if both do. So it is
/// `Sendable`, and it changes nothing: setting a variable in it ends the program with a sentence.
///
/// An error that a function throws is the value until something changes: see ``result``. A function that throws none has the `Failure`
/// `Never`, and then `value` needs no `try`. One that needs its own value throws a ``CycleError``, or, if it cannot throw
/// that, ends the program with the names of the variables on the way (``Messenger/name``).
///
/// It keeps what it depends on alive, and nothing keeps it but you, those that depend on it, and transforms of it.
public final class Derived<Value, Failure: Error>: Observable {
    /// Carries the updates to the observers.
    public let messenger: Messenger<Update<Value>>

    @usableFromInline let variable: DerivedVariable<ClosureRule<Value>>

    /// A variable that has the value of a function.
    @inlinable
    public init(_ function: @escaping @Sendable () throws(Failure) -> Value) {
        let messenger = Messenger<Update<Value>>(of: Derived.self)
        let author = WeakAuthor()
        self.messenger = messenger
        variable = DerivedVariable(
            core: messenger.core,
            rule: ClosureRule(author: author, equality: equality(of: Value.self)) { derive(function) })
        author.object = self
        variable.isOwned(by: self)
        messenger.replay = { [unowned(unsafe) variable] in
            variable.observationsBegan()
            return []
        }
    }

    deinit { variable.close() }

    /// The value, or what the function has thrown.
    @inlinable
    public var result: Result<Value, Failure> {
        switch variable.get() {
        case .value(let value): .success(value)
        case .failure(let failure): .failure(error(of: failure))
        }
    }

    /// The value. It throws what the function has thrown.
    @inlinable
    public var value: Value {
        get throws(Failure) { try result.get() }
    }
}

extension Derived where Failure == Never {
    // Of its own: the compiler (6.3) does not survive a property that throws `Never`.

    /// The value.
    @inlinable
    public var value: Value {
        switch result {
        case .success(let value): value
        }
    }
}

extension Derived: BufferedObservable where Failure == Never {
    /// The present value as an update that changes nothing.
    public var latestMessage: Update<Value> {
        let value = value
        return Update(value, value)
    }
}

extension Derived: Replaying {
    var replayed: [Replayed<ClosureHandler<Update<Value>>>] {
        variable.observationsBegan()
        return variable.replay(oldValue: { $0.old }, author: self)
    }

    func sendLatest(author: AnyObject) { _ = variable.sendLatest(author: author) }
}

/// - Note: `@unchecked`: the value guards itself, and the function is `Sendable`.
extension Derived: @unchecked Sendable where Value: Sendable {}

/// A derived variable needs its own value.
public struct CycleError: Error, Equatable, CustomStringConvertible {
    /// The names of the variables on the way: "a -> b -> a".
    public let names: String

    public var description: String { "a derived variable needs its own value: \(names)" }
}

/// The observable is the author of its updates, as long as it lives.
///
/// - Note: `@unchecked`: set once, when the observable is made.
@usableFromInline
final class WeakAuthor: @unchecked Sendable {
    @usableFromInline weak var object: AnyObject?

    @usableFromInline init() {}
}

/// A closure, and how its values are compared.
@usableFromInline
struct ClosureRule<Value>: DerivingRule {
    @usableFromInline typealias Handler = ClosureHandler<Update<Value>>

    @usableFromInline let author: WeakAuthor
    @usableFromInline let equality: (Value, Value) -> Bool
    @usableFromInline let function: () -> Derivation<Value>

    @inlinable
    init(author: WeakAuthor, equality: @escaping (Value, Value) -> Bool, function: @escaping () -> Derivation<Value>) {
        self.author = author
        self.equality = equality
        self.function = function
    }

    @inlinable func derive() -> Derivation<Value> { function() }
    @inlinable func isEqual(_ old: Value, _ new: Value) -> Bool { equality(old, new) }
    @inlinable func isEqualPlain(_ old: Value, _ new: Value) -> Bool? { ObserverEngine.isEqualPlain(old, new) }
    @inlinable func makeMessage(_ old: Value, _ new: Value) -> Update<Value> { Update(old, new) }
    @inlinable func author(of core: Core<Handler>) -> AnyObject { author.object ?? author }
}

/// The error that a function has thrown.
private final class ThrownFailure: DerivedFailure {
    let error: any Error

    init(_ error: any Error) {
        self.error = error
        super.init()
    }

    override func isSame(as other: DerivedFailure) -> Bool {
        guard let other = other as? ThrownFailure else { return false }
        return self === other || areEqual(error, other.error)
    }
}

private func areEqual(_ one: any Error, _ other: any Error) -> Bool {
    func isEqual<Same: Equatable>(_ one: Same) -> Bool { other as? Same == one }
    return (one as? any Equatable).map { isEqual($0) } ?? false
}

@inlinable
func derive<Value, Failure: Error>(_ function: () throws(Failure) -> Value) -> Derivation<Value> {
    do {
        return .value(try function())
    } catch {
        return .failure(failure(error))
    }
}

@usableFromInline
func failure(_ error: any Error) -> DerivedFailure {
    // The names on the way go on as they are.
    if error is CycleError, let read = failureReadLast(), read.isCircle { return read }
    return ThrownFailure(error)
}

@usableFromInline
func error<Failure: Error>(of failure: DerivedFailure) -> Failure {
    let error: any Error
    if failure.isCircle {
        error = CycleError(names: failure.circle.map { String(cString: $0) } ?? "")
    } else {
        error = (failure as! ThrownFailure).error
    }
    guard let error = error as? Failure else { fatalError("\(error)") }
    return error
}
