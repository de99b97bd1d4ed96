// SPDX-License-Identifier: MIT

/// Data of a keeper of many observations: how far a sweep is, and, once it has been asked for one observable,
/// an index of its ids by what they observe, so that to find some takes no look at the others.
///
///     buckets  .  3  .  0
///                 |     |
///     ids         3 ->  0 -> 2      (the numbers are places among the ids)
///
/// It grows by a bucket at a time (linear hashing), so that no single id has to wait for all others to be moved. In a
/// bucket the ids stand in the order of their places.
final class ManyKept {
    /// How many ids a sweep in progress has looked at, and how many of them are left.
    var looked = 0
    var left = 0

    private struct Link {
        let hash: UInt32
        var next = none
        /// The last one of the bucket, where this is the first one.
        var previous = none
    }

    /// Those of the first ids, side by side with them.
    private var links: [Link] = []
    /// The place of the first one of each bucket.
    private var firsts: [UInt32] = []

    private static var none: UInt32 { .max }

    /// How many ids are indexed, from the first one on.
    var indexed: Int { links.count }

    /// Indexes the next id.
    ///
    /// - Parameter hash: of what it observes; `nil` if it has ended.
    func append(hash: UInt32?) {
        links.append(Link(hash: hash ?? 0))
        guard let hash else { return }
        if firsts.isEmpty { firsts = [ManyKept.none] }
        if links.count > firsts.count { split() }
        link(links.count - 1, to: bucket(hash))
    }

    func hash(_ place: Int) -> UInt32 { links[place].hash }

    /// The place of the first id of the bucket of a hash.
    func first(hash: UInt32) -> Int? { firsts.isEmpty ? nil : known(firsts[bucket(hash)]) }

    /// The place of the next one in its bucket, also where it has been taken out meanwhile.
    func next(_ place: Int) -> Int? { known(links[place].next) }

    private func known(_ place: UInt32) -> Int? { place == ManyKept.none ? nil : Int(place) }

    /// Takes an id out of its bucket.
    func unlink(_ place: Int) {
        guard place < links.count, links[place].previous != ManyKept.none else { return }
        let link = links[place], bucket = bucket(link.hash), first = Int(firsts[bucket])
        links[place].previous = ManyKept.none
        if place == first {
            firsts[bucket] = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next != ManyKept.none {
            links[Int(link.next)].previous = link.previous
        } else if place != first {
            links[first].previous = link.previous
        }
    }

    /// Notes that an id has moved to another place before it.
    func move(_ from: Int, to place: Int) {
        guard from < links.count else { return }
        let link = links[from]
        links[place] = link
        guard link.previous != ManyKept.none else { return }
        let number = UInt32(truncatingIfNeeded: place), bucket = bucket(link.hash)
        if Int(firsts[bucket]) == from {
            firsts[bucket] = number
        } else {
            links[Int(link.previous)].next = number
        }
        if link.next != ManyKept.none {
            links[Int(link.next)].previous = number
        } else {
            links[Int(firsts[bucket])].previous = number
        }
    }

    /// Notes that no more than some ids of those that were indexed are left.
    func cut(to count: Int) { links.removeLast(max(0, links.count - count)) }

    /// - Returns: Whether there is anything left to keep.
    func endSweep(_ count: Int) -> Bool {
        cut(to: count)
        looked = 0
        left = 0
        return !links.isEmpty && firsts.count <= 4 * count
    }

    private func bucket(_ hash: UInt32) -> Int {
        let last = UInt(firsts.count - 1), mask = UInt.max >> UInt(last.leadingZeroBitCount)
        let bucket = UInt(hash) & mask
        return Int(bucket <= last ? bucket : bucket & (mask >> 1))
    }

    /// Puts an id at the end of a bucket.
    private func link(_ place: Int, to bucket: Int) {
        let number = UInt32(truncatingIfNeeded: place), first = firsts[bucket]
        links[place].next = ManyKept.none
        if first == ManyKept.none {
            firsts[bucket] = number
            links[place].previous = number
        } else {
            let last = links[Int(first)].previous
            links[Int(last)].next = number
            links[place].previous = last
            links[Int(first)].previous = number
        }
    }

    /// Adds a bucket, and moves what belongs there.
    private func split() {
        firsts.append(ManyKept.none)
        let added = UInt(firsts.count - 1), old = Int(added & (UInt.max >> UInt(added.leadingZeroBitCount + 1)))
        var place = firsts[old]
        firsts[old] = ManyKept.none
        while place != ManyKept.none {
            let next = links[Int(place)].next
            link(Int(place), to: bucket(links[Int(place)].hash))
            place = next
        }
    }
}
