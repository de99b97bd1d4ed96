// SPDX-License-Identifier: MIT

import CRelay

/// Observables beyond this process: what it publishes under the name of a device, and what it mirrors of others.
///
///     publications -> outgoing -> network thread -> transport -> broker
///     mirrors <- delivery thread <- deliveries <- network thread <- transport <- broker
///
/// The network thread calls nothing of the program, so that a slow handler never makes it fall behind. Of a value that
/// waits, the latest alone is kept. Where the network thread sleeps, the one that has something to send sends it, which
/// saves waking another one; but not many at once, so that nothing waits for the network in a burst.
///
/// - Note: `@unchecked Sendable`: what changes is guarded by `lock`, or used by one thread alone, as it says there.
public final class Relay: @unchecked Sendable {
    let settings: Settings
    let transport: Transport
    /// What this relay's messages name; ends with a zero.
    let author: Bytes
    let authorNumber: UInt64
    /// Called on the delivery thread whenever the state changes: a word, and maybe a colon and a sentence.
    let stateChanged: (Bytes) -> Void
    /// A child process has neither of the threads, and leaves the connection to its parent.
    let process = relay_process()
    let lock: OpaquePointer
    /// Entered before `lock`.
    let loopLock: OpaquePointer
    let event: Int32

    // Guarded by the lock.
    var targets = Table<Target>()
    var watchers: [Watcher] = []
    var outgoing = Line<Outgoing>()
    var deliveries = Line<Delivery>()
    /// What the state is to be, one after the other.
    var states = Line<(text: Bytes, number: UInt64)>()
    /// The one that was said last, and the one of them that was delivered last.
    var said: (text: Bytes, number: UInt64) = ([], 0)
    var delivered: (text: Bytes, number: UInt64) = ([], 0)
    /// Since when the oldest of them waits, and since when the delivery thread is in a call of the program; 0: it is not.
    var statesSince: Int64 = 0
    var deliveringSince: Int64 = 0
    /// Whether another thread delivers states, because the delivery thread is in a call for long.
    var isHelped = false
    var subscriptions = Line<Subscription>()
    var cancellations: [Bytes] = []
    var counts = Counts()
    /// Whether the broker takes messages now.
    var isConnected = false
    /// Whether all that was subscribed has arrived and all that was published has been sent since then.
    var isReady = false
    /// Whether that holds of the mirrors that were made since, too.
    var isComplete = true
    /// The number of the state that said so last, which comes after the values that came before it; and of the one that
    /// the program has been told last, or is being told.
    var readyNumber: UInt64 = 0
    var toldNumber: UInt64 = 0
    var isDescriptionWaiting = false
    /// Whether the device sleeps when it is there.
    var isSleeping = false
    /// What people are to know, by topics.
    var alerts = Table<Bytes>()
    /// Whether the device is still to be said to be ready.
    var owesReady = false
    /// How many publications have not been given their value yet.
    var withoutValue = 0
    /// Of the description, and what it was given to.
    var version: UInt64 = 0
    var ownDescribed = Bytes()
    /// What Home Assistant is to forget.
    var withdrawn: [Publication] = []
    var isClosing = false
    /// Whether the network thread is in a call that may take minutes.
    var isConnecting = false
    /// Whether the delivery thread is to end.
    var isOver = false
    /// Whether the network thread may be asleep, and nothing has woken it yet.
    var isAsleep = false
    /// Whether the delivery thread has to be told that there is something again.
    var hasHanded = false
    /// How many messages have been sent on other threads in which millisecond.
    var flushed: (milliseconds: Int64, count: Int) = (0, 0)
    var nextWatcher: UInt32 = firstWatcher
    /// How many values have been asked for.
    var requests: UInt64 = 0
    /// Those that their owners have not answered, the oldest first, and when they are undone.
    var undecided = Line<(mirror: Mirror, number: UInt64, due: Int64)>()
    /// Since when there is no connection, in milliseconds.
    var disconnectedSince = relay_milliseconds()
    /// When the next mirror becomes null that has been unconfirmed for too long.
    var nextStale = Int64.max
    /// What was reported last on this connection.
    var lastReport: Bytes?
    /// How often something was withdrawn: the upper half of what numbers the messages of a publication, so that one that
    /// follows another under the same name is no repetition.
    var generation: UInt64 = 0
    /// The authors of other programs of the same device that are there, and whether there is one, with an author or none.
    var namesakes: [UInt64] = []
    var hasNamesake = false
    /// What was said last of the own device.
    var ownState: StaticString = ""
    var ownDescription: Bytes = []
    /// When something was published last.
    var lastPublished: Int64 = 0
    private var networkThread: UInt = 0
    private var deliveryThread: UInt = 0

    // Guarded by the loop lock.
    var lostReason: Bytes?
    /// What `counts` does not have yet.
    var sent: UInt64 = 0
    var unacknowledged: [(id: Int32, message: Outgoing)] = []
    var subscribing: (id: Int32, portion: [Subscription])?
    /// What is complete once the next subscription is.
    var toComplete: [Subscription] = []
    var lastArrival: Int64 = 0
    /// When something may have been lost on the way; 0: nothing.
    var suspiciousSince: Int64 = 0
    /// How much has come since it was quiet, and when it was so much that some of it may have been lost; 0: not yet.
    var flow = 0
    var flowingSince: Int64 = 0
    /// Mirrors whose retained values are to be fetched.
    var doubted: [Mirror] = []
    var doubtingSince: Int64 = 0
    /// Values that the broker has not been seen to take, the one that was sent first first, and when they are looked at.
    var unproven = Line<(publication: Publication, due: Int64)>()
    /// What others retain below the own device; when it is looked at.
    var strays = Table<Bytes>()
    var straysDue: Int64 = 0
    /// When the description is sent again because others have sent one; 0: it is theirs no more.
    var descriptionDue: Int64 = 0
    /// Whether what others published has come in this step, and not what was retained.
    var hasNews = false

