// SPDX-License-Identifier: MIT

import SwiftObserver
import SwiftObserverRelay
import Testing
import TestSupport

@Suite("Relays, with brokers of their own", .enabled(if: isWithBrokers)) struct BrokerTests {
    @Test func valuesAreThereAgainAfterTheBrokerWasKilled() throws {
        let broker = try Broker()
        let owner = try relay("attic", at: broker.address), other = try relay(at: broker.address)
        let load = Var(0.25)
        try owner.publish(load, as: "cpu/load")
        let mirror: Var<Double?> = try other.mirror("attic/cpu/load")
        until(mirror, is: 0.25)
        ready(owner, other)
        broker.kill()
        until(owner.state) { $0.phase == .lost }
        until(other.state) { $0.phase == .lost && $0.report != nil }
        load <- 3.5
        try broker.start()
        until(mirror, is: 3.5)
        ready(owner, other)
        #expect(other.counts.connections == 2)
    }

    @Test func passwordsLetInAndStandNowhere() throws {
        let right = "correct-horse", wrong = "battery-staple"
        let broker = try Broker(
            "allow_anonymous false\npassword_file %/passwords",
            preparedBy: "mosquitto_passwd -b -c %/passwords user-of-the-attic \(right)")
        func attic(_ password: String) throws -> Relay {
            try Relay(
                to: broker.address, device: "attic", user: "user-of-the-attic", password: password,
                firstRetry: .milliseconds(5), lastRetry: .milliseconds(20))
        }
        let states = Recorder<String>(), observer = FreeObserver(), refused = try attic(wrong)
        observer.observe(refused.state, replaying: .latest) { states.record("\($0.new)") }
        until(refused.state) { $0.report?.contains("Not authorized") ?? false }
        let relay = try attic(right), level = Var(1)
        observer.observe(relay.state, replaying: .latest) { states.record("\($0.new)") }
        try relay.publish(level, as: "light/level")
        ready(relay)
        var shown = states.entries.joined() + graphDOT(relay.state, refused.state, level)
        for each in [relay, refused] { dump(each, to: &shown) }
        for secret in [right, wrong, "user-of-the-attic"] { #expect(!shown.contains(secret)) }
    }

    @Test func certificatesLetInOnBothSides() throws {
        let broker = try Broker(
            """
            certfile %/broker.pem
            keyfile %/broker.key
            cafile %/ca.pem
            require_certificate true
            allow_anonymous true
            """,
            preparedBy: """
                cd %
                openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -subj /CN=tests -days 2
                for name in broker client; do
                    openssl req -newkey rsa:2048 -nodes -keyout $name.key -out $name.csr -subj /CN=127.0.0.1 \\
                        -addext subjectAltName=IP:127.0.0.1
                    openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \\
                        -copy_extensions copy -out $name.pem
                done
                """)
        func encrypted(certificate: String?, key: String?) throws -> Relay {
            func file(_ name: String) -> String { broker.folder.appending(path: name).path }
            return try Relay(
                to: "mqtts://127.0.0.1:\(broker.port)", device: "attic", caFile: file("ca.pem"),
                certificateFile: certificate.map(file), keyFile: key.map(file), firstRetry: .milliseconds(5),
                lastRetry: .milliseconds(20))
        }
        let welcome = try encrypted(certificate: "client.pem", key: "client.key")
        try welcome.publish(Var(1), as: "light/level")
        ready(welcome)
        let nameless = try encrypted(certificate: nil, key: nil)
        until(nameless.state) { $0.phase == .lost }
        let other = try encrypted(certificate: "no-file.pem", key: "client.key")
        until(other.state) { $0.phase == .lost }
    }
}
