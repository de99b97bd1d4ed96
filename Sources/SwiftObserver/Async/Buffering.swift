// SPDX-License-Identifier: MIT

/// Says where messages go that come in while no task asks for the next one.
public enum Buffering: Sendable, Hashable {
    /// All wait. This is unbounded: a loop that is always too slow needs ever more memory.
    case unbounded
    /// The newest so many wait, and older ones are left out.
    case newest(Int)
    /// The oldest so many wait, and newer ones are left out.
    case oldest(Int)
    /// So many wait, and then the sender waits, too, so that nothing is left out.
    ///
    /// The sender has to be able to: on a thread that it may block, and not on the one that asks for the
    /// messages. What others send meanwhile waits in the observable.
    case waiting(Int)

    @usableFromInline var limit: Int? {
        switch self {
        case .unbounded: nil
        case .newest(let count), .oldest(let count), .waiting(let count): count
        }
    }
}
