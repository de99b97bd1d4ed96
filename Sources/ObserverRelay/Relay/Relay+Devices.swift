// SPDX-License-Identifier: MIT

import CRelay

/// What the values of others are worth: whether their owners, and this relay, are there.
extension Relay {
    /// The topic of the `$state` of the device that a topic belongs to.
    static func stateTopic(of topic: Bytes) -> Bytes {
        var stateTopic = Bytes()
        var slashes = 0
        for byte in topic {
            stateTopic.append(byte)
            if byte == UInt8(ascii: "/") { slashes += 1 }
            if slashes == 3 { break }
        }
        stateTopic.add("$state")
        return stateTopic.terminated
    }

    /// Under the lock. A device, whose state is then heard of.
    func device(at stateTopic: Bytes) -> Device {
        if case .state(let device)? = targets[stateTopic] { return device }
        let device = Device(stateTopic: stateTopic)
        targets.insert(.state(device), at: stateTopic)
        if isConnected { subscriptions.append(.state(device)) }
        return device
    }

    /// Under the lock.
    func askForDescription(of device: Device) {
        guard !device.isAskedForDescription else { return }
        device.isAskedForDescription = true
        targets.insert(.description(device), at: device.descriptionTopic)
        if isConnected { subscriptions.append(.description(device)) }
    }

    /// Under the lock. What a device says of itself, or what its will or its successor does.
    func learn(_ state: UnsafeRawBufferPointer, of device: Device) {
        let (wasKnown, wasGone, wasComing) = (device.isKnown, device.isGone, device.isComing)
        device.isAwaited = false
        device.isKnown = true
        device.isComing = state.elementsEqual(Bytes("init"))
        if state.isEmpty || state.elementsEqual(Bytes("lost")) || state.elementsEqual(Bytes("disconnected")) {
            device.isGone = true
        } else if !device.isComing {
            device.isGone = false
            if wasComing { askAgain(device) }
        }
        let hasLeftAgain = wasComing && device.isAbsent
        guard !wasKnown || wasGone != device.isGone || hasLeftAgain else { return }
        for mirror in device.mirrors {
            if device.isGone {
                unconfirm(mirror, since: relay_milliseconds())
                if device.isAbsent, mirror.asked != 0 { undo(mirror, Bytes("its owner is gone")) }
            } else if !mirror.isAwaited {
                confirm(mirror)
            }
        }
    }

    /// Under the lock. The broker retains no state of a device: it is none of Homie, or was never there.
    func learnNothing(of device: Device) {
        device.isAwaited = false
        guard !device.isKnown else { return }
        device.isKnown = true
        for mirror in device.mirrors where !mirror.isAwaited { confirm(mirror) }
    }

    // MARK: - Since when

    /// In milliseconds: how long nothing has said that the owner of a mirror has its value. 0: it has.
    public func unconfirmed(_ mirror: Mirror) -> Int64 {
        guard isHere else { return relay_milliseconds() - disconnectedSince }
        let since = withLock { mirror.unconfirmedSince }
        return since == 0 ? 0 : max(1, relay_milliseconds() - since)
    }

    /// Under the lock. Its value is its owner's, if that is there.
    func confirm(_ mirror: Mirror) {
        if let device = mirror.device, !device.isKnown || device.isGone { return }
        mirror.unconfirmedSince = 0
        guard mirror.isStale else { return }
        // Its value came back with its owner, or is still there to be fetched.
        mirror.isStale = false
        switch mirror.value {
        case nil, .null?: subscriptions.append(.mirror(mirror))
        default: break
        }
    }

    /// Under the lock.
    func unconfirm(_ mirror: Mirror, since: Int64) {
        guard mirror.unconfirmedSince == 0 else { return }
        mirror.unconfirmedSince = since
        noteStale(mirror)
    }

    /// Under the lock. Has the delivery thread look when the mirror is stale.
    func noteStale(_ mirror: Mirror) {
        guard settings.staleAfter > 0, mirror.isRetained, mirror.unconfirmedSince != 0 else { return }
        let due = mirror.unconfirmedSince + Int64(settings.staleAfter)
        guard due < nextStale else { return }
        nextStale = due
        hasHanded = true
    }

    /// Under the lock. Makes null what has been unconfirmed for too long.
    func dropStale(_ now: Int64) {
        guard now >= nextStale else { return }
        nextStale = Int64.max
        for mirror in mirrors where mirror.isRetained && mirror.unconfirmedSince != 0 && !mirror.isStale {
            guard mirror.unconfirmedSince + Int64(settings.staleAfter) <= now else {
                noteStale(mirror)
                continue
            }
            mirror.isStale = true
            mirror.author = 0
            mirror.seq = 0
            guard mirror.value != nil else { continue }
            mirror.value = .null
            restore(mirror)
        }
    }

    /// Under the lock: all of them, those of attributes, too.
    var mirrors: [Mirror] {
        var mirrors: [Mirror] = []
        for target in targets.all {
            switch target {
            case .mirror(let mirror): mirrors.append(mirror)
            case .state(let device): if let mirror = device.stateMirror { mirrors.append(mirror) }
            case .description(let device): if let mirror = device.descriptionMirror { mirrors.append(mirror) }
            default: break
            }
        }
        return mirrors
    }
}
