// SPDX-License-Identifier: MIT

extension Variable {
    /// The present value for a new observer, as of the messages that have been delivered: where others
    /// still wait, the value with which the next of them begins.
    ///
    /// - Parameters:
    ///   - oldValue: the value with which an update begins. Runs under the lock: no foreign code.
    ///   - author: of the replay.
    @inlinable
    public func replay(
        oldValue: (borrowing Handler.Waiting) -> Value, author: Handler.Author
    ) -> [Replayed<Handler>] {
        core.lock()
        defer { core.unlock() }
        let present = core.line?.first.map { oldValue($0.message) } ?? value
        return [Replayed(makeMessage(present, present), author)]
    }
}
