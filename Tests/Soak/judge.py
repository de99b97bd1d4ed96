# SPDX-License-Identifier: MIT
"""Draws what a soak has measured, and tells whether its memory stayed flat.

    Tests/Soak/judge.py MEASURED PICTURE

The run is divided into thirds of equally many messages, because a busy machine takes longer for them. The first is
warming up. Of the other two the medians of the resident memory are compared: the last may be one percent above the
middle one. What a run cannot tell is added to that: parts of the same third differ by chance, in a short run by more
than one percent.
"""

import statistics
import sys

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot

ALLOWED = 0.01
# A third is divided into so many parts, to see how much they differ.
PARTS = 8


def main(measured: str, picture: str) -> int:
    with open(measured) as file:
        samples = [tuple(float(word) for word in line.split()) for line in file]
    if len(samples) < 3 * PARTS or any(len(third) < PARTS for third in thirds(samples)):
        print(f"soak: too short to tell: {len(samples)} samples")
        return 1
    warming, middle, last = thirds(samples)
    growth, chance = compare([one[2] for one in middle], [one[2] for one in last])
    seconds, messages, resident, heap = zip(*samples)
    said = f"{growth:+.2%}, by chance up to {chance:.2%}"
    draw(picture, seconds, resident, heap, len(warming), f"{messages[-1] / 1e6:.1f} million messages, {said}")
    was, then = ([statistics.median(column) for column in zip(*third)] for third in (middle, last))
    print(
        f"soak: {seconds[-1] / 60:.1f} minutes, {messages[-1]:.0f} messages, resident memory {was[2]:.0f} KB,"
        f" then {then[2]:.0f} KB ({said}), heap {was[3] / 1024:.0f} KB, then {then[3] / 1024:.0f} KB: {picture}"
    )
    return 0 if growth <= ALLOWED + chance else 1


def thirds(samples):
    """The samples of each third of the messages."""
    whole = samples[-1][1]
    return [[one for one in samples if third <= min(2, 3 * one[1] // whole) < third + 1] for third in range(3)]


def compare(middle, last) -> tuple[float, float]:
    """By how much the last third is above the middle one, and how much of that could be chance: two standard errors."""
    before = statistics.median(middle)
    variances = [statistics.variance(medians(third)) / PARTS for third in (middle, last)]
    return statistics.median(last) / before - 1, 2 * sum(variances) ** 0.5 / before


def medians(third):
    """Of each part of a third."""
    return [
        statistics.median(third[len(third) * part // PARTS : len(third) * (part + 1) // PARTS]) for part in range(PARTS)
    ]


def draw(picture: str, seconds, resident, heap, warming: int, title: str) -> None:
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    minutes = [one / 60 for one in seconds]
    axes.axvspan(0, minutes[warming], color="0.93", label="warming up")
    axes.plot(minutes, [one / 1024 for one in resident], label="resident memory")
    axes.plot(minutes, [one / 1024 / 1024 for one in heap], label="given out by the allocator")
    axes.set(title=title, xlabel="minutes", ylabel="MB", xlim=(0, minutes[-1]), ylim=(0, None))
    axes.legend(loc="center right")
    figure.savefig(picture)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
