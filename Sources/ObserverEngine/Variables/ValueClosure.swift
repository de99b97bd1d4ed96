// SPDX-License-Identifier: MIT

/// A handler that is a Swift closure, which takes the new value of each update. Not a closure around another,
/// which would make two calls of each.
@frozen
public struct ValueClosure<Value>: CopyingHandler {
    @usableFromInline let call: (Value) -> Void

    @inlinable
    public init(_ call: @escaping (Value) -> Void) { self.call = call }

    @inlinable public static var tombstone: ValueClosure { ValueClosure { _ in } }

    @inlinable public func receive(_ update: Update<Value>, _ author: Void) { call(update.new) }
}
