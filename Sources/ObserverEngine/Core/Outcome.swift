// SPDX-License-Identifier: MIT

/// What became of a send.
public enum Outcome: Sendable {
    /// Delivered, queued, or nobody observes.
    case sent
    /// It had to wait, and there was no memory for a copy. Nothing was sent.
    case noMemory
    /// It was sent, and a handler reported that it failed (law 25).
    case handlerFailed
}
