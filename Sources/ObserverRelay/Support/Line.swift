// SPDX-License-Identifier: MIT

/// First in, first out.
struct Line<Element> {
    private var elements: [Element?] = []
    private var first = 0

    var isEmpty: Bool { first == elements.count }
    var count: Int { elements.count - first }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[first]
        elements[first] = nil
        first += 1
        // What a burst took is given back.
        if first == elements.count {
            elements.removeAll(keepingCapacity: first <= 1024)
            first = 0
        } else if first > 1024, first * 2 > elements.count {
            elements.removeFirst(first)
            first = 0
        }
        return element
    }

    /// Undoes the last `popFirst`.
    mutating func putBack(_ element: Element) {
        if first == 0 {
            elements.insert(element, at: 0)
        } else {
            first -= 1
            elements[first] = element
        }
    }

    /// All that wait, which no longer do.
    mutating func takeAll() -> [Element] {
        let taken = elements[first...].compactMap { $0 }
        self = Line()
        return taken
    }

    /// What was added last.
    var last: Element? {
        get { isEmpty ? nil : elements[elements.count - 1] }
        set { elements[elements.count - 1] = newValue }
    }
}
