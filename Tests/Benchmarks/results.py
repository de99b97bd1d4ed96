# SPDX-License-Identifier: MIT
"""What was measured: medians, spread, ratios, and the tables made of them.

A row is what one process said of a measure, a subject and a size. Processes of one round belong together: a ratio is
taken within a process, and of the ratios the median.
"""

from __future__ import annotations

import csv
import io
import statistics
from collections import defaultdict
from typing import NamedTuple, Optional

# What differs more between processes is no property of the subject alone.
MOST_SPREAD = 1.25
COLUMNS = ("round", "build", "program", "measure", "subject", "size", "value", "unit")


class Summary(NamedTuple):
    median: float
    lowest: float
    highest: float

    @property
    def is_unstable(self) -> bool:
        return self.highest > MOST_SPREAD * self.lowest

    def __str__(self) -> str:
        if self.lowest == self.highest:
            return number(self.median)
        word = ", unstable" if self.is_unstable else ""
        return f"{number(self.median)} ({number(self.lowest)} to {number(self.highest)}{word})"


def as_csv(rows: list[dict]) -> str:
    """Each figure of each process, as it was said."""
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def summary(values: list[float]) -> Optional[Summary]:
    return Summary(statistics.median(values), min(values), max(values)) if values else None


def number(value: float) -> str:
    """With about three digits."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:,.{digits}f}"


class Results:
    def __init__(self, rows: list[dict]) -> None:
        self.values: dict[tuple[str, str, int], dict[int, float]] = defaultdict(dict)
        self.units: dict[str, str] = {}
        self.subjects: dict[str, list[str]] = {}
        self.sizes: dict[str, list[int]] = {}
        for row in rows:
            measure, subject, size = row["measure"], row["subject"], row["size"]
            self.values[measure, subject, size][row["round"]] = row["value"]
            self.units[measure] = row["unit"]
            if subject not in self.subjects.setdefault(measure, []):
                self.subjects[measure].append(subject)
            if size not in self.sizes.setdefault(measure, []):
                self.sizes[measure].append(size)

    @property
    def measures(self) -> list[str]:
        return list(self.units)

    def of(self, measure: str, subject: str, size: int) -> Optional[Summary]:
        return summary(list(self.values.get((measure, subject, size), {}).values()))

    def ratio(self, one: tuple[str, str, int], other: tuple[str, str, int]) -> Optional[Summary]:
        ones, others = self.values.get(one, {}), self.values.get(other, {})
        return summary([ones[round] / others[round] for round in ones if others.get(round)])

    def table(self, measure: str) -> str:
        """A row for each subject, a column for each size; the first subject is what the others are compared with."""
        sizes, subjects = sorted(self.sizes[measure]), self.subjects[measure]
        lines = [
            f"| {self.units[measure]} | " + " | ".join(f"{size:,}" for size in sizes) + " |",
            "|---|" + "---:|" * len(sizes),
        ]
        for subject in subjects:
            cells = [self.cell(measure, subject, size, subjects[0]) for size in sizes]
            lines.append(f"| {subject} | " + " | ".join(cells) + " |")
        return "\n".join(lines)

    def cell(self, measure: str, subject: str, size: int, baseline: str) -> str:
        value = self.of(measure, subject, size)
        if value is None:
            return ""
        if subject == baseline:
            return str(value)
        ratio = self.ratio((measure, subject, size), (measure, baseline, size))
        return f"{value}" + (f", {number(ratio.median)} times" if ratio else "")
