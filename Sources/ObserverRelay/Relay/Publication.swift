// SPDX-License-Identifier: MIT

/// Something of this program that others can observe. Guarded by the lock of its relay.
public final class Publication: @unchecked Sendable {
    /// Each ends with a zero.
    let topic: Bytes
    let requests: Bytes
    public var observationName: Bytes { nameOfObservation(serving: topic) }
    /// `node/property`.
    let path: Bytes
    let datatype: Datatype
    /// Set where others may ask for another value: sets it, and says whether it could.
    let set: ((Value) -> Bool)?
    /// Whether it has a value: whether it is no messenger.
    let isRetained: Bool
    /// What others are told of it beside its type.
    let about: About
    /// Whether null is a value that others may ask for.
    let takesNull: Bool

    var value = Value.null
    /// Whether the program has published its value, without which the device is not ready. A messenger needs none.
    var hasValue: Bool
    var seq: UInt64 = 0
    /// Whether its value is among what is to be sent.
    var isWaiting = false
    /// How many values others have asked for, and of how many the program has decided.
    var requested: UInt64 = 0
    var decided: UInt64 = 0
    /// Who asked last, and with which number: the same may come twice.
    var asked: (author: UInt64, number: UInt64) = (0, 0)
    /// What is still published, or was asked for, then goes nowhere.
    var isWithdrawn = false
    /// Whether the broker has taken a value on this connection.
    var isAccepted = false
    /// Whether what waits to be sent is what was sent last, once more.
    var isRepeated = false

    // Guarded by the loop lock.
    /// Whether it is among what is proved once it is quiet, since when, and when it was sent last.
    var isUnproven = false
    var unprovenSince: Int64 = 0
    var sentAt: Int64 = 0
    /// Whether others have published in its place.
    var isContested = false

    init(
        path: Bytes, device: Bytes, datatype: Datatype, isRetained: Bool, about: About, takesNull: Bool,
        set: ((Value) -> Bool)?
    ) {
        let base = (root + device).joined(by: UInt8(ascii: "/"), to: path)
        topic = base.terminated
        requests = (base + Bytes("/set")).terminated
        self.path = path
        self.datatype = datatype
        self.set = set
        self.isRetained = isRetained
        self.about = about
        hasValue = !isRetained
        self.takesNull = takesNull
    }
}

/// What waits to be sent.
enum Outgoing {
    case state(StaticString)
    case description
    /// What Home Assistant is told.
    case discovery
    /// The latest value at the time when it is sent.
    case value(Publication)
    case event(Publication, Value, seq: UInt64)
    /// A value that was asked for, by its number.
    case request(Mirror, Value, number: UInt64)
    /// Something else that is retained of the own device.
    case attribute(topic: Bytes, Bytes)
    /// Takes away what is retained.
    case nothing(topic: Bytes)
}
