// SPDX-License-Identifier: MIT

import SwiftObserver5
import Testing
import TestSupport

@Suite("Seed: Mappings") struct Mappings {
    let dog = Dog()

    /// Observes, and hears each message.
    private func listen<O: Observable>(to observable: O) { dog.observe(observable) { [dog] in dog.hear($0) } }

    @Test func aMappingMapsTheMessagesOfItsSource() {
        let text = Var<String?>(), textLength = text.map { $0.new?.count ?? 0 }
        listen(to: textLength)
        text <- "four"
        #expect(textLength.source === text && textLength.latestMessage == 4)
        textLength.send(7)
        dog.stopObserving(textLength)
        text <- "nobody hears this"
        #expect(dog.heard == ["4", "7"])
    }

    @Test func aMappingOfAWeakDoesNotHoldTheSource() {
        let toString = Weak(Var<Int?>()).new().unwrap(0).map { "\($0)" }
        let sourceIsDead = toString.source.observable == nil
        #expect(sourceIsDead && toString.latestMessage == "0")
    }

    @Test func settingAnotherSourceSendsAndSettingTheSameDoesNot() {
        let title = Var<String?>().map { $0.new ?? "untitled" }, old = title.source
        listen(to: title)
        let titleSource = Var<String?>("Some Title String")
        title.source = titleSource
        title.source = titleSource
        #expect(dog.heard == ["Some Title String"] && title.source === titleSource)
        titleSource <- "Another"
        old <- "nobody hears this"
        #expect(dog.heard == ["Some Title String", "Another"])
    }

    @Test func whatSettingASourceSendsHasToPassTheFilter() {
        let short = Var("").new().filter { $0.count < 5 }
        listen(to: short)
        short.source = Var("this is too long")
        short.source = Var("this")
        #expect(dog.heard == ["this"])
    }

    @Test func aSourceCanBeSetFromInsideAHandler() {
        let mapping = Var(1).new(), other = Var(5)
        dog.observe(mapping) {
            dog.hear($0)
            if $0 == 2 { mapping.source = other }
        }
        mapping.source <- 2
        #expect(dog.heard == ["2", "5"])
    }

    @Test func whatASourceHasSentArrivesBeforeWhatTheNextOneSendsAndOnce() {
        let one = Var(1), other = Var(50), mapping = one.new()
        dog.observe(mapping) {
            dog.hear($0)
            guard dog.heard == ["2"] else { return }
            one <- 3
            mapping.source = other
            mapping.source = one
            one <- 4
        }
        one <- 2
        #expect(dog.heard == ["2", "3", "50", "2", "4"])
    }

    @Test func chainedMappingsAreOneMappingOfTheOriginalSource() {
        let number = Var<Int?>()
        let mapping = number.map {
            $0.new ?? 0
        }.filter {
            $0 > 9
        }.map {
            "\($0)"
        }
        let source: Var<Int?> = mapping.source
        #expect(source === number)
        listen(to: mapping)
        number <- 9
        number <- 10
        #expect(dog.heard == ["10"])
    }

    @Test func newOfAMappingThatSendsChanges() {
        let number = Var(1), doubled = number.map { Change($0.old * 2, $0.new * 2) }.new()
        listen(to: doubled)
        number <- 3
        #expect(dog.heard == ["6"] && doubled.source === number)
    }

    @Test func unwrapReplacesNilUnlessAFilterStandsBefore() {
        let title = Var<String?>("a").new().unwrap("untitled")
        let present = Var<String?>("a").new().filter { $0 != nil }.unwrap("")
        listen(to: title)
        listen(to: present)
        title.source <- nil
        present.source <- nil
        present.source <- "b"
        #expect(dog.heard == ["untitled", "b"])
        #expect(Messenger<Int?>().unwrap(7).latestMessage == 7)
    }

    @Test func aFilterSuppressesMessagesAndNotTheLatestMessage() {
        let shortText = Var("").new().filter { $0.count < 5 }
        listen(to: shortText)
        shortText.source <- "this is too long"
        shortText.source <- "this"
        shortText.source <- "too long again"
        #expect(dog.heard == ["this"] && shortText.latestMessage == "too long again")
        shortText.send()
        #expect(dog.heard == ["this", "too long again"])
        let getsThrough = shortText.filter?(Change(nil, "this is too long")) ?? true
        #expect(!getsThrough && shortText.filter?(Change("", "this")) == true && Var("").new().filter == nil)
    }

    @Test func selectReceivesOneSpecificMessage() {
        let notifier = Var("").new().select("my notification"), selection = Messenger("").select("b")
        dog.observe(notifier) { dog.hear("notified") }
        dog.observe(selection) { dog.hear("b") }
        notifier.source <- "something else"
        notifier.source <- "my notification"
        selection.source.send("a")
        selection.source.send("b")
        #expect(dog.heard == ["notified", "b"])
    }
}
