// SPDX-License-Identifier: MIT
// error: a transform sends what it makes of the messages of its source: send this to the source
// What is meant for the source is not sent on the transform.

import SwiftObserver

func send(on text: Mapper<Messenger<Int>, String>) { text.send(3) }
