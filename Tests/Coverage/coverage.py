# SPDX-License-Identifier: MIT
"""Adds up what several suites run of the engine, of the C layer and of the Python package, and holds it against the
list of what they do not.

    Tests/Coverage/coverage.py OUT PYTHON NAME=EXPORT...

EXPORT is what `llvm-cov export` writes. A line is run if one suite runs it. A branch is what the compiler counts: each
arm of an `if`, a `guard`, a `?:`, a `switch` and a loop, what stands behind `&&`, `||` and `??`, and what follows an
arm that leaves. Swift has no finer measure. PYTHON is what `coverage json` writes, of all runs together.

What no suite runs stands in Tests/Coverage/uncovered.md, under its reason: a file, in Python the function, and the
first line of what is not run. The list is out of date if something is missing there, if it names what is run, or what
is no longer there. What a suite runs only by luck, because threads have to meet, is under a heading that begins with
"Seldom", and may be run.
"""

import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = ("ObserverEngine", "SwiftObserverC")
PYTHON = ROOT / "bindings/python/src"
LIST = ROOT / "Tests/Coverage/uncovered.md"


class Suite:
    """What one suite, or several, have run."""

    def __init__(self) -> None:
        self.lines: dict[tuple[str, int], int] = collections.Counter()
        self.regions: dict[tuple[str, int, int, int, int], int] = collections.Counter()

    def add(self, export: pathlib.Path) -> None:
        data = json.loads(export.read_text())["data"][0]
        for function in data["functions"]:
            for region in function["regions"]:
                name = _name(function["filenames"][region[5]])
                if name and region[7] == 0:
                    self.regions[(name, *region[:4])] += region[4]
        for file in data["files"]:
            name = _name(file["filename"])
            if name:
                for line, count in _lines(file["segments"]):
                    self.lines[name, line] += count

    def __iadd__(self, other: "Suite") -> "Suite":
        for key, count in other.lines.items():
            self.lines[key] += count
        for key, count in other.regions.items():
            self.regions[key] += count
        return self

    def missed(self) -> dict[str, str]:
        """What is not run and stands in nothing else that is not run, by its name in the list, and where that is."""
        missed = sorted(key for key, count in self.regions.items() if count == 0)
        found: dict[str, str] = {}
        end: tuple[str, tuple[int, int]] = ("", (0, 0))
        for file, line, column, last, last_column in missed:
            if end[0] == file and (last, last_column) <= end[1]:
                continue
            end = (file, (last, last_column))
            text = (ROOT / "Sources" / file).read_text().splitlines()
            said = line - 1
            while not re.search(r"[a-z]", text[said].replace("else", "")):
                said -= 1
            after = "after " if said < line - 1 else ""
            found[f"{file}: {after}{text[said].strip()}"] = f"{line}:{column} to {last}:{last_column}"
        return found


def _name(path: str) -> str:
    match = re.search(r"Sources/((?:" + "|".join(PARTS) + r")/.*\.swift)$", path)
    return match[1] if match else ""


def _lines(segments: list[list]) -> list[tuple[int, int]]:
    """Lines and how often they are run: the highest count of what begins in the line, or goes on from before it."""
    counts: dict[int, int] = {}
    before = None
    by_line: dict[int, list[list]] = collections.defaultdict(list)
    for segment in segments:
        by_line[segment[0]].append(segment)
    if not segments:
        return []
    for line in range(segments[0][0], segments[-1][0] + 1):
        here = by_line.get(line, [])
        entries = [one for one in here if one[3] and one[4] and not one[5]]
        wrapped = before is not None and before[3]
        if entries or wrapped:
            counts[line] = max([one[2] for one in entries] + ([before[2]] if wrapped and before else []))
        if here:
            before = here[-1]
    return list(counts.items())


def _missed_in_python(export: dict) -> dict[str, str]:
    """As `Suite.missed`, of lines alone."""
    found: dict[str, str] = {}
    for path, file in export["files"].items():
        name = str((ROOT / path).relative_to(PYTHON))
        text = (ROOT / path).read_text().splitlines()
        for function, counted in file["functions"].items():
            before = 0
            missed = set(counted["missing_lines"])
            for line in sorted({*missed, *counted["executed_lines"]}):
                if line in missed and before not in missed:
                    inside = f"{function}: " if function else ""
                    found[f"{name}: {inside}{text[line - 1].strip()}"] = f"line {line}"
                before = line
    return found


def _python_row(export: dict) -> str:
    totals = export["totals"]
    cells = (
        f"{run} of {count}, {100 * run / count:.1f} % {what}"
        for run, count, what in (
            (totals["covered_lines"], totals["num_statements"], "lines"),
            (totals["covered_branches"], totals["num_branches"], "branches"),
        )
    )
    return f"{'Python package':16}" + "".join(f"{cell:>35}" for cell in cells)


def _table(suites: dict[str, Suite]) -> str:
    rows = [f"{'':16}" + "".join(f"{name:>30}" for name in suites)]
    for part in (*PARTS, ""):
        for what, of in (("lines", "lines"), ("branches", "regions")):
            cells = []
            for suite in suites.values():
                counts = [count for key, count in getattr(suite, of).items() if key[0].startswith(part)]
                run = sum(count > 0 for count in counts)
                cells.append(f"{run} of {len(counts)}, {100 * run / max(1, len(counts)):.1f} %")
            rows.append(f"{part or 'both':16}" + "".join(f"{cell:>30}" for cell in cells) + f"  {what}")
    return "\n".join(rows)


def _listed() -> dict[str, bool]:
    """What stands in the list, and whether it may be run all the same."""
    found, seldom = {}, False
    for line in LIST.read_text().splitlines():
        if line.startswith("#"):
            seldom = line.lstrip("# ").startswith("Seldom")
        elif line.startswith("    "):
            found[line.strip()] = seldom
    return found


def main() -> int:
    out, python = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    suites, union = {}, Suite()
    for argument in sys.argv[3:]:
        name, path = argument.split("=", 1)
        suites[name] = Suite()
        suites[name].add(pathlib.Path(path))
        union += suites[name]
    suites["all"] = union
    table = _table(suites) + "\n" + _python_row(python)
    print(table)
    missed, listed = union.missed() | _missed_in_python(python), _listed()
    out.write_text(table + "\n" + "".join(f"{place:24} {name}\n" for name, place in missed.items()))
    wrong = [f"not run, and not in uncovered.md: {name} ({missed[name]})" for name in missed if name not in listed]
    for name, seldom in listed.items():
        file, _, text = name.partition(": ")
        source = (PYTHON if file.endswith(".py") else ROOT / "Sources") / file
        lines = {line.strip() for line in source.read_text().splitlines()} if source.exists() else set()
        if lines.isdisjoint((text.removeprefix("after "), text.partition(": ")[2])):
            wrong.append(f"in uncovered.md, and not in the sources: {name}")
        elif name not in missed and not seldom:
            wrong.append(f"in uncovered.md, and run: {name}")
    print(
        "\n".join(wrong)
        if wrong
        else f"the {len(missed)} places that no suite runs stand in Tests/Coverage/uncovered.md"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
