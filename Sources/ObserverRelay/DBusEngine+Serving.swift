// SPDX-License-Identifier: MIT

import CRelay

/// What others ask of the own device.
extension DBusEngine {
    /// Whether a call is one that is answered here; else sd-bus answers.
    func serve(_ call: DBusReceived) -> Bool {
        guard relay.settings.device != nil else { return false }
        func isCall(_ interface: StaticString, _ member: StaticString) -> Bool {
            call.member.elementsEqual(Bytes(member))
                && (call.interface.isEmpty || call.interface.elementsEqual(Bytes(interface)))
        }
        let isDevice = call.path.terminated.elementsEqual(ownPath)
        if isCall("org.freedesktop.DBus.Introspectable", "Introspect"), let xml = introspect(call.path) {
            answer(call) { $0.add(xml.terminated) }
        } else if isCall("org.freedesktop.DBus.ObjectManager", "GetManagedObjects"), call.path.elementsEqual(objectRoot) {
            answer(call) { addObjects(to: $0) }
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "GetAll") {
            getAll(call)
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "Get") {
            get(call)
        } else if isDevice, isCall("org.freedesktop.DBus.Properties", "Set") {
            set(call)
        } else if isDevice, !call.interface.elementsEqual(Bytes("org.freedesktop.DBus.Peer")) {
            refuse(call, "org.freedesktop.DBus.Error.UnknownMethod", "a device has no such method")
        } else {
            return false
        }
        return true
    }

    private func answer(_ call: DBusReceived, _ fill: (DBusMessage) -> Void) {
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        let answer = DBusMessage.answer(connection!, to: call.message)
        fill(answer)
        _ = answer.send()
    }

    private func refuse(_ call: DBusReceived, _ error: StaticString, _ why: StaticString) {
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        let refusal = relay_dbus_refusal(connection!, call.message, error.utf8Start, why.utf8Start)
        _ = relay_dbus_send(connection!, refusal, false)
    }

    // MARK: - What the device has

    /// An interface of the own device, and what is in it at this moment.
    struct Node {
        /// Ends with a zero.
        let interface: Bytes
        var publications: [Publication]
    }

    func nodes() -> [Node] {
        var sorted = relay.withLock { relay.publications }
        sorted.sort { $0.path.lexicographicallyPrecedes($1.path) }
        var nodes: [Node] = []
        for publication in sorted {
            let interface = member(of: Array(publication.topic.dropLast()))!.interface
            if let last = nodes.last, last.interface.elementsEqual(interface) {
                nodes[nodes.count - 1].publications.append(publication)
            } else {
                nodes.append(Node(interface: interface, publications: [publication]))
            }
        }
        return nodes
    }

