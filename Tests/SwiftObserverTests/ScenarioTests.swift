// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Acts out the scenarios that all languages share: see Tests/Scenarios/README.md.
@Suite("Scenarios") struct ScenarioTests {
    @Test func thereAreScenarios() {
        #expect(Scenario.all.count > 60)
    }

    @Test(arguments: Scenario.all.filter(\.isShown)) func whatAllLanguagesPromise(_ scenario: Scenario) {
        let stage = Stage(scenario)
        for step in scenario.steps {
            for action in step.actions { stage.act(action) }
            let noted = stage.takeJournal()
            #expect(noted == step.expected, "\(step.line)")
        }
        stage.leave()
    }
}

/// What scenarios send.
private enum Value: Hashable, Sendable, CustomStringConvertible {
    case null, number(Int)
    indirect case update(Value, Value)
    case list([Value])

    init(_ word: String) {
        self = word == "null" ? .null : .number(Int(word)!)
    }

    /// That of any message.
    init(any message: Any) {
        if let update = message as? Update<Value> {
            self = .update(update.old, update.new)
        } else if let values = message as? [Value] {
            self = .list(values)
        } else if let number = message as? Int {
            self = .number(number)
        } else {
            self = message as! Value
        }
    }

    var number: Int {
        guard case .number(let number) = self else { preconditionFailure("\(self) is no number") }
        return number
    }

    var new: Value {
        guard case .update(_, let new) = self else { return self }
        return new
    }

    var description: String {
        switch self {
        case .null: "null"
        case .number(let number): "\(number)"
        case .update(let old, let new): "(\(old),\(new))"
        case .list(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
        }
    }
}

/// The things of a scenario, and what its lines do with them.
///
/// - Note: `@unchecked Sendable`: a scenario is acted out on one thread.
private final class Stage: @unchecked Sendable {
    private typealias Source = SwiftObserver.Observable

    private final class Author {}

    /// What a handler holds.
    private final class Context: @unchecked Sendable {
        private let end: () -> Void
        init(end: @escaping () -> Void) { self.end = end }
        deinit { end() }
    }

    private let rules: [(handler: String, message: String, actions: [String])]
    private var observables: [String: any Source] = [:]
    private var observers: [String: FreeObserver] = [:]
    private var queues: [String: ManualQueue] = [:]
    private var clocks: [String: ManualClock] = [:]
    private var observations: [String: ObservationHandle] = [:]
    private var authors: [String: Author] = [:]
    private var names: [ObjectIdentifier: String] = [:]
    private var journal: [String] = []

    init(_ scenario: Scenario) {
        rules = scenario.rules
    }

    func takeJournal() -> String {
        defer { journal = [] }
        return journal.joined(separator: " ")
    }

    /// Lets go of everything.
    func leave() {
        observers = [:]
        observables = [:]
    }

    func act(_ line: String) {
        var words = line.split(separator: " ").map(String.init)
        var by: Author?
        if words.count > 2, words[words.count - 2] == "as" {
            by = author(words.removeLast())
            words.removeLast()
        }
        if words.count > 2, words[1] == "=" {
            add(make(words[2], Array(words[3...])), words[0])
        } else if !make(words) && !observe(words) && !change(words, by) && !note(words) {
            Issue.record("unknown word: \(words[0])")
        }
    }

    // MARK: Making

    private func make(_ words: [String]) -> Bool {
        switch words[0] {
        case "messenger": for name in words[1...] { add(Messenger<Value>(), name) }
        case "variable": add(Var(Value(words[2])), words[1])
        case "deferred": add(DeferredVar(Value(words[2])), words[1])
        case "observer": for name in words[1...] { observers[name] = FreeObserver() }
        case "queue": queues[words[1]] = ManualQueue()
        case "clock": clocks[words[1]] = ManualClock()
        default: return false
        }
        return true
    }

    private func add(_ observable: any Source, _ name: String) {
        observables[name] = observable
        names[ObjectIdentifier(observable)] = name
        names[ObjectIdentifier(messenger(of: observable))] = name
    }

    private func messenger<O: Source>(of observable: O) -> AnyObject { observable.messenger }

    private func make(_ kind: String, _ words: [String]) -> any Source {
        if kind == "ticks" {
            return Ticker(every: .seconds(Int(words[0])!), clock: clocks[words[1]]!)
        }
        if let clock = words.last.flatMap({ clocks[$0] }) {
            return makeTimed(kind, of: values(of: observables[words[0]]!), .seconds(Int(words[1])!), clock)
        }
        let source = observables[words[0]]!
        if let joined = join(kind, values(of: source), words) { return joined }
        if kind == "new" { return news(of: source) }
        if kind == "merge" { return Merger(words.map { values(of: observables[$0]!) }) }
        return make(kind, of: values(of: source), words.count > 1 ? words[1] : "")
    }

