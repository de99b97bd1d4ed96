// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// A handler that is a closure, and the bond for which it is called.
    @frozen
    public struct BoundHandler<Message>: CopyingHandler {
        @usableFromInline let call: (Message) -> Void
        /// `nil` where it is called for as long as it is not stopped.
        public let bond: Bond?

        @inlinable
        public init(bond: Bond?, _ call: @escaping (Message) -> Void) {
            self.call = call
            self.bond = bond
        }

        @inlinable public static var inert: BoundHandler { BoundHandler(bond: nil) { _ in } }

        @inlinable public func receive(_ message: Message, _ author: Void) { call(message) }
    }
#endif
