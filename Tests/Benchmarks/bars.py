# SPDX-License-Identifier: MIT
"""How good the figures have to be, and whether they are. What was not measured is missed."""

from __future__ import annotations

from typing import NamedTuple, Optional

from results import Results, number

Figure = tuple[str, str, int]


class Bar(NamedTuple):
    sentence: str
    limit: float
    ours: Figure
    # What ours is compared with; the figure itself where there is nothing.
    theirs: Optional[Figure] = None
    # Whether more is better.
    is_rate: bool = False


def times_better(measure: str, size: int, peer: str, least: float) -> Bar:
    sentence = f"{measure}, {size:,} observing: at most 1/{least:g} of {peer}"
    return Bar(sentence, 1 / least, (measure, "swiftobserver", size), (measure, peer, size))


def in_python(measure: str, size: int, peer: str, most: float) -> Bar:
    sentence = f"{measure}, {size:,}: at most {most:g} of {peer}"
    return Bar(sentence, most, (measure, "swiftobserver", size), (measure, peer, size))


def beside_the_client(measure: str, size: int, goal: str, limit: float, is_rate: bool = False) -> Bar:
    measure = f"Relays, {measure}"
    ours, theirs = (measure, "swiftobserver", size), (measure, "libmosquitto", size)
    return Bar(f"{measure}: {goal}", limit, ours, theirs, is_rate)


def in_order(threads: int, size: int, least: float) -> Bar:
    sentence = f"C, {threads} threads in order, {size:,} observing: at least {least:g} of one that it is not biased to"
    ours, theirs = (f"ordered, {threads} threads", "ordered, 1 thread, biased to none")
    return Bar(sentence, least, ("C, threads", ours, size), ("C, threads", theirs, size), True)


def for_await(size: int) -> Bar:
    measure = "Swift, delivery to for await"
    ours, theirs = (measure, "SwiftObserver, one messenger", size), (measure, "AsyncStream, one each", size)
    return Bar(f"{measure}, {size:,} tasks: at most 1/5 of AsyncStream", 0.2, ours, theirs)


def computed(peer: str) -> Bar:
    measure = "Swift, a set behind a value computed of two"
    return Bar(f"{measure}: at most 1/5 of {peer}", 0.2, (measure, "SwiftObserver", 1), (measure, peer, 1))


def beside_qt(measure: str) -> Bar:
    theirs = "QProperty (not thread-safe)"
    return Bar(f"{measure}: at most Qt's", 1, (measure, "swiftobserver", 1), (measure, theirs, 1))


def beside_one_thread(measure: str) -> Bar:
    theirs = "the same for one thread alone"
    return Bar(f"{measure}: at most 1.5 of {theirs}", 1.5, (measure, "swiftobserver", 1), (measure, theirs, 1))


GRAPHS_APART = "C, sets of graphs of their own by threads"
DERIVED = (
    "C, a set behind a derived diamond",
    "C, a set behind 100 derived side by side",
    "C, a set behind a derived chain of 100",
    "C, a set behind a derived triangle",
)
MANY = (10, 100, 1000)
HAND_OVER = "C, hand-over to another thread"
QUEUE = (HAND_OVER, "swiftobserver, queue", 1)
BARS = {
    "C": [
        # A send to no handler, to one, and to many.
        times_better("C, delivery", 0, "GObject, emit", 5),
        times_better("C, delivery", 1, "GObject, emit", 3),
        *(times_better("C, delivery", size, "GObject, emit", 10) for size in MANY),
        times_better("C, delivery", 1, "Boost.Signals2", 2),
        *(times_better("C, delivery", size, "Boost.Signals2", 5) for size in MANY),
        *(in_order(threads, *goal) for threads in (2, 4, 8) for goal in ((1, 0.8), (10, 0.8), (100, 0.9))),
        Bar("hand-over: 3 times as many as g_async_queue", 3, QUEUE, (HAND_OVER, "g_async_queue", 1), True),
        Bar(
            "hand-over: 3 times as many as g_main_context_invoke",
            3,
            QUEUE,
            (HAND_OVER, "g_main_context_invoke", 1),
            True,
        ),
        Bar("hand-over: 2 million messages a second", 2, QUEUE, None, True),
        *(beside_qt(measure) for measure in DERIVED),
        *(beside_one_thread(measure) for measure in DERIVED),
        Bar(
            "C, two threads on graphs of their own: at least 1.6 of one",
            1.6,
            (GRAPHS_APART, "2 threads", 1),
            (GRAPHS_APART, "1 thread", 1),
            True,
        ),
        Bar("C, bytes of a derived variable of two", 400, ("C, memory of a derived variable", "read", 10000)),
    ],
    "Swift": [
        for_await(1),
        for_await(10),
        computed("Observations, each awaited"),
    ],
    "Relays": [
        beside_the_client("a value to another connection", 1, "at most 1.3 times as long as the bare client", 1.3),
        beside_the_client("values in a burst", 500, "at least 0.8 of the bare client", 0.8, True),
        beside_the_client("events in a burst", 500, "at least 0.8 of the bare client", 0.8, True),
        Bar(
            "Relays, 10,000 mirrored variables at 1 Hz: percent of a core",
            25,
            ("Relays, processor time of mirrored variables at 1 Hz", "swiftobserver", 10000),
        ),
        Bar(
            "Relays, bytes of a mirrored variable",
            1024,
            ("Relays, memory of a mirrored variable", "swiftobserver", 10000),
        ),
    ],
    "Python": [
        *(in_python("Python, delivery", size, "psygnal", 0.3) for size in (1, *MANY)),
        *(in_python("Python, delivery", size, "blinker", 0.2) for size in (1, *MANY)),
        Bar(
            "Python, a delivery to a weak method: at most 1.5 of one to a function",
            1.5,
            ("Python, delivery to weak methods", "swiftobserver", 100),
            ("Python, delivery", "swiftobserver", 100),
        ),
        *(in_python("Python, observe + stop", size, "psygnal", 0.25) for size in (0, 1000)),
        Bar(
            "Python, observe + stop beside 1,000: at most 1.25 of that beside none",
            1.25,
            ("Python, observe + stop", "swiftobserver", 1000),
            ("Python, observe + stop", "swiftobserver", 0),
        ),
        in_python("Python, set a variable with one observer", 1, "traitlets", 0.3),
        in_python("Python, memory of an observation", 10000, "psygnal", 1),
        # What an allocator keeps back for later is no leak.
        Bar(
            "Python, bytes left by a million deliveries",
            64 * 1024,
            ("Python, memory left by a million deliveries", "swiftobserver", 100),
        ),
        Bar("Python, milliseconds to import", 15, ("Python, import", "swiftobserver", 1)),
    ],
}


def judge(results: Results) -> list[str]:
    """Lines that say which bars are reached, for each language that was measured."""
    lines = []
    for language, bars in BARS.items():
        if not any(measure.startswith(f"{language}, ") for measure in results.measures):
            continue
        judged = [verdict(bar, results) for bar in bars]
        lines += [f"{'reached' if reached else 'MISSED'}: {sentence}" for reached, sentence in judged]
        lines.append(f"{language}: {sum(reached for reached, _ in judged)} of {len(bars)} bars reached")
    return lines


def verdict(bar: Bar, results: Results) -> tuple[bool, str]:
    found = results.ratio(bar.ours, bar.theirs) if bar.theirs else results.of(*bar.ours)
    if found is None:
        return False, f"{bar.sentence}: not measured"
    reached = found.median >= bar.limit if bar.is_rate else found.median <= bar.limit
    return reached, f"{bar.sentence}: {found} (limit {number(bar.limit)})"
