// SPDX-License-Identifier: MIT

/// What a property may hold, as Homie writes it: of numbers a range and maybe a step, `0:100:5`, each of which may be left
/// out; of texts the ones that there are, `low,medium,high`; of booleans what people call false and true, `off,on`.
public struct Format: Sendable {
    let text: Bytes
    let rule: Rule

    enum Rule: Sendable {
        case integers(least: Int64?, most: Int64?, step: Int64?)
        case floats(least: Double?, most: Double?, step: Double?)
        case choices([Bytes])
        case names
    }

    /// - Returns: `nil` if that is no format of such a property.
    public init?(_ text: Bytes, of datatype: Datatype) {
        let isText = !text.isEmpty && text.withUnsafeBytes { isUTF8($0) } && text.allSatisfy { $0 >= 32 }
        guard isText else { return nil }
        self.text = text
        switch datatype {
        case .integer:
            guard let parts = Format.numbers(text), let least = Format.integer(parts[0]),
                let most = Format.integer(parts[1]), let step = Format.integer(parts[2]), (step.number ?? 1) > 0,
                least.number == nil || most.number == nil || least.number! <= most.number!
            else { return nil }
            rule = .integers(least: least.number, most: most.number, step: step.number)
        case .float:
            guard let parts = Format.numbers(text), let least = Format.float(parts[0]),
                let most = Format.float(parts[1]), let step = Format.float(parts[2]), (step.number ?? 1) > 0,
                least.number == nil || most.number == nil || least.number! <= most.number!
            else { return nil }
            rule = .floats(least: least.number, most: most.number, step: step.number)
        case .boolean, .string:
            let choices = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { Array($0) }
            for (index, choice) in choices.enumerated() {
                if choice.isEmpty || choices[..<index].contains(where: { $0.elementsEqual(choice) }) { return nil }
            }
            if case .string = datatype {
                rule = .choices(choices)
            } else if choices.count == 2 {
                rule = .names
            } else {
                return nil
            }
        }
    }

    /// Whether a value is one of those. Null is none, and allowed.
    func allows(_ value: Value) -> Bool {
        switch (rule, value) {
        case (.integers(let least, let most, _), .integer(let integer)):
            return integer >= least ?? Int64.min && integer <= most ?? Int64.max
        case (.floats(let least, let most, _), .float(let float)):
            return float >= least ?? -Double.infinity && float <= most ?? Double.infinity
        case (.floats(let least, let most, _), .integer(let integer)):
            return Double(integer) >= least ?? -Double.infinity && Double(integer) <= most ?? Double.infinity
        case (.choices(let choices), .text(let text)): return choices.contains { $0.elementsEqual(text) }
        default: return true
        }
    }

    /// The least, the most and the step, each of which may be empty.
    private static func numbers(_ text: Bytes) -> [Bytes]? {
        var parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 2 || parts.count == 3 else { return nil }
        if parts.count == 2 { parts.append([]) }
        return parts
    }

    private static func integer(_ text: Bytes) -> (number: Int64?, Void)? {
        if text.isEmpty { return (nil, ()) }
        guard case .integer(let number)? = text.withUnsafeBytes({ Value($0, as: .integer) }) else { return nil }
        return (number, ())
    }

    private static func float(_ text: Bytes) -> (number: Double?, Void)? {
        if text.isEmpty { return (nil, ()) }
        guard case .float(let number)? = text.withUnsafeBytes({ Value($0, as: .float) }) else { return nil }
        return (number, ())
    }
}

/// What others are told of a property beside its type.
public struct About: Sendable {
    /// What people call it. `nil`: its name.
    public var title: Bytes?
    public var unit: Bytes?
    public var format: Format?

    public init(title: Bytes? = nil, unit: Bytes? = nil, format: Format? = nil) {
        self.title = title
        self.unit = unit
        self.format = format
    }
}
