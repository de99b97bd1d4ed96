// SPDX-License-Identifier: MIT

import CRelay

extension Relay {
    /// Under the lock. Says what state the relay is in: a word, and a sentence where there is more to say.
    func say(_ word: StaticString, _ sentence: Bytes? = nil) {
        var state = Bytes(word)
        if let sentence {
            state.add(": ")
            state += sentence
        }
        said = (state, said.number + 1)
        // A flood of reports is one.
        if sentence != nil, let waiting = states.last, waiting.text.starts(with: (Bytes(word) + Bytes(":"))) {
            states.last = said
            return
        }
        handState()
    }

    /// Under the lock. Says the same again, which reaches the program after the values that came before it.
    func sayAgain() {
        said.number += 1
        handState()
    }

    private func handState() {
        if states.isEmpty { statesSince = relay_milliseconds() }
        states.append(said)
        hand(.state)
    }

    /// Under the lock. Says that the relay is ready, and what of it does not cross.
    func sayReady() {
        var dropped: Bytes?
        if counts.dropped > 0 {
            dropped = []
            dropped!.add(counts.dropped)
            dropped!.add(" dropped")
        }
        say("ready", transport.remark ?? namesake ?? lastReport ?? dropped)
    }

    /// Counts and reports what came in, and is nothing to the program.
    public func refuse(_ what: StaticString, of topic: Bytes, _ why: StaticString) {
        withLock { drop(topic, what, Bytes(why)) }
    }

    /// Under the lock. Counts and reports what does not cross. The content stays out of it, for it may be a secret.
    func drop(_ topic: Bytes, _ what: StaticString, _ why: Bytes? = nil) {
        counts.dropped += 1
        report(Bytes("dropped ") + Bytes(what), of: topic, why)
    }

    /// Under the lock.
    func report(_ what: Bytes, of topic: Bytes, _ why: Bytes? = nil) {
        var sentence = what
        sentence.add(", ")
        sentence += topic.last == 0 ? topic.dropLast() : topic[...]
        if let why {
            sentence.add(": ")
            sentence += why
        }
        if counts.dropped > 0 {
            sentence.add(" (")
            sentence.add(counts.dropped)
            sentence.add(" dropped so far)")
        }
        if let remark = transport.remark ?? namesake {
            sentence.add("; ")
            sentence += remark
        }
        lastReport = sentence
        if isConnected { say(isReady ? "ready" : "connecting", sentence) }
    }
}
