// SPDX-License-Identifier: MIT

import CPlatform

/// Messages that wait, first in, first out: a ring that gives its memory back when it runs empty.
public final class MessageQueue<Stored, Author> {
    public struct Element {
        public let message: Stored
        public let author: Author
        @inlinable init(message: consuming Stored, author: Author) {
            self.message = message
            self.author = author
        }
    }

    @usableFromInline @exclusivity(unchecked) var storage: UnsafeMutablePointer<Element>?
    @usableFromInline @exclusivity(unchecked) var capacity = 0
    @usableFromInline @exclusivity(unchecked) var head = 0
    @usableFromInline @exclusivity(unchecked) var length = 0
    /// How many elements have ever been taken from the front.
    @usableFromInline @exclusivity(unchecked) var taken: UInt64 = 0

    @inlinable public init() {}

    @inlinable public var count: Int { length }

    deinit {
        for offset in 0..<length { (storage! + (head + offset) & (capacity - 1)).deinitialize(count: 1) }
        storage?.deallocate()
    }

    @inlinable public func append(_ message: consuming Stored, _ author: Author) {
        placeForOne().initialize(to: Element(message: message, author: author))
    }

    /// Where one more has its place, to be initialized.
    @inlinable func placeForOne() -> UnsafeMutablePointer<Element> {
        if length == capacity { grow() }
        let place = storage.unsafelyUnwrapped + (head + length) & (capacity - 1)
        length += 1
        // Where a message goes from thread to thread, the other one has the memory. Past the end it does no harm.
        platform_prefetch(place + 4)
        return place
    }

    @inlinable public func popFirst(keepingCapacity: Bool = false) -> Element? {
        guard length > 0, let storage else { return nil }
        platform_prefetch_read(storage + (head + 4) & (capacity - 1))
        let element = (storage + head).move()
        head = (head + 1) & (capacity - 1)
        length -= 1
        taken += 1
        if !keepingCapacity { trim() }
        return element
    }

    @inlinable subscript(offset: Int) -> Element {
        (storage.unsafelyUnwrapped + (head + offset) & (capacity - 1)).pointee
    }

    /// Gives the memory back if there is much of it and nothing in it.
    @inlinable public func trim() {
        if length == 0, capacity > 64 { release() }
    }

    @inlinable public func popLast() -> Element? {
        guard length > 0, let storage else { return nil }
        length -= 1
        return (storage + (head + length) & (capacity - 1)).move()
    }

    /// Takes all that waits in another queue, which gets the memory of this one. This one is empty.
    @inlinable public func takeAll(of other: MessageQueue) {
        other.taken += UInt64(other.length)
        swap(&storage, &other.storage)
        swap(&capacity, &other.capacity)
        swap(&head, &other.head)
        swap(&length, &other.length)
    }

    @inlinable func grow() {
        let larger = max(4, capacity * 2)
        // A message of C is as long as a line of the caches, and in one, so that a thread fetches one from another.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: larger * MemoryLayout<Element>.stride, alignment: 64)
        let moved = memory.bindMemory(to: Element.self, capacity: larger)
        if let storage {
            let beforeWrap = min(length, capacity - head)
            moved.moveInitialize(from: storage + head, count: beforeWrap)
            (moved + beforeWrap).moveInitialize(from: storage, count: length - beforeWrap)
            storage.deallocate()
        }
        storage = moved
        capacity = larger
        head = 0
    }

    @inlinable func release() {
        storage?.deallocate()
        storage = nil
        capacity = 0
        head = 0
    }
}
