#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Puts the figures of a run into the README: its table of costs, and the plot beside it.

Usage: readme.py RESULTS-FOLDER README PLOT
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
    ("a message to one Python function", "Python, delivery", 1),
    ("to each of 100", "Python, delivery", 100),
]


def main(folder: str, readme: str, plot: str) -> None:
    content = json.loads((pathlib.Path(folder) / "results.json").read_text(encoding="utf-8"))
    text = pathlib.Path(readme).read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        sys.exit(f"readme: {readme} has no place for the costs")
    shutil.copyfile(pathlib.Path(folder) / "costs.svg", plot)
    table = section(Results(content["rows"]), content, os.path.relpath(plot, pathlib.Path(readme).parent))
    before, rest = text.split(BEGIN, 1)
    pathlib.Path(readme).write_text(before + BEGIN + "\n" + table + END + rest.split(END, 1)[1], encoding="utf-8")


def section(results: Results, content: dict, plot: str) -> str:
    lines = [
        "",
        "A delivered message is told as a multiple of what a bare loop takes: over `{function, context}` in C, over an",
        "array of closures in Swift, `for f in callbacks: f(x)` in Python. The loop in C is in the program; the same",
        "one in a shared library shows what calls over that distance cost, whoever makes them.",
        "",
        f"![What a delivered message costs, by the number of observers]({plot})",
        "",
        "| times a bare loop | SwiftObserver | others |",
        "|---|---:|---|",
    ]
    for title, measure, size in ROWS:
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
        lines.append(f"| {title} | **{times(ours)}** | {'; '.join(others)} |")
    lines += ["", *facts(results, content), ""]
    return "\n".join(lines)


def times(ratio: Optional[Summary]) -> str:
    if ratio is None:
        return "not measured"
    return f"{ratio.median:.2g}" if ratio.median < 10 else f"{ratio.median:,.0f}"


def facts(results: Results, content: dict) -> list[str]:
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
    lines = [
        "- " + sentence.format(*(one.median for one in summaries))
        for sentence, summaries in found.items()
        if all(summaries)
    ]
    machine, peers = content["machine"], content["peers"]
    versions = ", ".join(
        f"{name} {re.sub(' .*', '', version)}" for name, version in peers.items() if version != "not installed"
    )
    lines.append("")
    lines.append(
        f"Medians of {content['rounds']} processes, {content['when']}, {machine['processor']}, "
        f"{machine['cores']} cores, {machine['system']}; {versions}."
    )
    return lines


if __name__ == "__main__":
    main(*sys.argv[1:])
