// SPDX-License-Identifier: MIT

import ObserverRelay

extension Relay {
    /// Tells others of a property, and limits what it may hold.
    ///
    ///     try relay.publish(level, as: "light/level", settable: true, about: .init(unit: "%", format: "0:100:5"))
    ///     try relay.publish(mode, as: "heating/mode", settable: true, about: .init(format: "off,eco,comfort"))
    ///
    /// A value that its format does not allow does not cross, in either direction; one that lies between steps does.
    public struct Property: Sendable {
        /// The name that people read. Without it: the name that it was published under.
        public var title: String?
        /// Of a number, as in `°C`, `%` or `lx`.
        public var unit: String?
        /// As Homie writes it: of numbers from where to where, and maybe in what steps, `0:100:5`; of texts which ones there
        /// are, `low,medium,high`; of booleans what people call false and true, `off,on`. Without it: anything.
        public var format: String?

        public init(title: String? = nil, unit: String? = nil, format: String? = nil) {
            self.title = title
            self.unit = unit
            self.format = format
        }

        func checked(as datatype: Datatype) throws(Failure) -> About {
            var about = About(title: title.map { Bytes($0.utf8) }, unit: unit.map { Bytes($0.utf8) })
            guard let format else { return about }
            about.format = Format(Bytes(format.utf8), of: datatype)
            guard about.format != nil else {
                throw .invalidArgument("format must be min:max, min:max:step or different texts, not \(format)")
            }
            return about
        }
    }

    /// Raises an alert of the device, which people are to know of, as `$alert/name`; `nil` takes it back. Not over D-Bus.
    public func alert(_ name: String, _ text: String?) throws(Failure) {
        guard engine.alert(Bytes(name.utf8), text.map { Bytes($0.utf8) }) else {
            throw .invalidArgument("\(name) is no name, its text is empty, or the relay has no device")
        }
    }

    /// Says that the device sleeps, and so answers late, or that it does no more.
    public func sleep(_ sleeping: Bool = true) throws(Failure) {
        guard engine.sleep(sleeping) else { throw .invalidArgument("a relay without a device does not sleep") }
    }
}
