// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Chains of random operators do the same as transforms and ad hoc, whatever they begin with (laws 22 and 26).
@Suite("Random chains of operators") struct RandomChainTests {
    @Test(arguments: 0..<60) func doTheSameAsTransformsAndAdHoc(first: Int) {
        for seed in first * 20..<(first + 1) * 20 {
            let standing = Program(seed: seed).run(receivingStanding)
            let adHoc = Program(seed: seed).run { program in
                program.chain(program.dog.observe(program.source)).receive { program.hear($0, $1) }
            }
            #expect(standing == adHoc, "seed \(seed)")
        }
    }

    @MainActor @Test(arguments: 0..<60) func doTheSameOnTheMainActor(first: Int) {
        for seed in first * 20..<(first + 1) * 20 {
            let standing = Program(seed: seed).run(receivingStanding)
            let adHoc = Program(seed: seed).run { program in
                observe(program.source, by: program).receive { program.hear($0, $1) }
            }
            #expect(standing == adHoc, "seed \(seed)")
        }
    }

    @MainActor private func observe(_ source: some Observable<Int>, by program: Program) -> AdHocObservation<Int> {
        program.chain(program.dog.observe(source))
    }

    @Test(arguments: 0..<60) func bringTheSameToAQueue(first: Int) {
        for seed in first * 20..<(first + 1) * 20 {
            let standing = Program(seed: seed, callsBack: false).run(receivingStanding)
            let queue = ManualQueue(), program = Program(seed: seed, callsBack: false)
            program.afterEach = { if $0 == 0 { queue.runAll() } }
            let later = program.run { program in
                program.chain(program.dog.observe(program.source)).receive(on: .async(queue)) { program.hear($0, $1) }
            }
            #expect(standing.filter(isHeard) == later.filter(isHeard), "seed \(seed)")
        }
    }

    @Test(arguments: 0..<60) func doTheSameToADerivedVariableAndToAVariable(first: Int) {
        for seed in first * 20..<(first + 1) * 20 {
            // Turns that come in a handler may be handled together (law 28), and the author is the variable.
            func run(_ makeSource: @escaping (Program) -> any Observable<Int>) -> [String] {
                Program(seed: seed, callsBack: false).run { receiveStanding($0, makeSource($0)) }
            }
            let plain = run { $0.variable.new() }
            let derived = run { program in
                let variable = program.variable
                return Derived { variable.value }.new()
            }
            #expect(plain == derived, "seed \(seed)")
        }
    }
}

private func receivingStanding(_ program: Program) { receiveStanding(program, program.source) }

private func receiveStanding(_ program: Program, _ source: any Observable<Int>) {
    var chain = source
    program.kept.append(chain)
    for step in program.steps {
        chain = step.standing(chain, program)
        program.kept.append(chain)
    }
    program.receive(chain)
}

private func isHeard(_ line: String) -> Bool { !line.hasPrefix("sends") }

private struct Step {
    let kind: Int, n: Int

    static let kinds = 18

    func standing(_ source: some Observable<Int>, _ program: Program) -> any Observable<Int> {
        let n = n
        switch kind {
        case 0: return source.map { $0 + n }
        case 1: return source.filter { $0 % 3 != n % 3 }
        case 2: return source.skip(n)
        case 3: return source.take(n * 3)
        case 4: return source.skipRepeats()
        case 5: return source.uniqueValues()
        case 6: return source.scan(n) { ($0 + $1) % 7 }
        case 7: return source.withPrevious().map { ($0.previous ?? 0) + $0.current }
        case 8: return source.pairwise().map { $0.previous - $0.current }
        case 9: return source.first { $0 > n }
        case 10: return source.prefix { $0 < 3 * n }
        case 11: return source.drop { $0 < n }
        case 12: return source.select(n).map { n }
        case 13: return source.tryMap { try halved($0) }.catching { (_: any Error) in -1 }
        case 14: return source.map { $0 % 2 == n % 2 ? $0 : nil }.unwrap()
        case 15: return source.from(program.authors[n % 2])
        case 16: return source.notFrom(program.authors[n % 2])
        default: return source.merge(program.other)
        }
    }

