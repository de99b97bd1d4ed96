// SPDX-License-Identifier: MIT

import Dispatch
import Testing

/// One of the vocabularies, in the words that all of them share, so that the laws are tested for all at once.
///
/// An adapter of one file says these words in the vocabulary's own. Whatever is missing there it leaves out,
/// and says so in ``scope(of:)``.
protocol Vocabulary: Sendable, CustomTestStringConvertible {
    /// The name of the module, and of the way of observing where there are several.
    var name: String { get }

    /// Whether a law is tested here for this vocabulary, or elsewhere, or why it does not apply.
    func scope(of law: Int) -> Scope

    /// The plainest thing that sends messages.
    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message>

    /// A value that can be observed. Not asked for where laws 15 to 18 do not apply.
    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value>

    /// Something that replays what has been sent to new observers, the last messages at least. Not asked for
    /// where law 19 does not apply.
    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message>

    /// Something whose observers receive on a queue, later. Not asked for where law 23 does not apply.
    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int>

    /// Something that replays its latest message, and whose observations begin on a queue, later. `nil` where
    /// they begin at once, always.
    func makeChannel(beginningOn queue: DispatchQueue) -> (any Channel<Int>)?
}

extension Vocabulary {
    var testDescription: String { name }

    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value> {
        fatalError("\(name) has no variables")
    }

    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message> {
        fatalError("\(name) does not replay")
    }

    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int> {
        fatalError("\(name) delivers directly only")
    }

    func makeChannel(beginningOn queue: DispatchQueue) -> (any Channel<Int>)? { nil }
}

/// Something that sends messages and is observed. When it dies, the observable dies.
protocol Channel<Message>: AnyObject, Sendable {
    associatedtype Message

    func send(_ message: Message)

    /// Begins an observation.
    func observe(_ handler: @escaping (Message) -> Void) -> any Kept

    /// Whether observers receive the latest message on beginning, without asking for it.
    var replaysLatest: Bool { get }
}

extension Channel {
    var replaysLatest: Bool { false }
}

/// A value that can be observed: its messages are its new values, and to send is to set.
protocol Cell<Message>: Channel {
    var value: Message { get }

    /// Changes the value in one step. Not asked for where law 17 does not apply.
    func update(_ change: (Message) -> Message)
}

extension Cell {
    func update(_ change: (Message) -> Message) { fatalError("changes in more than one step only") }
}

/// An observation together with what keeps it alive, whatever that is: when this dies, the observation ends.
protocol Kept: AnyObject, Sendable {
    func stop()
}

/// What a law is to a vocabulary.
enum Scope: Equatable {
    /// The suite here tests it.
    case tested
    /// A file of tests does, which knows more of the vocabulary than all of them share.
    case elsewhere(_ file: String)
    /// It does not apply, for a reason.
    case inapplicable(_ reason: String)
}
