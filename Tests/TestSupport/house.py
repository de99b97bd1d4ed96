#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts what makes the engine hard to change, and fails where there is more of it than there was. Before, it does what
`rooms.py check` does, which needs the same from the compiler.

The way of a send is what `Core.send` leads to in the engine, function by function, as the compiler resolves it.
"""

import pathlib
import re
import sys

import rooms

STATE = rooms.ENGINE / "State/State.swift"
# No word of the field's, or one that the field has for something else: what each was is in the history of the sources.
COINED = """
    lean leaner leaning brief briefly lane lanes admits careful attention relinquish relinquished handOver holdOwner
    standBack coming going firstPlace oldBlocks inert gaps settle clearAway shelf hole registry record muted
    awaitingTurn awaitsTurn level farCores passFar feed transformLink former stepHandler whileObserved runs
    performInOrder lateBeginning sendLater leftInLine isAhead goesOn isNext takeOver takenOver noted usage
    coreDetails
""".split()
# The most that there may be.
LIMITS = {
    "files that write the state word": 1,
    "places that write it": 39,
    "pairs of rooms that use each other": 0,
    "files on the way of a send": 20,
    "coined words there": 0,
}

_FUNCTION = re.compile(
    r"^( *)\((?:func_decl|accessor_decl|constructor_decl|destructor_decl)\b.*?range=\[([^:\]]+):(\d+):\d+ - line:(\d+):"
)
_USED = re.compile(r'decl="ObserverEngine\.\(file\)\.[^"]*?@(Sources/ObserverEngine/[^":]*\.swift):(\d+):\d+')
Place = tuple[str, int, int]


def main() -> None:
    rooms.hold()
    counts = measures()
    for name, count in counts.items():
        print(f"{name}: {count} (at most {LIMITS[name]})")
    if any(count > LIMITS[name] for name, count in counts.items()):
        sys.exit("house: more than there was")


def measures() -> dict[str, int]:
    texts = {path: pathlib.Path(path).read_text(encoding="utf-8") for path in rooms.sources()}
    writes = re.compile(r"(?<!func )\b(?:raise|lower|replace)\(|\bword\.compareExchange\(")
    outside = re.compile(r"\bstate\.(?:word|raise|lower|replace)\b")
    arrows = set(rooms.uses())
    way = files_of_a_send(rooms.tree())
    words = {
        word for path in way for name in re.findall(r"\b[A-Za-z]\w*", code(texts[path])) for word in coined_in(name)
    }
    if "-v" in sys.argv:
        print("\n".join(sorted(way)), sorted(words))
    return {
        "files that write the state word": 1 + sum(bool(outside.search(text)) for text in texts.values()),
        "places that write it": len(writes.findall(code(texts[str(STATE)]))),
        "pairs of rooms that use each other": sum(arrow[::-1] in arrows for arrow in arrows) // 2,
        "files on the way of a send": len(way),
        "coined words there": len(words),
    }


def code(text: str) -> str:
    return re.sub(r"//.*", "", text)


def coined_in(name: str) -> set[str]:
    """The coined words of which a name is made."""
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)]
    spelt = {"".join(parts[first:last]) for first in range(len(parts)) for last in range(first + 1, len(parts) + 1)}
    return {word for word in COINED if word.lower() in spelt}


def files_of_a_send(tree: str) -> set[str]:
    functions: set[Place] = set()
    uses: dict[Place, set[tuple[str, int]]] = {}
    inside: list[tuple[int, Place]] = []
    for line in tree.split("\n"):
        depth = len(line) - len(line.lstrip())
        while inside and depth <= inside[-1][0]:
            inside.pop()
        if match := _FUNCTION.match(line):
            place = (match[2], int(match[3]), int(match[4]))
            functions.add(place)
            inside.append((depth, place))
        for used in _USED.finditer(line):
            if inside:
                uses.setdefault(inside[0][1], set()).add((used[1], int(used[2])))
    by_file: dict[str, list[Place]] = {}
    for place in functions:
        by_file.setdefault(place[0], []).append(place)
    sending = "Sources/ObserverEngine/Core/Sending.swift"
    lines = pathlib.Path(sending).read_text(encoding="utf-8").split("\n")
    begin = next(number for number, text in enumerate(lines, 1) if "public func send(_ message: Message" in text)
    reached: set[Place] = set()
    files = set()
    new = [(sending, begin)]
    while new:
        file, at = new.pop()
        files.add(file)
        for place in by_file.get(file, []):
            if place[1] <= at <= place[2] and place not in reached:
                reached.add(place)
                new += uses.get(place, set())
    return files


main()
