// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives messages. The check rewrites each `say()` to
// two and to five statements, and takes away the types.

import SwiftObserver

func say() {}

func observe(
    observer: FreeObserver, text: Var<String>, number: DeferredVar<Int?>, messenger: Messenger<String>, bell: Messenger<Void>,
    ticker: Ticker, work: Work<Int>, label: FreeObserver, queue: some DeliveryQueue, main: MainActor
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

    observer.observe(text) { (update: Update<String>) in say() }
    observer.observe(text) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(messenger) { (message: String) in say() }
    observer.observe(messenger) { (message: String, author: AnyObject) in say() }
    observer.observe(bell) { say() }
    observer.observe(ticker) { (count: Int) in say() }
    observer.observe(work) { (result: Result<Int, any Error>) in say() }
    observer.observe(text, number) { (text: Update<String>, number: Update<Int?>) in say() }
    observer.observe(text, number) { (text: Update<String>, number: Update<Int?>, author: AnyObject) in say() }
    observer.observe(text, number, text) { (a: Update<String>, b: Update<Int?>, c: Update<String>) in say() }
    observer.observe(text, number, text) { (a: Update<String>, b: Update<Int?>, c: Update<String>, author: AnyObject) in say() }
    observer.observe(text, replaying: .latest) { (update: Update<String>) in say() }
    observer.observe(text, replaying: .latest) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(text, on: .async(queue)) { (update: Update<String>) in say() }
    observer.observe(text, on: .async(queue)) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(bell, on: .async(queue)) { say() }
    observer.observe(text, on: main) { (update: Update<String>) in say() }
    observer.observe(bell, on: main) { say() }
    observer.observe(text, beginningOn: queue) { (update: Update<String>) in say() }
    observer.observe(text, beginningOn: queue) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(bell, beginningOn: queue) { say() }
    observer.observe(text, replaying: .latest, beginningOn: queue) { (update: Update<String>) in say() }
    observer.observe(text, replaying: .latest, beginningOn: queue) { (update: Update<String>, author: AnyObject) in say() }

    observer.observe(text).receive { (update: Update<String>) in say() }
    observer.observe(text).receive { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(bell).receive { say() }
    observer.observe(text).receive(on: .async(queue)) { (update: Update<String>) in say() }
    observer.observe(text).receive(on: .async(queue)) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(bell).receive(on: .async(queue)) { say() }
    observer.observe(text).receive(on: main) { (update: Update<String>) in say() }
    observer.observe(bell).receive(on: main) { say() }
    observer.observe(text).map({ $0.new.count }) { (count: Int) in say() }
    observer.observe(text).map({ $0.new.count }) { (count: Int, author: AnyObject) in say() }
    observer.observe(text).new { (text: String) in say() }
    observer.observe(text).new { (text: String, author: AnyObject) in say() }
    observer.observe(number).new().unwrap { (number: Int) in say() }
    observer.observe(number).new().unwrap { (number: Int, author: AnyObject) in say() }
    observer.observe(number).new().unwrap(0) { (number: Int) in say() }
    observer.observe(number).new().unwrap(0) { (number: Int, author: AnyObject) in say() }
    observer.observe(text).filter({ $0.isChange }) { (update: Update<String>) in say() }
    observer.observe(text).filter({ $0.isChange }) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(text).select(Update("", "a")) { say() }
    observer.observe(text).select(Update("", "a")) { (author: AnyObject) in say() }
    observer.observe(text).filterAuthor({ $0 is FreeObserver }) { (update: Update<String>) in say() }
    observer.observe(text).filterAuthor({ $0 is FreeObserver }) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(text).from(label) { (update: Update<String>) in say() }
    observer.observe(text).from(label) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(text).notFrom(label) { (update: Update<String>) in say() }
    observer.observe(text).notFrom(label) { (update: Update<String>, author: AnyObject) in say() }
    observer.observe(text).new().take(1).receive { (text: String) in say() }
    observer.observe(text).merge(observer.observe(text)).receive { (update: Update<String>) in say() }
}
