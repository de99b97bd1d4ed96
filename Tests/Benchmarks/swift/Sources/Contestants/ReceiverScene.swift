// SPDX-License-Identifier: MIT

import Receiver

/// A transmitter with listeners.
public final class ReceiverScene: Scene {
    private let transmitter: Receiver<Int>.Transmitter
    private let receiver: Receiver<Int>

    public init() { (transmitter, receiver) = Receiver.make() }

    public func observe(_ sum: UnsafeMutablePointer<Int>) {
        receiver.listen { sum.pointee &+= $0 }
    }

    @inline(never)
    public func send(_ count: Int) {
        for number in 0..<count { transmitter.broadcast(number) }
    }
}
