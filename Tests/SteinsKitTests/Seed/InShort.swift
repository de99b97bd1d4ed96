// SPDX-License-Identifier: MIT

import SteinsKit
import Testing

protocol ModelProtocol: AnyObject {
    var title: AnyObservable<String> { get }
}

@Suite("SteinsKit: TL;DR") struct InShort {
    final class MyViewController {
        var model: ModelProtocol!
        let label = Label()

        func loadView() {
            model.title.beObserved(by: label, onChanged: { $0.text = $1 })
        }
    }

    final class Model: ModelProtocol {
        private var _counter = 0
        private let _title: LazyVariable<String> = .init()

        func countUp() {
            _counter += 1
            _title.accept("Welcome!\nWe have \(_counter) people visited our playground!")
        }

        var title: AnyObservable<String> {
            return _title.asAnyObservable
        }
    }

    @Test func aLabelShowsTheTitleOfAModel() {
        let vc = MyViewController()
        let model = Model()
        vc.model = model
        vc.loadView()
        #expect(vc.label.text == "")
        model.countUp()
        #expect(vc.label.text == "Welcome!\nWe have 1 people visited our playground!")
    }
}
