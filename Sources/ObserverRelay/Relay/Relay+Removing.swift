// SPDX-License-Identifier: MIT

extension Relay {
    /// Takes away all that the broker retains of a device, each topic once: one that still lives publishes again.
    /// - Returns: whether that is the name of a device, and not the own one.
    public func remove(_ device: Bytes) -> Bool {
        guard isHere, isName(device[...]), !(settings.device?.elementsEqual(device) ?? false) else { return false }
        var filter = root + device
        filter.add("/#")
        var taken = Table<Void>()
        // It is what keeps the table. Its handler is called on the delivery thread alone.
        _ = watch(filter) { [unowned(unsafe) self] topic, payload in
            guard !payload.isEmpty, taken[topic] == nil else { return }
            taken.insert((), at: topic)
            withLock { if isConnected { outgoing.append(.nothing(topic: topic.terminated)) } }
            wake()
        }
        return true
    }
}
