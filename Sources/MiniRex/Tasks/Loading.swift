// SPDX-License-Identifier: MIT

public import Foundation
import ObserverEngine

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The answer of a URL.
public struct LoadedURL: Sendable {
    /// The content.
    public let data: Data
    /// The response that came before it; of an HTTP server, with the status.
    public let response: URLResponse
}

extension PublishedProgressiveTask where Progress == ByteProgress, Success == LoadedURL {
    /// Loads a URL, and tells how far it has got whenever data have come. Answers of an HTTP server are
    /// results, whatever their status.
    public static func loading(
        _ url: URL, configuration: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }
    ) -> PublishedProgressiveTask {
        loading(URLRequest(url: url), configuration: configuration)
    }

    /// Does so with a request.
    public static func loading(
        _ request: URLRequest, configuration: @escaping @Sendable () -> URLSessionConfiguration = { .ephemeral }
    ) -> PublishedProgressiveTask {
        PublishedProgressiveTask { report in
            let load = Load(report)
            let session = URLSession(configuration: configuration(), delegate: load, delegateQueue: nil)
            // The session holds its delegate until it is told that this was all.
            defer { session.finishTasksAndInvalidate() }
            let task = session.dataTask(with: request)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    load.begin(continuation)
                    task.resume()
                }
            } onCancel: {
                task.cancel()
            }
        }
    }
}

/// One load in progress.
private final class Load: NSObject, URLSessionDataDelegate {
    private let report: @Sendable (ByteProgress) -> Void
    private let state = Guarded(State())

    private struct State {
        var data = Data()
        var response: URLResponse?
        var continuation: CheckedContinuation<LoadedURL, any Error>?
    }

    init(_ report: @escaping @Sendable (ByteProgress) -> Void) { self.report = report }

    func begin(_ continuation: CheckedContinuation<LoadedURL, any Error>) {
        state.withLock { $0.continuation = continuation }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        state.withLock { $0.response = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let progress = state.withLock { state in
            state.data.append(data)
            let total = state.response?.expectedContentLength ?? -1
            return ByteProgress(completed: Int64(state.data.count), total: total < 0 ? nil : total)
        }
        report(progress)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (continuation, loaded) = state.withLock { state in
            defer { state.continuation = nil }
            return (state.continuation, state.response.map { LoadedURL(data: state.data, response: $0) })
        }
        if let loaded, error == nil {
            continuation?.resume(returning: loaded)
        } else {
            continuation?.resume(throwing: error ?? URLError(.badServerResponse))
        }
    }
}
