// SPDX-License-Identifier: MIT

/// What is done when its turn among the messages has come. It is handed what sends, and sends or does not.
public typealias Turn<Message> = (_ send: (Message) -> Void) -> Void

/// A message that waits, or what will make one.
public enum Pending<Message> {
    case message(Message)
    case turn(Turn<Message>)
}

/// A handler whose messages can be made when their turn has come.
public protocol TurnTaking: MessageHandler {
    /// Lets a turn wait among the messages; `nil` if there is no memory for it. No lock is held.
    static func wait(for turn: @escaping Turn<Message>) -> Waiting?
}