    private func news(of source: any Source) -> any Source {
        (source as? Var<Value>)?.new() ?? (source as! DeferredVar<Value>).new()
    }

    /// An observable of values, also if this sends updates.
    private func values(of source: any Source) -> any Source<Value> {
        if let source = source as? any Source<Value> { return source }
        return (source as! Var<Value>).map { Value(any: $0) }
    }

    private func make<O: Source>(_ kind: String, of source: O, _ word: String) -> any Source where O.Message == Value {
        switch kind {
        case "map": return source.map { Value.number($0.number * 10) }
        case "filter": return source.filter { $0.number % 2 == 0 }
        case "unwrap": return source.map { $0 == .null ? nil : $0 }.unwrap()
        case "unwrap_or": return source.map { $0 == .null ? nil : $0 }.unwrap(Value(word))
        case "from": return source.from(author(word))
        case "not_from": return source.notFrom(author(word))
        case "with_previous": return source.withPrevious().map { Value.update($0.previous ?? .null, $0.current) }
        case "take": return source.take(Int(word)!)
        case "skip": return source.skip(Int(word)!)
        case "skip_repeats": return source.skipRepeats()
        case "unique_values": return source.uniqueValues()
        case "weak": return Weak(source)
        case "cache": return source.cache(Value(word))
        case "replay": return source.replay(.last(Int(word)!))
        default: preconditionFailure("unknown transform: \(kind)")
        }
    }

    private func makeTimed<O: Source>(
        _ kind: String, of source: O, _ interval: Duration, _ clock: ManualClock
    ) -> any Source where O.Message == Value {
        switch kind {
        case "debounce": return source.debounce(for: interval, clock: clock)
        case "throttle": return source.throttle(for: interval, clock: clock)
        case "throttle_first": return source.throttle(for: interval, latest: false, clock: clock)
        case "throttle_latest": return source.throttle(for: interval, first: false, clock: clock)
        case "delay": return source.delay(for: interval, clock: clock)
        case "timeout": return source.timeout(after: interval, sending: .null, clock: clock)
        case "collect": return source.collect(for: interval, clock: clock)
        default: preconditionFailure("unknown transform: \(kind)")
        }
    }

    /// What has several sources, or remembers: `nil` if it is another kind.
    private func join<O: Source>(_ kind: String, _ source: O, _ words: [String]) -> (any Source)?
    where O.Message == Value {
        func joinWithOther<Other: Source>(_ other: Other) -> any Source where Other.Message == Value {
            switch kind {
            case "combine": SwiftObserver.combine(source, other).map { Value.list([$0, $1]) }
            case "zip": zip(source, other).map { Value.list([$0, $1]) }
            case "with_latest_from": source.withLatestFrom(other).map { Value.list([$0, $1]) }
            default: source.sample(by: other)
            }
        }
        // The first, the second ... of those that can be chosen; 0: none.
        let choices = words.dropFirst().compactMap { observables[$0] as? Messenger<Value> }
        switch kind {
        case "scan": return source.scan(Value(words[1])) { .number($0.number + $1.number) }
        case "buffer": return source.collect(Int(words[1])!).map { Value.list($0) }
        case "switch_to_latest":
            return source.map { $0.number == 0 ? nil : choices[$0.number - 1] }.switchToLatest()
        case "flat_map": return source.flatMap(atMost: Int(words[1])!) { choices[$0.number - 1] }
        case "combine" where words.allSatisfy { observables[$0] is any BufferedObservable }:
            let one = observables[words[0]] as! any BufferedObservable
            let other = observables[words[1]] as! any BufferedObservable
            return joinBuffered(one, other)
        case "combine", "zip", "with_latest_from", "sample":
            return joinWithOther(values(of: observables[words[1]]!))
        default: return nil
        }
    }

    private func joinBuffered<A: BufferedObservable>(_ one: A, _ other: any BufferedObservable) -> any Source {
        func join<B: BufferedObservable>(_ other: B) -> any Source {
            SwiftObserver.combine(one, other).map { Value.list([Value(any: $0), Value(any: $1)]) }
        }
        return join(other)
    }

