// SPDX-License-Identifier: MIT

import CRelay

/// What a property can hold, as Homie calls it.
public enum Datatype: Sendable {
    case boolean, integer, float, string

    var name: StaticString {
        switch self {
        case .boolean: "boolean"
        case .integer: "integer"
        case .float: "float"
        case .string: "string"
        }
    }

    /// For people.
    var article: StaticString {
        switch self {
        case .boolean: "no boolean"
        case .integer: "no integer"
        case .float: "no finite number"
        case .string: "no UTF-8 text"
        }
    }
}

/// A value on its way.
public enum Value: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case float(Double)
    case text(Bytes)

    /// Whether what is sent for it has at most so many bytes. `nil`: it cannot be relayed as a `datatype`.
    func fits(_ most: Int, as datatype: Datatype) -> Bool? {
        switch (self, datatype) {
        case (.null, _): return true
        case (.text(let text), .string):
            // What would be read as the empty text.
            return text.count == 1 && text[0] == 0 ? nil : max(text.count, 1) <= most
        case (.boolean, .boolean), (.integer, .integer), (.integer, .float): break
        case (.float(let float), .float): if !float.isFinite { return nil }
        default: return nil
        }
        // The text of a number is made once, where it is sent.
        return most >= Int(RELAY_NUMBER_SIZE) || payload(as: datatype)!.count <= most
    }

    /// What is sent for it. `nil`: it cannot be relayed as a `datatype`.
    ///
    /// Null is the empty payload, which also takes away what the broker retains; so the empty text is a zero, as Homie
    /// has it. Integers are floats where those are asked for.
    func payload(as datatype: Datatype) -> Bytes? {
        var payload = Bytes()
        switch (self, datatype) {
        case (.null, _): break
        case (.boolean(let boolean), .boolean): payload.add(boolean ? "true" : "false")
        case (.integer(let integer), .integer): payload.add(integer)
        case (.integer(let integer), .float): return Value.float(Double(integer)).payload(as: .float)
        case (.float(let float), .float):
            guard float.isFinite else { return nil }
            let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(RELAY_NUMBER_SIZE))
            let count = relay_write_double(float, text)
            for index in 0..<count { payload.append(UInt8(bitPattern: text[index])) }
            text.deallocate()
        case (.text(let text), .string):
            // What would be read as the empty text.
            if text.count == 1 && text[0] == 0 { return nil }
            return text.isEmpty ? [0] : text
        default: return nil
        }
        return payload
    }

    /// The value that a payload stands for. `nil`: none of that datatype.
    init?(_ payload: UnsafeRawBufferPointer, as datatype: Datatype) {
        if payload.isEmpty {
            self = .null
            return
        }
        switch datatype {
        case .boolean:
            if payload.elementsEqual(Bytes("true")) {
                self = .boolean(true)
            } else if payload.elementsEqual(Bytes("false")) {
                self = .boolean(false)
            } else {
                return nil
            }
        case .integer:
            guard let integer = readInteger(payload) else { return nil }
            self = .integer(integer)
        case .float:
            var float = 0.0
            guard relay_read_double(payload.baseAddress, payload.count, &float) else { return nil }
            self = .float(float)
        case .string:
            if payload.count == 1 && payload[0] == 0 {
                self = .text([])
                return
            }
            guard isUTF8(payload) else { return nil }
            self = .text(Array(payload))
        }
    }
}

private func readInteger(_ text: UnsafeRawBufferPointer) -> Int64? {
    let isNegative = text[0] == UInt8(ascii: "-")
    guard text.count > (isNegative ? 1 : 0) else { return nil }
    var integer: Int64 = 0
    for character in text.dropFirst(isNegative ? 1 : 0) {
        let digit = Int64(character) - 48
        guard (0...9).contains(digit) else { return nil }
        let (tenfold, overflow) = integer.multipliedReportingOverflow(by: 10)
        let (next, overflowing) = tenfold.addingReportingOverflow(isNegative ? -digit : digit)
        if overflow || overflowing { return nil }
        integer = next
    }
    return integer
}
