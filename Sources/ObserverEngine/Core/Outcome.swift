// SPDX-License-Identifier: MIT

/// What became of a send.
///
/// No enum: an enum is `Hashable` by itself, and hashing is seeded, which would bring a source of
/// randomness into the library for C.
public struct Outcome: Equatable, Sendable {
    /// Delivered, queued, or there are no observations.
    @inlinable public static var sent: Outcome { Outcome(code: 0) }
    /// It had to wait, and there was no memory for a copy. Nothing was sent.
    @inlinable public static var noMemory: Outcome { Outcome(code: 1) }
    /// It was sent, and a handler reported that it failed (law 25).
    @inlinable public static var handlerFailed: Outcome { Outcome(code: 2) }

    @usableFromInline let code: UInt8
    @inlinable init(code: UInt8) { self.code = code }
}
