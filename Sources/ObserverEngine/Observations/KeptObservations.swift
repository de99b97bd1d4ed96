// SPDX-License-Identifier: MIT

/// The ids that a keeper holds, in the order in which the observations began. Guarded by the keeper's lock.
///
///     living living gone gone living | gone living living
///     left ----^          looked ----^
///
/// What has ended, and is running nowhere any more, is swept out when there is twice as much as the last time. A
/// sweep looks at a few ids with each new one: keepers share locks, so none holds its lock for as long as it takes to
/// look at all.
struct KeptObservations {
    private(set) var ids: [ObservationID] = []
    /// Only keepers of many have this.
    private var many: ManyKept?
    /// With so many ids a sweep begins; zero during one.
    private var room = KeptObservations.leastRoom
    /// How often ids may have changed their places, or their buckets.
    private var moves: UInt32 = 0

    /// Less would have each few beginnings look for those that have ended.
    private static var leastRoom: UInt32 { 8 }
    /// So many are searched as they are.
    private static var few: Int { 8 }
    /// How many are looked at while the lock is held.
    private static var most: Int { 64 }

    mutating func append(_ id: ObservationID) {
        if ids.count >= room { sweep() }
        ids.append(id)
    }

    var isSweeping: Bool { room == 0 }

    /// Notes that all will have ended by the next time that something is kept.
    mutating func willEnd() { room = min(room, 1) }

    /// Looks for those that are finished among the next few.
    ///
    /// - Returns: Whether that was the end of the sweep.
    @inline(never) @discardableResult
    mutating func sweep() -> Bool {
        if many != nil || ids.count > KeptObservations.most { return sweepMany() }
        var left = 0
        for place in ids.indices where !ids[place].isFinished {
            ids[left] = ids[place]
            left += 1
        }
        endSweep(left)
        return true
    }

    private mutating func sweepMany() -> Bool {
        let many = makeMany()
        var looked = many.looked, left = many.left
        let end = min(ids.count, looked + KeptObservations.most)
        while looked < end {
            if looked == many.indexed { many.cut(to: left) }
            if !ids[looked].isFinished {
                if left < looked {
                    many.move(looked, to: left)
                    ids[left] = ids[looked]
                    ids[looked] = ObservationID(rawValue: 0)
                }
                left += 1
            } else {
                many.unlink(looked)
            }
            looked += 1
        }
        moves &+= 1
        if looked < ids.count {
            many.looked = looked
            many.left = left
            room = 0
            return false
        }
        if !many.endSweep(left) { self.many = nil }
        endSweep(left)
        return true
    }

    /// What is left stays where it is, because what begins and ends in turn, as most often, would otherwise have new
    /// memory again and again: for what is left, and then for each few more. But much that few are left of is given
    /// back.
    private mutating func endSweep(_ left: Int) {
        if left * 4 < ids.capacity, ids.capacity > 4 * Int(KeptObservations.leastRoom) {
            ids = Array(ids[..<left])
        } else {
            ids.removeLast(ids.count - left)
        }
        room = max(KeptObservations.leastRoom, UInt32(truncatingIfNeeded: left * 2))
    }

    /// Goes on with a search for a while.
    ///
    /// - Returns: Whether it is at its end.
    mutating func goOn(_ search: inout KeptSearch) -> Bool {
        guard ids.count > KeptObservations.few else {
            search.found = []
            for id in ids where search.found.count < search.most && id.isLiving(of: search.core) {
                search.found.append(id)
            }
            return true
        }
        guard let many, many.indexed == ids.count else {
            prepare()
            return false
        }
        if search.moves != moves {
            search.found = []
            search.place = many.first(hash: search.hash)
            search.moves = moves
        }
        for _ in 0..<KeptObservations.most {
            guard let place = search.place, search.found.count < search.most else { return true }
            search.place = many.next(place)
            guard many.hash(place) == search.hash else { continue }
            let id = ids[place]
            if id.isLiving(of: search.core) {
                search.found.append(id)
            } else if id.observed.map(KeptSearch.hash) != search.hash {
                // It has ended, or only what waits behind its observable that is dead has not.
                many.unlink(place)
            }
        }
        return false
    }

    /// Indexes a few more ids by what they observe, once no sweep is in progress.
    private mutating func prepare() {
        if isSweeping {
            sweep()
            return
        }
        let many = makeMany()
        for place in many.indexed..<min(ids.count, many.indexed + KeptObservations.most) {
            many.append(hash: ids[place].observed.map(KeptSearch.hash))
        }
        moves &+= 1
    }

    private mutating func makeMany() -> ManyKept {
        if let many { return many }
        let made = ManyKept()
        many = made
        return made
    }
}

/// A search for the living observations of one core.
struct KeptSearch {
    let core: AnyCore
    let most: Int
    let hash: UInt32
    var found: [ObservationID] = []
    /// Where it goes on.
    var place: Int?
    /// When it began.
    var moves: UInt32?

    init(for core: AnyCore, most: Int) {
        self.core = core
        self.most = most
        hash = KeptSearch.hash(Unmanaged.passUnretained(core).toOpaque())
    }

    static func hash(_ core: UnsafeMutableRawPointer) -> UInt32 {
        // Twice, because buckets go by the lowest bits, and objects that are made in a row lie at equal distances.
        let once = UInt64(UInt(bitPattern: core)) &* 0x9E37_79B9_7F4A_7C15
        return UInt32(truncatingIfNeeded: (once ^ once >> 32) &* 0xD6E8_FEB8_6659_FD93 >> 32)
    }
}
