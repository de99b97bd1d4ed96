// SPDX-License-Identifier: MIT
// Every function of this vocabulary that takes a closure which receives waves.

import Receiver

func say() {}

func listen(to receiver: Receiver<Int?>) {
    receiver.listen { (wave: Int?) in say() }
    receiver.listen(to: { (wave: Int?) in say() })
    receiver.skipNil().withPrevious().listen { (previous: Int?, wave: Int) in say() }
}
