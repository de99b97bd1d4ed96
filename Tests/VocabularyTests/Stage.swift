// SPDX-License-Identifier: MIT

/// A channel of numbers with those that observe it, what they have heard, and what has been noted beside it.
final class Stage {
    /// What an observer does besides hearing, on the stage where it stands.
    typealias Act = (_ stage: Stage, _ number: Int) -> Void

    let channel: any Channel<Int>
    private(set) var heard: [String] = []
    private var observers: [(any Kept)?] = []

    init(_ vocabulary: any Vocabulary) { channel = vocabulary.makeChannel(of: Int.self) }

    func note(_ text: String) { heard.append(text) }

    /// Lets an observer in: it hears numbers after its name, "a1", if it has one. The first one has number 0.
    func observe(_ name: String? = nil, act: @escaping Act = { _, _ in }) {
        observers.append(nil)
        let place = observers.count - 1
        observers[place] = channel.observe { [unowned self] number in
            if let name { note("\(name)\(number)") }
            act(self, number)
        }
    }

    func stop(_ place: Int) { observers[place]?.stop() }

    /// Lets go of an observer, and of its observation.
    func release(_ place: Int) { observers[place] = nil }
}
