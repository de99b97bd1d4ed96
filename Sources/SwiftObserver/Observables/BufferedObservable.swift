// SPDX-License-Identifier: MIT

/// An observable that can say at any time what its latest message is.
///
/// Variables are buffered, and so are mappings of what is buffered. Filters are not, because the latest message
/// might not have passed.
public protocol BufferedObservable<Message>: Observable {
    /// The message sent last, or one that says that nothing has changed.
    var latestMessage: Message { get }
}

extension BufferedObservable {
    /// Sends the latest message.
    ///
    /// - Parameter author: who caused the message. The observable itself, if no author is named.
    @inlinable
    public func send(author: AnyObject? = nil) {
        send(latestMessage, author: author)
    }
}
