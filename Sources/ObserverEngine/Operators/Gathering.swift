// SPDX-License-Identifier: MIT

// Rules over the messages of several parts, for a junction. Each passes on one message of each part.

/// Knows the latest message of each of several parts: it is fetched where the part knows it, and remembered elsewhere.
///
/// - Note: `@unchecked Sendable`: what is remembered is guarded, and parts may be asked on any thread.
public final class LatestMessages<Stored>: @unchecked Sendable {
    /// Fetches the latest message of a part, if there is one.
    public typealias Fetch = () -> Stored?

    private let fetches: [Fetch?]
    private let remembered: Guarded<[Stored?]>

    /// - Parameter fetches: `nil` for each part whose latest message is to be remembered.
    public init(_ fetches: [Fetch?]) {
        self.fetches = fetches
        remembered = Guarded([Stored?](repeating: nil, count: fetches.count))
    }

    public var count: Int { fetches.count }

    /// Whether a part does not know its latest message itself.
    public func isRemembered(_ part: Int) -> Bool { fetches[part] == nil }

    /// Remembers a message, where that is needed.
    public func note(_ message: Stored, of part: Int) {
        // Released here, without the lock.
        let before = remembered.withLock { remembered in
            defer { remembered[part] = message }
            return remembered[part]
        }
        withExtendedLifetime(before) {}
    }

    /// The latest message of a part.
    public subscript(part: Int) -> Stored? {
        if let fetch = fetches[part] { return fetch() }
        return remembered.withLock { $0[part] }
    }
}

extension Junction {
    /// Passes on the latest message of each part whenever one of some parts sends, once all have sent.
    ///
    ///     sent to 0     1     2
    ///     sent to 1        5     6
    ///     passed           1  2  2
    ///                      5  5  6
    ///
    /// - Parameters:
    ///   - isTrigger: whether a message of that part is passed on; of the others it is only remembered.
    ///   - pass: sends the messages, which are given up when it returns.
    public static func gatheringLatest(
        _ latest: LatestMessages<Handler.Stored>, when isTrigger: @escaping (_ part: Int) -> Bool,
        _ pass: @escaping (_ messages: inout [Handler.Stored?], Handler.Author) -> Bool
    ) -> Rule {
        // Of parts that are fetched it has something only while that is passed on.
        var messages = [Handler.Stored?](repeating: nil, count: latest.count)
        let fetched = (0..<latest.count).filter { !latest.isRemembered($0) }
        var missing = latest.count - fetched.count
        return { part, message, author in
            guard let message else { return true }
            let triggers = isTrigger(part), isRemembered = latest.isRemembered(part)
            guard triggers || isRemembered else { return true }
            guard let kept = Handler.copy(message) else { return false }
            if isRemembered {
                if messages[part] == nil { missing -= 1 }
                latest.note(kept, of: part)
            }
            messages[part] = kept
            guard triggers, missing == 0 else {
                if !isRemembered { messages[part] = nil }
                return true
            }
            if fetched.isEmpty { return pass(&messages, author) }
            var isComplete = true
            for other in fetched where other != part && isComplete {
                messages[other] = latest[other]
                isComplete = messages[other] != nil
            }
            let isPassed = !isComplete || pass(&messages, author)
            for other in fetched { messages[other] = nil }
            return isPassed
        }
    }

    /// Passes on the first message of each part, then the second of each, and so on. It keeps what one has sent until all
    /// others have, without a bound.
    ///
    ///     sent to 0     1 2     3
    ///     sent to 1         5      6
    ///     passed            1      2
    ///                       5      6
    public static func zipping(
        _ count: Int, _ pass: @escaping (_ messages: inout [Handler.Stored?], Handler.Author) -> Bool
    ) -> Rule {
        var waiting: [MessageQueue<Handler.Stored, Void>] = []
        for _ in 0..<count { waiting.append(MessageQueue()) }
        var messages: [Handler.Stored?] = []
        return { part, message, author in
            guard let message else { return true }
            guard let kept = Handler.copy(message) else { return false }
            waiting[part].append(kept, ())
            for one in waiting where one.count == 0 { return true }
            for one in waiting {
                if let first = one.popFirst() { messages.append(first.message) }
            }
            defer { messages.removeAll(keepingCapacity: true) }
            return pass(&messages, author)
        }
    }

    /// Passes on so many messages together, by the author of the last.
    ///
    ///     sent          1 2 3 4 5
    ///     passed, of 2    1   3
    ///                     2   4
    public static func gathering(
        _ count: Int, _ pass: @escaping (_ messages: inout [Handler.Stored], Handler.Author) -> Bool
    ) -> Rule {
        var messages: [Handler.Stored] = []
        return { _, message, author in
            guard let message else { return true }
            guard let kept = Handler.copy(message) else { return false }
            messages.append(kept)
            if messages.count < count { return true }
            var passed: [Handler.Stored] = []
            swap(&passed, &messages)
            return pass(&passed, author)
        }
    }

    /// Passes on the latest message of part 0 when part 1 sends, unless it has been passed on.
    ///
    ///     sent to 0     1 2       3
    ///     sent to 1         x  x     x
    ///     passed            2        3
    public static func sampling(
        _ pass: @escaping (_ message: Handler.Stored, Handler.Author) -> Bool
    ) -> Rule {
        var latest: (message: Handler.Stored, author: Handler.Author)?
        return { part, message, author in
            guard let message else { return true }
            if part == 0 {
                guard let kept = Handler.copy(message) else { return false }
                latest = (kept, author)
                return true
            }
            guard let sample = latest else { return true }
            latest = nil
            return pass(sample.message, sample.author)
        }
    }
}
