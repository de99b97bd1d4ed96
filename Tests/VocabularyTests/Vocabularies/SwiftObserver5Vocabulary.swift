// SPDX-License-Identifier: MIT

import SwiftObserver5

struct SwiftObserver5Vocabulary: Vocabulary {
    let name = "SwiftObserver5"

    func scope(of law: Int) -> Scope {
        switch law {
        case 5: .inapplicable("has no word for it")
        case 15: .elsewhere("SwiftObserver5Tests/Seed/Variables.swift")
        case 17: .elsewhere("ObserverEngineTests/DeferredVariableTests.swift")
        case 19: .inapplicable("replays nothing")
        case 20: .elsewhere("SwiftObserver5Tests/Seed/GetStarted.swift")
        case 21: .elsewhere("SwiftObserver5Tests/BadInputTests.swift")
        case 22: .inapplicable("has no authors, and its mappings remember nothing")
        case 23: .inapplicable("delivers directly only")
        case 24: .elsewhere("SwiftObserver5Tests/BadInputTests.swift")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { MessengerChannel() }
    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value> { VarCell(value) }
}

private final class MessengerChannel<Message>: Channel, @unchecked Sendable {
    private let messenger = Messenger<Message?>()

    func send(_ message: Message) { messenger.send(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        let observer = Observing()
        observer.observe(messenger) { if let message = $0 { handler(message) } }
        return observer
    }
}

private final class VarCell<Value: Equatable>: Cell, @unchecked Sendable {
    private let variable: Var<Value>

    init(_ value: Value) { variable = Var(value) }

    var value: Value { variable.value }
    func send(_ message: Value) { variable.value = message }

    func observe(_ handler: @escaping (Value) -> Void) -> any Kept {
        let observer = Observing()
        observer.observe(variable).new(handler)
        return observer
    }
}

private final class Observing: Observer, Kept {
    func stop() { stopObserving() }
}
