#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Holds a document's tables of names against the sources: each stands there, as a word, in its language.

Usage: names.py DOCUMENT
"""

from __future__ import annotations

import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {
    "Swift": ["Sources/SwiftObserver/**/*.swift"],
    "C": ["include/**/*.h", "bindings/c/include/swiftobserver/*.h"],
    "C++": ["bindings/c/include/swiftobserver/cpp/*.hpp"],
    "Python": ["bindings/python/src/**/*.py"],
}
TABLE = re.compile(r"<!-- names:.*?-->\n(.*?)<!-- names end -->", re.DOTALL)


def words(globs: list[str]) -> set[str]:
    files = (file for glob in globs for file in TOP.glob(glob))
    # What is only told in a comment is there no more.
    code = (
        re.sub(r"(?m)^\s*(?://|\*|#(?! *define)).*$|/\*.*?\*/", "", file.read_text(encoding="utf-8")) for file in files
    )
    return {word for text in code for word in re.findall(r"\w+", text)}


def main(document: str) -> int:
    tables = TABLE.findall((TOP / document).read_text(encoding="utf-8"))
    if not tables:
        sys.exit(f"names: {document} has no table of names")
    counted, wrong = 0, []
    known = {language: words(globs) for language, globs in SOURCES.items()}
    for table in tables:
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in table.splitlines()]
        head = rows[0]
        for row in rows[2:]:
            if len(row) != len(head):
                wrong.append(f"{document}: a row has {len(row)} cells, not {len(head)} ({row[0]})")
            for language, cell in zip(head[1:], row[1:]):
                for name in re.findall(r"`(\w+)`", cell):
                    counted += 1
                    if name not in known[language]:
                        wrong.append(f"{document}: there is no {name} in {language} ({row[0]})")
    print(*wrong, sep="\n", end="\n" if wrong else "", file=sys.stderr)
    print(f"{document}: {counted - len(wrong)} of {counted} names are those of the sources")
    return bool(wrong) or not counted


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
