// SPDX-License-Identifier: MIT

import SwiftObserver5

/// An observer that writes down what it is told.
final class Dog: Observer {
    var heard: [String] = []

    func hear<Message>(_ message: Message) { heard.append("\(message)") }
}

enum Color: Equatable { case blue, grey }

/// The sky over all tests of one test.
final class Sky: CustomObservable {
    let messenger = Messenger(Color.grey)
    typealias Message = Color
}
