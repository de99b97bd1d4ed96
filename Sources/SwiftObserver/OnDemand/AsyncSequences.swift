// SPDX-License-Identifier: MIT

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
    /// An observable that sends the elements of this sequence, while it is observed.
    ///
    ///     let measurements = sensor.measurements.asObservable()
    ///     observer.observe(measurements, on: MainActor.shared) { measurement in ... }
    ///
    /// A task iterates from the first observer on until the last one has left, all of which receive each element. The next
    /// observer after that has it iterate again. The observable must be held.
    public func asObservable(priority: TaskPriority? = nil) -> OnDemand<Element> {
        OnDemand(priority: priority, replaysLatest: false) { report in
            for await element in self { report(element) }
            return nil
        }
    }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
    /// An observable that sends the elements of this sequence, while it is observed, and at last the error, if it fails.
    ///
    ///     let lines = file.bytes.lines.asObservable()
    ///     observer.observe(lines) { line in print((try? line.get()) ?? "unreadable") }
    public func asObservable(priority: TaskPriority? = nil) -> OnDemand<Result<Element, any Error>> {
        OnDemand(priority: priority, replaysLatest: false) { report in
            do {
                for try await element in self { report(.success(element)) }
            } catch {
                report(.failure(error))
            }
            return nil
        }
    }
}
