// SPDX-License-Identifier: MIT

import Dispatch
import MiniRex

struct MiniRexVocabulary: Vocabulary {
    let name = "MiniRex"

    func scope(of law: Int) -> Scope {
        switch law {
        case 5: .inapplicable("has no word for it")
        case 17: .elsewhere("MiniRexTests/FaultTests.swift")
        case 18: .inapplicable("its document has the value posted on subscribing")
        case 20: .inapplicable("a publisher cannot be asked for its latest update")
        case 21: .inapplicable("subscribes to one publisher at a time")
        case 22: .elsewhere("MiniRexTests/Seed/PrebuiltPublishers.swift")
        case 24: .elsewhere("MiniRexTests/BadInputTests.swift")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { BroadcasterChannel { $0 } }
    func makeCell<Value: Equatable>(_ value: Value) -> any Cell<Value> { PropertyCell(value) }
    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message> { PropertyChannel() }

    func makeChannel(deliveringOn queue: DispatchQueue) -> any Channel<Int> {
        BroadcasterChannel { $0.dispatch(updateQueue: queue) }
    }

    func makeChannel(beginningOn queue: DispatchQueue) -> (any Channel<Int>)? {
        PropertyChannel { $0.dispatch(subscribeQueue: queue) }
    }
}

private final class BroadcasterChannel<Message>: Channel, @unchecked Sendable {
    private let broadcaster = Broadcaster<Message>()
    private let adapt: (Publisher<Message>) -> Publisher<Message>

    init(_ adapt: @escaping (Publisher<Message>) -> Publisher<Message>) { self.adapt = adapt }

    func send(_ message: Message) { broadcaster.broadcast(update: message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        adapt(broadcaster.publisher).subscribe(handler)
    }
}

private final class PropertyCell<Value>: Cell, @unchecked Sendable {
    private let property: PublishedProperty<Value>

    init(_ value: Value) { property = PublishedProperty(withInitialValue: value) }

    let replaysLatest = true
    var value: Value { property.value }
    func send(_ message: Value) { property.value = message }
    func observe(_ handler: @escaping (Value) -> Void) -> any Kept { property.publisher.subscribe(handler) }
}

private final class PropertyChannel<Message>: Channel, @unchecked Sendable {
    private let property = PublishedProperty<Message?>(withInitialValue: nil)
    private let adapt: (Publisher<Message?>) -> Publisher<Message?>

    init(_ adapt: @escaping (Publisher<Message?>) -> Publisher<Message?> = { $0 }) { self.adapt = adapt }

    let replaysLatest = true
    func send(_ message: Message) { property.value = message }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        adapt(property.publisher).subscribe { if let message = $0 { handler(message) } }
    }
}

extension Subscription: Kept {
    func stop() { invalidate() }
}
