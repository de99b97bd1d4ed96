// SPDX-License-Identifier: MIT

import SteinsKit
import Testing

/// Names of the published code that its document does not show.
@Suite("Published names") struct PublishedNames {
    @Test func whatCanBeObservedIsObservable() {
        func latest<O: Observable>(_ observable: O) -> O.Value? {
            var latest: O.Value?
            observable.runWithLatestValue { latest = $0 }
            return latest
        }
        func show(_ observable: some Observable<Int>, in label: Label) {
            observable.map { "\($0)" }.beObserved(by: label, onChanged: { $0.text = $1 })
        }
        let variable = Variable(1), label = Label()
        show(variable, in: label)
        #expect(latest(variable) == 1)
        #expect(latest(LazyVariable(2)) == 2)
        #expect(latest(variable.asAnyObservable.map { $0 + 2 }) == 3)
        #expect(label.text == "1")
    }
}
