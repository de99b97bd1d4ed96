// SPDX-License-Identifier: MIT
// What must compile beside the functions that say why they are not there.

import Dispatch
import SwiftObserver
import SwiftObserverDispatch

final class Executor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {}
}

final class Queue: DeliveryQueue {
    func runLater(_ job: @escaping @Sendable () -> Void) {}
}

func watch(_ a: Var<Int>, _ b: Var<Int>, _ c: Cache<Messenger<String>>, by dog: FreeObserver) {
    dog.observe(a, b) { print($0.new, $1.new) }
    dog.observe(a, b, c) { a, b, c in print(a, b, c) }
    dog.observe(a, on: .async(DispatchQueue.global())) { print($0) }
    dog.observe(a, on: .async(.main)) { print($0) }
    dog.observe(a, on: .sync(.global())) { print($0) }
    dog.observe(a, on: .async(Executor())) { print($0) }
    dog.observe(a, on: .async(Queue())) { print($0) }
}

func send(on text: Mapper<Messenger<Int>, String>, _ filter: Filter<Messenger<Int>>) {
    text.send("by hand")
    filter.send(3)
    filter.send(3, author: text)
}
