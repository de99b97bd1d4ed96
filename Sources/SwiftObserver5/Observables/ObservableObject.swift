// SPDX-License-Identifier: MIT

import ObserverEngine

/// The superclass of everything observable in this module, apart from your own.
///
/// A class that inherits this says what its latest message is.
open class ObservableObject<Message>: Observable {
    /// The core that the observations hang on.
    public final let observationCore: Core<KeptClosure<Message>>

    /// An observable without observers.
    @inlinable
    public init() { observationCore = Core(of: ObservableObject.self) }

    @inlinable
    init(_ core: Core<KeptClosure<Message>>) { observationCore = core }

    @inlinable
    deinit { observationCore.closeInLoop() }

    /// The message sent last, or one that says that nothing has changed.
    open var latestMessage: Message { preconditionFailure("\(type(of: self)) does not say what its latest message is") }

    /// Sends a message to all observers.
    @inlinable
    open func send(_ message: Message) { _ = observationCore.sendForProgram(message, author: ()) }
}