    private func addProperties(of node: Node, to message: DBusMessage) {
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

    private func addAttributes(to message: DBusMessage) {
        message.within("a", "{sv}") {
            for (topic, payload) in attributes {
                guard let place = member(of: Array(topic.dropLast())) else { continue }
                message.add(place.member, payload: payload, as: UInt8(ascii: "s"))
            }
        }
    }

    private func addObjects(to message: DBusMessage) {
        message.within("a", "{oa{sa{sv}}}") {
            message.within("e", "oa{sa{sv}}") {
                message.add(ownPath, as: "o")
                message.within("a", "{sa{sv}}") {
                    message.within("e", "sa{sv}") {
                        message.add(deviceInterface.terminated)
                        addAttributes(to: message)
                    }
                    for node in nodes() {
                        message.within("e", "sa{sv}") {
                            message.add(node.interface)
                            addProperties(of: node, to: message)
                        }
                    }
                }
            }
        }
    }

    // MARK: - Properties

    private func getAll(_ call: DBusReceived) {
        guard let interface = read(call) else {
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the name of an interface is missing")
            return
        }
        if interface.elementsEqual(deviceInterface) {
            answer(call) { addAttributes(to: $0) }
        } else if let node = nodes().first(where: { $0.interface.elementsEqual(interface.terminated) }) {
            answer(call) { addProperties(of: node, to: $0) }
        } else if interface.starts(with: Bytes("org.freedesktop.DBus.")) {
            answer(call) { $0.within("a", "{sv}") {} }
        } else {
            refuse(call, "org.freedesktop.DBus.Error.UnknownInterface", "the device has no such node")
        }
    }

    /// The property that a call is about. `nil`: there is none, as the caller has been told.
    private func property(_ call: DBusReceived) -> (topic: Bytes, publication: Publication?)? {
        guard let interface = read(call), let name = read(call) else {
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the names of an interface and a property are missing")
            return nil
        }
        if let topic = topicOnBus(device: relay.settings.device!, interface: interface, member: name) {
            let publication = relay.withLock { relay.publication(at: (topic + Bytes("/set")).terminated) }
            if let publication, publication.isRetained { return (topic, publication) }
            if attributes.contains(where: { $0.topic.elementsEqual(topic.terminated) }) { return (topic, nil) }
        }
        refuse(call, "org.freedesktop.DBus.Error.UnknownProperty", "the device has no such property")
        return nil
    }

    private func get(_ call: DBusReceived) {
        guard let (topic, publication) = property(call) else { return }
        var payload: Bytes?
        if let publication {
            payload = relay.withLock { publication.value }.payload(as: publication.datatype)
        } else {
            payload = attributes.first { $0.topic.elementsEqual(topic.terminated) }?.payload
        }
        let datatype = publication?.datatype ?? .string
        guard let payload, !payload.isEmpty, problem(with: payload, as: datatype) == nil else {
            refuse(call, "org.swiftobserver.Error.Null", "the property has no value at this moment")
            return
        }
        answer(call) { $0.add(variant: payload, as: datatype.signature) }
    }

    private func set(_ call: DBusReceived) {
        guard let (topic, publication) = property(call) else { return }
        guard let publication, publication.set != nil else {
            refuse(call, "org.freedesktop.DBus.Error.PropertyReadOnly", "the property cannot be set")
            return
        }
        let value = relay_dbus_read_variant(connection!, call.message)
        guard value.type == publication.datatype.signature else {
            relay.withLock {
                relay.drop(publication.requests, "a value", Bytes("it is ") + Bytes(publication.datatype.article))
            }
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the property is of another type")
            return
        }
        let before = relay.withLock { publication.requested }
        withPayload(of: value) { payload in
            (topic + Bytes("/set")).withUnsafeBytes {
                relay.received(
                    Incoming(topic: $0, payload: payload, isRetained: false, subscription: 0, author: 0, seq: 0))
            }
        }
        let number = relay.withLock { publication.requested }
        guard number > before else {
            refuse(call, "org.freedesktop.DBus.Error.InvalidArgs", "the value is too large, or no value of the property")
            return
        }
        guard relay_dbus_wants_answer(connection!, call.message) else { return }
        relay_dbus_keep(connection!, call.message)
        requests.append((publication, number, call.message))
    }

    /// Tells those who asked that their values have been decided about, once what became of them is sent.
    func answerRequests(of publication: Publication) {
        guard !requests.isEmpty else { return }
        let decided = relay.withLock { publication.decided }
        var left: [(publication: Publication, number: UInt64, call: OpaquePointer)] = []
        for request in requests {
            if request.publication === publication, request.number <= decided {
                _ = DBusMessage.answer(connection!, to: request.call).send()
                relay_dbus_let_go(connection!, request.call)
            } else {
                left.append(request)
            }
        }
        requests = left
    }

    // MARK: - Introspection

    /// What there is at a path. `nil`: nothing.
    private func introspect(_ path: Bytes) -> Bytes? {
        var xml = Bytes(
            """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """)
        if path.terminated.elementsEqual(ownPath) {
            xml.add(
                """
                 <interface name="org.freedesktop.DBus.Properties">
                  <method name="Get">
                   <arg name="interface" type="s" direction="in"/>
                   <arg name="property" type="s" direction="in"/>
                   <arg name="value" type="v" direction="out"/>
                  </method>
                  <method name="GetAll">
                   <arg name="interface" type="s" direction="in"/>
                   <arg name="properties" type="a{sv}" direction="out"/>
                  </method>
                  <method name="Set">
                   <arg name="interface" type="s" direction="in"/>
                   <arg name="property" type="s" direction="in"/>
                   <arg name="value" type="v" direction="in"/>
                  </method>
                  <signal name="PropertiesChanged">
                   <arg name="interface" type="s"/>
                   <arg name="changed" type="a{sv}"/>
                   <arg name="invalidated" type="as"/>
                  </signal>
                 </interface>
                 <interface name="org.swiftobserver.Device">

                """)
            for (topic, _) in attributes {
                if let place = member(of: Array(topic.dropLast())) {
                    xml.addProperty(place.member, UInt8(ascii: "s"), isSettable: false)
                }
            }
            xml.add(" </interface>\n")
            for node in nodes() { add(node, to: &xml) }
        } else if path.elementsEqual(objectRoot) {
            xml.add(
                """
                 <interface name="org.freedesktop.DBus.ObjectManager">
                  <method name="GetManagedObjects">
                   <arg name="objects" type="a{oa{sa{sv}}}" direction="out"/>
                  </method>
                 </interface>

                """)
            xml.addChild(ownPath[(objectRoot.count + 1)...].dropLast())
        } else if path.elementsEqual(Bytes("/org")) {
            xml.addChild(Bytes("swiftobserver")[...])
        } else if path.elementsEqual(Bytes("/")) {
            xml.addChild(Bytes("org")[...])
        } else {
            return nil
        }
        xml.add(
            """
             <interface name="org.freedesktop.DBus.Introspectable">
              <method name="Introspect">
               <arg name="xml" type="s" direction="out"/>
              </method>
             </interface>
             <interface name="org.freedesktop.DBus.Peer">
              <method name="Ping"/>
              <method name="GetMachineId">
               <arg name="machine" type="s" direction="out"/>
              </method>
             </interface>
            </node>

            """)
        return xml
    }

    private func add(_ node: Node, to xml: inout Bytes) {
        xml.add(" <interface name=\"")
        xml += node.interface.dropLast()
        xml.add("\">\n")
        for publication in node.publications {
            let name = member(of: Array(publication.topic.dropLast()))!.member
            if publication.isRetained {
                xml.addProperty(name, publication.datatype.signature, isSettable: publication.set != nil)
            } else {
                xml.add("  <signal name=\"")
                xml += name.dropLast()
                xml.add("\">\n   <arg name=\"message\" type=\"")
                xml.append(publication.datatype.signature)
                xml.add("\"/>\n  </signal>\n")
            }
        }
        xml.add(" </interface>\n")
    }
}

extension Array where Element == UInt8 {
    fileprivate mutating func addProperty(_ name: Bytes, _ type: UInt8, isSettable: Bool) {
        add("  <property name=\"")
        self += name.dropLast()
        add("\" type=\"")
        append(type)
        add("\" access=\"")
        add(isSettable ? "readwrite" : "read")
        add("\">\n   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"true\"/>\n  </property>\n")
    }

    fileprivate mutating func addChild(_ name: ArraySlice<UInt8>) {
        add(" <node name=\"")
        self += name
        add("\"/>\n")
    }
}

/// Calls `body` with the payload that a value stands for.
func withPayload(of value: relay_dbus_value, _ body: (UnsafeRawBufferPointer) -> Void) {
    if let text = value.text {
        body(UnsafeRawBufferPointer(start: text, count: value.size))
    } else {
        withUnsafeBytes(of: value.characters) { body(UnsafeRawBufferPointer(rebasing: $0[..<value.size])) }
    }
}
