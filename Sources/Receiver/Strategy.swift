// SPDX-License-Identifier: MIT

extension Receiver {
    /// Says what a new listener receives first.
    public enum Strategy: Equatable, Sendable {
        /// Every wave there ever was: the memory grows for ever.
        case cold
        /// The last waves, up to a number. Zero is hot; a negative number ends the program.
        case warm(upTo: Int)
        /// Nothing.
        case hot

        @usableFromInline var limit: Int? {
            switch self {
            case .cold: nil
            case .warm(let count): count
            case .hot: 0
            }
        }
    }
}
