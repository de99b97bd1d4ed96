// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What is tested for whom stands in `Laws.md`, and is held against the suite here.
@Suite("The table of laws") struct TableTests {
    @Test(arguments: 1...25)
    func aLawThatIsTestedHereHasASuiteThatRunsForThoseItIsTestedFor(_ law: Int) throws {
        let suite = "vocabularies(under: \(law))"
        let isRun = try sources(in: "VocabularyTests/Laws").contains { $0.contains("(arguments: \(suite))") }
        #expect(!isRun || !vocabularies(under: law).isEmpty)
        for vocabulary in vocabularies(under: law) {
            #expect(isRun || ScenarioTests.laws(shownIn: vocabulary).contains(law), "\(vocabulary.name)")
        }
    }

    @Test(arguments: vocabularies)
    func whatIsTestedElsewhereIsThere(_ vocabulary: any Vocabulary) throws {
        for law in 1...25 {
            guard case .elsewhere(let file) = vocabulary.scope(of: law) else { continue }
            #expect(try String(contentsOf: tests.appending(path: file), encoding: .utf8).contains("@Test"))
        }
    }

    @Test(arguments: vocabularies)
    func whatDoesNotApplyHasAReason(_ vocabulary: any Vocabulary) {
        for law in 1...25 {
            if case .inapplicable(let reason) = vocabulary.scope(of: law) { #expect(!reason.isEmpty) }
        }
    }

    /// With `UPDATE_TABLE` in the environment it is written again.
    @Test func theTableIsWhatTheSuiteSays() throws {
        let file = tests.appending(path: "VocabularyTests/Laws.md")
        if ProcessInfo.processInfo.environment["UPDATE_TABLE"] != nil {
            try table.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == table)
    }

    private var table: String {
        let columns = vocabularies.map(\.name)
        var rows = ["| law | " + columns.joined(separator: " | ") + " |"]
        rows.append("|---|" + columns.map { _ in "---|" }.joined())
        for law in 1...25 {
            let cells = vocabularies.map { vocabulary in
                switch vocabulary.scope(of: law) {
                case .tested: "tested"
                case .elsewhere(let file): "`\(file)`"
                case .inapplicable(let reason): "*\(reason)*"
                }
            }
            rows.append("| \(law) | " + cells.joined(separator: " | ") + " |")
        }
        return """
            # The laws by vocabulary

            *tested*: by scenarios that all languages share, or by the suite in `Laws`. A file: the tests there show it,
            because it takes more of the vocabulary than all of them share. Else why the law does not apply.
            `UPDATE_TABLE=1 swift test --filter TableTests` writes this table; a test compares it with the suite.


            """ + rows.joined(separator: "\n") + "\n"
    }

    private func sources(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            at: tests.appending(path: folder), includingPropertiesForKeys: nil
        ).map { try String(contentsOf: $0, encoding: .utf8) }
    }

    private let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
}
