# SPDX-License-Identifier: MIT
"""Counts what keeps the house in order, and fails where a goal that was reached is lost.

A row has what is counted, the goal, and how it is counted. Which goals are reached stands in `REACHED`.
`goals.py` prints the table.
"""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from collections.abc import Iterable

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = subprocess.run(
    ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True
).stdout.splitlines()

LEDGERS = ("Tests/Mutation/survivors.md", "Tests/Coverage/floor")
FAULTS = [
    each for each in SOURCES if each.endswith((".txt",)) and pathlib.Path(each).name in ("faults.txt", "broken.txt")
]
# Where the laws are told or modelled. What is held against the words of one of these is no other text: the manual page
# and the article of DocC are held against laws.md, by laws.py. Nor are tests of what no scenario can show.
TEXTS = (
    "Sources/laws.md",
    "Tests/Scenarios",
    "Tests/Fuzz/model.hpp",
    "Tests/Python/test_model.py",
    "Tests/Python/test_stateful.py",
    "Tests/Explore/laws.cpp",
    *(each for each in SOURCES if each.endswith(".pml")),
)


def read(path: str) -> str:
    file = ROOT / path
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def lines(paths: Iterable[str]) -> int:
    return sum(read(each).count("\n") for each in paths)


def makefiles() -> list[str]:
    return [each for each in SOURCES if each == "Makefile" or each.endswith(".mk")]


def formats_of_faults() -> int:
    """One, if all lists are what Tests/Mutation/faults.py reads; one more for each that is not."""
    marks = re.compile(r"(?:[=@+?#].*)?\n")
    return 1 + sum(any(not marks.fullmatch(line) for line in read(each).splitlines(keepends=True)) for each in FAULTS)


def operator(by_hand: bool) -> int:
    listed = read("CONTRIBUTING.md").split("\n## Adding an operator\n")[1].split("\n## ")[0]
    found = re.findall(r"^\d+\. .*`[^`]+/[^`]+`.*$", listed, re.MULTILINE)
    return len([each for each in found if not by_hand or "accept-abi" not in each])


def longest_first_program() -> int:
    """Of the README's: what stands between `<!-- executed -->` and the end of its block."""
    return max(each.count("\n") for each in re.findall(r"<!-- executed -->\n```\w+\n(.*?)```", read("README.md"), re.S))


def in_help() -> int:
    return len(" ".join(re.findall(r"^FOR_USERS := (.*)$", read("Makefile"), re.MULTILINE)).split())


ROWS = (
    (
        "source lines that ledgers quote",
        0,
        lambda: sum(len(re.findall(r"^    (?!.*: (?:\d|[a-z])).*\w", read(each), re.M)) for each in LEDGERS),
    ),
    ("formats of faults", 1, formats_of_faults),
    ("files for an operator", 11, lambda: operator(by_hand=False)),
    ("of these by hand", 8, lambda: operator(by_hand=True)),
    ("texts of the contract", 5, lambda: sum((ROOT / each).exists() for each in TEXTS)),
    ("lines of Tests", 56_000, lambda: lines(each for each in SOURCES if each.startswith("Tests/"))),
    ("kilobytes of make", 65, lambda: sum(len(read(each).encode()) for each in makefiles()) // 1000),
    ("targets in make help", 5, in_help),
    ("lines of the README", 200, lambda: read("README.md").count("\n")),
    ("lines of its longest first program", 10, longest_first_program),
    (
        "lines of CONTRIBUTING's first page",
        120,
        lambda: read("CONTRIBUTING.md").split("\n<!-- behind -->\n")[0].count("\n"),
    ),
)
REACHED = {
    "source lines that ledgers quote",
    "formats of faults",
    "files for an operator",
    "targets in make help",
    "lines of the README",
    "lines of its longest first program",
    "lines of CONTRIBUTING's first page",
}


def main() -> int:
    lost = []
    for what, goal, count in ROWS:
        counted = count()
        print(f"{what:<36} {counted:>7} of {goal}")
        if what in REACHED and counted > goal:
            lost.append(f"{what}: {counted}, where {goal} had been reached")
        if what not in REACHED and counted <= goal:
            lost.append(f"{what} is reached: put it into REACHED")
    sys.stderr.writelines(f"goals: {each}\n" for each in lost)
    return bool(lost)


if __name__ == "__main__":
    sys.exit(main())
