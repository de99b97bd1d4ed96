// SPDX-License-Identifier: MIT

/// A stack of what needs no deinitialization, in one block of memory.
struct Buffer<Element> {
    private(set) var base: UnsafeMutablePointer<Element>?
    private(set) var count = 0
    private var room = 0

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == room { grow() }
        (base.unsafelyUnwrapped + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        return base.unsafelyUnwrapped[count]
    }

    subscript(index: Int) -> Element {
        @inline(__always) get { base.unsafelyUnwrapped[index] }
        @inline(__always) nonmutating set { base.unsafelyUnwrapped[index] = newValue }
    }

    @inline(__always) mutating func cut(to count: Int) { self.count = count }

    /// Takes one out; the last one takes its place.
    mutating func remove(at index: Int) {
        count -= 1
        base.unsafelyUnwrapped[index] = base.unsafelyUnwrapped[count]
    }

    mutating func removeAll() {
        if let base { UnsafeMutableRawPointer(base).deallocate() }
        self = Buffer()
    }

    @inline(never)
    private mutating func grow() {
        let new = room == 0 ? 4 : room * 2
        let wider = UnsafeMutablePointer<Element>.allocate(capacity: new)
        if let base {
            wider.moveInitialize(from: base, count: count)
            UnsafeMutableRawPointer(base).deallocate()
        }
        base = wider
        room = new
    }
}

extension Buffer where Element: Equatable {
    func contains(_ element: Element) -> Bool {
        for index in 0..<count where self[index] == element { return true }
        return false
    }
}
