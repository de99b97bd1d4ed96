// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable where Message: Sendable {
    /// Waits for the next message.
    ///
    ///     let color = await sky.next()
    ///
    /// A transform is kept meanwhile, any other observable is not.
    ///
    /// - Returns: `nil` if the observable dies before, or the task is cancelled.
    public consuming func next(isolation actor: isolated (any Actor)? = #isolation) async -> Message? {
        var iterator = messages(buffering: .oldest(1)).makeAsyncIterator()
        _ = consume self
        return await iterator.next(isolation: actor)
    }

    /// Waits for the next message that is wanted.
    ///
    ///     let update = await number.next { $0.new > 9 }
    ///
    /// `isWanted` is called where the message is sent. A transform is kept meanwhile, any other observable is not.
    ///
    /// - Returns: `nil` if the observable dies before, or the task is cancelled.
    public consuming func next(
        isolation actor: isolated (any Actor)? = #isolation, where isWanted: @escaping @Sendable (Message) -> Bool
    ) async -> Message? {
        var iterator = wanted(isWanted).makeAsyncIterator()
        _ = consume self
        return await iterator.next(isolation: actor)
    }

    private func wanted(_ isWanted: @escaping @Sendable (Message) -> Bool) -> Messages<Message> {
        let messenger = messenger
        return Messages(.oldest(1), keeping: messenger.upstream) { put in
            ObservationHandle(id: messenger.observe { _ in .message { if isWanted($0) { put($0) } } })
        }
    }
}
