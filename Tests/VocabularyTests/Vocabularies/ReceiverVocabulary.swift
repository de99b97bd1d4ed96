// SPDX-License-Identifier: MIT

import Receiver

struct ReceiverVocabulary: Vocabulary {
    let name = "Receiver"

    func scope(of law: Int) -> Scope {
        switch law {
        case 5: .inapplicable("has no word for it")
        case 15, 16, 17, 18: .inapplicable("has no variables")
        case 20, 21: .inapplicable("the latest wave cannot be asked for")
        case 22: .elsewhere("ReceiverTests/Seed/Operators.swift")
        case 23: .inapplicable("delivers directly only")
        case 24: .elsewhere("ReceiverTests/BadInputTests.swift")
        case 25: .inapplicable("a closure cannot fail")
        default: .tested
        }
    }

    func makeChannel<Message>(of type: Message.Type) -> any Channel<Message> { Pair(.hot) }
    func makeReplaying<Message>(of type: Message.Type) -> any Channel<Message> { Pair(.cold) }
}

/// A transmitter with its receiver.
private final class Pair<Message>: Channel, @unchecked Sendable {
    private let transmitter: Receiver<Message>.Transmitter
    private let receiver: Receiver<Message>

    init(_ strategy: Receiver<Message>.Strategy) { (transmitter, receiver) = Receiver.make(with: strategy) }

    func send(_ message: Message) { transmitter.broadcast(message) }

    func observe(_ handler: @escaping (Message) -> Void) -> any Kept {
        Bagged(receiver.listen(to: handler))
    }
}

private final class Bagged: Kept {
    private let disposable: Disposable
    private let bag = DisposeBag()

    init(_ disposable: Disposable) {
        self.disposable = disposable
        disposable.disposed(by: bag)
    }

    func stop() { disposable.dispose() }
}
