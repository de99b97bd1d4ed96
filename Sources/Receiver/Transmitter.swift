// SPDX-License-Identifier: MIT

import ObserverEngine

extension Receiver {
    /// Broadcasts to a receiver. It keeps the receiver.
    public struct Transmitter {
        @usableFromInline let receiver: Receiver

        @inlinable
        init(_ receiver: Receiver) { self.receiver = receiver }

        /// Sends a wave to all listeners.
        ///
        /// Called from inside a handler, or while another thread delivers, it returns before the wave has
        /// been delivered.
        @inlinable
        public func broadcast(_ wave: Wave) { _ = receiver.core.sendForProgram(wave, author: ()) }
    }
}
