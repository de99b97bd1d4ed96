// SPDX-License-Identifier: MIT

import SwiftObserver
import TestSupport
import Testing

/// Functions of derived variables of SwiftObserver, and the variables of all.
@Suite("Law 30: the function of a derived variable changes nothing") struct Law30 {
    @Test(arguments: Law34.vocabulariesWithVariables.map(\.name))
    func oneThatSetsAVariableEndsTheProcessWithASentence(_ name: String) async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
            let cell = vocabularies.first { $0.name == name }!.makeCell(1)
            _ =
                Derived {
                    cell.send(2)
                    return 0
                }.value
        }
        #expect(isSaid("the function of a derived variable changes nothing", in: result?.standardErrorContent))
    }
}
