// SPDX-License-Identifier: MIT

import ObserverEngine

/// Draws observables, and everything they are made from, in Graphviz DOT.
///
///     print(graphDOT(title, textLength))   // pipe it into: dot -Tsvg
///
/// Each observable is a box with its type, its name if it has one (``Messenger/name``), and how many
/// observations of it are living. An arrow leads from a source to what is made from it. What the
/// observers do with the messages nobody knows but they. Any thread may ask; the picture is of the
/// moments at which each of the observables was looked at.
public func graphDOT(_ observables: any Observable...) -> String {
    var graph = Graph()
    for observable in observables { _ = graph.add(observable) }
    return graph.dot
}

private struct Graph {
    private var known: [ObjectIdentifier: Int] = [:]
    private var labels: [String] = []
    private var arrows: [(from: Int, to: Int)] = []

    mutating func add<O: Observable>(_ observable: O) -> Int {
        add(observable.messenger, as: observable)
    }

    /// - Returns: The number of the box.
    private mutating func add(_ messenger: any AnyMessenger, as observable: AnyObject) -> Int {
        if let box = known[ObjectIdentifier(messenger)] { return box }
        let box = labels.count
        known[ObjectIdentifier(messenger)] = box
        let count = messenger.anyCore.observationCount - messenger.hiddenObservations
        labels.append(
            ([String(describing: type(of: observable))] + (messenger.anyCore.nameText.map { [$0] } ?? [])
                + ["\(count) observing"]).joined(separator: "\n"))
        for source in messenger.origin?.feeding ?? [] {
            arrows.append((add(source, as: source.origin ?? source), box))
        }
        return box
    }

    var dot: String {
        let boxes = labels.enumerated().map { "    n\($0.offset) [label=\"\(escaped($0.element))\"];\n" }
        let lines = arrows.map { "    n\($0.from) -> n\($0.to);\n" }
        return "digraph {\n    rankdir=LR;\n    node [shape=box];\n" + boxes.joined() + lines.joined() + "}\n"
    }

    /// As it stands within the quotes of DOT.
    private func escaped(_ text: String) -> String {
        text.map { $0 == "\n" ? "\\n" : $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
