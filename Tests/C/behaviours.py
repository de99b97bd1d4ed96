# SPDX-License-Identifier: MIT
"""Checks that each test that behaviours.md names exists, and that its sentence counts right.

behaviours.py    from the checkout
"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent

table = (HERE / "behaviours.md").read_text()
tests = {
    name for path in HERE.glob("*_tests.c") for name in re.findall(r"^TEST\((\w+)\)", path.read_text(), re.MULTILINE)
}
rows = re.findall(r"^\| ([TH]?\d+) \| .* \| ([^|]*) \|$", table, re.MULTILINE)
wrong = [
    f"{number}: there is no test {name}"
    for number, shown in rows
    for name in re.findall(r"`(\w+)`", shown)
    if name not in tests
]
numbers = [number for number, _ in rows]
wrong += [f"{number}: stands there twice" for number in sorted(set(numbers)) if numbers.count(number) > 1]
counts = {
    "tested by name": sum("`" in shown for _, shown in rows),
    "by random programs": sum(shown == "random programs" for _, shown in rows),
    "do not apply": sum(shown.startswith("no:") for _, shown in rows),
    "have no test of their own yet": sum(shown == "none yet" for _, shown in rows),
}
if sum(counts.values()) != len(rows):
    wrong.append("a row says something else than a test, random programs, no: and why, or none yet")
said = " ".join(table.split())
wrong += [
    f"the sentence above the table has to say {count} {what}"
    for what, count in counts.items()
    if f"{count} {what}" not in said
]
print("\n".join(wrong), file=sys.stderr)
print(f"behaviours: {len(rows)}, " + ", ".join(f"{count} {what}" for what, count in counts.items()))
sys.exit(bool(wrong))
