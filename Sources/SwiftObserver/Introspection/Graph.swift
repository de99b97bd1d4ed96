// SPDX-License-Identifier: MIT

import ObserverEngine

/// Draws observables in Graphviz DOT: these, all that they are made from, and all that observes any of them or is
/// made from one that does.
///
///     print(graphDOT(title, textLength))   // pipe it into: dot -Tsvg
///
/// Each observable is a box with its type and, if it has one, its name (``Messenger/name``). Each of its observations
/// is an arrow: to what is made from it, or to a handler, an ellipse, which bears the type of the object that it is
/// called for, if that is held weakly. Whose the other handlers are nobody knows but their observers. Any thread
/// may ask; the picture is of the moments at which each of the observables was looked at.
public func graphDOT(_ observables: any Observable...) -> String {
    var graph = Graph()
    for observable in observables { graph.add(observable) }
    graph.walk()
    return graph.dot
}

private struct Graph {
    private var known: [ObjectIdentifier: Int] = [:]
    private var boxes: [(messenger: any AnyMessenger, label: String)] = []
    private var arrows: [(from: Int, to: End)] = []

    private enum End {
        case box(Int)
        case handler(String)
    }

    /// Adds an observable and all that it is made from.
    mutating func add<O: Observable>(_ observable: O) {
        _ = add(observable.messenger, as: observable)
    }

    /// - Returns: The number of the box.
    private mutating func add(_ messenger: any AnyMessenger, as observable: AnyObject) -> Int {
        if let box = known[ObjectIdentifier(messenger)] { return box }
        let box = boxes.count
        known[ObjectIdentifier(messenger)] = box
        let lines = [String(describing: type(of: observable))] + (messenger.anyCore.nameText.map { [$0] } ?? [])
        boxes.append((messenger, lines.joined(separator: "\n")))
        for source in messenger.origin?.feeding ?? [] { _ = add(source, as: source.origin ?? source) }
        return box
    }

    /// Follows all observations, those of what is found on the way among them.
    mutating func walk() {
        var box = 0
        while box < boxes.count {
            for purpose in boxes[box].messenger.purposes {
                if let end = end(purpose) { arrows.append((box, end)) }
            }
            box += 1
        }
    }

    /// Where an observation leads; `nil` if it is the observable's own.
    private mutating func end(_ purpose: AnyObject?) -> End? {
        switch purpose {
        case nil: .handler("handler")
        case let observer as any Forgetful: .handler("handler\n" + observer.nameOfObserver)
        case let messenger as any AnyMessenger: .box(add(messenger, as: messenger.origin ?? messenger))
        default: nil
        }
    }

    var dot: String {
        var dot = """
            digraph {
                rankdir=LR;
                node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];
                edge [color="#555555", arrowsize=0.7];

            """
        for (index, box) in boxes.enumerated() { dot += "    n\(index) [label=\"\(escaped(box.label))\"];\n" }
        for (index, arrow) in arrows.enumerated() {
            switch arrow.to {
            case .box(let box): dot += "    n\(arrow.from) -> n\(box);\n"
            case .handler(let label):
                dot += "    h\(index) [shape=ellipse, fillcolor=\"#eeeeee\", label=\"\(escaped(label))\"];\n"
                dot += "    n\(arrow.from) -> h\(index);\n"
            }
        }
        return dot + "}\n"
    }

    /// As it stands within the quotes of DOT.
    private func escaped(_ text: String) -> String {
        text.map { $0 == "\n" ? "\\n" : $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    }
}
