# SPDX-License-Identifier: MIT
"""Draws what a soak has measured, and tells whether its memory stayed flat.

    Tests/Soak/judge.py MEASURED PICTURE

The first third is warming up. Of the other two the medians of the resident memory are compared: the last may be one
percent above the middle one. (The median, because a burst that a queue has taken is kept for a while.)
"""

import statistics
import sys

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot


def main(measured: str, picture: str) -> int:
    with open(measured) as file:
        samples = [tuple(float(word) for word in line.split()) for line in file]
    if len(samples) < 9:
        print("soak: too short to tell")
        return 1
    seconds, messages, resident, heap = zip(*samples)
    third = len(samples) // 3
    middle, last = (statistics.median(part) for part in (resident[third : 2 * third], resident[2 * third :]))
    growth = last / middle - 1
    draw(
        picture,
        seconds,
        resident,
        heap,
        third,
        f"{messages[-1] / 1e6:.1f} million messages, {growth:+.2%} after warm-up",
    )
    print(
        f"soak: {seconds[-1] / 60:.1f} minutes, {messages[-1]:.0f} messages, resident memory {middle:.0f} KB,"
        f" then {last:.0f} KB"
        f" ({growth:+.2%}), heap {statistics.median(heap[third : 2 * third]) / 1024:.0f} KB,"
        f" then {statistics.median(heap[2 * third :]) / 1024:.0f} KB: {picture}"
    )
    return 0 if growth <= 0.01 else 1


def draw(picture: str, seconds, resident, heap, third: int, title: str) -> None:
    figure, axes = pyplot.subplots(figsize=(8, 4), layout="constrained")
    minutes = [one / 60 for one in seconds]
    axes.axvspan(0, minutes[third], color="0.93", label="warming up")
    axes.plot(minutes, [one / 1024 for one in resident], label="resident memory")
    axes.plot(minutes, [one / 1024 / 1024 for one in heap], label="given out by the allocator")
    axes.set(title=title, xlabel="minutes", ylabel="MB", xlim=(0, minutes[-1]), ylim=(0, None))
    axes.legend(loc="center right")
    figure.savefig(picture)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
