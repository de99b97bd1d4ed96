// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing

/// Names of the published code that its document does not show.
@MainActor @Suite("Published names") struct PublishedNames {
    let observer = FreeObserver()

    @Test func anAuthorIsAnyAuthor() {
        let messenger = Messenger<Int>()
        let author: AnyAuthor = observer
        var authors: [AnyAuthor] = []
        observer.observe(messenger) { (_: Int, author: AnyAuthor) in authors.append(author) }
        messenger.send(1, author: author)
        #expect(authors.map(ObjectIdentifier.init) == [ObjectIdentifier(author)])
    }

    @Test func aVarIsAVariable() {
        let variable: Variable<Int> = Var(1)
        variable <- 2
        #expect(Variable(2) == variable)
    }

    @Test func anObservationThatIsTransformedHasAnObservationTransformer() {
        let messenger = Messenger<Int>()
        let transformer: ObservationTransformer<String> = observer.observe(messenger).map { "\($0)" }
        var received: [String] = []
        transformer.receive { received.append($0) }
        messenger.send(1)
        #expect(received == ["1"])
    }

    @Test func numbersAndOptionalNumbersAreNumberValues() {
        func increment<Value: IntValue>(_ value: inout Value) { value.int += 1 }
        func half<Value: FloatValue>(_ value: inout Value) { value.float /= 2 }
        func twice<Value: DoubleValue>(_ value: inout Value) { value.double *= 2 }
        func set<Value: IntValue>(_ variable: Var<Value>, _ int: Int) { variable.int = int }
        var int = 1, nothing: Int?, float: Float = 1, maybeFloat: Float? = 3, double = 1.5, maybeDouble: Double?
        let variable = Var<Int?>()
        increment(&int)
        increment(&nothing)
        half(&float)
        half(&maybeFloat)
        twice(&double)
        twice(&maybeDouble)
        set(variable, 7)
        #expect((int, nothing) == (2, 1))
        #expect((float, maybeFloat) == (0.5, 1.5))
        #expect((double, maybeDouble) == (3, 0))
        #expect(variable.value == 7)
        int.int += 1
        maybeFloat = nil
        #expect((int.int, maybeFloat.float, maybeDouble.double) == (3, 0, 0))
    }

    @Test func stringsAndOptionalStringsCanBeSetAsStrings() {
        func exclaim<Value: StringValue>(_ value: inout Value) { value.string += "!" }
        var text = "a", nothing: String?
        exclaim(&text)
        exclaim(&nothing)
        #expect((text, nothing) == ("a!", "!"))
        text.string += "?"
        nothing.string += "?"
        #expect((text.string, nothing) == ("a!?", "!?"))
    }

    @Test func anUpdateOfAnOptionalNeedsNoValues() {
        #expect(Update<Int?>() == Update(nil, nil))
    }

    @Test func aVariableIsDebuggedAsItsValue() {
        #expect(Var("a").debugDescription == "\"a\"")
        #expect(String(reflecting: Var<Int?>(1)) == "Optional(1)")
    }

    @Test func messagesComeFromNoAuthorAndNotFromNoAuthorAlways() {
        let messenger = Messenger<Int>()
        let fromNone = messenger.from(nil), notFromNone = messenger.notFrom(nil)
        var received: [String] = []
        observer.observe(fromNone) { received.append("from \($0)") }
        observer.observe(notFromNone) { received.append("not from \($0)") }
        observer.observe(messenger).from(nil) { received.append("ad hoc from \($0)") }
        observer.observe(messenger).notFrom(nil) { received.append("ad hoc not from \($0)") }
        messenger.send(1)
        messenger.send(2, author: observer)
        #expect(received == ["not from 1", "ad hoc not from 1", "not from 2", "ad hoc not from 2"])
    }
}
