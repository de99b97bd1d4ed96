// SPDX-License-Identifier: MIT

import Foundation
import SwiftObserver
import Testing
import TestSupport

#if DEBUG
    @Suite("A transform that is released while it is observed") struct ReleasedTransformsTests {
        /// What is said, and the line that it is about.
        enum Said: Codable, CaseIterable {
            case observe, author, transform, void, chain, replaying, delivered, beginning, kept, weakly, combined,
                authors
            case merge, filterOfAWeak, local, afterMany

            func commit() {
                let number = Var(0), other = Var(0), bell = Messenger<Void>(), dog = FreeObserver()
                let queue = ManualQueue()
                var held: Any?
                switch self {
                case .observe: dog.observe(here(number.new())) { _ in }
                case .author: dog.observe(here(number.new())) { _, _ in }
                case .transform: dog.observe(here(number.new().map { $0 + 1 }.filter { $0 > 1 })) { _ in }
                case .void: dog.observe(here(bell.skip(1))) {}
                case .chain: dog.observe(here(number.new())).filter { $0 > 1 }.map { "\($0)" }.receive { _ in }
                case .replaying: dog.observe(here(number.new()), replaying: .latest) { _ in }
                case .delivered: dog.observe(here(number.new()), on: .async(queue)) { _ in }
                case .beginning: dog.observe(here(number.new()), beginningOn: queue) { _ in }
                case .kept: held = here(number.new()).observe { _ in }
                case .weakly: here(number.new()).observe(weakly: dog) { _, _ in }
                case .combined: dog.observe(here(number.new()), other.new()) { _, _ in }
                case .authors: dog.observe(number, here(other.new())) { _, _, _ in }
                case .merge: dog.observe(here(number.merge(other))) { _ in }
                case .filterOfAWeak: dog.observe(here(Weak(number).new())) { _ in }
                case .local: forget(here(number), dog)
                case .afterMany:
                    var transform: Mapper<Var<Int>, Int>? = number.new()
                    for _ in 0..<100 { dog.observe(transform!) { _ in }.stop() }
                    for _ in 0..<2 { dog.observe(here(transform!)) { _ in } }
                    transform = nil
                }
                number <- 1
                withExtendedLifetime((number, other, bell, dog, held)) {}
            }
        }

        @Test(arguments: Said.allCases) func isToldOnceWithThePlaceWhereItWasObserved(_ said: Said) async {
            let result = await #expect(
                processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
            ) { [said] in
                said.commit()
            }
            let line = lines(result?.standardOutputContent).compactMap { Int($0) }.first ?? 0
            let sentences = lines(result?.standardErrorContent).filter { $0.contains("warning: ") }
            #expect(sentences.count == 1)
            #expect(
                sentences.first?.hasPrefix("SwiftObserverTests/ReleasedTransformsTests.swift:\(line): warning: ")
                    == true)
            #expect(sentences.first?.contains("the transform that it observes was released") == true)
        }

        enum Unsaid: Codable, CaseIterable {
            case stopped, observerDiedBefore, diedTogether, sourceDiedToo, mergedSourcesDiedToo, messenger
            case labelDiedBefore, adHoc, sequence, switchedOff, ended, received

            func commit() {
                let number = Var(0), dog = FreeObserver()
                var held: Any?
                switch self {
                case .stopped:
                    let transform = number.new()
                    dog.observe(transform) { _ in }.stop()
                case .observerDiedBefore:
                    var observer: FreeObserver? = FreeObserver()
                    let transform = hold(number, observer!)
                    observer = nil
                    withExtendedLifetime(transform) {}
                case .diedTogether:
                    held = View(number)
                    held = nil
                case .sourceDiedToo:
                    held = Model(for: dog)
                    held = nil
                case .mergedSourcesDiedToo:
                    held = Merged(for: dog)
                    held = nil
                case .messenger:
                    dog.observe(Messenger<Int>()) { _ in }
                case .labelDiedBefore:
                    var label: FreeObserver? = FreeObserver()
                    let transform = number.new()
                    transform.observe(weakly: label!) { _, _ in }
                    label = nil
                    withExtendedLifetime((transform, label)) {}
                case .adHoc:
                    dog.observe(number).new().map { $0 + 1 }.receive { _ in }
                case .sequence:
                    _ = number.new().messages()
                case .switchedOff:
                    setenv("SWIFTOBSERVER_WARNINGS", "off", 1)
                    dog.observe(number.new()) { _ in }
                case .received:
                    receive(number, dog)
                case .ended:
                    held = hold(number, dog)
                    exit(EXIT_SUCCESS)
                }
                withExtendedLifetime((number, dog, held)) {}
            }
        }

        @Test(arguments: Unsaid.allCases) func nothingIsSaidWhereNothingIsLost(_ unsaid: Unsaid) async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [unsaid] in
                unsaid.commit()
            }
            #expect(!lines(result?.standardErrorContent).contains { $0.contains("warning: ") })
        }

        /// Observes with the receiver, which dies after the transform.
        final class View: Observer {
            let text: Mapper<Mapper<Var<Int>, Int>, String>
            let receiver = Receiver()

            init(_ number: Var<Int>) {
                text = number.new().map { "\($0)" }
                observe(text) { _ in }
            }
        }

        /// Dies with the variable, while its observer lives.
        final class Model {
            let number = Var(0)
            let text: Mapper<Mapper<Var<Int>, Int>, String>

            init(for observer: FreeObserver) {
                text = number.new().map { "\($0)" }
                observer.observe(text) { _ in }
            }
        }

        final class Merged {
            let one = Var(0), other = Var(0)
            let both: Merger<Update<Int>>

            init(for observer: FreeObserver) {
                both = one.merge(other)
                observer.observe(both) { _ in }
            }
        }
    }

    /// Says the line in which it stands.
    private func here<Transform>(_ transform: Transform, line: Int = #line) -> Transform {
        print(line)
        fflush(nil)
        return transform
    }

    /// Returns the transform that is observed.
    private func hold(_ number: Var<Int>, _ dog: FreeObserver) -> Any {
        let transform = number.new()
        dog.observe(transform) { _ in }
        return transform
    }

    private func forget(_ number: Var<Int>, _ dog: FreeObserver, line: UInt = #line) {
        let transform = number.new()
        dog.observe(transform, line: line) { _ in }
    }

    private func receive(_ number: Var<Int>, _ dog: FreeObserver) {
        let transform = number.new()
        dog.observe(transform) { _ in }
        number <- number.value + 1
    }

    private func lines(_ output: [UInt8]?) -> [Substring] {
        String(decoding: output ?? [], as: UTF8.self).split(separator: "\n")
    }
#endif
