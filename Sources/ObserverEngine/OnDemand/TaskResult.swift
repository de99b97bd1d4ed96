// SPDX-License-Identifier: MIT

#if !hasFeature(Embedded)
    /// What comes of an operation: its value, or the error that it throws. `nil` where the task has been
    /// cancelled, because nobody is there any more to care.
    public func resultUnlessCancelled<Success>(
        of operation: @Sendable () async throws -> Success
    ) async -> Result<Success, any Error>? {
        let result: Result<Success, any Error>
        do {
            result = .success(try await operation())
        } catch {
            result = .failure(error)
        }
        return Task.isCancelled ? nil : result
    }
#endif
