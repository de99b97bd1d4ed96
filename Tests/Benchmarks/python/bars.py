# SPDX-License-Identifier: MIT
"""How good the figures have to be, and whether they are."""

from __future__ import annotations

DELIVERING = "ns per delivery, {} observing"
WEAK = "ns per delivery, 100 weak methods"
OBSERVING = "ns to observe + stop, beside {}"
SETTING = "ns to set a variable, 1 observing"
MEMORY = "bytes of an observation (RSS)"
GROWTH = "bytes left by 1 000 000 deliveries"
LOADING = "ms to import"

US = "swiftobserver"


def met(results):
    """The bars, each with what was measured and what is the most that will do; those that can be told."""
    bars = {}

    def at_most(limit, title, ours, theirs=1):
        if ours is not None and theirs:
            bars[title] = {"measured": ours / theirs, "limit": limit, "met": ours / theirs <= limit}

    def figure(row, name=US):
        return results[row].get(name)

    for size in (1, 10, 100, 1000):
        row = DELIVERING.format(size)
        at_most(0.3, f"a delivery to {size}, of psygnal's", figure(row), figure(row, "psygnal"))
        at_most(0.2, f"a delivery to {size}, of blinker's", figure(row), figure(row, "blinker"))
    at_most(1.5, "a delivery to a weak method, of one to a function", figure(WEAK), figure(DELIVERING.format(100)))
    alone, beside_others = OBSERVING.format(0), OBSERVING.format(1000)
    at_most(0.25, "observe + stop, of psygnal's", figure(alone), figure(alone, "psygnal"))
    at_most(0.25, "observe + stop beside 1000, of psygnal's", figure(beside_others), figure(beside_others, "psygnal"))
    at_most(1.25, "observe + stop beside 1000, of that beside 0", figure(beside_others), figure(alone))
    at_most(0.3, "setting a variable, of traitlets'", figure(SETTING), figure(SETTING, "traitlets"))
    at_most(1, "bytes of an observation, of psygnal's", figure(MEMORY), figure(MEMORY, "psygnal"))
    # What an allocator keeps back for later is no leak.
    at_most(64 * 1024, "bytes left by 1 000 000 deliveries", figure(GROWTH))
    at_most(15, "milliseconds to import", figure(LOADING))
    return bars


def judge(results):
    """The bars in lines to read."""
    lines = []
    for title, bar in met(results).items():
        verdict = "met" if bar["met"] else "MISSED"
        lines.append(f"{verdict:<8}{title}: {bar['measured']:.2f}, at most {bar['limit']:g}")
    return "\n".join(lines)
