// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Law 3: what is sent from inside a handler queues") struct Law3 {
    @Test(arguments: vocabularies(under: 3))
    func aSendFromInsideAHandlerReturnsBeforeItsMessageIsDelivered(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var log: [String] = []
        let kept = channel.observe { number in
            log.append("begin \(number)")
            if number == 1 {
                channel.send(2)
                channel.send(3)
            }
            log.append("end \(number)")
        }
        channel.send(1)
        log.append("sent")
        withExtendedLifetime(kept) {
            #expect(log == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "sent"])
        }
    }

    @Test(arguments: vocabularies(under: 3))
    func theStackDoesNotGrowWithTheNumberOfQueuedMessages(_ vocabulary: any Vocabulary) {
        let channel = vocabulary.makeChannel(of: Int.self)
        var depths: [Int] = []
        let kept = channel.observe { number in
            // The first is called from the send, the others from where the queue is emptied.
            if number == 2 || number == 20_000 { depths.append(Thread.callStackReturnAddresses.count) }
            if number < 20_000 { channel.send(number + 1) }
        }
        channel.send(1)
        withExtendedLifetime(kept) { #expect(depths.count == 2 && depths[0] > 1 && depths[0] == depths[1]) }
    }

    @Test(arguments: vocabularies(under: 3))
    func twoThatAnswerEachOtherDoNotNest(_ vocabulary: any Vocabulary) {
        let ping = vocabulary.makeChannel(of: Int.self), pong = vocabulary.makeChannel(of: Int.self)
        var received: [Int] = []
        let kept = [
            ping.observe { number in
                received.append(number)
                if number < 5_000 { pong.send(number + 1) }
            },
            pong.observe { number in
                received.append(number)
                if number < 5_000 { ping.send(number + 1) }
            },
        ]
        ping.send(1)
        withExtendedLifetime(kept) { #expect(received == Array(1...5_000)) }
    }
}
