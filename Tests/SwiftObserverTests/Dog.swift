// SPDX-License-Identifier: MIT

import SwiftObserver

/// The observer of these tests.
final class Dog: Observer {
    let receiver = Receiver()
}
