// SPDX-License-Identifier: MIT

import CRelay

/// What the transport calls, on the network thread.
extension Relay {
    func received(_ message: Incoming) {
        relay_probe_in(message.topic.baseAddress, message.topic.count, message.payload.count)
        if !message.isRetained {
            hasNews = true
            flow += message.topic.count + message.payload.count
        }
        withLock {
            counts.received += 1
            // Of several subscriptions that ask for a message a broker may send one copy, for one of them. What is received
            // once more changes nothing, as far as it has a number or is a value.
            receivedWanted(message, isSure: message.subscription == 0 || message.subscription == unknownNumber)
            switch message.subscription {
            case 0: break
            case ownNumber: receivedOwn(message)
            case unknownNumber:
                if isOfOwnDevice(message.topic) { receivedOwn(message) }
                for watcher in watchers where matches(Array(message.topic), watcher.filter.dropLast()) {
                    watched(message, by: watcher)
                }
            default:
                for watcher in watchers where watcher.subscription == message.subscription {
                    watched(message, by: watcher)
                }
            }
        }
    }

    private func isOfOwnDevice(_ topic: UnsafeRawBufferPointer) -> Bool {
        guard let device = settings.device else { return false }
        var prefix = root
        prefix.append(contentsOf: device)
        prefix.append(UInt8(ascii: "/"))
        return topic.starts(with: prefix)
    }

    private func receivedWanted(_ message: Incoming, isSure: Bool) {
        let isNumbered = message.author != 0 && message.seq != 0
        switch targets[message.topic] {
        case .mirror(let mirror)?: if isSure || isNumbered || mirror.isRetained { received(message, for: mirror) }
        case .requests(let publication)?: if isSure || isNumbered { requested(message, of: publication) }
        case .state(let device)?:
            learn(message.payload, of: device)
            if let mirror = device.stateMirror { received(message, for: mirror) }
        case .description(let device)?:
            let isSmall = message.payload.count <= settings.largestPayload
            device.description = isSmall && !message.payload.isEmpty ? Array(message.payload) : nil
            described(device)
            if let mirror = device.descriptionMirror { received(message, for: mirror) }
        case .target(let mirror)?: received(message, ofTarget: mirror)
        case nil: break
        }
    }

    private func received(_ message: Incoming, for mirror: Mirror) {
        mirror.isAwaited = false
        guard mirror.isRetained else {
            receivedEvent(message, for: mirror)
            return
        }
        // What its owner left behind was given up, and is fetched when that is there again.
        if message.isRetained, mirror.isStale, mirror.device?.isGone ?? false { return }
        guard isNews(message, for: mirror) else {
            confirm(mirror)
            return
        }
        guard let value = read(message, as: mirror.datatype) else { return }
        mirror.value = value
        if mirror.isStale {
            // It comes from an owner that is about to be there: how long that takes counts from now.
            mirror.isStale = false
            mirror.unconfirmedSince = relay_milliseconds()
            noteStale(mirror)
        }
        decide(mirror)
        restore(mirror)
        confirm(mirror)
    }

    /// Whether it is not what the mirror has, or had before. What is sent comes in order, so the last one counts, whoever
    /// sent it; what is fetched may be older, where a broker was restarted, unless there is reason to doubt what has come.
    private func isNews(_ message: Incoming, for mirror: Mirror) -> Bool {
        let isOfSame = message.author != 0 && message.seq != 0 && message.author == mirror.author
        let before = mirror.seq
        if message.isRetained {
            if isOfSame, !mirror.isDoubted, message.seq <= before { return false }
            mirror.isDoubted = false
        } else if isOfSame {
            if message.seq == before { return mirror.isDoubted }
            let lost = lostBetween(before, message.seq)
            if lost > 0 {
                counts.lost += lost
                suspect()
            }
            if message.seq != before &+ 1 { doubt(mirror) }
        } else if before != 0 {
            doubt(mirror)
        }
        mirror.author = message.author
        mirror.seq = message.author == 0 ? 0 : message.seq
        return true
    }

    private func receivedEvent(_ message: Incoming, for mirror: Mirror) {
        // An event that is retained was one at some other time.
        if message.isRetained { return }
        if message.author != 0, message.seq != 0 {
            if message.author != mirror.author {
                mirror.author = message.author
                mirror.seen = SeenNumbers()
            }
            let before = mirror.seen.last
            guard mirror.seen.insert(message.seq) else { return }
            let lost = before == 0 ? 0 : lostBetween(before, message.seq)
            if lost > 0 {
                counts.lost += lost
                report(Bytes("lost events on the way"), of: mirror.topic)
            }
        }
        guard let value = read(message, as: mirror.datatype) else { return }
        if deliveries.count < mostWaiting {
            hand(.event(mirror, value))
        } else {
            drop(mirror.topic, "an event, because the handlers are slower than the sender")
        }
    }

    /// How many messages of the same publication are between two. A number that is too far away is none of its sender.
    private func lostBetween(_ before: UInt64, _ seq: UInt64) -> UInt64 {
        guard seq > before, seq >> 32 == before >> 32, seq - before < UInt64(mostWaiting) else { return 0 }
        return seq - before - 1
    }

    private func requested(_ message: Incoming, of publication: Publication) {
        // What is retained was asked for at some other time.
        guard publication.set != nil, !message.isRetained else { return }
        if message.author != 0, message.seq != 0 {
            if publication.asked == (message.author, message.seq) { return }
            publication.asked = (message.author, message.seq)
        }
        var asked = readRequest(message, of: publication)
        if let value = asked, let format = publication.about.format, !format.allows(value) {
            drop(publication.requests, "a value that its format does not allow", format.text)
            asked = nil
        }
        guard let value = asked, deliveries.count < mostWaiting else {
            // The one who asked learns that it stays.
            _ = send(publication)
            return
        }
        publication.requested += 1
        hand(.request(publication, value))
    }

    /// Null is nothing that others may make of a variable, unless its type has it. An empty text is what other tools send
    /// of a text that was cleared.
    private func readRequest(_ message: Incoming, of publication: Publication) -> Value? {
        guard message.payload.isEmpty, !publication.takesNull else { return read(message, as: publication.datatype) }
        if case .string = publication.datatype, message.author == 0 { return .text([]) }
        drop(publication.requests, "a value that was asked for", Bytes("null cannot be set from outside"))
        return nil
    }

    private func read(_ message: Incoming, as datatype: Datatype) -> Value? {
        if message.payload.count > settings.largestPayload {
            drop(Bytes(message.topic), "a payload that is too large")
            return nil
        }
        guard let value = Value(message.payload, as: datatype) else {
            drop(Bytes(message.topic), "a payload", Bytes("it is ") + Bytes(datatype.article))
            return nil
        }
        return value
    }

    private func watched(_ message: Incoming, by watcher: Watcher) {
        if message.payload.count > settings.largestPayload {
            drop(Bytes(message.topic), "a payload that is too large")
        } else if let waiting = watcher.waiting[message.topic] {
            waiting.payload = Array(message.payload)
        } else {
            let watched = Watched(topic: Array(message.topic), payload: Array(message.payload))
            watcher.waiting.insert(watched, at: watched.topic)
            hand(.watched(watcher, watched))
        }
    }
}
