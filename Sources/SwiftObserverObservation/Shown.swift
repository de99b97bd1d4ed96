// SPDX-License-Identifier: MIT

import Observation
public import SwiftObserver

/// A variable that `withObservationTracking` follows, and SwiftUI.
///
///     let name = Shown(person.$name)
///     withObservationTracking { print(name.value) } onChange: { ... }
///
/// It belongs to the main actor: there it has the value that the variable had with its last update, and is told of each
/// change just before, as the Observation module wants it. An update that is sent on the main actor arrives at once,
/// any other one later. So what one view shows is of one moment.
///
/// It holds the variable, and the variable does not hold it. Anything that is buffered and sends updates can be shown:
/// a `Var`, a `Derived`, a ``Tracked``.
@MainActor public final class Shown<Source: BufferedObservable, Value>: Observation.Observable
where Source.Message == Update<Value> {
    /// What is shown.
    public let source: Source

    private let registrar = ObservationRegistrar()
    private var present: Value

    /// Shows a variable from now on.
    public init(_ source: Source) {
        self.source = source
        present = source.latestMessage.new
        source.observe(weakly: self, replaying: .latest) { shown, update in shown.show(update.new) }
    }

    private func show(_ value: Value) {
        registrar.withMutation(of: self, keyPath: \.value) { present = value }
    }

    /// The value of the last update that has arrived.
    public var value: Value { read() }

    // Where the value can be set, too, that is another property, but changes are told of this one.
    private func read() -> Value {
        registrar.access(self, keyPath: \.value)
        return present
    }
}

extension Shown where Source == Var<Value> {
    /// The value. Setting it sets the variable, so that a control can be bound to this.
    public var value: Value {
        get { read() }
        set { source.value = newValue }
    }
}
