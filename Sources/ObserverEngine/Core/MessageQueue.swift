// SPDX-License-Identifier: MIT

/// Messages that wait, first in, first out: a ring that gives its memory back when it runs empty.
@usableFromInline
final class MessageQueue<Waiting, Author> {
    @usableFromInline struct Element {
        @usableFromInline let message: Waiting
        @usableFromInline let author: Author
        @inlinable init(message: Waiting, author: Author) {
            self.message = message
            self.author = author
        }
    }

    @usableFromInline var storage: UnsafeMutablePointer<Element>?
    @usableFromInline var capacity = 0
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable init() {}

    deinit {
        for offset in 0..<count { (storage! + (head + offset) & (capacity - 1)).deinitialize(count: 1) }
        storage?.deallocate()
    }

    @inlinable func append(_ message: Waiting, _ author: Author) {
        if count == capacity { grow() }
        (storage! + (head + count) & (capacity - 1)).initialize(to: Element(message: message, author: author))
        count += 1
    }

    @inlinable func popFirst() -> Element? {
        guard count > 0, let storage else { return nil }
        let element = (storage + head).move()
        head = (head + 1) & (capacity - 1)
        count -= 1
        if count == 0, capacity > 64 { release() }
        return element
    }

    @inlinable func popLast() -> Element? {
        guard count > 0, let storage else { return nil }
        count -= 1
        return (storage + (head + count) & (capacity - 1)).move()
    }

    @inlinable func grow() {
        let larger = max(4, capacity * 2)
        let moved = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        if let storage {
            let beforeWrap = min(count, capacity - head)
            moved.moveInitialize(from: storage + head, count: beforeWrap)
            (moved + beforeWrap).moveInitialize(from: storage, count: count - beforeWrap)
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
