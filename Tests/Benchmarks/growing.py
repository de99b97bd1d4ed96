# SPDX-License-Identifier: MIT
"""Has callgrind count what every function of the headers takes in worlds of two sizes, and fails where one grows.

Usage: growing.py PROGRAM DOCUMENTED TABLE HEADER ...

What grows has a line in DOCUMENTED with words that its document says. A declared function that the program does not
call fails, and so does a line that is not true any more. TABLE gets all figures.
"""

import collections
import pathlib
import re
import subprocess
import sys
import tempfile

program, documented, table, *headers = sys.argv[1:]


def functions(header):
    """Each declared function with its document, and the document of the file."""
    text = pathlib.Path(header).read_text()
    words = {}
    for comment, name in re.findall(r"(/\*\*(?:(?!\*/).)*\*/)\s*SWO_API\s[^;(]*?\b(swo_\w+)\(", text, re.DOTALL):
        words[name] = said(comment)
    declared = set(re.findall(r"^SWO_API\s[^;(]*?\b(swo_\w+)\(", text, re.MULTILINE))
    return declared, words, said(text[: text.index("#ifndef")])


def said(comment):
    return re.sub(r"\s+", " ", re.sub(r"^\s*\*", " ", comment, flags=re.MULTILINE))


def counted():
    """What each call took at each size: {(call, dimension): {size: instructions}}."""
    with tempfile.TemporaryDirectory() as folder:
        dump = pathlib.Path(folder, "dump")
        tool = [
            "valgrind",
            "--tool=callgrind",
            "--collect-atstart=no",
            "--combine-dumps=yes",
            f"--callgrind-out-file={dump}",
        ]
        run = subprocess.run([*tool, program], capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"growing: the program ended with {run.returncode}\n{run.stderr}")
        costs, what = collections.defaultdict(dict), None
        for line in dump.open():
            if line.startswith("desc: Trigger: Client Request: "):
                what = line.strip().removeprefix("desc: Trigger: Client Request: ")
            elif line.startswith("totals:") and what:
                call, dimension, size, times = what.split("|")
                costs[call, dimension][int(size)] = int(line.split()[1]) / int(times)
                what = None
    return costs


def growth(sizes):
    """By how much a call gets longer, and whether that is for each thing that there is more of."""
    (few, at_few), (many, at_many) = sorted(sizes.items())
    factor, each = at_many / max(at_few, 1), (at_many - at_few) / (many - few)
    return factor, factor > 1.3 and each >= 1, factor > 1.4 * many / few


declared, documents, general = set(), {}, ""
for header in headers:
    its_functions, its_documents, its_text = functions(header)
    declared |= its_functions
    documents |= its_documents
    general += its_text

allowed, errors = collections.defaultdict(dict), []
for line in pathlib.Path(documented).read_text().splitlines():
    if line.startswith("#"):
        continue
    function, dimensions, words = (part.strip() for part in line.split("|"))
    of, _, its_words = words.rpartition(": ")
    if its_words not in documents.get(of or function, "") and its_words not in general:
        errors.append(f'{of or function}: its document does not say "{its_words}"')
    for dimension in dimensions.split(", "):
        allowed[function][dimension] = words

costs = counted()
called = {call.split(" ")[0] for call, _ in costs}
errors += [f"{function} is not called by {program}" for function in sorted(declared - called)]
growing, near = collections.defaultdict(set), collections.defaultdict(set)
rows = collections.defaultdict(list)
for (call, dimension), sizes in costs.items():
    function = call.split(" ")[0]
    factor, grows, explodes = growth(sizes)
    figures = " -> ".join(f"{cost:.0f}" for _, cost in sorted(sizes.items()))
    if grows:
        growing[function].add(dimension)
        rows[call].append(f"{dimension}: {figures}")
        if dimension not in allowed[function]:
            errors.append(f"{call} grows with {dimension}, and its document does not say so: {figures}")
    elif factor > 1.15:
        # Where things lie in memory decides then, in one run so, in the next the other way.
        near[function].add(dimension)
    if grows and explodes:
        errors.append(f"{call} grows by more than each of {dimension}: {figures}")
for function, dimensions in allowed.items():
    for dimension in sorted(set(dimensions) - growing[function] - near[function]):
        errors.append(f"{function} does not grow with {dimension}, as {documented} says")

calls = list(dict.fromkeys(call for call, _ in costs))
dimensions = list(dict.fromkeys(dimension for _, dimension in costs))
with pathlib.Path(table).open("w") as out:
    print("Instructions of a call by what there is, at two sizes.\n", file=out)
    print("| call | the same, whatever there is | grows, as its document says |\n|---|---|---|", file=out)
    for call in calls:
        least = min(min(costs[call, dimension].values()) for dimension in dimensions)
        print(f"| {call} | {least:.0f} | {'; '.join(rows[call]) or '-'} |", file=out)

for error in errors:
    print(f"growing: {error}", file=sys.stderr)
many = len(calls) * len(dimensions)
print(
    f"growth: {len(declared)} functions, {len(calls)} calls in {len(dimensions)} worlds of two sizes; "
    f"{sum(map(len, growing.values()))} grow as documented, {many} looked at, {len(errors)} failed"
)
sys.exit(bool(errors))
