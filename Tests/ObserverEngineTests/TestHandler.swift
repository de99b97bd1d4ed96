// SPDX-License-Identifier: MIT

import ObserverEngine

/// A handler with everything a foreign language may do: refuse a copy, fail, have a context to destroy.
struct TestHandler: MessageHandler {
    /// This message cannot be copied for the queue.
    static let uncopyable = -1

    var context: UnsafeMutableRawPointer?
    let body: (Int, String) -> Void

    init(context: UnsafeMutableRawPointer? = nil, _ body: @escaping (Int, String) -> Void) {
        self.context = context
        self.body = body
    }

    static var tombstone: TestHandler { TestHandler { _, _ in } }
    func receive(_ message: Int, _ author: String) { body(message, author) }
    func end(_ destroy: Destroy?) { destroy?(context) }
    static func copy(_ message: Int) -> Int? { message == uncopyable ? nil : message }
    static func withMessage(_ waiting: borrowing Int, _ body: (Int) -> Void) { body(copy waiting) }
}

/// A core that closes when the test is over.
final class Observed {
    let core = Core<TestHandler>()
    deinit { core.close() }

    @discardableResult
    func observe(_ body: @escaping (Int) -> Void) -> ObservationID {
        core.observe(TestHandler { message, _ in body(message) })
    }

    @discardableResult
    func send(_ message: Int) -> Outcome { core.send(message, author: "test") }
}
