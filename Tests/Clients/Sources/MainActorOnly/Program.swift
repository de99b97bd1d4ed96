// SPDX-License-Identifier: MIT
// A program that stays on the main actor, with messages and objects that are not Sendable.

import SwiftObserver

/// Not Sendable.
final class Letter {
    var text: String
    init(_ text: String) { self.text = text }
}

/// Not isolated, and used on the main actor only.
final class PostOffice: Observable {
    let messenger = Messenger<Letter>()
    let lettersSent = Var(0)

    func post(_ text: String) {
        send(Letter(text))
        lettersSent.update { $0 += 1 }
    }
}

@MainActor final class Doorbell: Observable {
    let messenger = Messenger<Int>()
    var rings = 0

    func ring() {
        rings += 1
        send(rings)
    }
}

@MainActor final class Resident: Observer {
    let receiver = Receiver()
    private(set) var diary: [String] = []

    init(_ office: PostOffice, _ doorbell: Doorbell) {
        observe(office) { [weak self] letter in self?.write(letter.text) }
        observe(office).map { $0.text.count }.filter { [weak self] in $0 > self?.limit ?? 0 }.receive { [weak self] in
            self?.write("\($0) letters long")
        }
        observe(office.lettersSent).new { [unowned self] count in write("letter \(count)") }
        observe(office) { letter, author in letter.text += author is PostOffice ? ", stamped" : "" }
        observe(doorbell) { [weak self] in self?.write("ring \($0)") }
        observe(office.lettersSent, replaying: .latest) { [weak self] in self?.write("\($0.new) so far") }
    }

    var limit: Int { 5 }

    private func write(_ line: String) { diary.append(line) }
}

@main @MainActor
enum Program {
    static func main() {
        let office = PostOffice(), doorbell = Doorbell()
        let resident = Resident(office, doorbell)
        var seen: [String] = []
        resident.observe(office) { seen.append($0.text) }
        office.post("Hello")
        office.post("Goodbye")
        doorbell.ring()
        resident.stopObserving(office)
        office.post("Nobody reads this")
        print(resident.diary)
        print(seen)
        #if swift(>=6)
            print("in Swift 6 mode")
        #else
            print("in Swift 5 mode")
        #endif
    }
}
