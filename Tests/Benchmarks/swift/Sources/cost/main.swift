// SPDX-License-Identifier: MIT
// Does one thing a given number of times, for a tool that counts instructions.
// Usage: cost CASE-OBSERVERS COUNT, as "messenger-10 1000"

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
guard words.count == 3, let dash = words[1].lastIndex(of: "-"),
    let observers = Int(words[1][words[1].index(after: dash)...]), let count = Int(words[2])
else { fatalError("usage: cost CASE-OBSERVERS COUNT") }
measure_park_a_thread()
switch words[1][..<dash] {
case "closures": send(ComposedClosures.self, observers, count)
case "ad-hoc-chains": send(AdHocChains.self, observers, count)
case "standing-chains": send(StandingChains.self, observers, count)
case "messenger": send(MessengerScene.self, observers, count)
case "steinskit": send(SteinsKitScene.self, observers, count)
case "variable": send(VariableScene.self, observers, count)
case "derived": send(DerivedScene.self, observers, count)
case "observed-property": send(ObservedPropertyScene.self, observers, count)
case "observe-and-stop": observeAndStop(MessengerScene.self, observers, count)
default: fatalError("no such case")
}
