// SPDX-License-Identifier: MIT

/// What the own device has, as XML, from which tools show it.
extension DBusTransport {
    /// What there is at a path. `nil`: nothing.
    func introspect(_ path: Bytes) -> Bytes? {
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
                  <signal name="InterfacesAdded">
                   <arg name="object" type="o"/>
                   <arg name="interfaces" type="a{sa{sv}}"/>
                  </signal>
                  <signal name="InterfacesRemoved">
                   <arg name="object" type="o"/>
                   <arg name="interfaces" type="as"/>
                  </signal>
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
        add("\">\n   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\"")
        add(" value=\"true\"/>\n  </property>\n")
    }

    fileprivate mutating func addChild(_ name: ArraySlice<UInt8>) {
        add(" <node name=\"")
        self += name
        add("\"/>\n")
    }
}
