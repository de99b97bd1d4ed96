// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

@Suite("unwrap and skipNil") struct UnwrapTests {
    @Test func nilIsLeftOut() {
        expect("1 nil 3", gives: "1     3", read: { Int($0) }, standing: { $0.unwrap() }, adHoc: { $0.unwrap() })
        expect("1 nil 3", gives: "1     3", read: { Int($0) }, standing: { $0.skipNil() }, adHoc: { $0.skipNil() })
        expectBoth([1, nil, 3], gives: [1, 3], plain: { $0.unwrap($1) }, authored: { $0.unwrap($1) })
    }

    @Test func aDefaultTakesThePlaceOfNil() {
        expect("1 nil 3", gives: "1 0   3", read: { Int($0) }, standing: { $0.unwrap(0) }, adHoc: { $0.unwrap(0) })
        expectBoth(
            [1, nil, 3], gives: [1, 0, 3], plain: { $0.unwrap(0, receive: $1) }, authored: { $0.unwrap(0, receive: $1) }
        )
    }

    @Test func anUnwrapperWithDefaultIsBuffered() {
        #expect(Var<Int?>().new().unwrap(7).latestMessage == 7)
    }
}
