// SPDX-License-Identifier: MIT

// A Swift program with its own runtime uses the library, which has a runtime inside: neither notices the other.

import CSwiftObserver
import Foundation

/// What only the ordinary runtime has: weak references, existentials, casts, hashing, errors.
final class Thermometer: CustomStringConvertible {
    weak var room: Room?
    var readings: [String: Int64] = [:]
    var description: String { readings.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ") }
}

final class Room {
    nonisolated(unsafe) static var living = 0
    let thermometer: any CustomStringConvertible
    init(_ thermometer: Thermometer) {
        self.thermometer = thermometer
        Room.living += 1
        thermometer.room = self
    }
    deinit { Room.living -= 1 }
}

struct Failed: Error { let status: swo_status }

func check(_ status: swo_status) throws { if status != SWO_OK { throw Failed(status: status) } }

func measure(_ thermometer: Thermometer, from first: Int64) throws {
    let messenger = swo_messenger_new(), observer = swo_observer_new()
    var map: OpaquePointer?
    try check(
        swo_map(
            messenger,
            { _, message, out in
                out.pointee = swo_int64(message.pointee.as.int64 * 10)
                return SWO_OK
            }, nil, nil, &map))
    let context = Unmanaged.passRetained(thermometer).toOpaque()
    try check(
        swo_observe(
            map, observer,
            { context, message, _ in
                let thermometer = Unmanaged<Thermometer>.fromOpaque(context!).takeUnretainedValue()
                // A class of the program is made and dies inside of a handler.
                let room = Room(thermometer)
                thermometer.readings["r\(message.pointee.as.int64 % 3)", default: 0] += message.pointee.as.int64
                if thermometer.room !== room || (room.thermometer as? Thermometer) == nil {
                    fatalError("another runtime")
                }
            }, context, { Unmanaged<Thermometer>.fromOpaque($0!).release() }, nil))
    for number in first..<first + 1000 {
        var message = swo_int64(number)
        try check(swo_send(messenger, &message, nil))
    }
    swo_observer_release(observer)
    swo_observable_release(map)
    swo_observable_release(messenger)
}

// On several threads of the program's own runtime, each with what is its own.
nonisolated(unsafe) var sums: [String] = Array(repeating: "", count: 4)
let lock = NSLock()
DispatchQueue.concurrentPerform(iterations: 4) { index in
    weak var left: Thermometer?
    do {
        let thermometer = Thermometer()
        left = thermometer
        do { try measure(thermometer, from: 0) } catch { fatalError("\(error)") }
        lock.withLock { sums[index] = thermometer.description }
    }
    if left != nil { fatalError("something is left") }
}
print(Set(sums).joined(separator: ", "))
