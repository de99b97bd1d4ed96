// SPDX-License-Identifier: MIT

import Observation

/// Reads again whenever what was read changes.
///
/// The Observation module tells once, and just before a change. So what is read at that moment is what the
/// change before has made, and what the last change has made is read later. Both times it is asked to tell
/// again: at once, not to miss a change, and later, because other things may be read then.
///
/// - Note: `@unchecked Sendable`: used only where the objects are changed, on one actor or queue.
final class Tracking<Value>: @unchecked Sendable {
    private let read: () -> Value
    private let isHere: () -> Bool
    private let runLater: (@escaping @Sendable () -> Void) -> Void
    var report: (Value) -> Void = { _ in }

    /// What was registered before the present generation is not listened to any more.
    private var generation = 0
    private var isCatchingUp = false

    init(
        _ read: @escaping () -> Value, _ isHere: @escaping () -> Bool,
        _ runLater: @escaping (@escaping @Sendable () -> Void) -> Void
    ) {
        self.read = read
        self.isHere = isHere
        self.runLater = runLater
    }

    /// Reads, and is told of the next change.
    func track() -> Value {
        generation += 1
        return withObservationTracking(read, onChange: told(generation))
    }

    private func told(_ generation: Int) -> @Sendable () -> Void {
        { [weak self] in self?.willChange(generation) }
    }

    private func willChange(_ generation: Int) {
        guard isHere() else { return runLater { [weak self] in self?.catchUp() } }
        guard generation == self.generation else { return }
        report(track())
        guard !isCatchingUp else { return }
        isCatchingUp = true
        runLater { [weak self] in self?.catchUp() }
    }

    private func catchUp() {
        isCatchingUp = false
        report(track())
    }
}
