// SPDX-License-Identifier: MIT

import SwiftObserver
import Testing
import TestSupport

/// Checks an operator against a marble diagram, standing and ad hoc, and that both pass the author on.
func expect<Message, Output>(
    _ sent: String, gives received: String, read: (String) -> Message,
    show: @escaping @Sendable (Output) -> String = { "\($0)" },
    standing: (Messenger<Message>) -> any SwiftObserver.Observable<Output>,
    adHoc: (AdHocObservation<Message>) -> AdHocObservation<Output>, sourceLocation: SourceLocation = #_sourceLocation
) {
    let messenger = Messenger<Message>(), dog = Dog(), author = Dog()
    nonisolated(unsafe) var column = 0
    nonisolated(unsafe) var fromStanding = Marbles(), fromAdHoc = Marbles()
    let transform = standing(messenger)
    observe(transform)
    adHoc(dog.observe(messenger)).receive { message, by in
        fromAdHoc.add(show(message), at: column)
        #expect(isSame(by, author), "ad hoc", sourceLocation: sourceLocation)
    }
    for marble in Marbles(sent).marbles {
        column = marble.column
        messenger.send(read(marble.text), author: author)
    }
    #expect("\(fromStanding)" == "\(Marbles(received))", "standing", sourceLocation: sourceLocation)
    #expect("\(fromAdHoc)" == "\(Marbles(received))", "ad hoc", sourceLocation: sourceLocation)

    func observe<O: SwiftObserver.Observable>(_ transform: O) where O.Message == Output {
        dog.observe(transform) { message, by in
            fromStanding.add(show(message), at: column)
            #expect(isSame(by, author), "standing", sourceLocation: sourceLocation)
        }
    }
}

func expectNumbers<Output>(
    _ sent: String, gives received: String, show: @escaping @Sendable (Output) -> String = { "\($0)" },
    standing: (Messenger<Int>) -> any SwiftObserver.Observable<Output>,
    adHoc: (AdHocObservation<Int>) -> AdHocObservation<Output>, sourceLocation: SourceLocation = #_sourceLocation
) {
    expect(
        sent, gives: received, read: { Int($0)! }, show: show, standing: standing, adHoc: adHoc,
        sourceLocation: sourceLocation)
}

/// Checks that the variants of an operator that begin an observation, without author and with, receive
/// the same.
func expectBoth<Message, Output: Equatable & SendableMetatype>(
    _ sent: [Message], gives expected: [Output],
    plain: (AdHocObservation<Message>, @escaping @Sendable (Output) -> Void) -> ObservationHandle,
    authored: (AdHocObservation<Message>, @escaping @Sendable (Output, AnyObject) -> Void) -> ObservationHandle,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let messenger = Messenger<Message>(), dog = Dog(), author = Dog()
    nonisolated(unsafe) var received: [Output] = [], receivedWithAuthor: [Output] = []
    let observations = [
        plain(dog.observe(messenger)) { received.append($0) },
        authored(dog.observe(messenger)) { message, by in
            receivedWithAuthor.append(message)
            #expect(isSame(by, author), sourceLocation: sourceLocation)
        },
    ]
    for message in sent { messenger.send(message, author: author) }
    #expect(received == expected, sourceLocation: sourceLocation)
    #expect(receivedWithAuthor == expected, sourceLocation: sourceLocation)
    for observation in observations { observation.stop() }
    for message in sent { messenger.send(message, author: author) }
    #expect(received == expected, "stopped", sourceLocation: sourceLocation)
}
