// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("new") struct NewTests {
    @Test func theNewValuePasses() {
        expect(
            "1 2 3", gives: "1 2 3", read: { Update(0, Int($0)!) }, standing: { $0.new() }, adHoc: { $0.new() })
        expectBoth(
            [Update(1, 2), Update(2, 3)], gives: [2, 3], plain: { $0.new($1) }, authored: { $0.new($1) })
    }
}