    func adHoc(_ chain: AdHocObservation<Int>, _ program: Program) -> AdHocObservation<Int> {
        let n = n
        switch kind {
        case 0: return chain.map { $0 + n }
        case 1: return chain.filter { $0 % 3 != n % 3 }
        case 2: return chain.skip(n)
        case 3: return chain.take(n * 3)
        case 4: return chain.skipRepeats()
        case 5: return chain.uniqueValues()
        case 6: return chain.scan(n) { ($0 + $1) % 7 }
        case 7: return chain.withPrevious().map { ($0.previous ?? 0) + $0.current }
        case 8: return chain.pairwise().map { $0.previous - $0.current }
        case 9: return chain.first { $0 > n }
        case 10: return chain.prefix { $0 < 3 * n }
        case 11: return chain.drop { $0 < n }
        case 12: return chain.select(n).map { n }
        case 13: return chain.tryMap { try halved($0) }.catching { (_: any Error) in -1 }
        case 14: return chain.map { $0 % 2 == n % 2 ? $0 : nil }.unwrap()
        case 15: return chain.from(program.authors[n % 2])
        case 16: return chain.notFrom(program.authors[n % 2])
        default: return chain.merge(program.dog.observe(program.other))
        }
    }
}

private struct Odd: Error {}

private func halved(_ number: Int) throws -> Int {
    if number % 2 != 0 { throw Odd() }
    return number / 2
}

/// What is sent to a chain, and what comes out.
private final class Program: @unchecked Sendable {
    let dog = Dog()
    let messenger = Messenger<Int>(), variable = Var(0), other = Messenger<Int>()
    let authors: [AnyObject] = [Dog(), Dog()]
    let steps: [Step]
    let isOfVariable: Bool
    let callsBack: Bool
    /// Is called after each send, with a random number below three.
    var afterEach: (Int) -> Void = { _ in }
    var kept: [AnyObject] = []
    private var random: SplitMix, heard: [String] = [], depth = 0

    init(seed: Int, callsBack: Bool = true) {
        self.callsBack = callsBack
        var random = SplitMix(seed: seed)
        steps = (0..<random.next(6)).map { _ in Step(kind: random.next(Step.kinds), n: random.next(4)) }
        isOfVariable = random.next(2) == 0
        self.random = random
    }

    lazy var source: any Observable<Int> = isOfVariable ? variable.new() : messenger

    func chain(_ begun: AdHocObservation<Int>) -> AdHocObservation<Int> {
        steps.reduce(begun) { $1.adHoc($0, self) }
    }

    func receive(_ source: some Observable<Int>) {
        dog.observe(source) { self.hear($0, $1) }
    }

    func run(_ begin: (Program) -> Void) -> [String] {
        begin(self)
        for _ in 0..<25 {
            act()
            afterEach(random.next(3))
        }
        afterEach(0)
        dog.stopObserving()
        kept = []
        return heard
    }

    func hear(_ number: Int, _ author: AnyObject) {
        let name = authors.firstIndex { $0 === author }.map { "author \($0)" } ?? "another"
        heard.append("\(number) by \(name)")
        guard callsBack, depth < 2, random.next(4) == 0 else { return }
        depth += 1
        act()
        depth -= 1
    }

    private func act() {
        let number = random.next(8), author = authors[random.next(2)]
        heard.append("sends \(number)")
        switch random.next(5) {
        case 0: other.send(number, author: author)
        case 1, 2: messenger.send(number, author: author)
        default: variable.set(number, author: callsBack ? author : nil)
        }
    }
}

private struct SplitMix {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) }

    mutating func next(_ end: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(end))
    }
}
