// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

/// Mappings of a mapping are one; where code is generic they are not.
private func map(_ source: any Observable<Int>) -> any Observable<Int> {
    func map<O: Observable<Int>>(_ source: O) -> any Observable<Int> { source.map { $0 + 1 } }
    return map(source)
}

@Test func aChainOfMappingsIsReleasedInALoop() {
    onSmallStack {
        let leaked = leaks { track in
            var last: any Observable<Int> = track(Messenger(0))
            for _ in 0..<10_000 { last = map(last) }
        }
        #expect(leaked.isEmpty)
    }
}

@Test func aChainOfHandlersThatHoldTheOneBeforeIsReleasedInALoop() {
    onSmallStack {
        let leaked = leaks { track in
            var last: AnyObject = track(Messenger(0))
            for _ in 0..<10_000 {
                let next = Messenger(0), dog = Dog(), before = last
                dog.observe(next) { [held = (dog, before)] _ in _ = held }
                last = next
            }
        }
        #expect(leaked.isEmpty)
    }
}
