// SPDX-License-Identifier: MIT

import CSwiftObserverRelay

enum ReadSettings {
    case settings(Settings)
    case status(swo_status)
}

/// What C says of a connection, checked.
func readSettings(_ options: UnsafePointer<swo_relay_options>) -> ReadSettings {
    let size = MemoryLayout<swo_relay_options>.size
    // The first version ended before the last two fields.
    guard options.pointee.size >= size - 2 * MemoryLayout<UInt32>.size else { return .status(SWO_INVALID_ARGUMENT) }
    var given = swo_relay_options()
    withUnsafeMutableBytes(of: &given) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(options.pointee.size, size)))
    }
    guard let address = given.address else { return .status(SWO_INVALID_ARGUMENT) }
    let most = UInt32(Int32.max)
    guard var settings = Settings(address: Bytes(copying: address), device: given.device.map { Bytes(copying: $0) }),
        given.first_retry <= most, given.last_retry <= most, given.request_timeout <= most, given.stale_after <= most,
        given.keep_alive == 0 || (5...65535).contains(given.keep_alive),
        given.largest_payload <= 256 << 20
    else { return .status(SWO_INVALID_ARGUMENT) }
    settings.title = given.title.map { Bytes(copying: $0) }
    if let title = settings.title, !title.withUnsafeBytes({ isUTF8($0) }) { return .status(SWO_INVALID_TEXT) }
    if let prefix = given.discovery, !settings.discover(by: Bytes(copying: prefix)) {
        return .status(SWO_INVALID_ARGUMENT)
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
