// SPDX-License-Identifier: MIT

import CRelay

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
        let isProperty = parts(of: path, count: 3) != nil
        let mirror = withLock { () -> Mirror? in
            guard !isClosing else { return nil }
            let stateTopic = Relay.stateTopic(of: topic)
            let isState = topic.elementsEqual(stateTopic)
            let isDescription = !isProperty && topic.elementsEqual(Device(stateTopic: stateTopic).descriptionTopic)
            if !isState && !isDescription && targets[topic] != nil { return nil }
            // Its state comes first: it says what the values are worth.
            let device = isState || isDescription || (isProperty && isRetained) ? device(at: stateTopic) : nil
            if isState && device?.stateMirror != nil || isDescription && device?.descriptionMirror != nil { return nil }
            let mirror = Mirror(
                topic: topic, device: isProperty ? device : nil, datatype: datatype, isRetained: isRetained,
                unconfirmedSince: isConnected ? relay_milliseconds() : disconnectedSince, receive: receive)
            if isState {
                device!.stateMirror = mirror
                if isConnected { subscriptions.append(.state(device!)) }
            } else if isDescription {
                device!.descriptionMirror = mirror
                askForDescription(of: device!)
                if isConnected { subscriptions.append(.description(device!)) }
            } else {
                device?.add(mirror)
                targets.insert(.mirror(mirror), at: topic)
                if isConnected { subscriptions.append(.mirror(mirror)) }
            }
            isComplete = false
            noteStale(mirror)
            return mirror
        }
        if mirror != nil { wake() }
        return mirror
    }

    /// Under the lock. Has the mirror receive its value.
    func restore(_ mirror: Mirror) {
        guard !mirror.isWaiting, !mirror.isForgotten else { return }
        mirror.isWaiting = true
        hand(.value(mirror))
    }

    /// Ends a mirror.
    public func forget(_ mirror: Mirror) {
        guard isHere else { return }
        // What it was kept by is let go with no lock held.
        let ended = withLock { () -> [Target] in
            if mirror.isForgotten { return [] }
            mirror.isForgotten = true
            mirror.asked = 0
            var ended: [Target] = []
            if mirror.hasTarget { cancel(mirror.targetTopic, &ended) }
            guard case .state(let device)? = targets[Relay.stateTopic(of: mirror.topic)] else {
                cancel(mirror.topic, &ended)
                return ended
            }
            if isSame(device.stateMirror, mirror) {
                device.stateMirror = nil
            } else if isSame(device.descriptionMirror, mirror) {
                device.descriptionMirror = nil
            } else {
                device.remove(mirror)
                cancel(mirror.topic, &ended)
            }
            if device.isUnused {
                cancel(device.stateTopic, &ended)
                if device.isAskedForDescription { cancel(device.descriptionTopic, &ended) }
            }
            return ended
        }
        if !ended.isEmpty { wake() }
    }

    private func cancel(_ topic: Bytes, _ ended: inout [Target]) {
        guard let target = targets.remove(topic) else { return }
        ended.append(target)
        if isConnected { cancellations.append(topic) }
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
            ended.isEnded = true
            // The last one ends the subscription.
            if isConnected, !watchers.contains(where: { $0.subscription == ended.subscription }) {
                cancellations.append(ended.filter)
            }
            return ended
        }
        if ended != nil { wake() }
    }
}

/// What was published below the own device by others comes with this number; what is mirrored has none.
let ownNumber: UInt32 = 1
/// The first number of those that watch.
let firstWatcher: UInt32 = 2
/// That the broker does not say which subscription a message came for.
let unknownNumber = UInt32.max
