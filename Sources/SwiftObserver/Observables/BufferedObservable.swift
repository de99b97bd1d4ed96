// SPDX-License-Identifier: MIT

import ObserverEngine

/// An observable that can say at any time what its latest message is.
///
/// Variables are buffered, and so are mappings of what is buffered. Filters are not, because the latest message
/// might not have passed.
public protocol BufferedObservable<Message>: Observable {
    /// The message sent last, or one that says that nothing has changed.
    var latestMessage: Message { get }
}

extension BufferedObservable {
    /// Sends the latest message, in a transaction the one that is there outside.
    ///
    /// - Parameter author: who caused the message. The observable itself, if no author is named.
    public func send(author: AnyObject? = nil) {
        if let variable = self as? any Replaying<Message> { return variable.sendLatest(author: author ?? self) }
        send(Transactions.outsideUnlessComputing { latestMessage }, author: author)
    }
}
