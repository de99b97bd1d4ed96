// SPDX-License-Identifier: MIT

/// Something of another program, as this one has it. Guarded by the lock of its relay.
public final class Mirror: @unchecked Sendable {
    /// Ends with a zero.
    let topic: Bytes
    /// Called on the relay's delivery thread, with no lock held.
    let receive: (Value) -> Void
    var author: UInt64 = 0
    var seq: UInt64 = 0
    /// What was received last.
    var value: Value?
    let datatype: Datatype
    /// Whether it has a value: whether it is no messenger.
    let isRetained: Bool
    /// Whether its value is among what is to be delivered.
    var isWaiting = false
    /// Whether the broker was asked what it retains, and has not said.
    var isAwaited = false
    var isForgotten = false

    init(topic: Bytes, datatype: Datatype, isRetained: Bool, receive: @escaping (Value) -> Void) {
        self.topic = topic
        self.datatype = datatype
        self.isRetained = isRetained
        self.receive = receive
    }
}

/// All messages of some topics, as they come in; of each topic the latest. Guarded by the lock of its relay.
public final class Watcher: @unchecked Sendable {
    /// Ends with a zero.
    let filter: Bytes
    /// What ends this.
    public let number: UInt32
    /// What the broker sends along. To it the same filter is one subscription, so those that have it share this.
    let subscription: UInt32
    /// Called on the relay's delivery thread, with no lock held.
    let receive: (_ topic: Bytes, _ payload: Bytes) -> Void
    /// What waits to be delivered.
    var waiting = Table<Watched>()

    init(
        filter: Bytes, number: UInt32, subscription: UInt32,
        receive: @escaping (_ topic: Bytes, _ payload: Bytes) -> Void
    ) {
        self.filter = filter
        self.number = number
        self.subscription = subscription
        self.receive = receive
    }
}

final class Watched {
    let topic: Bytes
    var payload: Bytes

    init(topic: Bytes, payload: Bytes) {
        self.topic = topic
        self.payload = payload
    }
}

/// What waits to be handed to the program.
enum Delivery {
    /// The latest value at the time when it is delivered.
    case value(Mirror)
    case event(Mirror, Value)
    case request(Publication, Value)
    case watched(Watcher, Watched)
    case state(Bytes)
}