    /// Begins to connect.
    /// - Returns: `nil` if the machine has no threads or descriptors left.
    public static func begin(_ settings: Settings, stateChanged: @escaping (Bytes) -> Void) -> Relay? {
        let event = relay_event_new()
        guard event >= 0 else { return nil }
        guard let lock = relay_lock_new() else {
            relay_event_free(event)
            return nil
        }
        guard let loopLock = relay_lock_new() else {
            relay_lock_free(lock)
            relay_event_free(event)
            return nil
        }
        let relay = Relay(settings, lock: lock, loopLock: loopLock, event: event, stateChanged: stateChanged)
        return relay.beginThreads() ? relay : nil
    }

    private init(
        _ settings: Settings, lock: OpaquePointer, loopLock: OpaquePointer, event: Int32,
        stateChanged: @escaping (Bytes) -> Void
    ) {
        self.settings = settings
        self.lock = lock
        self.loopLock = loopLock
        self.event = event
        self.stateChanged = stateChanged
        transport = Transport(settings.address)
        authorNumber = relay_random() | 1
        var author = Bytes()
        for digit in 0..<16 {
            let nibble = UInt8(truncatingIfNeeded: authorNumber >> (60 - 4 * UInt64(digit)) & 15)
            author.append(nibble < 10 ? 48 + nibble : 87 + nibble)
        }
        self.author = author.terminated
    }

    deinit {
        relay_event_free(event)
        relay_lock_free(lock)
        relay_lock_free(loopLock)
    }

    private func beginThreads() -> Bool {
        let context = Unmanaged.passRetained(self).toOpaque()
        deliveryThread = relay_thread_begin({ run($0) { $0.deliver() } }, context)
        guard deliveryThread != 0 else {
            Unmanaged.passUnretained(self).release()
            return false
        }
        _ = Unmanaged.passRetained(self)
        networkThread = relay_thread_begin({ run($0) { $0.runNetwork() } }, context)
        if networkThread == 0 {
            Unmanaged.passUnretained(self).release()
            withLock { isOver = true }
            relay_lock_announce(lock)
            relay_thread_end(deliveryThread)
            return false
        }
        return true
    }

    /// Sends what waits, says that the device is gone, and ends. Nothing is received any more once this has returned,
    /// unless it is called on the delivery thread of a relay.
    public func close() {
        guard isHere else { return }
        let wasClosing = withLock {
            defer { isClosing = true }
            return isClosing
        }
        if wasClosing { return }
        wake()
        if withLock({ isConnecting }) {
            // It finds out when the connection is refused or made.
            relay_thread_let_go(networkThread)
            withLock { isOver = true }
            relay_lock_announce(lock)
        } else {
            relay_thread_end(networkThread)
        }
        // Handlers of two relays that close one another do not wait for one another.
        if relay_thread_is_of_relay() {
            relay_thread_let_go(deliveryThread)
        } else {
            relay_thread_end(deliveryThread)
        }
    }

    /// Whether this is the process that the relay was made in.
    public var isHere: Bool { relay_process() == process }

    /// Whether the program has what is retained of all mirrors, and the broker all that is published.
    public var isReadyNow: Bool { isHere && withLock { isReady && isComplete && toldNumber >= readyNumber } }

    public var countsNow: Counts { isHere ? withLock { counts } : Counts() }

    func withLock<Result>(_ body: () -> Result) -> Result {
        relay_lock_enter(lock)
        let result = body()
        let hasHanded = self.hasHanded
        self.hasHanded = false
        relay_lock_leave(lock)
        // Who is woken finds the lock free.
        if hasHanded { relay_lock_announce(lock) }
        return result
    }

    func wake() { relay_event_raise(event) }

    /// The topic of an attribute of the own device, which ends with a zero. `nil`: there is no device.
    func attribute(_ name: StaticString) -> Bytes? {
        settings.device.map { (root + $0).joined(by: UInt8(ascii: "/"), to: Bytes(name)).terminated }
    }
}

/// What messages of a topic are for.
enum Target {
    case mirror(Mirror)
    case requests(Publication)
    /// The `$state` of a device that has mirrors, and its `$description`.
    case state(Device)
    case description(Device)
    /// What the owner of a mirrored value is about to make of it.
    case target(Mirror)
}

/// How many messages went which way since the relay was made.
public struct Counts: Sendable {
    /// Sent to the broker, and received from it.
    public var sent: UInt64 = 0
    public var received: UInt64 = 0
    /// Not let through: what is no value of its type, too large, refused, or sent while not connected.
    public var dropped: UInt64 = 0
    /// Events and values that others sent and that never arrived.
    public var lost: UInt64 = 0
    public var connections: UInt64 = 0
}

private func run(_ context: UnsafeMutableRawPointer?, _ body: (Relay) -> Void) {
    let relay = Unmanaged<Relay>.fromOpaque(context!)
    body(relay.takeUnretainedValue())
    relay.release()
}
