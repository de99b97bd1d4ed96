// SPDX-License-Identifier: MIT

import ObserverRelay
import SwiftObserver

extension Relay {
    /// A message of the broker, as it is.
    public struct Watched: Hashable, Sendable {
        /// Where it was published.
        public let topic: String
        /// The value before.
        public let payload: String
    }

    /// Sends all messages of some topics of the broker, while it is observed. Its owner must hold it.
    ///
    ///     let states = try relay.watch("homie/5/+/$state")
    ///     observer.observe(states) { print($0.topic, $0.payload) }
    ///
    /// First come those that the broker retains; of each topic that waits, the latest. So the example lists the devices,
    /// and goes on with what becomes of them. A payload that is no UTF-8 does not cross.
    ///
    /// - Parameter filter: a topic filter of MQTT: `+` stands for one level, `#` at the end for all.
    public func watch(_ filter: String) throws(Failure) -> OnDemand<Watched> {
        let bytes = Bytes(filter.utf8)
        guard isFilter(bytes) else { throw .invalidArgument("\(filter) is no topic filter of MQTT") }
        return OnDemand { [engine] report in
            let watcher = engine.watch(bytes) { topic, payload in
                if let payload = String(validating: payload, as: UTF8.self) {
                    report(Watched(topic: String(decoding: topic, as: UTF8.self), payload: payload))
                } else {
                    engine.refuse("a payload", of: topic, "it is no UTF-8 text")
                }
            }
            return { if let watcher { engine.unwatch(watcher.number) } }
        }
    }
}
