// SPDX-License-Identifier: MIT

import Dispatch
import MiniRex
import Testing
import TestSupport

@Test(arguments: ["transform", "filter", "valueTransform", "updateQueue", "subscribeQueue"])
func aChainOfPublishersIsReleasedInALoop(_ kind: String) {
    final class Bearer {}
    onSmallStack {
        let leaked = leaks { track in
            let bearer = track(Bearer())
            var last = Publisher<Int> { _ in withExtendedLifetime(bearer) { .empty } }
            for _ in 0..<10_000 {
                last =
                    switch kind {
                    case "transform": last.transform { $0 + 1 }
                    case "filter": last.filter { $0 > 0 }
                    case "valueTransform": last.valueTransform { $0 + 1 }
                    case "updateQueue": last.dispatch(updateQueue: .global())
                    default: last.dispatch(subscribeQueue: .global())
                    }
            }
        }
        #expect(leaked.isEmpty)
    }
}
