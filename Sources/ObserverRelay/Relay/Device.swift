// SPDX-License-Identifier: MIT

/// Another program's device, of which something is mirrored: whether it is there, and what of it can be set. Guarded by
/// the lock of its relay.
final class Device {
    /// `$state` and `$description`, which end with zeros.
    let stateTopic: Bytes
    let descriptionTopic: Bytes
    /// What is mirrored of it, in no order.
    private(set) var mirrors: [Mirror] = []
    /// Where those attributes are mirrored themselves.
    var stateMirror: Mirror?
    var descriptionMirror: Mirror?

    /// Whether the broker was asked for its state, and has not said.
    var isAwaited = false
    /// Whether its state has come, or there is none.
    var isKnown = false
    /// Whether its state is "lost" or "disconnected": its values are those of the past.
    var isGone = false
    /// Whether its state is "init": it is coming back, and takes what is asked of it.
    var isComing = false
    /// Whether its description is subscribed to, which is when something of it is set first.
    var isAskedForDescription = false
    var description: Bytes?

    init(stateTopic: Bytes) {
        self.stateTopic = stateTopic
        descriptionTopic = (stateTopic.dropLast(7) + Bytes("$description")).terminated
    }

    /// Whether what is asked of it would be asked of nothing.
    var isAbsent: Bool { isKnown && isGone && !isComing }

    /// Whether nothing is mirrored of it.
    var isUnused: Bool { mirrors.isEmpty && stateMirror == nil && descriptionMirror == nil }

    func add(_ mirror: Mirror) {
        mirror.place = mirrors.count
        mirrors.append(mirror)
    }

    /// Mirrors keep their device.
    func removeAll() {
        mirrors = []
        stateMirror = nil
        descriptionMirror = nil
    }

    func remove(_ mirror: Mirror) {
        guard mirror.place < mirrors.count, isSame(mirrors[mirror.place], mirror) else { return }
        let last = mirrors.removeLast()
        if isSame(last, mirror) { return }
        last.place = mirror.place
        mirrors[mirror.place] = last
    }

    /// Whether its description says that a property of it can be set. `nil`: it does not say.
    func allowsSetting(_ mirror: Mirror) -> Bool? {
        guard let description else { return nil }
        let names = mirror.topic.dropLast().split(separator: UInt8(ascii: "/"))
        guard names.count == 5 else { return nil }
        let path = [Bytes("nodes"), Array(names[3]), Bytes("properties"), Array(names[4]), Bytes("settable")]
        return description.withUnsafeBytes { text in
            // Without a word it can not.
            guard let property = find(path.dropLast(), inJSON: text) else { return nil }
            return find(path.suffix(1), inJSON: property).map { $0.elementsEqual(Bytes("true")) } ?? false
        }
    }
}
