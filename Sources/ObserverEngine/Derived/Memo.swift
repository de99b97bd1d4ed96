// SPDX-License-Identifier: MIT

/// What a view has computed for its own moment: results by nodes.
struct Memo {
    struct Entry {
        var node: NodePointer?
        var box: Unmanaged<ValueBox>?
        var version: UInt64
    }

    private var slots: UnsafeMutablePointer<Entry>?
    private var room = 0
    private(set) var count = 0

    @inline(__always)
    func find(_ node: NodePointer) -> Entry? {
        if count == 0 { return nil }
        return look(for: node)
    }

    @inline(never)
    private func look(for node: NodePointer) -> Entry? {
        let found = slots.unsafelyUnwrapped[place(of: node)]
        return found.node == nil ? nil : found
    }

    /// - Parameter box: is retained for this.
    mutating func put(_ node: NodePointer, _ box: Unmanaged<ValueBox>, _ version: UInt64) {
        if count * 2 >= room { grow() }
        let place = place(of: node)
        let before = slots.unsafelyUnwrapped[place]
        if before.node == nil { count += 1 }
        slots.unsafelyUnwrapped[place] = Entry(node: node, box: box, version: version)
        // The same moment, so the same value, but perhaps another object. The caller runs foreign code nowhere.
        if let box = before.box { replaced.append(box) }
    }

    /// What is to be released when nothing is entered.
    private var replaced = Buffer<Unmanaged<ValueBox>>()

    /// Nothing is entered.
    mutating func removeAll() {
        for index in 0..<replaced.count { replaced[index].release() }
        replaced.removeAll()
        guard let slots else { return }
        for index in 0..<room { slots[index].box?.release() }
        UnsafeMutableRawPointer(slots).deallocate()
        self = Memo()
    }

    private mutating func grow() {
        let (before, roomBefore) = (slots, room)
        room = max(16, room * 2)
        let wider = UnsafeMutablePointer<Entry>.allocate(capacity: room)
        wider.initialize(repeating: Entry(node: nil, box: nil, version: 0), count: room)
        slots = wider
        guard let before else { return }
        for index in 0..<roomBefore {
            if let node = before[index].node { wider[place(of: node)] = before[index] }
        }
        UnsafeMutableRawPointer(before).deallocate()
    }

    private func place(of node: NodePointer) -> Int {
        let mask = room - 1
        let spread = UInt64(truncatingIfNeeded: UInt(bitPattern: node) >> 4) &* 0x9E37_79B9_7F4A_7C15
        var place = Int(truncatingIfNeeded: spread >> 20) & mask
        while let other = slots.unsafelyUnwrapped[place].node, other != node { place = (place + 1) & mask }
        return place
    }
}
