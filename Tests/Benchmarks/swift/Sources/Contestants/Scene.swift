// SPDX-License-Identifier: MIT

/// Something that sends numbers to handlers, each of which adds them up.
///
/// A handler captures one pointer and does one addition, so that what is measured is the way there.
public protocol Scene: AnyObject {
    init()

    /// Adds an observation that lasts as long as the scene.
    func observe(_ sum: UnsafeMutablePointer<Int>)

    /// Sends the numbers from 0 up to a count. Not inlined, as no library's loop would be.
    func send(_ count: Int)
}

/// A scene in which observations end.
public protocol Leaving: Scene {
    /// Begins an observation and stops it, a number of times.
    func observeAndStop(_ count: Int, _ sum: UnsafeMutablePointer<Int>)
}
