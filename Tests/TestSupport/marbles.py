# SPDX-License-Identifier: MIT
"""Makes scenarios of the marbles in bindings/operators.md, so that C, Python and Swift act them out.

Usage: marbles.py [write]

Without `write`, Tests/Scenarios/marbles.txt has to be what it would write. In each block of marbles, lines without an
operator are what is sent, and the others are what it passes on of that:

    m               1 2 . 3
    n                   7
    debounce m 2          2         (of messages that are in one column, those above are sent first)

What stands in one column happens at one time, a second after the column before; a dot is a place where nothing is. What
an operator passes on at that time is joined by `+`.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE, SCENARIOS = "bindings/operators.md", "Tests/Scenarios/marbles.txt"
TIMED = {"debounce", "throttle", "throttle_first", "throttle_latest", "delay", "timeout", "collect", "ticks"}


def blocks(page: str) -> list[tuple[str, list[str]]]:
    """Each block with the heading before it."""
    found, heading, inside = [], "", False
    for line in page.splitlines():
        if line.startswith("### "):
            heading = line[4:]
        elif line == "```marbles":
            inside = True
            found.append((heading, []))
        elif line == "```":
            inside = False
        elif inside and line.strip():
            found[-1][1].append(line)
    return found


def marbles(line: str, begin: int) -> dict[int, str]:
    """What stands in the columns of a line."""
    return {each.start(): each[0] for each in re.finditer(r"\S+", line) if each.start() >= begin}


def scenario(heading: str, lines: list[str]) -> list[str]:
    """One for each operator of a block."""
    begin = min(re.match(r"\S+(?: \S+)*\s\s+", line).end() for line in lines)  # type: ignore[union-attr]
    named = [(line[:begin].split(), marbles(line, begin)) for line in lines]
    sent = {words[0]: found for words, found in named if len(words) == 1}
    columns = sorted({column for _, found in named for column in found})
    made = []
    for words, passed in named:
        if len(words) == 1:
            continue
        kind, *arguments = words
        is_timed = kind in TIMED
        used = [each for each in sent if each in arguments]
        things = [f"messenger {' '.join(used)}"] if used else []
        things += ["clock c"] if is_timed else []
        laws = "36" if is_timed else "22"
        made.append(f"{heading}: {' '.join(words)}. ({laws})")
        made.append(f"    {'; '.join(things)}; t = {' '.join([*words, *(['c'] if is_timed else [])])}; observe t a")
        for number, column in enumerate(columns):
            done = ["advance c 1"] if is_timed and number else []
            done += [f"send {name} {sent[name][column]}" for name in used if sent[name].get(column, ".") != "."]
            expected = passed.get(column, ".")
            notes = "" if expected == "." else " -> " + " ".join("a" + each for each in expected.split("+"))
            if done:
                made.append("    " + "; ".join(done) + notes)
            elif notes:
                sys.exit(f"marbles: {' '.join(words)} passes on {expected} when nothing happens")
        made.append("")
    return made


def main() -> None:
    text = "# SPDX-License-Identifier: MIT\n# Written by Tests/TestSupport/marbles.py from bindings/operators.md.\n\n"
    found = blocks((ROOT / PAGE).read_text(encoding="utf-8"))
    text += "\n".join(line for heading, lines in found for line in scenario(heading, lines)).rstrip() + "\n"
    path = ROOT / SCENARIOS
    if "write" in sys.argv[1:]:
        path.write_text(text, encoding="utf-8")
    elif path.read_text(encoding="utf-8") != text:
        sys.exit(f"marbles: {SCENARIOS} is not what {PAGE} shows: python3 Tests/TestSupport/marbles.py write")
    print(f"marbles: {text.count('observe t a')} operators, {len(found)} blocks")


main()
