// SPDX-License-Identifier: MIT

import Dispatch
import SwiftObserver

struct SwiftObserverVocabulary: Vocabulary {
    let name = "SwiftObserver"

    func scope(of law: Int) -> Scope {
        switch law {
        case 5: .elsewhere("SwiftObserverTests/Laws/Law05Unordered.swift")
        case 20: .elsewhere("SwiftObserverTests/Seed/TransformsAndBuffers.swift")
        case 21: .elsewhere("SwiftObserverTests/Observer/CombinedTests.swift")
        case 22: .elsewhere("SwiftObserverTests/Laws/Law22Authors.swift")
        case 24: .elsewhere("SwiftObserverTests/Laws/Law24Misuse.swift")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { MessengerChannel() }
    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value> { VarCell(value) }
    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message> { ReplayerChannel() }
    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int> { DelayedChannel(queue) }
    func makeChannel(beginningOn queue: DispatchQueue) -> (any Channel<Int>)? { LateChannel(queue) }
}

private final class MessengerChannel<Message>: Channel, @unchecked Sendable {
    private let messenger = Messenger<Message>()

    func send(_ message: Message) { messenger.send(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        let observer = FreeObserver()
        observer.observe(messenger, receive: anywhere(handler))
        return observer
    }
}

private final class DelayedChannel: Channel {
    private let messenger = Messenger<Int>()
    private let queue: Later

    init(_ queue: DispatchQueue) { self.queue = Later(queue: queue) }

    func send(_ message: Int) { messenger.send(message) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Kept {
        nonisolated(unsafe) let handler = handler
        let observer = FreeObserver()
        observer.observe(messenger, on: .async(queue)) { handler($0) }
        return observer
    }
}

private final class LateChannel: Channel {
    private let replayer = Messenger<Int>().replay(.latest)
    private let queue: Later

    init(_ queue: DispatchQueue) { self.queue = Later(queue: queue) }

    func send(_ message: Int) { replayer.source.send(message) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Kept {
        nonisolated(unsafe) let handler = handler
        let observer = FreeObserver()
        observer.observe(replayer, beginningOn: queue) { handler($0) }
        return observer
    }
}

private final class VarCell<Value: Equatable>: Cell, @unchecked Sendable {
    private let variable: Var<Value>

    init(_ value: Value) { variable = Var(value) }

    var value: Value { variable.value }
    func send(_ message: Value) { variable.value = message }
    func update(_ change: (Value) -> Value) { variable.update { $0 = change($0) } }

    func observe(_ handler: @escaping (Value) -> Void) -> any Kept {
        let observer = FreeObserver()
        observer.observe(variable).new(anywhere(handler))
        return observer
    }
}

private final class ReplayerChannel<Message>: Channel, @unchecked Sendable {
    private let replayer = Messenger<Message>().replay(.all)

    func send(_ message: Message) { replayer.source.send(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        let observer = FreeObserver()
        observer.observe(replayer, receive: anywhere(handler))
        return observer
    }
}

/// A handler that tests call on any thread, and know to be fit for it.
private func anywhere<Message>(_ handler: @escaping (Message) -> Void) -> @Sendable (Message) -> Void {
    nonisolated(unsafe) let handler = handler
    return { handler($0) }
}

extension FreeObserver: Kept {
    func stop() { stopObserving() }
}

struct Later: DeliveryQueue {
    let queue: DispatchQueue
    func runLater(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }
}
