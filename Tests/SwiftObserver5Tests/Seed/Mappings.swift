// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Mappings") struct Mappings {
    @Test func aMappingMapsTheMessagesOfItsSource() {
        let dog = Dog(), text = Var<String?>()
        let textLength = text.map { $0.new?.count ?? 0 }
        #expect(textLength.source === text)
        dog.observe(textLength) { dog.hear($0) }
        text <- "four"
        #expect(dog.heard == ["4"])
        #expect(textLength.latestMessage == 4)
    }

    @Test func aMappingOfAWeakDoesNotHoldTheSource() {
        let toString = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
        let sourceIsDead = toString.source.observable == nil
        #expect(sourceIsDead)
        #expect(toString.latestMessage == "0")
    }

    @Test func aMappingIsUsedLikeAnyObservable() {
        let dog = Dog(), number = Var(1), doubled = number.map { $0.new * 2 }
        dog.observe(doubled) { dog.hear($0) }
        doubled.send()
        doubled.send(7)
        dog.stopObserving(doubled)
        number <- 2
        #expect(dog.heard == ["2", "7"])
    }

    @Test func settingAnotherSourceSends() {
        let dog = Dog()
        let title = Var<String?>().map { $0.new ?? "untitled" }
        dog.observe(title) { dog.hear($0) }
        let titleSource = Var<String?>("Some Title String")
        title.source = titleSource
        #expect(dog.heard == ["Some Title String"])
        titleSource <- "Another"
        #expect(dog.heard == ["Some Title String", "Another"])
        #expect(title.source === titleSource)
    }

    @Test func settingTheSameSourceSendsNothing() {
        let dog = Dog(), source = Var(1), mapping = source.map { $0.new }
        dog.observe(mapping) { dog.hear($0) }
        mapping.source = source
        #expect(dog.heard.isEmpty)
        source <- 2
        #expect(dog.heard == ["2"])
    }

    @Test func whatSettingASourceSendsHasToPassTheFilter() {
        let dog = Dog()
        let short = Var("").new().filter { $0.count < 5 }
        dog.observe(short) { dog.hear($0) }
        short.source = Var("this is too long")
        #expect(dog.heard.isEmpty)
        short.source = Var("this")
        #expect(dog.heard == ["this"])
    }

    @Test func theOldSourceIsNotObservedAnyMore() {
        let dog = Dog(), old = Var(1), mapping = old.new()
        dog.observe(mapping) { dog.hear($0) }
        mapping.source = Var(2)
        old <- 3
        #expect(dog.heard == ["2"])
    }

    @Test func aSourceCanBeSetFromInsideAHandler() {
        let dog = Dog(), mapping = Var(1).new(), other = Var(5)
        dog.observe(mapping) {
            dog.hear($0)
            if $0 == 2 { mapping.source = other }
        }
        mapping.source <- 2
        #expect(dog.heard == ["2", "5"])
    }

    @Test func chainedMappingsAreOneMappingOfTheOriginalSource() {
        let dog = Dog(), number = Var<Int?>()
        let mapping = number.map {
            $0.new ?? 0
        }.filter {
            $0 > 9
        }.map {
            "\($0)"
        }
        let source: Var<Int?> = mapping.source
        #expect(source === number)
        dog.observe(mapping) { dog.hear($0) }
        number <- 9
        number <- 10
        #expect(dog.heard == ["10"])
    }

    @Test func newOfAMappingThatSendsChanges() {
        let dog = Dog(), number = Var(1)
        let doubled = number.map { Change($0.old * 2, $0.new * 2) }.new()
        dog.observe(doubled) { dog.hear($0) }
        number <- 3
        #expect(dog.heard == ["6"])
        #expect(doubled.source === number)
    }

    @Test func unwrapReplacesNil() {
        let dog = Dog(), title = Var<String?>("a").new().unwrap("untitled")
        dog.observe(title) { dog.hear($0) }
        title.source <- nil
        #expect(dog.heard == ["untitled"])
        #expect(Messenger<Int?>().unwrap(7).latestMessage == 7)
    }

    @Test func withAFilterBeforeUnwrapNeverSendsTheDefault() {
        let dog = Dog(), title = Var<String?>("a").new().filter { $0 != nil }.unwrap("")
        dog.observe(title) { dog.hear($0) }
        title.source <- nil
        title.source <- "b"
        #expect(dog.heard == ["b"])
    }

    @Test func aFilterSuppressesMessagesAndNotTheLatestMessage() {
        let dog = Dog()
        let shortText = Var("").new().filter { $0.count < 5 }
        dog.observe(shortText) { dog.hear($0) }
        shortText.source <- "this is too long"
        shortText.source <- "this"
        #expect(dog.heard == ["this"])
        shortText.source <- "too long again"
        #expect(shortText.latestMessage == "too long again")
        shortText.send()
        #expect(dog.heard == ["this", "too long again"])
    }

    @Test func theFilterSaysWhichMessagesOfTheSourceGetThrough() {
        let shortText = Var("").new().filter { $0.count < 5 }
        let getsThrough = shortText.filter?(Change(nil, "this is too long")) ?? true
        #expect(!getsThrough)
        #expect(shortText.filter?(Change("", "this")) == true)
        #expect(Var("").new().filter == nil)
    }

    @Test func selectReceivesOneSpecificMessage() {
        let observer = Dog()
        let notifier = Var("").new().select("my notification")
        observer.observe(notifier) {
            observer.hear("notified")
        }
        notifier.source <- "something else"
        notifier.source <- "my notification"
        #expect(observer.heard == ["notified"])
        let messenger = Messenger("")
        let selection = messenger.select("b")
        observer.observe(selection) { observer.hear("b") }
        messenger.send("a")
        messenger.send("b")
        #expect(observer.heard == ["notified", "b"])
    }
}
