// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Receiver: what is not meant is defined") struct BadInputTests {
    @Test func disposingAfterTheReceiverHasDiedIsHarmless() {
        func make() -> Disposable { Receiver<Int>.make().1.listen { _ in } }
        let disposable = make()
        disposable.dispose()
        disposable.disposed(by: DisposeBag())
    }

    @Test func oneDisposableMayBeInTwoBags() {
        let (transmitter, receiver) = Receiver<Int>.make(), second = DisposeBag()
        var first: DisposeBag? = DisposeBag(), heard: [Int] = []
        let disposable = receiver.listen { heard.append($0) }
        disposable.disposed(by: first!)
        disposable.disposed(by: second)
        transmitter.broadcast(1)
        first = nil
        withExtendedLifetime(second) { transmitter.broadcast(2) }
        #expect(heard == [1])
    }

    @Test func ofNothingThereIsAllOrNothing() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 0))
        var heard: [String] = []
        transmitter.broadcast(1)
        receiver.take(count: 0).listen { heard.append("taken \($0)") }
        receiver.skip(count: 0).listen { heard.append("not skipped \($0)") }
        transmitter.broadcast(2)
        #expect(heard == ["not skipped 2"])
    }

    enum Misuse: String, Codable, CaseIterable {
        case remembered, taken, skipped

        func commit() {
            switch self {
            case .remembered: _ = Receiver<Int>.make(with: .warm(upTo: -1))
            case .taken: _ = Receiver<Int>.make().1.take(count: -1)
            case .skipped: _ = Receiver<Int>.make().1.skip(count: -1)
            }
        }
    }

    @Test(arguments: Misuse.allCases) func negativeNumbersEndTheProgram(_ misuse: Misuse) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [misuse] in
            misuse.commit()
        }
        let sentence = "no negative number of messages can be \(misuse.rawValue)"
        #expect(isSaid(sentence, in: result?.standardErrorContent))
    }
}
