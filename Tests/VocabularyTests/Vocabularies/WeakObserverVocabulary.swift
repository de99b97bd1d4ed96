// SPDX-License-Identifier: MIT

import Dispatch
import SwiftObserver

/// SwiftObserver, where the observer is an object that is held weakly.
struct WeakObserverVocabulary: Vocabulary {
    let name = "SwiftObserver, weakly"

    func scope(of law: Int) -> Scope {
        switch law {
        case 15...18, 20...22: .inapplicable("does not depend on who observes")
        case 5: .elsewhere("SwiftObserverTests/Observer/WeaklyTests.swift")
        case 19: .elsewhere("SwiftObserverTests/Observer/WeaklyTests.swift")
        case 24: .inapplicable("there is nothing to do wrong")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { MessengerChannel() }
    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int> { DelayedChannel(queue) }
}

private final class MessengerChannel<Message>: Channel, @unchecked Sendable {
    private let messenger = Messenger<Message>()

    func send(_ message: Message) { messenger.send(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        nonisolated(unsafe) let handler = handler
        return WeaklyKept { messenger.observe(weakly: $0) { handler($1) } }
    }
}

private final class DelayedChannel: Channel {
    private let messenger = Messenger<Int>()
    private let queue: Later

    init(_ queue: DispatchQueue) { self.queue = Later(queue: queue) }

    func send(_ message: Int) { messenger.send(message) }

    func observe(_ handler: @escaping (Int) -> Void) -> any Kept {
        nonisolated(unsafe) let handler = handler
        return WeaklyKept { messenger.observe(weakly: $0, on: .async(queue)) { handler($1) } }
    }
}

/// The object for which is observed, with the name of the observation.
///
/// - Note: `@unchecked Sendable`: the name is set when this is made.
private final class WeaklyKept: Kept, @unchecked Sendable {
    private var observation: ObservationHandle?

    init(_ begin: (WeaklyKept) -> ObservationHandle) { observation = begin(self) }

    func stop() { observation?.stop() }
}
