// SPDX-License-Identifier: MIT

import ObserverRelay

extension Relay {
    /// The state of the connection.
    public struct State: Hashable, Sendable, CustomStringConvertible {
        /// Where the connection stands.
        public enum Phase: String, Sendable {
            /// It is being made, or what is retained and published is still on its way.
            case connecting
            /// The retained values of all mirrors have come in, and all that is published has been sent.
            case ready
            /// It is gone, and will be made again. The report says why.
            case lost
            /// The relay is.
            case closed
        }

        /// Where the connection stands.
        public let phase: Phase

        /// A sentence where there is more to say: why the connection was lost, or what did not cross.
        public let report: String?

        /// The phase and the report, as in other languages: `lost: the broker closed the connection`.
        public var description: String { report.map { "\(phase): \($0)" } ?? "\(phase)" }

        init(phase: Phase, report: String? = nil) {
            self.phase = phase
            self.report = report
        }

        /// - Parameter text: what the engine says.
        init(_ text: Bytes) {
            let parts = String(decoding: text, as: UTF8.self).split(separator: ": ", maxSplits: 1)
            self.init(
                phase: Phase(rawValue: String(parts[0]))!, report: parts.count > 1 ? String(parts[1]) : nil)
        }
    }
}
