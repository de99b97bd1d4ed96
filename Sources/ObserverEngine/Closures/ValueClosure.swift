// SPDX-License-Identifier: MIT

/// A handler that is a Swift closure, which takes the new value of each update. Not a closure around another,
/// which would make two calls of each.
@frozen
public struct ValueClosure<Value>: MessageHandler {
    @usableFromInline let call: (Value) -> Void

    @inlinable
    public init(_ call: @escaping (Value) -> Void) { self.call = call }

    @inlinable public static var inert: ValueClosure { ValueClosure { _ in } }

    @inlinable public func receive(_ update: Update<Value>, _ author: Void) { call(update.new) }

    /// The closure holds its own context, and lets go of it with this value.
    @inlinable public func end(_ destroy: Destroy?) {}

    @inlinable public static func keep(_ update: Update<Value>) -> Update<Value>? { update }

    @inlinable
    public static func withMessage(_ waiting: borrowing Update<Value>, _ body: (Update<Value>) -> Void) {
        body(copy waiting)
    }
}
