// SPDX-License-Identifier: MIT

/// The result of a send.
///
/// No enum: an enum is `Hashable` by itself, and hashing is seeded, which would bring a source of
/// randomness into the library for C.
///
/// Its codes are the statuses of the library for C, which has nothing to convert then.
public struct Outcome: Equatable, Sendable {
    /// Delivered, queued, or there are no observations.
    @inlinable public static var sent: Outcome { Outcome(code: 0) }
    /// It had to wait, and there was no memory for a copy. Nothing was sent.
    @inlinable public static var noMemory: Outcome { Outcome(code: -5) }
    /// It was sent, and a handler reported that it failed (law 25).
    @inlinable public static var handlerFailed: Outcome { Outcome(code: -6) }
    /// It was sent, and an executor refused it, but no handler failed.
    @inlinable public static var refused: Outcome { Outcome(code: -11) }

    /// Nothing was set: a function runs on this thread that must not change anything (law 30).
    @inlinable public static var computing: Outcome { Outcome(code: -10) }
    /// Nothing was set: it changes in a turn of its own, which the transaction of this thread could not take back (law 33).
    @inlinable public static var inTransaction: Outcome { Outcome(code: -2) }

    public let code: Int32
    @inlinable init(code: Int32) { self.code = code }

    /// That of two sends that are one for their sender.
    @inlinable
    func and(_ other: Outcome) -> Outcome { self == .handlerFailed || other == .sent ? self : other }

    /// Ends the program if nothing was set.
    @inlinable @inline(__always)
    public func requireSet() {
        if _slowPath(code < 0) { requireSetSlowly() }
    }

    @usableFromInline @inline(never)
    func requireSetSlowly() {
        precondition(self != .computing, changesNothing)
        precondition(
            self != .inTransaction,
            "a variable that defers its assignments is set in no transaction: it changes in a turn of its own")
    }
}

/// What is wrong where ``Outcome/computing`` is the outcome.
public var changesNothing: String {
    "the function of a derived variable changes nothing: it sets no variable, and begins no transaction or effect"
}
