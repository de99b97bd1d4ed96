// SPDX-License-Identifier: MIT

import Foundation

/// The code in an article that does not stand word for word in the tests that are to run it.
///
/// - Parameters:
///   - article: path of the article in the checkout.
///   - tests: path of the tests in the checkout.
public func codeThatIsNotRun(of article: String, by tests: String) throws -> [String] {
    let blocks = codeBlocks(of: try String(contentsOf: checkout.appending(path: article), encoding: .utf8))
    guard !blocks.isEmpty else { return ["there is no code in \(article)"] }
    let tested = lines(of: try String(contentsOf: checkout.appending(path: tests), encoding: .utf8))
    return blocks.filter { !contains(tested, $0) }.map { $0.joined(separator: "\n") }
}

private let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

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
