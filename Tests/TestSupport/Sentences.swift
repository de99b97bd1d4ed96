// SPDX-License-Identifier: MIT

/// Whether a process that had to end said a sentence. Swift leaves it out where it optimises, so there any end will do.
public func isSaid(_ sentence: String, in output: [UInt8]?) -> Bool {
    #if DEBUG
        return output.map { String(decoding: $0, as: UTF8.self).contains(sentence) } ?? false
    #else
        return output != nil
    #endif
}
