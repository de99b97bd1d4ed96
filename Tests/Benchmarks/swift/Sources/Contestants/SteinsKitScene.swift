// SPDX-License-Identifier: MIT

import SteinsKit

/// A variable whose observers are held weakly.
public final class SteinsKitScene: Scene {
    private final class Observer {}

    private let variable = Variable(-1)
    private let observer = Observer()

    public init() {}

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        variable.beObserved(by: observer) { _, number in sum.pointee &+= number }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { variable.accept(number) }
    }
}
