// SPDX-License-Identifier: MIT

import Contestants

/// What a variable costs, beside a property that calls closures.
func reportVariables() {
    let observed = VariableUse(), plain = PropertyUse()
    let measured: [(name: String, observed: (Int) -> Void, plain: (Int) -> Void)] = [
        ("Swift, get a variable", observed.get, plain.get),
        ("Swift, set a variable to what it is", observed.setToTheSame, plain.setToTheSame),
        ("Swift, set a variable with one observer", observed.set, plain.set),
    ]
    for one in measured {
        let subjects = [
            Subject(name: "property with closures", run: one.plain), Subject(name: "SwiftObserver", run: one.observed),
        ]
        for (subject, time) in zip(subjects, measure(subjects)) { report(one.name, subject.name, 1, time, "ns") }
    }
}
