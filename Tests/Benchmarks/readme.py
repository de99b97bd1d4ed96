#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the figures of a run into the documents: five rows into the README, the whole table into that of the benchmarks,
and the plot beside it.

Usage: readme.py RESULTS-FOLDER README PLOT DOCUMENT ROWS
"""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import sys
from typing import Optional

from results import Results, Summary

BEGIN, END = "<!-- costs: made by `make bench-readme` -->", "<!-- costs end -->"
# What is compared, the measure, its size, and the others in the order of the row.
ROWS = [
    ("a message to one C handler", "C, delivery", 1),
    ("to each of 10", "C, delivery", 10),
    ("to each of 100", "C, delivery", 100),
    ("a message to one Swift closure", "Swift, delivery", 1),
    ("to each of 100", "Swift, delivery", 100),
    ("to one on the main actor", "Swift, delivery on the main actor", 1),
    ("to each of 100 there", "Swift, delivery on the main actor", 100),
    ("a message to one Python function", "Python, delivery", 1),
    ("to each of 100", "Python, delivery", 100),
]
FIVE = [
    ("each of 10 handlers in C", "C, delivery", 10),
    ("one handler in C", "C, delivery", 1),
    ("one closure in Swift", "Swift, delivery", 1),
    ("one closure on the main actor", "Swift, delivery on the main actor", 1),
    ("one function in Python", "Python, delivery", 1),
]
Row = tuple[str, str, int]


def main(folder: str, readme: str, plot: str, document: str, rows: str) -> None:
    content = json.loads((pathlib.Path(folder) / "results.json").read_text(encoding="utf-8"))
    results = Results(content["rows"])
    picture = os.path.relpath(plot, pathlib.Path(document).parent)
    fill(readme, [*table(results, FIVE, most=3), "", *measured(content)])
    raw = os.path.relpath(rows, pathlib.Path(document).parent)
    fill(document, [*section(results, content, picture), "", *how_measured(content, raw)])
    shutil.copyfile(pathlib.Path(folder) / "costs.svg", plot)
    shutil.copyfile(pathlib.Path(folder) / "rows.csv", rows)


def fill(file: str, lines: list[str]) -> None:
    text = pathlib.Path(file).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        sys.exit(f"readme: {file} has no place for the costs")
    before, rest = text.split(BEGIN, 1)
    filled = "\n".join(["", *lines, ""])
    pathlib.Path(file).write_text(before + BEGIN + filled + END + rest.split(END, 1)[1], encoding="utf-8")


def section(results: Results, content: dict, plot: str) -> list[str]:
    return [
        "A delivered message is told as a multiple of what a bare loop takes: over `{function, context}` in C, over an",
        "array of closures in Swift, `for f in callbacks: f(x)` in Python. The loop in C is part of the program. The",
        "same loop in a shared library (`raw loop in a library`) shows what a call from a library to a program costs.",
        "",
        f"![What a delivered message costs, by the number of observers]({plot})",
        "",
        *table(results, ROWS),
        "",
        *facts(results),
        "",
        *measured(content),
    ]


def table(results: Results, rows: list[Row], most: Optional[int] = None) -> list[str]:
    lines = ["| times a bare loop | SwiftObserver | others |", "|---|---:|---|"]
    for title, measure, size in rows:
        if measure not in results.units:
            continue
        baseline, *subjects = results.subjects[measure]
        ratios = {subject: results.ratio((measure, subject, size), (measure, baseline, size)) for subject in subjects}
        ours = next((ratio for subject, ratio in ratios.items() if "swiftobserver" in subject.lower()), None)
        others = [
            f"{subject} {times(ratio)}"
            for subject, ratio in sorted(ratios.items(), key=lambda one: one[1].median if one[1] else 0)
            if ratio and "swiftobserver" not in subject.lower()
        ]
        lines.append(f"| {title} | **{times(ours)}** | {'; '.join(others[:most])} |")
    return lines


def times(ratio: Optional[Summary]) -> str:
    if ratio is None:
        return "not measured"
    said = short(ratio.median)
    return f"{said} (unstable: {short(ratio.lowest)} to {short(ratio.highest)})" if ratio.is_unstable else said


def short(value: float) -> str:
    return f"{value:.2g}" if value < 10 else f"{value:,.0f}"


def how_measured(content: dict, rows: str) -> list[str]:
    return [
        "Unstable is what differs between processes by more than a quarter. Each round runs the programs in another",
        f"order (seed {content['seed']}) and, but for the first one, with a library linked in another order.",
        f"[The raw rows]({rows}) have each figure of each process.",
    ]


def facts(results: Results) -> list[str]:
    """What is no multiple of a loop."""
    found = {
        "to observe and to stop, in C: {:.0f} ns, beside 1,000 others {:.0f}": [
            results.of("C, observe + stop", "swiftobserver", size) for size in (0, 1000)
        ],
        "an observation in C: {:.0f} bytes": [results.of("C, memory of an observation", "swiftobserver", 10000)],
        "to another thread, through a queue: {:.1f} million messages a second": [
            results.of("C, hand-over to another thread", "swiftobserver, queue", 1)
        ],
        "to get a variable in C: {:.1f} ns; to set it, with one observer: {:.0f} ns": [
            results.of("C, get a variable", "swiftobserver", 1),
            results.of("C, set a variable with one observer", "swiftobserver", 1),
        ],
        "to load the library: {:.0f} µs": [results.of("C, loading the library", "swiftobserver", 1)],
    }
    alone = "ordered, 1 thread, biased to none"
    for subject, words in (("ordered", "in order"), ("unordered", "without order")):
        for threads in (2, 4, 8):
            sentence = (
                f"{threads} threads on one observable {words}, of one thread there: 1 observer {{}}, 10 {{}}, 100 {{}}"
            )
            ones = [("C, threads", f"{subject}, {threads} threads", size) for size in (1, 10, 100)]
            found[sentence] = [results.ratio(one, ("C, threads", alone, one[2])) for one in ones]
    return [
        "- " + sentence.format(*(times(one) if "{}" in sentence else one.median for one in summaries))
        for sentence, summaries in found.items()
        if all(summaries)
    ]


def measured(content: dict) -> list[str]:
    machine, peers = content["machine"], content["peers"]
    versions = ", ".join(
        f"{name} {re.sub(' .*', '', version)}" for name, version in peers.items() if version != "not installed"
    )
    return [
        f"Medians of {content['rounds']} processes, {content['when']}, {machine['processor']}, "
        f"{machine['cores']} cores, {machine['system']}; {versions}."
    ]


if __name__ == "__main__":
    main(*sys.argv[1:])
