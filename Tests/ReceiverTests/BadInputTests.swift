// SPDX-License-Identifier: MIT

import Receiver
import TestSupport
import Testing

@Suite("Receiver: what is not meant is defined") struct BadInputTests {
    @Test func disposingTwiceIsHarmless() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [String] = []
        let disposable = receiver.listen { heard.append("a\($0)") }
        disposable.dispose()
        receiver.listen { heard.append("b\($0)") }
        disposable.dispose()
        transmitter.broadcast(1)
        #expect(heard == ["b1"])
    }

    @Test func disposingInsideTheHandlerEndsItAfterThisCall() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        var disposable: Disposable?
        disposable = receiver.listen {
            disposable?.dispose()
            heard.append($0)
        }
        transmitter.broadcast(1)
        transmitter.broadcast(2)
        #expect(heard == [1])
    }

    @Test func disposingAfterTheReceiverHasDiedIsHarmless() {
        var pair: (Receiver<Int>.Transmitter, Receiver<Int>)? = Receiver<Int>.make()
        let disposable = pair!.1.listen { _ in }
        pair = nil
        disposable.dispose()
        disposable.disposed(by: DisposeBag())
    }

    @Test func oneDisposableMayBeInTwoBags() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var first: DisposeBag? = DisposeBag()
        let second = DisposeBag()
        var heard: [Int] = []
        let disposable = receiver.listen { heard.append($0) }
        disposable.disposed(by: first!)
        disposable.disposed(by: second)
        transmitter.broadcast(1)
        first = nil
        withExtendedLifetime(second) { transmitter.broadcast(2) }
        #expect(heard == [1])
    }

    @Test func aWarmBufferOfSizeZeroIsHot() {
        let (transmitter, receiver) = Receiver<Int>.make(with: .warm(upTo: 0))
        transmitter.broadcast(1)
        var heard: [Int] = []
        receiver.listen { heard.append($0) }
        transmitter.broadcast(2)
        #expect(heard == [2])
    }

    @Test func aWarmBufferOfNegativeSizeEndsTheProgram() async throws {
        try expect(
            "no negative number of messages can be remembered",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Receiver<Int>.make(with: .warm(upTo: -1)) })
    }

    @Test func takingNoneReceivesNothing() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        receiver.take(count: 0).listen { heard.append($0) }
        transmitter.broadcast(1)
        #expect(heard == [])
    }

    @Test func skippingNoneReceivesEverything() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        receiver.skip(count: 0).listen { heard.append($0) }
        transmitter.broadcast(1)
        #expect(heard == [1])
    }

    @Test func negativeCountsEndTheProgram() async throws {
        try expect(
            "no negative number of messages can be taken",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Receiver<Int>.make().1.take(count: -1) })
        try expect(
            "no negative number of messages can be skipped",
            in: await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) { _ = Receiver<Int>.make().1.skip(count: -1) })
    }

    private func expect(
        _ sentence: String, in result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try #require(result, sourceLocation: sourceLocation)
        #if DEBUG
            let output = String(decoding: result.standardErrorContent, as: UTF8.self)
            #expect(output.contains(sentence), sourceLocation: sourceLocation)
        #endif
    }
}
