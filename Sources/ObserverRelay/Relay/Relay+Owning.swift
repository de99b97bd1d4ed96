// SPDX-License-Identifier: MIT

import CRelay

/// The own device belongs to this program: what the broker has of it is what this program has. All of it on the network
/// thread; what is received, under the lock.
extension Relay {
    /// Under the lock. Something was published below the own device, by others.
    func receivedOwn(_ message: Incoming) {
        // What a device that leaves would answer came after its goodbye.
        guard let device = settings.device, !isClosing else { return }
        let path = message.topic.dropFirst(root.count + device.count + 1)
        if path.elementsEqual(Bytes("$state")) {
            receivedOwnState(message)
        } else if path.elementsEqual(Bytes("$description")) {
            if message.isRetained || message.payload.elementsEqual(ownDescription) {
                if message.isRetained { learnVersion(message.payload) }
                return
            }
            if isOfNamesake(message) { return }
            if descriptionDue == 0 { descriptionDue = relay_milliseconds() + Int64(quiet) }
        } else if let first = path.first, first != UInt8(ascii: "$"), path.contains(UInt8(ascii: "/")) {
            receivedOwnValue(message)
        }
    }

    /// What the device was described as before, maybe by another program: the next description is a later one.
    private func learnVersion(_ description: UnsafeRawBufferPointer) {
        guard description.count <= settings.largestPayload, !description.elementsEqual(ownDescription),
            let text = find([Bytes("version")], inJSON: description),
            case .integer(let before)? = Value(UnsafeRawBufferPointer(rebasing: text[...]), as: .integer), before > 0,
            before < 1 << 53, UInt64(before) >= version
        else { return }
        version = UInt64(before)
        ownDescribed = []
        describeAgain()
    }

    private func isOfNamesake(_ message: Incoming) -> Bool { message.author != 0 && namesakes.contains(message.author) }

    private func receivedOwnValue(_ message: Incoming) {
        if isOfNamesake(message) { return }
        let topic = Array(message.topic)
        if let publication = publication(at: topic + Bytes("/set")), publication.isRetained {
            // What was retained before is replaced by what is sent on this connection.
            if message.isRetained { return }
            if message.author == authorNumber, let own = publication.value.payload(as: publication.datatype),
                own.count == message.payload.count, own.elementsEqual(message.payload)
            {
                return
            }
            if !publication.isContested {
                report(Bytes("published again what others had published"), of: topic)
            }
            publication.isContested = true
            prove(publication)
        } else if !message.payload.isEmpty, strays[topic] == nil, strays.count < mostStrays {
            strays.insert(topic, at: topic)
            straysDue = relay_milliseconds() + patienceWithStrays
        }
    }

    /// Another program has the same device, or had it.
    private func receivedOwnState(_ message: Incoming) {
        // What was retained before is replaced; one that lives answers.
        guard !message.isRetained, let topic = attribute("$state") else { return }
        if message.author == authorNumber {
            // By others in its name, or by the will of a connection of before.
            if !message.payload.elementsEqual(Bytes(ownState)) { repeatReady() }
            return
        }
        let isBeginning = message.payload.elementsEqual(Bytes("init"))
        if isBeginning || message.payload.elementsEqual(Bytes("ready")) {
            let isNew = message.author != 0 && !namesakes.contains(message.author)
            if isNew { namesakes.append(message.author) }
            hasNamesake = true
            // So it learns of this one. Not for each time that it is ready, or the two would go on for ever.
            if isNew || isBeginning { repeatReady() }
            report(Bytes("another program has the same name"), of: topic)
        } else {
            let hadNamesake = hasNamesake
            namesakes.removeAll { $0 == message.author }
            hasNamesake = !namesakes.isEmpty
            repeatReady()
            guard hadNamesake, !hasNamesake else { return }
            // What the other one said of the device is true no more.
            describeAgain()
            for publication in publications where publication.isRetained { _ = send(publication) }
            subscriptions.append(.ownValues)
            lastReport = nil
            if isReady { sayReady() }
        }
    }

    /// What people have to know of another program of the same device.
    var namesake: Bytes? {
        guard hasNamesake, let topic = attribute("$state") else { return nil }
        return Bytes("another program has the same name, ") + topic.dropLast()
    }

    // MARK: - What is sent again

    /// Has a value sent once more when it is quiet: then the broker says whether it takes it.
    func prove(_ publication: Publication) {
        publication.sentAt = relay_milliseconds()
        guard !publication.isUnproven else { return }
        publication.isUnproven = true
        publication.unprovenSince = publication.sentAt
        unproven.append((publication, publication.sentAt + Int64(quiet)))
    }

    /// Sends again what has been quiet for long enough, takes away what does not belong here, and returns when there is
    /// something to do again.
    func lookAfterOwn(_ now: Int64) -> Int64 {
        withLock {
            while let (publication, due) = unproven.first, due <= now {
                _ = unproven.popFirst()
                if publication.sentAt + Int64(quiet) > now {
                    // Where it is never quiet, a value now and then is sent reliably.
                    if now - publication.unprovenSince > longestUnproven {
                        publication.isAccepted = false
                        publication.unprovenSince = now
                    }
                    unproven.append((publication, publication.sentAt + Int64(quiet)))
                    continue
                }
                publication.isUnproven = false
                sendAgain(publication)
            }
            if descriptionDue != 0, descriptionDue <= now {
                descriptionDue = 0
                describeAgain()
            }
            if strays.count > 0, straysDue <= now { removeStrays(now) }
            var next = unproven.first?.due ?? Int64.max
            if descriptionDue != 0 { next = min(next, descriptionDue) }
            if strays.count > 0 { next = min(next, straysDue) }
            return next
        }
    }

    private func sendAgain(_ publication: Publication) {
        let isContested = publication.isContested
        publication.isContested = false
        // What waits is newer.
        guard isConnected, !publication.isWithdrawn, !publication.isWaiting else { return }
        if isContested {
            publication.isAccepted = false
        } else {
            publication.isRepeated = true
        }
        publication.isWaiting = true
        outgoing.append(.value(publication))
    }

    /// What is retained below the own device and is not published any more; but not at once, for a program publishes one
    /// thing after the other.
    private func removeStrays(_ now: Int64) {
        if !isReady || now - lastPublished < patienceWithStrays {
            straysDue = now + patienceWithStrays
            return
        }
        if !hasNamesake {
            for topic in strays.all {
                if let publication = publication(at: topic + Bytes("/set")), publication.isRetained { continue }
                outgoing.append(.nothing(topic: topic.terminated))
            }
        }
        strays = Table()
    }
}

/// In milliseconds: how long a value goes on being sent without the broker saying whether it takes it.
private let longestUnproven: Int64 = 2000
/// How many topics of others are looked at at once.
private let mostStrays = 1000
/// In milliseconds: after how long without anything new what is not published is taken away.
private let patienceWithStrays: Int64 = 1000
