// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver

/// A source with what is made of it, from the latest sample to the printed line.
///
///     sample --new--> --unwrap--> --map: what is shown--> --filter: not as before--> print
@MainActor final class Chain: Observer {
    let receiver = Receiver()

    private let source: Source
    private let sample = Var<Sample?>()
    private var texts: (any Observable<String>)?
    private var sent = 0, delivered = 0, filtered = 0
    private var shown: String?
    private(set) var hasFailed = false

    init(_ source: Source, interval: Int) {
        self.source = source
        var before: Sample?
        let texts = sample.new()
            .map { now -> String in
                guard let now else { preconditionFailure("only samples are assigned") }
                defer { before = now }
                return source.show(now, before, Double(interval))
            }
            .filter { [unowned self] text in
                if text == shown { filtered += 1 }
                return text != shown
            }
        self.texts = texts
        observe(sample) { [unowned self] _ in sent += 1 }
        observe(texts) { [unowned self] text in
            delivered += 1
            shown = text
            print(padded(source.name), text)
        }
    }

    /// Reads the source once. When this returns, all that follows from it has happened.
    func read(in folder: String) {
        guard !hasFailed else { return }
        let path = folder + "/" + source.file
        do throws(ReadingFailed) {
            let text = try readBytes(path)
            guard !text.contains(0), let now = source.parse(Line.lines(of: text)) else {
                throw ReadingFailed(sentence: "malformed: expected \(source.expected)")
            }
            sample <- now
        } catch {
            complain("\(path): \(error.sentence)")
            hasFailed = true
        }
    }

    static func printTable(_ chains: [Chain]) {
        print("\n" + row("source", "sent", "delivered", "filtered", "last"))
        for chain in chains {
            print(
                row(
                    chain.source.name, "\(chain.sent)", "\(chain.delivered)", "\(chain.filtered)", chain.shown ?? "-"))
        }
    }
}

struct ReadingFailed: Error { let sentence: String }

/// Files under /proc do not tell their size, so this reads until nothing comes any more.
private func readBytes(_ path: String) throws(ReadingFailed) -> [UInt8] {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw ReadingFailed(sentence: "cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16384)
    while true {
        let count = Foundation.read(file, &piece, piece.count)
        if count == 0 { return bytes }
        guard count > 0 else { throw ReadingFailed(sentence: "cannot be read: \(String(cString: strerror(errno)))") }
        bytes += piece[..<count]
    }
}

func complain(_ sentence: String) {
    FileHandle.standardError.write(Data("vitals: \(sentence)\n".utf8))
}

private func row(_ source: String, _ sent: String, _ delivered: String, _ filtered: String, _ last: String) -> String {
    padded(source) + " "
        + [(sent, 6), (delivered, 10), (filtered, 9)].map { text, width in
            String(repeating: " ", count: max(0, width - text.count)) + text
        }.joined(separator: " ") + "  " + last
}

private func padded(_ name: String) -> String { name + String(repeating: " ", count: max(0, 8 - name.count)) }
