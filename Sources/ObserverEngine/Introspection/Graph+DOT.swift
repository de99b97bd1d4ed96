// SPDX-License-Identifier: MIT

import CPlatform

extension Graph {
    /// The graph in Graphviz DOT, and how many bytes that is, in memory of `malloc`; `nil` if there is not enough.
    ///
    /// Each observable is a box with its kind and its name, each observation an arrow: to what it feeds, or to an
    /// ellipse for its handler.
    ///
    /// - Parameters:
    ///   - kind: what kind of observable a core is of.
    ///   - handler: what is written at a handler below its name, if anything.
    public func dot(
        kind: (AnyCore) -> UnsafePointer<CChar>, handler: (Edge) -> UnsafePointer<CChar>? = { _ in nil }
    ) -> (text: UnsafeMutablePointer<CChar>, count: Int)? {
        let dot = GrowingText()
        dot.append(
            """
            digraph {
                rankdir=LR;
                node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];
                edge [color="#555555", arrowsize=0.7];

            """)
        for (index, node) in nodes.enumerated() {
            dot.append("    n")
            dot.append(index)
            dot.append(" [label=\"")
            dot.append(escaping: kind(node))
            if let name = CopiedName.adopting(node.copyName()) {
                dot.append("\\n")
                dot.append(escaping: name.text)
            }
            if let computations = node.computations {
                dot.append("\\ncomputed ")
                dot.append(computations.all)
                dot.append(", in vain ")
                dot.append(computations.inVain)
            }
            dot.append("\"];\n")
        }
        for (index, edge) in edges.enumerated() {
            if edge.target == nil {
                dot.append("    h")
                dot.append(index)
                dot.append(" [shape=ellipse, fillcolor=\"#eeeeee\", label=\"")
                if let name = edge.name { dot.append(escaping: name.text) } else { dot.append("handler") }
                if let more = handler(edge) {
                    dot.append("\\n")
                    dot.append(escaping: more)
                }
                dot.append("\"];\n")
            }
            dot.append("    n")
            dot.append(edge.source)
            dot.append(edge.target == nil ? " -> h" : " -> n")
            dot.append(edge.target ?? index)
            // What has been read, and is no observation.
            if edge.observation.rawValue == 0 { dot.append(" [style=dashed]") }
            dot.append(";\n")
        }
        dot.append("}\n")
        return dot.take()
    }
}

/// A text that grows. If there is no memory it is lost.
private final class GrowingText {
    private var bytes: UnsafeMutablePointer<CChar>?
    private var count = 0
    private var capacity = 0
    private var isLost = false

    deinit { platform_free(bytes) }

    @inline(never)
    func append(_ literal: StaticString) {
        for index in 0..<literal.utf8CodeUnitCount { append(byte: CChar(bitPattern: literal.utf8Start[index])) }
    }

    @inline(never)
    func append(_ number: Int) {
        if number > 9 { append(number / 10) }
        append(byte: CChar(truncatingIfNeeded: 48 + number % 10))
    }

    /// As it stands within the quotes of DOT.
    @inline(never)
    func append(escaping text: UnsafePointer<CChar>) {
        var next = text
        while next.pointee != 0 {
            if next.pointee == 0x22 || next.pointee == 0x5C { append(byte: 0x5C) }
            append(byte: next.pointee)
            next += 1
        }
    }

    @inline(never)
    private func append(byte: CChar) {
        if count == capacity { grow() }
        guard !isLost else { return }
        bytes![count] = byte
        count += 1
    }

    private func grow() {
        let larger = max(256, capacity * 2)
        guard !isLost, let moved = realloc(bytes, larger) else {
            isLost = true
            return
        }
        bytes = moved.assumingMemoryBound(to: CChar.self)
        capacity = larger
    }

    /// The text, a zero behind it; `nil` if it was lost.
    func take() -> (text: UnsafeMutablePointer<CChar>, count: Int)? {
        append(byte: 0)
        guard !isLost, let bytes else { return nil }
        self.bytes = nil
        return (bytes, count - 1)
    }
}
