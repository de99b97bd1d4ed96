// SPDX-License-Identifier: MIT

import SteinsKit
import Testing
import TestSupport

@Suite("Long chains of mappings are released in a loop") struct ChainTests {
    private final class Bearer {}

    private func chain(_ bearer: Bearer) -> (Variable<Int>, AnyObservable<Int>) {
        let variable = Variable(0)
        var last = variable.asAnyObservable
        for _ in 0..<10_000 {
            last = last.map {
                withExtendedLifetime(bearer) {}
                return $0 + 1
            }
        }
        return (variable, last)
    }

    @Test func fromTheEnd() {
        onSmallStack {
            let leaked = leaks { track in
                let variable = chain(track(Bearer())).0
                withExtendedLifetime(variable) {}
            }
            #expect(leaked.isEmpty)
        }
    }

    @Test func fromTheSource() {
        onSmallStack {
            let label = Label()
            let leaked = leaks { track in
                let bearer = track(Bearer()), variable = LazyVariable<Int>()
                var last = variable.asAnyObservable
                for _ in 0..<10_000 {
                    last = last.map {
                        withExtendedLifetime(bearer) {}
                        return $0 + 1
                    }
                }
                last.beObserved(by: label, onChanged: { $0.text = "\($1)" })
            }
            #expect(leaked.isEmpty)
        }
    }
}
