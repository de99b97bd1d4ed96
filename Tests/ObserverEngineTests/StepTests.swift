// SPDX-License-Identifier: MIT

import ObserverEngine
import Testing

@Suite struct StepTests {
    @Test func mappingMakesAMessageOfEach() {
        #expect([1, 2].compactMap(mapping { $0 * 10 }) == [10, 20])
    }

    @Test func filteringPassesWhatIsWanted() {
        #expect([1, 2, 3, 4].compactMap(filtering { $0 % 2 == 0 }) == [2, 4])
    }

    @Test func takingNewPassesTheNewValue() {
        #expect([Update(1, 2), Update(2, 2)].compactMap(takingNew()) == [2, 2])
    }

    @Test func aChainOfStepsDoesOneAfterTheOther() {
        var asked: [Int] = []
        let step: Step<Int, String> = chaining(
            filtering { $0 > 1 },
            mapping { number in
                asked.append(number)
                return "\(number)"
            })
        #expect([1, 2, 3].compactMap(step) == ["2", "3"])
        #expect(asked == [2, 3])
    }
}
