// SPDX-License-Identifier: MIT

import ObserverEngine

extension Observable {
    /// An observable that sends what this one sends, and sends some messages to each new observer first.
    ///
    ///     sent                     1 2
    ///     startWith(0)           0 1 2
    ///
    /// Their author is this observable.
    public func startWith(_ first: Message...) -> Transform<Self, Message> {
        Transform(self) { messenger in
            let core = messenger.core
            messenger.replay = { [weak self] in
                guard let self else { return [] }
                return first.map { Replayed($0, self) }
            }
            return .authored { _ = core.pass($0, author: $1) }
        }
    }
}
