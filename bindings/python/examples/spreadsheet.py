# SPDX-License-Identifier: MIT
"""A spreadsheet of 10,000 cells.

What is typed into a cell is a variable, and what it shows is derived from that, and from the cells that a formula
names: computed when it is looked at, once, and not again until one of these has changed.
"""

from functools import partial
from typing import Iterator

from swiftobserver import CycleError, Derived, Update, Var, derived, transaction

COLUMNS = "ABCDEFGHIJKLMNOPQRSTUVWXY"
ROWS = 400

entries: dict[str, Var[str]] = {}
cells: dict[str, Derived[float]] = {}
computed = 0


def names(term: str) -> Iterator[str]:
    """The cells of "B2", or of "A1:X1"."""
    first, last = term.split(":") if ":" in term else (term, term)
    for row in range(int(first[1:]), int(last[1:]) + 1):
        for column in COLUMNS[COLUMNS.index(first[0]) : COLUMNS.index(last[0]) + 1]:
            yield f"{column}{row}"


def compute(name: str) -> float:
    """An entry is "7", or a formula like "=A1+2" and "=A1:X1+A2"."""
    global computed
    computed += 1
    total = 0.0
    for term in entries[name].value.lstrip("=").split("+"):
        total += sum(cells[cell].value for cell in names(term)) if term[0].isalpha() else float(term)
    return total


def look_at(name: str) -> None:
    global computed
    try:
        print(f"{name} is {cells[name].value:.0f}", end="")
    except CycleError as error:
        print(f"{name} needs itself: {' -> '.join(error.names)}", end="")
    print(f" ({computed} computed)")
    computed = 0


def show(update: Update[float]) -> None:
    global computed
    print(f"Y400: {update.old:.0f} -> {update.new:.0f} ({computed} computed)")
    computed = 0


# Each row counts up from its number, and ends with its sum; the last cell is the sum of these.
for row in range(1, ROWS + 1):
    for column, left in zip(COLUMNS, " " + COLUMNS):
        name = f"{column}{row}"
        if column == "A":
            entry = str(row)
        elif column != "Y":
            entry = f"={left}{row}+1"
        else:
            entry = f"=A{row}:X{row}" if row < ROWS else f"=Y1:Y{ROWS - 1}"
        entries[name] = Var(entry)
        cells[name] = derived(partial(compute, name), name=name)

look_at("Y400")  # row 400 adds nothing, and is not computed
look_at("Y400")
entries["A1"].value = "101"
look_at("Y400")  # the row of what has changed, and the total
entries["B1"].value = "=A1+1+0"
look_at("Y400")  # equal: what reads B1 is not computed

with cells["Y400"].observe(show):
    entries["A2"].value = "102"  # what is observed says so, once
    with transaction():
        entries["A1"].value = "1"
        entries["A2"].value = "2"
        entries["A3"].value = "=A2+1"  # three entries are one change
    entries["A400"].value = "1000"  # what is observed reads no row 400

entries["A1"].value = "=Y400"
look_at("A1")
entries["A1"].value = "1"
look_at("Y400")
