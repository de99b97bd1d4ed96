// SPDX-License-Identifier: MIT

import MiniRex

/// Subscribes, and writes down what comes.
final class Heard<Update> {
    private(set) var updates: [Update] = []
    private(set) var subscription: Subscription!

    init(_ publisher: Publisher<Update>) {
        subscription = publisher.subscribe { [unowned self] in updates.append($0) }
    }
}
