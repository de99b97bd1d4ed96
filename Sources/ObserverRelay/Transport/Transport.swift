// SPDX-License-Identifier: MIT

/// What carries the messages of a relay. All of it is called under the relay's `loopLock`, which is the network thread's
/// but while a transport that allows for that waits in `step`; and so are the functions of the relay that a transport calls:
/// `connected`, `lost`, `received`, `acknowledged`, `subscribed`.
///
/// An enum where others would have a protocol: Embedded Swift then calls it directly.
enum Transport {
    case mqtt(MQTTTransport)
    case memory(MemoryTransport)
    case dbus(DBusTransport)

    init(_ address: Address) {
        switch address {
        case .mqtt: self = .mqtt(MQTTTransport())
        case .memory(let name): self = .memory(MemoryTransport(broker: name))
        case .dbus: self = .dbus(DBusTransport())
        }
    }

    /// Begins to connect. Returns why it cannot.
    func connect(_ relay: Relay) -> Bytes? {
        switch self {
        case .mqtt(let transport): transport.connect(relay)
        case .memory(let transport): transport.connect(relay)
        case .dbus(let transport): transport.connect(relay)
        }
    }

    /// Sends a message. What is sent reliably is acknowledged, by the number that is returned; a negative one says that
    /// it cannot be sent.
    func publish(
        _ message: Outgoing, _ topic: Bytes, _ payload: Bytes, isReliable: Bool, isRetained: Bool, seq: UInt64?
    ) -> Int32 {
        switch self {
        case .mqtt(let transport):
            transport.publish(topic, payload, isReliable: isReliable, isRetained: isRetained, seq: seq)
        case .memory(let transport): transport.publish(topic, payload, isRetained: isRetained, seq: seq)
        case .dbus(let transport): transport.publish(message, topic, payload, isReliable: isReliable)
        }
    }

    /// Asks for the messages of topics, and first, if wanted, for what is retained there.
    /// - Parameter number: what messages come with that come for this reason. Of `ownNumber`, none of this relay's come.
    func subscribe(_ topics: [Bytes], isReliable: Bool, withRetained: Bool, number: UInt32) -> Int32 {
        switch self {
        case .mqtt(let transport):
            transport.subscribe(topics, isReliable: isReliable, withRetained: withRetained, number: number)
        case .memory(let transport): transport.subscribe(topics, withRetained: withRetained, number: number)
        case .dbus(let transport): transport.subscribe(topics, withRetained: withRetained, number: number)
        }
    }

    func unsubscribe(_ topic: Bytes) {
        switch self {
        case .mqtt(let transport): transport.unsubscribe(topic)
        case .memory(let transport): transport.unsubscribe(topic)
        case .dbus(let transport): transport.unsubscribe(topic)
        }
    }

    /// Whether what is published now would wait.
    var isFull: Bool {
        switch self {
        case .mqtt(let transport): transport.isFull
        case .memory: false
        case .dbus(let transport): transport.isFull
        }
    }

    /// How many messages it is given before it is asked again whether it is full.
    var mostInBatch: Int { if case .mqtt = self { 32 } else { 1 } }

    /// Whether what is retained may still come, although the subscription is complete. Such a transport also says what has
    /// no value.
    var isAwaiting: Bool { if case .dbus(let transport) = self { transport.isAwaiting } else { false } }
    var saysWhatIsNull: Bool { if case .dbus = self { true } else { false } }

    /// Whether it may lose or refuse a value that is not sent reliably, and say nothing.
    var isLossy: Bool { if case .mqtt = self { true } else { false } }

    /// Whether others can publish in the place of the own device.
    var isShared: Bool { if case .dbus = self { false } else { true } }

    /// Whether a request is acknowledged when its owner has answered it.
    var answersRequests: Bool { if case .dbus = self { true } else { false } }

    /// What people have to know of a relay that is ready.
    var remark: Bytes? { if case .dbus(let transport) = self { transport.remark } else { nil } }

    /// Waits until something has come in, `event` is raised, or so many milliseconds have passed. Returns whether so much
    /// had come in that there may have been no room for more.
    func step(event: Int32, milliseconds: Int32) -> Bool {
        switch self {
        case .mqtt(let transport): transport.step(event: event, milliseconds: milliseconds)
        case .memory(let transport): transport.step(event: event, milliseconds: milliseconds)
        case .dbus(let transport): transport.step(event: event, milliseconds: milliseconds)
        }
    }

    /// - Parameter isPolite: the will is not wanted.
    func disconnect(isPolite: Bool) {
        switch self {
        case .mqtt(let transport): transport.disconnect(isPolite: isPolite)
        case .memory(let transport): transport.disconnect(isPolite: isPolite)
        case .dbus(let transport): transport.disconnect(isPolite: isPolite)
        }
    }
}

/// A message that came in, borrowed for the length of a call.
struct Incoming {
    let topic: UnsafeRawBufferPointer
    let payload: UnsafeRawBufferPointer
    let isRetained: Bool
    /// The number of the subscription it came for; `unknownNumber`: the broker does not say.
    let subscription: UInt32
    /// 0: it names none.
    let author: UInt64
    let seq: UInt64
}
