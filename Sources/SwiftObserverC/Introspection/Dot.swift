// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver

@_cdecl("swo_graph_dot")
public func swo_graph_dot(
    _ observables: UnsafePointer<OpaquePointer?>?, _ count: Int, _ out: UnsafeMutablePointer<swo_value>?
) -> swo_status {
    guard let out, let graph = Graph.of(observables, count) else { return SWO_INVALID_ARGUMENT }
    let text = GrowingText()
    text.append(
        """
        digraph {
            rankdir=LR;
            node [shape=box, style="rounded,filled", fillcolor=white, fontname=Helvetica, fontsize=12];
            edge [color="#555555", arrowsize=0.7];

        """)
    for (index, node) in graph.nodes.enumerated() {
        text.append("    n")
        text.append(index)
        text.append(" [label=\"")
        text.append(node.kind)
        if let name = node.name {
            text.append("\\n")
            text.append(escaping: name.text)
        }
        text.append("\"];\n")
    }
    for (index, edge) in graph.edges.enumerated() {
        if edge.target < 0 {
            text.append("    h")
            text.append(index)
            text.append(" [shape=ellipse, fillcolor=\"#eeeeee\", label=\"")
            if let name = edge.name { text.append(escaping: name.text) } else { text.append("handler") }
            text.append("\"];\n")
        }
        text.append("    n")
        text.append(edge.source)
        text.append(edge.target < 0 ? " -> h" : " -> n")
        text.append(edge.target < 0 ? index : edge.target)
        text.append(";\n")
    }
    text.append("}\n")
    guard let value = text.take() else { return SWO_NO_MEMORY }
    out.pointee = value
    return SWO_OK
}

/// A text that grows. If there is no memory it is lost.
private final class GrowingText {
    private var bytes: UnsafeMutablePointer<UInt8>?
    private var count = 0
    private var capacity = 0
    private var isLost = false

    deinit { platform_free(bytes) }

    @inline(never)
    func append(_ literal: StaticString) {
        for index in 0..<literal.utf8CodeUnitCount { append(byte: literal.utf8Start[index]) }
    }

    @inline(never)
    func append(_ number: Int) {
        if number > 9 { append(number / 10) }
        append(byte: UInt8(truncatingIfNeeded: 48 + number % 10))
    }

    /// As it stands within the quotes of DOT.
    @inline(never)
    func append(escaping text: UnsafePointer<CChar>) {
        var next = text
        while next.pointee != 0 {
            let byte = UInt8(bitPattern: next.pointee)
            if byte == 0x22 || byte == 0x5C { append(byte: 0x5C) }
            append(byte: byte)
            next += 1
        }
    }

    @inline(never)
    private func append(byte: UInt8) {
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
        bytes = moved.assumingMemoryBound(to: UInt8.self)
        capacity = larger
    }

    /// The text as a value that owns it, a zero behind it; `nil` if it was lost.
    func take() -> swo_value? {
        append(byte: 0)
        guard !isLost, let bytes else { return nil }
        var value = UnsafeRawPointer(bytes).withMemoryRebound(to: CChar.self, capacity: count) {
            swo_text_sized($0, count - 1)
        }
        value.owned = 1
        self.bytes = nil
        return value
    }
}
