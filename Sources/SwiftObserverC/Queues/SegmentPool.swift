// SPDX-License-Identifier: MIT

/// Segments that an unbounded queue has emptied, for the next burst. Guarded by the queue.
struct SegmentPool: ~Copyable {
    private var first: Segment?
    private var count = 0
    /// How many to keep, times 64: as many as a burst has taken, one fewer for every 64 bursts that took fewer.
    private var worthKeeping = SegmentPool.fewest * 64
    private var takenByBurst = 0

    // 48 KB, and 3 MB.
    private static var fewest: Int { 15 }
    private static var most: Int { 1023 }

    deinit {
        var next = first
        // One by one, as there may be many.
        while let segment = next { next = segment.takeNext() }
    }

    /// An empty segment, which the burst takes.
    mutating func take() -> Segment {
        takenByBurst += 1
        guard let segment = first else { return Segment() }
        first = segment.takeNext()
        count -= 1
        return segment
    }

    /// Keeps an emptied segment, unless there are enough.
    mutating func put(_ segment: Segment) {
        guard count < worthKeeping / 64 else { return }
        segment.next = first
        first = segment
        count += 1
    }

    /// The burst is over.
    mutating func settle() {
        worthKeeping = max(max(SegmentPool.fewest, min(takenByBurst, SegmentPool.most)) * 64, worthKeeping - 1)
        takenByBurst = 0
    }
}
