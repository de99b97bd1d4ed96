// SPDX-License-Identifier: MIT

import CRelay

/// What is asked of the owners of mirrored values. A request is decided by what its owner then has, or undone: the mirror
/// receives again what its owner is known to have, and the state says why.
///
///     request -> sent -> taken by the broker -> the owner's value: decided
///             -> not decided by an owner that is coming: sent again once it is there
///             -> not sent, refused, not heard, not settable, too late, or the owner or the connection is gone: undone
extension Relay {
    /// Asks the owner of a mirrored value for another one. Any thread.
    public func request(_ value: Value?, of mirror: Mirror) {
        guard isHere else { return }
        withLock {
            guard let value, value.fits(settings.largestPayload, as: mirror.datatype) == true else {
                drop(mirror.topic, "a value that cannot be relayed as its datatype")
                restore(mirror)
                return
            }
            guard isConnected, !isClosing else {
                drop(mirror.topic, "a value that was asked for while not connected")
                restore(mirror)
                return
            }
            guard let device = mirror.device, device.allowsSetting(mirror) ?? true else {
                undo(mirror, Bytes("it cannot be set"))
                return
            }
            if device.isAbsent {
                undo(mirror, Bytes("its owner is gone"))
                return
            }
            requests += 1
            mirror.asked = requests
            mirror.askedValue = value
            mirror.isAskedEarly = device.isComing
            mirror.isAskedFor = false
            undecided.append((mirror, requests, relay_milliseconds() + Int64(settings.requestTimeout)))
            if !transport.answersRequests {
                askForDescription(of: device)
                askForTarget(of: mirror)
            }
            outgoing.append(.request(mirror, value, number: requests))
        }
        wake()
    }

    /// Whether what was asked of its owner last is neither decided nor undone, or the program has not got what became of
    /// it.
    public func isPending(_ mirror: Mirror) -> Bool {
        isHere && withLock { mirror.asked != 0 || mirror.isSettling }
    }

    private func askForTarget(of mirror: Mirror) {
        guard !mirror.hasTarget else { return }
        mirror.hasTarget = true
        targets.insert(.target(mirror), at: mirror.targetTopic)
        subscriptions.append(.target(mirror))
    }

    /// Under the lock.
    func undo(_ mirror: Mirror, _ why: Bytes) {
        drop(mirror.topic, "a value that was asked for", why)
        settle(mirror)
    }

    /// Under the lock. The program gets what its owner has now.
    private func settle(_ mirror: Mirror) {
        mirror.asked = 0
        restore(mirror)
        mirror.isSettling = mirror.isWaiting
    }

    // MARK: - What decides, all of it under the lock

    /// The broker has taken a request, or will not.
    func acknowledged(_ number: UInt64, of mirror: Mirror, refused: Bytes?, isUnheard: Bool) {
        // Another one has taken its place, or it is decided.
        guard mirror.asked == number else { return }
        if let refused {
            undo(mirror, refused)
        } else if isUnheard {
            if mirror.isAskedEarly { return }
            undo(mirror, Bytes("it cannot be set, or its owner is gone"))
        } else if transport.answersRequests {
            settle(mirror)
        } else {
            mirror.isAskedFor = true
        }
    }

    /// The owner is there, and hears; also where it was something else that did.
    func askAgain(_ device: Device) {
        for mirror in device.mirrors where mirror.asked != 0 && mirror.isAskedEarly && !transport.answersRequests {
            mirror.isAskedEarly = false
            outgoing.append(.request(mirror, mirror.askedValue, number: mirror.asked))
        }
    }

    /// Its owner has said what it has.
    func decide(_ mirror: Mirror) {
        if mirror.asked != 0, mirror.isAskedFor, !transport.answersRequests { settle(mirror) }
    }

    /// Its owner has said what it is going to have: until then, it has what it had.
    func received(_ target: Incoming, ofTarget mirror: Mirror) {
        guard mirror.asked != 0, mirror.isAskedFor, !target.isRetained else { return }
        settle(mirror)
    }

    func described(_ device: Device) {
        for mirror in device.mirrors where mirror.asked != 0 && device.allowsSetting(mirror) == false {
            undo(mirror, Bytes("it cannot be set"))
        }
    }

    /// Undoes what has waited for too long. Returns when the next one will have.
    func undoLate(_ now: Int64) -> Int64 {
        while let (mirror, number, due) = undecided.first {
            if mirror.asked == number {
                if due > now { return due }
                var why = Bytes("its owner did not answer in ")
                why.add(UInt64(settings.requestTimeout))
                why.add(" ms")
                undo(mirror, why)
            }
            _ = undecided.popFirst()
        }
        return Int64.max
    }

    /// The connection is lost, or the relay is closed. Whatever became of what was asked for, the next connection tells.
    func undoAll() {
        for (mirror, number, _) in undecided.takeAll() where mirror.asked == number {
            mirror.asked = 0
            counts.dropped += 1
            if isClosing { hand(.undone(mirror)) } else { settle(mirror) }
        }
    }
}

extension Mirror {
    /// Ends with a zero.
    var targetTopic: Bytes { (topic.dropLast() + Bytes("/$target")).terminated }
}
