#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What recorded.py draws: text that has been written over is gone, and a line comes when it came.

Usage: recorded_tests.py PICTURE, which was drawn of the demo
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree

from recorded import Screen, drawn, record


def text_that_was_written_over_is_gone() -> None:
    screen = Screen()
    screen.write("a longer line\r\nsecond\r\n\033[2A\rshort\033[K\r\n", 1.0)
    screen.write("\r\n\033[1mbold\033[0m", 2.0)
    assert screen.lines == ["short", "second", "bold"], screen.lines
    assert (screen.begun, screen.bold) == ([1.0, 1.0, 2.0], {2})


def a_terminal_records_what_a_program_prints() -> None:
    came = record([sys.executable, "-c", "import sys; print('é', sys.stdout.isatty())"])
    assert "".join(text for _, text in came) == "é True\r\n", came


def the_picture_is_one(picture: str) -> None:
    assert "&lt;b&gt;" in drawn(Screen(), "<b>")
    shown = [each.text for each in xml.etree.ElementTree.parse(picture).getroot().iter() if each.tag.endswith("text")]
    for line in ("lost", "Eve  reads 'two'", "Python hears 6"):
        assert any(line in (each or "") for each in shown), (line, shown)


if __name__ == "__main__":
    text_that_was_written_over_is_gone()
    a_terminal_records_what_a_program_prints()
    the_picture_is_one(sys.argv[1])
