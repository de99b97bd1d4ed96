// SPDX-License-Identifier: MIT

/// What the broker is still to be asked for.
enum Subscription {
    case mirror(Mirror)
    case requests(Publication)
    case watcher(Watcher)
    case ownState
}

extension Relay {
    /// Receives something of another program: each event, or the latest value.
    /// - Parameters:
    ///   - path: `device/node/property`, or `device/$state`.
    ///   - receive: called on the delivery thread.
    /// - Returns: `nil` if that is no path, or it is mirrored already.
    public func mirror(
        _ path: Bytes, as datatype: Datatype, isRetained: Bool, receive: @escaping (Value) -> Void
    ) -> Mirror? {
        guard isHere, let topic = topic(of: path) else { return nil }
        let mirror = Mirror(topic: topic, datatype: datatype, isRetained: isRetained, receive: receive)
        let isNew = withLock {
            // The own state is then mirrored instead.
            if case .ownState? = targets[topic] { _ = targets.remove(topic) }
            guard targets[topic] == nil, !isClosing else { return false }
            targets.insert(.mirror(mirror), at: topic)
            if isConnected { subscriptions.append(.mirror(mirror)) }
            return true
        }
        if isNew { wake() }
        return isNew ? mirror : nil
    }

    /// Asks the owner of a mirrored value for another one. What cannot be asked is undone: the mirror receives its
    /// value again. Any thread.
    public func request(_ value: Value?, of mirror: Mirror) {
        guard isHere else { return }
        withLock {
            if let value, value.fits(settings.largestPayload, as: mirror.datatype) == true {
                if isConnected {
                    outgoing.append(.request(mirror, value))
                    return
                }
                drop(mirror.topic, "a value that was asked for while not connected")
            } else {
                drop(mirror.topic, "a value that cannot be relayed as its datatype")
            }
            restore(mirror)
        }
        wake()
    }

    /// Under the lock.
    func restore(_ mirror: Mirror) {
        guard !mirror.isWaiting, !mirror.isForgotten else { return }
        mirror.isWaiting = true
        hand(.value(mirror))
    }

    /// Ends a mirror.
    public func forget(_ mirror: Mirror) {
        guard isHere else { return }
        let entry = withLock {
            mirror.isForgotten = true
            let entry = targets.remove(mirror.topic)
            if isConnected { cancellations.append(mirror.topic) }
            return entry
        }
        if entry != nil { wake() }
    }

    /// Receives all messages of the topics that a filter of MQTT asks for; of each topic that waits, the latest.
    /// - Returns: `nil` if it is no filter.
    public func watch(_ filter: Bytes, receive: @escaping (_ topic: Bytes, _ payload: Bytes) -> Void) -> Watcher? {
        guard isHere, isFilter(filter) else { return nil }
        let watcher = withLock {
            let filter = filter.terminated
            let shared = watchers.first { $0.filter.elementsEqual(filter) }?.subscription
            let watcher = Watcher(
                filter: filter, number: nextWatcher, subscription: shared ?? nextWatcher, receive: receive)
            nextWatcher += 1
            watchers.append(watcher)
            if isConnected { subscriptions.append(.watcher(watcher)) }
            return watcher
        }
        wake()
        return watcher
    }

    /// Ends what `watch` began, by its number.
    public func unwatch(_ number: UInt32) {
        guard isHere else { return }
        // Its last reference is let go with no lock held.
        let ended = withLock { () -> Watcher? in
            guard let index = watchers.firstIndex(where: { $0.number == number }) else { return nil }
            let ended = watchers.remove(at: index)
            // The last one ends the subscription.
            if isConnected, !watchers.contains(where: { $0.subscription == ended.subscription }) {
                cancellations.append(ended.filter)
            }
            return ended
        }
        if ended != nil { wake() }
    }
}
