// SPDX-License-Identifier: MIT

/// Messages that wait, first in, first out: a ring that gives its memory back when it runs empty.
public final class MessageQueue<Waiting, Author> {
    public struct Element {
        public let message: Waiting
        public let author: Author
        @inlinable init(message: Waiting, author: Author) {
            self.message = message
            self.author = author
        }
    }

    @usableFromInline var storage: UnsafeMutablePointer<Element>?
    @usableFromInline var capacity = 0
    @usableFromInline var head = 0
    @usableFromInline var length = 0
    /// How many elements have ever been taken from the front.
    @usableFromInline var taken: UInt64 = 0

    @inlinable public init() {}

    @inlinable public var count: Int { length }

    deinit {
        for offset in 0..<length { (storage! + (head + offset) & (capacity - 1)).deinitialize(count: 1) }
        storage?.deallocate()
    }

    @inlinable public func append(_ message: Waiting, _ author: Author) {
        if length == capacity { grow() }
        (storage! + (head + length) & (capacity - 1)).initialize(to: Element(message: message, author: author))
        length += 1
    }

    @inlinable public func popFirst() -> Element? {
        guard length > 0, let storage else { return nil }
        let element = (storage + head).move()
        head = (head + 1) & (capacity - 1)
        length -= 1
        taken += 1
        if length == 0, capacity > 64 { release() }
        return element
    }

    @inlinable public func popLast() -> Element? {
        guard length > 0, let storage else { return nil }
        length -= 1
        return (storage + (head + length) & (capacity - 1)).move()
    }

    /// Changes places with another queue.
    @inlinable public func exchange(with other: MessageQueue) {
        swap(&storage, &other.storage)
        swap(&capacity, &other.capacity)
        swap(&head, &other.head)
        swap(&length, &other.length)
    }

    @inlinable func grow() {
        let larger = max(4, capacity * 2)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
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
