// SPDX-License-Identifier: MIT

import SwiftObserver

/// The observer of these tests, which writes down what it hears.
final class Dog: Observer, @unchecked Sendable {
    let receiver = Receiver()
    private(set) var heard: [String] = []

    func hear<Message>(_ message: Message) { heard.append("\(message)") }

    /// Observes, and hears each message after a name: "first 1". An update is heard as "0>1".
    @discardableResult
    func listen<O: SwiftObserver.Observable>(to observable: O, as name: String = "") -> ObservationHandle {
        observe(observable) { [unowned self] message in
            heard.append((name.isEmpty ? "" : name + " ") + text(of: message))
        }
    }

    private func text<Message>(of message: Message) -> String {
        (message as? any OldAndNew)?.text ?? "\(message)"
    }
}

private protocol OldAndNew { var text: String { get } }

extension Update: OldAndNew {
    fileprivate var text: String { "\(old)>\(new)" }
}

/// Instead of `===` in an expectation, which the compiler (6.3) does not survive where one side is an `AnyObject`.
func isSame(_ one: AnyObject, _ other: AnyObject) -> Bool { one === other }
