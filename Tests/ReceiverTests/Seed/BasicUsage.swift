// SPDX-License-Identifier: MIT

import Receiver
import Testing

@Suite("Receiver: basic usage") struct BasicUsage {
    @Test func aReceiverIsMadeTogetherWithItsTransmitter() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var eaten = 0
        receiver.listen { cheezburgers in eaten += cheezburgers }
        transmitter.broadcast(1)
        #expect(eaten == 1)
    }

    @Test func oneCanListenAsManyTimesAsOneWants() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [String] = []
        receiver.listen { cheezburgers in heard.append("Can I haz \(cheezburgers) cheezburger") }
        receiver.listen { cheezburgers in heard.append("I have \(cheezburgers) and you have none") }
        transmitter.broadcast(1)
        #expect(heard == ["Can I haz 1 cheezburger", "I have 1 and you have none"])
    }

    @Test func aFunctionListensByItsLabel() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [Int] = []
        func hear(_ wave: Int) { heard.append(wave) }
        receiver.listen(to: hear)
        transmitter.broadcast(1)
        #expect(heard == [1])
    }

    @Test func aBagDisposesOfWhatIsInItWhenItDies() {
        let (transmitter, receiver) = Receiver<Int>.make()
        var heard: [String] = []
        var bag: DisposeBag? = DisposeBag()
        receiver.listen { heard.append("a\($0)") }.disposed(by: bag!)
        receiver.listen { heard.append("b\($0)") }.disposed(by: bag!)
        receiver.listen { heard.append("c\($0)") }
        transmitter.broadcast(1)
        bag = nil
        transmitter.broadcast(2)
        #expect(heard == ["a1", "b1", "c1", "c2"])
    }
}
