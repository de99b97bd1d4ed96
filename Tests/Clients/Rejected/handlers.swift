// SPDX-License-Identifier: MIT
// Where messages change threads the compiler asks the closure to be Sendable, unless it is an actor's. Each line that says so is
// rejected, for that reason, and no other line is.

import SwiftObserver

final class Box: Observer {
    let receiver = Receiver()
    var count = 0, maximum = 9

    init(_ numbers: Messenger<Int>) {
        observe(numbers) { [unowned self] number in count += number }  // error: capture of 'self'
    }

    func watch(
        _ numbers: Messenger<Int>, _ number: Var<Int>, _ bell: Messenger<Void>, with handler: @escaping (Int) -> Void
    ) {
        observe(numbers) { [weak self] in self?.count += $0 }  // error: capture of 'self'
        observe(numbers) { self.count += $0 }  // error: capture of 'self'
        observe(numbers) { [weak self] number, author in self?.count += number }  // error: capture of 'self'
        observe(bell) { [weak self] in self?.count += 1 }  // error: capture of 'self'
        observe(numbers, receive: handler)  // error: non-Sendable
        observe(numbers, receive: add)  // error: non-Sendable
        observe(number, replaying: .latest) { [weak self] in self?.count += $0.new }  // error: capture of 'self'
        observe(number, number) { [weak self] in self?.count += $0.new + $1.new }  // error: capture of 'self'
        observe(number, number) { [weak self] one, _, _ in self?.count += one.new }  // error: capture of 'self'
        _ = numbers.observe { [weak self] in self?.count += $0 }  // error: capture of 'self'
        numbers.observe(weakly: self) { $0.count += $1 }  // error: actor-isolated

        observe(numbers).receive { [weak self] in self?.count += $0 }  // error: capture of 'self'
        observe(numbers).filter { [unowned self] in $0 < maximum }.receive { print($0) }  // error: capture of 'self'
        observe(numbers).map { [unowned self] in $0 + maximum }.receive { print($0) }  // error: capture of 'self'
        observe(number).new { [weak self] in self?.count += $0 }  // error: capture of 'self'
        observe(numbers).select(3) { [weak self] in self?.count += 1 }  // error: capture of 'self'
        observe(numbers).skipRepeats(by: { [unowned self] in $0 + $1 < count }).once()  // error: capture of 'self'

        _ = numbers.map { [unowned self] in $0 + maximum }  // error: capture of 'self'
        _ = numbers.filter { [unowned self] in $0 < maximum }  // error: capture of 'self'
        _ = numbers.filterAuthor { [unowned self] in $0 === self }  // error: capture of 'self'
        _ = numbers.skipRepeats(by: { [unowned self] in $0 + $1 < count })  // error: capture of 'self'
    }

    func add(_ number: Int) { count += number }
}

func sum(_ numbers: Messenger<Int>, by dog: FreeObserver) -> Int {
    var sum = 0
    dog.observe(numbers) { sum += $0 }  // error: captured var 'sum'
    _ = numbers.map { $0 + sum }  // error: captured var 'sum'
    numbers.send(1)
    return sum
}

/// Where everything is of one actor, nothing is asked.
@MainActor final class Display: Observer {
    let receiver = Receiver()
    var lines: [String] = [], boxes: [Box] = []
    var limited: AnyObject?

    func watch(_ numbers: Messenger<Int>, _ number: Var<Int>, _ made: Messenger<Box>, _ box: Box) {
        var sum = 0
        observe(numbers) { [weak self] in self?.lines.append("\($0)") }
        observe(numbers) { sum += $0 }
        observe(numbers) { box.count += $0 }
        observe(numbers, receive: show)
        observe(made) { [unowned self] in boxes.append($0) }
        observe(number, replaying: .latest) { [unowned self] in show($0.new) }
        observe(number, number) { [unowned self] in show($0.new + $1.new) }
        observe(numbers).filter { [unowned self] in $0 > lines.count }.map { "\($0)" }.receive { [unowned self] in
            lines.append($0)
        }
        numbers.observe(weakly: box) { box, number in box.count += number }
        limited = numbers.filter { [unowned self] in $0 > lines.count }
        show(sum)
    }

    func show(_ number: Int) { lines.append("\(number)") }
}

actor Ledger: Observer {
    let receiver = Receiver()
    var sum = 0

    func watch(_ numbers: Messenger<Int>, _ made: Messenger<Box>) {
        observe(numbers) { [unowned self] in sum += $0 }
        observe(made) { [unowned self] in sum += $0.count }
        observe(numbers).filter { [unowned self] in $0 > sum }.receive { [unowned self] in sum += $0 }
    }
}

/// What is Sendable goes anywhere.
func count(_ numbers: Messenger<Int>, in count: Var<Int>, by dog: FreeObserver) {
    let limit = 3
    dog.observe(numbers) { number in count.update { $0 += number } }
    dog.observe(numbers.filter { $0 > limit }) { print($0) }
}
