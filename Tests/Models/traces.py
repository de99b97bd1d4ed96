# SPDX-License-Identifier: MIT
"""Makes a header for owning.pml of what the explorer says that schedules have done (Tests/Explore/trace.cpp).

Usage: traces.py NAMES < traces > traces.h
NAMES: which thread of the model each thread is, 0 and 1 for senders, 2 for the one that stops.
"""

import re
import sys

# The state's bits in the model.
BITS = {"owned": 1, "work": 2, "revalidate": 4, "awaited": 8, "offered": 16, "enqueued": 32}
# Kinds of events, and as how many messages of a sender the model tells from each other.
KINDS, NUMBERS = {"+": 256, "-": 512}, 3


def event(text: str, names: str) -> int:
    if match := re.fullmatch(r"t(\d)=([\w|]*)", text):
        bits = match[2].split("|") if match[2] else []
        if unknown := [bit for bit in bits if bit not in BITS]:
            raise SystemExit(f"the model has no bit {unknown[0]}")
        return 1024 + int(names[int(match[1])]) * 64 + sum(BITS[bit] for bit in bits)
    if match := re.fullmatch(r"t(\d)([+-])(\d)\.(\d)(\d\d)", text):
        thread, sender = int(names[int(match[1])]), int(names[int(match[4])])
        number = int(match[5]) % NUMBERS
        return KINDS[match[2]] + thread * 64 + int(match[3]) * 32 + sender * 8 + number
    if match := re.fullmatch(r"t(\d)\.", text):
        return 768 + int(names[int(match[1])])
    raise SystemExit(f"what is {text}?")


def main() -> None:
    traces = [[event(text, sys.argv[1]) for text in line.split()] for line in sys.stdin]
    # The model must not do what the library has not done: at last one trace lacks its first step.
    traces.append(traces[0][1:])
    begins, steps = [], []
    for trace in traces:
        begins.append(len(steps))
        steps += [*trace, 0]
    print(f"#define TRACES_COUNT {len(traces)}")
    print(f"static const short traces[] = {{{', '.join(map(str, steps))}}};")
    print(f"static const int begins[] = {{{', '.join(map(str, begins))}}};")
    print("static char is_followed[TRACES_COUNT];")


if __name__ == "__main__":
    main()
