// SPDX-License-Identifier: MIT
// Measures SwiftObserver beside what one would use instead, in one process. Prints one JSON object a line.

import CMeasure
import Contestants

measure_park_a_thread()
/// What one would use instead, in a program with or without a library.
let others: [(name: String, type: any Scene.Type)] = [
    ("NotificationCenter", NotificationScene.self),
    ("NotificationCenter, no message", BareNotificationScene.self),
    ("AsyncStream, one each", AsyncStreamScene.self),
    ("Observation, re-armed", ObservationScene.self),
]
#if WITH_OPENCOMBINE
    let openCombine: [(name: String, type: any Leaving.Type)] = [("OpenCombine", OpenCombineScene.self)]
    let openCombineChains: [(name: String, type: any Scene.Type)] = [("OpenCombine", OpenCombineChains.self)]
#else
    let openCombine: [(name: String, type: any Leaving.Type)] = []
    let openCombineChains: [(name: String, type: any Scene.Type)] = []
#endif
let leaving: [(name: String, type: any Leaving.Type)] =
    [("SwiftObserver", MessengerScene.self)] + openCombine + [("NotificationCenter", NotificationScene.self)]
let delivering: [(name: String, type: any Scene.Type)] =
    [("array of closures", ClosureArray.self), ("SwiftObserver", MessengerScene.self)]
    + openCombine.map { ($0.name, $0.type) } + others

reportMemory(delivering)
reportDelivery("Swift, delivery", delivering, sizes: [0, 1, 10, 100, 1000])
reportDelivery(
    "Swift, delivery on the main actor",
    [("array of closures", ClosureArray.self), ("SwiftObserver", MainActorScene.self)], sizes: [1, 10, 100])
reportDelivery(
    "Swift, delivery through map and filter",
    [
        ("array of composed closures", ComposedClosures.self),
        ("SwiftObserver, ad hoc", AdHocChains.self),
        ("SwiftObserver, standing", StandingChains.self),
    ] + openCombineChains, sizes: [1, 10, 100, 1000])
reportDelivery(
    "Swift, a set behind a value computed of two",
    [
        ("SwiftObserver", DerivedScene.self),
        ("Observation, re-armed", ObservedPropertyScene.self),
        ("Observations, each awaited", ObservationsScene.self),
    ], sizes: [1])
reportDelivery(
    "Swift, delivery by vocabulary",
    [
        ("SwiftObserver", MessengerScene.self),
        ("SwiftObserver 5", SwiftObserver5Messenger.self),
        ("MiniRex", BroadcasterScene.self),
        ("Receiver", ReceiverScene.self),
    ], sizes: [1, 10, 1000])
reportDelivery(
    "Swift, delivery of values by vocabulary",
    [
        ("SwiftObserver", VariableScene.self),
        ("SwiftObserver 5", SwiftObserver5Variable.self),
        ("MiniRex", PropertyScene.self),
        ("SteinsKit, observer held weakly", SteinsKitScene.self),
    ], sizes: [1, 10, 1000])
reportDelivery(
    "Swift, delivery of values to a weakly held object",
    [
        ("SwiftObserver, weak capture", WeakVariableScene.self),
        ("SteinsKit", SteinsKitScene.self),
    ], sizes: [1, 10, 1000])
reportDelivery(
    "Swift, delivery to for await",
    [("AsyncStream, one each", AsyncStreamScene.self), ("SwiftObserver, one messenger", ForAwaitScene.self)],
    sizes: [1, 10])
reportObserving(leaving)
reportVariables()
