// SPDX-License-Identifier: MIT

import Dispatch
import SteinsKit

struct SteinsKitVocabulary: Vocabulary {
    let name = "SteinsKit"

    func scope(of law: Int) -> Scope {
        switch law {
        case 5: .inapplicable("has no word for it")
        case 16: .inapplicable("its document has every value sent that is accepted")
        case 18: .inapplicable("its document has the latest value delivered on beginning")
        case 20: .elsewhere("SteinsKitTests/Seed/TellMeMore.swift")
        case 21: .inapplicable("observes one observable at a time")
        case 22: .inapplicable("has no authors, and its only transform remembers nothing")
        case 24: .elsewhere("SteinsKitTests/BadInputTests.swift")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { LazyChannel() }
    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value> { VariableCell(value) }
    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message> { LazyChannel() }
    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int> { LazyChannel(.async(queue)) }
}

private final class LazyChannel<Message>: Channel, @unchecked Sendable {
    private let variable = LazyVariable<Message>()
    private let method: ExecutionMethod

    init(_ method: ExecutionMethod = .directly) { self.method = method }

    let replaysLatest = true
    func send(_ message: Message) { variable.accept(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        Bound { variable.beObserved(by: $0, method, disposer: $1) { handler($1) } }
    }
}

private final class VariableCell<Value>: Cell, @unchecked Sendable {
    private let variable: Variable<Value>

    init(_ value: Value) { variable = Variable(value) }

    let replaysLatest = true
    var value: Value { variable.currentValue }
    func send(_ message: Value) { variable.accept(message) }
    func update(_ change: (Value) -> Value) { variable.accept(change) }

    func observe(_ handler: @escaping (Value) -> Void) -> any Kept {
        Bound { variable.beObserved(by: $0, disposer: $1) { handler($1) } }
    }
}

/// The observer, which holds its disposer until the observation is stopped.
private final class Bound: Kept, @unchecked Sendable {
    private final class Disposer {}
    private var disposer: Disposer? = Disposer()

    init(_ begin: (Bound, AnyObject) -> Void) { begin(self, disposer!) }

    func stop() { disposer = nil }
}
