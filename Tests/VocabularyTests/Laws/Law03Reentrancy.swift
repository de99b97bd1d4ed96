// SPDX-License-Identifier: MIT

import Foundation
import Testing

@Suite("Law 3: what is sent from inside a handler queues") struct Law3 {
    @Test(arguments: vocabularies(under: 3))
    func aSendFromInsideAHandlerReturnsBeforeItsMessageIsDelivered(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        stage.observe("begin ") { stage, number in
            if number == 1 { for next in 2...3 { stage.channel.send(next) } }
            stage.note("end \(number)")
        }
        stage.channel.send(1)
        stage.note("sent")
        #expect(stage.heard == ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3", "sent"])
    }

    @Test(arguments: vocabularies(under: 3))
    func theStackDoesNotGrowWithTheNumberOfQueuedMessages(_ vocabulary: any Vocabulary) {
        let stage = Stage(vocabulary)
        var depths: [Int] = []
        stage.observe { stage, number in
            // The first is called from the send, the others from where the queue is emptied.
            if number == 2 || number == 20_000 { depths.append(Thread.callStackReturnAddresses.count) }
            if number < 20_000 { stage.channel.send(number + 1) }
        }
        stage.channel.send(1)
        #expect(depths.count == 2 && depths[0] > 1 && depths[0] == depths[1])
    }

    @Test(arguments: vocabularies(under: 3))
    func twoThatAnswerEachOtherDoNotNest(_ vocabulary: any Vocabulary) {
        let ping = Stage(vocabulary), pong = Stage(vocabulary)
        var received: [Int] = []
        for (one, other) in [(ping, pong), (pong, ping)] {
            one.observe { [unowned other] _, number in
                received.append(number)
                if number < 5_000 { other.channel.send(number + 1) }
            }
        }
        ping.channel.send(1)
        #expect(received == Array(1...5_000))
    }
}
