// SPDX-License-Identifier: MIT

/// What one writes by hand: no order kept in re-entrance, no threads, no way to stop.
public final class ClosureArray: Scene {
    private var handlers: [(Int) -> Void] = []

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        handlers.append { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { sendOne(number) }
    }

    @inline(never)
    private func sendOne(_ number: Int) {
        for handler in handlers { handler(number) }
    }
}
