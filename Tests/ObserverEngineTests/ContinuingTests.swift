// SPDX-License-Identifier: MIT

import Testing
import TestSupport

@testable import ObserverEngine

/// An observation that goes on in another one, behind a queue.
@Suite struct ContinuingTests {
    @Test func stoppingAnObservationStopsTheOneItGoesOnIn() {
        let source = Observed(), beyond = Observed()
        let id = source.observe { _ in }, other = beyond.observe { _ in }
        #expect(id.continues(in: other))
        #expect(id.stop())
        #expect(!other.isLiving)
    }

    @Test func anObservationThatHasEndedTakesTheOtherWithIt() {
        let source = Observed(), beyond = Observed()
        let id = source.observe { _ in }, other = beyond.observe { _ in }
        id.stop()
        #expect(!id.continues(in: other))
        #expect(!other.isLiving)
    }

    @Test func theContextOfAContinuedObservationEndsOnce() {
        let source = Observed(), beyond = Observed()
        let ended = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        ended.initialize(to: 0)
        defer { ended.deallocate() }
        let id = source.core.observe(TestHandler(context: ended) { _, _ in }) {
            $0!.assumingMemoryBound(to: Int.self).pointee += 1
        }
        id.continues(in: beyond.observe { _ in })
        id.continues(in: beyond.observe { _ in })
        #expect(ended.pointee == 0)
        id.stop()
        #expect(ended.pointee == 1)
        // The record serves another observation now, which goes on in none.
        let next = source.observe { _ in }
        let other = beyond.observe { _ in }
        next.stop()
        #expect(other.isLiving)
    }

    @Test func anObservationThatGoesOnOutlivesItsObservable() {
        let beyond = Observed()
        let other = beyond.observe { _ in }
        do {
            let source = Observed()
            source.observe { _ in }.continues(in: other)
        }
        #expect(other.isLiving)
    }
}
