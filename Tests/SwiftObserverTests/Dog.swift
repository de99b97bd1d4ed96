// SPDX-License-Identifier: MIT

import SwiftObserver

/// The observer of these tests.
final class Dog: Observer {
    let receiver = Receiver()
}

/// Instead of `===` in an expectation, which the compiler (6.3) does not survive where one side is an `AnyObject`.
func isSame(_ one: AnyObject, _ other: AnyObject) -> Bool { one === other }
