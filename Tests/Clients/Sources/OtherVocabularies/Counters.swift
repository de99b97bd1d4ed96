// SPDX-License-Identifier: MIT
// As one writes with SteinsKit. Nothing here is Sendable, and the label stays on the main actor.

import Dispatch
import SteinsKit

protocol ModelProtocol: AnyObject {
    var title: AnyObservable<String> { get }
}

@MainActor final class Label {
    var text = "" {
        didSet { print("label:", text) }
    }
}

final class Model: ModelProtocol {
    private var counter = 0
    private let visitors: LazyVariable<Int> = .init()

    func countUp() {
        counter += 1
        visitors.accept(counter)
    }

    var title: AnyObservable<String> {
        return visitors.asAnyObservable.map { "\($0) visitors" }
    }
}

@MainActor func runCounters() {
    let model = Model(), label = Label(), other = Label()
    model.countUp()
    model.title.beObserved(by: label, onChanged: { $0.text = $1 })
    model.title.beObserved(by: other, .directly, disposer: label) { label, text in label.text = text + "!" }
    model.title.beObserved(by: label, .async(DispatchQueue.main), onChanged: { $0.text = $1 })
    model.countUp()
}
