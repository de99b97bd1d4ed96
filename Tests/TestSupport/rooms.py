#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which room of the engine uses which: from what its sources name, as the compiler resolves it.

    rooms.py draw              draws that into Sources/architecture.dot
    rooms.py check             compares the drawing with the sources, and fails where an arrow leads up
    rooms.py why Core State    prints what the one names of the other

A room may use those that stand after it in ROOMS, and no other: so no two use each other. The drawing leaves out what
follows from its other arrows.
"""

import collections
import functools
import os
import pathlib
import re
import subprocess
import sys

ENGINE = pathlib.Path("Sources/ObserverEngine")
PICTURE = pathlib.Path("Sources/architecture.dot")
# From the top to the ground.
_ORDER = (
    "Introspection Operators Lifecycle Variables Derived Handlers Observations Core Queues Time Slots State Support"
)
ROOMS = [room for room in _ORDER.split() if (ENGINE / room).is_dir()]

_BLOCK = re.compile(r"(?<=// Drawn by rooms\.py\.\n).*?(?=    \}\n)", re.DOTALL)
_FILE = re.compile(r'^\(source_file "([^"]*)"')
_MEMBER = re.compile(r'decl="ObserverEngine\.\(file\)\.([^"]*?)@(Sources/ObserverEngine/[^":]*\.swift):\d+:\d+')
_TYPE = re.compile(r'(?:bind|typealias|type)="ObserverEngine\.\(file\)\.(\w+)')
_DECLARED = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))? |public |private |fileprivate |final |indirect )*"
                       r"(?:class|struct|enum|protocol|typealias) (\w+)")  # fmt: skip

Uses = dict[tuple[str, str], collections.Counter[str]]


def main() -> None:
    if sys.argv[1:2] == ["why"]:
        for name, count in uses()[sys.argv[2], sys.argv[3]].most_common():
            print(count, name)
        return
    hold(draws=sys.argv[1:] == ["draw"])


def hold(draws: bool = False) -> None:
    """Draws, or fails where the drawing is not that of the sources."""
    said = PICTURE.read_text(encoding="utf-8")
    arrows = set(uses())
    drawn = _BLOCK.sub(drawing(arrows), said)
    if draws:
        PICTURE.write_text(drawn, encoding="utf-8")
        return
    wrong = [f"{user} uses {used}, which stands above it" for user, used in sorted(arrows) if is_up(user, used)]
    if drawn != said:
        wrong.append(f"the rooms in {PICTURE} are others: make architecture")
    for sentence in wrong:
        print(f"architecture: {sentence}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    print(f"rooms: {len(ROOMS)}, {len(arrows)} arrows, all downwards")


def is_up(user: str, used: str) -> bool:
    return ROOMS.index(user) >= ROOMS.index(used)


def uses() -> Uses:
    """What each room names of each other one."""
    types = {
        match[1]: path
        for path in sources()
        for line in pathlib.Path(path).read_text(encoding="utf-8").split("\n")
        if (match := _DECLARED.match(line))
    }
    found: Uses = collections.defaultdict(collections.Counter)
    room = ""
    for line in tree().split("\n"):
        if match := _FILE.match(line):
            room = room_of(match[1])
            continue
        named = [(match[1], match[2]) for match in _MEMBER.finditer(line)]
        named += [(match[1], types[match[1]]) for match in _TYPE.finditer(line) if match[1] in types]
        for name, path in named:
            if room_of(path) != room:
                found[room, room_of(path)][f"{name} in {path}"] += 1
    return found


def sources() -> list[str]:
    return sorted(str(path) for path in ENGINE.rglob("*.swift"))


@functools.cache
def tree() -> str:
    """The engine as the compiler understands it."""
    command = [os.environ.get("SWIFTC", "swiftc"), "-dump-ast", "-parse-as-library", "-swift-version", "6"]
    command += ["-I", "Sources/CPlatform/include", "-module-name", "ObserverEngine", *sources()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"rooms: the engine does not compile\n{done.stderr[-2000:]}")
    return done.stdout + done.stderr


def room_of(path: str) -> str:
    room = pathlib.PurePath(path).relative_to(ENGINE).parts[0]
    if room not in ROOMS:
        sys.exit(f"rooms: {room} has no place among ROOMS")
    return room


def drawing(arrows: set[tuple[str, str]]) -> str:
    indent = "        "
    lines = [f"{indent}{'; '.join(ROOMS)};"]
    for user in ROOMS:
        used = [room for room in ROOMS if (user, room) in arrows and not is_implied(user, room, arrows)]
        if used:
            lines.append(indent + " ".join(f"{user} -> {room};" for room in used))
    return "\n".join(lines) + "\n"


def is_implied(user: str, used: str, arrows: set[tuple[str, str]]) -> bool:
    """Whether another way leads there."""
    reached, new = set(), [room for start, room in arrows if start == user and room != used]
    while new:
        room = new.pop()
        if room not in reached:
            reached.add(room)
            new += [end for start, end in arrows if start == room]
    return used in reached


if __name__ == "__main__":
    main()
