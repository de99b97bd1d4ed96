// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// What all languages promise, in Tests/Scenarios. Who acts it out has words of their own for it.
public struct Scenario: CustomTestStringConvertible, Sendable {
    /// A sentence with the numbers of the laws that it shows.
    public let name: String
    public fileprivate(set) var lines: [String] = []
    /// Whether Swift can show it.
    public fileprivate(set) var isShown = true

    public var testDescription: String { name }

    public var laws: [Int] {
        name.split(separator: "(").last!.dropLast().split(separator: " ").compactMap { Int($0) }
    }

    /// What a handler does whenever it receives a message, or "any".
    public var rules: [(handler: String, message: String, actions: [String])] {
        lines.filter { $0.hasPrefix("when ") }.map { line in
            let colon = line.range(of: ": ")!
            let trigger = line[..<colon.lowerBound].split(separator: " ").map(String.init)
            return (trigger[1], trigger[2], line[colon.upperBound...].components(separatedBy: "; "))
        }
    }

    /// What is done, line by line, and exactly what is noted meanwhile.
    public var steps: [(line: String, actions: [String], expected: String)] {
        lines.filter { !$0.hasPrefix("when ") }.map { line in
            let parts = line.components(separatedBy: " -> ")
            return (line, parts[0].components(separatedBy: "; "), parts.count > 1 ? parts[1] : "")
        }
    }

    public static let all: [Scenario] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scenarios")
        let files = try! FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
        return files.sorted().flatMap { read(try! String(contentsOf: folder.appending(path: $0), encoding: .utf8)) }
    }()

    private static func read(_ text: String) -> [Scenario] {
        var scenarios: [Scenario] = [], areShown = true
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("not in ") {
                if line.hasPrefix("not in Swift: ") { areShown = false }
            } else if !line.hasPrefix(" ") {
                scenarios.append(Scenario(name: String(line), isShown: areShown))
            } else if line.hasPrefix("    not in ") {
                if line.hasPrefix("    not in Swift: ") { scenarios[scenarios.count - 1].isShown = false }
            } else {
                scenarios[scenarios.count - 1].lines.append(line.trimmingCharacters(in: .whitespaces))
            }
        }
        return scenarios
    }
}
