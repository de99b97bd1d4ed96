// SPDX-License-Identifier: MIT

/// First in, first out.
struct Line<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        // What a burst took is given back.
        if head == elements.count {
            elements.removeAll(keepingCapacity: head <= 1024)
            head = 0
        } else if head > 1024, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// What has waited longest.
    var first: Element? { isEmpty ? nil : elements[head] }

    /// Undoes the last `popFirst`.
    mutating func putBack(_ element: Element) {
        if head == 0 {
            elements.insert(element, at: 0)
        } else {
            head -= 1
            elements[head] = element
        }
    }

    /// All that wait, which no longer do.
    mutating func takeAll() -> [Element] {
        let taken = elements[head...].compactMap { $0 }
        self = Line()
        return taken
    }

    /// What was added last.
    var last: Element? {
        get { isEmpty ? nil : elements[elements.count - 1] }
        set { elements[elements.count - 1] = newValue }
    }
}
