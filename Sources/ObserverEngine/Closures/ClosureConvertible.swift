// SPDX-License-Identifier: MIT

/// A handler that can be made of a closure.
public protocol ClosureConvertible: MessageHandler {
    init(closure: @escaping (Message, Author) -> Void)
}
