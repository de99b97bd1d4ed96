// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import SwiftObserverFoundation
import Testing
import TestSupport

@Suite("Notifications") struct NotificationTests {
    final class Reader: Observer {
        let receiver = Receiver()
    }

    final class Document {}

    let center = NotificationCenter(), reader = Reader()
    let saved = Notification.Name("saved"), closed = Notification.Name("closed")

    @Test func theNotificationsOfANameAreSent() {
        let saves = center.observable(for: saved)
        nonisolated(unsafe) var received: [String] = []
        reader.observe(saves) { received.append($0.userInfo?["title"] as? String ?? "none") }
        center.post(name: saved, object: nil, userInfo: ["title": "one"])
        center.post(name: closed, object: nil)
        center.post(name: saved, object: nil)
        #expect(received == ["one", "none"])
    }

    @Test func allNotificationsAreSent() {
        let all = center.observable(for: nil)
        nonisolated(unsafe) var received: [Notification.Name] = []
        reader.observe(all) { received.append($0.name) }
        center.post(name: saved, object: nil)
        center.post(name: closed, object: nil)
        #expect(received == [saved, closed])
    }

    @Test func theNotificationsOfOneObjectAreSent() {
        let document = Document(), other = Document()
        let saves = center.observable(for: saved, object: document)
        nonisolated(unsafe) var received = 0
        reader.observe(saves) { _ in received += 1 }
        center.post(name: saved, object: document)
        center.post(name: saved, object: other)
        center.post(name: saved, object: nil)
        #expect(received == 1)
    }

    @Test func theAuthorIsWhoPosted() {
        let document = Document(), saves = center.observable(for: saved)
        nonisolated(unsafe) var authors: [ObjectIdentifier] = []
        reader.observe(saves) { _, author in authors.append(ObjectIdentifier(author)) }
        center.post(name: saved, object: document)
        center.post(name: saved, object: 5)
        center.post(name: saved, object: nil)
        let own = ObjectIdentifier(saves.messenger)
        #expect(authors == [ObjectIdentifier(document), own, own])
    }

    @Test func notificationsCanBeTransformed() {
        let titles = center.observable(for: saved).map { $0.userInfo?["title"] as? String }.unwrap()
        nonisolated(unsafe) var received: [String] = []
        reader.observe(titles) { received.append($0) }
        center.post(name: saved, object: nil, userInfo: ["title": "one"])
        center.post(name: saved, object: nil)
        #expect(received == ["one"])
    }

    @Test func notificationsArePostedOnAnyThread() {
        let saves = center.observable(for: saved), received = Recorder<Void>()
        reader.observe(saves) { _ in received.record() }
        onThreads(4) { [center, saved] _ in
            for _ in 0..<100 { center.post(name: saved, object: nil) }
        }
        #expect(received.count == 400)
    }

    @Test func nothingIsLeftInTheCenter() {
        let leaked = leaks { track in
            let document = track(Document()), reader = track(Reader())
            let saves = track(center.observable(for: saved, object: document))
            reader.observe(saves) { _ in }
            center.post(name: saved, object: document)
        }
        #expect(leaked.isEmpty)
        center.post(name: saved, object: nil)
    }
}
