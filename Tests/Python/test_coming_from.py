# SPDX-License-Identifier: MIT
"""The page for those who know other libraries: their lines and ours do the same, row by row."""

import ast
import re

import pytest

from support import CHECKOUT, collect

PAGE = (CHECKOUT / "bindings" / "python" / "coming-from.md").read_text()
SECTIONS = {
    section.split("\n", 1)[0]: re.findall(
        r"^\| `(.*?)` \|(?: `(.*?)`)? \|(?: `(.*)`)? \|$", section, flags=re.MULTILINE
    )
    for section in PAGE.split("\n## ")[1:]
}


def test_the_page_has_the_libraries_that_its_title_names():
    title = PAGE.split("\n", 1)[0]
    assert list(SECTIONS) == re.findall(r"\w+", title.split("from ")[1].replace(" or ", ", "))


@pytest.mark.parametrize("library", SECTIONS)
def test_no_row_is_left_out(library):
    section = next(each for each in PAGE.split("\n## ") if each.startswith(library + "\n"))
    rows = [line for line in section.splitlines() if line.startswith("|")]
    # Without the title and the line below it.
    assert len(SECTIONS[library]) == len(rows) - 2 > 10


@pytest.mark.parametrize("library", SECTIONS)
def test_their_lines_and_ours_do_the_same(library):
    theirs, ours = {"seen": []}, {"seen": []}
    expected = []
    for their_line, our_line, seen in SECTIONS[library]:
        expected += ast.literal_eval(f"[{seen}]")
        exec(their_line, theirs)
        exec(our_line, ours)
        assert theirs["seen"] == expected, their_line
        assert ours["seen"] == expected, our_line
    theirs.clear()
    ours.clear()
    collect()
