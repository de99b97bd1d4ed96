// SPDX-License-Identifier: MIT
// As one writes with MiniRex.

import Foundation
import MiniRex

final class Settings {
    private let volumeProperty = PublishedProperty(withInitialValue: 5)
    private let clicks = Broadcaster<String>()

    var volume: Publisher<Int> { return volumeProperty.publisher }
    var clicked: Publisher<String> { return clicks.publisher }

    func click(_ volume: Int) {
        volumeProperty.value = volume
        clicks.broadcast(update: "clicked \(volume)")
    }
}

@MainActor final class Panel {
    private var subscriptions: [Subscription] = []

    init(_ settings: Settings, _ center: NotificationCenter) {
        subscriptions.append(settings.volume.valueTransform(with: { $0 > 7 }).subscribe { print("loud:", $0) })
        subscriptions.append(settings.clicked.transform(with: { $0.uppercased() }).subscribe { print($0) })
        subscriptions.append(
            center.subscribe(forName: Notification.Name("saved"), object: nil, queue: nil) { print($0.name.rawValue) })
    }
}

@MainActor func runSettings() {
    let settings = Settings(), center = NotificationCenter()
    let panel = Panel(settings, center)
    settings.click(6)
    settings.click(9)
    center.post(name: Notification.Name("saved"), object: nil)
    withExtendedLifetime(panel) {}
}
