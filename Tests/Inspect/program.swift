// SPDX-License-Identifier: MIT
// The same as program.c, as far as the tests of both need it.

import Glibc
import SwiftObserver

struct Size: Equatable {
    var width = 1, height = 2
}

final class Screen: Observer {
    let receiver = Receiver()
}

/// For a line that the test waits for.
func say(_ line: String) {
    _ = "\(line)\n".withCString { write(STDOUT_FILENO, $0, strlen($0)) }
}

/// On no actor, so that the handlers run where a page sets.
nonisolated func run() {
    let screen = Screen()
    let clicks = Messenger<Int>(), width = Var(1), title = Var("<b>bold</b>"), ratio = Var(0.5), isOpen = Var(true)
    let size = Var(Size()), optional = Var<Int?>(nil)
    let area = Derived { width.value * 2 }
    clicks.name = "clicks"
    area.messenger.name = "area"
    let named: [(any Named, String)] = [
        (width.messenger, "width"), (title.messenger, "title"), (ratio.messenger, "ratio"),
        (isOpen.messenger, "is open"), (size.messenger, "size"), (optional.messenger, "optional"),
    ]
    for (messenger, name) in named { messenger.name = name }
    screen.observe(clicks) { width.value = $0 }
    screen.observe(width) { say("width \($0.new)") }
    screen.observe(title) { say("title \($0.new)") }
    screen.observe(ratio) { _ in }
    screen.observe(isOpen) { _ in }
    screen.observe(size) { _ in }
    screen.observe(optional) { _ in }
    screen.observe(area) { _ in }
    say("ready")
    var count = 100
    while let line = readLine() {
        if line == "click" {
            clicks.send(count)
            count += 1
        }
        // Variables come and go.
        if line == "many" { for number in 0..<1000 { _ = Var(number) } }
        say("did \(line)")
    }
}

protocol Named: AnyObject {
    var name: String? { get set }
}

extension Messenger: Named {}

run()
