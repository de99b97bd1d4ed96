// SPDX-License-Identifier: MIT

/// What the own device has, as others read it.
extension DBusTransport {
    /// An interface of the own device, and what is in it at this moment.
    struct Node {
        /// Ends with a zero.
        let interface: Bytes
        var publications: [Publication]
    }

    func nodes() -> [Node] {
        var nodes: [Node] = []
        for publication in relay.withLock({ relay.publications }) {
            let interface = member(of: Array(publication.topic.dropLast()))!.interface
            if let last = nodes.last, last.interface.elementsEqual(interface) {
                nodes[nodes.count - 1].publications.append(publication)
            } else {
                nodes.append(Node(interface: interface, publications: [publication]))
            }
        }
        return nodes
    }

    /// Tells those who listen to the object manager which nodes have come and gone since then.
    func announceNodes() {
        let nodes = nodes()
        let before = announced
        announced = nodes.map { $0.interface }
        guard let before, ownsName else { return }
        let new = nodes.filter { node in !before.contains { $0.elementsEqual(node.interface) } }
        if !new.isEmpty {
            announce("InterfacesAdded") { signal in signal.within("a", "{sa{sv}}") { add(new, to: signal) } }
        }
        let gone = before.filter { old in !nodes.contains { $0.interface.elementsEqual(old) } }
        if !gone.isEmpty {
            announce("InterfacesRemoved") { signal in
                signal.within("a", "s") { for interface in gone { signal.add(interface) } }
            }
        }
    }

    private func announce(_ member: StaticString, _ fill: (DBusMessage) -> Void) {
        let manager = Bytes("org.freedesktop.DBus.ObjectManager").terminated
        let signal = DBusMessage.signal(connection!, objectRoot.terminated, manager, Bytes(member).terminated)
        signal.add(ownPath, as: "o")
        fill(signal)
        _ = signal.send()
    }

    private func add(_ nodes: [Node], to message: DBusMessage) {
        for node in nodes {
            message.within("e", "sa{sv}") {
                message.add(node.interface)
                addProperties(of: node, to: message)
            }
        }
    }

    func addProperties(of node: Node, to message: DBusMessage) {
        message.within("a", "{sv}") {
            for publication in node.publications where publication.isRetained {
                let value = relay.withLock { publication.value }
                guard let payload = value.payload(as: publication.datatype), !payload.isEmpty,
                    problem(with: payload, as: publication.datatype) == nil
                else { continue }
                let name = member(of: Array(publication.topic.dropLast()))!.member
                message.add(name, payload: payload, as: publication.datatype.signature)
            }
        }
    }

    func addAttributes(to message: DBusMessage) {
        message.within("a", "{sv}") {
            for (topic, payload) in attributes {
                guard let place = member(of: Array(topic.dropLast())) else { continue }
                message.add(place.member, payload: payload, as: UInt8(ascii: "s"))
            }
        }
    }

    func addObjects(to message: DBusMessage) {
        message.within("a", "{oa{sa{sv}}}") {
            message.within("e", "oa{sa{sv}}") {
                message.add(ownPath, as: "o")
                message.within("a", "{sa{sv}}") {
                    message.within("e", "sa{sv}") {
                        message.add(deviceInterface.terminated)
                        addAttributes(to: message)
                    }
                    add(nodes(), to: message)
                }
            }
        }
    }
}
