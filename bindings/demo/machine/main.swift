// SPDX-License-Identifier: MIT
//
// Tells other programs and machines the load of this one, and whether that is too much.
//
//     swift run machine mqtt://localhost attic
//
// Two more arguments are the file with the load, and after how many milliseconds it is read again.

import Foundation
import SwiftObserver
import SwiftObserverRelay

func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("machine: \(reason)\n".utf8))
    exit(2)
}

let arguments = CommandLine.arguments
guard arguments.count > 2 else { fail("usage: machine ADDRESS DEVICE [FILE [MILLISECONDS]]") }
let file = arguments.count > 3 ? arguments[3] : "/proc/loadavg"
let pause = arguments.count > 4 ? Int(arguments[4]) ?? 1000 : 1000

func loadNow() -> Double {
    let text = try? String(contentsOfFile: file, encoding: .utf8)
    guard let load = text.flatMap({ Double($0.prefix { !$0.isWhitespace }) }) else { fail("no load in \(file)") }
    return load
}

// Before the relay has threads, which shall not get these.
var ends = sigset_t()
sigemptyset(&ends)
sigaddset(&ends, SIGINT)
sigaddset(&ends, SIGTERM)
pthread_sigmask(SIG_BLOCK, &ends, nil)

do {
    let relay = try Relay(to: arguments[1], device: arguments[2])
    let load = Var(loadNow())
    try relay.publish(load, as: "cpu/load")
    try relay.publish(load.new().map { $0 > 2 }, as: "cpu/alarm")
    var interval = timespec(tv_sec: pause / 1000, tv_nsec: pause % 1000 * 1_000_000)
    while sigtimedwait(&ends, nil, &interval) < 0 { load <- loadNow() }
    relay.close()  // says goodbye
} catch {
    fail("\(error)")
}
