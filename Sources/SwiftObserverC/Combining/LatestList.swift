// SPDX-License-Identifier: MIT

import CPlatform
import CSwiftObserver
import ObserverEngine
import Synchronization

/// The latest message of each of several sources, as the list that is passed on: fetched of those that are buffered,
/// and remembered of the others.
///
///     sent to 0     1     2
///     sent to 1        5     6
///     passed           1  2  2
///                      5  5  6
///
/// The line of a junction takes in one message at a time, so the list needs no lock there, and stays in place: what is
/// taken in is one of its values. Others read what is remembered under the lock. A number is written without it, between
/// two steps of `sequence`, and read again if that has moved.
final class LatestList {
    /// Set where a source is buffered. Not the source itself: `Upstream` keeps that.
    let parts: [Role?]
    private let count: Int
    private let values: UnsafeMutablePointer<swo_value>
    private let updates: UnsafeMutablePointer<swo_update>
    /// What the values point at.
    private let kept: UnsafeMutablePointer<StoredMessage?>
    /// How many that are remembered have sent nothing yet.
    private var missing = 0
    private var isFetched = false
    /// Whether the first source alone has the list passed on; of the others it is only remembered.
    private let isOfFirst: Bool
    private let sequence = Atomic<UInt32>(0)

    init(_ sources: [ObservableHandle], whenFirstSends isOfFirst: Bool = false) {
        parts = sources.map { $0.buffer == nil ? nil : $0.role }
        count = sources.count
        self.isOfFirst = isOfFirst
        values = .allocate(capacity: count)
        updates = .allocate(capacity: count)
        kept = .allocate(capacity: count)
        kept.initialize(repeating: nil, count: count)
        for part in 0..<count {
            // Of no kind: there is none.
            (values + part).initialize(to: .none)
            if parts[part] == nil { missing += 1 } else { isFetched = true }
        }
    }

    deinit {
        kept.deinitialize(count: count)
        kept.deallocate()
        values.deallocate()
        updates.deallocate()
    }

    /// Takes in a message, and passes the list on if that is due.
    ///
    /// - Returns: False if that has failed.
    @inline(__always)
    func take(
        _ message: UnsafePointer<swo_value>, of part: Int, author: UnsafeRawPointer?, to target: Core<CHandler>
    ) -> Bool {
        let value = values + part
        if parts[part] == nil {
            if value.pointee.kind < 0 { missing -= 1 }
            if isNumber(message), value.pointee.kind <= SWO_KIND_DOUBLE {
                rememberNumber(message, value)
            } else if !remember(message, part) {
                return false
            }
            if isOfFirst, part != 0 { return true }
        } else {
            if isOfFirst, part != 0 { return true }
            value.pointee = message.pointee
            value.pointee.owned = 0
        }
        guard missing == 0 else { return true }
        if isFetched { return passFetching(part, author, to: target) }
        return pass(author, to: target)
    }

    @inline(__always)
    private func rememberNumber(_ message: UnsafePointer<swo_value>, _ value: UnsafeMutablePointer<swo_value>) {
        let before = sequence.load(ordering: .relaxed)
        sequence.store(before &+ 1, ordering: .relaxed)
        var number = message.pointee
        number.owned = 0
        platform_words_store(value, &number, MemoryLayout<swo_value>.size)
        sequence.store(before &+ 2, ordering: .releasing)
    }

    /// Remembers what is more than a number, or follows that.
    @inline(never)
    private func remember(_ message: UnsafePointer<swo_value>, _ part: Int) -> Bool {
        guard canBeListed(message), let copy = StoredMessage(copying: message) else { return false }
        lock()
        let before = kept[part]
        kept[part] = isNumber(message) ? nil : copy
        values[part] = copy.borrow(updates + part)
        unlock()
        // Released here, without the lock.
        withExtendedLifetime(before) {}
        return true
    }

    @inline(__always)
    private func pass(_ author: UnsafeRawPointer?, to target: Core<CHandler>) -> Bool {
        withUnsafePointer(to: swo_list(values, count)) { target.pass($0, author: author) == .sent }
    }

    /// Fetches what is not remembered, and passes the list on.
    @inline(never)
    private func passFetching(_ sender: Int, _ author: UnsafeRawPointer?, to target: Core<CHandler>) -> Bool {
        var isPassed = values[sender].kind < SWO_KIND_UPDATE || canBeListed(values + sender), found = SWO_OK
        for part in 0..<count where part != sender && found == SWO_OK {
            guard let role = parts[part] else { continue }
            found = role.borrowLatest(values + part, updates + part, keepingIn: kept + part)
            if found == SWO_OK, values[part].kind >= SWO_KIND_UPDATE, !canBeListed(values + part) { isPassed = false }
        }
        // What has sent nothing yet has none, nor has what has lost its source.
        if found != SWO_OK, found != SWO_NOT_FOUND, found != SWO_WRONG_KIND { isPassed = false }
        if found == SWO_OK, isPassed { isPassed = pass(author, to: target) }
        for part in 0..<count where parts[part] != nil {
            if kept[part] != nil { kept[part] = nil }
        }
        return isPassed
    }

    // MARK: - For others

    /// Where the latest message of a part is to be found. Any thread.
    func way(to part: Int) -> Way {
        if let role = parts[part] { return .source(role) }
        lock()
        let message = kept[part] ?? numberRemembered(part)
        unlock()
        return .found(message.map { Latest($0) } ?? Latest(SWO_NOT_FOUND))
    }

    /// The lock is held, so nothing else than numbers are written.
    private func numberRemembered(_ part: Int) -> StoredMessage? {
        var value = swo_value()
        while true {
            let before = sequence.load(ordering: .acquiring)
            platform_words_load(&value, values + part, MemoryLayout<swo_value>.size)
            atomicMemoryFence(ordering: .acquiring)
            if before & 1 == 0, sequence.load(ordering: .relaxed) == before { break }
            platform_pause()
        }
        return value.kind < 0 ? nil : StoredMessage(OwnedValue(number: value))
    }

    private func lock() { platform_keeper_lock_acquire(lockIndex) }
    private func unlock() { platform_keeper_lock_release(lockIndex) }
    private var lockIndex: UInt32 {
        UInt32(truncatingIfNeeded: UInt(bitPattern: values) >> 4) % UInt32(PLATFORM_LOCKS)
    }
}