    private func author(_ name: String) -> Author {
        if let author = authors[name] { return author }
        let author = Author()
        authors[name] = author
        names[ObjectIdentifier(author)] = name
        return author
    }

    // MARK: Observing

    private struct Options {
        var observer: FreeObserver?
        var queue: ManualQueue?
        var replays = false
        var once = false
        var notesAuthors = false
        var notesEnd = false
    }

    private func observe(_ words: [String]) -> Bool {
        var words = words, options = Options()
        if words.count > 2, words[words.count - 2] == "by", words[0] == "combine" {
            options.observer = observers[words.last!]
            words.removeLast(2)
        }
        if words[0] == "combine", words.last == "ends" {
            options.notesEnd = true
            words.removeLast()
        }
        switch words[0] {
        case "observe":
            var handlers: [String] = []
            var rest = words[2...]
            while let word = rest.popFirst() {
                switch word {
                case "by": options.observer = observers[rest.popFirst()!]
                case "on": options.queue = queues[rest.popFirst()!]
                case "replay":
                    options.replays = true
                    rest.removeFirst()
                case "once": options.once = true
                case "authors": options.notesAuthors = true
                case "ends": options.notesEnd = true
                default: handlers.append(word)
                }
            }
            for handler in handlers { begin(observables[words[1]]!, handler, options) }
        case "combine":
            let parts = words[2...].map { observables[$0] as! any BufferedObservable }
            let observer = observer(of: words[1], options)
            observations[words[1]] =
                parts.count == 2
                ? combine(observer, words[1], parts[0], parts[1], options)
                : combine(observer, words[1], parts[0], parts[1], parts[2])
        default: return false
        }
        return true
    }

    /// Handlers without an observer have one of their own.
    private func observer(of handler: String, _ options: Options) -> FreeObserver {
        if let observer = options.observer { return observer }
        let observer = observers["of \(handler)"] ?? FreeObserver()
        observers["of \(handler)"] = observer
        return observer
    }

    private func begin(_ source: any Source, _ handler: String, _ options: Options) {
        let observer = observer(of: handler, options), notesAuthors = options.notesAuthors
        let context = context(of: handler, options)
        let receive: @Sendable (Value, AnyObject) -> Void = { [self] message, author in
            defer { withExtendedLifetime(context) {} }
            note("\(handler)\(message)\(notesAuthors ? "@" + (names[ObjectIdentifier(author)] ?? "somebody") : "")")
            follow(handler, message)
        }
        if let queue = options.queue {
            observations[handler] = begin(observer, source, on: queue, options, receive)
        } else if options.replays, let source = source as? any BufferedObservable {
            observations[handler] = replay(observer, source, options, receive)
        } else {
            observations[handler] = begin(observer, source, options, receive)
        }
    }

    private func context(of handler: String, _ options: Options) -> Context? {
        options.notesEnd ? Context { [unowned self] in note("\(handler)!") } : nil
    }

    private func begin<O: Source>(
        _ observer: FreeObserver, _ source: O, _ options: Options,
        _ receive: @escaping @Sendable (Value, AnyObject) -> Void
    ) -> ObservationHandle {
        if options.once { return observer.observe(source).once().receive { receive(Value(any: $0), $1) } }
        return observer.observe(source) { receive(Value(any: $0), $1) }
    }

    private func replay<O: BufferedObservable>(
        _ observer: FreeObserver, _ source: O, _ options: Options,
        _ receive: @escaping @Sendable (Value, AnyObject) -> Void
    ) -> ObservationHandle {
        if options.once {
            return observer.observe(source, replaying: .latest).once().receive { receive(Value(any: $0), $1) }
        }
        return observer.observe(source, replaying: .latest) { receive(Value(any: $0), $1) }
    }

    private func begin(
        _ observer: FreeObserver, _ source: any Source, on queue: ManualQueue, _ options: Options,
        _ receive: @escaping @Sendable (Value, AnyObject) -> Void
    ) -> ObservationHandle {
        if let variable = source as? Var<Value> {
            return observer.observe(variable, replaying: options.replays ? .latest : .none)
                .receive(on: .async(queue)) { receive(Value(any: $0), variable) }
        }
        return deliver(observer, values(of: source), on: queue, options, receive)
    }

    private func deliver<O: Source>(
        _ observer: FreeObserver, _ source: O, on queue: ManualQueue, _ options: Options,
        _ receive: @escaping @Sendable (Value, AnyObject) -> Void
    ) -> ObservationHandle where O.Message == Value {
        if options.once { return observer.observe(source).once().receive(on: .async(queue), receive) }
        return observer.observe(source, on: .async(queue), receive: receive)
    }

