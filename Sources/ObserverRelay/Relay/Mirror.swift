// SPDX-License-Identifier: MIT

/// Something of another program, as this one has it. Guarded by the lock of its relay.
public final class Mirror: @unchecked Sendable {
    /// Ends with a zero.
    let topic: Bytes
    public var observationName: Bytes { nameOfObservation(serving: topic) }
    /// Called on the relay's delivery thread, with no lock held.
    let receive: (Value) -> Void
    /// `nil`: it is an attribute of a device.
    let device: Device?
    /// Where it stands among the mirrors of its device.
    var place = 0
    var author: UInt64 = 0
    var seq: UInt64 = 0
    /// Which of the last events have come, for they may come twice.
    var seen = SeenNumbers()
    /// What was received last.
    var value: Value?
    let datatype: Datatype
    /// Whether it has a value: whether it is no messenger.
    let isRetained: Bool
    /// Whether its value is among what is to be delivered.
    var isWaiting = false
    /// Whether the broker has not said yet what it retains.
    var isAwaited: Bool
    /// Whether something has come that its owner may not have sent: what the broker retains decides.
    var isDoubted = false
    var isForgotten = false

    /// The number of the value that was asked for last, while its owner has not answered; 0: none.
    var asked: UInt64 = 0
    /// Whether the broker has taken that request: what comes later may be the answer.
    var isAskedFor = false
    /// That value, and whether its owner was coming, and may not have heard: it is asked again once it is there.
    var askedValue = Value.null
    var isAskedEarly = false
    /// Whether what became of it is still to be delivered.
    var isSettling = false
    /// Whether the owner is heard of what it is about to do: of the property's `$target`.
    var hasTarget = false

    /// In milliseconds, since when nothing says that its owner has this value; 0: it has.
    var unconfirmedSince: Int64
    /// Whether that was so for too long, and the mirror has become null.
    var isStale = false

    init(
        topic: Bytes, device: Device?, datatype: Datatype, isRetained: Bool, unconfirmedSince: Int64,
        receive: @escaping (Value) -> Void
    ) {
        self.topic = topic
        self.device = device
        self.unconfirmedSince = unconfirmedSince
        self.datatype = datatype
        self.isRetained = isRetained
        isAwaited = isRetained
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
    var isEnded = false

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
    /// The same, for what the relay's end undoes.
    case undone(Mirror)
    case event(Mirror, Value)
    case request(Publication, Value)
    case watched(Watcher, Watched)
    /// The state that has waited longest.
    case state
}
