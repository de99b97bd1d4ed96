# SPDX-License-Identifier: MIT
"""Adds up what several suites run of the engine, of the C layer and of the Python package; holds it against a floor.

    Tests/Coverage/coverage.py OUT PYTHON NAME=EXPORT...

EXPORT is what `llvm-cov export` writes. A line is run if one suite runs it. A branch is what the compiler counts: each
arm of an `if`, a `guard`, a `?:`, a `switch` and a loop, what stands behind `&&`, `||` and `??`, and what follows an
arm that leaves. Swift has no finer measure. PYTHON is what `coverage json` writes, of all runs together.

The floor stands in Tests/Coverage/floor: a part, lines or branches, and the least percentage. What no suite runs is
written into OUT by its function, for those who want to raise it.
"""

import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Mutation"))
import places  # noqa: E402

PARTS = ("ObserverEngine", "SwiftObserverC")
PYTHON = ROOT / "bindings/python/src"
FLOOR = ROOT / "Tests/Coverage/floor"


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

    def missed(self) -> dict[str, list[int]]:
        """The lines of each function that no suite runs."""
        found: dict[str, list[int]] = {}
        functions: dict[str, list[str]] = {}
        for (file, line), count in sorted(self.lines.items()):
            if count == 0:
                if file not in functions:
                    functions[file] = places.functions_of((ROOT / "Sources" / file).read_text())
                found.setdefault(f"{file}: {functions[file][line - 1]}", []).append(line)
        return found

    def share(self, part: str, what: str) -> float:
        counts = [count for key, count in getattr(self, _KINDS[what]).items() if key[0].startswith(part)]
        return 100 * sum(count > 0 for count in counts) / max(1, len(counts))


_KINDS = {"lines": "lines", "branches": "regions"}


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


def _missed_in_python(export: dict) -> dict[str, list[int]]:
    return {
        f"{(ROOT / path).relative_to(PYTHON)}: {name}": counted["missing_lines"]
        for path, file in export["files"].items()
        for name, counted in file["functions"].items()
        if counted["missing_lines"]
    }


def _share_in_python(export: dict, what: str) -> float:
    totals = export["totals"]
    run, count = {
        "lines": (totals["covered_lines"], totals["num_statements"]),
        "branches": (totals["covered_branches"], totals["num_branches"]),
    }[what]
    return 100 * run / count


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
    missed = union.missed() | _missed_in_python(python)
    out.write_text(table + "\n" + "".join(f"{name} {', '.join(map(str, lines))}\n" for name, lines in missed.items()))
    wrong = 0
    for line in FLOOR.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        part, what, least = line.split()
        share = _share_in_python(python, what) if part == "Python" else union.share(part, what)
        if share < float(least):
            print(f"{part}: {share:.2f} percent of the {what} are run, and have to be {least}; {out} has what is not")
            wrong += 1
    print("coverage: below the floor" if wrong else "coverage: above the floor")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
