// SPDX-License-Identifier: MIT
// Does one thing a given number of times, for a tool that counts instructions.
// Usage: cost CASE OBSERVERS COUNT

import CMeasure
import Contestants

func send(_ type: any Scene.Type, _ observers: Int, _ count: Int) {
    let sums = UnsafeMutablePointer<Int>.allocate(capacity: observers + 1)
    sums.initialize(repeating: 0, count: observers + 1)
    let scene = type.init()
    for index in 0..<observers { scene.observe(sums + index) }
    scene.send(count)
}

func observeAndStop(_ type: any Leaving.Type, _ observers: Int, _ count: Int) {
    let sum = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    sum.initialize(to: 0)
    let scene = type.init()
    for _ in 0..<observers { scene.observe(sum) }
    scene.observeAndStop(count, sum)
}

let words = CommandLine.arguments
guard words.count == 4, let observers = Int(words[2]), let count = Int(words[3]) else {
    fatalError("usage: cost CASE OBSERVERS COUNT")
}
measure_park_a_thread()
switch words[1] {
case "closures": send(ComposedClosures.self, observers, count)
case "ad-hoc-chains": send(AdHocChains.self, observers, count)
case "standing-chains": send(StandingChains.self, observers, count)
case "messenger": send(MessengerScene.self, observers, count)
case "steinskit": send(SteinsKitScene.self, observers, count)
case "variable": send(VariableScene.self, observers, count)
case "observe-and-stop": observeAndStop(MessengerScene.self, observers, count)
default: fatalError("no such case")
}
