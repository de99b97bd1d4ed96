#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the lines of the benchmarks into a table of ratios, and keeps them as JSON.

Usage: table.py TITLE JSON-FILE < lines

The first subject of a measure is what the others are compared with. Lines that repeat are runs of
the same thing in other processes, where memory lies elsewhere: of values and of ratios, each taken
within one process, the median is shown.
"""

from __future__ import annotations

import json
import pathlib
import statistics
import sys


def main(title: str, path: str) -> None:
    rows = [json.loads(line) for line in sys.stdin if line.strip()]
    if not rows:
        sys.exit("table: nothing was measured")
    target = pathlib.Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")

    print(title)
    for measure in dict.fromkeys(row["measure"] for row in rows):
        of_measure = [row for row in rows if row["measure"] == measure]
        sizes = list(dict.fromkeys(row["size"] for row in of_measure))
        subjects = list(dict.fromkeys(row["subject"] for row in of_measure))
        runs = {
            (subject, size): [row["value"] for row in of_measure if (row["subject"], row["size"]) == (subject, size)]
            for subject in subjects
            for size in sizes
        }
        unit = of_measure[0]["unit"]
        print(f"\n{measure}, {unit}" + (f" (times {subjects[0]})" if len(subjects) > 1 else ""))
        print(f"  {'':<36}" + "".join(f"{size:>18,}" for size in sizes))
        for subject in subjects:
            cells = [cell(runs[subject, size], runs[subjects[0], size], subject == subjects[0]) for size in sizes]
            print(f"  {subject:<36}" + "".join(f"{text:>18}" for text in cells))


def cell(values: list[float], baseline: list[float], is_baseline: bool) -> str:
    if not values:
        return ""
    text = f"{statistics.median(values):.2f}"
    if baseline and all(baseline) and not is_baseline:
        text += f" ({statistics.median(value / base for value, base in zip(values, baseline)):.2f}x)"
    return text


if __name__ == "__main__":
    main(*sys.argv[1:])
