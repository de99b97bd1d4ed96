// SPDX-License-Identifier: MIT

import ObserverEngine

/// How many messages are remembered for later observers.
public enum Remembered: Sendable {
    /// None.
    case none
    /// One.
    case latest
    /// A number of them.
    case last(Int)
    /// Every message there ever was: the memory grows for ever.
    case all

    var limit: Int? {
        switch self {
        case .none: 0
        case .latest: 1
        case .last(let count): count
        case .all: nil
        }
    }
}

/// Sends what its source sends, and replays the last messages to each new observer.
///
///     let chat = messenger.replay(.last(10))
///     observer.observe(chat) { ... }   // receives the last ten messages first
///
/// A replay goes to the new observer alone, in order, and comes before any later message. If nothing is
/// being delivered it has been received when `observe` returns; otherwise it comes after the message that
/// is. It remembers what was sent since it was made. Without message order, a message that is on its way
/// while an observation begins may be missing in the replay.
public final class Replayer<Source: Observable>: Transform<Source, Source.Message> {
    /// Begins to observe a source, and to remember.
    public init(_ source: Source, _ remembered: Remembered) {
        super.init(
            source,
            into: { messenger in
                let core = messenger.core
                let history = History(of: core, limit: remembered.limit)
                // The first observation of all, so that what others receive has been remembered.
                messenger.observeItself(.authored { _ = history.remember($0, $1) })
                messenger.replay = { history.replay() }
                return .authored { _ = core.send($0, author: $1) }
            })
    }

    /// The messages that a new observer would receive now.
    public var remembered: [Source.Message] { (messenger.replay?() ?? []).map(\.message) }
}

/// - Note: `@unchecked`: nothing of a replayer changes but what its link, its messenger and its history guard.
extension Replayer: @unchecked Sendable where Source: Sendable, Source.Message: Sendable {}

extension Observable {
    /// An observable that sends what this one sends, and replays the last messages to new observers.
    ///
    ///     sent                      1 2     3
    ///     observer from the start   1 2     3
    ///     later observer, .last(2)      1+2 3
    public func replay(_ remembered: Remembered) -> Replayer<Self> {
        Replayer(self, remembered)
    }
}
