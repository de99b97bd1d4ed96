// SPDX-License-Identifier: MIT

/// A device of the bus that something is mirrored or watched of. Used on the network thread alone.
final class DBusDevice {
    let name: Bytes
    /// Who has its name. Ends with a zero.
    var owner: Bytes?
    /// What it said of its state last, or what became of it.
    var state: Bytes?
    /// What is mirrored of it.
    var topics = Table<DBusTopic>()
    /// Counts how often it was asked for all that it has.
    var round: UInt32 = 0
    var isFetching = false
    /// The filters that are to get what it says then.
    var wanted: [UInt32] = []

    init(name: Bytes) { self.name = name }

    /// These end with zeros.
    var busName: Bytes { (busPrefix + element(of: name[...])).terminated }
    var path: Bytes { objectRoot.joined(by: UInt8(ascii: "/"), to: element(of: name[...])).terminated }

    var stateTopic: Bytes { root + name + Bytes("/$state") }
}

final class DBusTopic {
    let topic: Bytes
    /// Whether it is no messenger.
    var isRetained: Bool
    /// When the device last had it.
    var round: UInt32 = 0

    init(_ topic: Bytes, isRetained: Bool) {
        self.topic = topic
        self.isRetained = isRetained
    }
}
