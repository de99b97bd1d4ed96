// SPDX-License-Identifier: MIT

/// The names of the tracked objects that are still alive after a closure has run.
///
///     let leaked = leaks { track in
///         let dog = track(Dog())
///         ...
///     }
///     #expect(leaked.isEmpty)
@inline(never)
public func leaks(_ body: (Tracker) throws -> Void) rethrows -> [String] {
    let tracker = Tracker()
    try body(tracker)
    return tracker.living
}

/// Remembers objects without keeping them. Tests use it on one thread.
public final class Tracker: @unchecked Sendable {
    private struct Entry {
        weak var object: AnyObject?
        let name: String
    }

    private var entries: [Entry] = []

    public init() {}

    public func callAsFunction<Object: AnyObject>(_ object: Object, _ name: String? = nil) -> Object {
        entries.append(Entry(object: object, name: name ?? "\(type(of: object))"))
        return object
    }

    public var living: [String] { entries.filter { $0.object != nil }.map(\.name) }
}

/// An object that says when it dies, on whatever thread: what it calls then has to be fit for that.
public final class Mortal: @unchecked Sendable {
    private let onDeath: () -> Void
    public init(onDeath: @escaping () -> Void = {}) { self.onDeath = onDeath }
    deinit { onDeath() }
}
