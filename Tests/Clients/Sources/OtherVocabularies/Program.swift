// SPDX-License-Identifier: MIT
// Programs written for SteinsKit, Receiver and MiniRex. Each of the other files imports one of them.

@main struct Program {
    @MainActor static func main() {
        runCounters()
        runCheezburgers()
        runSettings()
    }
}
