// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives updates.

import Dispatch
import Foundation
import MiniRex

func say() {}

func subscribe(
    property: PublishedProperty<Int>, broadcaster: Broadcaster<String>, queue: DispatchQueue, name: Notification.Name
) {
    _ = property.publisher.subscribe { (number: Int) in say() }
    _ = broadcaster.publisher.subscribe { (text: String) in say() }
    _ = property.publisher.transform(with: { "\($0)" }).subscribe { (text: String) in say() }
    _ = property.publisher.valueTransform(with: { $0 > 1 }).subscribe { (isMore: Bool) in say() }
    _ = property.publisher.dispatch(updateQueue: queue).subscribe { (number: Int) in say() }
    _ = property.publisher.dispatch(subscribeQueue: queue).subscribe { (number: Int) in say() }
    _ = NotificationCenter.default.subscribe(forName: name) { (notification: Notification) in say() }
}
