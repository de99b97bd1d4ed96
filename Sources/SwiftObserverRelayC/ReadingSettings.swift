// SPDX-License-Identifier: MIT

import CSwiftObserverRelay

enum ReadSettings {
    case settings(Settings)
    /// What is wrong, as a sentence without its full stop, and what C says of it.
    case problem(StaticString, swo_status)
}

/// What C says of a connection, checked.
func readSettings(_ options: UnsafePointer<swo_relay_options>) -> ReadSettings {
    func wrong(_ sentence: StaticString) -> ReadSettings { .problem(sentence, SWO_INVALID_ARGUMENT) }
    let size = MemoryLayout<swo_relay_options>.size
    // The first version ended before the last two fields.
    guard options.pointee.size >= size - 2 * MemoryLayout<UInt32>.size else {
        return wrong("size must be sizeof(swo_relay_options)")
    }
    var given = swo_relay_options()
    withUnsafeMutableBytes(of: &given) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(options.pointee.size, size)))
    }
    let address = given.address.map { Bytes(copying: $0) } ?? []
    if let problem = problem(withAddress: address) { return wrong(problem) }
    guard var settings = Settings(address: address, device: given.device.map { Bytes(copying: $0) }) else {
        return wrong("device must be made of small letters, digits and hyphens, at most 128 of them")
    }
    settings.title = given.title.map { Bytes(copying: $0) }
    if let title = settings.title, !title.withUnsafeBytes({ isUTF8($0) }) {
        return .problem("title must be UTF-8", SWO_INVALID_TEXT)
    }
    if let prefix = given.discovery, !settings.discover(by: Bytes(copying: prefix)) {
        return wrong("discovery must be the beginning of a topic, as homeassistant is, and there are none over D-Bus")
    }
    let most = UInt32(Int32.max)
    if given.first_retry > most { return wrong("first_retry must be at most 2147483647 milliseconds") }
    if given.last_retry > most { return wrong("last_retry must be at most 2147483647 milliseconds") }
    if given.request_timeout > most { return wrong("request_timeout must be at most 2147483647 milliseconds") }
    if given.stale_after > most { return wrong("stale_after must be at most 2147483647 milliseconds") }
    if given.keep_alive != 0, !(5...65535).contains(given.keep_alive) {
        return wrong("keep_alive must be 5 to 65535 seconds")
    }
    // A size_t comes as an Int: the largest ones are negative.
    guard (0...256 << 20).contains(given.largest_payload) else {
        return wrong("largest_payload must be 1 to 268435456 bytes")
    }
    settings.user = given.user.map { Bytes(copying: $0).terminated }
    settings.password = given.password.map { Bytes(copying: $0).terminated }
    settings.authorities = given.ca_file.map { Bytes(copying: $0).terminated }
    settings.certificate = given.certificate_file.map { Bytes(copying: $0).terminated }
    settings.key = given.key_file.map { Bytes(copying: $0).terminated }
    if given.largest_payload > 0 { settings.largestPayload = given.largest_payload }
    if given.first_retry > 0 { settings.firstRetry = Int(given.first_retry) }
    if given.last_retry > 0 { settings.lastRetry = Int(given.last_retry) }
    if given.keep_alive > 0 { settings.keepAlive = Int32(given.keep_alive) }
    if given.request_timeout > 0 { settings.requestTimeout = Int(given.request_timeout) }
    settings.staleAfter = Int(given.stale_after)
    settings.lastRetry = max(settings.lastRetry, settings.firstRetry)
    return .settings(settings)
}

@_cdecl("swo_relay_options_problem")
public func swo_relay_options_problem(_ options: UnsafePointer<swo_relay_options>?) -> UnsafePointer<CChar>? {
    guard let options else { return nil }
    guard case .problem(let sentence, _) = readSettings(options) else { return nil }
    return UnsafeRawPointer(sentence.utf8Start).assumingMemoryBound(to: CChar.self)
}
