// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import SwiftObserverRelay
import Testing
import TestSupport

@Suite("Requests of relays") struct RequestTests {
    private func patient(_ timeout: Duration = .seconds(1_000_000)) throws -> Relay {
        try Relay(
            to: meeting, firstRetry: .milliseconds(5), lastRetry: .milliseconds(20), requestTimeout: timeout)
    }

    @Test func aRequestIsPendingUntilItsOwnerHasDecided() throws {
        let owner = try relay("slow"), other = try patient()
        let level = Var(1), inside = Gate(), decides = Gate(), observer = FreeObserver()
        // Before the relay, which so does not hear of it either.
        observer.observe(level) { _ in
            inside.open()
            decides.pass()
        }
        try owner.publish(level, as: "light/level", settable: true)
        let mirror: Var<Int?> = try other.mirror("slow/light/level")
        until(mirror, is: 1)
        ready(owner, other)
        #expect(!other.isPending("slow/light/level"))
        mirror <- 9
        // The relay's own thread may be about to hand the first value on, and then asks itself.
        while !other.isPending("slow/light/level") { sched_yield() }
        inside.pass()
        #expect(other.isPending("slow/light/level"))
        decides.open()
        while other.isPending("slow/light/level") { sched_yield() }
        until(mirror, is: 9)
        #expect(!other.isPending("slow/light/nothing"))
    }

    @Test func aRequestThatIsNotAnsweredInTimeIsUndoneAndTheStateSaysSo() throws {
        let owner = try relay("silent"), other = try patient(.milliseconds(50))
        let level = Var(1), inside = Gate(), decides = Gate(), observer = FreeObserver()
        observer.observe(level) { _ in
            inside.open()
            decides.pass()
        }
        try owner.publish(level, as: "light/level", settable: true)
        let mirror: Var<Int?> = try other.mirror("silent/light/level")
        until(mirror, is: 1)
        ready(owner, other)
        mirror <- 9
        inside.pass()
        until(mirror, is: 1)
        #expect(!other.isPending("silent/light/level"))
        until(other.state) { $0.report?.contains("silent/light/level: its owner did not answer in 50 ms") ?? false }
        #expect(other.counts.dropped == 1)
        decides.open()
        until(mirror, is: 9)
    }

    @Test func aMirrorKnowsHowLongItIsUnconfirmedAndCanBeNilThen() throws {
        let other = try patient()
        let strict = try Relay(
            to: meeting, firstRetry: .milliseconds(5), lastRetry: .milliseconds(20), staleAfter: .milliseconds(20))
        let mirror: Var<Int?> = try other.mirror("known/flow/rate")
        let strictMirror: Var<Int?> = try strict.mirror("known/flow/rate")
        for number in 1...2 {
            let owner = try relay("known")
            try owner.publish(Var(number), as: "flow/rate")
            until(mirror, is: number)
            until(strictMirror, is: number)
            while try other.unconfirmed("known/flow/rate") != nil { sched_yield() }
            owner.close()
            while try other.unconfirmed("known/flow/rate") == nil { sched_yield() }
            until(strictMirror, is: nil)
            #expect(mirror.value == number)
        }
        #expect(throws: Relay.Failure.self) { try other.unconfirmed("known/flow/nothing") }
    }

    @Test func handlersOfTwoRelaysMayCloseEachOthers() throws {
        let owner = try relay("crossed"), relays = [try patient(), try patient()]
        let rate = Var(1), observer = FreeObserver(), inside = [Gate(), Gate()], ended = [Gate(), Gate()]
        try owner.publish(rate, as: "flow/rate")
        for index in 0..<2 {
            let mirror: Var<Int?> = try relays[index].mirror("crossed/flow/rate")
            until(mirror, is: 1)
            let other = relays[1 - index]
            observer.observe(mirror) { update in
                guard update.new == 2 else { return }
                inside[index].open()
                inside[1 - index].pass()
                other.close()
                ended[index].open()
            }
        }
        rate <- 2
        ended.forEach { $0.pass() }
    }
}
