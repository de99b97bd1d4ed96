#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the lines of the benchmarks into a table of ratios, and keeps them as JSON.

Usage: table.py TITLE JSON-FILE < lines

The first subject of a measure is what the others are compared with.
"""

from __future__ import annotations

import json
import pathlib
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
        value = {(row["subject"], row["size"]): row["value"] for row in of_measure}
        unit = of_measure[0]["unit"]
        print(f"\n{measure}, {unit}" + (f" (times {subjects[0]})" if len(subjects) > 1 else ""))
        print(f"  {'':<36}" + "".join(f"{size:>18,}" for size in sizes))
        for subject in subjects:
            cells = []
            for size in sizes:
                if (subject, size) not in value:
                    cells.append("")
                    continue
                cell = f"{value[subject, size]:.2f}"
                base = value.get((subjects[0], size))
                if base and subject != subjects[0]:
                    cell += f" ({value[subject, size] / base:.2f}x)"
                cells.append(cell)
            print(f"  {subject:<36}" + "".join(f"{cell:>18}" for cell in cells))


if __name__ == "__main__":
    main(*sys.argv[1:])
