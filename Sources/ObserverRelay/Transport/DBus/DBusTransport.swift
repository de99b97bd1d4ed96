// SPDX-License-Identifier: MIT

import CRelay

/// D-Bus by sd-bus. The bus retains nothing: each program serves what it publishes, and is asked for it.
///
///     publish    PropertiesChanged, or a signal        set       Properties.Set of the owner
///     subscribe  AddMatch, GetNameOwner, then GetManagedObjects of the owner
///
/// The bus delivers in order. So there are no authors and numbers in the messages, and what a device says when it is
/// asked is neither older than the signals before it nor newer than those after it.
final class DBusTransport: @unchecked Sendable {
    /// What waits for an answer.
    enum Call {
        /// For the name of the own device.
        case name
        /// To be sent the messages of something; of a subscription, or 0.
        case match(Int32)
        /// For the owner of a device's name. The subscription that is complete with it, or 0.
        case owner(DBusDevice, Int32)
        /// For all names, of a filter.
        case names(UInt32, Int32)
        /// For all that a device has.
        case everything(DBusDevice, round: UInt32)
        /// For another value. The message of the relay.
        case set(Int32)
    }

    // Used on the network thread alone.
    var connection: OpaquePointer?
    var relay: Relay! {
        get { owner?.takeUnretainedValue() }
        set { owner = Unmanaged.passUnretained(newValue) }
    }
    // Not `unowned(unsafe)`, which 6.0 cannot describe to the debugger in all places.
    private var owner: Unmanaged<Relay>?
    private var nextID: Int32 = 0
    var calls: [(number: Int64, call: Call)] = []
    /// What the relay is to be told of its messages.
    private var answers: [(id: Int32, refused: Bytes?)] = []
    /// What is sent, and not yet written.
    private var unwritten = Line<Int32>()
    /// Subscriptions that need no answer of the bus.
    var completed: [Int32] = []
    /// What others want to be set, until it was.
    var requests: [(publication: Publication, number: UInt64, call: OpaquePointer)] = []
    /// Attributes of the own device.
    var attributes: [(topic: Bytes, payload: Bytes)] = []
    /// The interfaces that others have been told of; `nil`: those that the device has when it comes.
    var announced: [Bytes]?
    var ownsName = false
    var devices = Table<DBusDevice>()
    var filters: [(filter: Bytes, number: UInt32)] = []
    var fetching = 0
    var lastFetch: Int64 = 0

    func connect(_ relay: Relay) -> Bytes? {
        self.relay = relay
        guard case .dbus(let address) = relay.settings.address else { return nil }
        var events = eventsForRelays()
        let problem = UnsafeMutablePointer<CChar>.allocate(capacity: 512)
        connection = relay_dbus_connect(address, &events, Unmanaged.passUnretained(self).toOpaque(), problem, 512)
        defer { problem.deallocate() }
        return connection == nil ? Bytes(copying: problem) : nil
    }

    /// The bus took this program in.
    fileprivate func connected() {
        guard let device = relay.settings.device else {
            relay.connected()
            return
        }
        // What it has before it has said so.
        attributes = [(relay.attribute("$state")!, Bytes("init"))]
        let call = callOfBus("RequestName")
        call.add((busPrefix + element(of: device[...])).terminated)
        // Waits in line where another program has it.
        call.add(flags: 0)
        send(call, .name)
    }

    var isFull: Bool { connection.map { relay_dbus_unwritten($0) > 0 } ?? true }

    /// Whether devices have been asked for what they have. One that has been stopped does not count for ever.
    var isAwaiting: Bool { fetching > 0 && relay_milliseconds() - lastFetch < 5000 }

    /// What keeps this program's device from being seen.
    var remark: Bytes? {
        guard let device = relay.settings.device, !ownsName else { return nil }
        return Bytes("another program has the same name, ") + busPrefix + element(of: device[...])
    }

    func step(event: Int32, milliseconds: Int32) -> Bool {
        guard let connection else { return false }
        noteWritten()
        relay_dbus_step(connection, event, answers.isEmpty && completed.isEmpty ? milliseconds : 0)
        noteWritten()
        let (answered, subscribed) = (answers, completed)
        (answers, completed) = ([], [])
        for (id, refused) in answered { relay.acknowledged(id, refused: refused, isUnheard: false) }
        for id in subscribed { relay.subscribed(id, refused: nil) }
        return false
    }

