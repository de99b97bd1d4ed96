// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

@MainActor @Suite("Documentation: Testing Code That Observes") struct TestingCodeThatObservesTests {
    private typealias View = LifetimesTests.View

    @Test func recordAndCompare() {
        let number = Var(0)
        var received: [Int] = []
        let watching = number.observe { received.append($0.new) }
        number <- 1
        number <- 2
        #expect(received == [1, 2])
        withExtendedLifetime(watching) {}
    }

    @Test func replaceTheSource() {
        let thermometer = Messenger<Int>(), dog = Dog()
        var received: [String] = []
        let shown = thermometer.map { "\($0) degrees" }
        let fake = Messenger<Int>()
        shown.source = fake
        dog.observe(shown) { received.append($0) }
        fake.send(20)
        #expect(received == ["20 degrees"])
    }

    @Test func seeThatNothingIsLeft() {
        let title = Var("")
        var view: View? = View(title)
        #expect(title.isObserved)
        view = nil
        #expect(!title.isObserved)
        withExtendedLifetime(view) {}
    }

    final class Till {
        var total = 0
    }

    @Test func whatStillListens() {
        let price = Var(5), till = Till()
        let euros = price.new()
        price.messenger.name = "price"
        euros.observe(weakly: till) { till, euros in till.total += euros }
        let drawing = graphDOT(price)
        #expect(
            drawing.split(separator: "\n").dropFirst(4).joined(separator: "\n") == #"""
                    n0 [label="Var<Int>\nprice"];
                    n1 [label="Mapper<Var<Int>, Int>"];
                    n0 -> n1;
                    h1 [shape=ellipse, fillcolor="#eeeeee", label="handler\nTill"];
                    n1 -> h1;
                }
                """#)
        withExtendedLifetime(till) {}
    }
}
