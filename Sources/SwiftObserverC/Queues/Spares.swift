// SPDX-License-Identifier: MIT

/// Stretches that an unbounded queue has emptied, for the next burst. Guarded by the queue.
struct Spares: ~Copyable {
    private var first: Stretch?
    private var count = 0
    /// How many to keep, times 64: as many as a burst has taken, one fewer for every 64 bursts that took fewer.
    private var worthKeeping = Spares.fewest * 64
    private var takenByBurst = 0

    // 48 KB, and 3 MB.
    private static var fewest: Int { 15 }
    private static var most: Int { 1023 }

    deinit {
        var next = first
        // One by one, as there may be many.
        while let stretch = next { next = stretch.takeNext() }
    }

    /// An empty stretch, which the burst takes.
    mutating func take() -> Stretch {
        takenByBurst += 1
        guard let stretch = first else { return Stretch() }
        first = stretch.takeNext()
        count -= 1
        return stretch
    }

    /// Keeps an emptied stretch, unless there are enough.
    mutating func put(_ stretch: Stretch) {
        guard count < worthKeeping / 64 else { return }
        stretch.next = first
        first = stretch
        count += 1
    }

    /// The burst is over.
    mutating func settle() {
        worthKeeping = max(max(Spares.fewest, min(takenByBurst, Spares.most)) * 64, worthKeeping - 1)
        takenByBurst = 0
    }
}
