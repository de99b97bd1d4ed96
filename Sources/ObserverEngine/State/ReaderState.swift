// SPDX-License-Identifier: MIT

/// What the thread to which a core is biased is doing.
@usableFromInline
enum ReaderState {
    @usableFromInline static let idle: UInt8 = 0
    /// It delivers, and may for long.
    @usableFromInline static let delivering: UInt8 = 1
    /// It does something short that runs no foreign code: another thread waits for the end of it.
    @usableFromInline static let critical: UInt8 = 2
}
