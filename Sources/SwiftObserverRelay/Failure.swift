// SPDX-License-Identifier: MIT

extension Relay {
    /// Why a relay does not do what it was asked for. Nothing has happened then. The cases are C's statuses.
    public enum Failure: Error, Hashable, CustomStringConvertible {
        /// A name, an address or a number is not as it has to be.
        case invalidArgument(String)
        /// The name is there, as something else.
        case wrongKind(String)
        /// There is none, it is taken, or the relay is closed.
        case notFound(String)
        /// The machine has no threads or descriptors left.
        case noResources

        /// Tells the failure, in a sentence without its full stop.
        public var description: String {
            switch self {
            case .invalidArgument(let sentence), .wrongKind(let sentence), .notFound(let sentence): sentence
            case .noResources: "there are no threads or descriptors left"
            }
        }
    }
}