    func disconnect(isPolite: Bool) {
        guard let connection else { return }
        for request in requests { relay_dbus_let_go(connection, request.call) }
        relay_dbus_free(connection)
        self.connection = nil
        calls = []
        answers = []
        completed = []
        unwritten = Line()
        requests = []
        attributes = []
        announced = nil
        ownsName = false
        devices = Table()
        filters = []
        fetching = 0
    }

    // MARK: - Numbers

    func newID() -> Int32 {
        nextID = nextID == Int32.max ? 1 : nextID + 1
        return nextID
    }

    /// Tells the relay in the next step, for it does not know the number yet.
    func answer(_ id: Int32, refused: Bytes? = nil) { answers.append((id, refused)) }

    /// Tells the relay once the message that was sent last has been written.
    func answerWhenWritten(_ id: Int32) { unwritten.append(id) }

    /// The last that were sent are those that wait.
    private func noteWritten() {
        guard let connection, !unwritten.isEmpty else { return }
        let waiting = relay_dbus_unwritten(connection)
        while UInt64(unwritten.count) > waiting, let id = unwritten.popFirst() { answer(id) }
    }

    func callOfBus(_ member: StaticString) -> DBusMessage {
        .call(
            connection!, Bytes("org.freedesktop.DBus").terminated, Bytes("/org/freedesktop/DBus").terminated,
            "org.freedesktop.DBus", member)
    }

    func send(_ message: DBusMessage, _ call: Call) {
        let number = message.send(isAnswered: true)
        if number > 0 { calls.append((number, call)) }
    }
}

/// A message that came in, in words.
struct DBusReceived {
    let message: OpaquePointer
    let sender: Bytes
    let path: Bytes
    let interface: Bytes
    let member: Bytes
    /// What is wrong, for people. `nil`: it is no error.
    let problem: Bytes?
}

// A function, because a constant would have to be initialised.
private func eventsForRelays() -> relay_dbus_events {
    relay_dbus_events(
        connected: { transport(behind: $0).connected() },
        lost: { transport(behind: $0).relay.lost(Bytes(copying: $1!)) },
        received: { transport(behind: $0).received($1!.pointee) })
}

private func transport(behind context: UnsafeMutableRawPointer?) -> DBusTransport {
    Unmanaged<DBusTransport>.fromOpaque(context!).takeUnretainedValue()
}

private func text(_ text: UnsafePointer<CChar>?) -> Bytes { text.map { Bytes(copying: $0) } ?? [] }

extension DBusTransport {
    fileprivate func received(_ raw: relay_dbus_received) -> Bool {
        let problem = raw.error.map { raw.said.map { Bytes(copying: $0) } ?? Bytes(copying: $0) }
        let received = DBusReceived(
            message: raw.message, sender: text(raw.sender), path: text(raw.path), interface: text(raw.interface),
            member: text(raw.member), problem: problem)
        switch raw.kind {
        case Int32(RELAY_DBUS_CALL): return serve(received)
        case Int32(RELAY_DBUS_SIGNAL):
            signalled(received)
            return false
        default:
            guard let index = calls.firstIndex(where: { $0.number == Int64(raw.answered) }) else { return false }
            answered(calls.remove(at: index).call, received)
            return true
        }
    }

    private func answered(_ call: Call, _ answer: DBusReceived) {
        switch call {
        case .name: nameAnswered(answer)
        case .match(let id): if id != 0, let problem = answer.problem { relay.subscribed(id, refused: problem) }
        case .owner(let device, let id):
            owned(device, by: answer.problem == nil ? read(answer).map { $0.terminated } : nil)
            if id != 0 { relay.subscribed(id, refused: nil) }
        case .names(let number, let id): listed(answer, for: number, id)
        case .everything(let device, let round): fetched(device, round, answer)
        case .set(let id): relay.acknowledged(id, refused: answer.problem, isUnheard: false)
        }
    }

    private func nameAnswered(_ answer: DBusReceived) {
        if let problem = answer.problem {
            relay.lost(Bytes("the bus does not let this program have its name: ") + problem)
            return
        }
        // 2: it waits for the name.
        ownsName = relay_dbus_read_number(connection!, answer.message) != 2
        relay.connected()
    }

    /// The text at this place of a message.
    func read(_ received: DBusReceived, as type: Unicode.Scalar = "s") -> Bytes? {
        relay_dbus_read_text(connection!, received.message, UInt8(ascii: type)).map { Bytes(copying: $0) }
    }
}
