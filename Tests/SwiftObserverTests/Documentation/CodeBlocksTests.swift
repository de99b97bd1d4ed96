// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// The code in the articles stands word for word in the tests beside this file, where it is compiled and run.
@Suite("Documentation") struct CodeBlocksTests {
    @Test(arguments: [
        "GettingStarted", "OrderAndThreads", "Lifetimes", "Operators", "TestingCodeThatObserves",
        "ComingFromSwiftObserver6", "SwiftObserver",
    ])
    func theCodeOfAnArticleIsRunByATest(_ article: String) throws {
        let text = try String(
            contentsOf: checkout.appending(path: "Sources/SwiftObserver/SwiftObserver.docc/\(article).md"),
            encoding: .utf8)
        let tests = try String(
            contentsOf: checkout.appending(path: "Tests/SwiftObserverTests/Documentation/\(article)Tests.swift"),
            encoding: .utf8)
        let blocks = codeBlocks(of: text)
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(contains(lines(of: tests), block), "\(block.joined(separator: "\n"))")
        }
    }

    @Test func everyArticleIsCompared() throws {
        let catalogue = checkout.appending(path: "Sources/SwiftObserver/SwiftObserver.docc")
        let articles = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).filter {
            $0.hasSuffix(".md")
        }
        #expect(articles.count == 7)
    }

    private func codeBlocks(of text: String) -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                isInside = true
                blocks.append([])
            } else if line.hasPrefix("```") {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1] += lines(of: String(line))
            }
        }
        return blocks
    }

    /// Lines that are not empty, without what surrounds them.
    private func lines(of text: String) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private func contains(_ lines: [String], _ block: [String]) -> Bool {
        lines.indices.contains { lines[$0...].starts(with: block) }
    }
}
