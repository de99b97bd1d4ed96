// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing

@Suite("Seed: Ad Hoc Mapping") struct AdHocMapping {
    enum Bowl: Equatable { case wasFilled, wasEmptied }

    @Test func aMappingThatIsNotHeldSendsNothing() {
        let dog = Dog(), bowl = Messenger(Bowl.wasEmptied)
        dog.observe(bowl.map({ $0 == .wasFilled })) { bowlWasFilled in
            dog.hear(bowlWasFilled)
        }
        bowl.send(.wasFilled)
        #expect(dog.heard.isEmpty)
    }

    @Test func theObservationItselfIsMapped() {
        let dog = Dog(), bowl = Messenger(Bowl.wasEmptied)
        dog.observe(bowl).map({ $0 == .wasFilled }) { bowlWasFilled in
            if bowlWasFilled { dog.hear("filled") }
        }
        bowl.send(.wasFilled)
        bowl.send(.wasEmptied)
        #expect(dog.heard == ["filled"])
    }

    @Test func transformationsAreChained() {
        let observer = Dog(), number = Var(42)
        observer.observe(number).new().map {
            "\($0)"
        }.filter {
            $0.count > 1
        }.map {
            Int.init($0)
        }.filter {
            $0 != nil
        }.unwrap(-1) {
            observer.hear($0)
        }
        number <- 5
        number <- 50
        #expect(observer.heard == ["50"])
    }

    @Test func eachFunctionEndsAChainOrGoesOn() {
        let dog = Dog(), number = Var<Int?>(0)
        dog.observe(number).new { dog.hear("new \($0 ?? 0)") }
        dog.observe(number).filter({ $0.new != nil }) { dog.hear("filter \($0.new ?? 0)") }
        dog.observe(number).new().unwrap(7) { dog.hear("unwrap \($0)") }
        dog.observe(number).new().unwrap(7).select(7) { dog.hear("select") }
        dog.observe(number).new().select(1).receive { dog.hear("one") }
        dog.observe(number).receive { dog.hear("receive \($0.new ?? 0)") }
        number <- 1
        #expect(dog.heard == ["new 1", "filter 1", "unwrap 1", "one", "receive 1"])
        dog.heard = []
        number <- nil
        #expect(dog.heard == ["new 0", "unwrap 7", "select", "receive 0"])
    }

    @Test func aChainIsStoppedLikeAnyObservation() {
        let dog = Dog(), sky = Sky()
        dog.observe(sky).map { "\($0)" }.receive { dog.hear($0) }
        dog.stopObserving(sky)
        sky.send(.blue)
        #expect(dog.heard.isEmpty)
    }
}
