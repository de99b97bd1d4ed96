// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives values.

import Dispatch
import SteinsKit

final class Label {}

func say() {}

func observe(variable: Variable<Int>, lazy: LazyVariable<String>, label: Label, disposer: Label, queue: DispatchQueue) {
    variable.asAnyObservable.beObserved(by: label) { (label: Label, number: Int) in say() }
    variable.asAnyObservable().beObserved(by: label, .async(queue)) { (label: Label, number: Int) in say() }
    lazy.beObserved(by: label, disposer: disposer) { (label: Label, text: String) in say() }
    lazy.map { $0.count }.beObserved(by: label, .directly, disposer: disposer) { (label: Label, count: Int) in say() }
    variable.runWithLatestValue { (number: Int) in say() }
}
