// SPDX-License-Identifier: MIT

extension AnyCore {
    /// How many observations are living.
    public final var observationCount: Int {
        lock()
        defer { unlock() }
        return Int(living)
    }
}
