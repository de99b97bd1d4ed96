// SPDX-License-Identifier: MIT

import ObserverEngine
import Synchronization

/// Carries messages of any objects to its observers, and remembers the last one.
///
///     let textMessenger = Messenger("")
///     observer.observe(textMessenger) { text in print(text) }
///     textMessenger.send("my text message")
///     // textMessenger.latestMessage == "my text message"
public final class Messenger<Message>: ObservableObject<Message> {
    @usableFromInline let latest: DeferredVariable<Message, KeptClosure<Message>>
    @usableFromInline let remembers = Atomic(true)

    /// A messenger with its first latest message.
    @inlinable
    public init(_ latestMessage: Message) {
        let core = Core<KeptClosure<Message>>(of: Messenger.self)
        latest = DeferredVariable(core: core, value: latestMessage) { _, new in new }
        super.init(core)
    }

    /// A messenger without a latest message.
    @inlinable
    public convenience init() where Message: ExpressibleByNilLiteral { self.init(nil) }

    /// Sends a message to all observers. It becomes the latest message when its turn has come, that is at once,
    /// unless a message is being delivered.
    @inlinable
    public override func send(_ message: Message) {
        if remembersLatestMessage {
            _ = latest.send(message, author: ())
        } else {
            _ = observationCore.sendForProgram(message, author: ())
        }
    }

    /// The message sent last. Setting it sends nothing; `nil` forgets it, where messages are optional.
    @inlinable
    public override var latestMessage: Message {
        get { latest.get() }
        set { latest.reset(newValue) }
    }

    /// Whether messages that are sent become the latest message.
    @inlinable
    public var remembersLatestMessage: Bool {
        get { remembers.load(ordering: .relaxed) }
        set { remembers.store(newValue, ordering: .relaxed) }
    }
}
