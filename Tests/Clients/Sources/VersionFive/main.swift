// SPDX-License-Identifier: MIT
// A program written for SwiftObserver 5, but for the import.

import SwiftObserver5

class Sky: CustomObservable {
    nonisolated(unsafe) static let shared = Sky()
    let messenger = Messenger(Color.grey)
    typealias Message = Color
    enum Color: Equatable { case blue, grey }
}

class Dog: Observer {
    init(name: String) {
        self.name = name
        observe(Sky.shared) { color in
            print(name, "sees", color)
        }
    }

    deinit {
        stopObserving()
    }

    let name: String
}

struct TV {
    let channel = Var<Int?>()
    let title = Var<String?>("News").new().unwrap("untitled")
}

class Model: CustomObservable {
    var latestMessage: Change<String?> {
        Change(state, state)
    }

    var state: String? {
        didSet {
            if oldValue != state {
                send(Change(oldValue, state))
            }
        }
    }

    let messenger = Messenger(Change<String?>())
}

var dog: Dog? = Dog(name: "Rex")
Sky.shared.send(.blue)

let tv = TV(), model = Model()
dog?.observe(tv.channel).new().unwrap(0).filter { $0 > 0 }.map { "channel \($0)" }.receive {
    print($0)
}
tv.channel <- 5
tv.channel.int += 10
tv.channel <- nil

dog?.observe(tv.title, model) { title, change in
    print(title, change.new ?? "no state", change.valueChanged)
}
model.state = "on"
tv.title.source <- nil

let number = Var(1), other = Var<Int?>(2)
dog?.observe(number) { change in
    print(change.old, change.new, number.value)
    if change.new < 3 { number <- change.new + 1 }
}
number <- number + other - 1
print(number == Var(3), number < Var(4), "text: " + Var("a") + Var<String?>("b"))

dog?.observe(Sky.shared).select(.blue) {
    print("a walk")
}
Sky.shared.send(.blue)
dog = nil
stopAllAbandonedObservations()
Sky.shared.send(.grey)
print(Weak(number).latestMessage.new)
