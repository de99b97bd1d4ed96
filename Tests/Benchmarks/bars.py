#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Says which bars the C benchmarks reach, from the JSON that table.py has kept.

Usage: bars.py JSON-FILE

A bar is how many times better than a peer the library is to be, in the median of the processes. What was
not measured is missed.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys
from collections import defaultdict
from typing import NamedTuple, Optional

Key = tuple[str, str, int]


class Bar(NamedTuple):
    """Rates are better the higher they are, everything else the lower."""

    measure: str
    size: int
    peer: str
    least: float
    is_rate: bool = False
    ours: str = "swiftobserver"


OBSERVERS = (10, 100, 1000)
BARS = [
    # A send to no handler, to one, and to many.
    Bar("delivery beside GObject", 0, "GObject, emit", 5),
    Bar("delivery beside GObject", 1, "GObject, emit", 3),
    *(Bar("delivery beside GObject", size, "GObject, emit", 10) for size in OBSERVERS),
    Bar("delivery beside C++ peers", 1, "Boost.Signals2", 2),
    *(Bar("delivery beside C++ peers", size, "Boost.Signals2", 5) for size in OBSERVERS),
    Bar("hand-over", 1, "g_async_queue", 3, True, "swiftobserver, queue"),
    Bar("hand-over", 1, "g_main_context_invoke", 3, True, "swiftobserver, queue"),
]
# Million messages a second.
HAND_OVER = 2.0


def main(path: str) -> None:
    values: dict[Key, list[float]] = defaultdict(list)
    for row in json.loads(pathlib.Path(path).read_text(encoding="utf-8")):
        values[row["measure"], row["subject"], row["size"]].append(row["value"])

    print("\nbars")
    missed = 0
    for bar in BARS:
        found = times_better(bar, values)
        missed += tell(f"{bar.measure}, {bar.size:,}: {bar.least:g} times better than {bar.peer}", bar.least, found)
    rates = values["hand-over", "swiftobserver, queue", 1]
    rate = statistics.median(rates) if rates else None
    missed += tell(f"hand-over: {HAND_OVER:g} million messages a second", HAND_OVER, rate)
    print(f"  {len(BARS) + 1 - missed} of {len(BARS) + 1} reached")


def times_better(bar: Bar, values: dict[Key, list[float]]) -> Optional[float]:
    ours = values[bar.measure, bar.ours, bar.size]
    theirs = values[bar.measure, bar.peer, bar.size]
    if not ours or len(ours) != len(theirs):
        return None
    pairs = zip(ours, theirs)
    return statistics.median(our / their if bar.is_rate else their / our for our, their in pairs)


def tell(sentence: str, least: float, found: Optional[float]) -> bool:
    """Prints a line. Whether the bar is missed."""
    is_missed = found is None or found < least
    result = "not measured" if found is None else f"{found:.1f}"
    print(f"  {'MISSED' if is_missed else 'reached':<8} {sentence:<72} {result:>12}")
    return is_missed


if __name__ == "__main__":
    main(*sys.argv[1:])
