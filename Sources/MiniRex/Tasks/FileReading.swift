// SPDX-License-Identifier: MIT

public import Foundation

/// How much of something there is already.
public struct ByteProgress: Hashable, Sendable {
    /// How many bytes have come.
    public let completed: Int64
    /// How many there will be, if that is known.
    public let total: Int64?

    public init(completed: Int64, total: Int64?) {
        self.completed = completed
        self.total = total
    }

    /// From 0 to 1, if it is known how many bytes there will be.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? Double(completed) / Double(total) : 1
    }
}

extension PublishedProgressiveTask where Progress == ByteProgress, Success == Data {
    /// Reads a file, and tells after each chunk how far it has got.
    ///
    /// - Parameters:
    ///   - url: of the file.
    ///   - chunkSize: how many bytes are read at a time, more than none.
    public static func readingFile(at url: URL, chunkSize: Int = 65_536) -> PublishedProgressiveTask {
        precondition(chunkSize > 0, "a file is read in chunks of more than no bytes")
        return PublishedProgressiveTask { report in
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            let total = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize.map(Int64.init)
            var data = Data()
            while let chunk = try file.read(upToCount: chunkSize), !chunk.isEmpty {
                try Task.checkCancellation()
                data.append(chunk)
                report(ByteProgress(completed: Int64(data.count), total: total))
            }
            return data
        }
    }
}
