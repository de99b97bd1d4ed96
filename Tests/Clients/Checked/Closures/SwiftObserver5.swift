// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives messages.

import SwiftObserver5

func say() {}

func observe(
    observer: some Observer, text: Var<String>, number: Var<Int?>, messenger: Messenger<String>, bell: Messenger<Void>
) {
    observer.observe(text) { (change: Change<String>) in say() }
    observer.observe(messenger) { (message: String) in say() }
    observer.observe(bell) { say() }
    observer.observe(text, number) { (text: Change<String>, number: Change<Int?>) in say() }
    observer.observe(text, number, messenger) { (a: Change<String>, b: Change<Int?>, message: String) in say() }
    observer.observe(text).receive { (change: Change<String>) in say() }
    observer.observe(bell).receive { say() }
    observer.observe(text).map({ $0.new.count }) { (count: Int) in say() }
    observer.observe(text).filter({ $0.valueChanged }) { (change: Change<String>) in say() }
    observer.observe(text).new { (text: String) in say() }
    observer.observe(number).new().unwrap(0) { (number: Int) in say() }
    observer.observe(messenger).select("a") { say() }
}
