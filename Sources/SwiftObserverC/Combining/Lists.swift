// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

/// Sends lists of messages, none of which is missing.
func passingLists(
    to target: Core<CHandler>
) -> (_ messages: inout [StoredMessage?], UnsafeRawPointer?) -> Bool {
    let list = ListInPlace()
    return { messages, author in
        list.fill(messages.count) { messages[$0].unsafelyUnwrapped.borrow($1) }
            && list.with { target.pass($0, author: author) == .sent }
    }
}

/// The same of messages that wait together.
func passingBuffers(
    to target: Core<CHandler>
) -> (_ messages: inout [StoredMessage], UnsafeRawPointer?) -> Bool {
    let list = ListInPlace()
    return { messages, author in
        list.fill(messages.count) { messages[$0].borrow($1) }
            && list.with { target.pass($0, author: author) == .sent }
    }
}

/// Sends a message that was kept.
func passing(to target: Core<CHandler>) -> (_ message: StoredMessage, UnsafeRawPointer?) -> Bool {
    { message, author in message.withValue { target.pass($0, author: author) == .sent } }
}

/// The memory of a list that is being sent, to be used for the next one.
final class ListInPlace {
    private var values: UnsafeMutablePointer<swo_value>?
    private var updates: UnsafeMutablePointer<swo_update>?
    private var capacity = 0
    private var count = 0

    deinit {
        values?.deallocate()
        updates?.deallocate()
    }

    /// Fills it with messages, which are borrowed until the next call.
    ///
    /// - Parameter borrow: borrows one, which, where it is an update, is put there.
    /// - Returns: False if it would be too deep.
    func fill(_ count: Int, _ borrow: (Int, UnsafeMutablePointer<swo_update>) -> swo_value) -> Bool {
        if capacity < count { grow(to: count) }
        self.count = count
        guard let values, let updates else { return false }
        for place in 0..<count {
            (values + place).initialize(to: borrow(place, updates + place))
            if values[place].kind >= SWO_KIND_UPDATE, !canBeListed(values + place) { return false }
        }
        return true
    }

    /// Calls with the list.
    func with<Result>(_ body: (UnsafePointer<swo_value>) -> Result) -> Result {
        withUnsafePointer(to: swo_list(values, count), body)
    }

    private func grow(to count: Int) {
        values?.deallocate()
        updates?.deallocate()
        capacity = max(count, capacity * 2)
        values = .allocate(capacity: capacity)
        updates = .allocate(capacity: capacity)
    }
}

extension Latest {
    /// One list of several latest messages, or the first reason why there is none.
    init(listing all: ArraySlice<Latest>) {
        var messages: [StoredMessage] = []
        for one in all {
            guard let message = one.message else {
                self = one
                return
            }
            messages.append(message)
        }
        let list = ListInPlace()
        guard list.fill(messages.count, { messages[$0].borrow($1) }) else {
            self.init(SWO_CALLBACK_FAILED)
            return
        }
        self = list.with { StoredMessage(copying: $0) }.map { Latest($0) } ?? Latest(SWO_NO_MEMORY)
    }
}
