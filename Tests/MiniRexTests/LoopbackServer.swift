// SPDX-License-Identifier: MIT

import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// An HTTP server of this machine for this machine, which answers one request.
final class LoopbackServer: Sendable {
    let url: URL

    /// - Parameter answer: is given what sends, once a request has come. The connection is closed after it.
    init(answer: @escaping @Sendable (_ send: (String) -> Void) -> Void) throws {
        #if canImport(Glibc)
            let streams = Int32(SOCK_STREAM.rawValue)
        #else
            let streams = SOCK_STREAM
        #endif
        let listener = socket(AF_INET, streams, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard listener >= 0, isBound else { throw POSIXError(.EADDRNOTAVAIL) }
        url = URL(string: "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/page")!
        Thread.detachNewThread {
            let connection = accept(listener, nil, nil)
            close(listener)
            guard connection >= 0 else { return }
            defer { close(connection) }
            var request: [UInt8] = [], buffer = [UInt8](repeating: 0, count: 4_096)
            while !request.ends(withBytesOf: "\r\n\r\n") {
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return }
                request += buffer[..<count]
            }
            answer { text in
                let bytes = Array(text.utf8)
                var sent = 0
                while sent < bytes.count {
                    let count = bytes.withUnsafeBytes {
                        send(connection, $0.baseAddress! + sent, bytes.count - sent, noSignal)
                    }
                    guard count > 0 else { return }
                    sent += count
                }
            }
        }
    }
}

/// A client that has hung up must not end the process.
#if canImport(Glibc)
    private let noSignal = Int32(MSG_NOSIGNAL)
#else
    private let noSignal: Int32 = 0
#endif

extension [UInt8] {
    fileprivate func ends(withBytesOf text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
