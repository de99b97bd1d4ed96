// SPDX-License-Identifier: MIT
//
// Watches the machine it runs on: processor, memory, load and network. `vitals --help` says how.

import Foundation

let options: Options
do {
    options = try Options(CommandLine.arguments.dropFirst())
} catch {
    complain(error.sentence)
    exit(2)
}
if options.wantsHelp {
    print(Options.usage)
    exit(0)
}

let chains = Source.all.map { Chain($0, interval: options.interval) }

@MainActor func readAll(in folder: String) {
    for chain in chains { chain.read(in: folder) }
    fflush(nil)
}

func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
}

// A process is such a folder, too, in /proc itself; what a recording does not have is a file `stat` beside them.
if isFolder(options.proc + "/1"), !FileManager.default.fileExists(atPath: options.proc + "/stat") {
    var reading = 1
    while isFolder("\(options.proc)/\(reading)") {
        readAll(in: "\(options.proc)/\(reading)")
        reading += 1
    }
} else {
    let beginning = ContinuousClock.now
    let last = options.seconds * 1000 / Double(options.interval)
    var reading = 0.0
    while reading <= last {
        // To points in time that do not depend on how long the readings took.
        let due = beginning + .milliseconds(reading * Double(options.interval))
        let remaining = ContinuousClock.now.duration(to: due) / .seconds(1)
        if remaining > 0 { Thread.sleep(forTimeInterval: remaining) }
        readAll(in: options.proc)
        reading += 1
    }
}
Chain.printTable(chains)
fflush(nil)
exit(chains.contains(where: \.hasFailed) ? 2 : 0)
