# SPDX-License-Identifier: MIT
"""Puts listed faults into a copy of the sources, each behind a number, for the explorer, the fuzzers and the tests of
relays to find. All lists have one form:

    = what is wrong
    @ file: a mutant (mutants.py), by its name      where one says it
    @ file: function: lines 1 to 3                  what is exchanged for the lines that follow, or
    @ file: function: before line 3                 where they are put in
    +     a line, in which FAULT is whether this fault is switched on
    ? the program, or the test, that notices it

A fault may have several places. Lines of a function are counted after that with its name, without empty ones and those
that are comments alone.

    faults.py seed LIST FOLDER [CHOSEN]    FOLDER/Sources become the sources with all faults
    faults.py list LIST                    number, program and name of each fault, with tabs between them

CHOSEN asks which fault is switched on, in Swift and in C: `explore_fault() == {}`, if nothing else is said.
"""

import dataclasses
import difflib
import pathlib
import re
import shutil
import sys

import mutants
import places

ROOT = pathlib.Path(__file__).resolve().parents[2]
_LINES = re.compile(r"^(.*): (before )?lines? (\d+)(?: to (\d+))?$")


@dataclasses.dataclass
class Edit:
    number: int
    file: str
    place: str
    lines: list[str]


@dataclasses.dataclass
class Fault:
    number: int
    name: str
    edits: list[Edit]
    noticed_by: str = ""


def read(path: pathlib.Path) -> list[Fault]:
    found: list[Fault] = []
    for line in path.read_text().splitlines():
        mark, text = line[:1], line[2:]
        if mark == "=":
            found.append(Fault(len(found) + 1, text, []))
        elif mark == "@":
            file, _, place = text.partition(": ")
            found[-1].edits.append(Edit(found[-1].number, file, place, []))
        elif mark == "+":
            found[-1].edits[-1].lines.append(text)
        elif mark == "?":
            found[-1].noticed_by = text
    return found


def seed(path: pathlib.Path, folder: pathlib.Path, chosen: str) -> None:
    shutil.rmtree(folder / "Sources", ignore_errors=True)
    shutil.copytree(ROOT / "Sources", folder / "Sources")
    by_file: dict[str, list[Edit]] = {}
    for fault in read(path):
        for edit in fault.edits:
            by_file.setdefault(edit.file, []).append(edit)
    for file, edits in by_file.items():
        source = (ROOT / "Sources" / file).read_text()
        text = edited(file, source, edits, chosen)
        if file.endswith(".swift") and "import CPlatform" not in text:
            # On a line that is there already.
            text = "import CPlatform\n" + text.partition("\n")[2]
        (folder / "Sources" / file).write_text(text)


def edited(file: str, source: str, edits: list[Edit], chosen: str) -> str:
    """A source with what is wrong, where `chosen` asks for the number of a fault."""
    mutants.CHOSEN = chosen
    possible = {one.name: one for one in mutants.find_all(file, source)} if file.endswith(".swift") else {}
    changes, exchanges = [], []
    for edit in edits:
        if match := _LINES.match(edit.place):
            lines = _lines_of(match[1], source, file.endswith(".c"))
            first, last = int(match[3]), int(match[4] or match[3])
            if len(lines) < last:
                sys.exit(f"{file}: {match[1]} has no line {last}")
            new = [line.replace("FAULT", f"({chosen.format(edit.number)})") for line in edit.lines]
            begin = lines[first - 1]
            if not match[2] and not _resemble(source.split("\n")[begin : lines[last - 1] + 1], edit.lines):
                sys.exit(f"{file}: {edit.place} has been moved: it is not like what stands in the list")
            exchanges.append((begin, begin if match[2] else lines[last - 1] + 1, new))
        elif edit.place in possible:
            changes.append(dataclasses.replace(possible[edit.place], number=edit.number))
        else:
            sys.exit(f"{file}: there is no '{edit.place}'")
    lines = mutants.apply(source, changes).split("\n")
    for begin, end, new in sorted(exchanges, reverse=True):
        taken = {change.line for change in changes} & set(range(begin, end))
        if taken:
            sys.exit(f"{file}: two faults want line {min(taken) + 1}")
        lines[begin:end] = new
    return "\n".join(lines)


def _resemble(lines: list[str], others: list[str]) -> bool:
    """Whether these may be the lines of before and those of after: where FAULT is asked, both stand there."""
    words, other_words = (re.findall(r"\w+", " ".join(each)) for each in (lines, others))
    same = difflib.SequenceMatcher(None, words, other_words, autojunk=False).get_matching_blocks()
    return "FAULT" not in other_words or sum(each.size for each in same) > 0.7 * len(words)


def _lines_of(function: str, source: str, in_c: bool) -> list[int]:
    """Where the lines of a function are that say something, but the one with its name."""
    lines = source.split("\n")
    found = [
        index
        for index, name in enumerate(places.functions_of(source, in_c))
        if name == function and places.without_texts(lines[index]).strip()
    ]
    # All of it may stand on one line.
    return found[1:] or found


if __name__ == "__main__":
    if sys.argv[1] == "seed":
        seed(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]), *(sys.argv[4:] or ["explore_fault() == {}"]))
    else:
        for fault in read(pathlib.Path(sys.argv[2])):
            print(fault.number, fault.noticed_by, fault.name, sep="\t")
