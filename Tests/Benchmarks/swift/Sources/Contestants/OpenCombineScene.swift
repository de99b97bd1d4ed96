// SPDX-License-Identifier: MIT

#if WITH_OPENCOMBINE
    import OpenCombine

    /// A passthrough subject of OpenCombine with sinks.
    public final class OpenCombineScene: Leaving {
        private let subject = PassthroughSubject<Int, Never>()
        private var cancellables: [AnyCancellable] = []

        public init() {}

        public func observe(_ sum: UnsafeMutablePointer<Int>) {
            cancellables.append(subject.sink { sum.pointee &+= $0 })
        }

        @inline(never)
        public func send(_ count: Int) {
            for number in 0..<count { subject.send(number) }
        }

        @inline(never)
        public func observeAndStop(_ count: Int, _ sum: UnsafeMutablePointer<Int>) {
            for _ in 0..<count {
                subject.sink { sum.pointee &+= $0 }.cancel()
            }
        }
    }

    /// Chains of a mapping and a filter with OpenCombine.
    public final class OpenCombineChains: Scene {
        private let subject = PassthroughSubject<Int, Never>()
        private var cancellables: [AnyCancellable] = []

        public init() {}

        public func observe(_ sum: UnsafeMutablePointer<Int>) {
            cancellables.append(subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { sum.pointee &+= $0 })
        }

        @inline(never)
        public func send(_ count: Int) {
            for number in 0..<count { subject.send(number) }
        }
    }
#endif
