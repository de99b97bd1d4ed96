// SPDX-License-Identifier: MIT

#if canImport(ObjectiveC)
    public import Foundation

    /// Real key-value observing, which there is on Apple platforms only.
    extension NSObjectProtocol where Self: NSObject {
        /// A publisher of the changes of a property that can be observed by key-value observing. It does not keep
        /// the object.
        public func publisher<Value>(
            forKeyPath keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.new]
        ) -> Publisher<NSKeyValueObservedChange<Value>> {
            Publisher { [weak self] updateBlock in
                guard let self else { return .empty }
                nonisolated(unsafe) let updateBlock = updateBlock
                let observation = observe(keyPath, options: options) { _, change in updateBlock(change) }
                return Subscription { observation.invalidate() }
            }
        }

        /// A publisher of the value of a property, which subscribers receive on subscribing and whenever it
        /// changes.
        public func valuePublisher<Value>(forKeyPath keyPath: KeyPath<Self, Value>) -> Publisher<Value> {
            Publisher { [weak self] updateBlock in
                guard let self else { return .empty }
                let source = publisher(forKeyPath: keyPath, options: [.initial])
                // Read from the object: where the value is optional, a change does not tell `nil` from nothing.
                return source.transform { [weak self] _ in self.map { $0[keyPath: keyPath] } }
                    .filter { $0 != nil }.valueTransform { $0! }.subscribe(updateBlock)
            }
        }
    }
#endif
