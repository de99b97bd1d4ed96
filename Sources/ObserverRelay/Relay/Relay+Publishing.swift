// SPDX-License-Identifier: MIT

import CRelay

extension Relay {
    /// Lets others observe something.
    /// - Parameters:
    ///   - path: `node/property`.
    ///   - isRetained: whether it has a value, which `publishValue` is to be given once more before others see it.
    ///   - about: what others are told of it. What its format does not allow does not cross, in either direction.
    ///   - takesNull: whether others may ask for null.
    ///   - set: called on the delivery thread with each value that others ask for: whether it is one. `nil`: they cannot.
    /// - Returns: `nil` if that is no path, there is no device, or something is published there already.
    public func publish(
        _ path: Bytes, as datatype: Datatype, isRetained: Bool, about: About = About(), takesNull: Bool = false,
        set: ((Value) -> Bool)?
    ) -> Publication? {
        guard isHere, let device = settings.device, parts(of: path, count: 2) != nil else { return nil }
        let publication = Publication(
            path: path, device: device, datatype: datatype, isRetained: isRetained, about: about, takesNull: takesNull,
            set: isRetained ? set : nil)
        let isNew = withLock {
            guard targets[publication.requests] == nil, !isClosing else { return false }
            publication.seq = generation << 32
            if !publication.hasValue { withoutValue += 1 }
            withdrawn.removeAll { $0.path.elementsEqual(path) }
            targets.insert(.requests(publication), at: publication.requests)
            lastPublished = relay_milliseconds()
            if isConnected {
                if publication.set != nil { subscriptions.append(.requests(publication)) }
                describeAgain()
            }
            return true
        }
        if isNew { wake() }
        return isNew ? publication : nil
    }

    /// Whether this program has a device, under whose name it publishes.
    public var hasDevice: Bool { settings.device != nil }

    /// Sends a value: the latest of a publication that is retained, else each one. Any thread.
    public func publishValue(_ value: Value?, of publication: Publication) {
        guard isHere else { return }
        let wakes = withLock {
            noteValue(publication)
            let fits = value?.fits(settings.largestPayload, as: publication.datatype)
            guard let value, fits == true else {
                drop(
                    publication.topic,
                    fits == nil ? "a value that cannot be relayed as its datatype" : "a value that is too large")
                return false
            }
            if let format = publication.about.format, !format.allows(value) {
                drop(publication.topic, "a value that its format does not allow", format.text)
                return false
            }
            if publication.isRetained {
                publication.value = value
                publication.isRepeated = false
                return send(publication)
            }
            if publication.isWithdrawn { return false }
            guard isConnected else {
                drop(publication.topic, "an event that was sent while not connected")
                return false
            }
            guard outgoing.count < mostWaiting else {
                drop(publication.topic, "an event, because too many wait to be sent")
                return false
            }
            publication.seq += 1
            outgoing.append(.event(publication, value, seq: publication.seq))
            return wakesNetwork()
        }
        if wakes { flushOrWake() }
    }

    /// Under the lock. Whether the network thread has to be woken.
    func send(_ publication: Publication) -> Bool {
        guard isConnected, !publication.isWaiting, !publication.isWithdrawn else { return false }
        publication.isWaiting = true
        outgoing.append(.value(publication))
        return wakesNetwork()
    }

    /// Under the lock. Whether it is the caller who has to wake the network thread.
    private func wakesNetwork() -> Bool {
        defer { isAsleep = false }
        return isAsleep
    }

    /// Under the lock. Once its value is published, or it is withdrawn.
    private func noteValue(_ publication: Publication) {
        if publication.hasValue { return }
        publication.hasValue = true
        withoutValue -= 1
    }

    /// Under the lock. The device is ready again when it has been described, all that it has is published and sent, and the
    /// broker was asked for what others ask for: see `announceReady`.
    func describeAgain() {
        guard !isClosing else { return }
        // Where one waits, "init" does, or was sent: what may follow it is too early now.
        if !isDescriptionWaiting, !owesReady { outgoing.append(.state("init")) }
        owesReady = true
        if isDescriptionWaiting { return }
        isDescriptionWaiting = true
        outgoing.append(.description)
        if settings.discovery != nil { outgoing.append(.discovery) }
    }

    /// Under the lock. What is appended comes after all that the device has by now.
    func announceReady() {
        guard owesReady, withoutValue == 0, subscriptions.isEmpty else { return }
        owesReady = false
        outgoing.append(.state(word))
    }

    /// What the device is when it is there.
    var word: StaticString { isSleeping ? "sleeping" : "ready" }

    /// Says that the device sleeps, so that others know that it answers late, or that it does not.
    public func sleep(_ isSleeping: Bool) -> Bool {
        guard isHere, hasDevice else { return false }
        withLock {
            guard self.isSleeping != isSleeping else { return }
            self.isSleeping = isSleeping
            if isConnected { repeatReady() }
        }
        wake()
        return true
    }

    /// Raises an alert of the device, or takes it back where there is no text.
    /// - Returns: whether that is a name, a text that is not empty, and there is a device.
    public func alert(_ name: Bytes, _ text: Bytes?) -> Bool {
        guard isHere, isName(name[...]), let topic = attribute("$alert") else { return false }
        if let text, text.isEmpty || !text.withUnsafeBytes({ isUTF8($0) }) { return false }
        let full = Array(topic.dropLast()).joined(by: UInt8(ascii: "/"), to: name).terminated
        let old = withLock { () -> Bytes? in
            let old = alerts.remove(full)
            if let text { alerts.insert(text, at: full) }
            if isConnected, text != nil || old != nil { outgoing.append(.attribute(topic: full, text ?? [])) }
            return old
        }
        _ = old
        wake()
        return true
    }

    /// Under the lock. Others say something else of it.
    func repeatReady() { if !owesReady { outgoing.append(.state(word)) } }

    /// Ends a publication; the broker forgets its value.
    public func withdraw(_ publication: Publication) {
        guard isHere else { return }
        let entry = withLock {
            let entry = targets.remove(publication.requests)
            generation += 1
            publication.isWithdrawn = true
            noteValue(publication)
            if entry != nil, settings.discovery != nil { withdrawn.append(publication) }
            if entry != nil, isConnected {
                if publication.set != nil { cancellations.append(publication.requests) }
                if publication.isRetained { outgoing.append(.nothing(topic: publication.topic)) }
                describeAgain()
            }
            return entry
        }
        if entry != nil { wake() }
    }

    /// Under the lock: what takes requests at a topic.
    func publication(at requests: Bytes) -> Publication? {
        if case .requests(let publication)? = targets[requests] { publication } else { nil }
    }

    /// Under the lock: all that is published, by its path.
    var publications: [Publication] {
        var publications = targets.all.compactMap {
            if case .requests(let publication) = $0 { publication } else { nil }
        }
        publications.sort { $0.path.lexicographicallyPrecedes($1.path) }
        return publications
    }
}

/// How many events may wait, one way and the other.
let mostWaiting = 100_000
