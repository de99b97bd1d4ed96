// SPDX-License-Identifier: MIT

import CSwiftObserver
import ObserverEngine

/// Sends lists of messages.
func passingLists(
    to target: Core<CHandler>
) -> (_ messages: inout [StoredMessage], UnsafeRawPointer?) -> Bool {
    let list = ListInPlace()
    return { messages, author in list.with(messages) { target.pass($0, author: author) == .sent } ?? false }
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

    deinit {
        values?.deallocate()
        updates?.deallocate()
    }

    /// Calls with a list of messages, which are borrowed meanwhile. `nil` if it would be too deep.
    func with<Messages: Collection, Result>(
        _ messages: Messages, _ body: (UnsafePointer<swo_value>) -> Result
    ) -> Result? where Messages.Element == StoredMessage {
        if capacity < messages.count { grow(to: messages.count) }
        guard let values, let updates else { return nil }
        var place = 0
        for message in messages {
            (values + place).initialize(to: message.borrow(updates + place))
            guard canBeListed(values + place) else { return nil }
            place += 1
        }
        return withUnsafePointer(to: swo_list(values, place), body)
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
        guard let copied = ListInPlace().with(messages, { StoredMessage(copying: $0) }) else {
            self.init(SWO_CALLBACK_FAILED)
            return
        }
        self = copied.map { Latest($0) } ?? Latest(SWO_NO_MEMORY)
    }
}
