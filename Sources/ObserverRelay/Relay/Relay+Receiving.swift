// SPDX-License-Identifier: MIT

import CRelay

/// What the engine calls, on the network thread.
extension Relay {
    func received(_ message: Incoming) {
        if !message.isRetained { hasNews = true }
        withLock {
            counts.received += 1
            if message.subscription != 0 {
                watched(message)
            } else if let target = targets[message.topic] {
                switch target {
                case .mirror(let mirror): received(message, for: mirror)
                case .requests(let publication): requested(message, of: publication)
                case .ownState: receivedOwnState(message)
                }
            }
        }
    }

    private func received(_ message: Incoming, for mirror: Mirror) {
        mirror.isAwaited = false
        if message.author != 0, message.seq != 0 {
            if message.author == mirror.author {
                // Events may come twice; values come again with each subscription, and a broker that was restarted may
                // have kept older ones.
                if message.seq <= mirror.seq { return }
                if message.seq > mirror.seq + 1, message.seq >> 32 == mirror.seq >> 32, !message.isRetained {
                    counts.lost += message.seq - mirror.seq - 1
                    if mirror.isRetained {
                        suspect()
                    } else {
                        report(Bytes("lost events on the way"), of: mirror.topic)
                    }
                }
            }
            mirror.author = message.author
            mirror.seq = message.seq
        }
        guard let value = read(message, as: mirror.datatype) else { return }
        if mirror.isRetained {
            mirror.value = value
            restore(mirror)
        } else if deliveries.count < mostWaiting {
            hand(.event(mirror, value))
        } else {
            drop(mirror.topic, "an event, because the handlers are slower than the sender")
        }
    }

    private func requested(_ message: Incoming, of publication: Publication) {
        // What is retained was asked for at some other time.
        guard publication.set != nil, !message.isRetained else { return }
        guard let value = read(message, as: publication.datatype), deliveries.count < mostWaiting else {
            // The one who asked learns that it stays.
            _ = send(publication)
            return
        }
        publication.requested += 1
        hand(.request(publication, value))
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

    private func watched(_ message: Incoming) {
        for watcher in watchers where watcher.subscription == message.subscription { watched(message, by: watcher) }
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

    /// Another program has the same device, or had it.
    private func receivedOwnState(_ message: Incoming) {
        guard message.author != authorNumber, let topic = attribute("$state") else { return }
        let isLiving = message.payload.elementsEqual(Bytes("ready")) || message.payload.elementsEqual(Bytes("init"))
        if isLiving {
            if !message.isRetained { report(Bytes("another program has the same name"), of: topic) }
        } else if !message.isRetained {
            outgoing.append(.state("ready"))
        }
    }

    /// Something may have been lost, maybe also the last value of something else: when it is quiet, all values are
    /// fetched again.
    func suspect() { if suspiciousSince == 0 { suspiciousSince = relay_milliseconds() } }
}
