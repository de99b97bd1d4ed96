// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives messages. The check rewrites each `say()` to
// two and to five statements, and takes away the types.

import SwiftObserver

func say() {}

func observe(
    dog: FreeObserver, text: Var<String>, number: DeferredVar<Int?>, messenger: Messenger<String>,
    bell: Messenger<Void>, ticker: Ticker, work: Work<Int>, label: FreeObserver, queue: some DeliveryQueue,
    main: MainActor
) {
    _ = text.observe { (update: Update<String>) in say() }
    _ = text.observe { (update: Update<String>, author: AnyObject) in say() }
    _ = number.observe { (update: Update<Int?>) in say() }
    _ = messenger.observe { (message: String) in say() }
    _ = messenger.observe { (message: String, author: AnyObject) in say() }
    _ = bell.observe { say() }
    _ = ticker.observe { (count: Int) in say() }
    _ = work.observe { (result: Result<Int, any Error>) in say() }
    _ = text.new().filter { $0.isEmpty }.observe { (text: String) in say() }
    _ = text.observe(adHoc: { $0.new().receive { (text: String) in say() } })
    text.observe(weakly: label) { (label: FreeObserver, update: Update<String>) in say() }
    text.observe(weakly: label) { (label: FreeObserver, update: Update<String>, author: AnyObject) in say() }
    bell.observe(weakly: label) { (label: FreeObserver) in say() }
    text.observe(weakly: label, adHoc: { $0.new() }) { (label: FreeObserver, text: String) in say() }
    text.observe(weakly: label, on: .async(queue)) { (label: FreeObserver, update: Update<String>) in say() }
    text.observe(weakly: label, replaying: .latest) { (label: FreeObserver, update: Update<String>) in say() }

    dog.observe(text) { (update: Update<String>) in say() }
    dog.observe(text) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(messenger) { (message: String) in say() }
    dog.observe(messenger) { (message: String, author: AnyObject) in say() }
    dog.observe(bell) { say() }
    dog.observe(ticker) { (count: Int) in say() }
    dog.observe(work) { (result: Result<Int, any Error>) in say() }
    dog.observe(text, number) { (text: Update<String>, number: Update<Int?>) in say() }
    dog.observe(text, number) { (text: Update<String>, number: Update<Int?>, author: AnyObject) in say() }
    dog.observe(text, number, text) { (a: Update<String>, b: Update<Int?>, c: Update<String>) in say() }
    dog.observe(text, number, text) { (a: Update<String>, b: Update<Int?>, c: Update<String>, d: AnyObject) in say() }
    dog.observe(text, replaying: .latest) { (update: Update<String>) in say() }
    dog.observe(text, replaying: .latest) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(text, on: .async(queue)) { (update: Update<String>) in say() }
    dog.observe(text, on: .async(queue)) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(bell, on: .async(queue)) { say() }
    dog.observe(text, on: main) { (update: Update<String>) in say() }
    dog.observe(bell, on: main) { say() }
    dog.observe(text, beginningOn: queue) { (update: Update<String>) in say() }
    dog.observe(text, beginningOn: queue) { (update: Update<String>, by: AnyObject) in say() }
    dog.observe(bell, beginningOn: queue) { say() }
    dog.observe(text, replaying: .latest, beginningOn: queue) { (update: Update<String>) in say() }
    dog.observe(text, replaying: .latest, beginningOn: queue) { (update: Update<String>, by: AnyObject) in say() }

    dog.observe(text).receive { (update: Update<String>) in say() }
    dog.observe(text).receive { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(bell).receive { say() }
    dog.observe(text).receive(on: .async(queue)) { (update: Update<String>) in say() }
    dog.observe(text).receive(on: .async(queue)) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(bell).receive(on: .async(queue)) { say() }
    dog.observe(text).receive(on: main) { (update: Update<String>) in say() }
    dog.observe(bell).receive(on: main) { say() }
    dog.observe(text).map({ $0.new.count }) { (count: Int) in say() }
    dog.observe(text).map({ $0.new.count }) { (count: Int, author: AnyObject) in say() }
    dog.observe(text).new { (text: String) in say() }
    dog.observe(text).new { (text: String, author: AnyObject) in say() }
    dog.observe(number).new().unwrap { (number: Int) in say() }
    dog.observe(number).new().unwrap { (number: Int, author: AnyObject) in say() }
    dog.observe(number).new().unwrap(0) { (number: Int) in say() }
    dog.observe(number).new().unwrap(0) { (number: Int, author: AnyObject) in say() }
    dog.observe(text).filter({ $0.isChange }) { (update: Update<String>) in say() }
    dog.observe(text).filter({ $0.isChange }) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(text).select(Update("", "a")) { say() }
    dog.observe(text).select(Update("", "a")) { (author: AnyObject) in say() }
    dog.observe(text).filterAuthor({ $0 is FreeObserver }) { (update: Update<String>) in say() }
    dog.observe(text).filterAuthor({ $0 is FreeObserver }) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(text).from(label) { (update: Update<String>) in say() }
    dog.observe(text).from(label) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(text).notFrom(label) { (update: Update<String>) in say() }
    dog.observe(text).notFrom(label) { (update: Update<String>, author: AnyObject) in say() }
    dog.observe(text).new().take(1).receive { (text: String) in say() }
    dog.observe(text).merge(dog.observe(text)).receive { (update: Update<String>) in say() }
}
