// SPDX-License-Identifier: MIT
// Measures SwiftObserver beside what one would use instead, in one process. Prints one JSON object a line.

import CMeasure
import Contestants

measure_park_a_thread()
reportMemory([
    ("array of closures", ClosureArray.self),
    ("SwiftObserver", MessengerScene.self),
    ("OpenCombine", OpenCombineScene.self),
    ("NotificationCenter", NotificationScene.self),
])
reportDelivery(
    "delivery",
    [
        ("array of closures", ClosureArray.self),
        ("SwiftObserver", MessengerScene.self),
        ("OpenCombine", OpenCombineScene.self),
        ("NotificationCenter", NotificationScene.self),
        ("NotificationCenter, no message", BareNotificationScene.self),
    ], sizes: [0, 1, 10, 100, 1000])
reportDelivery(
    "delivery through map and filter",
    [
        ("array of composed closures", ComposedClosures.self),
        ("SwiftObserver, ad hoc", AdHocChains.self),
        ("SwiftObserver, standing", StandingChains.self),
        ("OpenCombine", OpenCombineChains.self),
    ], sizes: [1, 10, 100, 1000])
reportDelivery(
    "delivery by vocabulary",
    [
        ("SwiftObserver", MessengerScene.self),
        ("SwiftObserver 5", SwiftObserver5Messenger.self),
        ("MiniRex", BroadcasterScene.self),
        ("Receiver", ReceiverScene.self),
    ], sizes: [1, 10, 1000])
reportDelivery(
    "delivery of values by vocabulary",
    [
        ("SwiftObserver", VariableScene.self),
        ("SwiftObserver 5", SwiftObserver5Variable.self),
        ("MiniRex", PropertyScene.self),
        ("SteinsKit, observer held weakly", SteinsKitScene.self),
    ], sizes: [1, 10, 1000])
reportDelivery(
    "delivery of values to a weakly held object",
    [
        ("SwiftObserver, weak capture", WeakVariableScene.self),
        ("SteinsKit", SteinsKitScene.self),
    ], sizes: [1, 10, 1000])
reportObserving([
    ("OpenCombine", OpenCombineScene.self),
    ("SwiftObserver", MessengerScene.self),
    ("NotificationCenter", NotificationScene.self),
])
