// SPDX-License-Identifier: MIT

import Foundation

/// What the command line says.
struct Options {
    var interval = 250
    var seconds = 3.0
    var proc = "/proc"
    var wantsHelp = false

    static let usage = """
        usage: vitals [--interval MILLISECONDS] [--seconds SECONDS] [--proc DIR]

        Watches processor, memory, load and network, and prints what changes.

          --interval MILLISECONDS  time from one reading to the next (250)
          --seconds SECONDS        how long to watch (3)
          --proc DIR               where to read (/proc); a folder with the folders
                                   1, 2, ... in it is a recording, replayed at once
          --help                   this text
        """

    struct Mistake: Error { let sentence: String }

    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            // Both `--seconds 3` and `--seconds=3`.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func value() throws(Mistake) -> String {
                guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
                    throw Mistake(sentence: "a value is missing after \"\(argument)\"")
                }
                return value
            }
            switch parts[0] {
            case "--interval": interval = try Options.interval(try value())
            case "--seconds": seconds = try Options.seconds(try value())
            case "--proc": proc = try value()
            case "--help":
                wantsHelp = true
                return
            case let name where name.hasPrefix("-"): throw Mistake(sentence: "unknown option \"\(argument)\"")
            default: throw Mistake(sentence: "unexpected argument \"\(argument)\"")
            }
        }
    }

    private static func interval(_ text: String) throws(Mistake) -> Int {
        guard let number = Line(text).number, 1...2_147_483_647 ~= number else {
            throw Mistake(sentence: "--interval wants a positive number of milliseconds, not \"\(text)\"")
        }
        return Int(number)
    }

    private static func seconds(_ text: String) throws(Mistake) -> Double {
        guard let number = Line(text).decimal, number > 0 else {
            throw Mistake(sentence: "--seconds wants a positive number of seconds, not \"\(text)\"")
        }
        return number
    }
}