    private func combine<A: BufferedObservable, B: BufferedObservable>(
        _ observer: FreeObserver, _ handler: String, _ one: A, _ other: B, _ options: Options
    ) -> ObservationHandle {
        let context = context(of: handler, options)
        return observer.observe(one, other) { [self] in
            defer { withExtendedLifetime(context) {} }
            note("\(handler)\(Value(any: $0))+\(Value(any: $1))")
            follow(handler, Value(any: $0))
        }
    }

    private func combine<A: BufferedObservable, B: BufferedObservable, C: BufferedObservable>(
        _ observer: FreeObserver, _ handler: String, _ one: A, _ other: B, _ third: C
    ) -> ObservationHandle {
        observer.observe(one, other, third) { [self] in
            note("\(handler)\(Value(any: $0))+\(Value(any: $1))+\(Value(any: $2))")
            follow(handler, Value(any: $0))
        }
    }

    private func follow(_ handler: String, _ message: Value) {
        for rule in rules where rule.handler == handler && ["any", "\(message.new)"].contains(rule.message) {
            for action in rule.actions { act(action) }
        }
    }

    // MARK: Changing

    private func change(_ words: [String], _ author: Author?) -> Bool {
        let name = words.count > 1 ? words[1] : "", second = words.count > 2 ? words[2] : ""
        let observable = observables[name]
        switch words[0] {
        case "send": send(values(of: observable!), Value(second), author)
        case "set":
            if let variable = observable as? Var<Value> {
                variable.set(Value(second), author: author)
            } else {
                (observable as! DeferredVar<Value>).set(Value(second), author: author)
            }
        case "add": (observable as! Var<Value>).update(author: author) { $0 = .number($0.number + Int(second)!) }
        case "resend": (observable as! any BufferedObservable).send(author: author)
        case "stop" where second == "waiting": observations[name]!.stopAndWait()
        case "stop": observations[name]!.stop()
        case "leave" where second.isEmpty: observers[name]!.stopObserving()
        case "leave": stop(observers[name]!, observables[second]!)
        case "release":
            observables[name] = nil
            observers[name] = nil
        case "block" where observable != nil: observable!.block()
        case "block": observations[name]!.block()
        case "unblock" where observable != nil: observable!.unblock()
        case "unblock": observations[name]!.unblock()
        case "begin": (observable as! Var<Value>).beginBatch()
        case "end": (observable as! Var<Value>).endBatch()
        case "unordered": order(observable!, false)
        case "ordered": order(observable!, true)
        case "source": setSource(of: observable!, to: observables[second]!)
        case "advance": clocks[name]!.advance(by: .seconds(Int(second)!))
        case "drain": for _ in 0..<queues[name]!.count { queues[name]!.runNext() }
        default: return false
        }
        return true
    }

    private func send<O: Source>(_ observable: O, _ message: Value, _ author: Author?) where O.Message == Value {
        observable.send(message, author: author)
    }

    private func order<O: Source>(_ observable: O, _ isMaintained: Bool) {
        observable.maintainsMessageOrder = isMaintained
    }

    private func stop<O: Source>(_ observer: FreeObserver, _ observable: O) { observer.stopObserving(observable) }

    private func isObserving<O: Source>(_ observer: FreeObserver, _ observable: O) -> Bool {
        observer.isObserving(observable)
    }

    private func setSource(of transform: any Source, to source: any Source) {
        if let transform = transform as? Transform<Messenger<Value>, Value> {
            transform.source = source as! Messenger<Value>
        } else {
            (transform as! Transform<Var<Value>, Value>).source = source as! Var<Value>
        }
    }

    // MARK: Noting

    private func note(_ words: [String]) -> Bool {
        let name = words[1], observable = observables[name]
        switch words[0] {
        case "note": note(name)
        case "read": note("[\((observable as? Var<Value>)?.value ?? (observable as! DeferredVar<Value>).value)]")
        case "latest": note("<\(Value(any: (observable as! any BufferedObservable).latestMessage))>")
        case "waiting": note("#\(clocks[name]!.waitingCount)")
        case "count": note("#\(observable!.observationCount)")
        case "living": note(observations[name]!.isLiving ? "yes" : "no")
        case "observing": note(isObserving(observers[name]!, observables[words[2]]!) ? "yes" : "no")
        default: return false
        }
        return true
    }

    private func note(_ word: String) { journal.append(word) }
}
