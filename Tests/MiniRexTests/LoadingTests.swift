// SPDX-License-Identifier: MIT

import Foundation
import MiniRex
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("MiniRex: URLs are loaded") struct LoadingTests {
    @Test func aURLIsLoadedWithItsProgress() async throws {
        let isHalfThere = Gate()
        let server = try LoopbackServer { send in
            send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhello")
            isHalfThere.pass()
            send("world")
        }
        let loading = PublishedProgressiveTask.loading(server.url)
        let progress = Recorder<ByteProgress>(), results = Recorder<LoadedURL?>(), done = Gate()
        let subscription = loading.publisher.subscribe { update in
            switch update {
            case .progress(let bytes):
                progress.record(bytes)
                if bytes.completed == 5 { isHalfThere.open() }
            case .result(let result):
                results.record(try? result.get())
                done.open()
            }
        }
        await done.opened()
        try withExtendedLifetime((server, subscription)) {
            #expect(progress.entries.map(\.completed) == [5, 10])
            #expect(progress.entries.allSatisfy { $0.total == 10 })
            let loaded = try #require(results.entries.first ?? nil)
            #expect(String(decoding: loaded.data, as: UTF8.self) == "helloworld")
            #expect((loaded.response as? HTTPURLResponse)?.statusCode == 200)
        }
    }

    @Test func anAnswerIsAResultWhateverItsStatus() async throws {
        let server = try LoopbackServer { send in
            send("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\ngone")
        }
        let result = try await result(of: .loading(server.url)).get()
        withExtendedLifetime(server) {
            #expect((result.response as? HTTPURLResponse)?.statusCode == 404)
            #expect(String(decoding: result.data, as: UTF8.self) == "gone")
        }
    }

    @Test func aServerThatHangsUpIsAnError() async throws {
        let server = try LoopbackServer { _ in }
        let result = await result(of: .loading(server.url))
        withExtendedLifetime(server) { _ = #expect(throws: (any Error).self) { try result.get() } }
    }

    @Test func theLoadIsCancelledWhenTheLastSubscriberLeaves() async throws {
        let asked = Gate(), hangsUp = Gate(), answered = Gate()
        let server = try LoopbackServer { send in
            asked.open()
            hangsUp.pass()
            send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            answered.open()
        }
        let loading = PublishedProgressiveTask.loading(server.url), received = Recorder<Void>()
        let subscription = loading.publisher.subscribe { _ in received.record() }
        await asked.opened()
        subscription.invalidate()
        hangsUp.open()
        await answered.opened()
        withExtendedLifetime((server, loading)) { #expect(received.count == 0) }
    }

    private func result(
        of loading: PublishedProgressiveTask<ByteProgress, LoadedURL>
    ) async -> Result<LoadedURL, any Error> {
        let results = Recorder<Result<LoadedURL, any Error>>(), done = Gate()
        let subscription = loading.publisher.subscribe { update in
            guard case .result(let result) = update else { return }
            results.record(result)
            done.open()
        }
        await done.opened()
        return withExtendedLifetime(subscription) { results.entries[0] }
    }
}
