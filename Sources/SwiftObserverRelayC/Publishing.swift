// SPDX-License-Identifier: MIT

import CRelay
import CSwiftObserverRelay

/// What was published under a name.
final class Published {
    let relay: Relay
    let publication: Publication
    let held: Held
    private var observation: swo_observation = 0

    init(_ publication: Publication, of relay: Relay, held: Held) {
        self.publication = publication
        self.relay = relay
        self.held = held
    }

    /// Begins to observe; what has a value is published at once.
    func begin() -> swo_status {
        observe(
            held.observable, replaying: publication.isRetained ? 1 : 0, named: publication.observationName,
            { context, message, _ in
                let this = Unmanaged<Published>.fromOpaque(context!).takeUnretainedValue()
                this.relay.publishValue(value(of: message), of: this.publication)
            }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<Published>.fromOpaque($0!).release() }, &observation
        )
    }

    func stop() { _ = swo_stop(observation) }
}

/// Begins an observation whose name, with a zero at its end, is seen in graphs.
func observe(
    _ observable: OpaquePointer, replaying replay: Int = 0, named name: Bytes, _ handler: swo_handler,
    _ context: UnsafeMutableRawPointer, _ destroy: swo_destroy, _ out: UnsafeMutablePointer<swo_observation>
) -> swo_status {
    name.withUnsafeBytes { name in
        var options = swo_observe_options()
        options.size = MemoryLayout<swo_observe_options>.size
        options.name = name.baseAddress?.assumingMemoryBound(to: CChar.self)
        options.replay = replay
        return swo_observe_with(observable, &options, handler, context, destroy, out)
    }
}

@_cdecl("swo_relay_publish")
public func swo_relay_publish(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ observable: OpaquePointer?, _ kind: Int32,
    _ settable: Bool
) -> swo_status {
    var property = swo_relay_property()
    property.size = MemoryLayout<swo_relay_property>.size
    property.settable = settable
    return swo_relay_publish_with(relay, name, observable, kind, &property)
}

@_cdecl("swo_relay_publish_with")
public func swo_relay_publish_with(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ observable: OpaquePointer?, _ kind: Int32,
    _ property: UnsafePointer<swo_relay_property>?
) -> swo_status {
    guard let property, property.pointee.size >= MemoryLayout<swo_relay_property>.size else {
        return SWO_INVALID_ARGUMENT
    }
    let settable = property.pointee.settable
    guard let name, let observable else { return SWO_INVALID_ARGUMENT }
    let author = UnsafeRawPointer(relay)
    return withRelay(relay) { handle in
        guard let datatype = datatype(of: kind) else { return SWO_WRONG_KIND }
        let path = Bytes(copying: name)
        guard isPublishable(path), handle.relay.hasDevice else { return SWO_INVALID_ARGUMENT }
        var about = About()
        about.title = property.pointee.title.map { Bytes(copying: $0) }
        about.unit = property.pointee.unit.map { Bytes(copying: $0) }
        for text in [about.title, about.unit] {
            if let text, !text.withUnsafeBytes({ isUTF8($0) }) { return SWO_INVALID_TEXT }
        }
        if let format = property.pointee.format {
            about.format = Format(Bytes(copying: format), of: datatype)
            if about.format == nil { return SWO_INVALID_ARGUMENT }
        }
        var latest = swo_value()
        let status = swo_latest(observable, &latest)
        swo_value_clear(&latest)
        guard status == SWO_OK || status == SWO_WRONG_KIND else { return status }
        if settable {
            let status = swo_variable_get(observable, &latest)
            guard status == SWO_OK else { return status }
            swo_value_clear(&latest)
            // A derived variable has a value, and cannot be set.
            guard swo_derived_failure(observable, &latest) == SWO_WRONG_KIND else { return SWO_WRONG_KIND }
        }
        let held = Held(observable)
        let publication = handle.relay.publish(
            path, as: datatype, isRetained: status == SWO_OK, about: about,
            set: settable ? { set(held, $0, author: author) } : nil)
        guard let publication else { return SWO_NOT_FOUND }
        let published = Published(publication, of: handle.relay, held: held)
        handle.withPublished { $0.insert(published, at: path) }
        let begun = published.begin()
        if begun != SWO_OK {
            handle.relay.withdraw(publication)
            _ = handle.withPublished { $0.remove(path) }
        }
        return begun
    }
}

@_cdecl("swo_relay_withdraw")
public func swo_relay_withdraw(_ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?) -> swo_status {
    guard let name else { return SWO_INVALID_ARGUMENT }
    return withRelay(relay) { handle in
        guard let published = handle.withPublished({ $0.remove(Bytes(copying: name)) }) else { return SWO_NOT_FOUND }
        published.stop()
        handle.relay.withdraw(published.publication)
        return SWO_OK
    }
}

@_cdecl("swo_relay_remove")
public func swo_relay_remove(_ relay: OpaquePointer?, _ device: UnsafePointer<CChar>?) -> swo_status {
    guard let device else { return SWO_INVALID_ARGUMENT }
    return withRelay(relay) { $0.relay.remove(Bytes(copying: device)) ? SWO_OK : SWO_INVALID_ARGUMENT }
}

@_cdecl("swo_relay_alert")
public func swo_relay_alert(
    _ relay: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ text: UnsafePointer<CChar>?
) -> swo_status {
    guard let name else { return SWO_INVALID_ARGUMENT }
    let said = text.map { Bytes(copying: $0) }
    if let said, !said.withUnsafeBytes({ isUTF8($0) }) { return SWO_INVALID_TEXT }
    return withRelay(relay) { $0.relay.alert(Bytes(copying: name), said) ? SWO_OK : SWO_INVALID_ARGUMENT }
}

@_cdecl("swo_relay_sleep")
public func swo_relay_sleep(_ relay: OpaquePointer?, _ sleeping: Bool) -> swo_status {
    withRelay(relay) { $0.relay.sleep(sleeping) ? SWO_OK : SWO_INVALID_ARGUMENT }
}
