#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Records a program in a terminal of its own, and draws what it shows as SVG: `make demo-picture`.

Usage: recorded.py PICTURE TITLE COMMAND...
"""

from __future__ import annotations

import html
import os
import pty
import re
import sys
import time

WIDTH, LINE, MARGIN, BAR = 9.0, 20, 16, 30
# All that the demo asks of a terminal: bold, up, to the begin of a line, erase to its end.
PIECE = re.compile(r"\033\[(\d*)([A-Za-z])|\r|\n|[^\033\r\n]+")
STYLE = """
  text { font: 15px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; fill: #d6dbe1; white-space: pre; }
  .bold { font-weight: bold; fill: #ffffff; }
  @media (prefers-reduced-motion: no-preference) { .line { animation: come 0.2s linear backwards; } }
  @keyframes come { from { opacity: 0.25; } }
"""


def record(command: list[str]) -> list[tuple[float, str]]:
    """What came, and when."""
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    begun = time.monotonic()
    came: list[tuple[float, bytes]] = []
    while True:
        try:
            data = os.read(terminal, 65536)
        except OSError:  # that is how a terminal ends
            break
        if not data:
            break
        came.append((time.monotonic() - begun, data))
    _, status = os.waitpid(child, 0)
    if status:
        sys.exit(f"recorded: {command[0]} failed")
    decoded, rest = [], b""
    for when, data in came:
        whole = (rest + data).rpartition(b"\n")
        decoded.append((when, (whole[0] + whole[1]).decode()))
        rest = whole[2]
    return [*decoded, (came[-1][0] if came else 0.0, rest.decode())]


class Screen:
    """The lines that stand in the end, each with the moment when something was first written there."""

    def __init__(self) -> None:
        self.lines: list[str] = [""]
        self.begun: list[float] = [0.0]
        self.bold: set[int] = set()
        self.row = self.column = 0

    def write(self, text: str, when: float) -> None:
        for piece in PIECE.finditer(text):
            number, letter = piece.group(1), piece.group(2)
            if letter == "A":
                self.row -= int(number or 1)
            elif letter == "K":
                self.lines[self.row] = self.lines[self.row][: self.column]
            elif letter == "m" and number == "1":
                self.bold.add(self.row)
            elif piece.group() == "\r":
                self.column = 0
            elif piece.group() == "\n":
                self.row += 1
                if self.row == len(self.lines):
                    self.lines.append("")
                    self.begun.append(when)
            elif letter is None:
                line, written = self.lines[self.row].ljust(self.column), piece.group()
                if not line.strip():
                    self.begun[self.row] = when
                self.lines[self.row] = line[: self.column] + written + line[self.column + len(written) :]
                self.column += len(written)


def drawn(screen: Screen, title: str) -> str:
    while screen.lines and not screen.lines[-1].strip():
        screen.lines.pop()
    width = 2 * MARGIN + WIDTH * max(map(len, [title, *screen.lines]))
    height = BAR + 2 * MARGIN + LINE * len(screen.lines)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img">',
        f"<title>{html.escape(title)}</title><style>{STYLE}</style>",
        f'<rect width="{width:.0f}" height="{height}" rx="8" fill="#1c2128"/>',
        *(f'<circle cx="{18 + 20 * each}" cy="16" r="6" fill="#444c56"/>' for each in range(3)),
        f'<text x="{width / 2:.0f}" y="21" text-anchor="middle">{html.escape(title)}</text>',
    ]
    for row, line in enumerate(screen.lines):
        if line.strip():
            bold = " bold" if row in screen.bold else ""
            # The length is said, for fonts differ.
            shown = line.rstrip()
            parts.append(
                f'<text class="line{bold}" style="animation-delay:{screen.begun[row]:.1f}s" x="{MARGIN}" '
                f'y="{BAR + MARGIN + LINE * row + 14}" xml:space="preserve" textLength="{WIDTH * len(shown):.0f}" '
                f'lengthAdjust="spacingAndGlyphs">{html.escape(shown, quote=False)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def main(picture: str, title: str, command: list[str]) -> None:
    screen = Screen()
    for when, text in record(command):
        screen.write(text, when)
    with open(picture, "w", encoding="utf-8") as file:
        file.write(drawn(screen, title))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
