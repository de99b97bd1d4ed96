// SPDX-License-Identifier: MIT

import Testing
import TestSupport

/// Acts out, in each vocabulary, the scenarios that all languages share: those whose words all vocabularies have, and
/// whose laws apply. See Tests/Scenarios/README.md.
@Suite("Scenarios in all vocabularies") struct ScenarioTests {
    @Test(arguments: vocabularies) func whatAllLanguagesPromise(_ vocabulary: any Vocabulary) {
        let scenarios = Scenario.all.filter { Theatre.shows($0, in: vocabulary) }
        #expect(scenarios.count >= 14)
        for scenario in scenarios {
            let theatre = Theatre(scenario, vocabulary)
            for step in scenario.steps {
                for action in step.actions { theatre.act(action) }
                #expect(theatre.takeJournal() == Theatre.values(step.expected), "\(scenario.name): \(step.line)")
            }
            theatre.leave()
        }
    }

    /// The laws that scenarios show in a vocabulary.
    static func laws(shownIn vocabulary: any Vocabulary) -> Set<Int> {
        Set(Scenario.all.filter { Theatre.shows($0, in: vocabulary) }.flatMap(\.laws))
    }
}

/// The things of a scenario, in the words of a vocabulary. Numbers are sent, and of a variable its new values arrive.
private final class Theatre: @unchecked Sendable {
    private let vocabulary: any Vocabulary
    private let rules: [(handler: String, message: String, actions: [String])]
    private var channels: [String: any Channel<Int>] = [:]
    private var observations: [String: [any Kept]] = [:]
    private var journal: [String] = []
    /// A vocabulary may have the latest message delivered on beginning, which no scenario asks for here.
    private var beginning = 0

    init(_ scenario: Scenario, _ vocabulary: any Vocabulary) {
        self.vocabulary = vocabulary
        rules = scenario.rules
    }

    static func shows(_ scenario: Scenario, in vocabulary: any Vocabulary) -> Bool {
        let actions = scenario.steps.flatMap(\.actions) + scenario.rules.flatMap(\.actions)
        // Where the latest message is delivered on beginning, that has its turn in a delivery.
        let beginsInHandler = scenario.rules.contains { $0.actions.contains { $0.hasPrefix("observe") } }
        return scenario.isShown && !(beginsInHandler && vocabulary.makeChannel(of: Int.self).replaysLatest)
            && scenario.laws.allSatisfy { vocabulary.scope(of: $0) == .tested }
            && actions.allSatisfy { has($0.split(separator: " ").map(String.init), vocabulary) }
    }

    private static func has(_ words: [String], _ vocabulary: any Vocabulary) -> Bool {
        switch words[0] {
        case "messenger", "note": true
        case "variable": (15...18).contains { vocabulary.scope(of: $0) == .tested } && words[2] != "null"
        case "observe": !words.contains { ["by", "on", "replay", "once", "authors", "ends"].contains($0) }
        case "send", "set": words.count == 3 && words[2] != "null"
        case "read": true
        case "stop", "release": words.count == 2
        default: false
        }
    }

    /// What is expected, with the new value of an update in its place.
    static func values(_ expected: String) -> String {
        expected.split(separator: " ").map { word in
            guard let open = word.firstIndex(of: "("), let comma = word.firstIndex(of: ",") else { return String(word) }
            return String(word[..<open] + word[word.index(after: comma)...].dropLast())
        }.joined(separator: " ")
    }

    func act(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        switch words[0] {
        case "messenger": for name in words[1...] { channels[name] = vocabulary.makeChannel(of: Int.self) }
        case "variable": channels[words[1]] = vocabulary.makeCell(Int(words[2])!)
        case "observe": for handler in words[2...] { begin(handler, channels[words[1]]!) }
        case "send", "set": channels[words[1]]!.send(Int(words[2])!)
        case "read": journal.append("[\((channels[words[1]] as! any Cell<Int>).value)]")
        case "stop": observations[words[1]]!.last!.stop()
        case "release": channels[words[1]] = nil
        default: journal.append(words[1])
        }
    }

    private func begin(_ handler: String, _ channel: any Channel<Int>) {
        let replays = channel.replaysLatest ? 1 : 0
        beginning += replays
        defer { beginning -= replays }
        let observation = channel.observe { [unowned self] number in
            guard beginning == 0 else { return }
            journal.append("\(handler)\(number)")
            for rule in rules where rule.handler == handler && ["any", "\(number)"].contains(rule.message) {
                for action in rule.actions { act(action) }
            }
        }
        observations[handler, default: []].append(observation)
    }

    func takeJournal() -> String {
        defer { journal = [] }
        return journal.joined(separator: " ")
    }

    func leave() {
        observations = [:]
        channels = [:]
    }
}
